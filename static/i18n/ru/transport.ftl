transport-seconds = { $value } с
