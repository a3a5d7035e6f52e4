//! The critic's loop with a real store, real checks and agents that are real processes.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::cast::Cast;
use jiff::Timestamp;
use jury_agents::Invocation;
use jury_agents::decoder::Format;
use jury_agents::prompt::CriticTemplate;
use jury_core::critic::{
    Adversary, Answer, Check, Churn, Command, CriteriaSet, Criterion, CriterionVerdict, CriticEvent,
    CriticRequest, CriticState, CriticStatus, FigureBound, Fixer, Gap, Measure, Needs, PassState, StopReason,
};
use jury_core::decision::{DecisionId, DecisionState, Given};
use jury_core::event::Event;
use jury_core::id::{AgentId, ArtifactId, ProjectId, RunId};
use jury_core::run::RunState;
use jury_core::severity::Severity;
use jury_core::unit::Round;
use jury_engine::{
    Agent, AskWith, CriticCast, CriticJob, Interrupting, Scheduler, resume_critic, run_critic,
};
use jury_store::{Owner, Store};
use jury_testkit::process::is_alive;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// For a scheduler that has nothing to do with the critic.
/// A folder with a document and agents in it.
struct CriticHarness {
    dir: TempDir,
    store: Store,
    owner: Owner,
}

const DOCUMENT: &str = "# Plan\n\nDo it by Friday.\n";

fn criterion(id: &str) -> Criterion {
    Criterion {
        id: id.parse().unwrap(),
        question: format!("is it {id}: does every step have an owner and a date?"),
        weight: 1.0,
        severity: Severity::Serious,
        needs: Needs::Opinion,
        check: None,
        measure: None,
        bounds: std::collections::BTreeMap::new(),
        fix: None,
        escalate_when: Vec::new(),
        default_answer: None,
    }
}

fn shell(line: &str) -> Command {
    Command::Shell(line.to_owned())
}

fn check(line: &str) -> Check {
    Check {
        command: shell(line),
        figures: std::collections::BTreeMap::new(),
        exit: vec![0],
        timeout_seconds: Some(60),
    }
}

fn measured(id: &str, line: &str) -> Criterion {
    Criterion { needs: Needs::Measure, check: Some(check(line)), ..criterion(id) }
}

fn request(criteria: Vec<Criterion>, agent: bool) -> CriticRequest {
    CriticRequest {
        file: String::new(),
        set: CriteriaSet {
            name: "own".to_owned(),
            title: "own".to_owned(),
            cap: 4,
            adversary: Adversary::default(),
            criteria,
        },
        agent: agent.then(|| "scripted".parse::<AgentId>().unwrap()),
        model: None,
        fixer: if agent { Fixer::Agent } else { Fixer::Commands },
        auto: false,
        release: None,
        answer_within: None,
        step_seconds: Some(60),
        total_seconds: None,
        max_cost_usd: None,
        max_tokens: None,
    }
}

/// A report on one criterion.
fn report(id: &str, answer: &str, verdict: &str, realistic: &str) -> String {
    format!(
        "=== CRITIC 1 ===\n[{id}] is it? → {answer}\n  Verdict: {verdict}\n[ADVERSARIAL] Failure scenario: the printer burns\n  \
         → Realistic? {realistic}\n=== Result: CONTINUE (0 fixed) ===\n"
    )
}

const HARMLESS: &str = "N, 0 of 3 printers are near it";

