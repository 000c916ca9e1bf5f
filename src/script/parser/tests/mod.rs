//! What is read, what is refused, and that reading always ends.

#[cfg(not(target_arch = "wasm32"))]
mod chaos;
mod marks;
mod refusals;

use super::{MAX_BYTES, parse};
use crate::script::ast::{BinaryOp, Expr, ExprKind, StmtKind};
use crate::script::problem::Problem;

const EXAMPLE: &str = include_str!("example.scene.js");

/// The errors of a text, one a line.
fn errors(text: &str) -> String {
    let parsed = parse(text);
    let lines = parsed.errors.iter().map(|error| {
        let place = parsed.lines.place(text, error.span.start);
        let problem = error.problem.id().trim_start_matches("script-");
        format!("{}:{} {problem} {}\n", place.line, place.column, error.found)
    });
    lines.collect()
}

/// The problems of a text.
fn problems(text: &str) -> Vec<Problem> {
    parse(text).errors.iter().map(|error| error.problem).collect()
}

/// The value of `const x = …`.
fn value(text: &str) -> Expr {
    let parsed = parse(&format!("const x = {text};"));
    assert_eq!(parsed.errors, []);
    parsed.module.constants.into_iter().next().expect("a constant").1
}

#[test]
fn the_example_is_read_without_errors() {
    assert_eq!(errors(EXAMPLE), "");
    let module = parse(EXAMPLE).module;
    assert_eq!(module.imports[0].names.len(), 8);
    assert_eq!(module.functions.len(), 3);
    assert_eq!(module.moments.len(), 1);
    assert!(module.default.is_some());
}

#[test]
fn operators_nest_as_in_javascript() {
    let ExprKind::Binary(BinaryOp::Sub, left, _) = value("a - b * c - d").kind else { panic!() };
    assert!(matches!(left.kind, ExprKind::Binary(BinaryOp::Sub, ..)));
    let ExprKind::Conditional(.., no) = value("a ? b : c ? d : e").kind else { panic!() };
    assert!(matches!(no.kind, ExprKind::Conditional(..)));
    assert!(matches!(value("!a.b(c)").kind, ExprKind::Unary(..)));
    assert!(matches!(value("a || b && c").kind, ExprKind::Logical(..)));
    assert_eq!(value("-5").kind, ExprKind::Int(-5));
    assert!(matches!(value("-(5)").kind, ExprKind::Unary(..)));
    assert_eq!(value("'\\u{41}\\ud83d\\ude00\\x42\\\n'").kind, ExprKind::Text("A😀B".into()));
    assert_eq!(value("1_000").kind, ExprKind::Int(1000));
}

#[test]
fn pieces_of_sql_know_their_places() {
    let text = "const x = sql`SELECT ж, ${a} FROM ${b}`;";
    let parsed = parse(text);
    let ExprKind::Sql(pieces, holes) = &parsed.module.constants[0].1.kind else { panic!() };
    assert_eq!((pieces.len(), holes.len()), (3, 2));
    for piece in pieces {
        assert!(text[piece.offset as usize..].starts_with(&*piece.text));
    }
    assert_eq!(&*pieces[1].text, " FROM ");
}

#[test]
fn a_concise_arrow_returns_its_value() {
    let ExprKind::Arrow(arrow) = value("async x => ({ x })").kind else { panic!() };
    assert!(arrow.concise && arrow.is_async);
    assert!(matches!(arrow.body[0].kind, StmtKind::Return(Some(_))));
}

#[test]
fn else_if_and_single_statements_are_blocks() {
    let parsed = parse("function f() { if (a) g(); else if (b) { h(); } else { } }");
    assert_eq!(parsed.errors, []);
    let StmtKind::If { then, otherwise, .. } = &parsed.module.functions[0].body[0].kind else {
        panic!()
    };
    assert_eq!(then.len(), 1);
    let inner = otherwise.as_ref().map(|body| &body[0].kind);
    assert!(matches!(inner, Some(StmtKind::If { otherwise: Some(_), .. })));
}

#[test]
fn depth_and_size_are_limited() {
    let deep = |count: usize| format!("const x = {}1{};", "[".repeat(count), "]".repeat(count));
    assert_eq!(problems(&deep(40)), []);
    assert!(problems(&deep(10_000)).contains(&Problem::TooDeep));
    for (unit, count) in [("a.", 9_000), ("1 + ", 9_000), ("!", 9_000), ("- ", 9_000)] {
        let text = format!("const x = {}a;", unit.repeat(count));
        assert!(problems(&text).contains(&Problem::TooDeep), "{unit}");
    }
    for unit in ["{", "if (a) ", "() => ", "`${", "a ? ", "await ", "f(", "a ? b : ", "{ a: "] {
        let text = format!("function f() {{ x = {}", unit.repeat(2_000));
        assert!(!problems(&text).is_empty(), "{unit}");
        let text = format!("function f() {{ {}", unit.repeat(2_000));
        assert!(!problems(&text).is_empty(), "{unit}");
    }
    assert_eq!(problems(&" ".repeat(MAX_BYTES)), []);
    assert_eq!(problems(&" ".repeat(MAX_BYTES + 1)), [Problem::TooLarge]);
}
