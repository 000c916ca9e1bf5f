//! What holds in every run: random scenes, random actions, random seeds.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::prelude::*;

use super::bench::scene;
use crate::audit::{Moment, judge};
use crate::run::{Lab, Player, Tick, action};
use crate::scene::Scene;
use crate::sim::part::database::SessionState;
use crate::sim::{Event, Limits, Loss, Machine, Name, PartId, What, World};

/// A random scene: a shop with an outbox, one or two relays, one or two senders of letters.
#[derive(Clone, Copy, Debug)]
struct Shape {
    orders: u32,
    batch: u32,
    relays: u32,
    senders: u32,
    prefetch: u32,
    durable: bool,
    skips: bool,
    confirms: bool,
    sleep_ms: u32,
    inbox: bool,
    seed: u64,
}

fn shapes() -> impl Strategy<Value = Shape> {
    let counts = (1u32..4, 1u32..4, 1u32..3, 1u32..3, 1u32..4);
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (counts, flags, 50u32..600, any::<u64>()).prop_map(|(counts, flags, sleep_ms, seed)| {
        let (orders, batch, relays, senders, prefetch) = counts;
        let (durable, skips, confirms, inbox) = flags;
        Shape {
            orders,
            batch,
            relays,
            senders,
            prefetch,
            durable,
            skips,
            confirms,
            sleep_ms,
            inbox,
            seed,
        }
    })
}