impl CriticHarness {
    async fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("plan.md"), DOCUMENT).unwrap();
        let store = Store::open(dir.path().join(".od")).await.unwrap();
        let owner = Owner::register(&store).unwrap();
        Self { dir, store, owner }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// An agent that runs this in the folder, with the prompt on its stdin.
    fn cast(&self, script: &str) -> CriticCast {
        let (script, dir) = (script.to_owned(), self.dir.path().to_owned());
        let give: AskWith = Arc::new(move |prompt| {
            let mut invocation = Invocation::new("/bin/sh").arg("-c").arg(&script).prompt(prompt);
            invocation.dir = Some(dir.clone());
            Ok(Agent::Program { invocation, format: Format::Plain, silence: None })
        });
        CriticCast { agent: Some(give), template: CriticTemplate::built_in() }
    }

    fn alone() -> CriticCast {
        CriticCast { agent: None, template: CriticTemplate::built_in() }
    }

    async fn run(&self, request: CriticRequest, cast: CriticCast) -> (RunId, CriticState) {
        self.run_until(request, cast, CancellationToken::new()).await
    }

    async fn run_until(
        &self,
        request: CriticRequest,
        cast: CriticCast,
        stop: CancellationToken,
    ) -> (RunId, CriticState) {
        self.run_on("plan.md", request, cast, stop).await
    }

    fn job(&self, run: RunId, name: &str, request: CriticRequest, cast: CriticCast) -> CriticJob {
        CriticJob {
            run,
            project: ProjectId::default_project(),
            artifact: ArtifactId(Uuid::now_v7()),
            title: name.to_owned(),
            request: CriticRequest { file: self.path(name).to_str().unwrap().to_owned(), ..request },
            document: std::fs::read(self.path(name)).unwrap(),
            cast,
        }
    }

    async fn run_on(
        &self,
        name: &str,
        request: CriticRequest,
        cast: CriticCast,
        stop: CancellationToken,
    ) -> (RunId, CriticState) {
        let run = RunId(Uuid::now_v7());
        let job = self.job(run, name, request, cast);
        let mut seen = 0;
        let watch = &mut |records: &[jury_core::record::Record]| seen += records.len();
        let state = run_critic(&self.store, &self.owner, job, watch, stop).await.unwrap();
        assert_eq!(seen, self.store.records(run).await.unwrap().len(), "who watches sees everything");
        self.holds(run).await;
        (run, state)
    }

    /// What holds for every run that nobody drives any more.
    async fn holds(&self, run: RunId) {
        let log = self.store.records(run).await.unwrap();
        let row = self.store.run(run).await.unwrap().unwrap();
        let ends = log.iter().filter(|record| record.event.terminal().is_some()).count();
        assert_eq!(ends, usize::from(row.state == RunState::Ended));
        assert!((1..).zip(&log).all(|(seq, record)| record.seq.0 == seq));
        assert!(log.windows(2).all(|pair| pair[0].at <= pair[1].at), "time goes on");
        assert_eq!(
            std::fs::read_to_string(self.path("plan.md")).unwrap(),
            DOCUMENT,
            "the file is not touched"
        );
        let hidden = std::fs::read_dir(self.dir.path())
            .unwrap()
            .filter(|entry| entry.as_ref().unwrap().file_name().to_str().unwrap().starts_with(".jury"));
        assert_eq!(hidden.count(), 0, "the copy is gone");
    }

    async fn text(&self, run: RunId, pass: u32) -> Option<String> {
        let row = self.store.run(run).await.unwrap().unwrap();
        let body = self.store.read_round(row.artifact, Round(pass)).await.unwrap();
        body.map(|body| String::from_utf8(body).unwrap())
    }
}

#[tokio::test]
async fn a_good_document_converges_in_one_pass() {
    let harness = CriticHarness::new().await;
    std::fs::write(harness.path("good"), report("WHOLE", "4 of 4 steps have an owner", "PASS", HARMLESS))
        .unwrap();
    let (run, state) =
        harness.run(request(vec![criterion("WHOLE")], true), harness.cast("cat > asked; cat good")).await;
    assert_eq!(state.status(), CriticStatus::Converged, "{state:#?}");
    assert!(
        matches!(state.ended, Some(CriticEvent::Converged(ref end)) if end.fast && end.tally.passes == 1)
    );
    assert!(std::fs::read_to_string(harness.path("asked")).unwrap().contains("Do it by Friday."));
    assert_eq!(harness.store.transcript(run).await.unwrap(), harness.store.records(run).await.unwrap());
    let final_body = harness.store.run(run).await.unwrap().unwrap().artifact;
    assert_eq!(harness.store.read_final(final_body).await.unwrap().unwrap(), DOCUMENT.as_bytes());
}

#[tokio::test]
async fn the_agent_mends_a_copy_and_every_version_is_kept() {
    let harness = CriticHarness::new().await;
    std::fs::write(
        harness.path("bad"),
        report("DATED", "0 of 1 steps has a date", "FAIL (give the date)", HARMLESS),
    )
    .unwrap();
    std::fs::write(harness.path("good"), report("DATED", "1 of 1 steps has a date", "PASS", HARMLESS))
        .unwrap();
    std::fs::write(
        harness.path("mended"),
        "=== DOCUMENT ===\n# Plan\n\nDo it by 2 May.\n=== END OF DOCUMENT ===\n",
    )
    .unwrap();
    let script = "cat > asked; if grep -q 'give the date' asked && ! grep -q 'CRITIC' asked; then cat mended; \
                  elif grep -q '2 May' asked; then cat good; else cat bad; fi";
    let (run, state) = harness.run(request(vec![criterion("DATED")], true), harness.cast(script)).await;
    assert_eq!(state.status(), CriticStatus::Converged, "{state:#?}");
    assert_eq!((state.tally().passes, state.tally().fixes), (2, 1));
    assert_eq!(harness.text(run, 1).await.as_deref(), Some(DOCUMENT));
    assert_eq!(harness.text(run, 2).await.as_deref(), Some("# Plan\n\nDo it by 2 May.\n"));
}

