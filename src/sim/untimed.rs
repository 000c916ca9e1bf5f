//! What may come next if nothing is known of delays: for a search, which takes every order of
//! events for possible and needs to know which of them belong together.

use crate::sim::connection::Connection;
use crate::sim::event::Name;
use crate::sim::message::{Body, Message};
use crate::sim::part::{broker, database};
use crate::sim::setup::PartId;
use crate::sim::station::{Machine, Power};
use crate::sim::world::{Due, Task, World};

/// An event that may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    /// Its name.
    pub name: Name,
    /// What it means to a search.
    pub chance: Chance,
    /// The parts that it touches; one of them twice if there is no other.
    pub parts: (PartId, PartId),
    /// The client, the server and the number of its connection, by which events are put in an
    /// order that does not depend on time.
    pub rank: (PartId, PartId, u32),
}

/// What an event means to a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// It may come at any moment.
    Any,
    /// So may this, and it is a COMMIT, which the database may be made to refuse.
    Commit,
    /// It belongs to the step of the event before it: a server's answer on its way, the end of
    /// a connection, a message to nobody, or something that nobody but its client could tell from
    /// nothing.
    FollowUp,
    /// One order of many: which of them comes does not matter.
    Order,
    /// A call is given up, though its peer is well and may still answer: only if a message is
    /// late. `late` is that message, if one is under way.
    Impatience {
        /// The request or its answer.
        late: Option<Name>,
    },
}

impl World {
    /// All that may come next, in a fixed order.
    pub fn chances(&self) -> Vec<Pending> {
        let mut seen = crate::collections::Set::new();
        let due = self.due.values().filter(|due| match &due.task {
            Task::Arrive(message) => seen.insert((message.conn, message.to)),
            _ => true,
        });
        let mut chances: Vec<Pending> = due.map(|due| self.chance(due)).collect();
        crate::collections::sort_by(&mut chances, |a, b| a.rank.cmp(&b.rank));
        chances
    }

    fn chance(&self, due: &Due) -> Pending {
        let part = due.name.part;
        let (chance, conn) = match &due.task {
            Task::Arrive(message) => (self.arrival(message), Some(message.conn)),
            Task::Order => (Chance::Order, None),
            Task::Start
            | Task::Wake { .. }
            | Task::Expire
            | Task::Broker(broker::Step::Deliver(_)) => (Chance::Any, None),
            Task::Timeout { call } => self.time_out_chance(part, *call),
            Task::Notice { conn } => (Chance::Any, Some(*conn)),
            Task::AnswerLeaves { conn, .. } => (Chance::FollowUp, Some(*conn)),
            Task::Resume { session } | Task::Deadlock { session } => (Chance::Any, Some(*session)),
            Task::Broker(broker::Step::Answer(conn)) => (Chance::FollowUp, Some(conn.0)),
            Task::Broker(broker::Step::Flush) => (Chance::FollowUp, None),
        };
        let ends = conn.and_then(|conn| self.conns.get(&conn));
        let ends = ends.map_or((part, part), |conn| (conn.client, conn.server));
        let rank = (ends.0, ends.1, conn.unwrap_or_default());
        Pending { name: due.name, chance, parts: ends, rank }
    }

    fn arrival(&self, message: &Message) -> Chance {
        let Some(conn) = self.conns.get(&message.conn) else { return Chance::FollowUp };
        let taken = conn.is_open_at(message.to) && self.station(message.to).is_up();
        match &message.body {
            // Had it waited for the part to come back, the part might as well have come back
            // before it left.
            _ if !taken => Chance::FollowUp,
            // An operating system that is alive tells at once.
            Body::Reset => Chance::FollowUp,
            Body::Answer { .. } | Body::OrderAnswer { .. } | Body::Delivery { .. } => {
                Chance::FollowUp
            }
            Body::Statement { request, .. } => self.statement(message, request),
            _ => Chance::Any,
        }
    }

    fn statement(&self, message: &Message, request: &database::Request) -> Chance {
        use database::Request::{Begin, Commit, Prepare, Rollback};
        let Machine::Database(state) = &self.station(message.to).machine else {
            return Chance::Any;
        };
        let session = database::SessionId(message.conn);
        let unseen = match request {
            Begin => true,
            Commit | Rollback => state.database.has_touched_nothing(session),
            _ => false,
        };
        match request {
            _ if unseen && !state.refuse_commit => Chance::FollowUp,
            Commit | Prepare(_) => Chance::Commit,
            _ => Chance::Any,
        }
    }

    /// Giving up needs a reason: the peer is dead or cut off, the connection is lost, or the
    /// statement waits for a lock while some session's client is dead.
    fn time_out_chance(&self, part: PartId, call: u32) -> (Chance, Option<u32>) {
        let process = self.station(part).process();
        let Some(open) = process.and_then(|process| process.calls.get(&call)) else {
            return (Chance::Any, None);
        };
        let Some(id) = open.conn else { return (Chance::Any, None) };
        let cut = self.cuts.contains(&Self::link(part, open.to));
        let whole = |conn: &Connection| conn.client_open && conn.server_open && !conn.broken;
        let well = self.station(open.to).power == Power::On
            && !cut
            && self.conns.get(&id).is_some_and(whole);
        if !well || self.waits_for_the_dead(open.to, id) {
            return (Chance::Any, Some(id));
        }
        let mut flying = self.in_flight().map(|(message, _)| message);
        let own = flying.find(|message| {
            message.conn == id && message.body.asked().is_some_and(|asked| asked.call == call)
        });
        (Chance::Impatience { late: own.map(|message| message.name) }, Some(id))
    }

    fn waits_for_the_dead(&self, server: PartId, session: u32) -> bool {
        let Machine::Database(state) = &self.station(server).machine else { return false };
        let half_dead = |conn: &Connection| {
            conn.server == server && conn.server_open && (!conn.client_open || conn.broken)
        };
        state.waiting.contains_key(&session)
            && self.conns.values().any(|conn| {
                half_dead(conn) || self.cuts.contains(&Self::link(conn.client, conn.server))
            })
    }
}
