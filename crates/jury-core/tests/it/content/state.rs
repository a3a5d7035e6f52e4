//! The state of a run as the fold of its log: whatever happens in whatever order, it ends, it is the same when it is
//! replayed, and nothing is approved that did not meet the rule.

use std::collections::BTreeSet;

use jiff::Timestamp;
use jury_core::artifact::Blob;
use jury_core::content::event::{
    Abandoned, Assembled, Branded, ContentCriticStarted, ContentMeasured, ContentStarted, CriticAbsent,
    Critiqued, Deployed, Drafted, Halted, NeedsHuman, PauseReason, Paused, Pushed, RepoCreated, Resumed,
    Revised, Summarised, Validated, Verified,
};
use jury_core::content::{
    ContentEvent, ContentSeat, ContentState, ContentStatus, EditorDecision, Form, How, PanelSelection,
    PipelineProgress, Quality, Recipe, Step, Tool, Writer,
};
use jury_core::evidence::EvidenceMode;
use jury_core::outcome::FailedCause;
use jury_core::run::OutcomeWord as _;
use jury_core::severity::Severity;
use jury_core::unit::{Bytes, Round};
use proptest::prelude::*;

use super::rule::{critique, issue, seats};

fn recipe(max: u32) -> Recipe {
    Recipe {
        content_type: "website".parse().unwrap(),
        form: Form::Page,
        author_advisor: "copywriter".parse().unwrap(),
        author_context_docs: vec![],
        author_framework: None,
        evaluation_needs: "positioning".to_owned(),
        evaluation_emphasis: None,
        named_critics: vec![],
        min_aggregate_score: 4.0,
        max_revision_rounds: max,
        publish: true,
    }
}

pub(super) fn started(max: u32, publish: bool) -> ContentEvent {
    ContentEvent::RunStarted(ContentStarted {
        idea_id: "acme".parse().unwrap(),
        recipe: recipe(max),
        author: "Copywriter".to_owned(),
        agent: None,
        docs: vec![],
        publish,
        evidence: Some(EvidenceMode::Gate),
        started_at: Timestamp::UNIX_EPOCH,
    })
}

fn blob(text: &str) -> Blob {
    Blob::of(text.as_bytes(), "text/markdown")
}

pub(super) fn drafted(round: u32, writer: Writer) -> ContentEvent {
    ContentEvent::Drafted(Drafted {
        round: Round(round),
        draft: blob(&format!("draft {round}")),
        writer,
        words: 2,
        remarks: vec![],
        usage: None,
    })
}

pub(super) fn selected(names: &[&str]) -> ContentEvent {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let seats: Vec<ContentSeat> = seats(&names);
    ContentEvent::PanelSelected(PanelSelection { seats, how: How::Vote, warnings: vec![] })
}

/// A run that is lived through: what is appended and what it makes of it.
#[derive(Default)]
pub(super) struct Life {
    log: Vec<ContentEvent>,
    pub(super) state: ContentState,
}

impl Life {
    pub(super) fn add(&mut self, event: ContentEvent) {
        self.state.apply(&event);
        self.log.push(event);
    }

    pub(super) fn begin(max: u32, publish: bool, panel: &[&str]) -> Self {
        let mut life = Self::default();
        life.add(started(max, publish));
        life.add(drafted(1, Writer::Model));
        life.add(selected(panel));
        life
    }

    /// A round in which these critics say so much, with these issues.
    pub(super) fn round(&mut self, scores: &[(&str, f64)], issues: &[&str]) -> EditorDecision {
        let Step::Critique { round, missing } = self.state.next() else {
            panic!("{:?}", self.state.next());
        };
        for who in missing {
            let Some((_, score)) = scores.iter().find(|(name, _)| *name == who.as_str()) else {
                self.add(absent(round, who.as_str()));
                continue;
            };
            let own = issues.iter().map(|line| issue(line)).filter(|(by, _)| by == who.as_str());
            let critique = critique(who.as_str(), *score, own.map(|(_, issue)| issue).collect());
            self.add(ContentEvent::Critiqued(Critiqued { round, critique }));
        }
        self.decide()
    }

