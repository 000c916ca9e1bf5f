# Что редактор сцен говорит об именах и вызовах в тексте, который он смог прочитать. $found — имя.
script-unknown-name = Здесь нет ничего с именем «{ $found }». Объяви его выше или возьми из параметра программы.
script-declared-twice = Имя «{ $found }» объявлено здесь дважды. Назови одно из двух иначе.
script-assign-constant = «{ $found }» — константа. Если значение меняется, объяви её через let.
script-constant-not-literal = Константа вне функций — это число, строка, true, false или null{ $found }. Всё остальное вычисляй внутри функции.
script-compound-index = Присваивание элементу запиши полностью{ $found }: list[i] = list[i] + x.
script-bad-target = Присвоить можно только переменной, полю или элементу{ $found }.
script-promise-method = Из Promise здесь доступен только Promise.all([…]), но не «{ $found }».
script-used-before = Имя «{ $found }» объявлено ниже. Перенеси объявление выше этой строки.
script-taken-name = Имя «{ $found }» уже что-то значит в каждой программе. Выбери другое.
script-unknown-method = Метода «{ $found }» здесь ни у чего нет. У частей свои методы, например db.query(…) и broker.publish(…), у массива — map и push.
script-method-near = Метода «{ $found }» нет. Возможно, нужен «{ $expected }».
script-promise-kept = Поставь await перед этим вызовом{ $found }. Промис вызова сразу ждут, бросают или собирают в await Promise.all([…]).
script-promise-returned = Напиши return await …{ $found } или => await … без скобок: async-функция возвращает значение, а не промис.
script-inherited = «{ $found }» здесь недоступно: у объектов есть только те поля, которые им дали.
