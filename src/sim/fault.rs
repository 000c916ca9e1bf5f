//! What a learner or a search can do to a world.

use crate::sim::event::{Event, Loss, Name, What};
use crate::sim::setup::{PartId, PartKind};
use crate::sim::station::{Machine, Power};
use crate::sim::world::{Step, Task, World};

/// Something done to the world from outside, between two steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// Power cut: nobody is told; peers notice after [`super::Delays::notice_us`].
    Unplug(PartId),
    /// The cord is in again; the part starts.
    Plug(PartId),
    /// The process dies; the operating system resets its connections at once.
    Kill(PartId),
    /// A killed process starts again.
    Restart(PartId),
    /// Nothing passes between two parts any more.
    Cut(PartId, PartId),
    /// It does again.
    Mend(PartId, PartId),
    /// A message is lost and, as TCP must have it, all behind it on its connection, which is
    /// then reset at both ends.
    Drop(Name),
    /// A message comes later, by this many microseconds, and all behind it.
    Delay(Name, i64),
    /// The next COMMIT of a database is refused by a constraint.
    Refuse(PartId),
    /// Not a fault: the customers send one more order.
    Order,
}

/// Why a fault cannot be done now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Inapplicable {
    /// The part has no cord.
    NoCord,
    /// It has no power, or no process, already.
    AlreadyDown,
    /// It is not unplugged.
    NotUnplugged,
    /// It was not killed.
    NotKilled,
    /// The link is cut already, or was never cut.
    LinkUnchanged,
    /// No message of this name is under way.
    NotInFlight,
    /// It is no database.
    NotADatabase,
}

/// How a part goes down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// Silently.
    Power,
    /// With its connections reset by the operating system.
    Kill,
    /// By an error of its own: as a kill.
    Crash,
}

impl World {
    /// Does a fault now, before the next step. Its events carry the number of that step.
    ///
    /// # Errors
    /// If it makes no sense now; then nothing changed.
    pub fn apply(&mut self, fault: Fault, events: &mut Vec<Event>) -> Result<(), Inapplicable> {
        self.check(fault)?;
        let number = self.steps() + 1;
        let mut step = Step { world: self, events, number, cause: None };
        step.changed();
        step.fault(fault);
        Ok(())
    }

    fn check(&self, fault: Fault) -> Result<(), Inapplicable> {
        match fault {
            Fault::Unplug(part) => {
                self.has_cord(part)?;
                match self.station(part).power {
                    Power::Unplugged => Err(Inapplicable::AlreadyDown),
                    _ => Ok(()),
                }
            }
            Fault::Plug(part) => {
                let is_out = self.station(part).power == Power::Unplugged;
                is_out.then_some(()).ok_or(Inapplicable::NotUnplugged)
            }
            Fault::Kill(part) => {
                self.has_cord(part)?;
                match self.station(part).power {
                    Power::Unplugged | Power::Killed => Err(Inapplicable::AlreadyDown),
                    _ => Ok(()),
                }
            }
            Fault::Restart(part) => {
                let was_killed = self.station(part).power == Power::Killed;
                was_killed.then_some(()).ok_or(Inapplicable::NotKilled)
            }
            Fault::Cut(a, b) | Fault::Mend(a, b) => {
                let is_cut = self.cuts.contains(&Self::link(a, b));
                let cuts = matches!(fault, Fault::Cut(..));
                (is_cut != cuts && a != b).then_some(()).ok_or(Inapplicable::LinkUnchanged)
            }
            Fault::Drop(name) => {
                let flies = self.in_flight().any(|(message, _)| message.name == name);
                flies.then_some(()).ok_or(Inapplicable::NotInFlight)
            }
            Fault::Delay(name, _) => {
                let mut flying = self.in_flight().filter(|(_, at_us)| at_us.is_some());
                let flies = flying.any(|(message, _)| message.name == name);
                flies.then_some(()).ok_or(Inapplicable::NotInFlight)
            }
            Fault::Refuse(part) => match self.setup().part(part).kind {
                PartKind::Database { .. } => Ok(()),
                _ => Err(Inapplicable::NotADatabase),
            },
            Fault::Order => Ok(()),
        }
    }

    fn has_cord(&self, part: PartId) -> Result<(), Inapplicable> {
        self.setup().has_cord(part).then_some(()).ok_or(Inapplicable::NoCord)
    }
}

