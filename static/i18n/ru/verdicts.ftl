### Итог по заказам: сколько обещано, сколько пришло, почему.

order = № { NUMBER($order, useGrouping: 0) }

verdict-once = ровно один раз
verdict-not-placed = заказа нет
verdict-in-flight = в пути
verdict-lost = потеряно
verdict-doubled = задвоено ×{ NUMBER($count) }
verdict-phantom = фантом
verdict-out-of-order = порядок нарушен
verdict-stuck = застряло
verdict-inconsistent = рассогласовано
verdict-undecided = неизвестно
verdict-of-order = { order } · { $verdict }

effect = { $kind ->
    [letter] { $count ->
        [one] { NUMBER($count) } письмо
        [few] { NUMBER($count) } письма
        [many] { NUMBER($count) } писем
       *[other] { NUMBER($count) } письма
    }
    [point] { $count ->
        [one] { NUMBER($count) } балл
        [few] { NUMBER($count) } балла
        [many] { NUMBER($count) } баллов
       *[other] { NUMBER($count) } балла
    }
    [charge] { $count ->
        [one] { NUMBER($count) } списание
        [few] { NUMBER($count) } списания
        [many] { NUMBER($count) } списаний
       *[other] { NUMBER($count) } списания
    }
    [refund] { $count ->
        [one] { NUMBER($count) } возврат
        [few] { NUMBER($count) } возврата
        [many] { NUMBER($count) } возвратов
       *[other] { NUMBER($count) } возврата
    }
    [shipment] { $count ->
        [one] { NUMBER($count) } отправка
        [few] { NUMBER($count) } отправки
        [many] { NUMBER($count) } отправок
       *[other] { NUMBER($count) } отправки
    }
   *[other] { $kind }: { NUMBER($count) }
}

ledger-owed = обещано: { $owed }
ledger-got = пришло: { $got }

sentence-once = Заказ { order }: обещано { $owed }, пришло { $got }. Всё верно.
sentence-not-placed = Заказ { order } не оформлен, и ничего не пришло. Всё верно.
sentence-in-flight = Заказ { order }: обещано { $owed }, пока пришло { $got }. Остальное ещё в пути.
sentence-lost = Заказ { order }: обещано { $owed }, пришло { $got }. Больше не придёт: нигде не осталось того, кто об этом помнит.
sentence-doubled = Заказ { order }: обещано { $owed }, пришло { $got }.
sentence-phantom = Заказа { order } в базе нет, а пришло { $got }.
sentence-out-of-order = Заказ { order }: пришло { $got }, но не в том порядке.
sentence-stuck = Заказ { order }: обещано { $owed }, пришло { $got }. Остальное ещё хранится, но само не сдвинется.
sentence-inconsistent = Заказ { order }: узлы разошлись в том, что с ним произошло.
sentence-undecided = Заказ { order }: за отведённое время система не успокоилась, судить рано.

forecast = Прогноз
forecast-hint = Чем всё кончится, если больше ничего не сломается.
forecast-changed = Прогноз изменился: { order } · { $verdict }

ledger = Итог
ledger-order = Заказ
ledger-owed-column = Обещано
ledger-got-column = Пришло
ledger-verdict-column = Вердикт
ledger-why = Почему
ledger-empty = Заказов пока нет.
ledger-orders = { $count ->
    [one] { NUMBER($count) } заказ
    [few] { NUMBER($count) } заказа
    [many] { NUMBER($count) } заказов
   *[other] { NUMBER($count) } заказа
}
