//! A sentence for each event of a run, and how it bears on the outcome.

use super::lab::Tone;
use crate::datum::Datum;
use crate::sim::{Ask, Event, Loss, PartId, What};
use crate::words::Words;

/// What sentences are made with.
pub(super) struct Speaker<'a> {
    /// The language.
    pub(super) words: Words,
    /// What each part is called.
    pub(super) name: &'a dyn Fn(PartId) -> String,
}

impl Speaker<'_> {
    /// The sentence of an event.
    pub(super) fn sentence(&self, event: &Event) -> String {
        let part = &(self.name)(event.part);
        let order = event.order.unwrap_or_default();
        let words = self.words;
        match &event.what {
            What::Ordered => words.ui_log_ordered(order, part),
            What::OrderArrived => words.log_order_arrived(order, part),
            What::OrderAnswered(true) => words.ui_log_accepts(order, part),
            What::OrderAnswered(false) => words.ui_log_refuses(order, part),
            What::CustomerTold(true) => words.ui_log_told_yes(order, part),
            What::CustomerTold(false) => words.ui_log_told_no(order, part),
            What::CustomerUnsure => words.log_order_unanswered(order, part),
            What::Called { .. }
            | What::Executed { .. }
            | What::Refused { .. }
            | What::Waits { .. }
            | What::Skipped { .. }
            | What::AnswerLeft { .. }
            | What::Answered { .. }
            | What::TimedOut { .. } => self.call(part, &event.what),
            What::Stored(_)
            | What::Flushed(_)
            | What::Confirmed(_)
            | What::Delivered { .. }
            | What::Received { .. }
            | What::Acked(_)
            | What::Requeued(_) => self.delivery(part, event),
            What::LetterSent { to, .. } => words.log_letter_sent(order, part, &text(to)),
            _ => self.fate(part, event),
        }
    }

    fn call(&self, part: &str, what: &What) -> String {
        let words = self.words;
        let name = |id: &PartId| (self.name)(*id);
        match what {
            What::Called { ask, to } => words.log_call_sent(&name(to), part, &ask.to_string()),
            What::Executed { ask, by, rows } => self.executed(part, ask, *by, *rows),
            What::Refused { ask, code, .. } => words.log_call_failed(code, part, &ask.to_string()),
            What::Waits { ask, by, holder } => {
                let holder = holder.as_ref().map_or_else(|| "?".to_owned(), name);
                words.ui_log_waits(&holder, &name(by), part, &ask.to_string())
            }
            What::Skipped { by, rows } => words.ui_log_skipped(&name(by), part, i64::from(*rows)),
            What::AnswerLeft { to, ask } => {
                words.log_answer_sent(&name(to), part, &ask.to_string())
            }
            What::Answered { ask, code: None, .. } => {
                words.log_answer_arrived(part, &ask.to_string())
            }
            What::Answered { ask, code: Some(code), .. } => {
                words.log_call_failed(code, part, &ask.to_string())
            }
            What::TimedOut { ask, .. } => words.log_call_timed_out(part, &ask.to_string()),
            _ => String::new(),
        }
    }

    fn executed(&self, part: &str, ask: &Ask, by: PartId, rows: Option<u32>) -> String {
        let words = self.words;
        let other = &(self.name)(by);
        match &*ask.verb {
            "BEGIN" => words.log_transaction_begun(other, part),
            "COMMIT" => words.log_transaction_committed(other, part),
            "ROLLBACK" => words.log_transaction_rolled_back(other, part),
            "subscribe" => words.log_subscribed(part, &ask.object),
            verb => match rows {
                Some(rows) => words.log_statement(i64::from(rows), other, part, &ask.object, verb),
                None => words.log_call_arrived(other, part, &ask.to_string()),
            },
        }
    }

    fn delivery(&self, part: &str, event: &Event) -> String {
        let words = self.words;
        let name = |id: &PartId| (self.name)(*id);
        let message = &match event.order {
            Some(order) => words.order(order),
            None => words.ui_log_message().to_owned(),
        };
        match &event.what {
            What::Stored(queue) => words.log_published(part, queue, message),
            What::Flushed(_) => words.log_flushed(part, message),
            What::Confirmed(to) => words.log_confirmed(&name(to), part, message),
            What::Delivered { to, redelivered: false } => {
                words.log_delivered(&name(to), part, message)
            }
            What::Delivered { to, redelivered: true } => {
                words.log_redelivered(&name(to), part, message)
            }
            What::Received { .. } => words.ui_log_received(part, message),
            What::Acked(_) => words.log_acked(part, message),
            What::Requeued(_) => words.log_requeued(part, message),
            _ => String::new(),
        }
    }

    /// Life and death of processes, connections and links.
    fn fate(&self, part: &str, event: &Event) -> String {
        let words = self.words;
        let name = |id: &PartId| (self.name)(*id);
        match &event.what {
            What::Sleeps(ms) => words.log_sleeps(*ms, part),
            What::Woke => words.log_wakes(part),
            What::Started => words.log_process_started(part),
            What::Ended => words.log_process_finished(part),
            What::Unplugged => words.log_power_out(part),
            What::Plugged => words.log_power_back(part),
            What::Killed => words.log_process_killed(part),
            What::Restarted => words.ui_log_restarted(part),
            What::Crashed { message, .. } => words.log_process_ended(message, part),
            What::Disconnected(other) => words.log_connection_reset(&name(other), part),
            What::ClientGone { client, rolled_back: true } => {
                words.log_client_dead_rolled_back(&name(client), part)
            }
            What::ClientGone { client, rolled_back: false } => {
                words.log_client_dead(&name(client), part)
            }
            What::Lost { what, loss } => words.ui_log_lost(part, self.loss(*loss), what),
            What::Cut(other) => words.log_link_cut(&name(other), part),
            What::Mended(other) => words.log_link_mended(&name(other), part),
            What::Delayed { by_us } => words.ui_log_delayed(part, &words.seconds(*by_us)),
            What::RefusalArmed => words.ui_log_refusal(part),
            _ => String::new(),
        }
    }

    fn loss(&self, loss: Loss) -> &'static str {
        let words = self.words;
        match loss {
            Loss::Memory => words.ui_cause_memory(),
            Loss::RolledBack => words.ui_cause_rolled_back(),
            Loss::NoPower | Loss::NoConnection => words.ui_cause_undeliverable(),
            Loss::Dropped => words.ui_cause_dropped(),
            Loss::Unroutable => words.ui_cause_unroutable(),
            Loss::NotOnDisk => words.ui_cause_not_on_disk(),
            Loss::Discarded => words.ui_cause_discarded(),
        }
    }
}

/// How an event bears on the outcome.
pub(super) fn tone(event: &Event) -> Tone {
    match &event.what {
        What::Unplugged
        | What::Plugged
        | What::Killed
        | What::Restarted
        | What::Cut(_)
        | What::Mended(_)
        | What::Delayed { .. }
        | What::RefusalArmed => Tone::Act,
        What::LetterSent { .. } | What::CustomerTold(true) => Tone::Good,
        What::Executed { ask, .. } if &*ask.verb == "COMMIT" => Tone::Good,
        What::Lost { .. }
        | What::Crashed { .. }
        | What::Refused { .. }
        | What::TimedOut { .. }
        | What::CustomerTold(false)
        | What::CustomerUnsure
        | What::ClientGone { .. }
        | What::Answered { code: Some(_), .. } => Tone::Bad,
        _ => Tone::Plain,
    }
}

fn text(datum: &Datum) -> String {
    match datum {
        Datum::Text(text) => text.to_string(),
        Datum::Int(number) => number.to_string(),
        _ => String::new(),
    }
}