/// A criterion whose check counts vague dates and whose fix writes a date.
fn dated() -> Criterion {
    let mut dated = measured(
        "DATED",
        "n=$(grep -c Friday {file}); echo \"$n vague dates in $(basename $PWD)\"; test $n = 0",
    );
    dated.check.as_mut().unwrap().figures = [("vague".to_owned(), "{} vague dates*".to_owned())].into();
    dated.bounds = [("vague".to_owned(), FigureBound { min: None, max: Some(0.0) })].into();
    dated.fix = Some(Command::Argv(["sed", "-i", "s/Friday/2 May/", "{file}"].map(str::to_owned).to_vec()));
    dated
}

/// The vague dates that [`dated`] counted in a pass. Checks run at the same time and evidence is kept in the order in
/// which they end, so its place says nothing.
fn vague(pass: &PassState) -> f64 {
    let own = pass.evidence.iter().find(|own| own.criterion.as_str() == "DATED");
    let figure = own.and_then(|own| own.figures.get("vague"));
    *figure.unwrap_or_else(|| panic!("no figure in {pass:#?}"))
}

#[tokio::test]
async fn checks_and_fixes_are_commands_on_the_copy() {
    let harness = CriticHarness::new().await;
    let mut asked = request(vec![dated()], false);
    asked.set.adversary.check = Some(check("test -s {file}"));
    let (run, state) = harness.run(asked, CriticHarness::alone()).await;
    assert_eq!(state.status(), CriticStatus::Converged, "{state:#?}");
    let figures: Vec<f64> = state.passes.iter().map(vague).collect();
    assert_eq!(figures, [1.0, 0.0]);
    assert_eq!(harness.text(run, 2).await.unwrap(), "# Plan\n\nDo it by 2 May.\n");
}

#[tokio::test]
async fn evidence_is_kept_in_the_order_in_which_checks_end() {
    let harness = CriticHarness::new().await;
    let mut asked = request(vec![dated()], false);
    // Begun first, and over when the evidence of the other one is in the log.
    asked.set.adversary.check = Some(check("until [ -e logged ]; do sleep 0.01; done"));
    let run = RunId(Uuid::now_v7());
    let job = harness.job(run, "plan.md", asked, CriticHarness::alone());
    let logged = harness.path("logged");
    let watch = &mut |records: &[jury_core::record::Record]| {
        let is_evidence = |event: &Event| matches!(event, Event::Critic(CriticEvent::Evidence(_)));
        if records.iter().any(|record| is_evidence(&record.event)) {
            std::fs::write(&logged, "").unwrap();
        }
    };
    let stop = CancellationToken::new();
    let state = run_critic(&harness.store, &harness.owner, job, watch, stop).await.unwrap();
    harness.holds(run).await;
    assert_eq!(state.status(), CriticStatus::Converged, "{state:#?}");
    let order: Vec<&str> = state.passes[0].evidence.iter().map(|own| own.criterion.as_str()).collect();
    assert_eq!(order, ["DATED", "ADVERSARIAL"]);
    let figures: Vec<f64> = state.passes.iter().map(vague).collect();
    assert_eq!(figures, [1.0, 0.0]);
}

#[tokio::test]
async fn without_a_model_what_is_measured_counts_and_nothing_converges() {
    let harness = CriticHarness::new().await;
    let links = Criterion { needs: Needs::Measure, measure: Some(Measure::DeadLink), ..criterion("LINKS") };
    let (_, state) =
        harness.run(request(vec![links, criterion("WISE")], false), CriticHarness::alone()).await;
    assert_eq!(state.status(), CriticStatus::Inconclusive, "{state:#?}");
    let pass = state.last_pass().unwrap();
    assert_eq!(pass.verdict(&"LINKS".parse().unwrap()).unwrap().verdict, Some(CriterionVerdict::Pass));
    let wise = pass.verdict(&"WISE".parse().unwrap()).unwrap();
    assert_eq!(wise.gap, Some(Gap::NoModel), "{wise:?}");
}

