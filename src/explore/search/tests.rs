//! What the search finds in small scenes, and that nothing it merges changes that.

use std::sync::Arc;

use super::{Found, Kind, Reductions, Search, SearchOptions};
use crate::audit::Verdict;
use crate::scene::Scene;

/// A built-in scene with fewer orders.
pub(super) fn scene(id: &str, orders: u32) -> Arc<Scene> {
    let source = crate::scene::catalogue::find(id).expect(id).source();
    let at = source.find("count: ").expect("a count") + "count: ".len();
    let source = format!("{}{orders}{}", &source[..at], &source[at + 1..]);
    Arc::new(Scene::open(&source).expect(id))
}

fn search(scene: &Arc<Scene>, kinds: &[Kind], reductions: Reductions) -> Found {
    let options =
        SearchOptions { faults: 1, kinds: kinds.to_vec(), states_max: 200_000, reductions };
    Search::new(scene.clone(), &options).finish()
}

#[test]
fn a_commit_before_the_letter_loses_it_and_nothing_else() {
    let found = search(&scene("dual-write/commit-then-send", 1), &[Kind::Crash], Reductions::ALL);
    println!("{found:?}");
    assert!(found.complete && found.delivers());
    let smallest = found.counterexample.expect("a lost letter");
    assert_eq!((smallest.verdict, smallest.faults), (Verdict::Lost, 1));
}
