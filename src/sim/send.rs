//! Sending and arriving: latency, jitter, order on a connection, and what becomes of a message
//! that nobody takes.

use rand::Rng as _;
use rand_pcg::Pcg32;

use crate::sim::connection::Connection;
use crate::sim::event::{Loss, Name, What};
use crate::sim::message::{Body, Message};
use crate::sim::setup::PartId;
use crate::sim::station::{Machine, Power};
use crate::sim::world::{Step, Task, World};

impl World {
    pub(super) fn connect(&mut self, client: PartId, server: PartId) -> u32 {
        let conn = self.next_conn;
        self.next_conn += 1;
        self.conns.insert(conn, Connection::new(client, server));
        conn
    }

    /// How long a message of this name is under way. Its name and the seed alone decide, so that
    /// one fault does not reshuffle all the rest.
    fn latency_us(&self, name: Name) -> i64 {
        let least = self.setup.0.delays.latency_us;
        let mut random = Pcg32::new(self.setup.0.seed, name.number());
        least + i64::from(random.next_u32() >> 12) * least / (2 << 20)
    }

    pub(super) fn link(a: PartId, b: PartId) -> (PartId, PartId) {
        (a.min(b), a.max(b))
    }

    /// Puts a message on its way, behind those that left before it.
    pub(super) fn dispatch(&mut self, message: Message, at_us: i64) {
        if self.cuts.contains(&Self::link(message.from, message.to)) {
            self.held.push(message);
            return;
        }
        let mut at_us = at_us;
        if let Some(conn) = self.conns.get_mut(&message.conn) {
            let last = &mut conn.last_us[usize::from(message.to == conn.client)];
            at_us = at_us.max(*last + 1);
            *last = at_us;
        }
        self.schedule_as(message.name, at_us, Task::Arrive(Box::new(message)));
    }

    /// Whether an end of a connection has not learnt of its end.
    pub(super) fn is_open_at(&self, conn: u32, part: PartId) -> bool {
        self.conns.get(&conn).is_some_and(|conn| conn.is_open_at(part))
    }

    /// Closes one end, and forgets a connection that is closed at both.
    pub(super) fn close_at(&mut self, conn: u32, part: PartId) {
        let Some(connection) = self.conns.get_mut(&conn) else { return };
        connection.close_at(part);
        if !connection.client_open && !connection.server_open {
            self.conns.remove(&conn);
        }
    }
}

impl Step<'_> {
    /// Sends over a connection to the other end. What has left a box arrives even if the box dies.
    pub(super) fn send(&mut self, from: PartId, conn: u32, body: Body, order: Option<i64>) {
        let Some(connection) = self.world.conns.get(&conn).copied() else { return };
        let to = connection.peer(from);
        let name = self.world.name(from);
        let depart_us = self.world.now_us();
        let message = Message { name, from, to, conn, depart_us, body, order };
        if connection.broken {
            return self.never_arrives(&message, Loss::Dropped);
        }
        if self.world.cuts.contains(&World::link(from, to)) {
            self.notice_later(from, conn);
        }
        let at_us = depart_us + self.world.latency_us(name);
        self.world.dispatch(message, at_us);
    }

    /// Closes one end of a connection and tells the other end.
    pub(super) fn hang_up(&mut self, part: PartId, conn: u32) {
        let Some(connection) = self.world.conns.get(&conn).copied() else { return };
        let peer = connection.peer(part);
        let never_met =
            connection.is_unused() && self.world.cuts.contains(&World::link(part, peer));
        if never_met {
            // The handshake never got through, so nothing of this connection ever will.
            self.world.held.retain(|message| message.conn != conn);
            self.world.conns.remove(&conn);
            return;
        }
        if connection.is_open_at(peer) {
            self.send(part, conn, Body::Reset, None);
        }
        self.world.close_at(conn, part);
    }

    pub(super) fn arrive(&mut self, message: Message) {
        let (to, conn) = (message.to, message.conn);
        match self.world.station(to).power {
            Power::On if self.world.is_open_at(conn, to) => self.take(message),
            Power::Unplugged => {
                self.never_arrives(&message, Loss::NoPower);
                self.world.close_at(conn, to);
                self.notice_later(message.from, conn);
            }
            // A host with power answers what no process of it knows with a reset (RFC 9293,
            // 3.10.7.1).
            _ => {
                self.never_arrives(&message, Loss::NoConnection);
                match message.body {
                    Body::Reset => self.world.close_at(conn, to),
                    _ => self.hang_up(to, conn),
                }
            }
        }
    }

    /// A message is taken by the process that it was for.
    fn take(&mut self, message: Message) {
        let (to, conn) = (message.to, message.conn);
        match message.body {
            Body::Reset => self.end_of_connection(to, conn),
            Body::Order { order } => self.serve(to, conn, order),
            Body::OrderAnswer { ok } => {
                self.note_order(to, What::CustomerTold(ok), message.order);
                self.world.conns.remove(&conn);
            }
            Body::Statement { asked, request } => self.request(to, conn, asked, request),
            Body::Letter { asked, letter, key } => {
                self.post(to, conn, asked, &letter, key.as_ref(), message.name);
            }
            Body::ToBroker { asked, request } => self.broker_receives(to, conn, &asked, &request),
            Body::Answer { asked, answer } => self.answered(to, &asked, answer),
            Body::Delivery { subscription, tag, redelivered, message } => {
                self.receive(to, conn, subscription, tag, redelivered, &message);
            }
        }
    }

    /// A peer that does not answer is taken for dead in time; once is enough.
    pub(super) fn notice_later(&mut self, part: PartId, conn: u32) {
        let open = self.world.is_open_at(conn, part);
        let task = Task::Notice { conn };
        let known = self.world.due.values().any(|due| due.name.part == part && due.task == task);
        if open && !known {
            let after_us = self.world.setup().delays.notice_us;
            self.world.schedule(part, after_us, task);
        }
    }

    /// Says what is lost with a message; a reset carries nothing.
    pub(super) fn never_arrives(&mut self, message: &Message, loss: Loss) {
        if message.body == Body::Reset {
            return;
        }
        let what = match (&message.body, message.body.asked()) {
            (Body::Answer { .. }, Some(asked)) => ["answer to ", &asked.ask.verb].concat(),
            (_, Some(asked)) => asked.ask.to_string(),
            (Body::Order { .. }, None) => "order".to_owned(),
            (Body::Delivery { message, .. }, None) => message.topic.as_ref().to_owned(),
            _ => "answer".to_owned(),
        };
        self.note_order(message.to, What::Lost { what: what.into(), loss }, message.order);
    }

    /// One end of a connection learns that it is over.
    pub(super) fn end_of_connection(&mut self, part: PartId, conn: u32) {
        let Some(peer) = self.world.conns.get(&conn).map(|conn| conn.peer(part)) else { return };
        self.world.close_at(conn, part);
        match &self.world.station(part).machine {
            Machine::Customers { .. } => self.note(part, What::CustomerUnsure),
            Machine::Worker(_) => self.connection_lost(part, conn, peer),
            Machine::Database(_) => self.database_client_gone(part, conn, peer),
            Machine::Queue(_) => self.broker_client_gone(part, conn, peer),
            Machine::Mail(_) => {}
        }
    }

    /// The end of a time-out on a silent peer.
    pub(super) fn notice(&mut self, part: PartId, conn: u32) {
        if self.world.is_open_at(conn, part) {
            self.end_of_connection(part, conn);
        }
    }
}
