//! Worlds that will do the same are one state to a search. A canonical world has no time, no
//! counters and no record of the past; what the world numbers is numbered by rank.
//!
//! Why merging is sound. Numbers of connections, sessions, transactions, rows, entries, tags,
//! calls, requests and names are only compared with each other, for equality or for order, and
//! ranks keep both; connections are ordered only among those of one client and one server,
//! as nothing compares others. Nothing reads names, counts of calls, laps or holds but the log,
//! anchors and the test for rest, which a search replaces. Times are read by delays, which a
//! search replaces by "at any moment", and by comparisons with `now()`, for which
//! [`World::depends_on_time`] asks. A canonical world is for comparing only and never runs.

mod names;

use std::sync::Arc;

use crate::collections::{Map, Set, sort, sort_by};
use crate::datum::Datum;
use crate::script::vm::Answer;
use crate::sim::event::{Name, fingerprint, wide_fingerprint};
use crate::sim::holds::Holds;
use crate::sim::laps::Laps;
use crate::sim::message::{Asked, Body, Message};
use crate::sim::part::{api, broker, database};
use crate::sim::process::Process;
use crate::sim::setup::PartId;
use crate::sim::station::{DatabaseState, Machine, Power, QueueState, Station};
use crate::sim::world::{Due, Task, World};
use names::Names;

impl World {
    /// The hash of the canonical world: equal for two worlds that will do the same. Of more than
    /// `effects_max` equal effects those that are too many do not count.
    pub fn state(&self, effects_max: u32) -> u128 {
        wide_fingerprint(&self.canonical(effects_max))
    }

    /// The hash of the world with all its times and numbers.
    pub fn raw_state(&self) -> u128 {
        wide_fingerprint(self)
    }

    /// Whether what happens depends on how much time passes: a statement has compared something
    /// with `now()`, a service forgets keys, or a queue's messages expire.
    pub fn depends_on_time(&self) -> bool {
        let forgets = |station: &Arc<Station>| match &station.machine {
            Machine::Mail(mail) => mail.has_deadlines(),
            Machine::Queue(state) => state.expiry.is_some(),
            _ => false,
        };
        self.horizon_us().is_some_and(|us| us != i64::MIN) || self.stations.iter().any(forgets)
    }

    fn canonical(&self, effects_max: u32) -> Self {
        let names = Names::of(self);
        let mut conns = Map::new();
        for (id, conn) in &self.conns {
            let mut conn = *conn;
            conn.last_us = conn.last_us.map(|us| i64::from(us != 0));
            conns.insert(names.conn(*id), conn);
        }
        let stations = self.part_ids().zip(&self.stations);
        let stations = stations.map(|(part, station)| {
            let mut station = (**station).clone();
            canonical_station(&mut station, part, &names, effects_max);
            Arc::new(station)
        });
        let mut over = Set::new();
        let held = self.held.iter().filter(|message| self.counts(message, &mut over));
        Self {
            setup: self.setup.clone(),
            now_us: 0,
            steps: 0,
            stations: stations.collect(),
            due: self.canonical_due(&names),
            scheduled: 0,
            held: held.map(|message| names.message(message)).collect(),
            cuts: self.cuts.clone(),
            conns,
            next_conn: 0,
            calls_at: Map::new(),
            laps: Laps::default(),
            holds: Holds::default(),
        }
    }

    fn part_ids(&self) -> impl Iterator<Item = PartId> + use<> {
        self.setup().part_ids()
    }

    /// Whether a message can still matter: not over a forgotten connection, nor behind the message
    /// that ends it. `over` are the directions of connections whose end was met.
    fn counts(&self, message: &Message, over: &mut Set<(u32, PartId)>) -> bool {
        let direction = (message.conn, message.to);
        let counts = self.conns.contains_key(&message.conn) && !over.contains(&direction);
        if message.body == Body::Reset {
            over.insert(direction);
        }
        counts
    }

