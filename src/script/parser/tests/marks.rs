//! Wrong tokens, brackets and line ends, and what is said about them.

use expect_test::expect;

use super::refusals::check;

#[test]
fn numbers() {
    check(
        r"const a = 1.5;
const b = 1e3;
const c = .5;
const d = 9007199254740992;
const e = 0x1f;
const f = 012;
const g = 1__0;
const h = 10n;
const i = 9007199254740991;",
        expect![[r#"
            1:11 fraction 1.5
            2:11 fraction 1e3
            3:11 fraction .5
            4:11 number-too-large 9007199254740992
            5:11 number-form 0x1f
            6:11 number-form 012
            7:11 number-form 1__0
            8:11 number-form 10n
        "#]],
    );
}

#[test]
fn strings_and_templates() {
    check(
        r#"const a = 'abc
const b = "\q \u{110000} \ud800 \ud83d\ude00 \x41";
const c = sql`a\nb`;
const d = html`x`;
const e = /it's/g;"#,
        expect![[r#"
            1:11 unclosed-text 'abc
            2:12 bad-escape \q
            2:15 bad-escape \u
            2:26 bad-escape \u
            3:16 sql-backslash \
            4:11 tagged-template html
            5:11 regex /it's/g
        "#]],
    );
}

#[test]
fn an_open_template_takes_the_rest() {
    check(
        r"const a = 1 == 2;
const b = `x ${y} z;
const c = 2;",
        expect![[r#"
            1:13 loose-equal ==
            2:11 unclosed-template `
        "#]],
    );
}

#[test]
fn an_open_comment_takes_the_rest() {
    check(
        r"const a = 1; /* and so
const b = 2;",
        expect![[r#"
            1:14 unclosed-comment /* and so…
        "#]],
    );
}

#[test]
fn an_open_bracket_is_shown_where_it_opens() {
    check(
        r"export default scene({
  parts: { a: [1, 2 },
});",
        expect![[r#"
            2:15 unclosed [
        "#]],
    );
}

#[test]
fn the_end_of_the_text() {
    check(
        r"async function f() {
  g(",
        expect![[r#"
            2:4 unclosed (
        "#]],
    );
}

#[test]
fn the_end_of_the_text_after_an_operator() {
    check(
        r"const a = 1 +",
        expect![[r#"
            1:13 unexpected-end +
        "#]],
    );
}

#[test]
fn lines_that_javascript_would_join() {
    check(
        r"function f() {
  const a = g()
  (b).c()
  const d = a
  [1].map(g)
  g()
  `x`.trim()
  g() g();
}
async
function h() {}",
        expect![[r#"
            3:3 line-continues (
            5:3 line-continues [
            7:3 line-continues `
            8:7 missing-semicolon g
            10:1 useless-expression async
        "#]],
    );
}

#[test]
fn line_ends_that_javascript_takes_as_ends() {
    check(
        r"function f() {
  const a = 1
  g()
  a = 2
  while (a) { g() }
  return
}",
        expect![[""]],
    );
}

#[test]
fn moments() {
    check(
        r"// moment: order-paid
// moment:
// moment: two words
/* moment: none */",
        expect![[r#"
            2:1 bad-moment // moment:
            3:1 bad-moment // moment: two words
        "#]],
    );
}

#[test]
fn unknown_characters() {
    check(
        r"const a = 1 § 2;
const b = №;",
        expect![[r#"
            1:13 unknown-character §
            2:11 unknown-character №
        "#]],
    );
}
