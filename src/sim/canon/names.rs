//! The ranks that stand for numbers in a canonical world.

use crate::collections::{Map, Set, sort};
use crate::script::vm::{self, Host, HostClass};
use crate::sim::message::{Body, Message};
use crate::sim::part::broker::{self, ConnId, Tag};
use crate::sim::process::Process;
use crate::sim::setup::PartId;
use crate::sim::station::Machine;
use crate::sim::world::{Task, World};

/// What stands for a number that nothing knows any more.
const GONE: u32 = u32::MAX;

/// Ranks of all numbers of a world.
#[derive(Debug, Default)]
pub(super) struct Names {
    conns: Map<u32, u32>,
    /// The client of each connection.
    clients: Map<u32, PartId>,
    tags: Map<(u32, Tag), u64>,
    processes: Map<PartId, Ranks>,
}

/// Ranks of the numbers of one process.
#[derive(Debug, Default)]
pub(super) struct Ranks {
    calls: Map<u32, u32>,
    sessions: Map<u32, u32>,
    deliveries: Map<u32, u32>,
    requests: Map<u32, u32>,
}

impl Names {
    pub(super) fn of(world: &World) -> Self {
        let mut conns: Vec<(PartId, PartId, u32)> =
            world.conns.iter().map(|(id, conn)| (conn.client, conn.server, *id)).collect();
        sort(&mut conns);
        let stations = world.setup().part_ids().map(|part| (part, world.station(part)));
        let processes =
            stations.filter_map(|(part, station)| Some((part, Ranks::of(station.process()?))));
        Self {
            clients: conns.iter().map(|(client, _, id)| (*id, *client)).collect(),
            conns: conns.iter().map(|(_, _, id)| *id).zip(1..).collect(),
            tags: tags(world),
            processes: processes.collect(),
        }
    }

    pub(super) fn conn(&self, id: u32) -> u32 {
        self.conns.get(&id).copied().unwrap_or(GONE)
    }

    pub(super) fn call(&self, part: PartId, id: u32) -> u32 {
        let process = self.processes.get(&part);
        process.and_then(|process| process.calls.get(&id)).copied().unwrap_or(GONE)
    }

    pub(super) fn tag(&self, conn: u32, tag: Tag) -> Tag {
        Tag(self.tags.get(&(conn, tag)).copied().unwrap_or_default())
    }

    /// The ranks of a process that runs.
    pub(super) fn process(&self, part: PartId) -> OfProcess<'_> {
        OfProcess(self.processes.get(&part))
    }
}

impl broker::Rename for Names {
    fn conn(&self, conn: ConnId) -> ConnId {
        ConnId(self.conn(conn.0))
    }

    fn token(&self, conn: ConnId, token: u64) -> u64 {
        let client = self.clients.get(&conn.0).copied();
        let call = u32::try_from(token).unwrap_or(GONE);
        u64::from(client.map_or(GONE, |client| self.call(client, call)))
    }

    fn tag(&self, conn: ConnId, tag: Tag) -> Tag {
        self.tag(conn.0, tag)
    }
}

/// The ranks of one process, or of none.
#[derive(Clone, Copy)]
pub(super) struct OfProcess<'a>(Option<&'a Ranks>);

impl OfProcess<'_> {
    fn rank(self, map: impl Fn(&Ranks) -> &Map<u32, u32>, id: u32) -> u32 {
        self.0.and_then(|ranks| map(ranks).get(&id)).copied().unwrap_or_default()
    }

    pub(super) fn session(self, id: u32) -> u32 {
        self.rank(|ranks| &ranks.sessions, id)
    }

    pub(super) fn delivery(self, id: u32) -> u32 {
        self.rank(|ranks| &ranks.deliveries, id)
    }

    pub(super) fn request(self, id: u32) -> u32 {
        self.rank(|ranks| &ranks.requests, id)
    }
}

impl vm::Rename for OfProcess<'_> {
    fn call(&self, id: u32) -> u32 {
        self.0.and_then(|ranks| ranks.calls.get(&id)).copied().unwrap_or(GONE)
    }

    fn host(&self, host: Host) -> Host {
        match host.class {
            HostClass::Transaction => Host { id: self.session(host.id), ..host },
            HostClass::Message => Host { id: self.delivery(host.id), ..host },
            HostClass::Database | HostClass::Queue | HostClass::Mail => host,
        }
    }

    fn ticket(&self, ticket: u32) -> u32 {
        self.request(ticket)
    }
}

impl Ranks {
    fn of(process: &Process) -> Self {
        let ranks = |ids: Vec<u32>| ids.into_iter().zip(1..).collect::<Map<u32, u32>>();
        let mut sessions: Vec<u32> = process.sessions.iter().map(|session| session.id).collect();
        sort(&mut sessions);
        Self {
            calls: ranks(process.calls.keys().copied().collect()),
            sessions: ranks(sessions),
            deliveries: ranks(process.deliveries.keys().copied().collect()),
            requests: ranks(process.requests.keys().copied().collect()),
        }
    }
}

/// Ranks of delivery tags, from 1 on each connection.
fn tags(world: &World) -> Map<(u32, Tag), u64> {
    let mut live: Set<(u32, Tag)> = Set::new();
    for part in world.setup().part_ids() {
        match &world.station(part).machine {
            Machine::Queue(state) => {
                live.extend(state.broker.unacked().map(|(conn, tag, _)| (conn.0, tag)));
            }
            Machine::Worker(Some(process)) => {
                live.extend(process.deliveries.values().map(|(conn, tag, _)| (*conn, *tag)));
            }
            _ => {}
        }
    }
    let flying = world.due.values().filter_map(|due| match &due.task {
        Task::Arrive(message) => Some(&**message),
        _ => None,
    });
    live.extend(flying.chain(&world.held).filter_map(tag_of));
    let mut ranks = Map::new();
    let mut last = (0, 0);
    for (conn, tag) in &live {
        last = if last.0 == *conn { (*conn, last.1 + 1) } else { (*conn, 1) };
        ranks.insert((*conn, *tag), last.1);
    }
    ranks
}

fn tag_of(message: &Message) -> Option<(u32, Tag)> {
    match &message.body {
        Body::Delivery { tag, .. }
        | Body::ToBroker { request: broker::Request::Ack { tag }, .. }
        | Body::ToBroker { request: broker::Request::Nack { tag, .. }, .. } => {
            Some((message.conn, *tag))
        }
        _ => None,
    }
}
