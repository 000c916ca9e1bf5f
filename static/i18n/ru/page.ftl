### Страница вокруг лаборатории. «Ты» и нажатия клавиш; ничего лишнего.

-product = Выдерни шнур
page-title = { -product }
page-tagline = Настоящая маленькая распределённая система, у каждого узла которой есть шнур питания.
page-skip = Сразу к лаборатории
page-nav = Главы
page-nav-dual-write = Двойная запись
page-nav-outbox = Outbox
page-nav-inbox = Inbox
page-nav-sagas = Саги
page-nav-sandbox = Песочница
page-theme = Тема
page-theme-light = светлая
page-theme-dark = тёмная
page-theme-auto = как в системе
page-language = Язык
page-loading = Загружаем лабораторию…
page-load-failed = Лаборатория не загрузилась. Обнови страницу; если не поможет, браузеру не хватает поддержки WebAssembly.
page-scene = Сцена
page-scene-title = Сцена: { $title }
page-settings = Настройки
page-close = Закрыть
page-share = Поделиться
page-share-hint = Ссылка ведёт на этот самый прогон: сцена, действия, шаг.
page-copy = Скопировать ссылку
page-copied = Ссылка скопирована
page-copy-failed = Скопировать не вышло. Вот ссылка, скопируй её отсюда:
page-error-title = Здесь ошибка
page-error-at = Строка { NUMBER($line, useGrouping: 0) }, столбец { NUMBER($column, useGrouping: 0) }
page-error-count = { $count ->
    [one] { NUMBER($count) } ошибка
    [few] { NUMBER($count) } ошибки
    [many] { NUMBER($count) } ошибок
   *[other] { NUMBER($count) } ошибки
}
page-fell-back = Поэтому взято обычное значение: { $value }.
page-show-all = Показать всё
page-stage = Схема системы
page-sockets = розетки
page-code = Код
page-log = Журнал
page-log-empty = Пока ничего не произошло. Нажми «Пуск» или сделай шаг.
page-show-code = Показать код
page-hide-code = Скрыть код
page-simplified = Что упрощено