    pub(super) fn decide(&mut self) -> EditorDecision {
        if let Step::Measure(round) = self.state.next() {
            self.add(measured(round, EvidenceMode::Gate, &[]));
        }
        let Step::Decide(round) = self.state.next() else { panic!("{:?}", self.state.next()) };
        let decided = self.state.decide(round).unwrap();
        let decision = decided.ruling.decision;
        self.add(ContentEvent::Decided(decided));
        if decision == EditorDecision::Error {
            self.add(halted(Tool::RunCritiques));
        } else {
            let summary = self.state.summarise(round).unwrap();
            self.add(ContentEvent::Summarised(Summarised { summary }));
        }
        decision
    }

    pub(super) fn revise(&mut self) {
        let Step::Revise(round) = self.state.next() else { panic!("{:?}", self.state.next()) };
        let next = round.next();
        self.add(revised(next, &format!("draft {}", next.0)));
    }

    pub(super) fn save(&mut self) -> (Round, Quality) {
        let saved = self.state.save().unwrap_or_else(|| panic!("{:?}", self.state.next()));
        let what = (saved.round, saved.quality);
        self.add(ContentEvent::Saved(saved));
        what
    }

    pub(super) fn finish(&mut self) -> ContentStatus {
        let finished = self.state.finish().unwrap_or_else(|| panic!("{:?}", self.state.next()));
        self.add(ContentEvent::Finished(finished));
        self.state.status()
    }
}

fn revised(round: Round, text: &str) -> ContentEvent {
    ContentEvent::Revised(Revised {
        round,
        draft: blob(text),
        writer: Writer::Model,
        words: 2,
        done: vec![],
        brought: vec![text.to_owned()],
        lost: vec![],
        usage: None,
    })
}

pub(super) fn measured(round: Round, mode: EvidenceMode, issues: &[&str]) -> ContentEvent {
    let issues = issues.iter().map(|line| issue(&format!("measured {line}")).1).collect();
    ContentEvent::Measured(ContentMeasured { round, mode, issues })
}

fn absent(round: Round, who: &str) -> ContentEvent {
    ContentEvent::CriticAbsent(CriticAbsent {
        round,
        advisor_id: who.parse().unwrap(),
        attempts: 3,
        cause: FailedCause::AgentError,
        detail: "overloaded".to_owned(),
    })
}

fn halted(tool: Tool) -> ContentEvent {
    ContentEvent::Halted(Halted { tool, cause: FailedCause::AgentError, detail: "broke".to_owned() })
}

fn resumed() -> ContentEvent {
    ContentEvent::Resumed(Resumed { tool: None })
}

#[test]
fn one_round_is_enough_when_it_is_good() {
    let mut life = Life::begin(3, false, &["a", "b"]);
    assert_eq!(life.round(&[("a", 8.0), ("b", 7.0)], &[]), EditorDecision::Approve);
    assert_eq!(life.save(), (Round(1), Quality::Approved));
    assert_eq!(life.finish(), ContentStatus::Approved);
    assert_eq!(life.state.next(), Step::Done);
}

#[test]
fn what_falls_is_stopped_and_the_best_draft_is_kept() {
    let mut life = Life::begin(3, false, &["a", "b"]);
    life.round(&[("a", 3.0), ("b", 3.5)], &["a medium vague"]);
    life.revise();
    assert_eq!(life.round(&[("a", 2.0), ("b", 2.0)], &["a medium vague"]), EditorDecision::Stop);
    assert_eq!(life.save(), (Round(1), Quality::Stalled));
    assert_eq!(life.finish(), ContentStatus::Stalled);
}

