### The log: one sentence per event. log-sentence adds the full stop, log-about the order's number;
### where a message names the order itself, it is not said again.

log-sentence = { $text }.
log-about = { $text }, order { order }

log-order-sent = { $part }: order { order } sent
log-order-arrived = { $part }: order { order } received
log-order-accepted = { $part }: order { order } accepted, the customer is answered 200
log-order-failed = { $part }: order { order } not accepted, the customer is answered 500
log-customer-told = { $part }: order { order } was answered 200
log-customer-refused = { $part }: order { order } was answered 500
log-customer-unsure = { $part }: the connection broke before any answer. Whether the order was accepted cannot be told from here

log-call = { $part } → { $other }: { $what }
log-call-publish = { $part } → { $other }: publish { $what }
log-call-subscribe = { $part } → { $other }: subscribe to { $what }
log-call-send = { $part } → { $other }: a letter to send
log-answer-left = { $part } → { $other }: answer to { $what }
log-answered = { $part }: got the answer to { $what }
log-answered-publish = { $part }: got the confirm of { $what }
log-answered-error = { $part }: { $what } failed with { $code }
log-answered-commit-unknown = { $part }: no answer to { $what }. Whether it was committed cannot be told from here
log-timed-out = { $part }: { $other } has not answered { $what } for too long, the call is given up. Whether it was carried out cannot be told from here

log-executed = { $part }: { $what } ({ part-rows }) for { $other }
log-executed-plain = { $part }: { $what } for { $other }
log-begun = { $part }: transaction begun for { $other }
log-committed = { $part }: COMMIT, transaction committed for { $other }
log-rolled-back = { $part }: ROLLBACK for { $other }, as if nothing had changed
log-prepared = { $part }: transaction prepared for { $other }; it will survive a crash and keep its locks
log-refused = { $part }: { $what } refused for { $other }, code { $code }
log-refused-commit = { $part }: COMMIT refused for { $other }, code { $code }, all rolled back
log-deadlock = { $part }: deadlock, { $what } aborted for { $other }
log-aborted = { $part }: { $what } not taken for { $other }: after an error the transaction waits for ROLLBACK
log-waits = { $part }: { $what } waits for a lock, for { $other }
log-waits-holder = { $part }: { $what } for { $other } waits for a lock that { $holder } holds
log-skipped = { $part }: SKIP LOCKED passed over { part-rows } for { $other }

log-stored = { $part }: { $what } is in the queue
log-flushed = { $part }: { $what } is on disk now
log-confirmed = { $part } → { $other }: publish confirmed
log-delivered = { $part } → { $other }: delivery
log-redelivered = { $part } → { $other }: redelivery
log-received = { $part }: message received
log-received-again = { $part }: message received again
log-acked = { $part }: ack from { $other }, the message has left the queue
log-requeued = { $part }: { $what } is back in the queue, there was no ack
log-subscribed = { $part }: { $other } is subscribed to { $what }

log-letter-sent = { $part }: letter sent to { $to }
log-letter-sent-kind = { $part }: letter “{ $kind }” sent to { $to }
log-key-known = { $part }: the key from { $other } is known, no second letter

log-sleeps = { $part }: sleeps for { NUMBER($ms) } ms
log-wakes = { $part }: woke up
log-started = { $part }: process started
log-program-started = { $part }: process started, the program begins from its first line
log-ended = { $part }: the program ran to its end
log-unplugged = { $part } is unpowered: the cord is out
log-plugged = { $part }: power is back
log-killed = { $part }: process killed, its connections are closed
log-restarted = { $part }: process starts again
log-crashed = { $part }: uncaught error, the process ended: { $error }
log-disconnected = { $part } — { $other }: connection lost
log-client-gone = { $part }: client { $other } is gone, connection closed
log-client-gone-rolled-back = { $part }: client { $other } is gone, its transaction is rolled back, its locks are released

log-lost-memory = { $part }: gone from memory
log-lost-row = { $part }: an uncommitted row of { $what } is rolled back
log-lost-no-power = { $part } is unpowered: { $what } does not arrive
log-lost-no-connection = { $part }: { $what } does not arrive, the connection is gone
log-lost-dropped = { $part }: { $what } lost on the way
log-lost-unroutable = { $part }: no queue for { $what }, the message is thrown away
log-lost-not-on-disk = { $part }: { $what } is gone, it was not on disk
log-lost-discarded = { $part }: { $what } thrown out of the queue
log-thing-order = the order
log-thing-answer = the answer
log-thing-answer-to = the answer to { $what }

log-cut = { $part } — { $other }: link cut
log-mended = { $part } — { $other }: link mended
log-delayed = { $part }: a message is delayed by { $time }
log-refusal-armed = { $part }: the next COMMIT will be refused

log-act-unplugged = { $part } is unpowered
log-act-killed = { $part }: process killed
log-act-lost-memory = Gone from memory: { $orders }
log-act-lost-rows = Rolled back: { $orders }
log-act-lost-not-on-disk = Not on disk and gone: { $orders }
log-act-lost-dropped = Lost on the way: { $orders }
log-act-nothing-lost = There was nothing in memory
log-after-locks = { $other } still keeps the transaction of { $part } open and its locks held: { $orders }. It will notice in { $time }
log-after-transaction = { $other } still keeps the transaction of { $part } open. It will notice in { $time }
log-after-unacked = { $other } still waits for an ack from { $part }: { $orders }. It will notice in { $time } and deliver again
