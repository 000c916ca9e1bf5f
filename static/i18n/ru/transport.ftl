### Управление ходом времени.

transport = Ход времени
transport-start = К началу
transport-back = Шаг назад
transport-play = Пуск
transport-pause = Пауза
transport-step = Шаг вперёд
transport-back-short = шаг
transport-step-short = шаг
transport-next = К следующему важному моменту
transport-speed = Скорость
transport-speed-times = ×{ $factor }
transport-order = + заказ
transport-order-hint = Оформить ещё один заказ сейчас
transport-restart = с начала
transport-restart-hint = Начать прогон сначала, без сбоев
transport-time = t = { $time }
transport-seconds = { $value } с
transport-step-of = шаг { NUMBER($step) } из { NUMBER($total) }
transport-running = Идёт
transport-paused = Пауза
transport-rest = Система пришла в покой: само больше ничего не изменится.
transport-rest-short = покой
transport-fork = Прошлое изменено: началась новая ветка.
transport-keys = Клавиши
transport-key-play = Пробел: пуск и пауза
transport-key-back = ←: шаг назад
transport-key-step = →: шаг вперёд
transport-key-next = N: к следующему важному моменту
transport-key-start = Home: к началу
transport-key-plug = 1–9: выдернуть или включить узел с этим номером
