# What the scene editor says about a text it cannot read. $found is the text at the marked place.
script-unexpected = “{ $found }” does not fit here. Check the brackets and commas just before it.
script-unexpected-end = The file ends in the middle of a statement, after “{ $found }”. Finish the statement.
script-unclosed = Nothing closes this “{ $found }”. Add the closing bracket where its content ends.
script-expression-expected = A value should stand here, not “{ $found }”: a name, a number, a string, a call.
script-name-expected = A name should stand here, not “{ $found }”.
script-block-expected = Curly braces should open here; found “{ $found }”. A function, try, catch and finally always need them.
script-empty-body = “{ $found }” right after the parentheses makes an empty body. Remove it, or write the body in curly braces.
script-declaration-needs-block = “{ $found }” cannot be the only statement of if, else or a loop. Put it in curly braces.
script-missing-semicolon = Two statements share a line. Put “;” or a line break before “{ $found }”.
script-line-continues = JavaScript would join this “{ $found }” to the line above. End that line with “;”, or move this to its end.
script-missing-comma = Put a comma before “{ $found }”, or an operator, if the two belong together.
script-unknown-character = JavaScript has no use for “{ $found }” here. Remove it, or put it in a string.
script-unclosed-text = The string “{ $found }” has no closing quote on its line. Add the quote; for several lines use backticks.
script-unclosed-template = Nothing closes the template that begins with this “{ $found }”. Add a backtick where it ends.
script-unclosed-comment = Nothing closes the comment “{ $found }”. Add */ where it ends.
script-bad-escape = “{ $found }” means no character. For a backslash itself write two.
script-sql-backslash = No “{ $found }” in a sql template, so that its text reaches PostgreSQL exactly as written. Pass the value as a parameter.
script-tagged-template = Only sql may stand before a template, not “{ $found }”. Call a function with the string instead.
script-regex = Scenes have no regular expressions such as “{ $found }”. Compare with === instead.
script-fraction = Numbers here are whole, and “{ $found }” is not written as one. Take a smaller unit: milliseconds, cents.
script-number-too-large = “{ $found }” is more than JavaScript counts exactly. The largest number is 9007199254740991; keep longer ones as strings.
script-number-form = Write “{ $found }” as a plain decimal number: 500, or 1_000.
script-reserved-word = JavaScript keeps the word “{ $found }” for itself. Choose another name.
script-duplicate-key = The key “{ $found }” is already in this object. Keep one of the two.
script-duplicate-name = The name “{ $found }” is already taken in this list. Rename one of the two.
script-numeric-key = “{ $found }” cannot be a key: JavaScript moves number-like keys to the front. Begin the key with a letter.
script-computed-key = A key cannot be computed with “{ $found }”. Write the key itself.
script-proto = “{ $found }” would change what the object inherits. Choose another key.
script-getter = Objects here only hold data, and “{ $found }” begins a getter or a setter. Write a key and its value.
script-method = Write “{ $found }” as a key with an arrow function: name: async (x) => …
script-spread = “{ $found }” is not available. Write out each field, element or argument.
script-default-value = No default values: remove “{ $found }” and use ?? where the value is needed.
script-array-hole = A value is missing before “{ $found }”. Write null if you mean nothing.
script-var = Write let or const instead of “{ $found }”.
script-missing-value = “{ $found }” needs a value: add = and the value.
script-several-declarations = One declaration at a time: end this one with “;” instead of “{ $found }” and begin the next with const or let.
script-loose-equal = “{ $found }” converts before it compares. Write === or !==.
script-increment = Write += 1 or -= 1 as a statement instead of “{ $found }”.
script-division = No division “{ $found }”: it leaves whole numbers. Multiply, use % or choose a smaller unit.
script-power = No powers “{ $found }”. Multiply with *.
script-bit-operator = No bit operators such as “{ $found }”. For conditions write &&, || or !.
script-unary-plus = “{ $found }” before a value converts it to a number. Remove it; values here keep their type.
script-optional-chain = Instead of “{ $found }” check first: if (x !== null).
script-chained-comparison = “{ $found }” would compare true or false here. Join two comparisons with &&.
script-mixed-coalesce = Put parentheses around “{ $found }”: JavaScript does not mix ?? with && and || without them.
script-comma = Only one value can stand here, but “{ $found }” begins another. Make two statements, or remove one.
script-assignment-inside = “{ $found }” inside an expression. To compare write ===; to assign, make it a statement of its own.
script-assignment-target = Nothing can be assigned to “{ $found }”. On the left goes a name, a field or an element.
script-compound-assignment = Of these only =, += and -= are available. Write “{ $found }” out: x = x * 2.
script-useless-expression = “{ $found }” alone does nothing. Call something, or store the value with const.
script-typeof = No “{ $found }”: the type of a value is known from where it came from. Compare with null or undefined by ===.
script-delete = No “{ $found }”. Build a new object without the field, or set the field to null.
script-void = No “{ $found }”. Write undefined.
script-in = No “{ $found }” operator. Compare the field with undefined by ===.
script-instanceof = No “{ $found }”. To tell errors apart, look at error.code.
script-new = Only new Error(…) is available, not “{ $found }”. Time comes from now(), identifiers from uuid().
script-this = No “{ $found }”. Use the function’s parameters and variables.
script-class = No “{ $found }”. Functions and plain objects are enough for a scene.
script-function-expression = Inside an expression write an arrow, (x) => …, instead of “{ $found }”.
script-generator = No generators “{ $found }”. Write a plain function that returns an array.
script-for-classic = Instead of “{ $found }” write for (const x of xs), or while with a counter.
script-for-in = Instead of “{ $found }” write for (const x of xs) over an array.
script-for-await = No “{ $found }” in the head of a loop. Write for (const x of xs) and await inside it.
script-for-declaration = Write const before “{ $found }”: for (const x of xs).
script-do-while = Instead of “{ $found }” write while (true) and leave it with break.
script-switch = Instead of “{ $found }” write if and else if.
script-label = No labels such as “{ $found }”. Move the inner loop to a function and leave it with return.
script-statement = “{ $found }” is not available. Remove it.
script-try-alone = “{ $found }” needs a catch or a finally after its block.
script-throw-nothing = Put the error on the same line as “{ $found }”: throw new Error("…").
script-outside-loop = “{ $found }” works only in a loop of the same function. To leave a function, write return.
script-return-outside = “{ $found }” works only inside a function.
script-await-outside = “{ $found }” works only in an async function. Write async before this function.
script-await-not-call = “{ $found }” is not a call. Put await right before the call, or wait for several with await Promise.all([…]).
script-then = Instead of “{ $found }” write await before the call, and catch errors with try.
script-require = Instead of “{ $found }” begin the file with import and the names in curly braces, from "pull-the-plug".
script-dynamic-import = “{ $found }” works only at the start of a line at the top of the file, with the names in curly braces.
script-import-default = Instead of “{ $found }” name what you import in curly braces.
script-import-all = Instead of “{ $found }” name what you import in curly braces.
script-import-rename = Import “{ $found }” under its own name, without as.
script-export-named = A scene exports one thing. Remove “{ $found }”, or write export default scene(…).
script-export-declaration = Export the scene, export default scene(…), and declare “{ $found }” separately.
script-export-twice = A second “{ $found }” default. A file holds one scene; keep one of the two.
script-top-level-let = Outside functions nothing may change: a crash must not leave it behind. Write const instead of “{ $found }”, or move it into a function.
script-top-level-pattern = Outside functions give one name, not “{ $found }”.
script-top-level-statement = “{ $found }” outside a function. At the top level only import, const, functions and export default stand; move it into a function.
script-top-level-only = “{ $found }” works only at the top level of the file. Move it out of the function.
script-types = “{ $found }” is TypeScript, and a scene is plain JavaScript. Remove it, or write the type in a JSDoc comment.
script-bad-moment = A moment has one name of letters, digits and hyphens, as in // moment: order-paid; found “{ $found }”.
script-too-deep = Too much is nested in one place, at “{ $found }”. Move a part of it to a function or a constant.
script-too-large = The text has { $found } bytes, and a scene may have 262144. Shorten it.
