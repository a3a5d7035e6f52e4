//! What went wrong in a run, and whether the run is in the sample that is judged.

use jury_core::judge::{Bead, RunOutcome};
use jury_learning::{Pattern, Sampling, sampling};
use serde_json::{Value, json};

use crate::stage::{bead, run};

fn patterns(over: &Value) -> Vec<&'static str> {
    Pattern::detect(&run(over)).into_iter().map(Pattern::as_str).collect()
}

#[test]
fn every_pattern_has_its_run() {
    assert_eq!(patterns(&json!({})), [""; 0]);
    let broken =
        json!({"verification": {"lint": "fail", "tests": "fail", "ubs": "clean", "truthsayer": "pass"}});
    assert_eq!(
        patterns(&broken),
        ["test-failure-after-completion", "lint-failure-after-completion", "incomplete-work"]
    );
    assert_eq!(patterns(&json!({"duration_seconds": 1801, "status": "timeout"})), ["scope-creep"]);
    assert_eq!(patterns(&json!({"duration_seconds": 1800})), [""; 0]);
    assert_eq!(patterns(&json!({"duration_seconds": 1800.5})), ["scope-creep"]);
    let infra = json!({"status": "failed", "failure_reason": "tmux-launch-failed: disk full", "attempt": 3});
    assert_eq!(patterns(&infra), ["infra-tmux", "infra-disk", "repeated-failure"]);
    assert_eq!(patterns(&json!({"verification": null})), ["verification-gap"]);
    let one =
        json!({"verification": {"lint": "skipped", "tests": "pass", "ubs": "clean", "truthsayer": "pass"}});
    assert_eq!(patterns(&one), [""; 0]);
    assert_eq!(patterns(&json!({"verification": {}, "exit_code": 1})), ["verification-gap"]);
}

#[test]
fn a_sample_follows_from_the_bead_and_leaves_out_what_cannot_be_judged() {
    let judged = |name: &str, rate| sampling(&bead(name), RunOutcome::FullPass, true, false, rate);
    // 1871669959 is what cksum prints for bd-4sf: 959 of 1000.
    assert_eq!(judged("bd-4sf", 0.959), Sampling::NotSampled);
    assert_eq!(judged("bd-4sf", 0.9601), Sampling::Judge);
    assert_eq!(judged("bd-4sf", 0.0), Sampling::NotSampled);
    assert_eq!(judged("bd-4sf", f64::NAN), Sampling::NotSampled);
    let one = bead("bd-4sf");
    assert_eq!(sampling(&one, RunOutcome::FullPass, true, true, 0.0), Sampling::Judge);
    assert_eq!(sampling(&one, RunOutcome::FullPass, false, true, 1.0), Sampling::Disabled);
    for nothing in [RunOutcome::Timeout, RunOutcome::InfraFailure] {
        assert_eq!(sampling(&one, nothing, true, true, 1.0), Sampling::NothingToJudge);
    }
    let drawn = (0..10_000).filter(|n| judged(&format!("bd-{n}"), 0.25) == Sampling::Judge).count();
    assert!((2_300..2_700).contains(&drawn), "{drawn}");
    assert!("bd-4sf".parse::<Bead>().is_ok());
}
