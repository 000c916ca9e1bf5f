//! Printing a tree and parsing the text gives the tree again.

use std::sync::Arc;

use expect_test::expect;
use proptest::collection::vec;
use proptest::prelude::*;

use super::print;
use crate::script::ast::*;
use crate::script::parser::parse;
use crate::text::Span;

/// A module without its spans.
fn shape(module: &Module) -> String {
    let text = format!("{module:?}");
    let mut parts = text.split("Span {");
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| part.split_once('}').map_or("", |(_, rest)| rest));
    let text: String = std::iter::once(first.as_str()).chain(rest).collect();
    let mut parts = text.split("offset: ");
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit()));
    std::iter::once(first.as_str()).chain(rest).collect()
}

fn assert_round_trip(module: &Module) {
    let text = print(module);
    let parsed = parse(&text);
    assert_eq!(parsed.errors, [], "{text}");
    assert_eq!(shape(&parsed.module), shape(module), "{text}");
    if module.moments.is_empty() {
        assert_eq!(print(&parsed.module), text);
    }
}

fn expr(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::default() }
}

fn name(text: &str) -> Name {
    Name { text: text.into(), span: Span::default() }
}

fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, span: Span::default() }
}

fn any_name() -> impl Strategy<Value = Name> {
    prop::sample::select(vec!["a", "b", "row", "sql", "async", "of", "as", "$", "_x1", "имя"])
        .prop_map(name)
}

fn any_key() -> impl Strategy<Value = Name> {
    prop::sample::select(vec!["a", "class", "order.created", "", "01", "\"'", "get", "ключ"])
        .prop_map(name)
}

fn any_text() -> impl Strategy<Value = Arc<str>> {
    "[a-z$\\{\\}`'\"\\\\\n\r\t ж\u{2028}]{0,6}".prop_map(Arc::from)
}

fn any_sql() -> impl Strategy<Value = Piece> {
    "[a-z$'\" \n\\}]{0,8}".prop_map(|text| Piece { text: text.into(), offset: 0 })
}

fn any_pattern() -> impl Strategy<Value = Pattern> {
    let span = Span::default();
    prop_oneof![
        any_name().prop_map(Pattern::Name),
        any_name().prop_map(move |n| Pattern::Object(vec![(n.clone(), Pattern::Name(n))], span)),
        (any_key(), any_name()).prop_map(move |(key, n)| {
            let inner = Pattern::Array(vec![None, Some(Pattern::Name(n)), None], span);
            Pattern::Object(vec![(key, inner)], span)
        }),
        Just(Pattern::Array(vec![], span)),
        Just(Pattern::Object(vec![], span)),
    ]
}

fn any_leaf() -> impl Strategy<Value = Expr> {
    prop_oneof![
        Just(ExprKind::Null),
        Just(ExprKind::Undefined),
        any::<bool>().prop_map(ExprKind::Bool),
        (-9_007_199_254_740_991..=9_007_199_254_740_991_i64).prop_map(ExprKind::Int),
        (-3..4_i64).prop_map(ExprKind::Int),
        any_text().prop_map(ExprKind::Text),
        any_name().prop_map(|name| ExprKind::Ident(name.text)),
    ]
    .prop_map(expr)
}

fn any_binary() -> impl Strategy<Value = BinaryOp> {
    use BinaryOp::*;
    prop::sample::select(vec![Add, Sub, Mul, Rem, Equal, NotEqual, Less, Greater, GreaterEqual])
}

fn any_logical() -> impl Strategy<Value = LogicalOp> {
    prop::sample::select(vec![LogicalOp::And, LogicalOp::Or, LogicalOp::Coalesce])
}

fn arrow(params: Vec<Pattern>, is_async: bool, concise: bool, body: Vec<Stmt>) -> ExprKind {
    let span = Span::default();
    ExprKind::Arrow(Box::new(Function { name: None, is_async, params, body, concise, span }))
}

fn any_expr() -> impl Strategy<Value = Expr> {
    any_leaf().prop_recursive(5, 40, 3, |inner| {
        let one = || inner.clone().prop_map(Box::new);
        let many = vec(inner.clone(), 0..3);
        prop_oneof![
            many.clone().prop_map(ExprKind::Array),
            many.clone().prop_map(ExprKind::NewError),
            (one(), many).prop_map(|(callee, arguments)| ExprKind::Call(callee, arguments)),
            (any_text(), inner.clone(), any_text())
                .prop_map(|(a, hole, b)| ExprKind::Template(vec![a, b], vec![hole])),
            (any_sql(), inner.clone(), any_sql())
                .prop_map(|(a, hole, b)| ExprKind::Sql(vec![a, b], vec![hole])),
            (any_key(), inner.clone()).prop_map(|field| ExprKind::Object(vec![field])),
            any_name().prop_map(|n| {
                let value = expr(ExprKind::Ident(n.text.clone()));
                ExprKind::Object(vec![(n, value)])
            }),
            (any_pattern(), inner.clone()).prop_map(|(param, value)| {
                let body = vec![stmt(StmtKind::Return(Some(value)))];
                arrow(vec![param], false, true, body)
            }),
            inner.clone().prop_map(|value| {
                let call = Box::new(expr(ExprKind::Call(Box::new(value), vec![])));
                arrow(vec![], true, false, vec![stmt(StmtKind::Expr(expr(ExprKind::Await(call))))])
            }),
            one().prop_map(|operand| ExprKind::Unary(UnaryOp::Not, operand)),
            one().prop_map(|operand| ExprKind::Unary(UnaryOp::Minus, operand)),
            (any_binary(), one(), one()).prop_map(|(op, a, b)| ExprKind::Binary(op, a, b)),
            (any_logical(), one(), one()).prop_map(|(op, a, b)| ExprKind::Logical(op, a, b)),
            (one(), one(), one()).prop_map(|(a, b, c)| ExprKind::Conditional(a, b, c)),
            (one(), any_name()).prop_map(|(object, name)| ExprKind::Member(object, name)),
            (one(), one()).prop_map(|(object, index)| ExprKind::Index(object, index)),
        ]
        .prop_map(expr)
    })
}

