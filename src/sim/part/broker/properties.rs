//! What holds for the broker whatever happens: clients, faults and steps in random order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::datum::Datum;

/// One thing that happens to the broker. Numbers are taken modulo what there is.
#[derive(Clone, Debug)]
enum Act {
    Connect(u32),
    Publish { conn: u32, topic: usize, persistent: bool, mandatory: bool, confirm: bool },
    Subscribe { conn: u32, topic: usize, prefetch: u32, auto_ack: bool },
    Ack { held: usize },
    Nack { held: usize, requeue: bool },
    StaleAck { conn: u32, tag: u64 },
    Cancel { conn: u32, consumer: u64 },
    Declare { conn: u32, topic: usize },
    Disconnect(u32),
    TimeOut { held: usize },
    Expire,
    Duplicate(u64),
    Crash,
    Step(usize),
}

const TOPICS: [&str; 6] = ["classic", "limited", "unlimited", "volatile", "dead", "nowhere"];

fn config() -> Config {
    let queue = |name, kind| QueueConfig::durable(name, kind);
    let dead_letter = Some("dead".into());
    let queues = vec![
        QueueConfig { ttl_us: Some(30), ..queue("classic", QueueKind::Classic) },
        QueueConfig { delivery_limit: Some(1), dead_letter, ..queue("limited", QueueKind::Quorum) },
        queue("unlimited", QueueKind::Quorum),
        QueueConfig { durable: false, declared: false, ..queue("volatile", QueueKind::Classic) },
        QueueConfig {
            ttl_us: Some(0),
            dead_letter: Some("dead".into()),
            single_active_consumer: true,
            ..queue("dead", QueueKind::Classic)
        },
    ];
    let exchange = |name: &str, kind| Exchange { name: name.into(), kind };
    let bind =
        |queue: &str| Binding { exchange: "all".into(), queue: queue.into(), key: "".into() };
    Config {
        exchanges: vec![exchange("all", ExchangeKind::Fanout)],
        bindings: vec![bind("classic"), bind("volatile")],
        queues,
    }
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let conn = 0u32..3;
    let topic = 0usize..TOPICS.len();
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    let publish = (conn.clone(), topic.clone(), flags).prop_map(|(conn, topic, flags)| {
        let (persistent, mandatory, confirm) = flags;
        Act::Publish { conn, topic, persistent, mandatory, confirm }
    });
    let subscribe = (conn.clone(), topic.clone(), 0u32..3, any::<bool>()).prop_map(
        |(conn, topic, prefetch, auto_ack)| Act::Subscribe { conn, topic, prefetch, auto_ack },
    );
    let nack =
        (any::<usize>(), any::<bool>()).prop_map(|(held, requeue)| Act::Nack { held, requeue });
    let stale = (conn.clone(), 0u64..4).prop_map(|(conn, tag)| Act::StaleAck { conn, tag });
    let cancel =
        (conn.clone(), 0u64..60).prop_map(|(conn, consumer)| Act::Cancel { conn, consumer });
    let act = prop_oneof![
        4 => conn.clone().prop_map(Act::Connect),
        8 => publish,
        4 => subscribe,
        4 => any::<usize>().prop_map(|held| Act::Ack { held }),
        4 => nack,
        1 => stale,
        1 => cancel,
        1 => (conn.clone(), topic).prop_map(|(conn, topic)| Act::Declare { conn, topic }),
        2 => conn.prop_map(Act::Disconnect),
        1 => any::<usize>().prop_map(|held| Act::TimeOut { held }),
        1 => Just(Act::Expire),
        1 => (0u64..20).prop_map(Act::Duplicate),
        1 => Just(Act::Crash),
        16 => any::<usize>().prop_map(Act::Step),
    ];
    vec(act, 0..80)
}

/// A broker under test with all that it said.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Trial {
    broker: QueueBroker,
    facts: Vec<Fact>,
    sent: Vec<Output>,
    now_us: i64,
    calls: u64,
    prefetch: BTreeMap<(ConnId, u64), u32>,
}

