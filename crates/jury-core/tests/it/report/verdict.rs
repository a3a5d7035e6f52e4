//! The words of every ending say what is so: a table of endings, rounds and policies.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use insta::assert_snapshot;
use jury_core::artifact::ArtifactRef;
use jury_core::event::{
    BestSoFar, Degraded, Failed, Interrupted, Lint, RoundEnd, RunStarted, Ship, ShipStatus, TheaterEvent,
};
use jury_core::evidence::{ClaimVerdict, Evidence, EvidenceKind, EvidenceMode};
use jury_core::id::{AgentId, ArtifactId, ProjectId};
use jury_core::lint::LintFinding;
use jury_core::outcome::{
    Decision, DegradedReason, FailedCause, FallbackPolicy, RecoveryReason, TimeoutCause,
};
use jury_core::report::ReportCase;
use jury_core::report::html;
use jury_core::role::Role;
use jury_core::score::{Composite, Scale, Threshold};
use jury_core::settings::DEFAULT_WEIGHTS;
use jury_core::theater::{Board, RoundBoard};
use jury_core::unit::{Bytes, Round};

use super::bundle;

/// A closed round: its composite, what is open in it, and what of that is jury's own, by its check.
type Closed = (f64, u32, &'static [&'static str]);

const FAILURE: &str = "a11y/contrast";
const REPLACED: &str = "user/replaced";
const LOST: &str = "user/lost-words";

const ROUNDS: &[(&str, &[Closed])] = &[
    ("no round", &[]),
    ("below the bar", &[(7.0, 2, &[]), (6.0, 1, &[])]),
    ("a fix open", &[(9.3, 2, &[])]),
    ("met", &[(7.0, 2, &[]), (9.0, 0, &[])]),
    ("replaced", &[(9.9, 1, &[REPLACED])]),
    ("lost and asked", &[(9.0, 3, &[LOST])]),
    ("measured", &[(9.0, 2, &[FAILURE, FAILURE])]),
    ("measured and asked", &[(7.9, 3, &[FAILURE])]),
];

const ENDINGS: &[&str] =
    &["shipped", "rule", "final pass", "request", "restart", "clock", "degraded", "fault"];

fn evidence(round: Round, check: &str) -> Evidence {
    let kind = if check == FAILURE { EvidenceKind::Failure } else { EvidenceKind::Loss };
    Evidence {
        round,
        kind,
        role: None,
        dimension: None,
        check: check.to_owned(),
        measured: "what was measured".to_owned(),
        value: None,
        bound: None,
        criterion: None,
        place: None,
        line: None,
        claim: None,
        finding: None,
        standing: ClaimVerdict::Overrated,
    }
}

fn round_board((number, (composite, must_fix, own)): (usize, &Closed)) -> RoundBoard {
    let round = Round(u32::try_from(number).unwrap() + 1);
    let ships = *composite >= 8.0 && *must_fix == 0;
    let end = RoundEnd {
        round,
        composite: Composite(*composite),
        must_fix: *must_fix,
        quorum: true,
        decision: if ships { Decision::Ship } else { Decision::Continue },
        reason: "so".to_owned(),
        note: String::new(),
        bytes: Bytes(0),
    };
    let evidence = own.iter().map(|check| evidence(round, check)).collect();
    RoundBoard { round, reviews: Vec::new(), artifact: None, evidence, end: Some(end) }
}

fn started(policy: FallbackPolicy) -> RunStarted {
    RunStarted {
        protocol_version: 1,
        cast: Role::ALL.to_vec(),
        max_rounds: 3,
        threshold: Threshold(8.0),
        scale: Scale(10.0),
        weights: DEFAULT_WEIGHTS,
        seats: Vec::new(),
        fallback_policy: policy,
        evidence: EvidenceMode::Gate,
        project_id: ProjectId::default_project(),
        artifact_id: ArtifactId(uuid::Uuid::nil()),
        agent: AgentId::house(),
    }
}

