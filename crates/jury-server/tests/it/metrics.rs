//! Metrics as folds over logs.

use std::collections::{BTreeMap, BTreeSet};

use jury_core::content::event::{Abandoned, ContentQueued, CriticAbsent, Decided, Finished};
use jury_core::content::rule::decide;
use jury_core::content::{ContentEvent, Quality};
use jury_core::critic::CriticState;
use jury_core::event::{Event, PanelistDim, PanelistMustFix, TheaterEvent};
use jury_core::evidence::{ClaimVerdict, EvidenceKind};
use jury_core::id::{ArtifactId, ProjectId, RunId};
use jury_core::judge::JudgeState;
use jury_core::outcome::FailedCause;
use jury_core::process::Exit;
use jury_core::record::Record;
use jury_core::score::Score;
use jury_core::settings::CritiqueConfig;
use jury_core::theater::Board;
use jury_core::unit::{Millis, Round, Seq};
use jury_core::workflow::WorkflowState as _;
use jury_server::metrics::Metrics;
use jury_testkit::fixtures::{transcript_below, transcript_malformed, transcript_shipped};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::logs::{Play, Then, log, until};

/// The logs of one of each way to end.
fn logs() -> Vec<Vec<Record>> {
    let second_round = "<ROUND n=\"2\"";
    let broken_off = until(transcript_shipped(), "<SHIP");
    let begun = format!("{}{second_round}>", until(transcript_shipped(), second_round));
    let again = format!("{broken_off}{}", transcript_shipped());
    vec![
        log(1, "claude", transcript_shipped(), Then::Exit(Exit::Code(0))),
        log(2, "claude", transcript_below(), Then::Exit(Exit::Code(0))),
        log(3, "codex", transcript_malformed(), Then::Exit(Exit::Code(0))),
        log(4, "codex", &begun, Then::Exit(Exit::Code(1))),
        log(5, "codex", &begun, Then::Interrupt),
        log(6, "claude", &begun, Then::Hang),
        log(7, "claude", "", Then::Hang),
        log(8, "claude", &begun, Then::DaemonRestart),
        log(9, "house", &again, Then::Exit(Exit::Code(0))),
    ]
}

fn metrics_of<'a>(records: impl IntoIterator<Item = &'a Record>) -> Metrics {
    let metrics = Metrics::new();
    for record in records {
        metrics.observe(record);
    }
    metrics
}

/// Metrics in which everything has happened, so that all of them are there.
pub(crate) fn recorded() -> Metrics {
    metrics_of(logs().iter().flatten().chain(&content_log(10)))
}

/// A run of the content pipeline of two rounds, in which a critic was not there once.
fn content_log(run: u128) -> Vec<Record> {
    let decided = |round| Decided {
        round: Round(round),
        ruling: decide(&[], &BTreeMap::new(), &[], None, 4.0),
        open: Vec::new(),
    };
    let absent = CriticAbsent {
        round: Round(1),
        advisor_id: "seo-expert".parse().unwrap(),
        attempts: 4,
        cause: FailedCause::Silent,
        detail: "no answer".to_owned(),
    };
    let queued = ContentQueued {
        project_id: ProjectId::default_project(),
        artifact_id: ArtifactId(uuid::Uuid::from_u128(run)),
        idea_id: "acme".parse().unwrap(),
        content_type: "website".parse().unwrap(),
        agent: None,
    };
    let events = [
        ContentEvent::Queued(queued),
        ContentEvent::CriticAbsent(absent),
        ContentEvent::Decided(decided(1)),
        ContentEvent::Decided(decided(2)),
        ContentEvent::Finished(Finished { quality: Quality::Stalled, unreviewed: false, url: None }),
    ];
    let record = |(seq, event)| Record {
        seq: Seq(seq),
        at: Millis(seq * 100),
        run_id: RunId(uuid::Uuid::from_u128(run)),
        event: Event::Content(event),
    };
    (1..).zip(events).map(record).collect()
}

#[test]
fn runs_of_the_content_pipeline_are_counted_by_how_they_ended() {
    let metrics = metrics_of(&content_log(1));
    assert_eq!(sum(&metrics, "jury_content_runs_total", "outcome=\"stalled\""), 1);
    assert_eq!(sum(&metrics, "jury_content_runs_total", ""), 1);
    assert_eq!(sum(&metrics, "jury_content_critics_absent_total", ""), 1);
    let all = samples(&metrics);
    assert_eq!(
        (all["jury_content_rounds_count"].as_str(), all["jury_content_rounds_sum"].as_str()),
        ("1", "2.0")
    );
    assert_eq!(all["jury_content_runs_total{outcome=\"approved\"}"], "0", "there before it happens");
    assert_eq!(sum(&metrics, "open_design_critique_runs_total", ""), 0);
}

