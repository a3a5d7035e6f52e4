//! What holds for every loop, whatever the critic, the checks, the fixes, the clock and people do.

use std::collections::BTreeMap;

use jury_core::critic::format::{ViolationCode, check_transcript, write};
use jury_core::critic::{
    CriterionId, CriterionJudged, CriterionVerdict, Critic, CriticEvent, CriticLimits, CriticOutput,
    CriticState, CriticStatus, PassResult,
};
use jury_core::unit::Round;
use jury_testkit::critic::{Life, MOST_STEPS, World, live, setup};
use proptest::prelude::*;
use proptest::sample::Index;

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn lived(seed: u64) -> Life {
    let life = live(setup(seed), seed);
    assert!(life.steps < MOST_STEPS, "seed {seed} does not end");
    assert!(life.critic.has_ended(), "seed {seed} waits for nothing");
    life
}

/// In the world of this seed misfortune would strike at every step, and nobody would ever be answered.
#[test]
fn a_world_of_misfortunes_comes_to_rest() {
    lived(12_791_917_123_063_103_646);
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn every_loop_ends_once_and_keeps_its_promises(seed in any::<u64>()) {
        let life = lived(seed);
        let events: Vec<&CriticEvent> = life.events().collect();
        let ends = events.iter().filter(|event| event.terminal().is_some()).count();
        prop_assert_eq!(ends, 1, "one terminal event");
        prop_assert!(events.last().unwrap().terminal().is_some(), "and it is the last");
        follows_the_rules(&events);
        live_is_replay(&events, life.critic.state());
    }

    #[test]
    fn a_loop_that_is_cut_off_anywhere_goes_on_and_loses_no_pass(seed in any::<u64>(), cut in any::<Index>()) {
        let events: Vec<CriticEvent> = lived(seed).events().cloned().collect();
        let log = &events[..cut.index(events.len())];
        let before = CriticState::of(log);
        let Some(again) = Critic::resume(before.clone(), CriticLimits::default()) else {
            prop_assert!(before.started.is_none());
            return Ok(());
        };
        let life = World::new(seed).live(again);
        prop_assert!(life.critic.has_ended(), "seed {} waits for nothing", seed);
        let whole: Vec<&CriticEvent> = log.iter().chain(life.events()).collect();
        live_is_replay(&whole, life.critic.state());
        let after = life.critic.state();
        for paid in before.passes.iter().filter(|pass| pass.has_verdicts()) {
            let kept: Vec<_> = after.passes.iter().filter(|pass| pass.pass == paid.pass).collect();
            prop_assert_eq!(kept.len(), 1);
            prop_assert_eq!(&kept[0].verdicts, &paid.verdicts);
        }
        let numbers: Vec<Round> = after.passes.iter().map(|pass| pass.pass).collect();
        let expected: Vec<Round> = (1..=u32::try_from(numbers.len()).unwrap()).map(Round).collect();
        prop_assert_eq!(numbers, expected, "passes rise by one");
    }

    #[test]
    fn the_order_of_criteria_does_not_matter(seed in any::<u64>(), turn in 1_usize..5) {
        let mut turned = setup(seed);
        let count = turned.set.criteria.len();
        turned.set.criteria.rotate_left(turn % count);
        if turn % 2 == 0 {
            turned.set.criteria.reverse();
        }
        turned.deferrals.reverse();
        let (one, two) = (lived(seed), live(turned, seed));
        prop_assert_eq!(gist(&one), gist(&two));
    }

    #[test]
    fn what_is_written_of_any_loop_is_a_transcript_that_can_be_read(seed in any::<u64>()) {
        let life = lived(seed);
        let state = life.critic.state();
        let text = write(state);
        let read = jury_core::critic::format::parse(text.as_bytes());
        prop_assert_eq!(read.passes.len(), state.passes.len());
        for (read, pass) in read.passes.iter().zip(&state.passes) {
            let written: Vec<(&CriterionId, Option<CriterionVerdict>)> =
                pass.verdicts.iter().map(|judged| (&judged.criterion, judged.verdict)).collect();
            let again: Vec<_> = read.verdicts.iter().map(|said| (&said.criterion, said.verdict)).collect();
            prop_assert_eq!(again, written);
            prop_assert_eq!(read.result.as_ref(), pass.end.as_ref().map(|end| &end.result));
        }
        // What an earlier run put off is new to a reader of the text alone.
        let carried = !state.started.as_ref().unwrap().deferrals.is_empty();
        if state.status() == CriticStatus::Converged && !carried {
            // A pass on the way may have had a gap, and said so.
            let honest = [
                ViolationCode::MissingVerdict,
                ViolationCode::MissingAdversarial,
                ViolationCode::UndecidedAdversarial,
                ViolationCode::IncompleteQuestion,
            ];
            let mut violations = check_transcript(text.as_bytes());
            violations.retain(|violation| !honest.contains(&violation.code));
            prop_assert_eq!(violations, [], "{}", text);
        }
    }
}