impl Trial {
    fn new() -> Self {
        let broker = QueueBroker::new(Arc::new(config()));
        let (facts, sent, prefetch) = (Vec::new(), Vec::new(), BTreeMap::new());
        Self { broker, facts, sent, now_us: 0, calls: 0, prefetch }
    }

    fn request(&mut self, conn: u32, request: &Request) {
        self.broker.receive(ConnId(conn), request, self.now_us, &mut self.facts);
    }

    fn held(&self, held: usize) -> Option<(ConnId, Tag)> {
        let all: Vec<_> = self.broker.unacked().map(|(conn, tag, _)| (conn, tag)).collect();
        all.get(held.checked_rem(all.len())?).copied()
    }

    fn act(&mut self, act: &Act) {
        self.now_us += 3;
        self.calls += 1;
        let (now_us, token) = (self.now_us, self.calls);
        match *act {
            Act::Connect(conn) => self.broker.connect(ConnId(conn)),
            Act::Publish { conn, topic, persistent, mandatory, confirm } => {
                // The unroutable topic stands for the fan-out exchange and a missing one, too.
                let exchange = match (TOPICS[topic], token % 3) {
                    ("nowhere", 0) => "all",
                    ("nowhere", 1) => "missing",
                    _ => "",
                };
                let message = Arc::new(Message {
                    topic: TOPICS[topic].into(),
                    body: Datum::Null,
                    key: None,
                    message_id: None,
                    persistent,
                    origin: token,
                });
                let exchange = exchange.into();
                self.request(
                    conn,
                    &Request::Publish { exchange, message, mandatory, confirm, token },
                );
            }
            Act::Subscribe { conn, topic, prefetch, auto_ack } => {
                let queue = TOPICS[topic].into();
                self.prefetch.insert((ConnId(conn), token), prefetch);
                self.request(conn, &Request::Subscribe { queue, prefetch, auto_ack, token });
            }
            Act::Ack { held } => {
                if let Some((conn, tag)) = self.held(held) {
                    self.request(conn.0, &Request::Ack { tag });
                }
            }
            Act::Nack { held, requeue } => {
                if let Some((conn, tag)) = self.held(held) {
                    self.request(conn.0, &Request::Nack { tag, requeue });
                }
            }
            Act::StaleAck { conn, tag } => self.request(conn, &Request::Ack { tag: Tag(tag) }),
            Act::Cancel { conn, consumer } => {
                self.request(conn, &Request::Cancel { consumer, token });
            }
            Act::Declare { conn, topic } => {
                self.request(conn, &Request::Declare { queue: TOPICS[topic].into(), token });
            }
            Act::Disconnect(conn) => {
                self.broker.disconnect(ConnId(conn), now_us, &mut self.facts);
            }
            Act::TimeOut { held } => {
                if let Some((conn, tag)) = self.held(held) {
                    self.broker.time_out(conn, tag, now_us, &mut self.facts);
                }
            }
            Act::Expire => self.broker.expire(now_us, &mut self.facts),
            Act::Duplicate(entry) => {
                self.broker.duplicate(EntryId(entry), now_us, &mut self.facts);
            }
            Act::Crash => self.broker.crash(now_us, &mut self.facts),
            Act::Step(choice) => {
                let pending = self.broker.pending();
                if let Some(place) = choice.checked_rem(pending.len()) {
                    self.sent.extend(self.broker.take(pending[place], &mut self.facts));
                }
            }
        }
    }