fn any_simple() -> impl Strategy<Value = StmtKind> {
    let call = |value| expr(ExprKind::Call(Box::new(value), vec![]));
    let awaited = move |value| expr(ExprKind::Await(Box::new(call(value))));
    prop_oneof![
        (any::<bool>(), any_pattern(), any_expr()).prop_map(|(constant, pattern, value)| {
            StmtKind::Declare { constant, pattern, value: Some(value) }
        }),
        any_name().prop_map(|n| StmtKind::Declare {
            constant: false,
            pattern: Pattern::Name(n),
            value: None
        }),
        (any_expr(), any_name(), any_expr()).prop_map(|(object, field, value)| {
            let target = expr(ExprKind::Member(Box::new(object), field));
            StmtKind::Assign { target, op: None, value }
        }),
        (any_name(), any_expr()).prop_map(|(n, value)| {
            let target = expr(ExprKind::Ident(n.text));
            StmtKind::Assign { target, op: Some(BinaryOp::Sub), value }
        }),
        any_expr().prop_map(move |value| StmtKind::Expr(call(value))),
        any_expr().prop_map(move |value| StmtKind::Expr(awaited(value))),
        any_expr().prop_map(StmtKind::Throw),
        prop::option::of(any_expr()).prop_map(StmtKind::Return),
    ]
}

fn any_stmt() -> impl Strategy<Value = Stmt> {
    any_simple().prop_map(stmt).prop_recursive(3, 12, 3, |inner| {
        let block = vec(inner, 0..3);
        let other = prop::option::of(block.clone());
        let catch = prop::option::of((prop::option::of(any_pattern()), block.clone()));
        prop_oneof![
            block.clone().prop_map(StmtKind::Block),
            (any_expr(), block.clone(), other).prop_map(|(test, then, otherwise)| StmtKind::If {
                test,
                then,
                otherwise
            }),
            (any_expr(), block.clone()).prop_map(|(test, mut body)| {
                body.extend([stmt(StmtKind::Break), stmt(StmtKind::Continue)]);
                StmtKind::While { test, body }
            }),
            (any_pattern(), any_expr(), block.clone()).prop_map(|(pattern, items, body)| {
                StmtKind::ForOf { constant: true, pattern, items, body }
            }),
            (block.clone(), catch, block.clone()).prop_map(|(body, catch, last)| {
                let finally = (catch.is_none() || last.len() == 1).then_some(last);
                StmtKind::Try { body, catch, finally }
            }),
            (any_name(), block).prop_map(|(n, body)| StmtKind::Function(function(n, body))),
        ]
        .prop_map(stmt)
    })
}

fn function(n: Name, body: Vec<Stmt>) -> Function {
    let span = Span::default();
    Function { name: Some(n), is_async: true, params: vec![], body, concise: false, span }
}

fn any_module() -> impl Strategy<Value = Module> {
    let functions = vec((any_name(), vec(any_stmt(), 0..4)), 0..3);
    let moments = vec("[a-z]{1,3}(-[0-9])?", 0..3);
    let constants = vec((any_name(), any_expr()), 0..2);
    (constants, functions, prop::option::of(any_expr()), moments).prop_map(
        |(constants, functions, default, moments)| Module {
            imports: vec![Import {
                names: vec![name("sql"), name("mail")],
                from: "pull-the-plug".into(),
                span: Span::default(),
            }],
            constants,
            functions: functions.into_iter().map(|(n, body)| function(n, body)).collect(),
            default,
            moments: moments
                .into_iter()
                .map(|name| Moment { name: name.into(), span: Span::default() })
                .collect(),
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_modules_come_back(module in any_module()) {
        assert_round_trip(&module);
    }
}

#[test]
fn the_example_comes_back_with_its_moment_at_the_call() {
    let module = parse(include_str!("../parser/tests/example.scene.js")).module;
    assert_round_trip(&module);
    let text = print(&module);
    let line = text.lines().find(|line| line.contains("// moment: published"));
    assert!(line.is_some_and(|line| line.contains("broker.publish(")), "{text}");
}

#[test]
fn parentheses_stand_only_where_they_are_needed() {
    let text = "const x = ((a + b) + (c - d)) * -(2) - (-3) + -(-y) + (f ?? (g || h)) + \
                (await1 ? (b ? c : d) : (() => ({ a: 1 })))(1) + (5).b + (!c).d + ((a < b) === c)";
    expect![[r#"
        const x = (a + b + (c - d)) * -(2) - -3 + -(-y) + (f ?? (g || h)) + (await1 ? b ? c : d : () => ({ a: 1 }))(1) + (5).b + (!c).d + (a < b === c);
    "#]]
    .assert_eq(&print(&parse(text).module));
}