impl Step<'_> {
    fn fault(&mut self, fault: Fault) {
        match fault {
            Fault::Unplug(part) => {
                self.note(part, What::Unplugged);
                self.fail(part, Failure::Power);
                self.world.station_mut(part).power = Power::Unplugged;
            }
            Fault::Kill(part) => {
                self.note(part, What::Killed);
                self.fail(part, Failure::Kill);
                self.world.station_mut(part).power = Power::Killed;
            }
            Fault::Plug(part) => self.start_again(part, What::Plugged),
            Fault::Restart(part) => self.start_again(part, What::Restarted),
            Fault::Cut(a, b) => self.cut(a, b),
            Fault::Mend(a, b) => self.mend(a, b),
            Fault::Drop(name) => self.drop_message(name),
            Fault::Delay(name, by_us) => self.delay(name, by_us.max(0)),
            Fault::Refuse(part) => {
                if let Machine::Database(state) = &mut self.world.station_mut(part).machine {
                    state.refuse_commit = true;
                }
                self.note(part, What::RefusalArmed);
            }
            Fault::Order => {
                self.world.schedule(PartId::CUSTOMERS, 0, Task::Order);
            }
        }
    }

    fn start_again(&mut self, part: PartId, what: What) {
        self.note(part, what);
        self.world.station_mut(part).power = Power::Starting;
        self.world.schedule(part, START_US, Task::Start);
    }

    /// A part goes down: what is volatile is gone, what it would have done will not happen, and
    /// its peers learn of it at once or in time.
    pub(super) fn fail(&mut self, part: PartId, failure: Failure) {
        self.memory_lost(part);
        self.world.due.retain(|_, due| {
            due.name.part != part || matches!(due.task, Task::Arrive(_) | Task::Order)
        });
        match &mut self.world.station_mut(part).machine {
            Machine::Worker(process) => *process = None,
            Machine::Database(_) => self.database_crash(part),
            Machine::Queue(_) => self.broker_crash(part),
            Machine::Mail(_) | Machine::Customers { .. } => {}
        }
        let conns = self.world.conns.iter().filter(|(_, conn)| conn.touches(part));
        let conns: Vec<(u32, PartId)> = conns.map(|(id, conn)| (*id, conn.peer(part))).collect();
        for (conn, peer) in conns {
            match failure {
                Failure::Kill | Failure::Crash => self.hang_up(part, conn),
                Failure::Power => {
                    self.world.close_at(conn, part);
                    self.notice_later(peer, conn);
                }
            }
        }
    }

    fn cut(&mut self, a: PartId, b: PartId) {
        self.note(a, What::Cut(b));
        self.world.cuts.insert(World::link(a, b));
        let arrives = |task: &Task| match task {
            Task::Arrive(message) => World::link(message.from, message.to) == World::link(a, b),
            _ => false,
        };
        let due = std::mem::take(&mut self.world.due);
        for (key, entry) in due {
            match entry.task {
                task if !arrives(&task) => {
                    self.world.due.insert(key, super::world::Due { name: entry.name, task });
                }
                Task::Arrive(message) => self.world.held.push(*message),
                _ => {}
            }
        }
        let conns = self.world.conns.iter().filter(|(_, conn)| conn.joins(a, b));
        let conns: Vec<u32> = conns.map(|(id, _)| *id).collect();
        for conn in conns {
            for part in [a, b] {
                self.notice_later(part, conn);
            }
        }
    }

    /// What was held goes on in its old order; what noticed the silence before has hung up.
    fn mend(&mut self, a: PartId, b: PartId) {
        self.note(a, What::Mended(b));
        self.world.cuts.remove(&World::link(a, b));
        let healed: Vec<u32> = {
            let joined = self
                .world
                .conns
                .iter()
                .filter(|(_, conn)| conn.joins(a, b) && conn.client_open && conn.server_open);
            joined.map(|(id, _)| *id).collect()
        };
        self.world.due.retain(|_, due| match due.task {
            Task::Notice { conn } => !healed.contains(&conn),
            _ => true,
        });
        let held = std::mem::take(&mut self.world.held);
        let latency_us = self.world.setup().delays.latency_us;
        let at_us = self.world.now_us() + latency_us;
        for mut message in held {
            if World::link(message.from, message.to) == World::link(a, b) {
                message.depart_us = self.world.now_us();
                self.world.dispatch(message, at_us);
            } else {
                self.world.held.push(message);
            }
        }
    }

    /// The message of this name and all behind it on its connection, in order.
    fn take_from(&mut self, name: Name) -> Vec<super::message::Message> {
        let mut taken = Vec::new();
        let mut route = None;
        let due = std::mem::take(&mut self.world.due);
        for (key, entry) in due {
            match entry.task {
                Task::Arrive(message)
                    if message.name == name || route == Some((message.conn, message.to)) =>
                {
                    route = Some((message.conn, message.to));
                    taken.push(*message);
                }
                task => {
                    self.world.due.insert(key, super::world::Due { name: entry.name, task });
                }
            }
        }
        if let Some(first) = self.world.held.iter().find(|held| held.name == name) {
            let (conn, to) = (first.conn, first.to);
            let mut is_behind = false;
            let behind = self.world.held.extract_if(.., |held| {
                is_behind |= held.name == name;
                is_behind && (held.conn, held.to) == (conn, to)
            });
            taken.extend(behind);
        }
        taken
    }

    /// A message is lost, all behind it is, too, and nothing more gets through until both ends
    /// have given the connection up.
    fn drop_message(&mut self, name: Name) {
        let taken = self.take_from(name);
        for message in &taken {
            self.never_arrives(message, Loss::Dropped);
        }
        let Some(message) = taken.first() else { return };
        if let Some(connection) = self.world.conns.get_mut(&message.conn) {
            connection.broken = true;
        }
        for part in [message.from, message.to] {
            if self.world.is_open_at(message.conn, part) {
                let notice = Task::Notice { conn: message.conn };
                self.world.schedule(part, RESET_US, notice);
            }
        }
    }

    fn delay(&mut self, name: Name, by_us: i64) {
        let due = self.world.due.iter().find(|(_, due)| due.name == name);
        let Some(at_us) = due.map(|(key, _)| key.0.saturating_add(by_us)) else { return };
        let taken = self.take_from(name);
        let Some(first) = taken.first() else { return };
        self.note_order(first.to, What::Delayed { by_us }, first.order);
        if let Some(connection) = self.world.conns.get_mut(&first.conn) {
            // All that is still ahead arrives earlier than this one would have.
            connection.last_us[usize::from(first.to == connection.client)] = at_us - 1;
        }
        for message in taken {
            self.world.dispatch(message, at_us);
        }
    }
}

/// From plugging in to the first instruction.
const START_US: i64 = 50_000;
/// Until both ends of a connection that lost bytes have given it up.
const RESET_US: i64 = 40_000;
