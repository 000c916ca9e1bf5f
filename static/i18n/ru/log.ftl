### Журнал: по одному предложению на событие. Имена узлов стоят в именительном падеже,
### поэтому сказано «Поллер: …» и «Поллер → Брокер: …», а не «поллером».

log-step = Шаг { NUMBER($step) }, { $time }
log-at-line = { $part }, { part-line }
log-copy = копия { NUMBER($copy, useGrouping: 0) }

log-order-sent = { $other } → { $part }: заказ { order } отправлен.
log-order-arrived = { $part }: получен заказ { order }.
log-order-answered = { $part }: заказ { order } принят, покупателю ответили.
log-order-failed = { $part }: заказ { order } не принят, покупателю ответили ошибкой: { $error }
log-order-unanswered = { $part }: заказ { order } остался без ответа.
log-call-sent = { $part } → { $other }: отправлен вызов { $what }.
log-call-arrived = { $part }: получен вызов { $what }, отправитель { $other }.
log-answer-sent = { $part } → { $other }: отправлен ответ на { $what }.
log-answer-arrived = { $part }: получен ответ на { $what }.
log-call-failed = { $part }: вызов { $what } закончился ошибкой: { $error }
log-call-timed-out = { $part }: ответа на { $what } нет слишком долго, вызов прерван. Выполнен он или нет, отсюда не узнать.

log-statement = { $part }: выполнено { statement } ({ part-rows }), транзакция: { $other }.
statement = { $verb ->
    [INSERT] INSERT INTO { $table }
    [DELETE] DELETE FROM { $table }
    [SELECT] SELECT FROM { $table }
   *[other] { $verb } { $table }
}
log-row-locked = { $part }: строка { $row } в { $table } заблокирована, держит { $other }.
log-row-skipped = { $part }: строка { $row } в { $table } пропущена (SKIP LOCKED), её держит { $holder }.
log-lock-waits = { $part }: { $other } ждёт блокировку строки { $row } в { $table }, её держит { $holder }.
log-key-waits = { $part }: { $other } ждёт судьбы чужой вставки с тем же ключом в { $table }, держит { $holder }.
log-lock-granted = { $part }: блокировка строки { $row } в { $table } освободилась, теперь держит { $other }.
log-conflict-skipped = { $part }: в { $table } такой ключ уже есть, вставка пропущена (ON CONFLICT DO NOTHING).
log-deadlock = { $part }: взаимная блокировка, транзакция прервана: { $other }.
log-transaction-begun = { $part }: транзакция начата, клиент { $other }.
log-transaction-committed = { $part }: COMMIT, транзакция зафиксирована и записана на диск, клиент { $other }.
log-transaction-rolled-back = { $part }: ROLLBACK, изменений будто и не было, клиент { $other }.
log-transaction-aborted = { $part }: ошибка, транзакция прервана: { $error } До ROLLBACK она не примет ни одной команды.
log-transaction-prepared = { $part }: транзакция { $what } подготовлена. Она переживёт сбой и не отпустит блокировки.
log-commit-refused = { $part }: в COMMIT отказано, нарушено ограничение { $constraint }. Всё откачено.
log-commit-unknown = { $part }: ответа на COMMIT нет. Зафиксировано или нет, отсюда не узнать.

