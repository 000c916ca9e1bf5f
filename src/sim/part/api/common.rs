//! What all APIs share: idempotency keys, records of effects, and calls that fail.

use std::sync::Arc;

use crate::collections::sort_by;
use crate::datum::Datum;

/// How an API treats idempotency keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Config {
    /// A repeated key gets the first answer and no second effect; otherwise keys mean nothing.
    pub honours_keys: bool,
    /// How long a key is remembered after its first use, in microseconds; without it, for ever.
    pub key_ttl_us: Option<i64>,
}

/// What an API does: the difference between mail and payments.
pub trait Service {
    /// What a client asks for; it becomes the record of the effect.
    type Request: Clone + std::fmt::Debug + PartialEq + Eq + std::hash::Hash;

    /// The order that a request is about.
    fn order(request: &Self::Request) -> &Datum;

    /// What the effect is called in claims, such as `letter` or `charge`.
    fn kind(request: &Self::Request) -> &str;

    /// Says yes or no, and with what answer. `id` is the number that the effect would get.
    fn decide(&self, request: &Self::Request, id: u64, done: &[Effect<Self::Request>]) -> Decision;
}

/// A service's word on a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// The effect happens, and this is the answer.
    Do(Answer),
    /// Nothing happens, for a business reason.
    Refuse(Answer),
}

/// An HTTP answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The body.
    pub body: Datum,
}

impl Answer {
    /// An answer whose body is an object with one field.
    pub fn new(status: u16, field: &str, value: Datum) -> Self {
        Self { status, body: Datum::Object([(field.into(), value)].into()) }
    }

    /// Whether the client is told that it worked.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// Something that happened in the outer world and cannot be undone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Effect<R> {
    /// Its number, from 1.
    pub id: u64,
    /// When it happened, in microseconds of virtual time.
    pub at_us: i64,
    /// The idempotency key that the client sent.
    pub key: Option<Arc<str>>,
    /// The world's number of the call that caused it.
    pub origin: u64,
    /// What was asked for and done.
    pub request: R,
}

/// What went on inside an API.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Fact {
    /// An effect happened.
    Done {
        /// Its number.
        effect: u64,
        /// The call that caused it.
        origin: u64,
    },
    /// A known key: the first answer is given again, nothing happens.
    Repeated {
        /// The effect of the first call with this key.
        effect: u64,
        /// The call that came now.
        origin: u64,
    },
    /// The request was refused for a business reason; nothing happened.
    Refused {
        /// The call.
        origin: u64,
        /// The status of the answer.
        status: u16,
    },
    /// The API failed before it did anything.
    Failed {
        /// The call.
        origin: u64,
    },
    /// The API did its part and will never answer.
    Silent {
        /// The call.
        origin: u64,
    },
}

/// How the next call goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// It is answered with status 500 before anything happens.
    Error,
    /// It is carried out, and never answered.
    Silence,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct KnownKey {
    key: Arc<str>,
    since_us: i64,
    effect: u64,
    answer: Answer,
}

/// An external API. All its state is durable: what a provider has done stays done.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Api<S: Service> {
    service: S,
    config: Config,
    effects: Vec<Effect<S::Request>>,
    keys: Vec<KnownKey>,
    fault: Option<Fault>,
}

impl<S: Service> Api<S> {
    /// An API that has done nothing yet.
    pub fn new(service: S, config: Config) -> Self {
        Self { service, config, effects: Vec::new(), keys: Vec::new(), fault: None }
    }

    /// A request arrives at `now_us`, in microseconds of virtual time; `origin` is the world's
    /// number of the call. The effect, if any, happens here. The answer is to be sent by a later
    /// step; `None` is no answer, ever.
    pub fn receive(
        &mut self,
        request: &S::Request,
        key: Option<&Arc<str>>,
        origin: u64,
        now_us: i64,
        facts: &mut Vec<Fact>,
    ) -> Option<Answer> {
        let fault = self.fault.take();
        if fault == Some(Fault::Error) {
            facts.push(Fact::Failed { origin });
            return Some(Answer::new(500, "error", Datum::text("internal error")));
        }
        let answer = self.carry_out(request, key, origin, now_us, facts);
        if fault == Some(Fault::Silence) {
            facts.push(Fact::Silent { origin });
            return None;
        }
        Some(answer)
    }

