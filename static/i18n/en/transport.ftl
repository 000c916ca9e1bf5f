transport-seconds = { $value } s