log-published = { $part }: сообщение { $what } сохранено в очереди { $queue }.
log-published-memory = { $part }: сообщение { $what } в очереди { $queue }, но только в памяти.
log-confirmed = { $part } → { $other }: публикация { $what } подтверждена.
log-unroutable = { $part }: для { $what } нет очереди, сообщение выброшено.
log-returned = { $part } → { $other }: для { $what } нет очереди, сообщение возвращено отправителю.
log-delivered = { $part } → { $other }: доставка { $what }.
log-redelivered = { $part } → { $other }: повторная доставка { $what }.
log-acked = { $part }: ack на { $what }, сообщение удалено из очереди.
log-nacked = { $part }: nack на { $what }.
log-requeued = { $part }: { $what } снова в очереди: ack так и не пришёл.
log-dead-lettered = { $part }: доставок было слишком много, { $what } уходит в { $queue }.
log-subscribed = { $part }: подписка на { $queue }.
log-flushed = { $part }: { $what } теперь на диске.
log-requeued-nack = { $part }: { $what } снова в очереди: консьюмер отказался.
log-requeued-restart = { $part }: { $what } снова в очереди: брокер перезапущен.
log-acked-automatically = { $part }: { $what } удалено из очереди сразу при отправке, без ack.
log-rejected = { $part }: { $what } отвергнуто консьюмером и выброшено.
log-expired = { $part }: { $what } пролежало дольше срока хранения и выброшено.
log-lost-transient = { $part }: { $what } пропадает, сообщение хранилось только в памяти.
log-lost-not-on-disk = { $part }: { $what } пропадает, до диска оно не дошло.
log-lost-queue = { $part }: { $what } пропадает вместе с очередью, которая не переживает перезапуск.
log-confirm-lost = { $part }: подтверждения { $what } не будет, соединения больше нет.
log-queue-declared = { $part }: создана очередь { $queue }.
log-queue-gone = { $part }: очереди { $queue } больше нет.
log-channel-closed = { $part } — { $other }: канал закрыт, причина: { $reason }
log-reason-unknown-tag = на это сообщение уже ответили.
log-reason-timeout = ack не пришёл вовремя.
log-reason-no-exchange = нет такого обменника (exchange).
log-reason-no-queue = нет такой очереди.
log-stale-ignored = { $part }: вызов по старому соединению ничего не сделал.

log-connection-opened = { $part } — { $other }: соединение открыто.
log-connection-reset = { $part } — { $other }: соединение сброшено.
log-client-dead = { $part }: клиент { $other } больше не отвечает, соединение закрыто.
log-client-dead-rolled-back = { $part }: клиент { $other } больше не отвечает, его транзакция откачена, блокировки сняты.

log-power-out = { $part }: шнур выдернут. Всё, что было в памяти, пропало; никто об этом не предупреждён.
log-power-back = { $part }: питание вернулось.
log-process-killed = { $part }: процесс убит, память пропала. Система сразу закрыла его соединения.
log-process-ended = { $part }: необработанная ошибка, процесс завершился: { $error }
log-process-started = { $part }: процесс запущен, программа начата сначала.
log-process-finished = { $part }: программа дошла до конца.
log-restarts-in = { $part }: перезапуск через { $time }.
log-paused = { $part }: пауза. Процесс стоит, а время идёт.
log-resumed = { $part }: пауза кончилась, процесс продолжает с того же места.
log-sleeps = { $part }: сон { NUMBER($ms) } мс.
log-wakes = { $part }: сон кончился.

log-letter-sent = { $part }: письмо о заказе { order } доставлено, получатель { $to }.
log-letter-repeated = { $part }: ещё одно письмо о заказе { order }, получатель { $to }. Это уже { NUMBER($count, useGrouping: 0) }-е.
log-effect-ignored = { $part }: ключ { $key } уже был, повтор ничего не сделал.
log-effect = { $part }: выполнено по заказу { order }: { $what }.
log-effect-refused = { $part }: отказ по заказу { order }: { $what }.
log-api-failed = { $part }: ответ 500, ничего не сделано.
log-api-silent = { $part }: всё сделано, но ответа не будет.

log-message-dropped = { $part } → { $other }: { $what } теряется в пути, соединение рвётся.
log-message-duplicated = { $part } → { $other }: { $what } приходит дважды.
log-message-delayed = { $part } → { $other }: { $what } задерживается на { $time }.
log-message-lost-unpowered = { $part } → { $other }: { $what } пропадает, { $other } без питания.
log-message-lost-link = { $part } → { $other }: { $what } пропадает, связь оборвана.
log-link-cut = { $part } — { $other }: связь оборвана.
log-link-mended = { $part } — { $other }: связь восстановлена.
log-rest = Больше ничего не произойдёт: система в покое.
log-limit = Дальше не считаем: достигнут предел прогона.