#[test]
fn a_round_with_a_high_is_not_the_best_whatever_its_mean() {
    let mut life = Life::begin(3, false, &["a", "b"]);
    life.round(&[("a", 9.0), ("b", 9.0)], &["a high invented figures"]);
    life.revise();
    assert_eq!(life.round(&[("a", 7.0), ("b", 7.0)], &[]), EditorDecision::Stop);
    // The second has nothing high and reaches the minimum: it met the rule itself.
    assert_eq!(life.save(), (Round(2), Quality::Approved));
}

#[test]
fn at_the_cap_it_is_over_and_says_so() {
    let mut life = Life::begin(2, true, &["a"]);
    life.round(&[("a", 5.0)], &["a high invented figures"]);
    life.revise();
    life.round(&[("a", 6.0)], &["a high invented figures"]);
    assert_eq!(life.save(), (Round(2), Quality::MaxRoundsReached));
    assert_eq!(life.finish(), ContentStatus::MaxRoundsReached, "and nothing of it is published");
}

#[test]
fn a_panel_of_nobody_is_kept_and_never_called_reviewed() {
    let mut life = Life::begin(3, true, &[]);
    assert_eq!(life.save(), (Round(1), Quality::Approved));
    assert_eq!(life.finish(), ContentStatus::Unreviewed);
    assert_eq!(life.state.status().exit_code(), 3);
}

#[test]
fn critics_that_all_fail_halt_the_run_and_are_asked_again_when_it_is_taken_up() {
    let mut life = Life::begin(3, false, &["a", "b"]);
    life.round(&[("a", 3.0), ("b", 3.0)], &["a medium vague"]);
    life.revise();
    assert_eq!(life.round(&[], &[]), EditorDecision::Error);
    assert_eq!(life.state.status(), ContentStatus::Halted);
    assert_eq!(life.state.next(), Step::AwaitResume);
    life.add(resumed());
    assert!(matches!(life.state.next(), Step::Critique { missing, .. } if missing.len() == 2));
    assert_eq!(life.round(&[("a", 8.0), ("b", 8.0)], &[]), EditorDecision::Approve);
}

#[test]
fn who_answered_before_a_pause_is_not_asked_again() {
    let mut life = Life::begin(3, false, &["a", "b"]);
    let begun = ContentCriticStarted { round: Round(1), advisor_id: "a".parse().unwrap(), attempt: 1 };
    life.add(ContentEvent::CriticStarted(begun));
    let said = Critiqued { round: Round(1), critique: critique("a", 8.0, vec![]) };
    life.add(ContentEvent::Critiqued(said));
    life.add(ContentEvent::Paused(Paused { reason: PauseReason::Restart }));
    assert_eq!(life.state.next(), Step::AwaitResume);
    life.add(resumed());
    let missing = vec!["b".parse().unwrap()];
    assert_eq!(life.state.next(), Step::Critique { round: Round(1), missing });
}

#[test]
fn what_was_said_before_a_stop_stays_open_while_its_critic_is_silent() {
    let mut life = Life::begin(3, false, &["a", "b", "c"]);
    let (_, grave) = issue("a high invented figures");
    let said = Critiqued { round: Round(1), critique: critique("a", 3.0, vec![grave]) };
    life.add(ContentEvent::Critiqued(said));
    life.add(ContentEvent::Paused(Paused { reason: PauseReason::Asked }));
    life.add(drafted(2, Writer::Person));
    // Two of three are a quorum, and the one who raised it does not look again.
    assert_eq!(life.round(&[("b", 9.0), ("c", 9.0)], &[]), EditorDecision::Revise);
    let open = &life.state.round(Round(2)).unwrap().open;
    assert_eq!(open.iter().map(|open| open.since.0).collect::<Vec<_>>(), [1]);
    assert!(life.state.round(Round(2)).unwrap().summary.as_ref().unwrap().fixed_items.is_empty());
    // Who looks again and does not raise it has closed it.
    life.revise();
    assert_eq!(life.round(&[("a", 9.0), ("b", 9.0), ("c", 9.0)], &[]), EditorDecision::Approve);
}

