//! Printing and reading agree, and no text makes the reader panic.

use std::sync::Arc;

use super::*;
use crate::script::ast::Name;
use crate::script::sql::ast::*;
use crate::text::Span;
use proptest::prelude::*;

const NOWHERE: Span = Span::new(0, 0);

fn name() -> impl Strategy<Value = Name> {
    prop_oneof!["[a-z_]{1,6}", Just("select".to_owned()), Just("Ü\"x".to_owned())]
        .prop_map(|text| Name { text: text.into(), span: NOWHERE })
}

fn boxed(kind: ExprKind) -> Expr {
    Expr { kind, span: NOWHERE }
}

fn leaf() -> impl Strategy<Value = Expr> {
    prop_oneof![
        Just(ExprKind::Null),
        any::<bool>().prop_map(ExprKind::Bool),
        (0..1i64 << 53).prop_map(ExprKind::Int),
        "[a-z' -]{0,6}".prop_map(|text| ExprKind::Text(text.into())),
        (-1_000_000_000i64..1_000_000_000).prop_map(ExprKind::Interval),
        Just(ExprKind::Param(1)),
        (prop::option::of(name()), name()).prop_map(|(table, name)| ExprKind::Column(table, name)),
        Just(ExprKind::Call(Function::Now, Vec::new())),
        Just(ExprKind::Call(Function::SnapshotXmin, Vec::new())),
        Just(ExprKind::Call(Function::Count, Vec::new())),
    ]
    .prop_map(boxed)
}

fn ty() -> impl Strategy<Value = SqlType> {
    prop::sample::select(vec![SqlType::BigInt, SqlType::Text, SqlType::Jsonb, SqlType::Timestamptz])
}

fn op() -> impl Strategy<Value = BinaryOp> {
    use BinaryOp::*;
    let all = vec![
        Or,
        And,
        Equal,
        NotEqual,
        Less,
        LessEqual,
        Greater,
        GreaterEqual,
        Concat,
        Get,
        GetText,
        Add,
        Sub,
        Mul,
        Rem,
    ];
    prop::sample::select(all)
}

fn expr() -> impl Strategy<Value = Expr> {
    leaf().prop_recursive(4, 24, 3, |inner| {
        let one = || inner.clone().prop_map(Box::new);
        let list = || prop::collection::vec(inner.clone(), 1..3);
        prop_oneof![
            one().prop_map(ExprKind::Not),
            one().prop_map(ExprKind::Minus),
            (op(), one(), one()).prop_map(|(op, a, b)| ExprKind::Binary(op, a, b)),
            (one(), any::<bool>()).prop_map(|(a, negated)| ExprKind::IsNull(a, negated)),
            (one(), list(), any::<bool>())
                .prop_map(|(a, l, negated)| ExprKind::InList(a, l, negated)),
            (one(), select(inner.clone()), any::<bool>())
                .prop_map(|(a, s, negated)| ExprKind::InSelect(a, Box::new(s), negated)),
            select(inner.clone()).prop_map(|s| ExprKind::Exists(Box::new(s))),
            (one(), prop::option::of(ty())).prop_map(|(a, ty)| ExprKind::Any(a, 1, ty)),
            (
                prop::sample::select(vec![Function::Coalesce, Function::Greatest, Function::Least]),
                list()
            )
                .prop_map(|(function, l)| ExprKind::Call(function, l)),
            one().prop_map(|a| ExprKind::Call(Function::Extract, vec![*a])),
            (prop::collection::vec((inner.clone(), inner.clone()), 1..3), prop::option::of(one()))
                .prop_map(|(branches, otherwise)| ExprKind::Case(branches, otherwise)),
            (one(), ty()).prop_map(|(a, ty)| ExprKind::Cast(a, ty)),
        ]
        .prop_map(boxed)
    })
}

fn item(expr: impl Strategy<Value = Expr> + 'static) -> impl Strategy<Value = Item> {
    prop_oneof![
        Just(Item::All(NOWHERE)),
        (expr, prop::option::of(name())).prop_map(|(value, alias)| Item::Value(value, alias)),
    ]
}

fn source() -> impl Strategy<Value = Source> {
    (name(), prop::option::of(name())).prop_map(|(table, alias)| Source { table, alias })
}

fn select(expr: impl Strategy<Value = Expr> + Clone + 'static) -> impl Strategy<Value = Select> {
    let lock = prop::sample::select(vec![
        None,
        Some(Lock::Wait),
        Some(Lock::SkipLocked),
        Some(Lock::NoWait),
    ]);
    let order =
        (expr.clone(), any::<bool>()).prop_map(|(value, descending)| Order { value, descending });
    (
        prop::collection::vec(item(expr.clone()), 1..3),
        prop::option::of(source()),
        prop::option::of(expr.clone()),
        prop::collection::vec(order, 0..2),
        prop::option::of(expr),
        lock,
    )
        .prop_map(|(items, from, filter, order, limit, lock)| Select {
            items,
            from,
            filter,
            order,
            limit,
            lock,
            span: NOWHERE,
        })
}

