//! Actions as text: `KIND:TARGET@WHERE`, comma-separated. The same grammar stands in links and
//! on the command line.
//!
//! `unplug:relay@17`, `plug:relay@+500`, `kill:relay@relay.8#1:effect`,
//! `cut:relay-broker@published`, `drop:relay.8@20`, `delay:relay.8-1500@20`, `refuse:db@12`,
//! `order@30`, `next:relay.8@9`.

use std::sync::Arc;

/// Actions that one run may have.
pub const ACTIONS_MAX: usize = 200;

/// One action, pinned to a moment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action {
    /// What is done.
    pub kind: Kind,
    /// To whom.
    pub target: Target,
    /// When.
    pub when: When,
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The cord comes out.
    Unplug,
    /// The cord goes in.
    Plug,
    /// The process is killed.
    Kill,
    /// It is started again.
    Restart,
    /// A link is cut.
    Cut,
    /// A link is mended.
    Mend,
    /// A message is dropped.
    Drop,
    /// A message is delayed.
    Delay,
    /// The next COMMIT is refused.
    Refuse,
    /// One more order.
    Order,
    /// An enabled event is run next.
    Next,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 11] = [
        Kind::Unplug,
        Kind::Plug,
        Kind::Kill,
        Kind::Restart,
        Kind::Cut,
        Kind::Mend,
        Kind::Drop,
        Kind::Delay,
        Kind::Refuse,
        Kind::Order,
        Kind::Next,
    ];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Unplug => "unplug",
            Self::Plug => "plug",
            Self::Kill => "kill",
            Self::Restart => "restart",
            Self::Cut => "cut",
            Self::Mend => "mend",
            Self::Drop => "drop",
            Self::Delay => "delay",
            Self::Refuse => "refuse",
            Self::Order => "order",
            Self::Next => "next",
        }
    }
}

/// What an action is done to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// Nothing in particular.
    None,
    /// A part.
    Part(Arc<str>),
    /// The link between two parts.
    Link(Arc<str>, Arc<str>),
    /// A message or timer: the n-th thing that a part set going.
    Event(Arc<str>, u32),
    /// A message, and by how many milliseconds.
    Late(Arc<str>, u32, u32),
}

/// When an action happens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum When {
    /// Before this step.
    Step(u64),
    /// So many milliseconds after the previous action, or after the start.
    After(u32),
    /// At a call of a program.
    Call {
        /// Whose.
        part: Arc<str>,
        /// On which line.
        line: u32,
        /// For which time, from 1.
        nth: u32,
        /// Where in its life.
        phase: Phase,
    },
    /// At the n-th time that a named moment comes.
    Moment {
        /// Its name.
        name: Arc<str>,
        /// From 1.
        nth: u32,
    },
}

/// A place in the life of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Before it leaves.
    Before,
    /// After it took effect.
    Effect,
    /// After its answer.
    Answer,
}

/// Why a text is no action. `found` is the part of it that does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionError {
    /// The catalogue's id of the message.
    pub problem: &'static str,
    /// What stood there.
    pub found: String,
}

/// Reads a list. Entries that cannot be read are reported, the others kept.
pub fn parse_list(text: &str) -> (Vec<Action>, Vec<ActionError>) {
    let mut actions = Vec::new();
    let mut errors = Vec::new();
    for entry in text.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
        match parse(entry) {
            Ok(_) if actions.len() >= ACTIONS_MAX => {
                errors.push(error("link-too-many-actions", entry));
            }
            Ok(action) => actions.push(action),
            Err(error) => errors.push(error),
        }
    }
    (actions, errors)
}

/// Reads one action.
///
/// # Errors
/// What does not fit.
pub fn parse(entry: &str) -> Result<Action, ActionError> {
    let (what, when) = entry.split_once('@').ok_or_else(|| error("link-bad-action", entry))?;
    let (word, target) = match what.split_once(':') {
        Some((word, target)) => (word, target),
        None => (what, ""),
    };
    let kind = Kind::ALL.into_iter().find(|kind| kind.word() == word);
    let kind = kind.ok_or_else(|| error("link-unknown-action", word))?;
    let target = parse_target(kind, target).ok_or_else(|| error("link-bad-action", entry))?;
    let when = parse_when(when).ok_or_else(|| error("link-bad-moment", when))?;
    Ok(Action { kind, target, when })
}

fn error(problem: &'static str, found: &str) -> ActionError {
    ActionError { problem, found: found.chars().take(60).collect() }
}

