//! Programs in the world: they start, get answers and messages, end, crash.

use crate::collections::sort;
use std::collections::VecDeque;
use std::sync::Arc;

use crate::datum::Datum;
use crate::script::vm::{Answer, Builtin, Given, Host, HostClass, Ran, Thrown};
use crate::sim::event::{Loss, Phase, What, fingerprint};
use crate::sim::fault::Failure;
use crate::sim::identity::order_of;
use crate::sim::message::{Asked, Body};
use crate::sim::part::broker;
use crate::sim::process::{CallKind, OpenCall, Process};
use crate::sim::setup::{PartId, PartKind, Setup};
use crate::sim::station::{Machine, Power};
use crate::sim::world::{Step, Task, World};

/// The ticket of a worker's one function; requests of a service count from 1.
const MAIN: u32 = 0;

const CUSTOMERS: [&str; 12] = [
    "Anna", "Boris", "Clara", "Dmitri", "Elena", "Fyodor", "Galina", "Henry", "Irina", "Jakob",
    "Kira", "Leo",
];

/// The name of the customer who gave an order.
pub(super) fn customer(order: i64) -> &'static str {
    CUSTOMERS[(order - 1).rem_euclid(CUSTOMERS.len() as i64) as usize]
}

impl Step<'_> {
    /// A process starts: a program from its first line, a server after recovery.
    pub(super) fn start(&mut self, part: PartId) {
        let setup = self.world.setup().clone();
        let station = self.world.station_mut(part);
        station.power = Power::On;
        station.starts += 1;
        let is_worker = matches!(station.machine, Machine::Worker(_));
        if is_worker {
            station.machine =
                Machine::Worker(Some(Arc::new(Process { next_ticket: 1, ..Process::default() })));
        }
        self.note(part, What::Started);
        match setup.part(part).kind {
            PartKind::Worker { program } => self.call_program(part, program, MAIN, None),
            PartKind::Queue { .. } => self.broker_go_on(part),
            _ => {}
        }
    }

    fn call_program(&mut self, part: PartId, program: u32, ticket: u32, order: Option<i64>) {
        let setup = self.world.setup().clone();
        let clock = self.world.clock(part);
        let env = environment(&setup, order);
        let Some(process) = self.world.station_mut(part).process_mut() else { return };
        let ran = process.vm.start(&setup.image, program, &env, ticket, clock);
        self.after_run(part, ran);
    }

    /// An order reaches a service.
    pub(super) fn serve(&mut self, part: PartId, conn: u32, order: i64) {
        self.changed();
        self.note_order(part, What::OrderArrived, Some(order));
        let PartKind::Service { program } = self.world.setup().part(part).kind else { return };
        let Some(process) = self.world.station_mut(part).process_mut() else { return };
        process.next_ticket += 1;
        let ticket = process.next_ticket;
        process.requests.insert(ticket, (conn, order));
        self.call_program(part, program, ticket, Some(order));
    }

    /// An answer reaches its program, which runs on to its next call.
    pub(super) fn answered(&mut self, part: PartId, asked: &Asked, answer: Answer) {
        let Some(process) = self.world.station_mut(part).process_mut() else { return };
        let Some(call) = process.calls.remove(&asked.call) else { return };
        let failed = matches!(answer, Answer::Error { .. });
        let mut transaction = 0;
        if let Some(session) = call.conn.and_then(|conn| process.session_mut(conn)) {
            transaction = session.id;
            session.busy = match call.kind {
                CallKind::Single | CallKind::Commit | CallKind::Rollback => false,
                CallKind::Begin => !failed,
                _ => session.busy,
            };
        }
        if let (CallKind::Send, Some(conn)) = (call.kind, call.conn) {
            self.world.conns.remove(&conn);
        }
        if let Some(timeout) = call.timeout {
            self.world.cancel(timeout);
        }
        let code = match &answer {
            Answer::Error { code, .. } => Some(code.clone()),
            _ => None,
        };
        let what = What::Answered { from: call.to, ask: asked.ask.clone(), code };
        self.note_call(part, what, asked, Phase::Answer);
        let answer = match (call.kind, answer) {
            (CallKind::Begin, Answer::Value(_)) => {
                Answer::Host(Host { class: HostClass::Transaction, id: transaction })
            }
            (_, answer) => answer,
        };
        self.run_on(part, asked.call, &answer);
    }

    /// A message from a queue reaches its handler.
    pub(super) fn receive(
        &mut self,
        part: PartId,
        conn: u32,
        subscription: u32,
        tag: broker::Tag,
        redelivered: bool,
        message: &broker::Message,
    ) {
        let order = order_of(&message.body);
        self.note_order(part, What::Received { redelivered }, order);
        let setup = self.world.setup().clone();
        let clock = self.world.clock(part);
        let Some(process) = self.world.station_mut(part).process_mut() else { return };
        process.next_delivery += 1;
        let delivery = process.next_delivery;
        process.deliveries.insert(delivery, (conn, tag, order));
        let fields = vec![
            ("body".into(), message.body.clone()),
            ("messageId".into(), message.message_id.clone().unwrap_or(Datum::Null)),
            ("redelivered".into(), Datum::Bool(redelivered)),
        ];
        let given = Given::Host(Host { class: HostClass::Message, id: delivery }, fields);
        let ran = process.vm.deliver(&setup.image, subscription, &given, clock);
        self.after_run(part, ran);
    }

    pub(super) fn wake(&mut self, part: PartId, call: u32) {
        self.note(part, What::Woke);
        let Some(process) = self.world.station_mut(part).process_mut() else { return };
        process.calls.remove(&call);
        self.run_on(part, call, &Answer::Value(Datum::Null));
    }

    /// A call is given up: its connection cannot be trusted any more, except a broker's, where
    /// only this one confirm is missing.
    pub(super) fn time_out(&mut self, part: PartId, id: u32) {
        let Some(process) = self.world.station_mut(part).process_mut() else { return };
        let Some(call) = process.calls.remove(&id) else { return };
        let what = What::TimedOut { to: call.to, ask: call.asked.ask.clone() };
        self.note_call(part, what, &call.asked, Phase::Answer);
        let gone = call.conn.filter(|_| call.kind != CallKind::Publish);
        if let Some(conn) = gone {
            if let Some(process) = self.world.station_mut(part).process_mut() {
                process.forget(conn);
            }
            self.hang_up(part, conn);
        }
        self.run_on(part, id, &failure(&call, "timeout", "no answer in time"));
        if let Some(conn) = gone {
            self.fail_calls(part, conn);
        }
    }

    /// A client's end of a connection is gone: its calls fail.
    pub(super) fn connection_lost(&mut self, part: PartId, conn: u32, peer: PartId) {
        let Some(process) = self.world.station_mut(part).process_mut() else { return };
        process.requests.retain(|_, (of, _)| *of != conn);
        process.forget(conn);
        if peer == PartId::CUSTOMERS {
            return;
        }
        self.note(part, What::Disconnected(peer));
        self.fail_calls(part, conn);
    }

    /// Fails all calls over a connection, the eldest first.
    fn fail_calls(&mut self, part: PartId, conn: u32) {
        let Some(process) = self.world.station(part).process() else { return };
        let calls = process.calls.iter().filter(|(_, call)| call.conn == Some(conn));
        let calls: Vec<u32> = calls.map(|(id, _)| *id).collect();
        for id in calls {
            let Some(process) = self.world.station_mut(part).process_mut() else { return };
            let Some(call) = process.calls.remove(&id) else { continue };
            if let Some(timeout) = call.timeout {
                self.world.cancel(timeout);
            }
            self.run_on(part, id, &failure(&call, "connection-lost", "connection lost"));
        }
    }

    fn run_on(&mut self, part: PartId, call: u32, answer: &Answer) {
        let setup = self.world.setup().clone();
        let clock = self.world.clock(part);
        let Some(process) = self.world.station_mut(part).process_mut() else { return };
        let ran = process.vm.answer(&setup.image, call, answer, clock);
        self.after_run(part, ran);
    }

    /// Carries out what a run of the program asked for. Calls that end without leaving the
    /// process are answered in the same step, as in JavaScript.
    fn after_run(&mut self, part: PartId, ran: Ran) {
        let mut runs = VecDeque::from([ran]);
        let mut rounds = 0;
        while let Some(ran) = runs.pop_front() {
            let mut local = Vec::new();
            for call in ran.calls {
                let id = call.id;
                if let Some(answer) = self.issue(part, &call) {
                    local.push((id, answer));
                }
            }
            for (ticket, error) in ran.ended {
                if let Some(error) = self.ended(part, ticket, error) {
                    return self.crash(part, error);
                }
            }
            if let Some(error) = ran.uncaught {
                return self.crash(part, error);
            }
            rounds += 1;
            if rounds > LOCAL_ROUNDS_MAX {
                let message = "the program does not pause: step limit reached".into();
                return self.crash(part, Thrown { message, code: Some("limit".into()) });
            }
            let setup = self.world.setup().clone();
            let clock = self.world.clock(part);
            for (id, answer) in local {
                let Some(process) = self.world.station_mut(part).process_mut() else { return };
                process.calls.remove(&id);
                runs.push_back(process.vm.answer(&setup.image, id, &answer, clock));
            }
        }
        self.world.note_wait(part);
    }

    /// A function that the world started has ended. Gives the error that ends the process.
    fn ended(&mut self, part: PartId, ticket: u32, error: Option<Thrown>) -> Option<Thrown> {
        if ticket == MAIN {
            if error.is_none() {
                self.note(part, What::Ended);
            }
            return error;
        }
        let process = self.world.station_mut(part).process_mut()?;
        let (conn, order) = process.requests.remove(&ticket)?;
        let ok = error.is_none();
        self.changed();
        self.note_order(part, What::OrderAnswered(ok), Some(order));
        self.send(part, conn, Body::OrderAnswer { ok }, Some(order));
        None
    }

    fn crash(&mut self, part: PartId, error: Thrown) {
        let Thrown { message, code } = error;
        self.note(part, What::Crashed { message, code });
        let restart_us = self.world.setup().delays.restart_us;
        let until_us = self.world.now_us() + restart_us;
        self.fail(part, Failure::Crash);
        self.world.station_mut(part).power = Power::Crashed { until_us };
        let before = self.world.scheduled;
        self.world.schedule(part, restart_us, Task::Start);
        let held = self.world.holds.fingerprint();
        self.world.laps.note(part, CRASHED, held, before);
    }

    /// Says what a dying process had in memory.
    pub(super) fn memory_lost(&mut self, part: PartId) {
        let Some(process) = self.world.station(part).process() else { return };
        let in_hand = process.deliveries.values().filter_map(|(_, _, order)| *order);
        let requests = process.requests.values().map(|(_, order)| *order);
        let memory = process.vm.memory();
        let known = memory.iter().filter_map(order_of);
        let mut orders: Vec<i64> = in_hand.chain(requests).chain(known).collect();
        sort(&mut orders);
        orders.dedup();
        for order in orders {
            let what = What::Lost { what: "memory".into(), loss: Loss::Memory };
            self.note_order(part, what, Some(order));
        }
    }
}

