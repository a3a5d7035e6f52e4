//! The queue: who waits longest in each project, what was asked for, and who may be the daemon.

use jiff::Timestamp;
use jury_core::theater::Board;
use std::collections::BTreeMap;

use jury_core::id::{ProjectId, RunId};
use jury_core::outcome::FallbackPolicy;
use jury_core::request::RunRequest;
use jury_core::score::Threshold;
use jury_store::{Daemon, Store, StoreError};
use proptest::prelude::*;

use crate::support::{PanelRun, Place, interrupted, moment, new_run};

fn project(number: u8) -> ProjectId {
    format!("p{number}").parse().unwrap()
}

/// What happens to a queue: a run is asked for by a project at a moment, or the nth one is taken or withdrawn.
#[derive(Debug, Clone)]
enum Step {
    Ask(u8, i64, bool),
    Take(usize),
    End(usize),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..4_u8, 0..6_i64, prop::bool::weighted(0.2)).prop_map(|(project, at, reserved)| Step::Ask(project, at, reserved)),
        1 => (0..40_usize).prop_map(Step::Take),
        1 => (0..40_usize).prop_map(Step::End),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_first_of_each_project_waits_as_a_plain_list_would_have_it(steps in prop::collection::vec(step(), 1..40)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let place = Place::new().await;
            let owner = place.owner.id();
            // Everybody who waits: the project, the moment, the run.
            let mut line: Vec<(ProjectId, i64, RunId)> = Vec::new();
            let mut taken: Vec<RunId> = Vec::new();
            for step in steps {
                match step {
                    Step::Ask(number, at, reserved) => {
                        let run = PanelRun { project: project(number), ..new_run() };
                        let id = run.run;
                        place.store.enqueue(run.queued(), reserved.then_some(owner), moment(at)).await.unwrap();
                        if !reserved {
                            line.push((project(number), at, id));
                        }
                    }
                    Step::Take(nth) if !line.is_empty() => {
                        let (.., run) = line.remove(nth % line.len());
                        place.store.claim(run, owner, moment(9)).await.unwrap();
                        taken.push(run);
                    }
                    Step::End(nth) if !taken.is_empty() => {
                        let run = taken.remove(nth % taken.len());
                        let head = place.store.run(run).await.unwrap().unwrap().head;
                        let end = [(jury_core::unit::Millis(0), interrupted())];
                        place.store.append(run, owner, head, &end).await.unwrap();
                    }
                    Step::Take(_) | Step::End(_) => {}
                }
                let mut first: BTreeMap<ProjectId, (i64, RunId)> = BTreeMap::new();
                for (project, at, run) in &line {
                    let place = first.entry(project.clone()).or_insert((*at, *run));
                    *place = (*place).min((*at, *run));
                }
                let expected: Vec<_> = first.into_iter().map(|(project, (_, run))| (project, run)).collect();
                assert_eq!(place.store.waiting(Timestamp::now()).await.unwrap(), expected);
                assert_eq!(place.store.waiting_count().await.unwrap(), line.len() as u64);
            }
        });
    }
}

#[tokio::test]
async fn what_was_asked_for_is_kept_word_for_word() {
    let place = Place::new().await;
    let request = RunRequest {
        agent: Some("claude".parse().unwrap()),
        model: Some("m".to_owned()),
        title: Some("a\u{0}b \"c\"".to_owned()),
        page: Some("<p>\u{2028}'; DROP TABLE run; --</p>".to_owned()),
        brief: Some("☃".to_owned()),
        design: Some(String::new()),
        skill: Some("saas-landing".parse().unwrap()),
        critique: Some(false),
        threshold: Some(Threshold(7.3)),
        max_rounds: Some(2),
        fallback_policy: Some(FallbackPolicy::Fail),
        max_cost_usd: Some(0.1),
        max_tokens: Some(u64::MAX),
        force: Some(true),
    };
    let run = PanelRun { request: Some(request.clone()), ..new_run() };
    place.store.enqueue(run.clone().queued(), None, moment(0)).await.unwrap();
    assert_eq!(place.store.request::<Board>(run.run).await.unwrap(), Some(request.clone()));
    let bare = new_run();
    place.store.enqueue(bare.clone().queued(), None, moment(0)).await.unwrap();
    assert_eq!(place.store.request::<Board>(bare.run).await.unwrap(), None);
    assert_eq!(place.store.request::<Board>(new_run().run).await.unwrap(), None);
    // Rows are computed again; what was asked for is no row.
    place.store.reindex().await.unwrap();
    assert_eq!(place.store.request::<Board>(run.run).await.unwrap(), Some(request));
    place.tamper("UPDATE run_request SET body = '{\"page\":1}'").await.unwrap();
    assert_eq!(place.store.request::<Board>(run.run).await.unwrap_err().kind(), "corrupt");
}

#[tokio::test]
async fn a_directory_has_one_daemon_and_the_second_is_told_who() {
    let place = Place::new().await;
    let first = Daemon::register(&place.store).unwrap();
    let other = Store::open(place.dir()).await.unwrap();
    let refused = |store: &Store| match Daemon::register(store) {
        Err(error @ StoreError::Served { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    };
    assert!(refused(&other).contains(&format!("process {}", std::process::id())), "{}", refused(&other));
    first.introduce("process 1 at http://127.0.0.1:7878").unwrap();
    assert!(refused(&other).contains("process 1 at http://127.0.0.1:7878"), "{}", refused(&other));
    first.introduce("x").unwrap();
    assert!(refused(&other).contains(" x") && !refused(&other).contains("7878"), "{}", refused(&other));
    assert!(refused(&other).contains(&place.dir().display().to_string()));
    drop(first);
    let second = Daemon::register(&other).unwrap();
    assert!(refused(&place.store).contains("process"));
    // The lock is no owner of runs, and recovery leaves it alone.
    place.store.recover().await.unwrap();
    assert!(refused(&place.store).contains("process"));
    drop(second);
}
