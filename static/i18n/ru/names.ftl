# Что редактор сцен говорит об именах и вызовах в тексте, который он смог прочитать. $found — имя.
script-unknown-name = Здесь нет ничего с именем «{ $found }». Объяви его выше или возьми из параметра программы: ({"{"} db, sleep {"}"}).
script-declared-twice = Имя «{ $found }» объявлено здесь дважды. Назови одно из двух иначе.
script-assign-constant = «{ $found }» — константа. Если значение меняется, объяви её через let.
script-constant-not-literal = Константа вне функций — это число, строка, true, false или null{ $found }. Всё остальное вычисляй внутри функции.
script-compound-index = Присваивание элементу запиши полностью{ $found }: list[i] = list[i] + x.
script-bad-target = Присвоить можно только переменной, полю или элементу{ $found }.
script-promise-method = Из Promise здесь доступен только Promise.all([…]), но не «{ $found }».
