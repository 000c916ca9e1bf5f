### The parts on the stage: their names, their states, what can be done to them.

part-service = Service
part-relay = Relay
part-consumer = Consumer
part-worker = Worker
part-postgres = PostgreSQL
part-rabbitmq = RabbitMQ
part-mail = Mail service
part-mailbox = Mailbox
part-customers = Customers
part-mailbox-of = Mailbox of { $name }

state-on = running
state-unpowered = unpowered
state-killed = process killed
state-ended = process ended
state-paused = paused
state-restarting = restarts in { $time }
state-of-part = { $part }: { $state }

part-in-memory = in memory
part-memory-lost = memory lost
part-on-disk = on disk
part-line = line { NUMBER($line, useGrouping: 0) }
part-waits-ack = awaiting ack: { NUMBER($count) }
part-locked-by = locked by { $other }
part-waits-lock = waits for a lock held by { $other }
part-uncommitted = uncommitted
part-sleeping = sleeps { $time }
part-idle = waiting
part-empty = empty
part-unread = { $count ->
    [one] { NUMBER($count) } letter
   *[other] { NUMBER($count) } letters
}
part-rows = { $count ->
    [one] { NUMBER($count) } row
   *[other] { NUMBER($count) } rows
}
part-queued = { $count ->
    [one] { NUMBER($count) } message
   *[other] { NUMBER($count) } messages
}
part-copy = { order }, copy { NUMBER($copy, useGrouping: 0) }
part-lost-here = Lost: { NUMBER($count) }

act-unplug = Unplug: { $part }
act-plug-in = Plug in: { $part }
act-kill = Kill the process: { $part }
act-restart = Restart: { $part }
act-pause = Pause: { $part }
act-resume = Resume: { $part }
act-cut-link = Cut the link: { $part } – { $other }
act-mend-link = Mend the link: { $part } – { $other }
act-drop = Drop the message
act-duplicate = Duplicate the message
act-delay = Delay the message
act-refuse-commit = Refuse the COMMIT
act-refuse-commit-hint = The next COMMIT will fail: a constraint is violated.
act-unplug-short = unplug
act-plug-in-short = plug in
act-key = key { $key }

mark-uncommitted = not committed yet
mark-changing = being changed, not committed yet
mark-deleting = being deleted, not committed yet
mark-done = marked as done
mark-unacked = handed to a consumer, awaiting ack
mark-redelivered = being redelivered

flight-request = request
flight-answer = answer
flight-publish = publish
flight-confirm = confirm
flight-delivery = delivery
flight-ack = ack
flight-letter = letter
flight-reset = connection reset
flight-named = { $part } → { $other }: { $kind }

grave = Lost
grave-memory = was only in memory
grave-rolled-back = rolled back with its transaction
grave-undeliverable = nobody there to receive it
grave-dropped = lost on the way
grave-unroutable = no queue for it
grave-not-on-disk = not yet on the broker’s disk

shelf-table = table { $name }
shelf-queue = queue { $name }
shelf-letters = letters
shelf-more = { NUMBER($count) } more
wire = Link: { $part } – { $other }