    /// What is due, in an order that depends on nothing but what it is. Messages of one
    /// direction of a connection keep their order.
    fn canonical_due(&self, names: &Names) -> Map<(i64, u64), Due> {
        let mut before: Map<(u32, PartId), i64> = Map::new();
        let mut due: Vec<(i64, u64, Due)> = Vec::new();
        let mut over = Set::new();
        for Due { name, task } in self.due.values() {
            let place = match task {
                Task::Arrive(message) if !self.counts(message, &mut over) => continue,
                Task::Arrive(message) => {
                    let place = before.entry((message.conn, message.to)).or_default();
                    *place += 1;
                    *place
                }
                _ => 0,
            };
            let task = names.task(name.part, task);
            let entry = Due { name: Name { part: name.part, n: 0 }, task };
            due.push((place, fingerprint(&entry), entry));
        }
        sort_by(&mut due, |a, b| (a.0, a.1).cmp(&(b.0, b.1)));
        let numbered = (0u64..).zip(due);
        numbered.map(|(number, (place, _, entry))| ((place, number), entry)).collect()
    }
}

fn canonical_station(station: &mut Station, part: PartId, names: &Names, effects_max: u32) {
    (station.named, station.starts) = (0, 0);
    if let Power::Crashed { until_us } = &mut station.power {
        *until_us = 0;
    }
    match &mut station.machine {
        Machine::Customers { .. } | Machine::Worker(None) => {}
        Machine::Worker(Some(process)) => {
            *process = Arc::new(canonical_process(process, part, names));
        }
        Machine::Database(state) => canonical_database(state, names),
        Machine::Queue(state) => canonical_queue(state, names),
        Machine::Mail(mail) => mail.canonical(effects_max),
    }
}

fn canonical_process(process: &Process, part: PartId, names: &Names) -> Process {
    let of = names.process(part);
    let mut vm = process.vm.clone();
    vm.canonical(&of);
    let calls = process.calls.iter().map(|(id, call)| {
        let mut call = call.clone();
        call.conn = call.conn.map(|conn| names.conn(conn));
        call.asked = names.asked(&call.asked);
        call.timeout = call.timeout.map(|name| Name { n: 0, ..name });
        (names.call(part, *id), call)
    });
    let sessions = process.sessions.iter().map(|session| {
        let mut session = *session;
        session.id = of.session(session.id);
        session.conn = names.conn(session.conn);
        session
    });
    let channels = process.channels.iter().map(|(to, conn)| (*to, names.conn(*conn)));
    let deliveries = process.deliveries.iter().map(|(id, (conn, tag, order))| {
        let tag = names.tag(*conn, *tag);
        (of.delivery(*id), (names.conn(*conn), tag, *order))
    });
    let requests = process.requests.iter();
    let requests =
        requests.map(|(id, (conn, order))| (of.request(*id), (names.conn(*conn), *order)));
    Process {
        vm,
        calls: calls.collect(),
        sessions: sessions.collect(),
        channels: channels.collect(),
        deliveries: deliveries.collect(),
        requests: requests.collect(),
        next_delivery: 0,
        next_ticket: 0,
        next_session: 0,
    }
}

fn canonical_database(state: &mut DatabaseState, names: &Names) {
    let session = |id: u32| names.conn(id);
    state.database.canonical(&session);
    let waiting = state.waiting.iter();
    state.waiting = waiting.map(|(id, asked)| (session(*id), names.asked(asked))).collect();
    let orders = state.orders.iter();
    state.orders = orders.map(|(id, orders)| (session(*id), orders.clone())).collect();
    state.since_us = state.since_us.keys().map(|id| (session(*id), 0)).collect();
    state.answering = state.answering.iter().map(|id| session(*id)).collect::<Set<_>>();
    for (id, asked, request) in &mut state.unread {
        *id = session(*id);
        *asked = names.asked(asked);
        *request = request_without_time(request);
    }
    state.resuming.iter_mut().for_each(|id| *id = session(*id));
    sort(&mut state.resuming);
}

fn canonical_queue(state: &mut QueueState, names: &Names) {
    state.broker.canonical(names);
    state.scheduled = state.scheduled.iter().map(|step| names.broker_step(*step)).collect();
    sort(&mut state.scheduled);
    let asked = state.asked.iter().map(|((conn, token), asked)| {
        let token = broker::Rename::token(names, broker::ConnId(*conn), *token);
        ((names.conn(*conn), token), names.asked(asked))
    });
    state.asked = asked.collect();
    state.expiry = state.expiry.map(|(_, timer)| (0, Name { n: 0, ..timer }));
}