/// A run that ended so, as the machine ends it; none where it cannot.
fn case(rounds: &[Closed], ending: &str, policy: FallbackPolicy) -> Option<ReportCase> {
    let mut board = Board {
        started: Some(started(policy)),
        rounds: rounds.iter().enumerate().map(round_board).collect(),
        ..Board::default()
    };
    let met = board.cleared_round();
    let artifact_ref =
        ArtifactRef { project_id: ProjectId::default_project(), artifact_id: ArtifactId(uuid::Uuid::nil()) };
    let kept = board.kept_round(policy);
    let named = kept.or_else(|| board.best_round());
    let best = BestSoFar {
        best_round: named.map(|(round, _)| round),
        composite: named.map(|(_, composite)| composite),
        artifact_ref: kept.map(|_| artifact_ref.clone()),
        artifact: None,
    };
    let ship = |status, named: Option<(Round, Composite)>, kept: bool, cause| Ship {
        round: named.map(|(round, _)| round),
        composite: named.map(|(_, composite)| composite),
        status,
        artifact_ref: kept.then(|| artifact_ref.clone()),
        summary: "said".to_owned(),
        cause,
        partial: false,
        artifact: None,
    };
    let ended = match ending {
        "shipped" => TheaterEvent::Ship(ship(ShipStatus::Shipped, Some(met?), true, None)),
        "rule" if met.is_none() && named.is_some() => {
            TheaterEvent::Ship(ship(ShipStatus::BelowThreshold, named, kept.is_some(), None))
        }
        "final pass" => {
            let found = LintFinding { rule: "copy/placeholder".into(), line: 1, message: "lorem".into() };
            board.lint = Some(Lint { round: met?.0, findings: vec![found] });
            let keeps = policy != FallbackPolicy::Fail;
            TheaterEvent::Ship(ship(ShipStatus::BelowThreshold, met, keeps, None))
        }
        "request" => TheaterEvent::Interrupted(Interrupted { best, recovery_reason: None }),
        "restart" => TheaterEvent::Interrupted(Interrupted {
            best,
            recovery_reason: Some(RecoveryReason::DaemonRestart),
        }),
        "clock" => {
            let cause = Some(TimeoutCause::TotalTimeout);
            TheaterEvent::Ship(ship(ShipStatus::TimedOut, named, kept.is_some(), cause))
        }
        "degraded" => TheaterEvent::Degraded(Degraded {
            reason: DegradedReason::MalformedBlock,
            adapter: AgentId::house(),
            detail: "said".to_owned(),
            position: None,
            best,
        }),
        "fault" => {
            TheaterEvent::Failed(Failed { cause: FailedCause::CliSignal, detail: "said".to_owned(), best })
        }
        _ => return None,
    };
    board.ended = Some(ended);
    Some(ReportCase { board, ..ReportCase::new(&[]) })
}

#[test]
fn the_verdict_of_every_ending_is_this() {
    let mut table = String::new();
    for (rounds, closed) in ROUNDS {
        for ending in ENDINGS {
            let mut lines: Vec<(Vec<&str>, String)> = Vec::new();
            for policy in FallbackPolicy::ALL {
                let Some(case) = case(closed, ending, *policy) else { continue };
                let line = format!("{} | {}", case.headline(), case.because());
                match lines.iter_mut().find(|(_, same)| *same == line) {
                    Some((policies, _)) => policies.push(policy.as_str()),
                    None => lines.push((vec![policy.as_str()], line)),
                }
            }
            for (policies, line) in lines {
                let which =
                    if policies.len() == 3 { String::new() } else { format!(" ({})", policies.join(", ")) };
                writeln!(table, "{rounds}, {ending}{which}: {line}").unwrap();
            }
        }
    }
    assert_snapshot!("endings", table);
}

