//! What a scene's queues and publishes are set to, seen in its runs.

use std::sync::Arc;

use super::bench::{LETTERS, PLACE, SHOP, at_ms, count, run, scene, verdict};
use crate::audit::Verdict;
use crate::run::Finished;
use crate::scene::Scene;
use crate::sim::{Loss, What};

const QUEUES: &str = "queues: { \"order.created\": { durable: true } }";
const PUBLISH: &str = "publish(\"order.created\", event, { persistent: true })";
const SUBSCRIBE: &str = "subscribe(\"order.created\"";

/// The shop with other queues, another publish, and letters from another queue.
fn shop(queues: &str, publish: &str, subscribe: &str) -> Arc<Scene> {
    let parts = SHOP.replace(QUEUES, queues);
    let (place, letters) = (PLACE.replace(PUBLISH, publish), LETTERS.replace(SUBSCRIBE, subscribe));
    scene(&parts, 1, &[&place, &letters])
}

fn publishing(publish: &str) -> Arc<Scene> {
    shop(QUEUES, publish, SUBSCRIBE)
}

fn lost(finished: &Finished, loss: Loss) -> usize {
    let fits = |what: &What| matches!(what, What::Lost { loss: known, .. } if *known == loss);
    count(&finished.events, fits)
}

fn stored_ms(finished: &Finished) -> Vec<i64> {
    let stored = finished.events.iter().filter(|it| matches!(it.what, What::Stored(_)));
    stored.map(|event| event.time_us / 1000).collect()
}

#[test]
fn a_publish_without_a_confirm_is_over_at_once_and_nobody_learns_of_its_loss() {
    let (unconfirmed, confirmed) = (
        publishing("publish(\"order.created\", event, { persistent: true, confirm: false })"),
        publishing(PUBLISH),
    );
    let blow = "kill:broker@published,restart:broker@+10";
    let answered =
        |finished: &Finished, ok| count(&finished.events, |what| *what == What::OrderAnswered(ok));
    let (unaware, told) = (run(&unconfirmed, blow), run(&confirmed, blow));
    assert_eq!((verdict(&unaware), answered(&unaware, true)), (Verdict::Lost, 1));
    assert_eq!((verdict(&told), answered(&told, false)), (Verdict::Lost, 1));
    let calm = run(&unconfirmed, "");
    assert_eq!(verdict(&calm), Verdict::Once);
    assert_eq!(count(&calm.events, |what| matches!(what, What::Confirmed(_))), 0);
    let (answer, stored) = (
        at_ms(&calm.events, |what| *what == What::OrderAnswered(true)),
        at_ms(&calm.events, |what| matches!(what, What::Stored(_))),
    );
    assert!(answer < stored, "{answer:?} {stored:?}");
}

#[test]
fn a_message_for_no_queue_is_confirmed_unless_it_is_mandatory() {
    let code = |finished: &Finished| {
        finished.events.iter().find_map(|event| match &event.what {
            What::Answered { ask, code, .. } if &*ask.verb == "publish" => Some(code.clone()),
            _ => None,
        })
    };
    let dropped = run(&publishing("publish(\"nowhere\", event)"), "");
    assert_eq!((lost(&dropped, Loss::Unroutable), code(&dropped)), (1, Some(None)));
    let returned = run(&publishing("publish(\"nowhere\", event, { mandatory: true })"), "");
    assert_eq!(lost(&returned, Loss::Unroutable), 1);
    assert_eq!(code(&returned).flatten().as_deref(), Some("unroutable"));
}

#[test]
fn an_exchange_copies_a_message_to_each_queue_that_is_bound() {
    let queues = "queues: { a: {}, b: {}, c: {} },
      exchanges: { events: { type: \"topic\", bindings: { a: \"order.*\", b: \"#\", c: \"cart.*\" } } }";
    let publish = "publish(\"order.created\", event, { exchange: \"events\" })";
    for (queue, expected) in [("a", Verdict::Once), ("b", Verdict::Once), ("c", Verdict::Stuck)] {
        let finished = run(&shop(queues, publish, &format!("subscribe(\"{queue}\"")), "");
        assert_eq!(stored_ms(&finished).len(), 2);
        assert_eq!(verdict(&finished), expected, "{queue}");
    }
}

#[test]
fn a_message_that_waits_too_long_moves_to_the_dead_letters_at_its_time() {
    let queues = "queues: { \"order.created\": { ttlMs: 700, deadLetter: \"late\" }, late: {} }";
    let finished = run(&shop(queues, PUBLISH, "subscribe(\"late\""), "");
    assert_eq!(verdict(&finished), Verdict::Once);
    let stored = stored_ms(&finished);
    assert!(matches!(stored[..], [first, second] if second == first + 700), "{stored:?}");
    // A broker without power moves nothing; it looks as soon as it is back.
    let blow = "unplug:broker@published,plug:broker@+5000";
    let late = run(&shop(queues, PUBLISH, "subscribe(\"late\""), blow);
    assert_eq!((verdict(&late), stored_ms(&late).len()), (Verdict::Lost, 1), "not on disk yet");
    let blow = "unplug:broker@+750,plug:broker@+5000";
    let late = stored_ms(&run(&shop(queues, PUBLISH, "subscribe(\"late\""), blow));
    assert!(matches!(late[..], [first, second] if second > first + 5000 - 750), "{late:?}");
}

#[test]
fn a_message_that_waits_too_long_is_gone_without_dead_letters() {
    let queues = "queues: { \"order.created\": { ttlMs: 700 } }";
    let away = "unplug:letters@1,plug:letters@+3000";
    let finished = run(&shop(queues, PUBLISH, SUBSCRIBE), away);
    assert_eq!((verdict(&finished), lost(&finished, Loss::Discarded)), (Verdict::Lost, 1));
    let patient = run(&shop(QUEUES, PUBLISH, SUBSCRIBE), away);
    assert_eq!(verdict(&patient), Verdict::Once);
}
