//! Pairs of a log and the progress that it adds up to, for the reducer of the page: `web/test/golden-content/*.json`. Both
//! folds must give the same, after every event. `JURY_UPDATE=1` rewrites the files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use jury_core::artifact::Blob;
use jury_core::content::brand::{Colors, SiteBrand, Theme, Typography};
use jury_core::content::critique::IssueStatus;
use jury_core::content::draft::TEXT_MIME;
use jury_core::content::event::{
    Abandoned, Assembled, Branded, ContentCriticStarted, ContentMeasured, ContentQueued, ContentStarted,
    CriticAbsent, Critiqued, Deployed, Drafted, Finished, Halted, NeedsHuman, PauseReason, Paused, Pushed,
    RepoCreated, Resumed, Revised, Saved, Summarised, Validated, Verified,
};
use jury_core::content::progress::{ProgressStatus, StepStatus};
use jury_core::content::protected::{Because, Lost};
use jury_core::content::rule::EditorDecision;
use jury_core::content::{
    ContentEvent, ContentIssue, ContentSeat, ContentState, Critique, Form, How, PanelSelection,
    PipelineProgress, Quality, Recipe, Step, Tool, Writer,
};
use jury_core::event::{AgentNote, AgentNoteKind, Event, Usage};
use jury_core::evidence::EvidenceMode;
use jury_core::id::{AdvisorId, ArtifactId, ProjectId, RunId};
use jury_core::outcome::FailedCause;
use jury_core::record::Record;
use jury_core::severity::Severity;
use jury_core::unit::{Bytes, Millis, Round, Seq};
use uuid::Uuid;

/// The last of these is called like something that every object of a script has.
const PANEL: [&str; 4] = ["seo", "copy", "behaviour", "constructor"];

/// A run as somebody would play it: what the rule says comes from the rule.
#[derive(Default)]
struct Play {
    log: Vec<ContentEvent>,
}

fn id(name: &str) -> AdvisorId {
    name.to_owned().try_into().unwrap()
}

fn usage(input: u64, cost: Option<f64>) -> Usage {
    Usage { input_tokens: input, output_tokens: input / 10, cost_usd: cost }
}

fn issue(critic: &str, rule: &str, severity: Severity) -> ContentIssue {
    ContentIssue::measured(
        &id(critic),
        rule,
        "anchor",
        severity,
        format!("{rule} <b>\"is\"</b> wrong"),
        format!("mend {rule}"),
    )
}

fn recipe(max: u32) -> Recipe {
    Recipe {
        content_type: "blog-post".to_owned().try_into().unwrap(),
        form: Form::Article,
        author_advisor: id("author"),
        author_context_docs: Vec::new(),
        author_framework: None,
        evaluation_needs: "Search, copy and behaviour.".to_owned(),
        evaluation_emphasis: None,
        named_critics: vec![id("seo")],
        min_aggregate_score: 7.0,
        max_revision_rounds: max,
        publish: false,
    }
}

fn body(round: u32) -> Blob {
    Blob::of(format!("# Draft {round}\n").as_bytes(), TEXT_MIME)
}

impl Play {
    fn state(&self) -> ContentState {
        ContentState::of(&self.log)
    }

    fn put(mut self, event: ContentEvent) -> Self {
        self.log.push(event);
        self
    }

    fn queued() -> Self {
        Self::default().put(ContentEvent::Queued(ContentQueued {
            project_id: ProjectId::default_project(),
            artifact_id: ArtifactId(Uuid::from_u128(7)),
            idea_id: "acme".to_owned().try_into().unwrap(),
            content_type: "blog-post".to_owned().try_into().unwrap(),
            agent: None,
        }))
    }

    fn started(max: u32, publish: bool) -> Self {
        Self::queued().put(ContentEvent::RunStarted(ContentStarted {
            idea_id: "acme".to_owned().try_into().unwrap(),
            recipe: recipe(max),
            author: "The author".to_owned(),
            agent: None,
            docs: Vec::new(),
            publish,
            evidence: Some(EvidenceMode::Gate),
            started_at: "2026-01-05T08:00:00Z".parse().unwrap(),
        }))
    }

