//! Which queues a message goes to.

use super::config::{Config, ExchangeKind};
use super::message::QueueId;
use crate::collections::sort;

/// The queues that an exchange's bindings lead to, each once, in order of their numbers;
/// nothing if there is no such exchange. Whether they exist just now is not asked here.
pub(super) fn route(config: &Config, exchange: &str, key: &str) -> Option<Vec<QueueId>> {
    if exchange.is_empty() {
        return Some(find(config, key).into_iter().collect());
    }
    let kind = config.exchanges.iter().find(|known| &*known.name == exchange)?.kind;
    let mut queues: Vec<QueueId> = config
        .bindings
        .iter()
        .filter(|binding| &*binding.exchange == exchange && matches(kind, &binding.key, key))
        .filter_map(|binding| find(config, &binding.queue))
        .collect();
    sort(&mut queues);
    queues.dedup();
    Some(queues)
}

/// The queue of that name.
pub(super) fn find(config: &Config, name: &str) -> Option<QueueId> {
    let found = (0u32..).zip(&config.queues).find(|(_, queue)| &*queue.name == name);
    found.map(|(number, _)| QueueId(number))
}

fn matches(kind: ExchangeKind, pattern: &str, key: &str) -> bool {
    match kind {
        ExchangeKind::Direct => pattern == key,
        ExchangeKind::Fanout => true,
        ExchangeKind::Topic => {
            let pattern: Vec<&str> = pattern.split('.').collect();
            let words: Vec<&str> = key.split('.').collect();
            matches_words(&pattern, &words)
        }
    }
}

fn matches_words(pattern: &[&str], words: &[&str]) -> bool {
    let Some((first, rest)) = pattern.split_first() else { return words.is_empty() };
    if *first == "#" {
        return (0..=words.len()).any(|skipped| matches_words(rest, &words[skipped..]));
    }
    words.split_first().is_some_and(|(word, others)| {
        (*first == "*" || first == word) && matches_words(rest, others)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_exchange_matches_words() {
        let yes = [("a.*", "a.b"), ("#", "a.b"), ("a.#", "a"), ("#.c", "a.b.c"), ("a.b", "a.b")];
        let no = [("a.*", "a"), ("a.*", "a.b.c"), ("a", "a.b"), ("#.c", "a.b")];
        assert!(yes.iter().all(|(pattern, key)| matches(ExchangeKind::Topic, pattern, key)));
        assert!(!no.iter().any(|(pattern, key)| matches(ExchangeKind::Topic, pattern, key)));
        assert!(!matches(ExchangeKind::Direct, "a.*", "a.b"));
        assert!(matches(ExchangeKind::Fanout, "x", "a.b"));
    }
}
