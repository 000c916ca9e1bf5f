### Журнал: по одному предложению на событие. Имена узлов стоят в именительном падеже,
### поэтому сказано «Поллер: …» и «Поллер → Брокер: …», а не «поллером». Точку и номер заказа
### добавляет log-sentence и log-about; где заказ назван внутри, он не повторяется.

log-sentence = { $text }.
log-about = { $text }, заказ { order }

log-order-sent = { $part }: отправлен заказ { order }
log-order-arrived = { $part }: получен заказ { order }
log-order-accepted = { $part }: заказ { order } принят, покупателю уходит ответ 200
log-order-failed = { $part }: заказ { order } не принят, покупателю уходит ответ 500
log-customer-told = { $part }: на заказ { order } пришёл ответ 200
log-customer-refused = { $part }: на заказ { order } пришёл ответ 500
log-customer-unsure = { $part }: соединение разорвано, ответа не было. Принят ли заказ, отсюда не узнать

log-call = { $part } → { $other }: { $what }
log-call-publish = { $part } → { $other }: публикация { $what }
log-call-subscribe = { $part } → { $other }: подписка на { $what }
log-call-send = { $part } → { $other }: запрос на письмо
log-answer-left = { $part } → { $other }: ответ на { $what }
log-answered = { $part }: получен ответ на { $what }
log-answered-publish = { $part }: получено подтверждение публикации { $what }
log-answered-error = { $part }: { $what } закончилось ошибкой { $code }
log-answered-commit-unknown = { $part }: { $what } осталось без ответа. Зафиксировано или нет, отсюда не узнать
log-timed-out = { $part }: { $other } слишком долго не отвечает на { $what }, вызов прерван. Выполнен ли он, отсюда не узнать

log-executed = { $part }: { $what } ({ part-rows }), клиент: { $other }
log-executed-plain = { $part }: { $what }, клиент: { $other }
log-begun = { $part }: транзакция начата, клиент: { $other }
log-committed = { $part }: COMMIT, транзакция зафиксирована, клиент: { $other }
log-rolled-back = { $part }: ROLLBACK, изменений будто и не было, клиент: { $other }
log-prepared = { $part }: транзакция подготовлена; она переживёт сбой и не отпустит блокировки, клиент: { $other }
log-refused = { $part }: отказ на { $what }, код { $code }, клиент: { $other }
log-refused-commit = { $part }: в COMMIT отказано, код { $code }, всё откачено, клиент: { $other }
log-deadlock = { $part }: взаимная блокировка, { $what } прервано, клиент: { $other }
log-aborted = { $part }: { $what } не принято: после ошибки транзакция ждёт ROLLBACK, клиент: { $other }
log-waits = { $part }: { $what } ждёт блокировку, клиент: { $other }
log-waits-holder = { $part }: { $what } ждёт блокировку, клиент: { $other }, держит её { $holder }
log-skipped = { $part }: SKIP LOCKED, пропущено: { part-rows }, клиент: { $other }

log-stored = { $part }: { $what } в очереди
log-flushed = { $part }: { $what } теперь на диске
log-confirmed = { $part } → { $other }: публикация подтверждена
log-delivered = { $part } → { $other }: доставка
log-redelivered = { $part } → { $other }: повторная доставка
log-received = { $part }: получено сообщение
log-received-again = { $part }: сообщение получено повторно
log-acked = { $part }: пришёл ack, сообщение удалено из очереди, консьюмер: { $other }
log-requeued = { $part }: { $what } снова в очереди, ack не было
log-subscribed = { $part }: подписка на { $what } принята, клиент: { $other }

log-letter-sent = { $part }: письмо ушло, получатель: { $to }
log-letter-sent-kind = { $part }: письмо «{ $kind }» ушло, получатель: { $to }
log-key-known = { $part }: такой ключ уже был, второго письма не будет, клиент: { $other }

log-sleeps = { $part }: сон { NUMBER($ms) } мс
log-wakes = { $part }: сон кончился
log-started = { $part }: процесс запущен
log-program-started = { $part }: процесс запущен, программа начата сначала
log-ended = { $part }: программа дошла до конца
log-unplugged = { $part } обесточен: шнур выдернут
log-plugged = { $part }: питание вернулось
log-killed = { $part }: процесс убит, его соединения закрываются
log-restarted = { $part }: процесс запускается снова
log-crashed = { $part }: необработанная ошибка, процесс завершился: { $error }
log-disconnected = { $part } — { $other }: соединение потеряно
log-client-gone = { $part }: клиент { $other } пропал, соединение закрыто
log-client-gone-rolled-back = { $part }: клиент { $other } пропал, его транзакция откачена, блокировки сняты

log-lost-memory = { $part }: пропало из памяти
log-lost-row = { $part }: незафиксированная строка в { $what } откачена
log-lost-no-power = { $part } обесточен: { $what } не доходит
log-lost-no-connection = { $part }: { $what } не доходит, соединения уже нет
log-lost-dropped = { $part }: { $what } потеряно в пути
log-lost-unroutable = { $part }: для { $what } нет очереди, сообщение выброшено
log-lost-not-on-disk = { $part }: { $what } пропало, до диска оно не дошло
log-lost-discarded = { $part }: { $what } выброшено из очереди
log-thing-order = заказ
log-thing-answer = ответ
log-thing-answer-to = ответ на { $what }

log-cut = { $part } — { $other }: связь оборвана
log-mended = { $part } — { $other }: связь восстановлена
log-delayed = { $part }: сообщение задержано на { $time }
log-refusal-armed = { $part }: в следующем COMMIT будет отказано

log-act-unplugged = { $part } обесточен
log-act-killed = { $part }: процесс убит
log-act-lost-memory = Пропало из памяти: { $orders }
log-act-lost-rows = Откачено: { $orders }
log-act-lost-not-on-disk = Не записано на диск и пропало: { $orders }
log-act-lost-dropped = Потеряно в пути: { $orders }
log-act-nothing-lost = В памяти ничего не было
log-after-locks = { $other } всё ещё держит открытой транзакцию клиента { $part } и её блокировки: { $orders }. Сбой заметят через { $time }
log-after-transaction = { $other } всё ещё держит открытой транзакцию клиента { $part }. Сбой заметят через { $time }
log-after-unacked = { $other } всё ещё ждёт ack от клиента { $part }: { $orders }. Сбой заметят через { $time } и отдадут сообщения повторно
