//! The world and its clock: what is due, in which order, and one step at a time.

use crate::collections::{Map, Set};
use std::sync::Arc;

use crate::script::vm::{Answer, Clock};
use crate::sim::connection::Connection;
use crate::sim::event::{Event, Name, Phase, Site, What};
use crate::sim::holds::Holds;
use crate::sim::laps::Laps;
use crate::sim::message::{Asked, Body, Message};
use crate::sim::part::{api, broker, database};
use crate::sim::setup::{PartId, PartKind, Setup};
use crate::sim::station::{DatabaseState, Machine, Power, QueueState, Station};

/// A distributed system at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct World {
    pub(super) setup: Shared,
    pub(super) now_us: i64,
    pub(super) steps: u64,
    pub(super) stations: Vec<Arc<Station>>,
    pub(super) due: Map<(i64, u64), Due>,
    pub(super) scheduled: u64,
    pub(super) held: Vec<Message>,
    pub(super) cuts: Set<(PartId, PartId)>,
    pub(super) conns: Map<u32, Connection>,
    pub(super) next_conn: u32,
    pub(super) calls_at: Map<(PartId, u32), u32>,
    pub(super) laps: Laps,
    pub(super) holds: Holds,
}

/// The setup, compared by identity: it never changes.
#[derive(Clone, Debug)]
pub(super) struct Shared(pub(super) Arc<Setup>);

impl PartialEq for Shared {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl Eq for Shared {}

impl std::hash::Hash for Shared {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.seed.hash(state);
    }
}

/// Something that will happen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Due {
    pub(super) name: Name,
    pub(super) task: Task,
}

/// What will happen. All but an arrival and a notice dies with the power of the part that
/// named it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Task {
    /// A message arrives.
    Arrive(Box<Message>),
    /// Customers send an order.
    Order,
    /// A process starts.
    Start,
    /// `sleep` is over.
    Wake { call: u32 },
    /// A call is given up.
    Timeout { call: u32 },
    /// The part takes its silent peer for dead.
    Notice { conn: u32 },
    /// A server's answer leaves.
    AnswerLeaves { conn: u32, asked: Box<Asked>, answer: Answer },
    /// A statement that waited for a lock goes on.
    Resume { session: u32 },
    /// PostgreSQL looks for a deadlock.
    Deadlock { session: u32 },
    /// The broker does its next thing.
    Broker(broker::Step),
    /// A message in the broker has outlived its time.
    Expire,
}

impl World {
    /// The world before anything happened. All parts have power and start at time 0.
    pub fn new(setup: Arc<Setup>) -> Self {
        let stations = setup.parts.iter().map(|part| Arc::new(station(&part.kind))).collect();
        let mut world = Self {
            setup: Shared(setup),
            now_us: 0,
            steps: 0,
            stations,
            due: Map::new(),
            scheduled: 0,
            held: Vec::new(),
            cuts: Set::new(),
            conns: Map::new(),
            next_conn: 1,
            calls_at: Map::new(),
            laps: Laps::default(),
            holds: Holds::default(),
        };
        world.begin();
        world
    }

    fn begin(&mut self) {
        let setup = self.setup.0.clone();
        for part in setup.part_ids() {
            if matches!(setup.part(part).kind, PartKind::Worker { .. }) {
                self.station_mut(part).power = Power::Starting;
                self.schedule(part, 0, Task::Start);
            }
        }
        for index in 0..setup.workload.count {
            let at_us = FIRST_ORDER_US + setup.workload.every_us * i64::from(index);
            self.schedule(PartId::CUSTOMERS, at_us, Task::Order);
        }
    }

    /// What this world was made of.
    pub fn setup(&self) -> &Arc<Setup> {
        &self.setup.0
    }

    /// Virtual time of the last step or fault, in microseconds.
    pub fn now_us(&self) -> i64 {
        self.now_us
    }

    /// Steps done so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// When the next step happens, if anything is due.
    pub fn next_at_us(&self) -> Option<i64> {
        self.due.keys().next().map(|(at, _)| (*at).max(self.now_us))
    }

    /// The part in which the next step happens, if anything is due.
    pub fn next_runs(&self) -> Option<PartId> {
        self.due.values().next().map(|due| match &due.task {
            Task::Arrive(message) => message.to,
            _ => due.name.part,
        })
    }