    /// Every stored entry is in a queue once, or has come to one end, and none does both.
    fn assert_conserved(&self) {
        let mut stored = BTreeSet::new();
        let mut ended = BTreeSet::new();
        for fact in &self.facts {
            match fact {
                Fact::Stored { entry, .. } => assert!(stored.insert(*entry), "{entry:?} again"),
                Fact::Acked { entry, .. }
                | Fact::DeadLettered { entry, .. }
                | Fact::Dropped { entry: Some(entry), .. } => {
                    assert!(ended.insert(*entry), "{entry:?} ends twice");
                }
                _ => {}
            }
        }
        let mut present = BTreeSet::new();
        for entry in self.broker.queues().flat_map(|queue| queue.entries) {
            assert!(present.insert(entry.id), "{:?} is there twice", entry.id);
        }
        assert!(present.is_disjoint(&ended));
        assert_eq!(stored, present.union(&ended).copied().collect());
    }

    fn assert_windows_kept(&self) {
        let mut held: BTreeMap<(ConnId, u64), u32> = BTreeMap::new();
        let mut tags = BTreeSet::new();
        for (conn, tag, entry) in self.broker.unacked() {
            assert!(tags.insert((conn, tag)), "one tag for two deliveries");
            assert!(self.broker.connections().any(|open| open == conn), "held by nobody");
            assert!(entry.deliveries > 0);
            if let EntryState::Unacked { conn, consumer, .. } = entry.state {
                *held.entry((conn, consumer)).or_default() += 1;
            }
        }
        for (consumer, count) in held {
            let prefetch = self.prefetch[&consumer];
            assert!(prefetch == 0 || count <= prefetch, "{count} held of {prefetch}");
        }
    }
}

proptest! {
    #[test]
    fn messages_are_conserved_and_windows_kept(acts in acts()) {
        let mut trial = Trial::new();
        for act in &acts {
            trial.act(act);
            trial.assert_windows_kept();
        }
        // What once went missing, or was counted twice, stays so to the end.
        trial.assert_conserved();
    }

    #[test]
    fn the_same_acts_give_the_same_broker(acts in acts()) {
        let (mut first, mut second) = (Trial::new(), Trial::new());
        for act in &acts {
            first.act(act);
            second.act(act);
        }
        prop_assert_eq!(first, second);
    }

    #[test]
    fn a_confirmed_persistent_message_in_a_durable_queue_survives_a_crash(acts in acts()) {
        let mut trial = Trial::new();
        for act in acts.iter().filter(|act| !matches!(act, Act::Crash)) {
            trial.act(act);
        }
        let lost_from = trial.facts.len();
        trial.act(&Act::Crash);
        let confirmed: BTreeSet<u64> = trial.sent.iter().filter_map(|output| match output {
            Output::Confirm { token, .. } => Some(*token),
            _ => None,
        }).collect();
        let moved: BTreeSet<EntryId> = trial.facts.iter().filter_map(|fact| match fact {
            Fact::DeadLettered { successor, .. } => Some(*successor),
            _ => None,
        }).collect();
        for fact in &trial.facts[lost_from..] {
            if let Fact::Dropped { entry: Some(entry), origin, cause: Cause::NotOnDisk } = fact {
                // Copies made by dead-lettering or by the fault of doubling were never confirmed.
                let doubled = acts.iter().any(|act| matches!(act, Act::Duplicate(_)));
                prop_assert!(doubled || moved.contains(entry) || !confirmed.contains(origin));
            }
        }
    }

    #[test]
    fn one_consumer_without_failures_sees_the_order_of_publishing(
        steps in vec(any::<usize>(), 0..60),
        prefetch in 0u32..4,
    ) {
        let mut trial = Trial::new();
        trial.act(&Act::Connect(0));
        trial.act(&Act::Subscribe { conn: 0, topic: 2, prefetch, auto_ack: false });
        for step in steps {
            trial.act(&match step % 3 {
                0 => Act::Publish {
                    conn: 0, topic: 2, persistent: true, mandatory: false, confirm: true,
                },
                1 => Act::Ack { held: step },
                _ => Act::Step(step / 3),
            });
        }
        let seen: Vec<u64> = trial.sent.iter().filter_map(|output| match output {
            Output::Deliver { message, .. } => Some(message.origin),
            _ => None,
        }).collect();
        prop_assert!(seen.is_sorted());
    }
}