fn parse_target(kind: Kind, text: &str) -> Option<Target> {
    match kind {
        Kind::Order => text.is_empty().then_some(Target::None),
        Kind::Cut | Kind::Mend => {
            let (a, b) = text.split_once('-')?;
            Some(Target::Link(name(a)?, name(b)?))
        }
        Kind::Drop | Kind::Next => {
            let (part, n) = event(text)?;
            Some(Target::Event(part, n))
        }
        Kind::Delay => {
            let (message, ms) = text.split_once('-')?;
            let (part, n) = event(message)?;
            Some(Target::Late(part, n, number(ms)?))
        }
        _ => Some(Target::Part(name(text)?)),
    }
}

fn parse_when(text: &str) -> Option<When> {
    if let Some(ms) = text.strip_prefix('+') {
        return Some(When::After(number(ms)?));
    }
    if text.starts_with(|first: char| first.is_ascii_digit()) {
        let step = u64::from(number(text)?);
        return (step >= 1).then_some(When::Step(step));
    }
    if let Some((place, phase)) = text.split_once(':') {
        let phase = match phase {
            "before" => Phase::Before,
            "effect" => Phase::Effect,
            "answer" => Phase::Answer,
            _ => return None,
        };
        let (place, nth) = counted(place)?;
        let (part, line) = event(place)?;
        return Some(When::Call { part, line, nth, phase });
    }
    let (moment, nth) = counted(text)?;
    let plain = moment.chars().all(|letter| letter.is_alphanumeric() || letter == '-');
    (plain && !moment.is_empty()).then(|| When::Moment { name: moment.into(), nth })
}

/// `text#n`, or `text` for the first.
fn counted(text: &str) -> Option<(&str, u32)> {
    match text.split_once('#') {
        Some((text, nth)) => Some((text, number(nth).filter(|nth| *nth >= 1)?)),
        None => Some((text, 1)),
    }
}

fn event(text: &str) -> Option<(Arc<str>, u32)> {
    let (part, n) = text.split_once('.')?;
    Some((name(part)?, number(n)?))
}

fn name(text: &str) -> Option<Arc<str>> {
    let plain = text.chars().all(|letter| letter.is_ascii_alphanumeric());
    (plain && !text.is_empty()).then(|| text.into())
}

/// Digits only: no sign, no spaces.
fn number(text: &str) -> Option<u32> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

impl std::fmt::Display for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.kind.word())?;
        match &self.target {
            Target::None => {}
            Target::Part(part) => write!(f, ":{part}")?,
            Target::Link(a, b) => write!(f, ":{a}-{b}")?,
            Target::Event(part, n) => write!(f, ":{part}.{n}")?,
            Target::Late(part, n, ms) => write!(f, ":{part}.{n}-{ms}")?,
        }
        match &self.when {
            When::Step(step) => write!(f, "@{step}"),
            When::After(ms) => write!(f, "@+{ms}"),
            When::Moment { name, nth } => write!(f, "@{name}#{nth}"),
            When::Call { part, line, nth, phase } => {
                let phase = match phase {
                    Phase::Before => "before",
                    Phase::Effect => "effect",
                    Phase::Answer => "answer",
                };
                write!(f, "@{part}.{line}#{nth}:{phase}")
            }
        }
    }
}

/// The written form of a list.
pub fn list_text(actions: &[Action]) -> String {
    let texts: Vec<String> = actions.iter().map(ToString::to_string).collect();
    texts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let text = "unplug:relay@17,plug:relay@+500,kill:relay@relay.8#1:effect,cut:relay-broker@3,\
                    drop:relay.8@20,delay:relay.8-1500@20,refuse:db@committed#2,order@30,\
                    next:db.4@9";
        let (actions, errors) = parse_list(text);
        assert_eq!(errors, []);
        assert_eq!(list_text(&actions), text);
    }

    #[test]
    fn what_cannot_be_read_is_reported_and_the_rest_kept() {
        let (actions, errors) =
            parse_list("unplug:relay@17,fly:relay@3,unplug:re lay@4,kill:db@,x");
        assert_eq!(actions.len(), 1);
        let errors: Vec<_> = errors.iter().map(|e| (e.problem, e.found.as_str())).collect();
        let expected = [
            ("link-unknown-action", "fly"),
            ("link-bad-action", "unplug:re lay@4"),
            ("link-bad-moment", ""),
            ("link-bad-action", "x"),
        ];
        assert_eq!(errors, expected);
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in ".{0,60}") {
            let (actions, _) = parse_list(&text);
            let again = parse_list(&list_text(&actions)).0;
            proptest::prop_assert_eq!(actions, again);
        }
    }
}