    fn drafted(self, round: u32, writer: Writer) -> Self {
        self.put(ContentEvent::Drafted(Drafted {
            round: Round(round),
            draft: body(round),
            writer,
            words: 120,
            remarks: vec!["the title was taken from the heading".to_owned()],
            usage: (writer == Writer::Model).then(|| usage(900, Some(0.125))),
        }))
    }

    fn selected(self, seats: &[&str]) -> Self {
        let seat = |name: &&str| ContentSeat {
            advisor_id: id(name),
            name: name.to_uppercase(),
            domain: if *name == "constructor" { String::new() } else { (*name).to_owned() },
            named: *name == "seo",
            clauses: Vec::new(),
        };
        self.put(ContentEvent::PanelSelected(PanelSelection {
            seats: seats.iter().map(seat).collect(),
            how: How::Vote,
            warnings: Vec::new(),
        }))
    }

    /// A run with a first draft and its panel.
    fn begun(max: u32, publish: bool) -> Self {
        Self::started(max, publish).drafted(1, Writer::Template).selected(&PANEL)
    }

    fn reads(self, round: u32, who: &str, attempt: u32) -> Self {
        let begun = ContentCriticStarted { round: Round(round), advisor_id: id(who), attempt };
        self.put(ContentEvent::CriticStarted(begun))
    }

    fn says(self, round: u32, who: &str, score: f64, issues: Vec<ContentIssue>) -> Self {
        let statuses = self
            .state()
            .rounds
            .iter()
            .filter_map(|known| known.critiques.get(&id(who)))
            .flat_map(|before| &before.issues)
            .filter(|before| !issues.iter().any(|now| now.id == before.id))
            .map(|before| IssueStatus { id: before.id.clone(), fixed: true })
            .collect();
        let critique = Critique {
            advisor_id: id(who),
            name: who.to_uppercase(),
            score,
            pass: issues.is_empty(),
            issues,
            statuses,
            measured: who != "copy",
            usage: (who == "copy").then(|| usage(300, None)),
        };
        self.reads(round, who, 1).put(ContentEvent::Critiqued(Critiqued { round: Round(round), critique }))
    }

    fn absent(self, round: u32, who: &str) -> Self {
        self.put(ContentEvent::CriticAbsent(CriticAbsent {
            round: Round(round),
            advisor_id: id(who),
            attempts: 3,
            cause: FailedCause::Silent,
            detail: "no answer within 180 s".to_owned(),
        }))
    }

    /// Everybody gives the same score, and one of them has something to say.
    fn panel(self, round: u32, score: f64, issues: Vec<ContentIssue>) -> Self {
        let mut issues = Some(issues);
        PANEL.iter().fold(self, |play, who| play.says(round, who, score, issues.take().unwrap_or_default()))
    }

    /// What the rule says, and the summary.
    fn decided(self) -> Self {
        let mut play = self;
        if let Step::Measure(round) = play.state().next() {
            // The first round of every run has something.
            let issues = if round == Round(1) {
                vec![issue("measured", "behaviour.unproven-proof", Severity::Moderate)]
            } else {
                Vec::new()
            };
            let measured = ContentMeasured { round, mode: EvidenceMode::Gate, issues };
            play = play.put(ContentEvent::Measured(measured));
        }
        play.ruled()
    }

    fn ruled(self) -> Self {
        let Step::Decide(round) = self.state().next() else { return self };
        let decided = self.state().decide(round).unwrap();
        self.put(ContentEvent::Decided(decided)).summarised()
    }

    fn summarised(self) -> Self {
        let Step::Summarise(round) = self.state().next() else { return self };
        let summary = self.state().summarise(round).unwrap();
        self.put(ContentEvent::Summarised(Summarised { summary }))
    }

    fn revised(self, round: u32) -> Self {
        self.put(ContentEvent::Revised(Revised {
            round: Round(round),
            draft: body(round),
            writer: Writer::Repairs,
            words: 130,
            done: vec!["shortened the title".to_owned()],
            brought: vec!["A new line.".to_owned()],
            lost: vec![Lost { passage: "What was good.".to_owned(), because: Because::Mended }],
            usage: Some(usage(500, Some(0.25))),
        }))
    }

