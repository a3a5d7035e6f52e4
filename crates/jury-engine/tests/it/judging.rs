//! The judge with a real store, real folders and agents that are real processes or a scripted service.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::cast::Cast;
use jiff::{SignedDuration, Timestamp};
use jury_agents::Invocation;
use jury_agents::api::{Client, ModelPrompt, Secret, Settings, Vendor};
use jury_agents::decoder::Format;
use jury_core::critic::Answer as PersonsAnswer;
use jury_core::decision::{DecisionId, DecisionState, Given};
use jury_core::id::{ArtifactId, ProjectId, RunId};
use jury_core::judge::settings::{JudgeMode, JudgeSettings};
use jury_core::judge::{
    Allowance, JudgeEvent, JudgeQueued, JudgeRequest, JudgeState, JudgeStatus, JudgeVerdict,
};
use jury_core::run::RunState;
use jury_core::severity::Severity;
use jury_core::unit::Millis;
use jury_engine::judge::{
    Clock, GatheredCase, JudgeCast, JudgeJob, JudgeTask, Juror, Sources, resume_judge, run_judge,
    settle_judge,
};
use jury_engine::{Agent, AskWith, Scheduler};
use jury_learning::files::{judgement, redispatch, throttle};
use jury_store::{Conflict, NewRun, Owner, Store, StoreError};
use jury_testkit::model::{ModelServer, Script, ScriptedAnswer};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

struct JudgeHarness {
    dir: TempDir,
    case: GatheredCase,
    store: Store,
    owner: Owner,
}

/// What a judge prints.
fn said(mark: f64) -> String {
    json!({
        "bead": "bd-one", "dimensions": {
            "correctness": mark, "scope_adherence": mark, "code_quality": mark, "completeness": mark },
        "issues": [{ "severity": "minor", "description": "A name is long.",
            "evidence": { "file": "src/a.rs", "line": 3 } }],
        "summary": format!("It is worth {mark}."), "confidence": "high",
    })
    .to_string()
}

const DIFF: &str = "diff --git a/src/a.rs b/src/a.rs\n--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,2 +1,4 @@\n fn a() {\n\
    +    b(1);\n+    c(2);\n }\n";

/// What judges see of a run like this, with this change.
async fn case(dir: &Path, over: &Value, diff: &str) -> GatheredCase {
    let mut record = json!({
        "bead": "bd-one", "status": "done", "exit_code": 0, "template_name": "bug-fix",
        "prompt": "Call b and c in a, THE CASE.",
        "verification": { "lint": "pass", "tests": "pass", "ubs": "clean", "truthsayer": "pass" },
    });
    for (key, value) in over.as_object().unwrap() {
        record[key] = value.clone();
    }
    let change = dir.join("change.diff");
    std::fs::write(&change, diff).unwrap();
    let sources = Sources {
        record: record.to_string().into_bytes(),
        root: dir.to_owned(),
        workspace: dir.to_owned(),
        prompts: None,
        judgements: None,
        prompt: None,
        diff: Some(change),
        repo: None,
        base: None,
        head: None,
        test_output: None,
        lint_output: None,
        scratch: dir.to_owned(),
    };
    GatheredCase::gather(&sources, &JudgeSettings::default(), &CancellationToken::new()).await.unwrap()
}

