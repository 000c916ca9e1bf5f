### Control of time.

transport = Time controls
transport-start = To the start
transport-back = Step back
transport-play = Play
transport-pause = Pause
transport-step = Step forward
transport-back-short = step
transport-step-short = step
transport-next = To the next interesting moment
transport-speed = Speed
transport-speed-times = ×{ $factor }
transport-order = + order
transport-order-hint = Place one more order now
transport-restart = restart
transport-restart-hint = Start the run over, with no faults
transport-time = t = { $time }
transport-seconds = { $value } s
transport-step-of = step { NUMBER($step) } of { NUMBER($total) }
transport-running = Running
transport-paused = Paused
transport-rest = The system is at rest: nothing more will change by itself.
transport-rest-short = at rest
transport-fork = The past has changed: a new fork begins here.
transport-keys = Keys
transport-key-play = Space: play and pause
transport-key-back = ←: step back
transport-key-step = →: step forward
transport-key-next = N: to the next interesting moment
transport-key-start = Home: to the start
transport-key-plug = 1–9: unplug or plug in the part with that number