/// Stands for the wait of a process that has crashed and will start again: always the same, as
/// nothing of the process is left.
const CRASHED: u64 = 0;
/// Rounds of calls that are answered inside the process, in one step.
const LOCAL_ROUNDS_MAX: u32 = 1_000;

impl World {
    /// Remembers the wait that a program has come to.
    fn note_wait(&mut self, part: PartId) {
        let Some(process) = self.station(part).process() else { return };
        let wait = fingerprint(&process.vm.renumbered());
        self.laps.note(part, wait, self.holds.fingerprint(), self.scheduled);
    }
}

/// What a program is given: the servers by their names, the order, the builtin functions.
fn environment(setup: &Setup, order: Option<i64>) -> Vec<(Arc<str>, Given)> {
    let servers = setup.part_ids().filter_map(|id| {
        let part = setup.part(id);
        let class = match part.kind {
            PartKind::Database { .. } => HostClass::Database,
            PartKind::Queue { .. } => HostClass::Queue,
            PartKind::Mail { .. } => HostClass::Mail,
            _ => return None,
        };
        let host = Host { class, id: u32::from(id.0) };
        Some((part.name.clone(), Given::Host(host, Vec::new())))
    });
    let mut env: Vec<_> = servers.collect();
    if let Some(order) = order {
        let fields =
            [("id".into(), Datum::Int(order)), ("customer".into(), Datum::text(customer(order)))];
        env.push(("order".into(), Given::Datum(Datum::Object(fields.into()))));
    }
    let builtins = [("sleep", Builtin::Sleep), ("now", Builtin::Now), ("uuid", Builtin::Uuid)];
    env.extend(builtins.map(|(name, builtin)| (name.into(), Given::Builtin(builtin))));
    env
}

/// A call that got no answer. After COMMIT nobody can tell whether it took effect, so the error
/// says just that (PostgreSQL's libpq leaves the transaction's state unknown); nor after a
/// statement that changes something and is its own transaction.
fn failure(call: &OpenCall, code: &str, message: &str) -> Answer {
    let unknown = match call.kind {
        CallKind::Commit => true,
        CallKind::Single => &*call.asked.ask.verb != "SELECT",
        _ => false,
    };
    let code = if unknown { "commit-unknown" } else { code };
    Answer::Error { message: message.into(), code: code.into() }
}