fn statement() -> impl Strategy<Value = Statement> {
    let set = || prop::collection::vec((name(), expr()), 1..3);
    let filter = || prop::option::of(expr());
    let returning = || prop::collection::vec(item(expr()), 0..2);
    let action = prop_oneof![
        Just(ConflictAction::Nothing),
        (set(), filter()).prop_map(|(set, filter)| ConflictAction::Update { set, filter }),
    ];
    let conflict = (prop::collection::vec(name(), 1..3), action)
        .prop_map(|(target, action)| Conflict { target, action });
    let rows = prop::collection::vec(prop::collection::vec(expr(), 1..3), 1..3);
    prop_oneof![
        select(expr().boxed()).prop_map(Statement::Select),
        (
            name(),
            prop::collection::vec(name(), 1..3),
            rows,
            prop::option::of(conflict),
            returning()
        )
            .prop_map(|(table, columns, rows, conflict, returning)| Statement::Insert(
                Insert { table, columns, rows, query: None, conflict, returning, span: NOWHERE }
            )),
        (name(), prop::collection::vec(name(), 1..3), select(expr().boxed()), returning())
            .prop_map(|(table, columns, query, returning)| Statement::Insert(Insert {
                table,
                columns,
                rows: Vec::new(),
                query: Some(Box::new(query)),
                conflict: None,
                returning,
                span: NOWHERE
            })),
        (source(), set(), filter(), returning()).prop_map(|(source, set, filter, returning)| {
            Statement::Update(Update { source, set, filter, returning, span: NOWHERE })
        }),
        (source(), filter(), returning()).prop_map(|(source, filter, returning)| {
            Statement::Delete(Delete { source, filter, returning, span: NOWHERE })
        }),
    ]
}

/// A tree without its places and its parameters' numbers.
fn shape(statement: &Statement) -> String {
    let text = format!("{statement:?}");
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("Span {") {
        out.push_str(&rest[..at]);
        rest = &rest[at + rest[at..].find('}').unwrap() + 1..];
    }
    out.push_str(rest);
    let mut shape = String::new();
    for (at, part) in out.split("Param(").enumerate() {
        let part =
            if at > 0 { part.trim_start_matches(|c: char| c.is_ascii_digit()) } else { part };
        shape.push_str(part);
    }
    // `ANY` holds its number without a name.
    shape
}

/// Cuts a printed statement at its parameters.
fn printed_pieces(text: &str) -> Vec<Piece> {
    let text = text.replace("$1", "${x}");
    pieces(&text)
}

fn renumbered(text: &str) -> String {
    let mut out = String::new();
    for (at, part) in text.split('$').enumerate() {
        out.push_str(if at > 0 { "$1" } else { "" });
        out.push_str(if at > 0 {
            part.trim_start_matches(|c: char| c.is_ascii_digit())
        } else {
            part
        });
    }
    out
}

proptest! {
    #[test]
    fn a_printed_statement_reads_as_the_same_tree(statement in statement()) {
        let text = statement.to_string();
        let (again, errors) = parse_statement(&printed_pieces(&text));
        prop_assert_eq!(errors, [], "{}", text);
        let again = again.unwrap();
        prop_assert_eq!(&renumbered(&again.to_string()), &text);
        if !text.contains("ANY(") {
            prop_assert_eq!(shape(&again), shape(&statement));
        }
        check(&again, &[]);
    }

    #[test]
    fn no_text_panics(texts in prop::collection::vec("\\PC{0,40}", 0..4)) {
        let pieces: Vec<_> = texts.iter().map(|text| Piece { text: Arc::from(text.as_str()), offset: 7 }).collect();
        parse_statement(&pieces);
        parse_schema(&pieces);
    }

    #[test]
    fn no_soup_of_words_panics(words in prop::collection::vec(prop::sample::select(&SOUP[..]), 0..30)) {
        let text = words.join(" ");
        let (tables, _) = parse_schema(&pieces(&text));
        check_tables(&tables);
        let (tables, _) = parse_schema(&pieces(SCHEMA));
        if let (Some(statement), _) = parse_statement(&pieces(&text)) {
            check(&statement, &tables);
        }
        let (statement, errors) = parse_statement(&pieces(&format!("SELECT id FROM outbox WHERE {text}")));
        prop_assert!(statement.is_some() || !errors.is_empty());
    }
}

const SOUP: [&str; 60] = [
    "SELECT",
    "FROM",
    "WHERE",
    "INSERT",
    "INTO",
    "VALUES",
    "UPDATE",
    "SET",
    "DELETE",
    "orders",
    "id",
    "(",
    ")",
    ",",
    "=",
    "<",
    "+",
    "-",
    "*",
    "%",
    "||",
    "->>",
    "::",
    "text",
    "bigint",
    "NOT",
    "NULL",
    "IS",
    "IN",
    "AND",
    "OR",
    "ANY",
    "${x}",
    "1",
    "'a'",
    "now()",
    "count",
    "ORDER",
    "BY",
    "LIMIT",
    "FOR",
    "SKIP",
    "LOCKED",
    "CREATE",
    "TABLE",
    "UNIQUE",
    "INDEX",
    "PRIMARY",
    "KEY",
    "CHECK",
    "DEFAULT",
    ";",
    "EXISTS",
    "interval",
    "'5 s'",
    "RETURNING",
    "ON",
    "CONFLICT",
    "DO",
    ".",
];
