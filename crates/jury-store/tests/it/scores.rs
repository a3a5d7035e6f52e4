//! What each panelist gave, and how claims stood, in the rows: a fold of the log, however it was appended.

use jury_core::event::{Event, PanelistClose, PanelistOpen, ParserWarning, TheaterEvent};
use jury_core::evidence::{ClaimVerdict, Evidence, EvidenceKind};
use jury_core::outcome::FallbackPolicy;
use jury_core::role::Role;
use jury_core::score::Score;
use jury_core::unit::{Offset, Round};
use jury_core::warning::WarningKind;
use jury_store::Honesty;

use crate::support::{Place, round, started};

fn spoke(round: u32, role: Role, score: Option<f64>) -> [Event; 2] {
    let round = Round(round);
    [
        Event::Theater(TheaterEvent::PanelistOpen(PanelistOpen { round, role })),
        Event::Theater(TheaterEvent::PanelistClose(PanelistClose {
            round,
            role,
            score: score.map(Score),
            notes: String::new(),
            artifact: None,
        })),
    ]
}

fn stands(round: u32, standing: ClaimVerdict) -> Event {
    evidence(round, EvidenceKind::Score, standing)
}

fn evidence(round: u32, kind: EvidenceKind, standing: ClaimVerdict) -> Event {
    Event::Theater(TheaterEvent::Evidence(Evidence {
        round: Round(round),
        kind,
        role: Some(Role::Critic),
        dimension: None,
        check: "score".to_owned(),
        measured: "4.0".to_owned(),
        value: Some(4.0),
        bound: None,
        criterion: None,
        place: None,
        line: None,
        claim: Some("9.0".to_owned()),
        finding: None,
        standing,
    }))
}

#[tokio::test]
async fn a_row_has_the_scores_of_the_last_round_that_closed() {
    let place = Place::new().await;
    let run = place.claimed().await;
    let mut events = vec![started(&run, FallbackPolicy::ShipBest)];
    events.extend(spoke(1, Role::Critic, Some(7.5)));
    events.extend(spoke(1, Role::Brand, None));
    events.extend(ClaimVerdict::ALL.iter().map(|standing| stands(1, *standing)));
    // What was measured and nobody asked for is no claim of anybody.
    events.extend(
        [EvidenceKind::Failure, EvidenceKind::Measurement]
            .map(|kind| evidence(1, kind, ClaimVerdict::Overrated)),
    );
    events.extend(round(1, 7.5, None));
    events.extend(spoke(2, Role::Critic, Some(9.0)));
    // One by one: what is not closed yet must outlast the end of a transaction.
    let mut head = 1;
    for event in events {
        head = place.append(&run, head, &[event]).await.0;
    }
    let scores = |row: &jury_store::RunRow| {
        row.summary.scores.iter().map(|(role, score)| (*role, score.0)).collect::<Vec<_>>()
    };
    let row = place.store.run(run.run).await.unwrap().unwrap();
    assert_eq!(scores(&row), [(Role::Critic, 7.5)]);
    assert_eq!((row.summary.claims_checked, row.summary.claims_wrong), (4, 2));
    assert_eq!(place.store.honesty().await.unwrap(), [(run.agent.clone(), Honesty { checked: 4, wrong: 2 })]);
    assert_eq!(Honesty { checked: 4, wrong: 2 }.rate(), Some(0.5));
    assert_eq!(Honesty { checked: 3, wrong: 1 }.rate(), Some(0.666));
    assert_eq!(Honesty { checked: 0, wrong: 0 }.rate(), None);
    head = place.append(&run, head, &round(2, 9.0, None)).await.0;
    let row = place.store.run(run.run).await.unwrap().unwrap();
    assert_eq!(scores(&row), [(Role::Critic, 9.0)]);
    place.store.reindex().await.unwrap();
    assert_eq!(place.store.run(run.run).await.unwrap().unwrap(), row);
    // What the agent takes back does not count.
    let kind = WarningKind::Restarted;
    let restarted =
        Event::Theater(TheaterEvent::ParserWarning(ParserWarning { kind, position: Offset(9), role: None }));
    place.append(&run, head, &[restarted]).await;
    let row = place.store.run(run.run).await.unwrap().unwrap();
    assert_eq!(scores(&row), []);
    assert_eq!((row.summary.claims_checked, row.summary.claims_wrong), (0, 0));
    assert_eq!(place.store.honesty().await.unwrap(), []);
}