    /// Forgets times, numbers and the order of effects, and of more than `most` effects for one
    /// order and kind those that are too many: so many are wrong already, and stay so.
    pub(crate) fn canonical(&mut self, most: u32) {
        let mut effects: Vec<Effect<S::Request>> = Vec::new();
        for effect in std::mem::take(&mut self.effects) {
            let same = |known: &&Effect<S::Request>| known.request == effect.request;
            if effects.iter().filter(same).count() < most as usize {
                effects.push(Effect { id: 0, at_us: 0, key: None, origin: 0, ..effect });
            }
        }
        sort_by(&mut effects, |a, b| {
            let order = |effect: &Effect<S::Request>| S::order(&effect.request).clone();
            let kind = |effect: &Effect<S::Request>| S::kind(&effect.request).to_owned();
            (order(a), kind(a)).cmp(&(order(b), kind(b)))
        });
        self.effects = effects;
        for key in &mut self.keys {
            (key.since_us, key.effect) = (0, 0);
        }
    }

    /// Whether it forgets keys as time goes by.
    pub(crate) fn has_deadlines(&self) -> bool {
        self.config.honours_keys && self.config.key_ttl_us.is_some()
    }

    /// Makes the next call go wrong; `None` takes that back.
    pub fn fail_next(&mut self, fault: Option<Fault>) {
        self.fault = fault;
    }

    /// The fault that waits for the next call.
    pub fn pending_fault(&self) -> Option<Fault> {
        self.fault
    }

    /// All effects, in the order in which they happened.
    pub fn effects(&self) -> &[Effect<S::Request>] {
        &self.effects
    }

    /// The effects for one order, in the order in which they happened.
    pub fn effects_of<'a>(
        &'a self,
        order: &'a Datum,
    ) -> impl Iterator<Item = &'a Effect<S::Request>> {
        self.effects.iter().filter(move |effect| S::order(&effect.request) == order)
    }

    /// For the audit: each effect's number, order and kind, in the order in which they happened.
    pub fn records(&self) -> impl Iterator<Item = (u64, &Datum, &str)> {
        self.effects
            .iter()
            .map(|effect| (effect.id, S::order(&effect.request), S::kind(&effect.request)))
    }

    fn carry_out(
        &mut self,
        request: &S::Request,
        key: Option<&Arc<str>>,
        origin: u64,
        now_us: i64,
        facts: &mut Vec<Fact>,
    ) -> Answer {
        let key = key.cloned();
        let honoured = key.clone().filter(|_| self.config.honours_keys);
        self.forget_keys(now_us);
        let known = self.keys.iter().find(|known| Some(&known.key) == honoured.as_ref());
        if let Some(known) = known {
            facts.push(Fact::Repeated { effect: known.effect, origin });
            return known.answer.clone();
        }
        let id = self.effects.last().map_or(1, |last| last.id + 1);
        match self.service.decide(request, id, &self.effects) {
            Decision::Refuse(answer) => {
                facts.push(Fact::Refused { origin, status: answer.status });
                answer
            }
            Decision::Do(answer) => {
                facts.push(Fact::Done { effect: id, origin });
                let request = request.clone();
                self.effects.push(Effect { id, at_us: now_us, key, origin, request });
                if let Some(key) = honoured {
                    let answer = answer.clone();
                    self.keys.push(KnownKey { key, since_us: now_us, effect: id, answer });
                }
                answer
            }
        }
    }

    fn forget_keys(&mut self, now_us: i64) {
        if let Some(ttl_us) = self.config.key_ttl_us {
            self.keys.retain(|known| now_us < known.since_us.saturating_add(ttl_us));
        }
    }
}