/// Every sample and its value.
fn samples(metrics: &Metrics) -> BTreeMap<String, String> {
    let text = metrics.render();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let parts = lines.map(|line| line.rsplit_once(' ').unwrap());
    parts.map(|(series, value)| (series.to_owned(), value.to_owned())).collect()
}

/// The sum of a metric over its series, as far as they have this label.
fn sum(metrics: &Metrics, name: &str, label: &str) -> usize {
    let all = samples(metrics);
    let wanted = |series: &str| series.split('{').next() == Some(name) && series.contains(label);
    all.iter().filter(|(series, _)| wanted(series)).map(|(_, value)| value.parse::<usize>().unwrap()).sum()
}

fn closed_rounds(records: &[Record]) -> usize {
    Board::folded(records.iter().map(|record| &record.event)).closed_rounds().count()
}

#[test]
fn runs_of_every_workflow_are_counted_by_their_outcome() {
    let metrics = Metrics::new();
    let (cause, detail) = (FailedCause::OrchestratorInternal, String::new);
    let ends: [Event; 4] = [
        Board::default().failed(cause, detail()).unwrap().into(),
        CriticState::default().withdrawn().unwrap().into(),
        JudgeState::default().failed(cause, detail()).unwrap().into(),
        ContentEvent::Abandoned(Abandoned { reason: detail() }).into(),
    ];
    for (number, event) in (1..).zip(ends) {
        let run_id = RunId(uuid::Uuid::from_u128(number));
        metrics.observe(&Record { seq: Seq(2), at: Millis(9), run_id, event });
    }
    let all = samples(&metrics);
    let counted: Vec<&str> = all
        .iter()
        .filter(|(series, value)| series.starts_with("jury_runs_total") && value.as_str() == "1")
        .map(|(series, _)| series.as_str())
        .collect();
    assert_eq!(
        counted,
        [
            r#"jury_runs_total{workflow="content",status="abandoned",outcome="interrupted"}"#,
            r#"jury_runs_total{workflow="critic",status="interrupted",outcome="interrupted"}"#,
            r#"jury_runs_total{workflow="judge",status="failed",outcome="inconclusive"}"#,
            r#"jury_runs_total{workflow="theater",status="failed",outcome="inconclusive"}"#,
        ]
    );
    // Those that have not ended so are there, at zero: an alert on growth needs a beginning.
    assert_eq!(sum(&metrics, "jury_runs_total", r#"workflow="judge",status="pass""#), 0);
    assert!(all.keys().any(|series| series.contains(r#"status="converged""#)));
}

#[test]
fn recorded_runs_give_these_metrics() {
    let metrics = recorded();
    metrics.set_queue(3, 2);
    let viewer = metrics.viewer();
    viewer.saw(Millis(7));
    let text = metrics.render();
    assert!(text.ends_with("# EOF\n"));
    // Series come in no particular order. Without buckets and zeros the rest is readable.
    let (mut described, mut lines) = (Vec::new(), BTreeSet::new());
    for line in text.lines().filter(|line| !line.contains("_bucket{") && !line.ends_with("} 0")) {
        match line.strip_prefix("# ") {
            Some(description) => described.push(description),
            None => drop(lines.insert(line)),
        }
    }
    let lines: Vec<&str> = described.into_iter().chain(lines).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn claims_that_do_not_stand_lower_the_honesty_of_their_agent() {
    let mut records = log(1, "claude", transcript_shipped(), Then::Exit(Exit::Code(0)));
    let mut standings =
        [ClaimVerdict::Overrated, ClaimVerdict::Contradicted, ClaimVerdict::Unverifiable].into_iter().cycle();
    for record in &mut records {
        if let Event::Theater(TheaterEvent::Evidence(evidence)) = &mut record.event
            && evidence.round.0 == 1
            && evidence.is_claim()
        {
            evidence.standing = standings.next().unwrap();
        }
    }
    // What was measured and nobody asked for is nobody's claim.
    let of_claims = |record: &Record| {
        if let Event::Theater(TheaterEvent::Evidence(evidence)) = &record.event {
            evidence.is_claim()
        } else {
            true
        }
    };
    records.retain(of_claims);
    let mut failure = records
        .iter()
        .find(|record| matches!(record.event, Event::Theater(TheaterEvent::Evidence(_))))
        .unwrap()
        .clone();
    let metrics = metrics_of(&records);
    let of = |standing: &str| sum(&metrics, "jury_evidence_total", &format!("standing=\"{standing}\""));
    let (wrong, right) = (of("overrated") + of("contradicted"), of("consistent"));
    assert!(wrong > 0 && right > 0);
    let honesty: f64 = samples(&metrics)["jury_honesty_ratio{adapter=\"claude\"}"].parse().unwrap();
    let share = f64::from(u32::try_from(right).unwrap()) / f64::from(u32::try_from(right + wrong).unwrap());
    assert!((honesty - share).abs() < 1e-9, "{honesty} is not {share}");
    if let Event::Theater(TheaterEvent::Evidence(evidence)) = &mut failure.event {
        (evidence.kind, evidence.standing) = (EvidenceKind::Failure, ClaimVerdict::Overrated);
    }
    metrics.observe(&failure);
    let after: f64 = samples(&metrics)["jury_honesty_ratio{adapter=\"claude\"}"].parse().unwrap();
    assert!((after - honesty).abs() < 1e-9, "{after} is not {honesty}");
}

#[test]
fn the_house_has_no_honesty_because_its_words_are_the_measurement() {
    let metrics = metrics_of(&log(1, "house", transcript_shipped(), Then::Exit(Exit::Code(0))));
    assert!(sum(&metrics, "jury_evidence_total", "adapter=\"house\"") > 0);
    assert!(!samples(&metrics).keys().any(|series| series.starts_with("jury_honesty_ratio{")));
}

#[test]
fn histograms_have_the_buckets_that_dashboards_ask_for() {
    let metrics = metrics_of(&log(1, "claude", transcript_shipped(), Then::Exit(Exit::Code(0))));
    let text = metrics.render();
    let lines: BTreeSet<&str> =
        text.lines().filter(|line| line.contains("composite_score_bucket{")).collect();
    insta::assert_snapshot!(lines.into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_run_is_counted_when_it_ends_and_only_then() {
    let records = log(1, "claude", transcript_shipped(), Then::Exit(Exit::Code(0)));
    let (end, before) = records.split_last().unwrap();
    let metrics = metrics_of(before);
    assert_eq!(sum(&metrics, "open_design_critique_runs_total", ""), 0);
    assert_eq!(sum(&metrics, "open_design_critique_protocol_version", "version=\"1\""), 1);
    metrics.observe(end);
    assert_eq!(sum(&metrics, "open_design_critique_runs_total", "status=\"shipped\",cause=\"\""), 1);
    assert_eq!(sum(&metrics, "open_design_critique_protocol_version", "version=\"1\""), 0);
}

#[test]
fn what_may_happen_is_there_as_zero_before_it_does() {
    // A counter that appears with its first event has not grown, and an alert on its growth stays silent.
    let records = log(1, "claude", transcript_shipped(), Then::Exit(Exit::Code(0)));
    let metrics = metrics_of(&records[..1]);
    let series = samples(&metrics);
    let zero = |name: &str| assert_eq!(series[&format!("open_design_critique_{name}")], "0", "{name}");
    zero(r#"degraded_total{reason="oversize_block",adapter="claude"}"#);
    zero(r#"interrupted_total{adapter="claude"}"#);
    zero(r#"runs_total{status="failed",cause="cli_exit_nonzero",adapter="claude",skill="none"}"#);
    zero(r#"runs_total{status="shipped",cause="",adapter="claude",skill="none"}"#);
    let endings = |records: &[Record]| -> Vec<String> {
        samples(&metrics_of(records)).into_keys().filter(|series| series.contains("runs_total")).collect()
    };
    for records in logs() {
        assert_eq!(endings(&records), endings(&records[..1]), "all that can happen is foreseen");
    }
}

#[test]
fn runs_whose_beginning_nobody_saw_are_counted_too() {
    for records in logs() {
        let end = records.last().unwrap();
        let metrics = metrics_of([end]);
        assert_eq!(sum(&metrics, "open_design_critique_runs_total", ""), 1);
        let named = matches!(end.event, Event::Theater(TheaterEvent::Degraded(_)));
        let adapter = if named { "adapter=\"codex\"" } else { "adapter=\"unknown\"" };
        assert_eq!(sum(&metrics, "open_design_critique_runs_total", adapter), 1);
    }
}

#[test]
fn an_agent_that_begins_again_is_counted_once() {
    let begun_again = until(transcript_shipped(), "<SHIP").to_owned() + transcript_shipped();
    let again = log(1, "claude", &begun_again, Then::Exit(Exit::Code(0)));
    let once = log(2, "claude", transcript_shipped(), Then::Exit(Exit::Code(0)));
    let (again, once) = (metrics_of(&again), metrics_of(&once));
    for name in ["open_design_critique_rounds_total", "open_design_critique_must_fix_total"] {
        assert_eq!(sum(&again, name, ""), sum(&once, name, ""), "{name}");
        assert!(sum(&once, name, "") > 0, "{name}");
    }
    assert_eq!(sum(&again, "open_design_critique_parser_errors_total", "kind=\"restarted\""), 1);
}

#[test]
fn must_fixes_belong_to_the_weakest_dimension_of_their_review() {
    let mut play = Play::new(1, "claude", CritiqueConfig::default());
    play.say(
        5,
        r#"<CRITIQUE_RUN version="1"><ROUND n="1">
        <PANELIST role="critic" score="6"><DIM name="Type" score="7">a</DIM><MUST_FIX>b</MUST_FIX>
        <DIM name="Contrast" score="4">c</DIM><MUST_FIX>d</MUST_FIX></PANELIST>
        <PANELIST role="brand" score="6"><MUST_FIX>e</MUST_FIX></PANELIST>
        <PANELIST role="copy" score="6"><DIM name="voice" score="3">f</DIM><MUST_FIX>g</MUST_FIX>"#,
    );
    let metrics = metrics_of(&play.end(Then::Interrupt));
    let count = |labels: &str| sum(&metrics, "open_design_critique_must_fix_total", labels);
    assert_eq!(count("panelist=\"critic\",dim=\"contrast\""), 2);
    assert_eq!(count("panelist=\"brand\",dim=\"none\""), 1);
    assert_eq!(count("panelist=\"copy\",dim=\"voice\""), 1, "a review that was cut off counts");
    assert_eq!(count(""), 4);
}

#[test]
fn the_skill_of_the_request_is_that_of_the_run() {
    let mut records = log(1, "claude", transcript_shipped(), Then::Exit(Exit::Code(0)));
    let Event::Theater(TheaterEvent::Queued(queued)) = &mut records[0].event else {
        panic!("{:?}", records[0])
    };
    queued.skill = Some("saas-landing".parse().unwrap());
    let metrics = metrics_of(&records);
    assert_eq!(sum(&metrics, "open_design_critique_runs_total", "skill=\"saas-landing\""), 1);
    assert_eq!(sum(&metrics, "open_design_critique_rounds_total", "skill=\"saas-landing\""), 2);
    assert_eq!(sum(&metrics, "open_design_critique_runs_total", "skill=\"none\""), 0);
}

#[test]
fn composites_are_on_one_scale() {
    let scale = jury_core::score::Scale(100.0);
    let threshold = jury_core::score::Threshold(80.0);
    let config = CritiqueConfig { score_scale: scale, score_threshold: threshold, ..Default::default() };
    let mut play = Play::new(1, "claude", config);
    let text = ["critic", "brand", "a11y", "copy"]
        .map(|role| format!("<PANELIST role='{role}' score='90'><NOTES>Seen.</NOTES></PANELIST>"));
    play.say(
        1,
        &format!(
            "<CRITIQUE_RUN version='1'><ROUND n='1'><PANELIST role='designer'><ARTIFACT><p>a</p></ARTIFACT></PANELIST>\
             {}<ROUND_END n='1' decision='ship'/></ROUND><SHIP round='1'/></CRITIQUE_RUN>",
            text.concat()
        ),
    );
    let metrics = metrics_of(&play.end(Then::Hang));
    let series =
        "open_design_critique_composite_score_sum{decision=\"ship\",adapter=\"claude\",skill=\"none\"}";
    assert_eq!(samples(&metrics)[series], "9.0");
}

#[test]
fn viewers_are_counted_while_they_watch() {
    let metrics = Metrics::new();
    let (one, two) = (metrics.viewer(), metrics.viewer());
    assert_eq!(sum(&metrics, "jury_sse_clients", ""), 2);
    drop(one);
    two.saw(Millis(3));
    assert_eq!(sum(&metrics, "jury_sse_clients", ""), 1);
    assert_eq!(sum(&metrics, "jury_event_lag_ms_count", ""), 1);
}

#[test]
fn a_model_cannot_fill_the_memory_with_labels() {
    let metrics = Metrics::new();
    let opened = log(1, "claude", transcript_shipped(), Then::Exit(Exit::Code(0)));
    let open = opened
        .iter()
        .find(|record| matches!(record.event, Event::Theater(TheaterEvent::PanelistOpen(_))))
        .unwrap();
    let Event::Theater(TheaterEvent::PanelistOpen(panelist)) = &open.event else { panic!("{open:?}") };
    let (round, role) = (panelist.round, panelist.role);
    let must_fix = opened
        .iter()
        .find(|record| matches!(record.event, Event::Theater(TheaterEvent::PanelistMustFix(_))))
        .unwrap();
    let Event::Theater(TheaterEvent::PanelistMustFix(must_fix)) = must_fix.event.clone() else {
        panic!("{must_fix:?}")
    };
    for number in 0..3_000_u32 {
        let run_id = RunId(uuid::Uuid::from_u128(u128::from(number)));
        let dim = PanelistDim {
            round,
            role,
            dim_name: format!("dimension {number}"),
            dim_score: Some(Score(1.0)),
            dim_note: String::new(),
        };
        let asked = PanelistMustFix { round, role, ..must_fix.clone() };
        let end = opened.last().unwrap().event.clone();
        let events = [
            open.event.clone(),
            Event::Theater(TheaterEvent::PanelistDim(dim)),
            Event::Theater(TheaterEvent::PanelistMustFix(asked)),
            end,
        ];
        for (event, seq) in events.into_iter().zip(1..) {
            metrics.observe(&Record { seq: Seq(seq), at: Millis(seq), run_id, event });
        }
    }
    let series = samples(&metrics);
    let dims = series.keys().filter(|series| series.starts_with("open_design_critique_must_fix_total{"));
    assert_eq!(dims.count(), 201);
    assert_eq!(sum(&metrics, "open_design_critique_must_fix_total", "dim=\"other\""), 2_800);
}

/// Runs as they happen: an answer, cut off anywhere, with something happening then.
fn run() -> impl Strategy<Value = (String, Then)> {
    let answer = select(vec![transcript_shipped(), transcript_below(), transcript_malformed()]);
    let then = select(vec![
        Then::Exit(Exit::Code(0)),
        Then::Exit(Exit::Code(1)),
        Then::Interrupt,
        Then::Hang,
        Then::DaemonRestart,
    ]);
    let part = (answer, any::<Index>(), any::<bool>()).prop_map(|(answer, cut, whole)| {
        let end = if whole { answer.len() } else { cut.index(answer.len()) };
        String::from_utf8_lossy(&answer.as_bytes()[..end]).into_owned()
    });
    (vec(part, 1..3).prop_map(|parts| parts.concat()), then)
}

fn played(number: usize, (answer, then): &(String, Then)) -> Vec<Record> {
    let records = log(number as u128, "claude", answer, *then);
    // A whole answer of which nothing ended the run is the driver's business.
    assert!(records.last().is_some_and(|record| record.event.terminal().is_some()));
    records
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_run_is_counted_once_with_its_rounds(runs in vec(run(), 1..6), order in vec(any::<Index>(), 0..400)) {
        let logs: Vec<Vec<Record>> =
            runs.iter().enumerate().map(|(number, run)| played(number, run)).collect();
        // Runs at the same time: each in its own order, mixed with the others.
        let metrics = Metrics::new();
        let mut rest: Vec<&[Record]> = logs.iter().map(Vec::as_slice).collect();
        let mut order = order.iter().cycle();
        while !rest.is_empty() {
            let at = order.next().map_or(0, |index| index.index(rest.len()));
            match rest[at].split_first() {
                Some((record, more)) => {
                    metrics.observe(record);
                    rest[at] = more;
                }
                None => drop(rest.remove(at)),
            }
        }
        let rounds: usize = logs.iter().map(|log| closed_rounds(log)).sum();
        let all = |name: &str| sum(&metrics, name, "");
        prop_assert_eq!(all("open_design_critique_runs_total"), logs.len());
        prop_assert_eq!(all("jury_runs_total"), logs.len());
        prop_assert_eq!(all("jury_run_duration_ms_count"), logs.len());
        prop_assert_eq!(all("open_design_critique_rounds_total"), rounds);
        prop_assert_eq!(all("open_design_critique_round_duration_ms_count"), rounds);
        prop_assert_eq!(all("open_design_critique_protocol_version"), 0);
    }

    #[test]
    fn no_order_of_events_breaks_the_metrics(picks in vec((any::<Index>(), 0_u128..4, any::<u64>()), 0..200)) {
        let events: Vec<Record> = logs().into_iter().flatten().collect();
        let metrics = Metrics::new();
        let mut ends = 0;
        for (pick, run, at) in picks {
            let event = events[pick.index(events.len())].event.clone();
            ends += usize::from(event.terminal().is_some());
            let run_id = RunId(uuid::Uuid::from_u128(run));
            metrics.observe(&Record { seq: Seq(at), at: Millis(at), run_id, event });
        }
        prop_assert_eq!(sum(&metrics, "open_design_critique_runs_total", ""), ends);
        prop_assert!(metrics.render().ends_with("# EOF\n"));
    }
}