#[tokio::test]
async fn a_bare_pass_is_sent_back_once_and_then_counts_for_nothing() {
    let harness = CriticHarness::new().await;
    std::fs::write(harness.path("bare"), report("WHOLE", "", "PASS", HARMLESS)).unwrap();
    let script = "cat > asked; echo x >> times; cat bare";
    let (_, state) = harness.run(request(vec![criterion("WHOLE")], true), harness.cast(script)).await;
    assert_eq!(state.status(), CriticStatus::Inconclusive, "{state:#?}");
    assert_eq!(state.passes[0].rejections.len(), 1);
    assert_eq!(std::fs::read_to_string(harness.path("times")).unwrap(), "x\nx\n");
}

#[tokio::test]
async fn fixes_that_change_nothing_are_called_churn() {
    let harness = CriticHarness::new().await;
    let mut dated = measured("DATED", "! grep -q Friday {file}");
    dated.fix = Some(shell("true"));
    let mut asked = request(vec![dated], false);
    asked.set.adversary.check = Some(check("true"));
    let (_, state) = harness.run(asked, CriticHarness::alone()).await;
    let Some(CriticEvent::Stopped(end)) = &state.ended else { panic!("{state:#?}") };
    assert_eq!((end.reason, end.churn), (StopReason::Churn, Some(Churn::DocumentUnchanged)));
}

#[tokio::test]
async fn a_critic_that_fails_is_asked_again_and_is_then_absent() {
    let harness = CriticHarness::new().await;
    let script = "cat > asked; echo x >> times; echo no key >&2; exit 1";
    let (_, state) = harness.run(request(vec![criterion("WHOLE")], true), harness.cast(script)).await;
    assert_eq!(state.status(), CriticStatus::Inconclusive, "{state:#?}");
    let absences = &state.passes[0].absences;
    assert_eq!(absences.len(), 2);
    assert!(absences[0].detail.contains("no key"), "{absences:?}");
}

#[tokio::test]
async fn stopped_it_leaves_nobody_behind() {
    let harness = CriticHarness::new().await;
    let stop = CancellationToken::new();
    let script = "cat > asked; sleep 1000 & echo $! > pid.new; mv pid.new pid; wait";
    let pid = harness.path("pid");
    let watch = async {
        while !pid.exists() {
            tokio::task::yield_now().await;
        }
        stop.cancel();
    };
    let asked = request(vec![criterion("WHOLE")], true);
    let ((_, state), ()) = tokio::join!(harness.run_until(asked, harness.cast(script), stop.clone()), watch);
    assert_eq!(state.status(), CriticStatus::Interrupted);
    let pid = std::fs::read_to_string(harness.path("pid")).unwrap();
    let gone = async {
        while is_alive(pid.trim()) {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), gone).await.unwrap();
}

/// A critic that asks a person which day, and is content once somebody has decided.
const ASKS: &str = "=== CRITIC 1 ===\n[DATED] is it? → 1 of 1 dates has two readings\n  Verdict: ESCALATE\n\
    [ADVERSARIAL] Failure scenario: two Fridays\n  → Realistic? N, 1 of 1 week has one\n\
    === Result: ESCALATE (1 items) ===\n\n=== CRITIC ESCALATION (1) ===\n[DATED] which Friday?\n\n\
    Issue: there are two.\nWhy escalation: only you know.\n\nOptions:\n  1. This week — the second of May\n     \
    Pro: soon  Con: tight\n  2. Next week — the ninth\n     Pro: calm  Con: late\n  \
    3. Skip — keep current state, mark as [DEFERRED]\n";

async fn asks(harness: &CriticHarness) -> (RunId, CriticCast) {
    asks_within(harness, None).await
}

async fn asks_within(harness: &CriticHarness, answer_within: Option<u64>) -> (RunId, CriticCast) {
    std::fs::write(harness.path("asks"), ASKS).unwrap();
    std::fs::write(harness.path("good"), report("DATED", "1 of 1 dates is clear", "PASS", HARMLESS)).unwrap();
    std::fs::write(
        harness.path("mended"),
        "=== DOCUMENT ===\n# Plan\n\nDo it by 9 May.\n=== END OF DOCUMENT ===\n",
    )
    .unwrap();
    let cast = harness.cast(
        "cat > asked; if grep -q '9 May' asked; then cat good; elif grep -q 'Next week' asked; then cat mended; else cat asks; fi",
    );
    let asked = CriticRequest { answer_within, ..request(vec![criterion("DATED")], true) };
    let (run, state) = harness.run(asked, cast.clone()).await;
    assert_eq!(state.status(), CriticStatus::Escalated, "{state:#?}");
    (run, cast)
}

