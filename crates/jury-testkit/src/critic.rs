//! Random runs of the critic: a world that answers every effect, by chance and always the same for one seed.
//!
//! What happens depends on the seed, the pass and the criterion, and never on the order in which things are asked, so
//! that two runs which differ in that order alone can be compared.

use std::collections::{BTreeMap, VecDeque};

use jiff::{SignedDuration, Timestamp};
use jury_core::artifact::Blob;
use jury_core::critic::{
    Adversary, Answer, Check, CheckResult, Choice, Command, CriteriaSet, Criterion, CriterionId,
    CriterionVerdict, Critic, CriticAnswer, CriticAsk, CriticEffect, CriticEvent, CriticInput, CriticLimits,
    CriticOutput, CriticSetup, DefaultAnswer, Deferral, DocumentMeasurement, FixOrder, FixReport, Fixer,
    Measure, Needs, Raised, Said, Scenario, Spot, document_change,
};
use jury_core::finding::FindingId;
use jury_core::id::{AgentId, ArtifactId, ProjectId};
use jury_core::outcome::FailedCause;
use jury_core::severity::Severity;
use jury_core::unit::Millis;

use crate::random::TestRandom;

/// The most inputs that a run may take before it counts as endless.
pub const MOST_STEPS: usize = 4000;

/// The steps in which something may come from outside.
const MOST_MISFORTUNES: usize = 500;

/// A world for one run.
#[derive(Debug, Clone)]
pub struct World {
    seed: u64,
    /// Of a hundred answers, how many are good ones. It rises from pass to pass.
    health: usize,
    /// How often things happen that end a run: a hundred means never.
    calm: usize,
    pass: u32,
    /// Every version of the document so far.
    documents: Vec<String>,
}

/// What became of a run.
#[derive(Debug)]
pub struct Life {
    /// Everything that the machine wanted, in order.
    pub out: Vec<CriticOutput>,
    /// The machine at the end.
    pub critic: Critic,
    /// How many inputs it took.
    pub steps: usize,
}

impl Life {
    /// The events of the log.
    pub fn events(&self) -> impl DoubleEndedIterator<Item = &CriticEvent> {
        self.out.iter().filter_map(|output| match output {
            CriticOutput::Event(event) => Some(event),
            CriticOutput::Effect(_) => None,
        })
    }
}

/// Random criteria and surroundings.
pub fn setup(seed: u64) -> CriticSetup {
    let mut random = TestRandom::new(seed);
    let count = 1 + random.below(5);
    let criteria: Vec<Criterion> = (0..count).map(|index| criterion(index, &mut random)).collect();
    let adversary = Adversary {
        question: String::new(),
        check: (random.below(5) == 0).then(|| check(&mut random, false)),
    };
    let fixer = [Fixer::Agent, Fixer::Agent, Fixer::Agent, Fixer::Commands, Fixer::Nobody][random.below(5)];
    let started_at = Timestamp::UNIX_EPOCH;
    let deferrals = criteria
        .iter()
        .filter(|_| random.below(6) == 0)
        .map(|own| Deferral {
            criterion: own.id.clone(),
            finding: FindingId::of(own.id.as_str(), "deferred"),
            also: Vec::new(),
            reason: "it was too early".to_owned(),
            author: "kim".to_owned(),
            by_person: own.weight > 1.0,
            until: started_at + SignedDuration::from_secs(if own.weight > 2.0 { -1 } else { 86_400 }),
            release: None,
        })
        .collect();
    let cap = 1 + u32::try_from(random.below(6)).unwrap_or(0);
    CriticSetup {
        project: ProjectId::default_project(),
        artifact: "00000000-0000-0000-0000-000000000000"
            .parse::<ArtifactId>()
            .unwrap_or_else(|_| unreachable!("it is a UUID")),
        agent: (random.below(12) != 0).then(AgentId::house),
        fixer,
        set: CriteriaSet { name: "random".to_owned(), title: "Random".to_owned(), cap, adversary, criteria },
        document: Blob::of(FIRST.as_bytes(), "text/markdown"),
        auto: random.below(3) == 0,
        release: None,
        deferrals,
        started_at,
        limits: CriticLimits {
            retries: u32::try_from(random.below(3)).unwrap_or(1),
            ..CriticLimits::default()
        },
    }
}