    fn needs(self, round: u32) -> Self {
        self.put(ContentEvent::NeedsHuman(NeedsHuman {
            round: Round(round),
            reason: "what is left needs a person".to_owned(),
            brief: "REVISION BRIEF".to_owned(),
        }))
    }

    fn halted(self, tool: Tool) -> Self {
        let detail = "the disk is full: make room, then resume".to_owned();
        let cause = FailedCause::OrchestratorInternal;
        self.put(ContentEvent::Halted(Halted { tool, cause, detail }))
    }

    fn paused(self) -> Self {
        self.put(ContentEvent::Paused(Paused { reason: PauseReason::Asked }))
    }

    fn resumed(self) -> Self {
        self.put(ContentEvent::Resumed(Resumed { tool: Some(Tool::RunCritiques) }))
    }

    fn saved(self) -> Self {
        let saved = self.state().save().unwrap();
        self.put(ContentEvent::Saved(saved))
    }

    fn finished(self) -> Self {
        let finished = self.state().finish().unwrap();
        self.put(ContentEvent::Finished(finished))
    }

    /// The tools of the second phase, as many of them.
    fn published(self, steps: usize) -> Self {
        let colour = || "#336699".to_owned();
        let brand = SiteBrand {
            theme: Theme::Light,
            colors: Colors {
                primary: colour(),
                primary_light: colour(),
                background: colour(),
                background_elevated: colour(),
                text_primary: colour(),
                text_secondary: colour(),
                text_muted: colour(),
                accent: colour(),
                border: colour(),
            },
            typography: Typography {
                heading_font: "Georgia, serif".to_owned(),
                body_font: "Georgia, serif".to_owned(),
                mono_font: "monospace".to_owned(),
            },
            radius: 4,
        };
        let made = Blob::of(b"site", TEXT_MIME);
        let all = [
            ContentEvent::Branded(Branded { brand, notes: vec!["darkened for contrast".to_owned()] }),
            ContentEvent::Assembled(Assembled {
                sha256: made.sha256,
                files: 5,
                bytes: Bytes(20_480),
                base_url: "/s/acme/".to_owned(),
                posts: Vec::new(),
                left_out: Vec::new(),
            }),
            ContentEvent::Validated(Validated { sentences: 31, warnings: Vec::new() }),
            ContentEvent::RepoCreated(RepoCreated { site: "acme".to_owned(), created: true }),
            ContentEvent::Pushed(Pushed { commit: "0123456789abcdef".to_owned(), changed: 5, remote: None }),
            ContentEvent::Deployed(Deployed {
                site: "acme".to_owned(),
                release: "r1".to_owned(),
                previous: None,
                url: "/s/acme/".to_owned(),
            }),
            ContentEvent::Verified(Verified { fetched: 3 }),
        ];
        all.into_iter().take(steps).fold(self, Self::put)
    }
}

fn high() -> Vec<ContentIssue> {
    vec![issue("seo", "h1_missing", Severity::Serious), issue("seo", "title_long", Severity::Moderate)]
}

fn medium() -> Vec<ContentIssue> {
    vec![issue("seo", "title_long", Severity::Moderate)]
}