#[test]
fn random_loops_meet_every_ending() {
    let mut endings: BTreeMap<String, u32> = BTreeMap::new();
    let mut kinds: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in 0..4000 {
        let life = lived(seed);
        for event in life.events() {
            *kinds.entry(event.kind()).or_default() += 1;
        }
        let last = life.events().next_back().unwrap();
        let end = if let CriticEvent::Stopped(stopped) = last {
            stopped.churn.map_or(stopped.reason.to_string(), |churn| churn.to_string())
        } else {
            last.kind().to_owned()
        };
        *endings.entry(end).or_default() += 1;
    }
    for end in [
        "critic.converged",
        "critic.safety_cap",
        "critic.inconclusive",
        "critic.interrupted",
        "critic.failed",
        "unfixable",
        "fix_failed",
        "document_unchanged",
        "document_seen_before",
        "place_back_and_forth",
    ] {
        assert!(endings.get(end).is_some_and(|count| *count > 3), "{end}: {endings:?}");
    }
    for kind in ["critic.reopened", "critic.rejected", "critic.absent", "critic.escalated", "critic.answered"]
    {
        assert!(kinds.get(kind).is_some_and(|count| *count > 20), "{kind}: {kinds:?}");
    }
}

/// Follows the log, event by event, with a rule of its own.
fn follows_the_rules(events: &[&CriticEvent]) {
    let mut pass = Round(0);
    let mut verdicts: Vec<&CriterionJudged> = Vec::new();
    let mut realistic = None;
    let mut fixed_in = Vec::new();
    let mut state = CriticState::default();
    let mut cap = u32::MAX;
    let mut waiting = 0_usize;
    for event in events {
        state.apply(event);
        match event {
            CriticEvent::RunStarted(started) => cap = started.cap,
            CriticEvent::PassStarted(started) => {
                assert_eq!(started.pass, pass.next(), "passes rise by one");
                assert!(started.pass.0 <= cap, "and stop at the cap");
                assert_eq!(waiting, 0, "nobody is passed over");
                pass = started.pass;
                (verdicts, realistic) = (Vec::new(), None);
            }
            CriticEvent::Evidence(evidence) => assert_eq!(evidence.pass, pass),
            CriticEvent::Verdict(judged) => {
                assert_eq!(judged.pass, pass);
                assert_eq!(judged.verdict.is_none(), judged.gap.is_some());
                assert_eq!(judged.verdict == Some(CriterionVerdict::Defer), judged.deferral.is_some());
                assert_eq!(judged.verdict == Some(CriterionVerdict::Escalate), judged.question.is_some());
                if let Some(deferral) = &judged.deferral {
                    assert!(!deferral.reason.is_empty() && !deferral.author.is_empty());
                }
                let failed = state.last_pass().unwrap().evidence.iter();
                let failed = failed.filter(|own| own.criterion == judged.criterion);
                if failed.clone().any(|own| own.passed == Some(false)) {
                    let by_person = judged.deferral.as_ref().is_some_and(|deferral| deferral.by_person);
                    assert!(
                        judged.verdict != Some(CriterionVerdict::Pass)
                            && (judged.deferral.is_none() || by_person)
                    );
                }
                if failed.clone().any(|own| own.passed.is_none()) {
                    assert_ne!(
                        judged.verdict,
                        Some(CriterionVerdict::Pass),
                        "what could not be measured has not passed"
                    );
                }
                verdicts.push(judged);
            }
            CriticEvent::Adversarial(said) => realistic = said.realistic,
            CriticEvent::Fixed(fixed) => {
                assert!(!fixed.applied.is_empty());
                fixed_in.push(fixed.pass);
            }
            CriticEvent::Escalated(escalated) => {
                assert!((1..=3).contains(&escalated.questions.len()));
                waiting += escalated.questions.len();
            }
            CriticEvent::Answered(_) => waiting -= 1,
            CriticEvent::PassEnded(end) => {
                assert_eq!(end.pass, pass);
                let fails = verdicts.iter().filter(|own| own.verdict == Some(CriterionVerdict::Fail)).count();
                if let PassResult::Continue { fixed: 0 } = end.result {
                    assert!(fails == 0 && end.new_findings > 0, "nothing is repeated to no purpose");
                }
            }
            CriticEvent::Converged(converged) => {
                assert!(verdicts.iter().all(|own| own.verdict.is_some_and(CriterionVerdict::is_clean)));
                assert_eq!(verdicts.len(), state.started.as_ref().unwrap().criteria.len());
                assert_eq!(realistic, Some(false), "the scenario cannot happen");
                assert_eq!(state.new_in(pass), 0, "nothing new was found");
                assert!(!fixed_in.contains(&pass), "the last pass changed nothing");
                assert_eq!((converged.tally.open, converged.tally.passes), (0, pass.0));
                assert_eq!(waiting, 0);
                for judged in &verdicts {
                    if judged.verdict == Some(CriterionVerdict::Pass) {
                        assert!(jury_core::critic::has_figure(&judged.answer), "{}", judged.answer);
                    }
                }
            }
            CriticEvent::SafetyCap(end) => assert_eq!(end.tally.passes, cap),
            CriticEvent::Queued(_)
            | CriticEvent::Reopened(_)
            | CriticEvent::Agent(_)
            | CriticEvent::Absent(_)
            | CriticEvent::Rejected(_)
            | CriticEvent::FixFailed(_)
            | CriticEvent::Stopped(_)
            | CriticEvent::Inconclusive(_)
            | CriticEvent::Interrupted(_)
            | CriticEvent::Failed(_) => {}
        }
    }
}

