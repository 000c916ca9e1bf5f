//! Calls on their way out of a program: to which connection, as which request.

use std::sync::Arc;

use crate::datum::Datum;
use crate::script::vm::{Answer, Call, HostClass, Target};
use crate::sim::event::{Ask, Phase, Site, What};
use crate::sim::identity::{order_among, order_of};
use crate::sim::message::{Asked, Body};
use crate::sim::part::{api, broker, database};
use crate::sim::process::{CallKind, OpenCall, Session};
use crate::sim::setup::PartId;
use crate::sim::world::{Step, Task, World};

/// Unacknowledged messages that a consumer takes if it names no number.
const PREFETCH: u32 = 1;

impl Step<'_> {
    /// Sends a call off. An answer comes back only if the call never leaves the process.
    pub(super) fn issue(&mut self, part: PartId, call: &Call) -> Option<Answer> {
        let site = self.world.site(part, call.at);
        let Target::Host(host) = call.target else {
            return self.sleep(part, call, site);
        };
        match host.class {
            HostClass::Database => self.call_database(part, PartId(host.id as u16), call, site),
            HostClass::Transaction => self.in_transaction(part, host.id, call, site),
            HostClass::Queue => self.call_broker(part, PartId(host.id as u16), call, site),
            HostClass::Message => self.settle_delivery(part, host.id, call, site),
            HostClass::Mail => self.call_mail(part, PartId(host.id as u16), call, site),
        }
    }

    fn sleep(&mut self, part: PartId, call: &Call, site: Site) -> Option<Answer> {
        let ms = call.args.first().and_then(Datum::as_int).unwrap_or_default();
        // Node makes a shorter time one millisecond ("Timers", setTimeout).
        let us = ms.max(1).saturating_mul(1000);
        let asked = asked(call, site, "sleep", "", None);
        self.note_call(part, What::Sleeps(us), &asked, Phase::Leaves);
        let timer = self.world.schedule(part, us, Task::Wake { call: call.id });
        let open =
            OpenCall { kind: CallKind::Sleep, to: part, conn: None, asked, timeout: Some(timer) };
        self.remember(part, open);
        None
    }

    fn call_database(
        &mut self,
        part: PartId,
        to: PartId,
        call: &Call,
        site: Site,
    ) -> Option<Answer> {
        let name = prepared_name(call);
        let (kind, request) = match (&*call.method, self.statement(call), name) {
            ("begin", ..) => (CallKind::Begin, database::Request::Begin),
            ("commitPrepared", _, Some(name)) => {
                (CallKind::Single, database::Request::CommitPrepared(name))
            }
            ("rollbackPrepared", _, Some(name)) => {
                (CallKind::Single, database::Request::RollbackPrepared(name))
            }
            ("query", Some(query), _) => (CallKind::Single, query),
            ("query", None, _) => return Some(type_error("a query is written as a sql template")),
            _ => return Some(type_error("the name of a prepared transaction is a string")),
        };
        let conn = self.free_session(part, to)?;
        let asked = asked_sql(call, site, &request);
        self.leave(part, to, conn, kind, asked.clone(), Body::Statement { asked, request });
        None
    }

    fn in_transaction(
        &mut self,
        part: PartId,
        session: u32,
        call: &Call,
        site: Site,
    ) -> Option<Answer> {
        let process = self.world.station(part).process()?;
        let known = process.sessions.iter().find(|known| known.id == session);
        let Some((conn, to)) = known.map(|session| (session.conn, session.server)) else {
            let message = "the transaction's connection is lost".into();
            return Some(Answer::Error { message, code: "connection-lost".into() });
        };
        let name = prepared_name(call);
        let (kind, request) = match (&*call.method, self.statement(call), name) {
            ("commit", ..) => (CallKind::Commit, database::Request::Commit),
            ("rollback", ..) => (CallKind::Rollback, database::Request::Rollback),
            // Like COMMIT it leaves the session free, and its lost answer leaves a doubt.
            ("prepare", _, Some(name)) => (CallKind::Commit, database::Request::Prepare(name)),
            ("query", Some(query), _) => (CallKind::Query, query),
            ("query", None, _) => return Some(type_error("a query is written as a sql template")),
            _ => return Some(type_error("the name of a prepared transaction is a string")),
        };
        let asked = asked_sql(call, site, &request);
        self.leave(part, to, conn, kind, asked.clone(), Body::Statement { asked, request });
        None
    }

    fn statement(&self, call: &Call) -> Option<database::Request> {
        let index = call.statement? as usize;
        let statement = self.world.setup().image.statements.get(index)?.clone();
        Some(database::Request::Query { statement, params: call.args.as_slice().into() })
    }

    /// An idle connection of the process's pool, or a new one.
    fn free_session(&mut self, part: PartId, server: PartId) -> Option<u32> {
        let process = self.world.station_mut(part).process_mut()?;
        let idle = process.sessions.iter_mut().find(|known| known.server == server && !known.busy);
        if let Some(session) = idle {
            session.busy = true;
            return Some(session.conn);
        }
        let conn = self.world.connect(part, server);
        let process = self.world.station_mut(part).process_mut()?;
        process.next_session += 1;
        process.sessions.push(Session { id: process.next_session, conn, server, busy: true });
        Some(conn)
    }

    fn call_broker(&mut self, part: PartId, to: PartId, call: &Call, site: Site) -> Option<Answer> {
        let conn = match self.world.station(part).process()?.channel(to) {
            Some(conn) => conn,
            None => {
                let conn = self.world.connect(part, to);
                self.world.station_mut(part).process_mut()?.channels.push((to, conn));
                conn
            }
        };
        let name: Arc<str> = match call.args.first() {
            Some(Datum::Text(name)) => name.clone(),
            _ => return Some(type_error("the first argument is the name of a queue")),
        };
        if &*call.method == "subscribe" {
            let options = call.args.get(1);
            let prefetch = option(options, "prefetch").and_then(Datum::as_int);
            let request = broker::Request::Subscribe {
                queue: name.clone(),
                prefetch: prefetch.map_or(PREFETCH, |n| u32::try_from(n).unwrap_or(0)),
                auto_ack: option(options, "autoAck") == Some(&Datum::Bool(true)),
                token: u64::from(call.id),
            };
            let asked = asked(call, site, "subscribe", &name, None);
            let body = Body::ToBroker { asked: asked.clone(), request };
            self.leave(part, to, conn, CallKind::Subscribe, asked, body);
            return None;
        }
        let request = self.publication(part, call, name.clone());
        let awaits_confirm = matches!(request, broker::Request::Publish { confirm: true, .. });
        let order = call.args.get(1).and_then(order_of);
        let asked = asked(call, site, "publish", &name, order);
        let body = Body::ToBroker { asked: asked.clone(), request };
        if awaits_confirm {
            self.leave(part, to, conn, CallKind::Publish, asked, body);
            return None;
        }
        // `basic.publish` has no answer of its own: outside confirm mode the program goes on.
        let what = What::Called { ask: asked.ask.clone(), to };
        self.note_call(part, what, &asked, Phase::Leaves);
        self.send(part, conn, body, order);
        Some(Answer::Value(Datum::Null))
    }

    fn publication(&self, part: PartId, call: &Call, topic: Arc<str>) -> broker::Request {
        let options = call.args.get(2);
        let text = |datum: &Datum| match datum {
            Datum::Text(text) => Some(text.clone()),
            Datum::Int(number) => Some(number.to_string().into()),
            _ => None,
        };
        let message = broker::Message {
            topic,
            body: call.args.get(1).cloned().unwrap_or(Datum::Null),
            key: option(options, "key").and_then(text),
            message_id: option(options, "messageId").cloned(),
            persistent: option(options, "persistent") != Some(&Datum::Bool(false)),
            origin: u64::from(part.0) << 32 | u64::from(self.world.station(part).named + 1),
        };
        broker::Request::Publish {
            exchange: option(options, "exchange").and_then(text).unwrap_or_else(|| "".into()),
            message: Arc::new(message),
            mandatory: option(options, "mandatory") == Some(&Datum::Bool(true)),
            confirm: option(options, "confirm") != Some(&Datum::Bool(false)),
            token: u64::from(call.id),
        }
    }

    /// `ack` and `nack` have no answer (AMQP 0-9-1, `basic.ack`): they leave, and the program
    /// goes on at once.
    fn settle_delivery(
        &mut self,
        part: PartId,
        delivery: u32,
        call: &Call,
        site: Site,
    ) -> Option<Answer> {
        let process = self.world.station_mut(part).process_mut()?;
        let Some((conn, tag, order)) = process.deliveries.remove(&delivery) else {
            let message = "the channel of this message is closed".into();
            return Some(Answer::Error { message, code: "channel-closed".into() });
        };
        let requeue = option(call.args.first(), "requeue") != Some(&Datum::Bool(false));
        let request = match &*call.method {
            "ack" => broker::Request::Ack { tag },
            _ => broker::Request::Nack { tag, requeue },
        };
        let asked = asked(call, site, &call.method, "", order);
        let body = Body::ToBroker { asked: asked.clone(), request };
        if let Some(to) = self.world.peer(conn, part) {
            let what = What::Called { ask: asked.ask.clone(), to };
            self.note_call(part, what, &asked, Phase::Leaves);
            self.send(part, conn, body, order);
        }
        Some(Answer::Value(Datum::Null))
    }

    fn call_mail(&mut self, part: PartId, to: PartId, call: &Call, site: Site) -> Option<Answer> {
        let options = call.args.first();
        let kind: Arc<str> = match option(options, "kind") {
            Some(Datum::Text(kind)) => kind.clone(),
            _ => "letter".into(),
        };
        let letter = api::Letter {
            order: option(options, "order").cloned().unwrap_or(Datum::Null),
            to: option(options, "to").cloned().unwrap_or(Datum::Null),
            kind: kind.clone(),
        };
        let key = match option(options, "key") {
            Some(Datum::Text(key)) => Some(key.clone()),
            Some(Datum::Int(key)) => Some(key.to_string().into()),
            _ => None,
        };
        let conn = self.world.connect(part, to);
        let asked = asked(call, site, "send", &kind, letter.order.as_int());
        let body = Body::Letter { asked: asked.clone(), letter, key };
        self.leave(part, to, conn, CallKind::Send, asked, body);
        None
    }

    fn leave(
        &mut self,
        part: PartId,
        to: PartId,
        conn: u32,
        kind: CallKind,
        asked: Asked,
        body: Body,
    ) {
        let what = What::Called { ask: asked.ask.clone(), to };
        self.note_call(part, what, &asked, Phase::Leaves);
        let order = asked.order;
        self.send(part, conn, body, order);
        let timeout = (kind != CallKind::Subscribe).then(|| {
            let after_us = self.world.setup().delays.call_timeout_us;
            self.world.schedule(part, after_us, Task::Timeout { call: asked.call })
        });
        self.remember(part, OpenCall { kind, to, conn: Some(conn), asked, timeout });
    }

    fn remember(&mut self, part: PartId, open: OpenCall) {
        if let Some(process) = self.world.station_mut(part).process_mut() {
            process.calls.insert(open.asked.call, open);
        }
    }
}

