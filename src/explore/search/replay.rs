//! From a state back to the run that leads there, as actions that `plug run` replays.

use super::graph::{End, Graph};
use super::model::Model;
use super::moves::{Move, perform};
use super::{Counterexample, Verdict};
use crate::run::action::{Action, Kind, Target, When};
use crate::sim::{Fault, Name, Setup, World};

/// The run to an end that goes wrong.
pub(super) fn counterexample(model: &Model, graph: &Graph, end: &End) -> Counterexample {
    let wrong = end.outcome.iter().find(|(_, verdict)| !verdict.is_fine());
    let (order, verdict) = wrong.copied().unwrap_or((0, Verdict::Undecided));
    let moves = moves_to(model, graph, end.index);
    let actions = actions(model.first(), &moves);
    Counterexample { actions, faults: end.cost.faults, steps: end.cost.steps, verdict, order }
}

/// Goes the same way again: choices always come in the same order.
fn moves_to(model: &Model, graph: &Graph, index: u32) -> Vec<Move> {
    let mut path = Vec::new();
    let mut at = index;
    while graph.node(at).cost.steps > 0 {
        path.push(graph.node(at));
        at = graph.node(at).parent;
    }
    let (mut world, mut faults, mut moves) = (model.first(), 0, Vec::new());
    for node in path.into_iter().rev() {
        let mut choices = model.next(&world, faults).into_iter();
        let Some((choice, next)) = choices.nth(usize::from(node.choice)) else { break };
        moves.extend(choice.moves);
        faults += choice.faults;
        world = next;
    }
    moves
}

/// Moves as actions. An event that is next anyway needs none.
fn actions(mut world: World, moves: &[Move]) -> Vec<Action> {
    let mut actions = Vec::new();
    for step in moves {
        let setup = world.setup().clone();
        let when = When::Step(world.steps() + 1);
        match step {
            Move::Fault(fault) => actions.extend(action(&setup, *fault, when)),
            Move::Event(name) => {
                // At rest a player goes on to its next action, whenever that is due.
                if world.enabled().first() != Some(name) || world.is_at_rest() {
                    let target = event(&setup, *name);
                    actions.push(Action { kind: Kind::Next, target, when });
                }
            }
        }
        let done = perform(&mut world, *step);
        debug_assert!(done, "the same moves in the same world");
    }
    actions
}

fn event(setup: &Setup, name: Name) -> Target {
    Target::Event(setup.part(name.part).name.clone(), name.n)
}

fn action(setup: &Setup, fault: Fault, when: When) -> Option<Action> {
    let part = |part| setup.part(part).name.clone();
    let (kind, target) = match fault {
        Fault::Unplug(of) => (Kind::Unplug, Target::Part(part(of))),
        Fault::Plug(of) => (Kind::Plug, Target::Part(part(of))),
        Fault::Kill(of) => (Kind::Kill, Target::Part(part(of))),
        Fault::Restart(of) => (Kind::Restart, Target::Part(part(of))),
        Fault::Cut(a, b) => (Kind::Cut, Target::Link(part(a), part(b))),
        Fault::Mend(a, b) => (Kind::Mend, Target::Link(part(a), part(b))),
        Fault::Drop(name) => (Kind::Drop, event(setup, name)),
        Fault::Delay(name, us) => {
            let ms = u32::try_from(us / 1000).ok()?;
            (Kind::Delay, Target::Late(part(name.part), name.n, ms))
        }
        Fault::Refuse(of) => (Kind::Refuse, Target::Part(part(of))),
        Fault::Order => (Kind::Order, Target::None),
    };
    Some(Action { kind, target, when })
}