impl JudgeHarness {
    async fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path().join(".od")).await.unwrap();
        let owner = Owner::register(&store).unwrap();
        let case = case(dir.path(), &json!({}), DIFF).await;
        Self { dir, case, store, owner }
    }

    fn judgements(&self) -> PathBuf {
        self.dir.path().join("judgments")
    }

    /// A juror that runs this in the folder, with the prompt on its stdin.
    fn juror(&self, script: &str) -> Juror {
        let (script, dir) = (script.to_owned(), self.dir.path().to_owned());
        let ask: AskWith = Arc::new(move |prompt| {
            let mut invocation = Invocation::new("/bin/sh").arg("-c").arg(&script).prompt(prompt);
            invocation.dir = Some(dir.clone());
            Ok(Agent::Program { invocation, format: Format::Plain, silence: None })
        });
        Juror { agent: "scripted".parse().unwrap(), model: None, ask }
    }

    fn cast(&self, scripts: &[&str]) -> JudgeCast {
        JudgeCast {
            mode: JudgeMode::Model,
            jurors: scripts.iter().map(|script| self.juror(script)).collect(),
            repeats: 1,
            command: None,
            pass_env: Vec::new(),
            dir: self.dir.path().to_owned(),
            timeout: Millis(60_000),
            allowance: Allowance::default(),
            judgements: self.judgements(),
        }
    }

    fn task(&self, scripts: &[&str]) -> JudgeTask {
        JudgeTask {
            case: self.case.clone(),
            cast: self.cast(scripts),
            wait: false,
            force: false,
            clock: Clock::system(),
        }
    }

    fn request(&self) -> JudgeRequest {
        JudgeRequest {
            judgements: self.judgements().to_str().unwrap().to_owned(),
            record: "{}".to_owned(),
            ..JudgeRequest::default()
        }
    }

    async fn run(&self, task: JudgeTask) -> (RunId, JudgeState) {
        self.run_until(task, CancellationToken::new()).await
    }

    async fn run_until(&self, task: JudgeTask, stop: CancellationToken) -> (RunId, JudgeState) {
        let run = RunId(Uuid::now_v7());
        let job = JudgeJob {
            run,
            project: ProjectId::default_project(),
            artifact: ArtifactId(Uuid::now_v7()),
            request: self.request(),
            task,
        };
        let mut seen = 0;
        let watch = &mut |records: &[jury_core::record::Record]| seen += records.len();
        let state = run_judge(&self.store, &self.owner, job, watch, stop).await.unwrap();
        assert_eq!(seen, self.store.records(run).await.unwrap().len(), "who watches sees everything");
        self.holds(run, &state).await;
        (run, state)
    }

    /// What holds for every run that nobody drives any more.
    async fn holds(&self, run: RunId, state: &JudgeState) {
        let log = self.store.records(run).await.unwrap();
        let row = self.store.run(run).await.unwrap().unwrap();
        let ends = log.iter().filter(|record| record.event.terminal().is_some()).count();
        assert_eq!(ends, usize::from(row.state == RunState::Ended));
        assert_eq!(&self.store.state::<JudgeState>(run).await.unwrap(), state);
        assert_ne!(row.state, RunState::Running, "nobody drives it");
        let kept = judgement::newest(&self.judgements(), &"bd-one".parse().unwrap()).unwrap().value;
        match state.judgement() {
            Some(judgement) => assert_eq!(&kept.unwrap().judgement, judgement, "the file says the same"),
            None => assert!(kept.is_none_or(|kept| kept.run != Some(run.to_string()))),
        }
        if row.state == RunState::Ended {
            assert_eq!(self.store.transcript(run).await.unwrap(), log);
        }
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.dir.path().join(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.dir.path().join(name)).unwrap()
    }
}

#[tokio::test]
async fn a_judge_that_answers_makes_a_judgement() {
    let harness = JudgeHarness::new().await;
    harness.write("good", &said(0.9));
    let (run, state) = harness.run(harness.task(&["cat > asked; cat good"])).await;
    assert_eq!(state.status(), JudgeStatus::Pass, "{state:#?}");
    assert!(harness.read("asked").contains("THE CASE"));
    let kept = judgement::newest(&harness.judgements(), &"bd-one".parse().unwrap()).unwrap().value.unwrap();
    assert_eq!((kept.template.as_str(), kept.mode.as_str()), ("bug-fix", "model"));
    assert_eq!(kept.judgement.judge.unwrap(), harness.case.stamp("scripted"));
    assert_eq!(kept.judgement.issues.len(), 1);
    let row = harness.store.run(run).await.unwrap().unwrap();
    assert_eq!((row.title.as_str(), row.agent.as_str()), ("bd-one", "scripted"));
    assert_eq!(harness.store.reindex().await.unwrap(), 1);
    assert_eq!(harness.store.run(run).await.unwrap().unwrap(), row);
}