#[test]
fn a_persons_draft_goes_to_the_same_critics_and_has_the_rounds_again() {
    let mut life = Life::begin(2, false, &["a"]);
    life.round(&[("a", 9.0)], &["a high invented figures"]);
    let brief = life.state.round(Round(1)).unwrap().summary.clone().unwrap().brief;
    life.add(ContentEvent::NeedsHuman(NeedsHuman { round: Round(1), reason: "no".to_owned(), brief }));
    assert_eq!(life.state.next(), Step::AwaitPerson);
    assert_eq!(life.state.status().exit_code(), 4);
    life.add(drafted(2, Writer::Person));
    assert!(matches!(life.state.next(), Step::Critique { round: Round(2), .. }));
    // Lower than the round before, and by itself good enough.
    assert_eq!(life.round(&[("a", 6.0)], &[]), EditorDecision::Approve);
    let summary = life.state.round(Round(2)).unwrap().summary.clone().unwrap();
    assert_eq!(summary.fixed_items.len(), 1, "what was mended is remembered");
}

#[test]
fn what_was_mended_and_comes_back_is_named_and_not_protected_any_more() {
    let mut life = Life::begin(4, false, &["a"]);
    life.round(&[("a", 3.0)], &["a high invented figures", "a medium vague"]);
    life.revise();
    life.round(&[("a", 3.0)], &["a medium vague"]);
    assert_eq!(life.state.round(Round(2)).unwrap().summary.as_ref().unwrap().fixed_items.len(), 1);
    assert_eq!(life.state.protected(Round(2), "draft 2").len(), 1, "what mended it is protected");
    life.revise();
    life.round(&[("a", 3.0)], &["a high invented figures", "a medium vague"]);
    let summary = life.state.round(Round(3)).unwrap().summary.as_ref().unwrap();
    assert!(summary.fixed_items.is_empty());
    assert_eq!(summary.regressed.len(), 1);
}

#[test]
fn the_list_of_what_was_mended_grows_from_round_to_round() {
    let mut life = Life::begin(4, false, &["a"]);
    life.round(&[("a", 3.0)], &["a high invented figures", "a high wrong category", "a medium vague"]);
    life.revise();
    life.round(&[("a", 3.0)], &["a high wrong category", "a medium vague"]);
    life.revise();
    life.round(&[("a", 3.0)], &["a medium vague"]);
    let summary = life.state.round(Round(3)).unwrap().summary.as_ref().unwrap();
    let mended: Vec<_> =
        summary.fixed_items.iter().map(|item| (item.description.as_str(), item.round.0)).collect();
    assert_eq!(mended, [("invented figures", 2), ("wrong category", 3)]);
    assert!(summary.brief.contains("Mended in round 2: invented figures"));
}

#[test]
fn the_second_phase_goes_step_by_step_and_only_then_it_is_done() {
    let mut life = Life::begin(3, true, &["a"]);
    life.round(&[("a", 9.0)], &[]);
    life.save();
    for (tool, event) in site() {
        assert_eq!(life.state.next(), Step::Publish(tool));
        assert!(life.state.finish().is_none());
        // A step that breaks is taken up where it was.
        life.add(halted(tool));
        assert_eq!(life.state.status().exit_code(), 3);
        life.add(resumed());
        assert_eq!(life.state.next(), Step::Publish(tool));
        life.add(event);
    }
    assert_eq!(life.finish(), ContentStatus::Approved);
    assert_eq!(life.state.finished.as_ref().unwrap().url.as_deref(), Some("/s/acme/"));
}

