//! What a scene may declare of brokers, mail and claims, and where each mistake is pointed at.

use std::sync::Arc;

use super::{Claim, Scene};
use crate::sim::part::broker::{Config, ExchangeKind, QueueKind};
use crate::sim::{PartKind, PartSetup};

const POINTS: &str = "db: sql`SELECT id, points FROM orders`";

fn text(parts: &str, claims: &str) -> String {
    format!(
        "import {{ scene, service, postgres, rabbitmq, mail, exactly, inOrder, never, sql }} \
         from \"pull-the-plug\";
export default scene({{
  title: {{ ru: \"Проба\", en: \"Trial\" }},
  parts: {{
    shop: service({{ program: serve }}),
    db: postgres({{ tables: sql`CREATE TABLE orders (id bigint PRIMARY KEY, points int);` }}),
    {parts}
  }},
  orders: {{ count: 1, everyMs: 400 }},
  placed: {{ db: sql`SELECT id FROM orders` }},
  claims: [{claims}],
}});

async function serve({{ db }}) {{
  await db.query(sql`SELECT id FROM orders`);
}}
"
    )
}

fn parts(parts: &str) -> Vec<PartSetup> {
    match Scene::open(&text(parts, "exactly(1, \"letter\").perOrder()")) {
        Ok(scene) => scene.setup.parts.clone(),
        Err(errors) => unreachable!("{errors:?}"),
    }
}

fn broker(settings: &str) -> Arc<Config> {
    match parts(&format!("broker: rabbitmq({{ {settings} }}),")).pop().map(|part| part.kind) {
        Some(PartKind::Queue { config }) => config,
        other => unreachable!("{other:?}"),
    }
}

fn claims(claims: &str) -> Vec<Claim> {
    match Scene::open(&text("", claims)) {
        Ok(scene) => scene.claims,
        Err(errors) => unreachable!("{errors:?}"),
    }
}

/// Problems as `id: what stands at their place`.
fn problems(parts: &str, claims: &str) -> Vec<String> {
    let text = text(parts, claims);
    let errors = Scene::open(&text).err().unwrap_or_default();
    let shown = errors.into_iter().map(|error| {
        let place = text.get(error.span.start as usize..error.span.end as usize);
        format!("{}: {}", error.problem, place.unwrap_or_default())
    });
    shown.collect()
}

fn broker_problems(settings: &str) -> Vec<String> {
    let broker = format!("broker: rabbitmq({{ {settings} }}),");
    problems(&broker, "exactly(1, \"letter\").perOrder()")
}

#[test]
fn a_queue_has_its_settings() {
    let config = broker(
        "queues: { work: { quorum: true, deliveryLimit: 2, deadLetter: \"dead\", ttlMs: 1500 },
                   dead: { durable: false, declared: false, singleActiveConsumer: true } }",
    );
    let [work, dead] = &config.queues[..] else { unreachable!("{config:?}") };
    assert_eq!((work.kind, work.durable, work.declared), (QueueKind::Quorum, true, true));
    assert_eq!((work.delivery_limit, work.ttl_us), (Some(2), Some(1_500_000)));
    assert_eq!(work.dead_letter.as_deref(), Some("dead"));
    assert_eq!((dead.kind, dead.durable, dead.declared), (QueueKind::Classic, false, false));
    assert_eq!((work.single_active_consumer, dead.single_active_consumer), (false, true));
}

#[test]
fn an_exchange_has_its_type_and_bindings() {
    let config = broker(
        "queues: { a: {}, b: {} },
         exchanges: { orders: { type: \"topic\", bindings: { a: \"order.*\", b: \"#\" } },
                      all: { type: \"fanout\" } }",
    );
    let kinds: Vec<_> = config.exchanges.iter().map(|it| (&*it.name, it.kind)).collect();
    assert_eq!(kinds, [("orders", ExchangeKind::Topic), ("all", ExchangeKind::Fanout)]);
    let bindings = config.bindings.iter().map(|it| (&*it.exchange, &*it.queue, &*it.key));
    assert_eq!(bindings.collect::<Vec<_>>(), [("orders", "a", "order.*"), ("orders", "b", "#")]);
}

#[test]
fn mistakes_of_a_broker_are_pointed_at() {
    let cases: [(&str, &[&str]); 9] = [
        ("queues: { a: { durabel: true } }", &["scene-unknown-setting: durabel"]),
        ("queues: { a: { quorum: true, durable: false } }", &["scene-quorum-is-durable: false"]),
        ("queues: { a: { deliveryLimit: 3 } }", &["scene-quorum-only: 3"]),
        ("queues: { a: { deadLetter: \"b\" } }", &["scene-unknown-queue: \"b\""]),
        ("queues: { a: { ttlMs: 0 } }", &["scene-out-of-range: 0"]),
        ("queues: { a: { quorum: 1 } }", &["scene-wrong-type: 1"]),
        ("queues: { a: {} }, exchanges: { x: {} }", &["scene-missing-field: {}"]),
        (
            "queues: { a: {} }, exchanges: { x: { type: \"round\" } }",
            &["scene-unknown-exchange-type: \"round\""],
        ),
        (
            "queues: { a: {} }, exchanges: { x: { type: \"direct\", bindings: { b: \"k\" } } }",
            &["scene-unknown-queue: b"],
        ),
    ];
    for (settings, expected) in cases {
        assert_eq!(broker_problems(settings), expected, "{settings}");
    }
}

#[test]
fn mail_may_honour_keys_for_a_while() {
    let kinds = parts("mailer: mail({ honoursKeys: true, keyTtlMs: 2000 }),");
    let Some(PartKind::Mail { config }) = kinds.last().map(|part| &part.kind) else {
        unreachable!("{kinds:?}")
    };
    assert_eq!((config.honours_keys, config.key_ttl_us), (true, Some(2_000_000)));
}

#[test]
fn claims_count_or_order_or_forbid() {
    let query = format!("{{ {POINTS} }}");
    let read = claims(&format!(
        "exactly(2, \"a\").perOrder({query}), inOrder(\"b\").perOrder({query}), \
         never(\"c\", {query})"
    ));
    let [
        Claim::Exactly { effect, count: 2, .. },
        Claim::InOrder { effect: b, .. },
        Claim::Never { name, .. },
    ] = &read[..]
    else {
        unreachable!("{read:?}")
    };
    assert_eq!([&**effect, &**b, &**name], ["a", "b", "c"]);
}

#[test]
fn claims_that_promise_nothing_are_pointed_at() {
    let cases = [
        "exactly(0, \"a\").perOrder()",
        "exactly(1, 2).perOrder()",
        "exactly(1, \"a\")",
        "inOrder(\"a\").perOrder()",
        "inOrder().perOrder()",
        "never(\"a\")",
        "never(\"a\", { db: sql`SELECT id FROM orders` }).perOrder()",
        "often(\"a\")",
    ];
    for claim in cases {
        assert!(problems("", claim).contains(&format!("scene-bad-claim: {claim}")), "{claim}");
    }
}

#[test]
fn a_moment_that_cannot_come_is_pointed_at() {
    let source = crate::scene::catalogue::find("outbox/one-relay").unwrap().source();
    let problems = |text: &str| -> Vec<String> {
        let errors = Scene::open(text).err().unwrap_or_default();
        errors.iter().map(|error| format!("{}: {}", error.problem, error.found)).collect()
    };
    assert_eq!(problems(source), NO_PROBLEMS);
    let astray = source.replace(
        "const ids = rows.map((row) => row.id);",
        "const ids = rows.map((row) => row.id); // moment: astray",
    );
    assert_eq!(problems(&astray), ["scene-moment-without-call: astray"]);
    let twice = source.replace("// moment: marked", "// moment: published");
    assert_eq!(problems(&twice), ["scene-duplicate-moment: published"]);
}

const NO_PROBLEMS: [&str; 0] = [];