#[tokio::test]
async fn what_was_measured_stands_beside_the_judge_and_bounds_its_marks() {
    let harness = JudgeHarness::new().await;
    harness.write("good", &said(0.95));
    let mut task = harness.task(&["cat good"]);
    let stub = DIFF.replace("    b(1);", "    todo!()");
    task.case = case(harness.dir.path(), &json!({}), &stub).await;
    let (_, state) = harness.run(task.clone()).await;
    assert_eq!(state.status(), JudgeStatus::Partial, "{state:#?}");
    let judgement = state.judgement().unwrap();
    let major = judgement.issues.iter().find(|issue| issue.severity == Severity::Serious).unwrap();
    assert_eq!(major.evidence.as_ref().unwrap().line, Some(2));
    assert!(state.seats[0].judged.as_ref().unwrap().claimed.is_some());
    // The same facts alone are the judge without a model.
    task.cast.mode = JudgeMode::Heuristic;
    let (_, state) = harness.run(task).await;
    assert_eq!(state.judgement().unwrap().judge.as_ref().unwrap().model, "heuristic");
    assert_eq!(state.status(), JudgeStatus::Partial, "{state:#?}");
}

#[tokio::test]
async fn nobody_is_asked_about_nothing() {
    let harness = JudgeHarness::new().await;
    let mut task = harness.task(&["touch asked; cat good"]);
    task.case = case(harness.dir.path(), &json!({}), "").await;
    assert!(task.case.nothing.is_some());
    let (_, state) = harness.run(task).await;
    assert_eq!(state.status(), JudgeStatus::Inconclusive, "{state:#?}");
    assert!(!harness.dir.path().join("asked").exists());
    let spent = throttle::spent(&harness.judgements(), Timestamp::now(), &Allowance::default()).unwrap();
    assert!(spent.value.spent.is_empty());
}

#[tokio::test]
async fn a_program_is_not_asked_about_nothing_either() {
    let harness = JudgeHarness::new().await;
    harness.write("good", &said(1.0));
    let mut task = harness.task(&[]);
    task.cast.mode = JudgeMode::Command;
    task.cast.command = Some("cat good".to_owned());
    let (_, state) = harness.run(task.clone()).await;
    assert_eq!(state.status(), JudgeStatus::Pass, "{state:#?}");
    let picture =
        "diff --git a/a.png b/a.png\nnew file mode 100644\nBinary files /dev/null and b/a.png differ\n";
    for diff in ["", picture] {
        task.case = case(harness.dir.path(), &json!({}), diff).await;
        for mode in [JudgeMode::Command, JudgeMode::Model, JudgeMode::Heuristic] {
            task.cast = JudgeCast { mode, ..harness.cast(&["cat good"]) };
            task.cast.command = Some("cat good".to_owned());
            let (_, state) = harness.run(task.clone()).await;
            assert_eq!(state.status(), JudgeStatus::Inconclusive, "{mode} {diff:?}: {state:#?}");
        }
    }
}

/// Half of a change is not enough for a pass, whoever says it.
#[tokio::test]
async fn what_was_hardly_seen_does_not_pass() {
    let harness = JudgeHarness::new().await;
    harness.write("good", &said(1.0));
    let lines: Vec<String> =
        (0..20_000).map(|line| format!("+    call_number({line}, \"some words\");\n")).collect();
    let body = lines.concat();
    let diff = format!(
        "diff --git a/src/a.rs b/src/a.rs\n--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,2 +1,20002 @@\n fn a() {{\n{body} }}\n"
    );
    let mut task = harness.task(&["cat good"]);
    task.case = case(harness.dir.path(), &json!({}), &diff).await;
    assert!(task.case.coverage.share < 0.5 && task.case.facts.is_empty(), "{:?}", task.case.coverage);
    for mode in [JudgeMode::Command, JudgeMode::Model] {
        task.cast = JudgeCast { mode, command: Some("cat good".to_owned()), ..harness.cast(&["cat good"]) };
        let (_, state) = harness.run(task.clone()).await;
        assert_eq!(state.status(), JudgeStatus::Partial, "{mode}: {state:#?}");
        let issues = &state.judgement().unwrap().issues;
        assert!(issues.iter().any(|issue| issue.description.contains("cannot pass")), "{issues:?}");
    }
}

#[tokio::test]
async fn prose_and_a_fence_around_an_answer_do_not_matter() {
    let harness = JudgeHarness::new().await;
    harness.write("fenced", &format!("Here it is:\n```json\n{}\n```\nDone.\n", said(0.6)));
    let (_, state) = harness.run(harness.task(&["cat fenced"])).await;
    assert_eq!(state.status(), JudgeStatus::Partial);
}

