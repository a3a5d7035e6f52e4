//! Properties: whatever is appended in whatever batches is read back, numbered without a gap, and the rows
//! are the fold of the log.
use jury_core::run::{Outcome, RunState};
use jury_core::workflow::WorkflowState as _;

use jury_core::artifact::Blob;
use jury_core::event::{
    Event, PanelistClose, PanelistDim, PanelistMustFix, PanelistOpen, ParserWarning, TheaterEvent,
};
use jury_core::finding::{FindingId, FindingState};
use jury_core::outcome::FallbackPolicy;
use jury_core::role::Role;
use jury_core::score::Score;
use jury_core::theater::Board;
use jury_core::unit::{Millis, Offset, Round, Seq};
use jury_core::warning::WarningKind;
use proptest::prelude::*;

use crate::support::{Place, interrupted, round, shipped, started};

fn text() -> impl Strategy<Value = String> {
    // Everything that could break a line, a quote or an encoding.
    proptest::collection::vec(
        prop_oneof![any::<char>(), Just('\n'), Just('"'), Just('\0'), Just('\u{2028}')],
        0..12,
    )
    .prop_map(String::from_iter)
}

fn role() -> impl Strategy<Value = Role> {
    proptest::sample::select(Role::ALL.to_vec())
}

fn score() -> impl Strategy<Value = Option<Score>> {
    proptest::option::of((0.0..10.0).prop_map(Score))
}

fn event(in_round: u32) -> impl Strategy<Value = Event> {
    let round = Round(in_round);
    prop_oneof![
        role().prop_map(move |role| Event::Theater(TheaterEvent::PanelistOpen(PanelistOpen { round, role }))),
        (role(), text(), score(), text()).prop_map(move |(role, dim_name, dim_score, dim_note)| {
            Event::Theater(TheaterEvent::PanelistDim(PanelistDim {
                round,
                role,
                dim_name,
                dim_score,
                dim_note,
            }))
        }),
        (role(), text()).prop_map(move |(role, text)| {
            Event::Theater(TheaterEvent::PanelistMustFix(PanelistMustFix {
                round,
                role,
                finding: FindingId::of(role.as_str(), &text),
                text,
                state: FindingState::Open,
            }))
        }),
        (role(), score(), text(), any::<bool>()).prop_map(move |(role, score, notes, drafted)| {
            Event::Theater(TheaterEvent::PanelistClose(PanelistClose {
                round,
                role,
                score,
                artifact: drafted.then(|| Blob::of(notes.as_bytes(), "text/html")),
                notes,
            }))
        }),
        any::<u32>().prop_map(|position| {
            Event::Theater(TheaterEvent::ParserWarning(ParserWarning {
                kind: WarningKind::Restarted,
                position: Offset(position.into()),
                role: None,
            }))
        }),
    ]
}

/// The middle of a run: up to four rounds, each closed, with anything inside; and how it is cut and timed.
fn story() -> impl Strategy<Value = (Vec<Event>, Vec<(usize, u64)>, bool)> {
    let rounds = (1..=4u32).prop_flat_map(|rounds| {
        (1..=rounds)
            .map(|number| {
                (proptest::collection::vec(event(number), 0..6), 0.0..10.0).prop_map(
                    move |(mut events, composite)| {
                        events.extend(round(number, composite, None));
                        events
                    },
                )
            })
            .collect::<Vec<_>>()
            .prop_map(|rounds| rounds.concat())
    });
    let cuts = proptest::collection::vec((1..7usize, 0..10_000u64), 1..8);
    (rounds, cuts, any::<bool>())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_appended_is_what_is_read((middle, cuts, ships) in story()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let place = Place::new().await;
            let run = place.claimed().await;
            let mut events = vec![started(&run, FallbackPolicy::ShipBest)];
            events.extend(middle);
            events.push(if ships { shipped(&run, 1, 8.126) } else { interrupted() });

            let mut rest = events.as_slice();
            let mut head = Seq(1);
            let mut written = Vec::new();
            let mut clock = 0;
            for (size, pause) in cuts.iter().cycle() {
                let (batch, later) = rest.split_at(rest.len().min(*size));
                clock += pause;
                let batch: Vec<_> = batch.iter().map(|event| (Millis(clock), event.clone())).collect();
                let appended = place.store.append(run.run, place.owner.id(), head, &batch).await.unwrap();
                head = appended.head;
                written.extend(batch);
                rest = later;
                if rest.is_empty() {
                    break;
                }
            }

            let read = place.store.events(run.run, Seq(0), u32::MAX).await.unwrap();
            let numbers: Vec<_> = read.iter().map(|(_, record)| record.seq.0).collect();
            assert_eq!(numbers, (1..=head.0).collect::<Vec<_>>());
            assert!(read.iter().all(|(_, record)| record.run_id == run.run));
            let content: Vec<_> = read.into_iter().skip(1).map(|(_, record)| (record.at, record.event)).collect();
            assert_eq!(content, written);

            let board = Board::folded(&events);
            let folded = place.store.state::<Board>(run.run).await.unwrap();
            assert_eq!(Board { queued: None, ..folded }, board);
            let row = place.store.run(run.run).await.unwrap().unwrap();
            assert_eq!(row.state, RunState::Ended);
            assert_eq!(row.summary.status.and_then(Outcome::status), board.status());
            let last = board.closed_rounds().next_back().map_or(0, |(round, _)| round.round.0);
            assert_eq!(row.summary.rounds, last);

            place.store.export(run.run).await.unwrap();
            let log = place.store.records(run.run).await.unwrap();
            assert_eq!(place.store.transcript(run.run).await.unwrap(), log);
            let before = (row, place.store.artifact(run.artifact).await.unwrap());
            place.store.reindex().await.unwrap();
            let after = place.store.run(run.run).await.unwrap().unwrap();
            assert_eq!((after, place.store.artifact(run.artifact).await.unwrap()), before);
        });
    }
}
