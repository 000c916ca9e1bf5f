# What the scene editor says about names and calls in a text that it can read. $found is the name.
script-unknown-name = Nothing here is called “{ $found }”. Declare it above, or take it from the program's parameter.
script-declared-twice = “{ $found }” is declared twice here. Give one of the two another name.
script-assign-constant = “{ $found }” is a constant. Declare it with let if it has to change.
script-constant-not-literal = A constant outside functions is a number, a string, true, false or null{ $found }. Compute anything else inside a function.
script-compound-index = Write the assignment to an element in full{ $found }: list[i] = list[i] + x.
script-bad-target = Only a variable, a field or an element can be assigned to{ $found }.
script-promise-method = Of Promise only Promise.all([…]) can be used here, not “{ $found }”.
script-used-before = “{ $found }” is declared further down. Move its declaration above this line.
script-taken-name = “{ $found }” already means something in every program. Choose another name.
script-unknown-method = Nothing here has a method “{ $found }”. A part has its own, such as db.query(…) or broker.publish(…); an array has map and push.
script-method-near = There is no method “{ $found }”. You probably mean “{ $expected }”.
script-promise-kept = Put await before this call{ $found }. A call's promise is awaited at once, dropped, or collected in await Promise.all([…]).
script-promise-returned = Write return await …{ $found }, or => await … without braces: an async function returns a value, not a promise.
script-inherited = “{ $found }” cannot be used: objects here have only the fields that they were given.