#[tokio::test]
async fn two_objects_are_sent_back_with_the_reason_and_the_second_answer_counts() {
    let harness = JudgeHarness::new().await;
    harness.write("two", &format!("{}\n{}", said(0.9), said(0.1)));
    harness.write("one", &said(0.8));
    let script = "cat > asked; if [ -e again ]; then cp asked second; cat one; else touch again; cat two; fi";
    let (run, state) = harness.run(harness.task(&[script])).await;
    assert_eq!(state.status(), JudgeStatus::Pass);
    assert!(harness.read("second").contains("more than one JSON object"), "{}", harness.read("second"));
    assert_eq!(state.seats[0].rejected.len(), 1);
    let sent_back = harness.store.records(run).await.unwrap();
    assert_eq!(sent_back.iter().filter(|record| record.event.kind() == "judge.rejected").count(), 1);
}

#[tokio::test]
async fn who_answers_wrong_twice_is_absent_and_that_is_no_pass() {
    let harness = JudgeHarness::new().await;
    let (_, state) = harness.run(harness.task(&["echo x >> asked; echo 'LGTM, pass!'"])).await;
    assert_eq!(state.status(), JudgeStatus::Inconclusive);
    assert_eq!(harness.read("asked").lines().count(), 2, "one attempt to repair it, and no more");
    assert!(state.seats[0].absent.as_ref().unwrap().reason.contains("no JSON object"));
    assert!(judgement::beads(&harness.judgements()).unwrap().is_empty());
}

#[tokio::test]
async fn a_judge_that_fails_or_hangs_is_absent() {
    let harness = JudgeHarness::new().await;
    harness.write("good", &said(0.9));
    let (_, failed) = harness.run(harness.task(&["echo x >> asked; cat good; exit 3"])).await;
    assert_eq!(failed.status(), JudgeStatus::Inconclusive, "a failure is no answer, whatever was printed");
    assert_eq!(harness.read("asked").lines().count(), 2, "one more attempt, and no more");
    let mut task = harness.task(&["echo $$ > pid; exec sleep 600"]);
    task.cast.timeout = Millis(1_500);
    let began = Instant::now();
    let (_, hung) = harness.run(task).await;
    assert_eq!(hung.status(), JudgeStatus::Inconclusive);
    assert!(hung.seats[0].absent.as_ref().unwrap().reason.ends_with("longer than 1 second"), "{hung:#?}");
    assert!(began.elapsed() < Duration::from_mins(1));
    assert!(!jury_testkit::process::is_alive(harness.read("pid").trim()), "nothing is left of it");
}

#[tokio::test]
async fn a_judge_that_fails_is_asked_once_more_and_its_answer_counts() {
    let harness = JudgeHarness::new().await;
    harness.write("good", &said(0.9));
    let script = "if [ -e again ]; then cat good; else touch again; exit 3; fi";
    harness.write("once.sh", script);
    let (run, state) = harness.run(harness.task(&[script])).await;
    assert_eq!(state.status(), JudgeStatus::Pass, "{state:#?}");
    assert!(state.seats[0].retried.as_ref().unwrap().reason.contains("code 3"));
    let log = harness.store.records(run).await.unwrap();
    assert_eq!(log.iter().filter(|record| record.event.kind() == "judge.retried").count(), 1);
    std::fs::remove_file(harness.dir.path().join("again")).unwrap();
    let mut task = harness.task(&[]);
    task.cast = JudgeCast { mode: JudgeMode::Command, jurors: Vec::new(), ..task.cast };
    task.cast.command = Some("sh once.sh".to_owned());
    let (_, state) = harness.run(task.clone()).await;
    assert_eq!(state.status(), JudgeStatus::Pass, "{state:#?}");
    // What cannot be started is not started twice.
    task.cast.command = Some("no-such-program".to_owned());
    let (_, state) = harness.run(task).await;
    assert_eq!(state.status(), JudgeStatus::Inconclusive);
    assert!(state.seats[0].retried.is_none(), "{state:#?}");
}