impl World {
    /// The place of a call, counted.
    fn site(&mut self, part: PartId, at: u32) -> Site {
        let line = self.setup().lines.line(at);
        let count = self.calls_at.entry((part, line)).or_default();
        *count += 1;
        Site { part, line, nth: *count }
    }

    fn peer(&self, conn: u32, of: PartId) -> Option<PartId> {
        self.conns.get(&conn).map(|conn| conn.peer(of))
    }
}

fn asked(call: &Call, site: Site, verb: &str, object: &str, order: Option<i64>) -> Asked {
    let ask = Ask { verb: verb.into(), object: object.into() };
    Asked { call: call.id, site, ask, order }
}

fn asked_sql(call: &Call, site: Site, request: &database::Request) -> Asked {
    let (verb, object) = match request {
        database::Request::Query { statement, .. } => statement.describe(),
        database::Request::Begin => ("BEGIN", ""),
        database::Request::Commit => ("COMMIT", ""),
        database::Request::Rollback => ("ROLLBACK", ""),
        database::Request::Prepare(_) => ("PREPARE TRANSACTION", ""),
        database::Request::CommitPrepared(_) => ("COMMIT PREPARED", ""),
        database::Request::RollbackPrepared(_) => ("ROLLBACK PREPARED", ""),
        database::Request::CreateSlot { name, .. } => ("CREATE SLOT", &**name),
        database::Request::ReadSlot { name, .. } => ("READ SLOT", &**name),
        database::Request::AdvanceSlot { name, .. } => ("ADVANCE SLOT", &**name),
        database::Request::DropSlot { name } => ("DROP SLOT", &**name),
    };
    asked(call, site, verb, object, order_among(&call.args))
}

/// What `PREPARE TRANSACTION` and its ends name: a string, or a number written as one.
fn prepared_name(call: &Call) -> Option<Arc<str>> {
    match call.args.first() {
        Some(Datum::Text(name)) => Some(name.clone()),
        Some(Datum::Int(name)) => Some(name.to_string().into()),
        _ => None,
    }
}

fn option<'a>(options: Option<&'a Datum>, name: &str) -> Option<&'a Datum> {
    options.and_then(|options| options.field(name))
}

fn type_error(message: &str) -> Answer {
    Answer::Error { message: message.into(), code: "type-error".into() }
}