fn site() -> Vec<(Tool, ContentEvent)> {
    use jury_core::content::brand::{Colors, SiteBrand, Theme, Typography};
    let hex = || "#000000".to_owned();
    let brand = SiteBrand {
        theme: Theme::Light,
        colors: Colors {
            primary: hex(),
            primary_light: hex(),
            background: hex(),
            background_elevated: hex(),
            text_primary: hex(),
            text_secondary: hex(),
            text_muted: hex(),
            accent: hex(),
            border: hex(),
        },
        typography: Typography { heading_font: hex(), body_font: hex(), mono_font: hex() },
        radius: 4,
    };
    let sha256 = jury_core::artifact::Digest::of(b"");
    vec![
        (Tool::DesignBrand, ContentEvent::Branded(Branded { brand, notes: vec![] })),
        (
            Tool::AssembleSiteFiles,
            ContentEvent::Assembled(Assembled {
                sha256,
                files: 3,
                bytes: Bytes(10),
                base_url: String::new(),
                posts: Vec::new(),
                left_out: Vec::new(),
            }),
        ),
        (Tool::ValidateCode, ContentEvent::Validated(Validated { sentences: 4, warnings: vec![] })),
        (Tool::CreateRepo, ContentEvent::RepoCreated(RepoCreated { site: "acme".to_owned(), created: true })),
        (
            Tool::PushFiles,
            ContentEvent::Pushed(Pushed { commit: "c0ffee".to_owned(), changed: 3, remote: None }),
        ),
        (
            Tool::Deploy,
            ContentEvent::Deployed(Deployed {
                site: "acme".to_owned(),
                release: "r1".to_owned(),
                previous: None,
                url: "/s/acme/".to_owned(),
            }),
        ),
        (Tool::Verify, ContentEvent::Verified(Verified { fetched: 3 })),
    ]
}

/// What may happen at a step.
#[derive(Debug, Clone)]
enum Luck {
    Fine(Vec<(bool, f64, Vec<u8>)>),
    Broken,
    Paused,
    Person,
    Abandoned,
}

fn luck() -> impl Strategy<Value = Luck> {
    let critics = prop::collection::vec(
        (prop::bool::weighted(0.85), 1.0..10.0f64, prop::collection::vec(0..3u8, 0..3)),
        3,
    );
    prop_oneof![
        20 => critics.prop_map(Luck::Fine),
        1 => Just(Luck::Broken),
        1 => Just(Luck::Paused),
        1 => Just(Luck::Person),
        1 => Just(Luck::Abandoned),
    ]
}

/// Does the next step as luck has it.
fn live(life: &mut Life, luck: &Luck, max_persons: &mut u32) {
    let step = life.state.next();
    match (luck, &step) {
        (Luck::Abandoned, step) if *step != Step::Done => {
            life.add(ContentEvent::Abandoned(Abandoned { reason: String::new() }));
            return;
        }
        (Luck::Paused, Step::Critique { .. } | Step::Revise(_) | Step::Publish(_)) => {
            life.add(ContentEvent::Paused(Paused { reason: PauseReason::Asked }));
            return;
        }
        (Luck::Broken, step) => {
            if let Some(tool) = step.tool() {
                life.add(halted(tool));
                return;
            }
        }
        _ => {}
    }
    let scores = if let Luck::Fine(scores) = luck { scores.clone() } else { vec![(true, 8.0, vec![]); 3] };
    match step {
        Step::Begin => life.add(started(3, true)),
        Step::Draft => life.add(drafted(1, Writer::Template)),
        Step::Select => life.add(selected(&["a!", "b", "c"])),
        Step::Critique { round, missing } => {
            for who in missing {
                let index = ["a", "b", "c"].iter().position(|name| *name == who.as_str()).unwrap();
                let (answers, score, issues) = scores[index].clone();
                if !answers {
                    life.add(absent(round, who.as_str()));
                    continue;
                }
                let issues = issues
                    .iter()
                    .map(|number| {
                        let severity = ["low", "medium", "high"][usize::from(*number)];
                        issue(&format!("{who} {severity} matter number {number} of {who}")).1
                    })
                    .collect();
                let critique = critique(who.as_str(), score, issues);
                life.add(ContentEvent::Critiqued(Critiqued { round, critique }));
            }
        }
        Step::Measure(round) => {
            let grave: &[&str] = if scores[0].1 < 2.0 { &["high an invented figure"] } else { &[] };
            life.add(measured(round, EvidenceMode::Gate, grave));
        }
        Step::Decide(_) => drop(life.decide()),
        Step::Summarise(round) => {
            let summary = life.state.summarise(round).unwrap();
            life.add(ContentEvent::Summarised(Summarised { summary }));
        }
        Step::Revise(round) => {
            if matches!(luck, Luck::Person) {
                let brief = String::new();
                let needs = NeedsHuman { round, reason: "nothing safe to do".to_owned(), brief };
                life.add(ContentEvent::NeedsHuman(needs));
            } else {
                life.add(revised(round.next(), &format!("text {}", life.log.len())));
            }
        }
        Step::Save { .. } => drop(life.save()),
        Step::Publish(tool) => {
            let event = site().into_iter().find(|(known, _)| *known == tool).unwrap().1;
            life.add(event);
        }
        Step::Finish => drop(life.finish()),
        Step::AwaitPerson => {
            if *max_persons == 0 {
                life.add(ContentEvent::Abandoned(Abandoned { reason: String::new() }));
                return;
            }
            *max_persons -= 1;
            let next = life.state.rounds.last().unwrap().round.next();
            life.add(drafted(next.0, Writer::Person));
        }
        Step::AwaitResume => life.add(resumed()),
        Step::Done => {}
    }
}

