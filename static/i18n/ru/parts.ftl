### Узлы схемы: как зовутся, что с ними, что с ними можно сделать.

part-service = Сервис
part-relay = Поллер
part-consumer = Консьюмер
part-worker = Воркер
part-postgres = PostgreSQL
part-rabbitmq = Брокер
part-mail = Почтовый сервис
part-mailbox = Почтовый ящик
part-customers = Покупатели
part-mailbox-of = Почтовый ящик: { $name }

state-on = работает
state-unpowered = обесточен
state-killed = процесс убит
state-ended = процесс завершился
state-paused = на паузе
state-restarting = перезапустится через { $time }
state-of-part = { $part }: { $state }

part-in-memory = в памяти
part-memory-lost = память пропала
part-on-disk = на диске
part-line = строка { NUMBER($line, useGrouping: 0) }
part-waits-ack = ждёт ack: { NUMBER($count) }
part-locked-by = заблокировано: { $other }
part-waits-lock = ждёт блокировку; её держит { $other }
part-uncommitted = не зафиксировано
part-sleeping = спит { $time }
part-idle = ждёт
part-empty = пусто
part-unread = { $count ->
    [one] { NUMBER($count) } письмо
    [few] { NUMBER($count) } письма
    [many] { NUMBER($count) } писем
   *[other] { NUMBER($count) } письма
}
part-rows = { $count ->
    [one] { NUMBER($count) } строка
    [few] { NUMBER($count) } строки
    [many] { NUMBER($count) } строк
   *[other] { NUMBER($count) } строки
}
part-queued = { $count ->
    [one] { NUMBER($count) } сообщение
    [few] { NUMBER($count) } сообщения
    [many] { NUMBER($count) } сообщений
   *[other] { NUMBER($count) } сообщения
}
part-copy = { order }, к. { NUMBER($copy, useGrouping: 0) }
part-lost-here = Пропало: { NUMBER($count) }

act-unplug = Выдернуть шнур: { $part }
act-plug-in = Включить: { $part }
act-kill = Убить процесс: { $part }
act-restart = Перезапустить: { $part }
act-pause = Поставить на паузу: { $part }
act-resume = Снять с паузы: { $part }
act-cut-link = Оборвать связь: { $part } — { $other }
act-mend-link = Восстановить связь: { $part } — { $other }
act-drop = Потерять сообщение
act-duplicate = Задвоить сообщение
act-delay = Задержать сообщение
act-refuse-commit = Отказать в COMMIT
act-refuse-commit-hint = Ближайший COMMIT не пройдёт: нарушено ограничение.
act-unplug-short = выдернуть
act-plug-in-short = включить
act-key = клавиша { $key }

mark-uncommitted = ещё не зафиксировано
mark-changing = меняется, ещё не зафиксировано
mark-deleting = удаляется, ещё не зафиксировано
mark-done = отмечено
mark-unacked = отдано консьюмеру, ждёт ack
mark-redelivered = отдаётся повторно

flight-request = запрос
flight-answer = ответ
flight-publish = публикация
flight-confirm = подтверждение
flight-delivery = доставка
flight-ack = ack
flight-letter = письмо
flight-reset = разрыв соединения
flight-named = { $part } → { $other }: { $kind }

grave = Пропавшее
grave-memory = было только в памяти
grave-rolled-back = откачено вместе с транзакцией
grave-undeliverable = некому было принять
grave-dropped = потеряно в пути
grave-unroutable = не нашлось очереди
grave-not-on-disk = брокер не успел записать на диск

shelf-table = таблица { $name }
shelf-queue = очередь { $name }
shelf-letters = письма
shelf-more = ещё { NUMBER($count) }
wire = Связь: { $part } — { $other }