fn plays() -> Vec<(&'static str, Play)> {
    let approved = |publish| Play::begun(3, publish).panel(1, 8.25, Vec::new()).decided().saved();
    let waits = || Play::begun(3, false).panel(1, 6.0, high()).decided().needs(1);
    let quorum_missed = || {
        let play =
            Play::begun(3, false).says(1, "copy", 9.0, Vec::new()).reads(1, "seo", 1).reads(1, "seo", 2);
        play.absent(1, "seo").absent(1, "behaviour").absent(1, "constructor").decided()
    };
    let note = AgentNote {
        kind: AgentNoteKind::Usage,
        detail: String::new(),
        status: None,
        usage: Some(usage(1200, Some(0.5))),
    };
    vec![
        ("queued", Play::queued()),
        ("started", Play::started(3, false).put(ContentEvent::Agent(note))),
        ("selects", Play::started(3, true).drafted(1, Writer::Model)),
        (
            "reads",
            Play::begun(3, false).says(1, "seo", 8.75, medium()).reads(1, "copy", 2).absent(1, "behaviour"),
        ),
        ("approved_at_once", approved(false).finished()),
        (
            "revised_and_approved",
            Play::begun(3, false)
                .panel(1, 6.0, high())
                .decided()
                .revised(2)
                .panel(2, 8.0, medium())
                .decided()
                .saved()
                .finished(),
        ),
        (
            "stalled",
            Play::begun(3, false)
                .panel(1, 6.5, medium())
                .decided()
                .revised(2)
                .panel(2, 6.25, medium())
                .decided()
                .saved()
                .finished(),
        ),
        (
            "max_rounds_reached",
            Play::begun(2, false)
                .panel(1, 5.0, high())
                .decided()
                .revised(2)
                .panel(2, 5.5, high())
                .decided()
                .saved()
                .finished(),
        ),
        ("stops_with_nothing_to_mend", Play::begun(3, false).panel(1, 6.0, Vec::new()).decided()),
        ("needs_human", waits()),
        ("needs_human_and_paused", waits().paused().resumed()),
        (
            "a_person_mends_it",
            waits().drafted(2, Writer::Person).panel(2, 9.0, Vec::new()).decided().saved().finished(),
        ),
        (
            "a_person_starts_the_count_anew",
            Play::begun(1, false)
                .panel(1, 5.0, high())
                .decided()
                .needs(1)
                .drafted(2, Writer::Person)
                .panel(2, 6.0, high())
                .decided(),
        ),
        ("ends_for_a_person", {
            let end = Finished { quality: Quality::NeedsHuman, unreviewed: false, url: None };
            waits().put(ContentEvent::Finished(end))
        }),
        ("paused_and_resumed", {
            let play = Play::begun(3, false).says(1, "seo", 8.0, Vec::new()).paused();
            play.resumed().says(1, "copy", 7.5, Vec::new()).paused()
        }),
        ("too_few_critics", quorum_missed().halted(Tool::RunCritiques)),
        (
            "too_few_critics_and_again",
            quorum_missed().halted(Tool::RunCritiques).resumed().panel(1, 8.0, Vec::new()).decided().saved(),
        ),
        ("unreviewed", Play::started(3, true).drafted(1, Writer::Person).selected(&[]).saved().finished()),
        ("abandoned", {
            let why = Abandoned { reason: "another idea".to_owned() };
            waits().put(ContentEvent::Abandoned(why))
        }),
        ("published", approved(true).published(7).finished()),
        ("cannot_be_deployed", approved(true).published(5).halted(Tool::Deploy)),
        ("waits_to_be_deployed", approved(true).published(5).paused()),
        ("stalled_is_not_published", {
            let play = Play::begun(2, true).panel(1, 6.5, medium()).decided().revised(2);
            play.panel(2, 6.0, medium()).decided().saved().finished()
        }),
        ("chaos_1", chaos(1)),
        ("chaos_2", chaos(2)),
        ("chaos_3", chaos(3)),
    ]
}

/// Events in an order that no program would write: a fold takes what it gets.
fn chaos(seed: u64) -> Play {
    let mut state = seed;
    let mut roll = |most: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    };
    let mut play = Play::started(2, seed.is_multiple_of(2)).drafted(1, Writer::Template).selected(&PANEL);
    let mut newest = 1;
    for _ in 0..60 {
        let round = u32::try_from(roll(4)).unwrap();
        let who = PANEL[usize::try_from(roll(4)).unwrap()];
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let score = 1.0 + roll(37) as f64 / 4.0;
        play = match roll(16) {
            0 | 1 => play.says(newest, who, score, medium()),
            2 => play.says(round, who, score, high()),
            3 => play.says(newest, who, score, Vec::new()),
            4 => play.absent(round, who),
            5 => play.reads(newest, who, round),
            6 => play.decided(),
            7 | 8 => play.panel(newest, score, medium()).decided(),
            9 => {
                newest += 1;
                play.revised(newest)
            }
            10 => play.needs(newest),
            11 => {
                newest += 1;
                play.drafted(newest, Writer::Person)
            }
            12 => play.paused(),
            13 | 14 => play.resumed(),
            _ => play.halted(Tool::ReviseDraft),
        };
    }
    match play.state().save() {
        Some(saved) => play.put(ContentEvent::Saved(Saved { open: 2, ..saved })).published(3),
        None => play,
    }
}