const FIRST: &str = "# Plan\n\nIt begins.\n\n# Steps\n";

fn criterion(index: usize, random: &mut TestRandom) -> Criterion {
    let measured = random.below(3);
    let check = (measured == 1).then(|| check(random, true));
    let measure = (measured == 2).then(|| Measure::ALL[random.below(Measure::ALL.len())]);
    let id: CriterionId = format!("C{index}").parse().unwrap_or_else(|_| CriterionId::adversarial());
    let with_opinion = random.below(2) == 0;
    Criterion {
        question: format!("Is {id} as it should be?"),
        id,
        weight: [1.0, 2.0, 3.0][random.below(3)],
        severity: [Severity::Serious, Severity::Moderate, Severity::Minor][random.below(3)],
        needs: if measured == 0 || with_opinion { Needs::Opinion } else { Needs::Measure },
        check,
        measure,
        bounds: BTreeMap::new(),
        fix: (random.below(3) == 0).then(|| Command::Argv(vec!["mend".to_owned()])),
        escalate_when: Vec::new(),
        default_answer: [None, None, Some(DefaultAnswer::Skip), Some(DefaultAnswer::Option(1))]
            [random.below(4)],
    }
}

fn check(random: &mut TestRandom, with_figures: bool) -> Check {
    let mut figures = BTreeMap::new();
    if with_figures && random.below(2) == 0 {
        figures.insert("covered".to_owned(), "covered {}%".to_owned());
    }
    Check { command: Command::Shell("make check".to_owned()), figures, exit: vec![0], timeout_seconds: None }
}

/// Lives through a random run.
pub fn live(setup: CriticSetup, seed: u64) -> Life {
    World::new(seed).live(Critic::new(setup))
}

impl World {
    /// The world of this seed.
    pub fn new(seed: u64) -> Self {
        let mut random = TestRandom::new(seed);
        Self {
            seed,
            health: 30 + random.below(70),
            calm: [100, 100, 97, 90][random.below(4)],
            pass: 0,
            documents: vec![FIRST.to_owned()],
        }
    }

    /// Lives a run to its end, or for as long as it may take. A run that waits for a person is taken up again from
    /// its log now and then, as after a restart.
    pub fn live(&mut self, mut critic: Critic) -> Life {
        let mut out = Vec::new();
        let mut now = Millis(0);
        let mut steps = 1;
        critic.handle(CriticInput::Start, now, &mut out);
        let mut read = 0;
        let mut waiting: VecDeque<CriticEffect> = VecDeque::new();
        while !critic.has_ended() && steps < MOST_STEPS {
            for output in out.iter().skip(read) {
                match output {
                    CriticOutput::Effect(CriticEffect::Stop) => waiting.clear(),
                    CriticOutput::Effect(effect) => waiting.push_back(effect.clone()),
                    CriticOutput::Event(CriticEvent::PassStarted(started)) => self.pass = started.pass.0,
                    CriticOutput::Event(_) => {}
                }
            }
            read = out.len();
            steps += 1;
            now = now.after(Millis(self.chance("time", 20_000)));
            if let Some(input) = self.misfortune(steps) {
                now = now.after(Millis(if input == CriticInput::Deadline { 10 * 60_000 } else { 0 }));
                critic.handle(input, now, &mut out);
                continue;
            }
            if let Some(effect) = waiting.pop_front() {
                let input = self.answer(effect);
                critic.handle(input, now, &mut out);
            } else if critic.is_waiting() {
                if self.chance("restart", 2) == 0 {
                    let events: Vec<CriticEvent> = out
                        .iter()
                        .filter_map(|output| match output {
                            CriticOutput::Event(event) => Some(event.clone()),
                            CriticOutput::Effect(_) => None,
                        })
                        .collect();
                    let state = jury_core::critic::CriticState::of(&events);
                    if let Some(again) = Critic::resume(state, CriticLimits::default()) {
                        critic = again;
                    }
                }
                self.decide(&mut critic, now, &mut out);
            } else {
                break;
            }
        }
        Life { out, critic, steps }
    }