fn given(answer: Answer) -> Given {
    Given { answer, by: "ann".to_owned(), at: Timestamp::now() }
}

#[tokio::test]
async fn a_person_is_asked_and_the_run_goes_on_where_it_was() {
    let harness = CriticHarness::new().await;
    let (run, cast) = asks(&harness).await;
    assert_eq!(harness.store.run(run).await.unwrap().unwrap().state, RunState::Waiting);
    let open = harness.store.decisions(Some(DecisionState::Open), None).await.unwrap();
    assert_eq!(open.len(), 1);
    assert_eq!(open[0].question.options[1].label, "Next week");
    harness.store.answer(&open[0].id, given(Answer::Option(2))).await.unwrap();

    // Another process, which knows nothing but the store.
    let store = Store::open(harness.path(".od")).await.unwrap();
    let owner = Owner::register(&store).unwrap();
    let state =
        resume_critic(&store, &owner, run, cast, &mut |_| {}, CancellationToken::new()).await.unwrap();
    harness.holds(run).await;
    assert_eq!(state.status(), CriticStatus::Converged, "{state:#?}");
    assert_eq!(harness.text(run, 2).await.unwrap(), "# Plan\n\nDo it by 9 May.\n");
    assert_eq!(state.questions[0].answer.as_ref().unwrap().by, "ann");
}

fn open_scheduler(harness: &CriticHarness, cast: CriticCast) -> Scheduler {
    let cast = Cast { critic: Some(cast), ..Cast::default() };
    let owner = Owner::register(&harness.store).unwrap();
    Scheduler::open(harness.store.clone(), owner, 2, Arc::new(cast))
}

async fn ended(harness: &CriticHarness, run: RunId) -> Event {
    let mut appended = harness.store.appended();
    let wait = async {
        while harness.store.run(run).await.unwrap().unwrap().state != RunState::Ended {
            appended.changed().await.unwrap();
        }
    };
    tokio::time::timeout(Duration::from_mins(1), wait).await.unwrap();
    harness.store.records(run).await.unwrap().last().unwrap().event.clone()
}

#[tokio::test]
async fn a_docket_takes_it_up_when_the_answer_comes() {
    let harness = CriticHarness::new().await;
    let (run, cast) = asks(&harness).await;
    let scheduler = open_scheduler(&harness, cast);
    harness.store.answer(&DecisionId::of(run, 1), given(Answer::Option(2))).await.unwrap();
    scheduler.look();
    let end = ended(&harness, run).await;
    assert!(matches!(end, Event::Critic(CriticEvent::Converged(_))), "{end:?}");
    scheduler.close().await;
    harness.holds(run).await;
}

#[tokio::test]
async fn a_run_that_waits_can_be_stopped_and_stays_stopped() {
    let harness = CriticHarness::new().await;
    let (run, cast) = asks(&harness).await;
    let scheduler = open_scheduler(&harness, cast);
    let project = ProjectId::default_project();
    assert_eq!(scheduler.interrupt(&project, run).await.unwrap(), Interrupting::Accepted);
    assert_eq!(scheduler.interrupt(&project, run).await.unwrap(), Interrupting::Already);
    let end = ended(&harness, run).await;
    assert!(matches!(end, Event::Critic(CriticEvent::Interrupted(_))), "{end:?}");
    let late = harness.store.answer(&DecisionId::of(run, 1), given(Answer::Skip)).await;
    assert!(late.unwrap_err().is_conflict());
    scheduler.close().await;
}

#[tokio::test]
async fn whoever_is_asked_for_too_long_is_answered_for_and_nobody_calls_it_a_decision() {
    let harness = CriticHarness::new().await;
    let (run, cast) = asks_within(&harness, Some(0)).await;
    let scheduler = open_scheduler(&harness, cast);
    let end = ended(&harness, run).await;
    assert!(matches!(end, Event::Critic(CriticEvent::SafetyCap(_))), "{end:?}");
    let state = harness.store.state::<CriticState>(run).await.unwrap();
    assert_eq!(state.questions[0].answer.as_ref().unwrap().answer, Answer::Skip);
    assert!(state.deferrals.iter().all(|deferral| !deferral.by_person), "{:?}", state.deferrals);
    scheduler.close().await;
}

