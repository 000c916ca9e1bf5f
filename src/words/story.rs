//! One plain sentence per event.

use std::sync::Arc;

use super::Words;
use crate::sim::{Ask, Event, Loss, PartId, Setup, What};

/// Names of parts as the reader of a sentence knows them.
pub type Namer<'a> = &'a dyn Fn(PartId) -> String;

impl Words {
    /// What happened, in a sentence. Parts are called by their names in the scene.
    pub fn story(self, event: &Event, setup: &Setup) -> String {
        self.story_with(event, setup, &|part| setup.part(part).name.as_ref().to_owned())
    }

    /// What happened, in a sentence, with names of one's own for the parts.
    pub fn story_with(self, event: &Event, setup: &Setup, name: Namer<'_>) -> String {
        let teller = Teller { words: self, setup, name };
        let (text, names_order) = teller.tell(event);
        match event.order {
            Some(order) if !names_order => self.log_sentence(&self.log_about(order, &text)),
            _ => self.log_sentence(&text),
        }
    }
}

struct Teller<'a> {
    words: Words,
    setup: &'a Setup,
    name: Namer<'a>,
}

impl Teller<'_> {
    /// The sentence without its full stop, and whether it names the order already.
    fn tell(&self, event: &Event) -> (String, bool) {
        let part = (self.name)(event.part);
        let order = event.order.unwrap_or_default();
        let words = self.words;
        let text = match &event.what {
            What::Ordered => words.log_order_sent(order, &part),
            What::OrderArrived => words.log_order_arrived(order, &part),
            What::OrderAnswered(true) => words.log_order_accepted(order, &part),
            What::OrderAnswered(false) => words.log_order_failed(order, &part),
            What::CustomerTold(true) => words.log_customer_told(order, &part),
            What::CustomerTold(false) => words.log_customer_refused(order, &part),
            What::CustomerUnsure => words.log_customer_unsure(&part),
            What::Started if self.setup.program(event.part).is_some() => {
                words.log_program_started(&part)
            }
            other => return (self.call(&part, other), false),
        };
        (text, true)
    }

    /// Calls and their answers.
    fn call(&self, part: &str, what: &What) -> String {
        let words = self.words;
        match what {
            What::Called { ask, to } => self.called(part, ask, *to),
            What::Executed { ask, by, rows } => self.executed(part, ask, *by, *rows),
            What::Refused { ask, by, code } => self.refused(part, ask, *by, code),
            What::Waits { ask, by, holder } => {
                let (other, ask) = ((self.name)(*by), text_of(ask));
                match holder {
                    Some(holder) => {
                        words.log_waits_holder(&(self.name)(*holder), &other, part, &ask)
                    }
                    None => words.log_waits(&other, part, &ask),
                }
            }
            What::Skipped { by, rows } => {
                words.log_skipped(i64::from(*rows), &(self.name)(*by), part)
            }
            What::AnswerLeft { to, ask } => {
                words.log_answer_left(&(self.name)(*to), part, &text_of(ask))
            }
            What::Answered { ask, code, .. } => self.answered(part, ask, code.as_ref()),
            What::TimedOut { to, ask } => {
                words.log_timed_out(&(self.name)(*to), part, &text_of(ask))
            }
            other => self.message(part, other),
        }
    }

    fn called(&self, part: &str, ask: &Ask, to: PartId) -> String {
        let (words, other) = (self.words, (self.name)(to));
        match &*ask.verb {
            "publish" => words.log_call_publish(&other, part, &ask.object),
            "subscribe" => words.log_call_subscribe(&other, part, &ask.object),
            "send" => words.log_call_send(&other, part),
            _ => words.log_call(&other, part, &text_of(ask)),
        }
    }

    fn executed(&self, part: &str, ask: &Ask, by: PartId, rows: Option<u32>) -> String {
        let (words, other) = (self.words, (self.name)(by));
        match (&*ask.verb, rows) {
            ("BEGIN", _) => words.log_begun(&other, part),
            ("COMMIT", _) => words.log_committed(&other, part),
            ("ROLLBACK", _) => words.log_rolled_back(&other, part),
            ("PREPARE TRANSACTION", _) => words.log_prepared(&other, part),
            ("subscribe", _) => words.log_subscribed(&other, part, &ask.object),
            ("send", _) => words.log_key_known(&other, part),
            (_, Some(rows)) => words.log_executed(i64::from(rows), &other, part, &text_of(ask)),
            (_, None) => words.log_executed_plain(&other, part, &text_of(ask)),
        }
    }

    fn refused(&self, part: &str, ask: &Ask, by: PartId, code: &str) -> String {
        let (words, other) = (self.words, (self.name)(by));
        match (&*ask.verb, code) {
            ("COMMIT", _) => words.log_refused_commit(code, &other, part),
            (_, "40P01") => words.log_deadlock(&other, part, &text_of(ask)),
            (_, "25P02") => words.log_aborted(&other, part, &text_of(ask)),
            _ => words.log_refused(code, &other, part, &text_of(ask)),
        }
    }

    fn answered(&self, part: &str, ask: &Ask, code: Option<&Arc<str>>) -> String {
        let words = self.words;
        match code.map(|code| &**code) {
            Some("commit-unknown") => words.log_answered_commit_unknown(part, &text_of(ask)),
            Some(code) => words.log_answered_error(code, part, &text_of(ask)),
            None if &*ask.verb == "publish" => words.log_answered_publish(part, &ask.object),
            None => words.log_answered(part, &text_of(ask)),
        }
    }

    /// Messages, letters, losses.
    fn message(&self, part: &str, what: &What) -> String {
        let words = self.words;
        match what {
            What::Stored(queue) => words.log_stored(part, queue),
            What::Flushed(queue) => words.log_flushed(part, queue),
            What::Confirmed(to) => words.log_confirmed(&(self.name)(*to), part),
            What::Delivered { to, redelivered: false } => {
                words.log_delivered(&(self.name)(*to), part)
            }
            What::Delivered { to, redelivered: true } => {
                words.log_redelivered(&(self.name)(*to), part)
            }
            What::Received { redelivered: false } => words.log_received(part),
            What::Received { redelivered: true } => words.log_received_again(part),
            What::Acked(by) => words.log_acked(&(self.name)(*by), part),
            What::Requeued(queue) => words.log_requeued(part, queue),
            What::LetterSent { to, kind } => {
                let to = to.as_text().map_or_else(|| "?".to_owned(), str::to_owned);
                match &**kind {
                    "letter" => words.log_letter_sent(part, &to),
                    kind => words.log_letter_sent_kind(kind, part, &to),
                }
            }
            What::Lost { what, loss } => self.lost(part, what, *loss),
            other => self.process(part, other),
        }
    }

    fn lost(&self, part: &str, what: &str, loss: Loss) -> String {
        let (words, thing) = (self.words, self.thing(what));
        match loss {
            Loss::Memory => words.log_lost_memory(part),
            Loss::RolledBack => words.log_lost_row(part, what),
            Loss::NoPower => words.log_lost_no_power(part, &thing),
            Loss::NoConnection => words.log_lost_no_connection(part, &thing),
            Loss::Dropped => words.log_lost_dropped(part, &thing),
            Loss::Unroutable => words.log_lost_unroutable(part, &thing),
            Loss::NotOnDisk => words.log_lost_not_on_disk(part, &thing),
            Loss::Discarded => words.log_lost_discarded(part, &thing),
        }
    }

    /// What was lost, as the world writes it, in the reader's language.
    fn thing(&self, what: &str) -> String {
        match (what, what.strip_prefix("answer to ")) {
            ("order", _) => self.words.log_thing_order().to_owned(),
            ("answer" | "", _) => self.words.log_thing_answer().to_owned(),
            (_, Some(ask)) => self.words.log_thing_answer_to(ask),
            (other, None) => other.to_owned(),
        }
    }

    /// Processes, power, links.
    fn process(&self, part: &str, what: &What) -> String {
        let words = self.words;
        match what {
            What::Sleeps(us) => words.log_sleeps(us / 1000, part),
            What::Woke => words.log_wakes(part),
            What::Started => words.log_started(part),
            What::Ended => words.log_ended(part),
            What::Unplugged => words.log_unplugged(part),
            What::Plugged => words.log_plugged(part),
            What::Killed => words.log_killed(part),
            What::Restarted => words.log_restarted(part),
            What::Crashed { message, code } => match code {
                Some(code) => words.log_crashed(&format!("{message} ({code})"), part),
                None => words.log_crashed(message, part),
            },
            What::Disconnected(from) => words.log_disconnected(&(self.name)(*from), part),
            What::ClientGone { client, rolled_back: false } => {
                words.log_client_gone(&(self.name)(*client), part)
            }
            What::ClientGone { client, rolled_back: true } => {
                words.log_client_gone_rolled_back(&(self.name)(*client), part)
            }
            What::Cut(other) => words.log_cut(&(self.name)(*other), part),
            What::Mended(other) => words.log_mended(&(self.name)(*other), part),
            What::Delayed { by_us } => words.log_delayed(part, &words.seconds(*by_us)),
            What::RefusalArmed => words.log_refusal_armed(part),
            // All other kinds were told before.
            other => format!("{part}: {}", other.kind()),
        }
    }
}

/// A call in the words of its language: `INSERT INTO outbox`, `publish order.created`.
fn text_of(ask: &Ask) -> String {
    let link = match &*ask.verb {
        "INSERT" => " INTO ",
        "SELECT" | "DELETE" => " FROM ",
        _ => " ",
    };
    match ask.object.is_empty() {
        true => ask.verb.as_ref().to_owned(),
        false => [&*ask.verb, link, &*ask.object].concat(),
    }
}
