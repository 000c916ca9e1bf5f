# Что редактор сцены говорит о тексте, который не может прочесть. $found — текст в отмеченном месте.
script-unexpected = «{ $found }» здесь не подходит. Проверь скобки и запятые прямо перед этим местом.
script-unexpected-end = Файл обрывается посреди инструкции, после «{ $found }». Допиши её.
script-unclosed = Эту «{ $found }» ничто не закрывает. Поставь закрывающую скобку там, где кончается содержимое.
script-expression-expected = Здесь должно стоять значение, а не «{ $found }»: имя, число, строка или вызов.
script-name-expected = Здесь должно стоять имя, а не «{ $found }».
script-block-expected = Здесь должна открываться фигурная скобка, а стоит «{ $found }». Функция, try, catch и finally без скобок не бывают.
script-empty-body = «{ $found }» сразу после скобок — это пустое тело. Убери её или напиши тело в фигурных скобках.
script-declaration-needs-block = «{ $found }» не может быть единственной инструкцией в if, else или цикле. Возьми её в фигурные скобки.
script-missing-semicolon = Две инструкции на одной строке. Поставь «;» или перенос перед «{ $found }».
script-line-continues = JavaScript приклеит эту «{ $found }» к строке выше. Закончи ту строку на «;» или перенеси это в её конец.
script-missing-comma = Поставь запятую перед «{ $found }» или знак операции, если это одно выражение.
script-unknown-character = Символ «{ $found }» в JavaScript здесь ничего не значит. Убери его или возьми в кавычки.
script-unclosed-text = У строки «{ $found }» нет закрывающей кавычки. Добавь её, а текст в несколько строк возьми в обратные кавычки.
script-unclosed-template = Шаблон, который начинается с этой «{ $found }», не закрыт. Поставь обратную кавычку в его конце.
script-unclosed-comment = Комментарий «{ $found }» не закрыт. Поставь */ в его конце.
script-bad-escape = «{ $found }» не обозначает никакого символа. Если нужна сама обратная черта, напиши две.
script-sql-backslash = В шаблоне sql нельзя писать «{ $found }»: текст уходит в PostgreSQL ровно таким, как написан. Передай значение параметром.
script-tagged-template = Перед шаблоном может стоять только sql, а не «{ $found }». Передай строку функции обычным вызовом.
script-regex = Регулярных выражений вроде «{ $found }» в сценах нет. Сравнивай через ===.
script-fraction = Числа здесь целые, а «{ $found }» записано не так. Возьми единицу помельче: миллисекунды, копейки.
script-number-too-large = «{ $found }» больше, чем JavaScript считает точно. Наибольшее число — 9007199254740991; длиннее храни строкой.
script-number-form = Запиши «{ $found }» обычным десятичным числом: 500 или 1_000.
script-reserved-word = Слово «{ $found }» JavaScript держит для себя. Выбери другое имя.
script-duplicate-key = Ключ «{ $found }» в этом объекте уже есть. Оставь один из двух.
script-duplicate-name = Имя «{ $found }» в этом списке уже занято. Переименуй одно из двух.
script-numeric-key = «{ $found }» не может быть ключом: ключи, похожие на числа, JavaScript переставляет вперёд. Начни ключ с буквы.
script-computed-key = Ключ нельзя вычислить через «{ $found }». Напиши сам ключ.
script-proto = «{ $found }» меняет то, что объект наследует. Выбери другой ключ.
script-getter = В объектах здесь только данные, а «{ $found }» начинает геттер или сеттер. Напиши ключ и значение.
script-method = Запиши «{ $found }» как ключ со стрелочной функцией: name: async (x) => …
script-spread = «{ $found }» здесь нет. Перечисли поля, элементы или аргументы по одному.
script-default-value = Значений по умолчанию нет: убери «{ $found }» и напиши ?? там, где значение понадобится.
script-array-hole = Перед «{ $found }» пропущено значение. Если там ничего нет, напиши null.
script-var = Напиши let или const вместо «{ $found }».
script-missing-value = Для «{ $found }» нужно значение: допиши = и само значение.
script-several-declarations = Объявляй по одному: вместо «{ $found }» поставь «;» и начни следующее с const или let.
script-loose-equal = «{ $found }» сначала преобразует, потом сравнивает. Напиши === или !==.
script-increment = Вместо «{ $found }» напиши отдельной инструкцией += 1 или -= 1.
script-division = Деления «{ $found }» нет: оно выводит из целых чисел. Умножь, возьми % или единицу помельче.
script-power = Степеней «{ $found }» нет. Умножай через *.
script-bit-operator = Битовых операций вроде «{ $found }» нет. Для условий пиши &&, || или !.
script-unary-plus = «{ $found }» перед значением превращает его в число. Убери: значения здесь не меняют тип.
script-optional-chain = Вместо «{ $found }» сначала проверь: if (x !== null).
script-chained-comparison = «{ $found }» сравнит здесь true или false. Соедини два сравнения через &&.
script-mixed-coalesce = Возьми «{ $found }» в скобки: без них JavaScript не смешивает ?? с && и ||.
script-comma = Здесь может стоять одно значение, а «{ $found }» начинает второе. Раздели на две инструкции или убери лишнее.
script-assignment-inside = «{ $found }» внутри выражения. Чтобы сравнить, напиши ===; чтобы присвоить, вынеси в отдельную инструкцию.
script-assignment-target = В «{ $found }» ничего нельзя присвоить. Слева может стоять имя, поле или элемент.
script-compound-assignment = Из присваиваний есть только =, += и -=. Распиши «{ $found }» полностью: x = x * 2.
script-useless-expression = Само по себе «{ $found }» ничего не делает. Вызови функцию или сохрани значение через const.
script-typeof = «{ $found }» здесь нет: тип значения ясен по тому, откуда оно пришло. Сравни с null или undefined через ===.
script-delete = «{ $found }» здесь нет. Собери новый объект без этого поля или запиши в поле null.
script-void = «{ $found }» здесь нет. Напиши undefined.
script-in = Операции «{ $found }» нет. Сравни поле с undefined через ===.
script-instanceof = «{ $found }» здесь нет. Ошибки различай по error.code.
script-new = Есть только new Error(…), без «{ $found }». Время даёт now(), идентификаторы — uuid().
script-this = «{ $found }» здесь нет. Обходись параметрами функции и переменными.
script-class = «{ $found }» здесь нет. Для сцены хватает функций и простых объектов.
script-function-expression = Внутри выражения вместо «{ $found }» напиши стрелочную функцию: (x) => …
script-generator = Генераторов «{ $found }» нет. Напиши обычную функцию, которая возвращает массив.
script-for-classic = Вместо «{ $found }» напиши for (const x of xs) или while со счётчиком.
script-for-in = Вместо «{ $found }» напиши for (const x of xs) по массиву.
script-for-await = В заголовке цикла «{ $found }» не бывает. Напиши for (const x of xs), а await — внутри.
script-for-declaration = Поставь const перед «{ $found }»: for (const x of xs).
script-do-while = Вместо «{ $found }» напиши while (true) и выйди через break.
script-switch = Вместо «{ $found }» напиши if и else if.
script-label = Меток вроде «{ $found }» нет. Вынеси внутренний цикл в функцию и выйди из неё через return.
script-statement = «{ $found }» здесь нет. Убери.
script-try-alone = После блока «{ $found }» нужен catch или finally.
script-throw-nothing = Напиши ошибку на той же строке, что и «{ $found }»: throw new Error("…").
script-outside-loop = «{ $found }» работает только в цикле той же функции. Чтобы выйти из функции, напиши return.
script-return-outside = «{ $found }» работает только внутри функции.
script-await-outside = «{ $found }» работает только в async-функции. Напиши async перед этой функцией.
script-await-not-call = «{ $found }» — не вызов. Ставь await прямо перед вызовом, а нескольких жди через await Promise.all([…]).
script-then = Вместо «{ $found }» напиши await перед вызовом, а ошибки лови через try.
script-require = Вместо «{ $found }» начни файл с import: имена в фигурных скобках, from "pull-the-plug".
script-dynamic-import = «{ $found }» работает только в начале строки вверху файла, с именами в фигурных скобках.
script-import-default = Вместо «{ $found }» перечисли в фигурных скобках, что импортируешь.
script-import-all = Вместо «{ $found }» перечисли в фигурных скобках, что импортируешь.
script-import-rename = Импортируй «{ $found }» под его собственным именем, без as.
script-export-named = Сцена отдаёт наружу одно. Убери «{ $found }» или напиши export default scene(…).
script-export-declaration = Отдай наружу сцену, export default scene(…), а «{ $found }» объяви отдельно.
script-export-twice = Второе «{ $found }» default. В файле одна сцена, оставь одну из двух.
script-top-level-let = Вне функций ничего не меняется: такая переменная не пережила бы падения. Напиши const вместо «{ $found }» или перенеси внутрь функции.
script-top-level-pattern = Вне функций объявляй одно имя, а не «{ $found }».
script-top-level-statement = «{ $found }» стоит вне функции. Снаружи бывают только import, const, функции и export default; перенеси внутрь функции.
script-top-level-only = «{ $found }» работает только на верхнем уровне файла. Вынеси из функции.
script-types = «{ $found }» — это TypeScript, а сцена пишется на обычном JavaScript. Убери или запиши тип в комментарии JSDoc.
script-bad-moment = У момента одно имя из букв, цифр и дефисов, например // moment: order-paid; а написано «{ $found }».
script-too-deep = Слишком много вложено в одном месте, у «{ $found }». Вынеси часть в функцию или константу.
script-too-large = В тексте { $found } байт, а в сцене может быть 262144. Сократи его.