impl Shape {
    fn scene(self) -> Arc<Scene> {
        let Self { batch, prefetch, durable, sleep_ms, .. } = self;
        let mut parts = format!(
            "
    shop: service({{ program: placeOrder }}),
    db: postgres({{ tables: sql`
      CREATE TABLE orders (id bigint PRIMARY KEY, customer text NOT NULL);
      CREATE TABLE outbox (
        id bigserial PRIMARY KEY, payload jsonb NOT NULL, published_at timestamptz);
      CREATE TABLE seen (id bigint PRIMARY KEY);` }}),
    broker: rabbitmq({{ queues: {{ \"order.created\": {{ durable: {durable} }} }} }}),
    mailer: mail(),"
        );
        for number in 0..self.relays {
            parts += &format!("\n    relay{number}: worker({{ program: publishForever }}),");
        }
        for number in 0..self.senders {
            parts += &format!("\n    letters{number}: worker({{ program: sendLetters }}),");
        }
        let lock = if self.skips { "FOR UPDATE SKIP LOCKED" } else { "FOR UPDATE" };
        let wait = if self.confirms { "await " } else { "" };
        let relay = format!(
            "
async function publishForever({{ db, broker, sleep }}) {{
  while (true) {{
    await db.transaction(async (tx) => {{
      const rows = await tx.query(sql`
        SELECT id, payload FROM outbox WHERE published_at IS NULL
        ORDER BY id LIMIT {batch} {lock}`);
      for (const row of rows) {{
        const options = {{ messageId: row.id, persistent: true }};
        {wait}broker.publish(\"order.created\", row.payload, options);
      }}
      const ids = rows.map((row) => row.id);
      await tx.query(sql`UPDATE outbox SET published_at = now() WHERE id = ANY(${{ids}})`);
    }});
    await sleep({sleep_ms});
  }}
}}"
        );
        let seen = "
    const fresh = await db.query(sql`
      INSERT INTO seen (id) VALUES (${message.messageId}) ON CONFLICT DO NOTHING RETURNING id`);
    if (fresh.length === 1) {";
        let (open, close) = if self.inbox { (seen, "}") } else { ("", "") };
        let letters = format!(
            "
async function sendLetters({{ db, broker, mailer }}) {{
  await broker.subscribe(\"order.created\", {{ prefetch: {prefetch} }}, async (message) => {{{open}
    await mailer.send({{ order: message.body.orderId, to: \"Anna\", kind: \"letter\" }});{close}
    await message.ack();
  }});
}}"
        );
        scene(&parts, self.orders, &[PLACE, &relay, &letters])
    }
}

const PLACE: &str = "
async function placeOrder({ db, order }) {
  await db.transaction(async (tx) => {
    await tx.query(sql`INSERT INTO orders (id, customer) VALUES (${order.id}, ${order.customer})`);
    await tx.query(sql`INSERT INTO outbox (payload) VALUES (${{ orderId: order.id }})`);
  });
}";

const PARTS: &[&str] =
    &["shop", "db", "broker", "mailer", "relay0", "letters0", "customers", "relay1"];

/// One action in words: any kind, any part, early enough to matter.
fn actions() -> impl Strategy<Value = String> {
    let part = prop::sample::select(PARTS);
    let when = prop_oneof![
        (1u32..120).prop_map(|n| n.to_string()),
        (0u32..4000).prop_map(|n| format!("+{n}"))
    ];
    let link = prop::sample::select(
        &["db-relay0", "broker-relay0", "broker-letters0", "db-shop", "letters0-mailer"][..],
    );
    let what = prop_oneof![
        4 => (prop::sample::select(&["unplug", "plug", "kill", "restart"][..]), part.clone())
            .prop_map(|(kind, part)| format!("{kind}:{part}")),
        2 => (prop::sample::select(&["cut", "mend"][..]), link)
            .prop_map(|(kind, link)| format!("{kind}:{link}")),
        2 => (prop::sample::select(&["drop", "next"][..]), part.clone(), 1u32..40)
            .prop_map(|(kind, part, n)| format!("{kind}:{part}.{n}")),
        1 => (part, 1u32..40, 0u32..3000)
            .prop_map(|(part, n, ms)| format!("delay:{part}.{n}-{ms}")),
        1 => Just("refuse:db".to_owned()),
        1 => Just("order".to_owned()),
    ];
    let action = (what, when).prop_map(|(what, when)| format!("{what}@{when}"));
    prop::collection::vec(action, 0..6).prop_map(|actions| actions.join(","))
}

fn player(shape: Shape, scene: &Arc<Scene>, actions: &str) -> Player {
    Player::new(scene.clone(), shape.seed, action::parse_list(actions).0.into())
}

/// Plays all actions and some steps more, and looks at the world after each tick.
fn play(player: &mut Player, mut look: impl FnMut(&World, &[Event])) -> Vec<Event> {
    let mut events = Vec::new();
    let mut ticks = 0;
    while ticks < 400 || player.has_more_actions() && ticks < 2000 {
        let from = events.len();
        if player.tick(&mut events) == Tick::Rest {
            break;
        }
        look(player.world(), &events[from..]);
        ticks += 1;
    }
    events
}

fn count(events: &[Event], fits: impl Fn(&What) -> bool) -> usize {
    events.iter().filter(|event| fits(&event.what)).count()
}

fn placed(scene: &Scene, world: &World) -> BTreeSet<i64> {
    let accounts = judge(scene, world, Moment::Running);
    accounts.iter().filter(|account| account.placed).map(|account| account.order).collect()
}

/// Messages in flight by connection and direction, in the order in which they will arrive.
fn flights(world: &World) -> BTreeMap<(u32, PartId), Vec<u32>> {
    let mut flights: BTreeMap<_, Vec<u32>> = BTreeMap::new();
    for (message, _) in world.in_flight() {
        flights.entry((message.conn, message.to)).or_default().push(message.name.n);
    }
    flights
}

fn names(world: &World) -> BTreeSet<Name> {
    world.in_flight().map(|(message, _)| message.name).collect()
}

fn broker_entries(world: &World) -> usize {
    let stations = world.setup().part_ids().map(|part| world.station(part));
    let entries = stations.map(|station| match &station.machine {
        Machine::Queue(state) => state.broker.queues().map(|queue| queue.entries.len()).sum(),
        _ => 0,
    });
    entries.sum()
}

/// No server holds a session of a client that is not there, except while the news is on its way
/// from a program that crashes again and again.
fn no_dead_client(world: &World) {
    let told: BTreeSet<u32> = world.in_flight().map(|(message, _)| message.conn).collect();
    assert!(world.half_open().iter().all(|conn| told.contains(conn)), "{:?}", world.half_open());
    for part in world.setup().part_ids() {
        let Machine::Database(state) = &world.station(part).machine else { continue };
        for session in state.database.sessions() {
            let client = world.client_of(session.session.0);
            let alive = client.is_some_and(|client| world.station(client).process().is_some());
            let known = told.contains(&session.session.0);
            assert!(alive || known || session.state == SessionState::Idle, "{session:?}");
        }
    }
}

/// Few cases unless `PROPTEST_CASES` asks for more: each is a whole run.
fn cases() -> ProptestConfig {
    let standard = ProptestConfig::default();
    let few = standard.cases == CASES_STANDARD;
    let cases = if few { 10 } else { standard.cases };
    ProptestConfig { cases, failure_persistence: None, ..standard }
}

/// What proptest takes if nothing is said.
const CASES_STANDARD: u32 = 256;

proptest! {
    #![proptest_config(cases())]

    /// The same scene, seed and actions give the same events, however they are played.
    #[test]
    fn a_run_depends_on_nothing_but_scene_seed_and_actions(
        shape in shapes(), actions in actions(), cuts in prop::collection::vec(0u64..200, 0..5),
    ) {
        let scene = shape.scene();
        let mut whole = player(shape, &scene, &actions);
        let events = play(&mut whole, |_, _| ());
        let again = play(&mut player(shape, &shape.scene(), &actions), |_, _| ());
        prop_assert_eq!(&events, &again);
        let mut lab = Lab::of(scene, shape.seed, &action::parse_list(&actions).0);
        for cut in cuts {
            lab.seek(cut);
        }
        lab.seek(whole.world().steps());
        let log = lab.log();
        let both = log.len().min(events.len());
        prop_assert_eq!(&log[..both], &events[..both]);
    }

    /// Messages of one connection arrive in the order in which they left.
    #[test]
    fn order_is_kept_on_each_connection(shape in shapes(), actions in actions()) {
        play(&mut player(shape, &shape.scene(), &actions), |world, _| {
            for ((conn, to), flight) in flights(world) {
                assert!(flight.is_sorted(), "{conn} to {to:?}: {flight:?}");
            }
        });
    }

    /// A message ends by arriving, or is lost and the log says why.
    #[test]
    fn no_message_vanishes(shape in shapes(), actions in actions()) {
        let mut before = BTreeSet::new();
        play(&mut player(shape, &shape.scene(), &actions), |world, events| {
            let now = names(world);
            let gone: Vec<_> = before.difference(&now).collect();
            let told = count(events, |what| matches!(what, What::Lost { .. }));
            let arrived = usize::from(!gone.is_empty());
            assert!(gone.len() <= arrived + told + 1, "{gone:?} {events:?}");
            before = now;
        });
    }

    /// What a queue stored is acknowledged, lost with a cause, or still there.
    #[test]
    fn every_queue_entry_is_accounted_for(shape in shapes(), actions in actions()) {
        let scene = shape.scene();
        let broker = scene.setup.part_named("broker");
        let mut player = player(shape, &scene, &actions);
        let events = play(&mut player, |_, _| ());
        let stored = count(&events, |what| matches!(what, What::Stored(_)));
        let acked = count(&events, |what| matches!(what, What::Acked(_)));
        let of_broker = events.iter().filter(|event| Some(event.part) == broker);
        let lost = of_broker.filter(|event| {
            matches!(event.what, What::Lost { loss: Loss::NotOnDisk | Loss::Discarded, .. })
        });
        prop_assert_eq!(stored, acked + lost.count() + broker_entries(player.world()));
    }

    /// No letter without a call, and none from a call that never left.
    #[test]
    fn every_letter_has_a_call(shape in shapes(), actions in actions()) {
        let events = play(&mut player(shape, &shape.scene(), &actions), |_, _| ());
        let mut calls = BTreeSet::new();
        for event in &events {
            let Some((site, _)) = event.call else { continue };
            match &event.what {
                What::Called { ask, .. } if &*ask.verb == "send" => assert!(calls.insert(site)),
                What::LetterSent { .. } => assert!(calls.remove(&site), "{event:?}"),
                _ => {}
            }
        }
    }

    /// An order is placed by a COMMIT and by nothing else, and stays placed.
    #[test]
    fn committed_rows_survive_and_uncommitted_never(shape in shapes(), actions in actions()) {
        let scene = shape.scene();
        let mut before = BTreeSet::new();
        play(&mut player(shape, &scene, &actions), |world, events| {
            let now = placed(&scene, world);
            assert!(now.is_superset(&before), "{before:?} {now:?}");
            let commits = |what: &What| {
                matches!(what, What::Executed { ask, .. } if &*ask.verb == "COMMIT")
            };
            assert!(now == before || count(events, commits) > 0, "{events:?}");
            before = now;
        });
    }

    /// Once nothing fails any more, every run of these programs comes to rest; then nobody holds
    /// a lock for a client that is gone, and going on changes no verdict.
    #[test]
    fn rest_comes_and_is_final(shape in shapes(), actions in actions()) {
        let scene = shape.scene();
        let mut player = player(shape, &scene, &actions);
        play(&mut player, |_, _| ());
        let mut world = player.world().clone();
        let mut events = Vec::new();
        prop_assert!(world.settle(Limits::default(), &mut events), "no rest");
        no_dead_client(&world);
        let verdicts = judge(&scene, &world, Moment::Rest);
        for _ in 0..300 {
            world.step(&mut events);
        }
        prop_assert_eq!(verdicts, judge(&scene, &world, Moment::Rest));
    }
}