/// What a fold comes to after each event, in one line: how it stands, which step is at work, how far each is.
fn line(state: &ContentState) -> String {
    let Some(progress) = PipelineProgress::of(state) else { return String::new() };
    let marks: Vec<String> = progress
        .steps
        .iter()
        .map(|step| format!("{:?}", step.status).to_lowercase().chars().take(1).collect())
        .collect();
    let decisions: Vec<&str> = progress
        .critique_history
        .iter()
        .map(|round| round.editor_decision.map_or("-", EditorDecision::as_str))
        .collect();
    let (standing, step, round) = (state.status(), progress.current_step, progress.round);
    format!("{standing} {step} {round} {} {}", marks.concat(), decisions.join(","))
}

fn pair(play: Play) -> String {
    let mut state = ContentState::default();
    let mut along = Vec::new();
    for event in &play.log {
        state.apply(event);
        along.push(serde_json::to_string(&line(&state)).unwrap());
    }
    let progress = serde_json::to_string(&PipelineProgress::of(&state)).unwrap();
    let usage = serde_json::to_string(&state.usage).unwrap();
    let records: Vec<String> = play
        .log
        .into_iter()
        .zip(1_u64..)
        .map(|(event, number)| {
            let run_id = RunId(Uuid::from_u128(0x0198_c0de_0000_7000_8000_0000_0000_0008));
            let event = Event::Content(event);
            Record { seq: Seq(number), at: Millis(number * 40), run_id, event }.to_line().unwrap()
        })
        .collect();
    format!(
        "{{\"records\":[\n{}\n],\n\"along\":[\n{}\n],\n\"usage\":{usage},\n\"progress\":{progress}}}\n",
        records.join(",\n"),
        along.join(",\n")
    )
}

#[test]
fn the_page_has_every_golden_content_log_with_its_progress() {
    let pairs: BTreeMap<String, String> =
        plays().into_iter().map(|(name, play)| (format!("{name}.json"), pair(play))).collect();
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/test/golden-content");
    if env::var_os("JURY_UPDATE").is_some_and(|value| value == "1") {
        fs::create_dir_all(&folder).unwrap();
        for entry in fs::read_dir(&folder).unwrap() {
            fs::remove_file(entry.unwrap().path()).unwrap();
        }
        for (name, text) in &pairs {
            fs::write(folder.join(name), text).unwrap();
        }
    }
    let there: BTreeMap<String, String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(path).unwrap())
        })
        .collect();
    let stale: Vec<&String> =
        pairs.keys().chain(there.keys()).filter(|name| pairs.get(*name) != there.get(*name)).collect();
    assert!(stale.is_empty(), "web/test/golden-content is stale: run with JURY_UPDATE=1; {stale:?}");
}

#[test]
fn a_step_that_is_done_is_never_pending() {
    for (name, play) in plays() {
        let mut state = ContentState::default();
        for (number, event) in play.log.iter().enumerate() {
            state.apply(event);
            let Some(progress) = PipelineProgress::of(&state) else { continue };
            let at = progress.steps.iter().position(|step| step.name == progress.current_step);
            let Some(at) = at.filter(|_| progress.status == ProgressStatus::Running) else { continue };
            for (place, step) in progress.steps.iter().enumerate() {
                let is_before = place < at;
                // Nobody sat on the panel, or nothing had to be revised: those steps were not done.
                let was_left_out = match step.name.as_str() {
                    "editor_decision" | "summarize_round" => state.seats().is_empty(),
                    "revise_draft" => state.rounds.len() == 1 || state.saved.is_none(),
                    _ => false,
                };
                let revised = step.name == "revise_draft"
                    && matches!(event, ContentEvent::Revised(_) | ContentEvent::CriticStarted(_))
                    && state.rounds.len() > 1
                    && state.rounds.last().is_some_and(|round| round.writer != Writer::Person);
                if (is_before && !was_left_out) || revised {
                    assert_eq!(
                        step.status,
                        StepStatus::Complete,
                        "{name}, event {number}: {} at {}",
                        step.name,
                        progress.current_step
                    );
                }
            }
        }
    }
}