    /// How many calls a part's program has made on a line of the scene file so far.
    pub fn calls_made(&self, part: PartId, line: u32) -> u32 {
        self.calls_at.get(&(part, line)).copied().unwrap_or_default()
    }

    /// A part.
    pub fn station(&self, part: PartId) -> &Station {
        &self.stations[part.index()]
    }

    /// Messages under way with their time of arrival, in order of arrival; those that a cut link
    /// holds come last, without one.
    pub fn in_flight(&self) -> impl Iterator<Item = (&Message, Option<i64>)> {
        let flying = self.due.iter().filter_map(|((at, _), due)| match &due.task {
            Task::Arrive(message) => Some((&**message, Some(*at))),
            _ => None,
        });
        flying.chain(self.held.iter().map(|message| (message, None)))
    }

    /// Links that are cut, smaller part first.
    pub fn cuts(&self) -> impl Iterator<Item = (PartId, PartId)> + '_ {
        self.cuts.iter().copied()
    }

    /// The client of a connection, if a server still knows it.
    pub fn client_of(&self, conn: u32) -> Option<PartId> {
        self.conns.get(&conn).map(|conn| conn.client)
    }

    /// Connections of which one end has learnt of the end and the other has not.
    #[cfg(test)]
    pub(crate) fn half_open(&self) -> Vec<u32> {
        let half = self.conns.iter().filter(|(_, conn)| conn.client_open != conn.server_open);
        half.map(|(id, _)| *id).collect()
    }

    /// Names of the events that could come next. On one connection only the first message in
    /// each direction can.
    pub fn enabled(&self) -> Vec<Name> {
        let mut seen = Set::new();
        let due = self.due.values().filter(|due| match &due.task {
            Task::Arrive(message) => seen.insert((message.conn, message.to)),
            _ => true,
        });
        due.map(|due| due.name).collect()
    }

    /// Does the next step; `false` if nothing is due.
    pub fn step(&mut self, events: &mut Vec<Event>) -> bool {
        match self.due.keys().next().copied() {
            Some(key) => self.perform(key, events),
            None => false,
        }
    }

    /// Does the step of this name next, whenever it was due; `false` if it is not enabled.
    pub fn step_named(&mut self, name: Name, events: &mut Vec<Event>) -> bool {
        if !self.enabled().contains(&name) {
            return false;
        }
        match self.due.iter().find(|(_, due)| due.name == name).map(|(key, _)| *key) {
            Some(key) => self.perform(key, events),
            None => false,
        }
    }

    fn perform(&mut self, key: (i64, u64), events: &mut Vec<Event>) -> bool {
        let Some(due) = self.due.remove(&key) else { return false };
        self.wait_until(key.0);
        self.steps += 1;
        let Due { name, task } = due;
        let number = self.steps;
        let mut step = Step { world: self, events, number, cause: Some(name) };
        step.task(name.part, task);
        true
    }

    pub(super) fn station_mut(&mut self, part: PartId) -> &mut Station {
        Arc::make_mut(&mut self.stations[part.index()])
    }

    pub(super) fn name(&mut self, part: PartId) -> Name {
        let station = self.station_mut(part);
        station.named += 1;
        Name { part, n: station.named }
    }

    pub(super) fn schedule(&mut self, part: PartId, after_us: i64, task: Task) -> Name {
        let name = self.name(part);
        self.schedule_as(name, self.now_us + after_us, task);
        name
    }

    pub(super) fn schedule_as(&mut self, name: Name, at_us: i64, task: Task) {
        self.scheduled += 1;
        self.due.insert((at_us, self.scheduled), Due { name, task });
    }

    pub(super) fn cancel(&mut self, name: Name) {
        self.due.retain(|_, due| due.name != name);
    }

    /// Lets time pass up to a moment without doing anything that is due later. When a stored time
    /// is passed that a query was compared with, the programs' laps start again.
    pub fn wait_until(&mut self, at_us: i64) {
        if at_us <= self.now_us {
            return;
        }
        if self.horizon_us().is_some_and(|us| (self.now_us..at_us).contains(&us)) {
            self.laps.clear();
        }
        self.now_us = at_us;
    }

    /// The latest stored time at which a comparison made so far turns out otherwise.
    pub(super) fn horizon_us(&self) -> Option<i64> {
        let horizons = self.stations.iter().filter_map(|station| match &station.machine {
            Machine::Database(state) => Some(state.database.horizon()),
            _ => None,
        });
        horizons.max()
    }

    pub(super) fn clock(&self, part: PartId) -> Clock {
        let starts = u64::from(self.station(part).starts);
        let base = self.setup.0.seed ^ u64::from(part.0) << 48 ^ starts << 32;
        Clock { now_us: self.now_us, uuid_base: base }
    }
}