#[tokio::test]
async fn what_a_fix_leaves_must_be_a_document() {
    for ruin in [
        ": > {file}",
        "rm {file}",
        "ln -sf /etc/hostname {file}",
        "printf 'a\\0b' > {file}",
        "rm {file}; mkdir {file}",
    ] {
        let harness = CriticHarness::new().await;
        let mut dated = measured("DATED", "! grep -q Friday {file}");
        dated.fix = Some(shell(ruin));
        let mut asked = request(vec![dated], false);
        asked.set.adversary.check = Some(check("true"));
        let (run, state) = harness.run(asked, CriticHarness::alone()).await;
        let Some(CriticEvent::Stopped(end)) = &state.ended else { panic!("{ruin}: {state:#?}") };
        assert_eq!(end.reason, StopReason::FixFailed, "{ruin}");
        assert_eq!(harness.text(run, 2).await, None, "{ruin}");
    }
}

#[tokio::test]
async fn an_agent_that_abbreviates_has_fixed_nothing() {
    let harness = CriticHarness::new().await;
    let long = format!("# Plan\n\nDo it by Friday.\n{}", "One more step of the plan.\n".repeat(40));
    std::fs::write(harness.path("long.md"), &long).unwrap();
    std::fs::write(
        harness.path("bad"),
        report("DATED", "0 of 1 steps has a date", "FAIL (give the date)", HARMLESS),
    )
    .unwrap();
    std::fs::write(harness.path("stub"), "=== DOCUMENT ===\n(the rest as it was)\n=== END OF DOCUMENT ===\n")
        .unwrap();
    let script = "cat > asked; if grep -q 'give the date' asked && ! grep -q 'CRITIC' asked; then cat stub; else cat bad; fi";
    let request = CriticRequest { file: "long.md".to_owned(), ..request(vec![criterion("DATED")], true) };
    let (_, state) = harness.run_on("long.md", request, harness.cast(script), CancellationToken::new()).await;
    let Some(CriticEvent::Stopped(end)) = &state.ended else { panic!("{state:#?}") };
    assert_eq!(end.reason, StopReason::FixFailed);
    assert!(end.detail.contains("bytes of the document"), "{}", end.detail);
}

#[tokio::test]
async fn a_check_that_changes_the_document_is_no_check() {
    let harness = CriticHarness::new().await;
    let mut asked = request(vec![measured("DATED", "echo more >> {file}")], false);
    asked.set.adversary.check = Some(check("true"));
    let run = RunId(Uuid::now_v7());
    let job = harness.job(run, "plan.md", asked, CriticHarness::alone());
    let state =
        run_critic(&harness.store, &harness.owner, job, &mut |_| {}, CancellationToken::new()).await.unwrap();
    assert_eq!(state.status(), CriticStatus::Inconclusive, "{state:#?}");
}

#[tokio::test]
async fn a_whole_report_counts_whatever_the_exit_code_says() {
    let harness = CriticHarness::new().await;
    std::fs::write(harness.path("good"), report("WHOLE", "4 of 4 steps have an owner", "PASS", HARMLESS))
        .unwrap();
    let asked = request(vec![criterion("WHOLE")], true);
    let (_, state) = harness.run(asked.clone(), harness.cast("cat > asked; cat good; exit 1")).await;
    assert_eq!(state.status(), CriticStatus::Converged, "{state:#?}");
    let (_, state) = harness.run(asked, harness.cast("cat > asked; head -3 good; exit 1")).await;
    assert_eq!(state.status(), CriticStatus::Inconclusive, "{state:#?}");
}

#[tokio::test]
async fn a_document_that_is_gone_is_not_taken_for_an_empty_one() {
    let harness = CriticHarness::new().await;
    let (run, cast) = asks(&harness).await;
    harness.store.answer(&DecisionId::of(run, 1), given(Answer::Skip)).await.unwrap();
    std::fs::remove_dir_all(harness.path(".od/artifacts")).unwrap();
    let error =
        resume_critic(&harness.store, &harness.owner, run, cast, &mut |_| {}, CancellationToken::new()).await;
    assert!(error.unwrap_err().to_string().contains("is gone"));
}
