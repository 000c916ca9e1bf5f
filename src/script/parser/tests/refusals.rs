//! Wrong scenes and what is said about them: line, column, problem, what was found.

use expect_test::{Expect, expect};

use super::errors;

#[expect(clippy::needless_pass_by_value, reason = "`expect!` makes values")]
pub(super) fn check(text: &str, expected: Expect) {
    expected.assert_eq(&errors(text));
}

#[test]
fn loose_operators_are_refused_by_name() {
    check(
        r"function f() {
  if (a == b || a != c) g();
  i++;
  --i;
  i *= 2;
  g(a / 2, 2 ** 3, a & b, ~a, +a, a >> 1);
}",
        expect![[r#"
            2:9 loose-equal ==
            2:19 loose-equal !=
            3:4 increment ++
            4:3 increment --
            5:5 compound-assignment *=
            6:7 division /
            6:14 power **
            6:22 bit-operator &
            6:27 bit-operator ~
            6:31 unary-plus +
            6:37 bit-operator >>
        "#]],
    );
}

#[test]
fn var_and_missing_values() {
    check(
        r"function f() {
  var x = 1;
  const y;
  let { z };
  let w;
  const a = 1, b = 2;
}",
        expect![[r#"
            2:3 var var
            3:9 missing-value y
            4:7 missing-value { z }
            6:14 several-declarations ,
        "#]],
    );
}

#[test]
fn spread_rest_and_defaults() {
    check(
        r"function f(a = 1, ...rest) {
  g(...rest);
  const b = [...rest, 1];
  const c = { ...a.b, d: 1 };
  const { d = 2, ...e } = c;
}",
        expect![[r#"
            1:14 default-value =
            1:19 spread ...
            2:5 spread ...
            3:14 spread ...
            4:15 spread ...
            5:13 default-value =
            5:18 spread ...
        "#]],
    );
}

#[test]
fn classes_this_and_new() {
    check(
        r"class A extends B { x() {} }
function f() {
  this.x = 1;
  return new Date(2);
}",
        expect![[r#"
            1:1 class class
            3:3 this this
            4:14 new Date
        "#]],
    );
}

#[test]
fn generators_and_function_expressions() {
    check(
        r"function* f() { yield 1; }
function g() {
  const h = function () {};
  const i = async function () {};
}",
        expect![[r#"
            1:9 generator *
            3:13 function-expression function
            4:13 function-expression async
        "#]],
    );
}

#[test]
fn other_loops_still_have_their_bodies_read() {
    check(
        r"function f() {
  for (let i = 0; i < 9; i++) { i == 1; }
  for (const k in o) g(k == 1);
  for (x of xs) g();
  for await (const x of xs) g();
  do { g(); } while (true);
}",
        expect![[r#"
            2:7 for-classic (let i = 0; i < 9; i++)
            2:35 loose-equal ==
            3:7 for-in (const k in o)
            3:26 loose-equal ==
            4:8 for-declaration x
            5:7 for-await await
            6:3 do-while do
        "#]],
    );
}

#[test]
fn switch_labels_and_jumps() {
    check(
        r"function f() {
  switch (a) { case 1: break; }
  outer: while (true) { g(); }
  while (true) { break outer; }
  break;
  xs.map(() => { continue; });
}
return;",
        expect![[r#"
            2:3 switch switch
            3:3 label outer
            4:24 label outer
            5:3 outside-loop break
            6:18 outside-loop continue
            8:1 return-outside return
        "#]],
    );
}

#[test]
fn words_as_operators() {
    check(
        r#"function f() {
  if (typeof a === "x") delete a.b;
  if ("a" in b || b instanceof C) g(void 0);
}"#,
        expect![[r#"
            2:7 typeof typeof
            2:25 delete delete
            3:11 in in
            3:21 instanceof instanceof
            3:37 void void
        "#]],
    );
}

#[test]
fn modules() {
    check(
        r#"import x from "a";
import * as y from "a";
import { a as b } from "a";
import "a";
const fs = require("fs");
export const z = 1;
export default function f() {}
export default 1;
export default 2;"#,
        expect![[r#"
            1:8 import-default x
            2:8 import-all *
            3:10 import-rename a
            4:8 import-default "a"
            5:12 require require
            6:1 export-named export
            7:16 export-declaration function
            9:1 export-twice export
        "#]],
    );
}

#[test]
fn the_top_level_holds_declarations_only() {
    check(
        r"let counter = 0;
const { a } = b;
g();
if (a) { g(); }
}
await g();",
        expect![[r#"
            1:1 top-level-let let
            2:7 top-level-pattern { a }
            3:1 top-level-statement g
            4:1 top-level-statement if
            5:1 unexpected }
            6:1 top-level-statement await
        "#]],
    );
}

#[test]
fn typescript() {
    check(
        r"interface A { x: number }
type B = string;
function f(a: string, b?: Map<string, number>): Promise<void> {
  const c: number = a as any;
}",
        expect![[r#"
            1:1 types interface
            2:1 types type
            3:13 types :
            3:24 types ?
            3:47 types :
            4:10 types :
            4:23 types as
        "#]],
    );
}

#[test]
fn await_and_promises() {
    check(
        r"async function f() {
  await p;
  await 5;
  const r = await (await g()).rows;
  g().then((x) => x);
  xs.map((x) => await g(x));
}
function h() { await g(); }",
        expect![[r#"
            2:9 await-not-call p
            3:9 await-not-call 5
            4:19 await-not-call (await g()).rows
            5:7 then then
            6:17 await-outside await
            8:16 await-outside await
        "#]],
    );
}

#[test]
fn assignment_is_a_statement() {
    check(
        r"function f() {
  if (a = b) g();
  a = b = c;
  f() = 1;
  [a, b] = [b, a];
  a + b;
  a, b;
}",
        expect![[r#"
            2:9 assignment-inside =
            3:9 assignment-inside =
            4:3 assignment-target f()
            5:3 assignment-target [a, b]
            6:3 useless-expression a + b
            7:4 comma ,
        "#]],
    );
}

#[test]
fn comparisons_and_coalescing_do_not_mix() {
    check(
        r"const a = 1 < 2 < 3;
const b = (1 < 2) === (2 < 3);
const c = x ?? y || z;
const d = x && y ?? z;
const e = (x || y) ?? z;",
        expect![[r#"
            1:17 chained-comparison <
            3:16 mixed-coalesce y || z
            4:11 mixed-coalesce x && y
        "#]],
    );
}

#[test]
fn keys_and_names() {
    check(
        r#"const a = { b: 1, b: 2 };
const c = { [x]: 1, 1: 2, "2": 3, __proto__: 4 };
const d = { get x() { return 1; } };
const e = { f() {} };
const g = [1, , 2];
const class = 1;
function h(i, { i }) {}"#,
        expect![[r#"
            1:19 duplicate-key b
            2:13 computed-key [
            2:21 numeric-key 1
            2:27 numeric-key "2"
            2:35 proto __proto__
            3:13 getter get
            4:13 method f
            5:15 array-hole ,
            6:7 reserved-word class
            7:17 duplicate-name i
        "#]],
    );
}

#[test]
fn bodies() {
    check(
        r#"function f() {
  if (a);
  if (a) const b = 1;
  while (a) function g() {}
  try { g(); }
  throw
  new Error("x");
  try { g(); } catch (e) h();
}"#,
        expect![[r#"
            2:9 empty-body ;
            3:10 declaration-needs-block const
            4:13 declaration-needs-block function
            5:3 try-alone try
            6:3 throw-nothing throw
            7:3 useless-expression new Error("x")
            8:26 block-expected h
        "#]],
    );
}

#[test]
fn several_errors_each_in_its_own_statement() {
    check(
        r"export default scene({
  a: 1
  b: 2,
});
function f() {
  if (x) {
    g(;
    h(1 2);
  }
  const = 3;
  g(async () => {
    y.;
    z();
  });
  var q = 1;
}",
        expect![[r#"
            3:3 missing-comma b
            7:7 expression-expected ;
            8:9 missing-comma 2
            10:9 name-expected =
            12:7 name-expected ;
            15:3 var var
        "#]],
    );
}

#[test]
fn optional_chaining() {
    check(
        r"const a = b?.c?.[0]?.(d);",
        expect![[r#"
            1:12 optional-chain ?.
            1:15 optional-chain ?.
            1:20 optional-chain ?.
        "#]],
    );
}
