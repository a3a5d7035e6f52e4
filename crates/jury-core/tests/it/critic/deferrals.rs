//! What is put off, and when it is open again.

use insta::assert_snapshot;
use jiff::{SignedDuration, Timestamp};
use jury_core::critic::{Answer, CriticSetup, CriticStatus, DEFERRED_FOR, Deferral};
use jury_core::finding::{FindingId, FindingState};
use jury_core::unit::Millis;

use super::stage::{HARMLESS, Stage, TWO, setup};

fn defers(reason: &str) -> String {
    format!(
        "=== CRITIC 1 ===\n[ALPHA] ? → 2 of 3\n Verdict: DEFER ({reason})\n[BETA] ? → 3 of 3\n Verdict: PASS\n{HARMLESS}"
    )
}

#[test]
fn a_critic_puts_off_with_a_reason_and_an_end() {
    let mut stage = Stage::new(setup(TWO));
    stage.says(&defers("it needs the next release"));
    stage.now = Millis(60_000);
    stage.says(&defers("it has to wait for what comes next"));
    assert_snapshot!(stage.log(), @"
    run_started cap 4
    pass_started 1
    -> ask 1/1
    verdict ALPHA DEFER by opinion [deferred: it needs the next release]
    verdict BETA PASS by opinion
    adversarial realistic false
    pass_ended 1 continue 0, 0 open, 1 new
    pass_started 2
    -> ask 2/1
    verdict ALPHA DEFER by opinion [deferred: it needs the next release]
    verdict BETA PASS by opinion
    adversarial realistic false
    pass_ended 2 converged 2/0/0, 0 open, 0 new
    converged 2 passes 0 fixes 0 escalations
    ");
    let [deferral] = stage.state().deferrals.as_slice() else { panic!("one deferral") };
    // The reason and the end are those of the first time.
    assert_eq!(deferral.reason, "it needs the next release");
    assert_eq!(deferral.until, Timestamp::UNIX_EPOCH + DEFERRED_FOR);
    assert_eq!((deferral.author.as_str(), deferral.by_person), ("house", false));
}

fn carried(until: i64, release: Option<&str>) -> Deferral {
    Deferral {
        criterion: "ALPHA".parse().unwrap(),
        finding: FindingId::of("ALPHA", "deferred"),
        also: Vec::new(),
        reason: "not yet".to_owned(),
        author: "kim".to_owned(),
        by_person: false,
        until: Timestamp::UNIX_EPOCH + SignedDuration::from_secs(until),
        release: release.map(ToOwned::to_owned),
    }
}

#[test]
fn what_earlier_runs_put_off_is_known() {
    let mut stage = Stage::new(CriticSetup { deferrals: vec![carried(60, None)], ..setup(TWO) });
    stage.says(&defers("not yet"));
    // It is nothing new, so the first pass is enough.
    assert_eq!(stage.state().status(), CriticStatus::Converged);
    let entry = stage.state().ledger.get(&FindingId::of("ALPHA", "deferred")).unwrap();
    assert_eq!((entry.state, entry.until.is_some()), (FindingState::Deferred, true));
}

#[test]
fn what_has_expired_is_open_again_and_a_person_is_asked() {
    for expired in [
        CriticSetup { deferrals: vec![carried(-1, None)], ..setup(TWO) },
        CriticSetup {
            deferrals: vec![carried(60, Some("1.0"))],
            release: Some("1.1".to_owned()),
            ..setup(TWO)
        },
    ] {
        let mut stage = Stage::new(expired);
        let entry = stage.state().ledger.get(&FindingId::of("ALPHA", "deferred")).unwrap();
        assert_eq!((entry.state, entry.until), (FindingState::Open, None));
        stage.says(&defers("still not yet"));
        assert_eq!(stage.state().status(), CriticStatus::Escalated);
        stage.answers(1, Answer::Skip);
        stage.says(&defers("still not yet"));
        assert_snapshot!("what_has_expired", stage.log());
    }
}

#[test]
fn it_expires_while_a_person_thinks() {
    let mut stage = Stage::new(CriticSetup { deferrals: vec![carried(60, None)], ..setup(TWO) });
    stage.says(&format!(
        "=== CRITIC 1 ===\n[ALPHA] ? → 2 of 3\n Verdict: DEFER (not yet)\n[BETA] ? → 2 ways\n Verdict: ESCALATE\n{HARMLESS}=== CRITIC ESCALATION (1) ===\n[BETA] Which?\nIssue: x\nWhy escalation: y\nOptions:\n 1. A — b\n Pro: c  Con: d\n 2. B — c\n Pro: d  Con: e"
    ));
    stage.now = Millis(61_000);
    stage.answers(1, Answer::Skip);
    assert!(stage.log().contains("reopened ALPHA"), "{}", stage.log());
}

#[test]
fn what_is_measured_is_put_off_by_a_person_only() {
    let links = "name = \"m\"\ncap = 3\n[adversarial]\ncheck = [\"true\"]\n[[criterion]]\nid = \"LINKS\"\nquestion = \"?\"\nmeasure = \"dead-link\"\n";
    let deferral = |by_person| Deferral {
        criterion: "LINKS".parse().unwrap(),
        finding: FindingId::of("LINKS", "place a"),
        by_person,
        ..carried(60, None)
    };
    for (by_person, affected, standing) in [
        (true, 1, CriticStatus::Converged),
        (true, 2, CriticStatus::Running),
        (false, 1, CriticStatus::Running),
    ] {
        let mut stage = Stage::new(CriticSetup { deferrals: vec![deferral(by_person)], ..setup(links) });
        stage.measures("LINKS", affected, 9);
        stage.checks("ADVERSARIAL", 0, "");
        assert_eq!(stage.state().status(), standing, "{}", stage.log());
    }
}
