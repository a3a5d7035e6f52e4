//! The log across runs: what live streams read.

use jury_core::event::{Event, PanelistOpen, TheaterEvent};
use jury_core::id::ProjectId;
use jury_core::role::Role;
use jury_core::unit::{Millis, Pos, Round, Seq};
use jury_store::FeedEntry;
use proptest::prelude::*;

use crate::support::{PanelRun, Place, interrupted, moment, new_run};

fn project(number: usize) -> ProjectId {
    format!("p{number}").parse().unwrap()
}

fn open() -> Event {
    Event::Theater(TheaterEvent::PanelistOpen(PanelistOpen { round: Round(1), role: Role::Critic }))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, failure_persistence: None, ..ProptestConfig::default() })]

    /// Runs of several projects grow in turns. Read in pages of any size from any position, the feed is what was
    /// appended, in order; and a part of it is the part.
    #[test]
    fn the_feed_is_everything_that_was_appended_in_order(
        turns in prop::collection::vec((0..6_usize, 1..5_usize), 1..30),
        page in 1..9_u32,
        from in 0..60_u64,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let place = Place::new().await;
            let owner = place.owner.id();
            let mut runs = Vec::new();
            for number in 0..6 {
                let run = PanelRun { project: project(number % 3), ..new_run() };
                place.store.enqueue(run.clone().queued(), None, moment(0)).await.unwrap();
                place.store.claim(run.run, owner, moment(1)).await.unwrap();
                runs.push((run, Seq(1)));
            }
            for (which, events) in turns {
                let (run, head) = &mut runs[which];
                let events = vec![(Millis(0), open()); events];
                *head = place.store.append(run.run, owner, *head, &events).await.unwrap().head;
            }
            let mut log: Vec<FeedEntry> = Vec::new();
            for (run, _) in &runs {
                let events = place.store.events(run.run, Seq(0), u32::MAX).await.unwrap();
                let entry = |(pos, record)| FeedEntry { pos, project: run.project.clone(), record };
                log.extend(events.into_iter().map(entry));
            }
            log.sort_by_key(|entry| entry.pos);
            assert_eq!(place.store.head().await.unwrap(), log.last().unwrap().pos);
            let expected = |keep: &dyn Fn(&FeedEntry) -> bool| -> Vec<FeedEntry> {
                log.iter().filter(|entry| entry.pos.0 > from && keep(entry)).cloned().collect()
            };

            let mut read = Vec::new();
            let mut after = Pos(from);
            loop {
                let entries = place.store.feed(after, page).await.unwrap();
                assert!(entries.len() <= page as usize);
                let Some(last) = entries.last() else { break };
                after = last.pos;
                read.extend(entries);
            }
            assert_eq!(read, expected(&|_| true));

            let mut read = Vec::new();
            let mut after = Pos(from);
            loop {
                let entries = place.store.project_feed(&project(1), None, after, page).await.unwrap();
                let Some(last) = entries.last() else { break };
                after = last.pos;
                read.extend(entries);
            }
            assert_eq!(read, expected(&|entry| entry.project == project(1)));

            let wanted = runs[1].0.run;
            let read = place.store.project_feed(&project(1), Some(wanted), Pos(from), u32::MAX).await.unwrap();
            assert_eq!(read, expected(&|entry| entry.record.run_id == wanted));
            let read = place.store.project_feed(&project(0), Some(wanted), Pos(0), 9).await.unwrap();
            assert_eq!(read, [], "a run is not to be had by way of another project");
        });
    }
}

#[tokio::test]
async fn the_position_before_what_goes_on_leaves_out_only_what_has_ended() {
    let place = Place::new().await;
    let owner = place.owner.id();
    let mut asked = Vec::new();
    for number in [0, 0, 1, 0] {
        let run = PanelRun { project: project(number), ..new_run() };
        let pos = place.store.enqueue(run.clone().queued(), None, moment(0)).await.unwrap().pos;
        asked.push((run, pos));
    }
    let before = async |number| place.store.before_unfinished(&project(number)).await.unwrap();
    let end = async |index: usize| {
        let run = &asked[index].0;
        place.store.claim(run.run, owner, moment(1)).await.unwrap();
        place.store.append(run.run, owner, Seq(1), &[(Millis(0), interrupted())]).await.unwrap();
    };
    assert_eq!(before(0).await, Pos(asked[0].1.0 - 1));
    assert_eq!(before(1).await, Pos(asked[2].1.0 - 1));
    end(0).await;
    assert_eq!(before(0).await, Pos(asked[1].1.0 - 1), "the next one that goes on");
    end(3).await;
    end(1).await;
    assert_eq!(before(0).await, place.store.head().await.unwrap(), "nothing goes on: the end");
    assert_eq!(before(1).await, Pos(asked[2].1.0 - 1));
    assert_eq!(before(7).await, place.store.head().await.unwrap());
    let fresh = Place::new().await;
    assert_eq!(fresh.store.head().await.unwrap(), Pos(0));
    assert_eq!(fresh.store.before_unfinished(&project(0)).await.unwrap(), Pos(0));
}