/// When the first order is sent: late enough for the programs to have started.
const FIRST_ORDER_US: i64 = 100_000;

fn station(kind: &PartKind) -> Station {
    let machine = match kind {
        PartKind::Customers => Machine::Customers { ordered: 0 },
        PartKind::Service { .. } => Machine::Worker(Some(Arc::default())),
        PartKind::Worker { .. } => Machine::Worker(None),
        PartKind::Database { tables } => Machine::Database(Box::new(DatabaseState {
            database: database::Database::new(tables),
            waiting: Map::new(),
            orders: Map::new(),
            since_us: Map::new(),
            answering: Set::new(),
            unread: Vec::new(),
            resuming: Vec::new(),
            refuse_commit: false,
        })),
        PartKind::Queue { config } => Machine::Queue(Box::new(QueueState {
            broker: broker::QueueBroker::new(config.clone()),
            scheduled: Vec::new(),
            asked: Map::new(),
            expiry: None,
        })),
        PartKind::Mail { config } => Machine::Mail(Box::new(api::MailApi::new(api::Mail, *config))),
    };
    Station::new(machine, Power::On)
}

/// One step in progress: the world and where its events go.
pub(super) struct Step<'a> {
    pub(super) world: &'a mut World,
    pub(super) events: &'a mut Vec<Event>,
    /// The number that its events carry.
    pub(super) number: u64,
    pub(super) cause: Option<Name>,
}

impl Step<'_> {
    fn task(&mut self, part: PartId, task: Task) {
        match task {
            Task::Arrive(message) => self.arrive(*message),
            Task::Order => self.order(),
            Task::Start => self.start(part),
            Task::Wake { call } => self.wake(part, call),
            Task::Timeout { call } => self.time_out(part, call),
            Task::Notice { conn } => self.notice(part, conn),
            Task::AnswerLeaves { conn, asked, answer } => {
                self.answer_leaves(part, conn, *asked, answer);
            }
            Task::Resume { session } => self.resume(part, session),
            Task::Deadlock { session } => self.deadlock(part, session),
            Task::Broker(step) => self.broker_step(part, step),
            Task::Expire => self.broker_expires(part),
        }
    }

    pub(super) fn note(&mut self, part: PartId, what: What) {
        self.record(part, what, None, None);
    }

    pub(super) fn note_order(&mut self, part: PartId, what: What, order: Option<i64>) {
        self.record(part, what, order, None);
    }

    pub(super) fn note_call(&mut self, part: PartId, what: What, asked: &Asked, phase: Phase) {
        self.record(part, what, asked.order, Some((asked.site, phase)));
    }

    fn record(
        &mut self,
        part: PartId,
        what: What,
        order: Option<i64>,
        call: Option<(Site, Phase)>,
    ) {
        self.events.push(Event {
            step: self.number,
            time_us: self.world.now_us,
            part,
            what,
            order,
            call,
            cause: self.cause,
        });
    }

    /// Something changed that is more than a program going round: a row, a message, an effect,
    /// a connection.
    pub(super) fn changed(&mut self) {
        self.world.laps.clear();
    }

    /// Something moved that will be put back, as a change that is not committed yet.
    pub(super) fn stirred(&mut self) {
        self.world.laps.stir();
    }

    fn order(&mut self) {
        let customers = PartId::CUSTOMERS;
        let Machine::Customers { ordered } = &mut self.world.station_mut(customers).machine else {
            return;
        };
        *ordered += 1;
        let order = i64::from(*ordered);
        self.changed();
        self.note_order(customers, What::Ordered, Some(order));
        let setup = self.world.setup.0.clone();
        let services = setup
            .part_ids()
            .filter(|part| matches!(setup.part(*part).kind, PartKind::Service { .. }));
        for service in services {
            let conn = self.world.connect(customers, service);
            self.send(customers, conn, Body::Order { order }, Some(order));
        }
    }
}
