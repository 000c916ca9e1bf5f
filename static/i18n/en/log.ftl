### The log: one sentence per kind of event.

log-step = Step { NUMBER($step) }, { $time }
log-at-line = { $part }, { part-line }
log-copy = copy { NUMBER($copy, useGrouping: 0) }

log-order-sent = { $other } → { $part }: order { order } sent.
log-order-arrived = { $part }: order { order } received.
log-order-answered = { $part }: order { order } accepted, the customer has the answer.
log-order-failed = { $part }: order { order } not accepted, the customer was told of an error: { $error }
log-order-unanswered = { $part }: order { order } was left without an answer.
log-call-sent = { $part } → { $other }: call { $what } sent.
log-call-arrived = { $part }: call { $what } received from { $other }.
log-answer-sent = { $part } → { $other }: answer to { $what } sent.
log-answer-arrived = { $part }: answer to { $what } received.
log-call-failed = { $part }: call { $what } ended with an error: { $error }
log-call-timed-out = { $part }: no answer to { $what } for too long, the call is given up. Whether it was carried out cannot be known from here.

log-statement = { $part }: { statement } executed ({ part-rows }) in the transaction of { $other }.
statement = { $verb ->
    [INSERT] INSERT INTO { $table }
    [DELETE] DELETE FROM { $table }
    [SELECT] SELECT FROM { $table }
   *[other] { $verb } { $table }
}
log-row-locked = { $part }: row { $row } of { $table } is now locked by { $other }.
log-row-skipped = { $part }: row { $row } of { $table } skipped (SKIP LOCKED), it is locked by { $holder }.
log-lock-waits = { $part }: { $other } waits for the lock on row { $row } of { $table }, held by { $holder }.
log-key-waits = { $part }: { $other } waits for the fate of another insert of the same key into { $table }, by { $holder }.
log-lock-granted = { $part }: the lock on row { $row } of { $table } is free, now held by { $other }.
log-conflict-skipped = { $part }: { $table } already has this key, the insert is skipped (ON CONFLICT DO NOTHING).
log-deadlock = { $part }: deadlock, the transaction of { $other } is aborted.
log-transaction-begun = { $part }: transaction begun for { $other }.
log-transaction-committed = { $part }: COMMIT, the transaction of { $other } is committed and on disk.
log-transaction-rolled-back = { $part }: ROLLBACK, the changes of { $other } never happened.
log-transaction-aborted = { $part }: error, the transaction is aborted: { $error } It accepts no command until ROLLBACK.
log-transaction-prepared = { $part }: transaction { $what } is prepared. It survives a crash and keeps its locks.
log-commit-refused = { $part }: COMMIT refused, constraint { $constraint } is violated. All is rolled back.
log-commit-unknown = { $part }: no answer to the COMMIT. Whether it took effect cannot be known from here.

log-published = { $part }: message { $what } stored in queue { $queue }.
log-published-memory = { $part }: message { $what } is in queue { $queue }, but only in memory.
log-confirmed = { $part } → { $other }: publish of { $what } confirmed.
log-unroutable = { $part }: no queue for { $what }, the message is dropped.
log-returned = { $part } → { $other }: no queue for { $what }, the message is returned to its sender.
log-delivered = { $part } → { $other }: { $what } delivered.
log-redelivered = { $part } → { $other }: { $what } redelivered.
log-acked = { $part }: ack for { $what }, the message is removed from the queue.
log-nacked = { $part }: nack for { $what }.
log-requeued = { $part }: { $what } is back in the queue: its ack never came.
log-dead-lettered = { $part }: too many deliveries, { $what } goes to { $queue }.
log-subscribed = { $part }: subscribed to { $queue }.
log-flushed = { $part }: { $what } is now on disk.
log-requeued-nack = { $part }: { $what } is back in the queue: its consumer gave it back.
log-requeued-restart = { $part }: { $what } is back in the queue: the broker has restarted.
log-acked-automatically = { $part }: { $what } left the queue as soon as it was sent, without an ack.
log-rejected = { $part }: { $what } was rejected by its consumer and is dropped.
log-expired = { $part }: { $what } outlived its time to live and is dropped.
log-lost-transient = { $part }: { $what } is lost, it was kept only in memory.
log-lost-not-on-disk = { $part }: { $what } is lost, it had not reached the disk.
log-lost-queue = { $part }: { $what } is lost with its queue, which does not survive a restart.
log-confirm-lost = { $part }: the confirm of { $what } will never be sent, its connection is gone.
log-queue-declared = { $part }: queue { $queue } created.
log-queue-gone = { $part }: queue { $queue } is gone.
log-channel-closed = { $part } – { $other }: channel closed because { $reason }
log-reason-unknown-tag = this message already had its answer.
log-reason-timeout = the ack did not come in time.
log-reason-no-exchange = there is no such exchange.
log-reason-no-queue = there is no such queue.
log-stale-ignored = { $part }: a call over an old connection did nothing.

log-connection-opened = { $part } – { $other }: connection opened.
log-connection-reset = { $part } – { $other }: connection reset.
log-client-dead = { $part }: client { $other } no longer answers, its connection is closed.
log-client-dead-rolled-back = { $part }: client { $other } no longer answers, its transaction is rolled back and its locks are freed.

log-power-out = { $part }: unplugged. All that was in memory is lost, and nobody has been told.
log-power-back = { $part }: the power is back.
log-process-killed = { $part }: process killed, memory lost. The operating system closed its connections at once.
log-process-ended = { $part }: uncaught error, the process ended: { $error }
log-process-started = { $part }: process started, its program begins anew.
log-process-finished = { $part }: the program ran to its end.
log-restarts-in = { $part }: restarts in { $time }.
log-paused = { $part }: paused. The process stands still while time goes on.
log-resumed = { $part }: the pause is over, the process goes on where it was.
log-sleeps = { $part }: sleeps { NUMBER($ms) } ms.
log-wakes = { $part }: wakes.

log-letter-sent = { $part }: letter about order { order } delivered to { $to }.
log-letter-repeated = { $part }: one more letter about order { order } to { $to }. That makes { NUMBER($count, useGrouping: 0) }.
log-effect-ignored = { $part }: key { $key } was seen before, the repeat did nothing.
log-effect = { $part }: done for order { order }: { $what }.
log-effect-refused = { $part }: refused for order { order }: { $what }.
log-api-failed = { $part }: answers 500, nothing was done.
log-api-silent = { $part }: all is done, but no answer will come.

log-message-dropped = { $part } → { $other }: { $what } is lost on the way, the connection breaks.
log-message-duplicated = { $part } → { $other }: { $what } arrives twice.
log-message-delayed = { $part } → { $other }: { $what } is delayed by { $time }.
log-message-lost-unpowered = { $part } → { $other }: { $what } is lost, { $other } has no power.
log-message-lost-link = { $part } → { $other }: { $what } is lost, the link is cut.
log-link-cut = { $part } – { $other }: link cut.
log-link-mended = { $part } – { $other }: link mended.
log-rest = Nothing more will happen: the system is at rest.
log-limit = The run stops here: its limit is reached.