    /// A number below the bound that depends on the seed, the pass and the key alone.
    fn chance(&self, key: &str, bound: u64) -> u64 {
        let mut bytes = self.seed.to_le_bytes().to_vec();
        bytes.extend(self.pass.to_le_bytes());
        bytes.extend(key.as_bytes());
        TestRandom::of(&bytes).number() % bound.max(1)
    }

    fn pick(&self, key: &str, bound: usize) -> usize {
        usize::try_from(self.chance(key, bound as u64)).unwrap_or(0)
    }

    fn is_good(&self, key: &str) -> bool {
        self.pick(key, 100) < self.health + 8 * usize::try_from(self.pass).unwrap_or(0)
    }

    /// What comes from outside, or when nobody asked for it.
    fn misfortune(&self, steps: usize) -> Option<CriticInput> {
        let key = format!("misfortune {}", steps % 7);
        // A run in which it strikes at every step would not be an endless loop, only an endless misfortune.
        if steps > MOST_MISFORTUNES || self.pick(&key, 100) < self.calm {
            return None;
        }
        let inputs = [
            CriticInput::Interrupt,
            CriticInput::Broken("the disk is full".to_owned()),
            CriticInput::Deadline,
            CriticInput::Start,
            CriticInput::Reviewed(CriticAnswer::default()),
            CriticInput::FixFailed("nobody asked".to_owned()),
            CriticInput::Answered { question: 1, answer: Answer::Option(9), by: "kim".to_owned() },
        ];
        inputs.get(self.pick("which", inputs.len())).cloned()
    }

    fn answer(&mut self, effect: CriticEffect) -> CriticInput {
        match effect {
            CriticEffect::RunCheck { criterion, .. } => {
                let key = format!("check {criterion}");
                let result = match (self.is_good(&key), self.pick(&key, 3)) {
                    (true, _) => CheckResult::Ran { exit: 0, output: b"covered 91%\n".to_vec() },
                    (false, 0) => CheckResult::NotRun("no such program".to_owned()),
                    (false, 1) => CheckResult::Ran { exit: 0, output: b"\x1b[31mnothing\n".to_vec() },
                    (false, _) => CheckResult::Ran { exit: 1, output: b"covered 12%\n".to_vec() },
                };
                CriticInput::Checked { criterion, result }
            }
            CriticEffect::Measure { criterion, .. } => {
                let key = format!("measure {criterion}");
                let result = if self.is_good(&key) {
                    Ok(DocumentMeasurement { checked: 7, ..DocumentMeasurement::default() })
                } else if self.pick(&key, 4) == 0 {
                    Err("not a document".to_owned())
                } else {
                    let places = vec![Spot { line: Some(3), text: "a link leads nowhere".to_owned() }];
                    Ok(DocumentMeasurement {
                        checked: 7,
                        affected: 1,
                        places,
                        ..DocumentMeasurement::default()
                    })
                };
                CriticInput::Measured { criterion, result }
            }
            CriticEffect::AskCritic(ask) => self.review(&ask),
            CriticEffect::Fix(orders) => self.fix(&orders),
            CriticEffect::Stop => CriticInput::Deadline,
        }
    }

    fn review(&self, ask: &CriticAsk) -> CriticInput {
        let key = format!("review {}", ask.attempt);
        if !self.is_good(&key) && self.pick(&key, 3) == 0 {
            let cause = [FailedCause::AgentError, FailedCause::BudgetExceeded][self.pick(&key, 2)];
            return CriticInput::CriticFailed { cause, detail: "it gave up".to_owned() };
        }
        let mut reading = CriticAnswer::default();
        for index in 0..6 {
            let key = format!("verdict C{index} {}", ask.attempt);
            let Ok(criterion) = format!("C{index}").parse::<CriterionId>() else { continue };
            self.say(&key, &criterion, &mut reading);
        }
        let key = format!("scenario {}", ask.attempt);
        let realistic = if self.is_good(&key) { Some(false) } else { [Some(true), None][self.pick(&key, 2)] };
        if self.pick("no scenario", 20) > 0 {
            reading.scenario = Some(Scenario {
                line: 1,
                scenario: "the queue is full".to_owned(),
                realistic,
                rationale: "0 of 3 sources are that fast".to_owned(),
            });
        }
        CriticInput::Reviewed(reading)
    }

