//! A mail service in the world.

use std::sync::Arc;

use crate::script::vm::Answer;
use crate::sim::event::{Loss, Name, Phase, What};
use crate::sim::message::{Asked, Body};
use crate::sim::part::api::{self, Fact};
use crate::sim::setup::PartId;
use crate::sim::station::Machine;
use crate::sim::world::{Step, Task};

impl Step<'_> {
    /// A letter arrives and goes out to the customer; the answer is a step of its own.
    pub(super) fn post(
        &mut self,
        part: PartId,
        conn: u32,
        asked: Asked,
        letter: &api::Letter,
        key: Option<&Arc<str>>,
        name: Name,
    ) {
        let now_us = self.world.now_us();
        let Machine::Mail(mail) = &mut self.world.station_mut(part).machine else { return };
        let mut facts = Vec::new();
        let answer = mail.receive(letter, key, name.number(), now_us, &mut facts);
        match facts.iter().any(|fact| matches!(fact, Fact::Done { .. })) {
            true => self.changed(),
            false => self.stirred(),
        }
        let by = asked.site.part;
        for fact in facts {
            let what = match fact {
                Fact::Done { .. } => {
                    What::LetterSent { to: letter.to.clone(), kind: letter.kind.clone() }
                }
                Fact::Repeated { .. } => {
                    What::Executed { ask: asked.ask.clone(), by, rows: Some(0) }
                }
                Fact::Refused { status, .. } => {
                    let code = status.to_string().into();
                    What::Refused { ask: asked.ask.clone(), by, code }
                }
                Fact::Failed { .. } => {
                    What::Refused { ask: asked.ask.clone(), by, code: "500".into() }
                }
                Fact::Silent { .. } => continue,
            };
            self.note_call(part, what, &asked, Phase::Effect);
        }
        if let Some(answer) = answer {
            let answer = if answer.is_success() {
                Answer::Value(answer.body)
            } else {
                let code = answer.status.to_string().into();
                Answer::Error { message: "the mail service refused".into(), code }
            };
            let flush_us = self.world.setup().delays.flush_us;
            let asked = Box::new(asked);
            self.world.schedule(part, flush_us, Task::AnswerLeaves { conn, asked, answer });
        }
    }

    /// A server's answer leaves.
    pub(super) fn answer_leaves(&mut self, part: PartId, conn: u32, asked: Asked, answer: Answer) {
        let to = asked.site.part;
        let order = asked.order;
        if self.world.is_open_at(conn, part) {
            let what = What::AnswerLeft { to, ask: asked.ask.clone() };
            self.note_order(part, what, order);
            self.send(part, conn, Body::Answer { asked, answer }, order);
        } else {
            let what = ["answer to ", &asked.ask.verb].concat().into();
            self.note_order(part, What::Lost { what, loss: Loss::NoConnection }, order);
        }
        self.read_on(part, conn);
    }
}
