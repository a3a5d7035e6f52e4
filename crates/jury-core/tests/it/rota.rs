//! Fairness between projects, for any arrivals.

use std::collections::{BTreeMap, VecDeque};

use jury_core::id::ProjectId;
use jury_core::rota::Rota;
use proptest::prelude::*;

fn project(number: u8) -> ProjectId {
    format!("p{number}").parse().unwrap_or_else(|error| unreachable!("{error}"))
}

#[test]
fn projects_take_turns_and_each_keeps_its_order() {
    let mut rota = Rota::default();
    let mut queues: BTreeMap<ProjectId, VecDeque<u32>> =
        BTreeMap::from([(project(1), (0..4).collect()), (project(2), (10..12).collect())]);
    let mut served = Vec::new();
    while let Some((project, run)) = rota.pick(heads(&queues)) {
        queues.get_mut(&project).unwrap().pop_front();
        queues.retain(|_, queue| !queue.is_empty());
        served.push(run);
    }
    assert_eq!(served, [0, 10, 1, 11, 2, 3]);
}

fn heads(queues: &BTreeMap<ProjectId, VecDeque<u32>>) -> Vec<(ProjectId, u32)> {
    queues.iter().filter_map(|(project, queue)| Some((project.clone(), *queue.front()?))).collect()
}

proptest! {
    /// Whoever waits is passed over at most once by each other project, however runs arrive.
    #[test]
    fn nobody_is_served_twice_while_another_waits(steps in prop::collection::vec((0_u8..5, any::<bool>()), 1..200)) {
        let mut rota = Rota::default();
        let mut queues: BTreeMap<ProjectId, VecDeque<u32>> = BTreeMap::new();
        let mut passed: BTreeMap<ProjectId, BTreeMap<ProjectId, u32>> = BTreeMap::new();
        let mut next = 0;
        for (number, arrives) in steps {
            if arrives {
                next += 1;
                queues.entry(project(number)).or_default().push_back(next);
                continue;
            }
            let Some((served, run)) = rota.pick(heads(&queues)) else { continue };
            let queue = queues.get_mut(&served).unwrap();
            prop_assert_eq!(queue.pop_front(), Some(run));
            passed.remove(&served);
            queues.retain(|_, queue| !queue.is_empty());
            for waiting in queues.keys().filter(|project| **project != served) {
                let count = passed.entry(waiting.clone()).or_default().entry(served.clone()).or_default();
                *count += 1;
                prop_assert!(*count <= 1, "{} was passed over twice by {}", waiting, served);
            }
            passed.retain(|project, _| queues.contains_key(project));
        }
    }
}