proptest! {
    #[test]
    fn every_run_ends_and_its_log_is_its_state(lucks in prop::collection::vec(luck(), 0..120)) {
        let mut life = Life::default();
        let mut persons = 3;
        for luck in &lucks {
            live(&mut life, luck, &mut persons);
            // Living through it and replaying the log are the same, also through its written form.
            prop_assert_eq!(&ContentState::of(&life.log), &life.state);
        }
        let fine = Luck::Fine(vec![(true, 8.0, vec![]); 3]);
        for _ in 0..80 {
            live(&mut life, &fine, &mut persons);
        }
        prop_assert_eq!(life.state.next(), Step::Done, "{:?}", life.log.last());
        let written: Vec<ContentEvent> = life
            .log
            .iter()
            .map(|event| serde_json::from_str(&serde_json::to_string(event).unwrap()).unwrap())
            .collect();
        prop_assert_eq!(&ContentState::of(&written), &life.state);
        let ends = life.log.iter().filter(|event| event.terminal().is_some()).count();
        prop_assert_eq!(ends, 1);
        prop_assert!(life.log.last().unwrap().terminal().is_some());
        let rounds: Vec<u32> = life.state.rounds.iter().map(|round| round.round.0).collect();
        prop_assert_eq!(&rounds, &(1..=u32::try_from(rounds.len()).unwrap()).collect::<Vec<_>>());
        if let Some(saved) = &life.state.saved
            && saved.quality == Quality::Approved
        {
            let round = life.state.round(saved.round).unwrap();
            prop_assert!(round.ruling.as_ref().unwrap().meets(4.0));
            prop_assert!(round.open.iter().all(|open| open.issue.severity != Severity::Serious));
            prop_assert!(round.critiques.contains_key(&"a".parse().unwrap()), "the named critic was there");
            prop_assert!(round.critiques.len() >= 2);
            let measured = round.measured.as_ref().unwrap();
            prop_assert!(measured.issues.is_empty(), "what was measured to fail is not approved");
        }
        if let Some(progress) = PipelineProgress::of(&life.state) {
            let written = serde_json::to_string(&progress).unwrap();
            let again: PipelineProgress = serde_json::from_str(&written).unwrap();
            prop_assert_eq!(again.round as usize, life.state.rounds.len());
        }
        // What was called mended is not open at the same time.
        for round in &life.state.rounds {
            let Some(summary) = &round.summary else { continue };
            let open: BTreeSet<_> = round.open.iter().map(|open| &open.issue.id).collect();
            prop_assert!(summary.fixed_items.iter().all(|item| !open.contains(&item.id)));
        }
    }
}