    fn say(&self, key: &str, criterion: &CriterionId, reading: &mut CriticAnswer) {
        let said = |verdict, answer: &str, detail: &str| Said {
            line: 1,
            criterion: criterion.clone(),
            question: String::new(),
            answer: answer.to_owned(),
            verdict,
            detail: detail.to_owned(),
            concerns: Vec::new(),
        };
        if self.is_good(key) {
            let mut said = said(Some(CriterionVerdict::Pass), "9 of 9 checked", "");
            if self.pick(&format!("{key} concern"), 12) == 0 {
                said.concerns.push(format!("the word `step{}` is odd", ["s", "d"][self.pick(key, 2)]));
            }
            reading.verdicts.push(said);
            return;
        }
        let number = self.pick(&format!("{key} bad"), 10);
        let bad = match number {
            0 => return,
            1 => said(None, "who knows", ""),
            2 => said(Some(CriterionVerdict::Pass), "", ""),
            3 => said(Some(CriterionVerdict::Pass), "all good", ""),
            4 => said(Some(CriterionVerdict::Defer), "not now", ""),
            5 => said(Some(CriterionVerdict::Defer), "1 of 9 waits", "it needs the next release"),
            6 | 7 => said(Some(CriterionVerdict::Escalate), "there are two ways", ""),
            _ => said(
                Some(CriterionVerdict::Fail),
                "1 of 9 is wrong",
                ["mend `alpha`", "mend `beta`"][number - 8],
            ),
        };
        if bad.verdict == Some(CriterionVerdict::Escalate) && number == 6 {
            let choice = |label: &str| Choice {
                label: label.to_owned(),
                description: "so be it".to_owned(),
                pro: "fast".to_owned(),
                con: "dear".to_owned(),
            };
            let options = [vec![choice("A")], vec![choice("A"), choice("B")]];
            reading.escalations.push(Raised {
                line: 1,
                number: None,
                criterion: criterion.clone(),
                question: format!("Which way for {}?", ["one", "two", "three"][self.pick(key, 3)]),
                issue: "Two ways lead there.".to_owned(),
                why: "It is a matter of taste.".to_owned(),
                trigger: ["", "judgement", "because"][self.pick(key, 3)].to_owned(),
                options: options[self.pick(key, 2)].clone(),
            });
        }
        reading.verdicts.push(bad);
    }

    fn fix(&mut self, orders: &[FixOrder]) -> CriticInput {
        if !self.is_good("fix") && self.pick("fix fails", 3) == 0 {
            return CriticInput::FixFailed("it cannot be written".to_owned());
        }
        let before = self.documents.last().cloned().unwrap_or_default();
        let more = format!("{before}\nStep {}.\n", self.documents.len());
        let after = match self.pick("fix", 12) {
            0 => before.clone(),
            1 => self.documents.first().cloned().unwrap_or_default(),
            // Back and forth, in a document that is otherwise new.
            2..5 if before.contains("It begins.") => more.replace("It begins.", "It starts."),
            2..5 => more.replace("It starts.", "It begins."),
            _ => more,
        };
        let changes = document_change::changes(&before, &after);
        self.documents.push(after.clone());
        CriticInput::Fixed(FixReport {
            document: Blob::of(after.as_bytes(), "text/markdown"),
            applied: orders.iter().map(|order| order.criterion.clone()).collect(),
            changes,
            summary: "done".to_owned(),
        })
    }

    fn decide(&self, critic: &mut Critic, now: Millis, out: &mut Vec<CriticOutput>) {
        let Some(question) = critic.state().open_questions().next().cloned() else { return };
        let key = format!("answer {}", question.criterion);
        let answer = match self.pick(&key, 4) {
            0 => Answer::Skip,
            1 => Answer::Text("do both".to_owned()),
            _ if question.options.is_empty() => Answer::Skip,
            _ => Answer::Option(1),
        };
        critic.handle(
            CriticInput::Answered { question: question.number, answer, by: "kim".to_owned() },
            now,
            out,
        );
    }
}