fn request_without_time(request: &database::Request) -> database::Request {
    match request {
        database::Request::Query { statement, params } => database::Request::Query {
            statement: statement.clone(),
            params: params.iter().map(Datum::without_time).collect(),
        },
        other => other.clone(),
    }
}

fn answer_without_time(answer: &Answer) -> Answer {
    match answer {
        Answer::Value(value) => Answer::Value(value.without_time()),
        other => other.clone(),
    }
}

impl Names {
    fn asked(&self, asked: &Asked) -> Asked {
        let mut asked = asked.clone();
        asked.call = self.call(asked.site.part, asked.call);
        asked.site.nth = 0;
        asked
    }

    fn message(&self, message: &Message) -> Message {
        Message {
            name: Name { n: 0, ..message.name },
            conn: self.conn(message.conn),
            depart_us: 0,
            body: self.body(message),
            ..message.clone()
        }
    }

    fn body(&self, message: &Message) -> Body {
        let conn = broker::ConnId(message.conn);
        match &message.body {
            Body::Statement { asked, request } => {
                Body::Statement { asked: self.asked(asked), request: request_without_time(request) }
            }
            Body::Letter { asked, letter, key } => {
                let letter = api::Letter {
                    order: letter.order.without_time(),
                    to: letter.to.without_time(),
                    kind: letter.kind.clone(),
                };
                Body::Letter { asked: self.asked(asked), letter, key: key.clone() }
            }
            Body::ToBroker { asked, request } => Body::ToBroker {
                asked: self.asked(asked),
                request: self.broker_request(conn, request),
            },
            Body::Answer { asked, answer } => {
                Body::Answer { asked: self.asked(asked), answer: answer_without_time(answer) }
            }
            Body::Delivery { subscription, tag, redelivered, message: delivered } => {
                Body::Delivery {
                    subscription: self.call(message.to, *subscription),
                    tag: self.tag(message.conn, *tag),
                    redelivered: *redelivered,
                    message: delivered.without_origin(),
                }
            }
            other @ (Body::Order { .. } | Body::OrderAnswer { .. } | Body::Reset) => other.clone(),
        }
    }

    fn broker_request(&self, conn: broker::ConnId, request: &broker::Request) -> broker::Request {
        use broker::Rename as _;
        use broker::Request::{Ack, Cancel, Declare, Nack, Publish, Subscribe};
        let mut request = request.clone();
        match &mut request {
            Publish { message, token, .. } => {
                *message = message.without_origin();
                *token = self.token(conn, *token);
            }
            Subscribe { token, .. } | Declare { token, .. } => *token = self.token(conn, *token),
            Ack { tag } | Nack { tag, .. } => *tag = self.tag(conn.0, *tag),
            Cancel { consumer, token } => {
                *consumer = self.token(conn, *consumer);
                *token = self.token(conn, *token);
            }
        }
        request
    }

    fn task(&self, part: PartId, task: &Task) -> Task {
        match task {
            Task::Arrive(message) => Task::Arrive(Box::new(self.message(message))),
            Task::Wake { call } => Task::Wake { call: self.call(part, *call) },
            Task::Timeout { call } => Task::Timeout { call: self.call(part, *call) },
            Task::Notice { conn } => Task::Notice { conn: self.conn(*conn) },
            Task::AnswerLeaves { conn, asked, answer } => Task::AnswerLeaves {
                conn: self.conn(*conn),
                asked: Box::new(self.asked(asked)),
                answer: answer_without_time(answer),
            },
            Task::Resume { session } => Task::Resume { session: self.conn(*session) },
            Task::Deadlock { session } => Task::Deadlock { session: self.conn(*session) },
            Task::Broker(step) => Task::Broker(self.broker_step(*step)),
            Task::Order | Task::Start | Task::Expire => task.clone(),
        }
    }

    fn broker_step(&self, step: broker::Step) -> broker::Step {
        match step {
            broker::Step::Answer(conn) => broker::Step::Answer(broker::ConnId(self.conn(conn.0))),
            other => other,
        }
    }
}