fn live_is_replay(events: &[&CriticEvent], lived: &CriticState) {
    assert_eq!(&CriticState::of(events.iter().copied()), lived, "a replay ends elsewhere");
    let reread: Vec<CriticEvent> = events
        .iter()
        .map(|event| {
            let line = serde_json::to_string(event).unwrap();
            assert!(!line.contains('\n'));
            let value: serde_json::Value = serde_json::from_str(&line).unwrap();
            assert_eq!(value["event"], event.kind());
            serde_json::from_str(&line).unwrap()
        })
        .collect();
    assert!(reread.iter().eq(events.iter().copied()), "an event does not come back as it was");
    let state = serde_json::to_string(lived).unwrap();
    assert_eq!(&serde_json::from_str::<CriticState>(&state).unwrap(), lived, "the docket does not come back");
}

/// What a run came to, with whatever has an order sorted.
fn gist(life: &Life) -> Vec<String> {
    let mut lines = Vec::new();
    let mut group: Vec<String> = Vec::new();
    for output in &life.out {
        match output {
            CriticOutput::Event(CriticEvent::Verdict(judged)) => group.push(format!("{judged:?}")),
            CriticOutput::Event(CriticEvent::RunStarted(_)) => lines.push("started".to_owned()),
            CriticOutput::Event(CriticEvent::Reopened(reopened)) => group.push(format!("{reopened:?}")),
            CriticOutput::Event(event) => {
                group.sort();
                lines.append(&mut group);
                lines.push(format!("{event:?}"));
            }
            CriticOutput::Effect(_) => {}
        }
    }
    lines
}