#[test]
fn no_verdict_says_what_is_not_so() {
    for (rounds, closed) in ROUNDS {
        for ending in ENDINGS {
            for policy in FallbackPolicy::ALL {
                let Some(case) = case(closed, ending, *policy) else { continue };
                let told = format!("{} {}", case.headline(), case.because());
                let at = format!("{rounds}, {ending}, {policy}: {told}");
                let met = *rounds == "met";
                let (_, composite) = case.result();
                assert_eq!(told.contains("SHIPPED  "), *ending == "shipped", "{at}");
                assert!(!(met && told.contains("no round met")), "{at}");
                assert!(met || !told.contains("met the bar,") && !told.contains("had met"), "{at}");
                let under = composite.is_some_and(|composite| composite.0 < 8.0);
                assert!(under || !told.contains("below the bar"), "{at}");
                assert!(!told.contains("reaches"), "{at}");
                assert_eq!(told.contains("request"), *ending == "request", "{at}");
                assert_eq!(told.contains("process"), *ending == "restart", "{at}");
                assert_eq!(told.contains("out of time"), *ending == "clock", "{at}");
                // A must-fix of jury's own is named, and none is where there is none.
                let holds = |words: &str| case.headline().contains(words);
                let by_rule = *ending == "rule";
                assert_eq!(holds("another page came back"), by_rule && *rounds == "replaced", "{at}");
                assert_eq!(holds("parts of the given page"), by_rule && rounds.starts_with("lost"), "{at}");
                assert_eq!(holds("measured by jury"), by_rule && rounds.starts_with("measured"), "{at}");
                let open = case.open_must_fix();
                let alone = *rounds == "replaced" && by_rule;
                assert_eq!(
                    holds(&format!("{open} must-fix open")),
                    (open > 0 && !alone) || *ending == "shipped",
                    "{at}"
                );
                // A best round that the policy does not end with is not the one that is told.
                if let Some((last, _)) = case.board.kept_round(FallbackPolicy::ShipLast)
                    && *policy == FallbackPolicy::ShipLast
                    && *ending == "rule"
                {
                    assert!(told.contains(&format!("the last is round {last}")), "{at}");
                }
            }
        }
    }
}

/// The verdict of a report as a reader in this language has it.
fn report_in(words: &BTreeMap<String, String>, case: &ReportCase) -> String {
    let html = html::document(case, &[], &html::Pages::new(), &bundle()).unwrap();
    let verdict = html.split("<section class=\"paper-verdict").nth(1).unwrap();
    let verdict = verdict.split("</section>").next().unwrap();
    let mut told = Vec::new();
    for span in verdict.split("<span data-t=\"").skip(1) {
        let (key, rest) = span.split_once('"').unwrap();
        let (values, _) = rest.split_once('>').unwrap();
        let mut phrase = words.get(key).unwrap().clone();
        for value in values.split(" data-").skip(1) {
            let (name, value) = value.split_once("=\"").unwrap();
            phrase = phrase.replace(&format!("{{{name}}}"), value.trim_end_matches('"'));
        }
        told.push(phrase);
    }
    told.join(" ")
}

#[test]
fn a_report_says_it_in_every_language() {
    let locales = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/locales");
    for locale in ["en", "de", "ja", "ko", "zh-CN", "zh-TW"] {
        let text = std::fs::read_to_string(locales.join(format!("{locale}.json"))).unwrap();
        let words: BTreeMap<String, String> = serde_json::from_str(&text).unwrap();
        for (rounds, closed) in ROUNDS {
            for ending in ENDINGS {
                for policy in FallbackPolicy::ALL {
                    let Some(case) = case(closed, ending, *policy) else { continue };
                    let told = report_in(&words, &case);
                    let at = format!("{locale}, {rounds}, {ending}, {policy}: {told}");
                    assert!(!told.contains('{'), "{at}");
                    let ships = *ending == "shipped";
                    for (own, key) in
                        [("replaced", "own.replaced"), ("lost", "own.lost"), ("measured", "own.measured")]
                    {
                        let said = words[key].split("{n}").next().unwrap();
                        assert_eq!(told.contains(said), rounds.starts_with(own) && !ships, "{key} {at}");
                    }
                    let missed =
                        words["rule.missed_other"].replace("{threshold}", "8.0").replace("{max}", "3");
                    assert!(*rounds != "met" || !told.contains(&missed), "{at}");
                }
            }
        }
    }
}

#[test]
fn a_number_beside_the_bar_is_never_on_its_wrong_side() {
    for (composite, bar, shown) in [
        (7.96, 8.0, "7.9"),
        (8.0, 8.0, "8.0"),
        (8.57, 8.0, "8.5"),
        (8.23, 8.25, "8.23"),
        (8.27, 8.25, "8.27"),
        (8.33, 8.333, "8.33"),
    ] {
        let bar = Threshold(bar);
        assert_eq!(Composite(composite).beside(bar), shown);
        let (left, right): (f64, f64) = (shown.parse().unwrap(), bar.to_string().parse().unwrap());
        assert_eq!(left >= right - 1e-9, Composite(composite).reaches(bar), "{composite} {bar}");
    }
    assert_eq!([8.0, 8.25, 8.333].map(|bar| Threshold(bar).to_string()), ["8.0", "8.25", "8.333"]);
    assert_eq!(
        jury_core::score::Score(7.96).to_string(),
        "7.9",
        "a panelist's score is cut like the composite"
    );
}