#[tokio::test]
async fn a_majority_of_all_seats_decides() {
    let harness = JudgeHarness::new().await;
    for (name, mark) in [("good", 0.9), ("fair", 0.6)] {
        harness.write(name, &said(mark));
    }
    let (_, state) = harness.run(harness.task(&["cat good", "cat fair", "cat good"])).await;
    assert_eq!(state.status(), JudgeStatus::Pass);
    let panel = state.judgement().unwrap().panel.clone().unwrap();
    assert_eq!((panel.seats.len(), panel.majority), (3, Some(JudgeVerdict::Pass)));
    // The empty seat is counted: one of two is no majority, and half of the seats are no judgement.
    let (_, state) = harness.run(harness.task(&["cat good", "exit 1"])).await;
    assert_eq!(state.status(), JudgeStatus::Inconclusive);
    // Repeats are seats as well.
    let mut task = harness.task(&["cat good"]);
    task.cast.repeats = 3;
    let (_, state) = harness.run(task).await;
    assert_eq!(state.seats.iter().map(|seat| seat.name.repeat).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(state.status(), JudgeStatus::Pass);
}

async fn disputed(harness: &JudgeHarness) -> RunId {
    for (name, mark) in [("good", 0.9), ("fair", 0.6), ("poor", 0.2)] {
        harness.write(name, &said(mark));
    }
    let (run, state) = harness.run(harness.task(&["cat good", "cat fair", "cat poor"])).await;
    assert_eq!(state.status(), JudgeStatus::Disputed, "{state:#?}");
    assert_eq!(harness.store.run(run).await.unwrap().unwrap().state, RunState::Waiting);
    run
}

fn given(answer: PersonsAnswer) -> Given {
    Given { answer, by: "ada".to_owned(), at: Timestamp::now() }
}

#[tokio::test]
async fn a_dispute_waits_in_the_inbox_over_a_restart_until_a_person_settles_it() {
    let harness = JudgeHarness::new().await;
    let run = disputed(&harness).await;
    let open = harness.store.decisions(Some(DecisionState::Open), Some(run)).await.unwrap();
    assert_eq!(open.len(), 1);
    assert_eq!(open[0].question.options.len(), 3);
    let id = DecisionId::of(run, 1);
    let words = PersonsAnswer::Text("well".to_owned());
    let refused = harness.store.answer(&id, given(words)).await.unwrap_err();
    assert!(matches!(refused, StoreError::Conflict { conflict: Conflict::NoVerdict, .. }), "{refused:?}");
    // The program goes away and comes back, and the tables are made anew.
    harness.store.recover().await.unwrap();
    harness.store.reindex().await.unwrap();
    assert_eq!(harness.store.state::<JudgeState>(run).await.unwrap().status(), JudgeStatus::Disputed);
    assert_eq!(harness.store.run(run).await.unwrap().unwrap().state, RunState::Waiting);
    let left = harness.store.answer(&id, given(PersonsAnswer::Text("fail".to_owned()))).await.unwrap().left;
    assert_eq!(left, 0);
    let nobody = &mut |_: &[jury_core::record::Record]| {};
    let state = settle_judge(&harness.store, &harness.owner, run, nobody).await.unwrap();
    assert_eq!(state.status(), JudgeStatus::Fail);
    harness.holds(run, &state).await;
    let again = redispatch::list(&harness.judgements()).unwrap().value;
    assert_eq!(again.len(), 1, "what fails is noted to be dispatched again");
    assert_eq!(again[0].run, run.to_string());
}

#[tokio::test]
async fn a_daemon_settles_what_has_its_answer_and_leaves_the_throttled_alone() {
    let harness = JudgeHarness::new().await;
    let run = disputed(&harness).await;
    let (held, _) = throttled(&harness).await;
    let owner = Owner::register(&harness.store).unwrap();
    let queue = Scheduler::open(harness.store.clone(), owner, 1, Arc::new(Cast::default()));
    harness.store.answer(&DecisionId::of(run, 1), given(PersonsAnswer::Option(1))).await.unwrap();
    queue.look();
    let mut row = harness.store.run(run).await.unwrap().unwrap();
    while row.state != RunState::Ended {
        tokio::task::yield_now().await;
        row = harness.store.run(run).await.unwrap().unwrap();
    }
    assert_eq!(
        harness.store.state::<JudgeState>(run).await.unwrap().status(),
        JudgeStatus::Pass,
        "a person decides"
    );
    assert_eq!(harness.store.run(held).await.unwrap().unwrap().state, RunState::Queued);
    queue.interrupt(&ProjectId::default_project(), held).await.unwrap();
    assert_eq!(harness.store.state::<JudgeState>(held).await.unwrap().status(), JudgeStatus::Interrupted);
    queue.close().await;
}

/// A run that comes too soon after another.
async fn throttled(harness: &JudgeHarness) -> (RunId, Timestamp) {
    let now = Timestamp::now();
    let allowance = Allowance { per_hour: 1, dollars_per_day: None };
    throttle::admit(&harness.judgements(), now, 1, &allowance).unwrap();
    let mut task = harness.task(&["cat good"]);
    task.cast.allowance = allowance;
    task.clock = Clock::fixed(now);
    let (run, state) = harness.run(task).await;
    assert_eq!(state.status(), JudgeStatus::Throttled);
    (run, now)
}

#[tokio::test]
async fn what_is_held_back_waits_in_the_queue_and_is_worked_off_later() {
    let harness = JudgeHarness::new().await;
    harness.write("good", &said(0.9));
    let (run, now) = throttled(&harness).await;
    assert_eq!(harness.store.run(run).await.unwrap().unwrap().state, RunState::Queued);
    harness.store.recover().await.unwrap();
    harness.store.reindex().await.unwrap();
    assert_eq!(harness.store.run(run).await.unwrap().unwrap().state, RunState::Queued, "it is not lost");
    let nobody = &mut |_: &[jury_core::record::Record]| {};
    for (minutes, standing) in [(30, JudgeStatus::Throttled), (61, JudgeStatus::Pass)] {
        let mut task = harness.task(&["cat good"]);
        task.cast.allowance.per_hour = 1;
        task.clock = Clock::fixed(now + SignedDuration::from_mins(minutes));
        let stop = CancellationToken::new();
        let state = resume_judge(&harness.store, &harness.owner, run, task, nobody, stop).await.unwrap();
        assert_eq!(state.status(), standing);
        harness.holds(run, &state).await;
    }
}

#[tokio::test]
async fn who_waits_for_the_throttle_is_let_in_when_its_time_comes() {
    let harness = JudgeHarness::new().await;
    harness.write("good", &said(0.9));
    let allowance = Allowance { per_hour: 1, dollars_per_day: None };
    let almost = SignedDuration::from_hours(1) - SignedDuration::from_millis(300);
    throttle::admit(&harness.judgements(), Timestamp::now() - almost, 1, &allowance).unwrap();
    let mut task = harness.task(&["cat good"]);
    (task.cast.allowance, task.wait) = (allowance, true);
    let (run, state) = harness.run(task).await;
    assert_eq!(state.status(), JudgeStatus::Pass);
    let held = harness.store.records(run).await.unwrap();
    assert!(held.iter().any(|record| record.event.kind() == "judge.throttled"));
}

#[tokio::test]
async fn who_stops_waiting_for_the_throttle_leaves_the_run_in_the_queue() {
    let harness = JudgeHarness::new().await;
    let allowance = Allowance { per_hour: 1, dollars_per_day: None };
    throttle::admit(&harness.judgements(), Timestamp::now(), 1, &allowance).unwrap();
    let mut task = harness.task(&["touch asked; exit 1"]);
    (task.cast.allowance, task.wait) = (allowance, true);
    let stop = CancellationToken::new();
    stop.cancel();
    let (run, state) = harness.run_until(task, stop).await;
    assert_eq!(state.status(), JudgeStatus::Throttled);
    assert_eq!(harness.store.run(run).await.unwrap().unwrap().state, RunState::Queued);
    assert!(!harness.dir.path().join("asked").exists());
}

#[tokio::test]
async fn a_run_that_was_killed_is_interrupted_and_one_that_waited_waits_again() {
    let harness = JudgeHarness::new().await;
    let (run, artifact) = (RunId(Uuid::now_v7()), ArtifactId(Uuid::now_v7()));
    let gone = Owner::register(&harness.store).unwrap();
    let queued = JudgeQueued {
        project_id: ProjectId::default_project(),
        artifact_id: artifact,
        agent: None,
        bead: "bd-one".parse().unwrap(),
    };
    let now = Timestamp::now();
    let queued = JudgeEvent::Queued(queued);
    let new = NewRun::<JudgeState> { run, queued, request: Some(harness.request()) };
    harness.store.enqueue(new, Some(gone.id()), now).await.unwrap();
    harness.store.claim(run, gone.id(), now).await.unwrap();
    drop(gone);
    // Another had been told to wait when its program went away.
    let (held, _) = throttled(&harness).await;
    let gone = Owner::register(&harness.store).unwrap();
    harness.store.claim(held, gone.id(), now).await.unwrap();
    drop(gone);
    harness.store.recover().await.unwrap();
    assert_eq!(harness.store.run(held).await.unwrap().unwrap().state, RunState::Queued);
    let state = harness.store.state::<JudgeState>(run).await.unwrap();
    assert!(
        matches!(&state.ended, Some(JudgeEvent::Interrupted(end)) if end.recovery_reason.is_some()),
        "{state:#?}"
    );
}

#[tokio::test]
async fn an_interrupt_ends_the_run_and_its_agents() {
    let harness = JudgeHarness::new().await;
    let stop = CancellationToken::new();
    let task = harness.task(&["echo $$ > pid.new; mv pid.new pid; exec sleep 600"]);
    let pid = harness.dir.path().join("pid");
    let ends = async {
        while !Path::exists(&pid) {
            tokio::task::yield_now().await;
        }
        stop.cancel();
    };
    let ((run, state), ()) = tokio::join!(harness.run_until(task, stop.clone()), ends);
    assert_eq!(state.status(), JudgeStatus::Interrupted);
    assert_eq!(harness.store.run(run).await.unwrap().unwrap().state, RunState::Ended);
    assert!(!jury_testkit::process::is_alive(harness.read("pid").trim()), "nothing is left of it");
}

#[tokio::test]
async fn a_timeout_is_skipped_and_costs_nothing() {
    let harness = JudgeHarness::new().await;
    let mut task = harness.task(&["touch asked; exit 1"]);
    task.case = case(harness.dir.path(), &json!({ "status": "timeout", "exit_code": null }), DIFF).await;
    let (_, state) = harness.run(task).await;
    assert_eq!(state.status(), JudgeStatus::Skipped);
    assert!(!harness.dir.path().join("asked").exists());
    let spent = throttle::spent(&harness.judgements(), Timestamp::now(), &Allowance::default()).unwrap();
    assert!(spent.value.spent.is_empty());
}

#[tokio::test]
async fn one_that_waits_for_a_person_can_be_stopped() {
    let harness = JudgeHarness::new().await;
    let run = disputed(&harness).await;
    jury_engine::stop(&harness.store, &harness.owner, run).await.unwrap();
    assert_eq!(harness.store.state::<JudgeState>(run).await.unwrap().status(), JudgeStatus::Interrupted);
    let closed = harness.store.decisions(Some(DecisionState::Closed), Some(run)).await.unwrap();
    assert_eq!(closed.len(), 1);
}

#[tokio::test]
async fn a_service_is_asked_like_a_program_and_its_tokens_are_counted() {
    let harness = JudgeHarness::new().await;
    let broken = ScriptedAnswer { text: Some("{\"dimensions\":".to_owned()), ..ScriptedAnswer::default() };
    let good = ScriptedAnswer { text: Some(said(0.9)), ..ScriptedAnswer::default() };
    let server = ModelServer::start(Script::new([broken, good])).unwrap();
    let url = format!("{}/v1", server.url());
    let ask: AskWith = Arc::new(move |prompt| {
        let vendor = Vendor::find("anthropic").unwrap();
        let settings = Settings {
            base_url: Some(url.clone()),
            allow_hosts: vec!["127.0.0.1".to_owned()],
            ..Settings::default()
        };
        let client = Client::with_key(vendor, settings, Some(Secret::new("sk-very-secret"))).unwrap();
        Ok(Agent::Model { client: Box::new(client), prompt: ModelPrompt::new(prompt).max_tokens(4_000) })
    });
    let mut task = harness.task(&[]);
    task.cast.jurors = vec![Juror { agent: "anthropic".parse().unwrap(), model: None, ask }];
    let (_, state) = harness.run(task).await;
    assert_eq!(state.status(), JudgeStatus::Pass, "{state:#?}");
    let cost = state.seats[0].cost().unwrap();
    assert!(cost.input_tokens > 0 && cost.output_tokens > 0, "{cost:?}");
    assert_eq!(cost.usage(), state.usage, "both attempts, and nothing twice");
    // The rules are instructions, and what somebody else wrote is what is said: both times.
    for call in server.calls() {
        let (rules, said) = (call.body["system"].to_string(), call.body["messages"].to_string());
        assert!(rules.contains("Be strict") && !rules.contains("THE CASE"), "{rules}");
        assert!(said.contains("THE CASE") && !said.contains("Be strict"), "{said}");
    }
}
