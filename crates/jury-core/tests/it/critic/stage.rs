//! A stage for one run: what the critic says is text, and what comes of it is a list of lines.

use jiff::Timestamp;
use jury_core::artifact::Blob;
use jury_core::critic::criteria::CriteriaFile;
use jury_core::critic::{
    Answer, CheckResult, CriteriaSet, Critic, CriticEffect, CriticEvent, CriticInput, CriticLimits,
    CriticOutput, CriticSetup, CriticState, DocumentMeasurement, FixReport, Fixer, PassResult, Spot,
    document_change, format,
};
use jury_core::id::{AgentId, ArtifactId, ProjectId};
use jury_core::unit::Millis;

/// Reads a set as the program does.
pub(super) fn set(text: &str) -> CriteriaSet {
    let file: CriteriaFile = toml::from_str(text).expect("it is TOML");
    file.check(text).expect("it is a set")
}

/// Two criteria that take an opinion.
pub(super) const TWO: &str = r#"
name = "two"
cap = 4
[[criterion]]
id = "ALPHA"
question = "Is alpha right?"
severity = "high"
[[criterion]]
id = "BETA"
question = "Is beta right?"
"#;

pub(super) fn setup(criteria: &str) -> CriticSetup {
    CriticSetup {
        project: ProjectId::default_project(),
        artifact: "00000000-0000-0000-0000-000000000000".parse::<ArtifactId>().expect("an id"),
        agent: Some(AgentId::house()),
        fixer: Fixer::Agent,
        set: set(criteria),
        document: Blob::of(b"v0", "text/markdown"),
        auto: false,
        release: None,
        deferrals: Vec::new(),
        started_at: Timestamp::UNIX_EPOCH,
        limits: CriticLimits::default(),
    }
}

pub(super) struct Stage {
    pub(super) critic: Critic,
    pub(super) out: Vec<CriticOutput>,
    pub(super) now: Millis,
    /// How many versions of the document there were.
    version: usize,
    text: String,
}

impl Stage {
    pub(super) fn new(setup: CriticSetup) -> Self {
        let mut stage = Self {
            critic: Critic::new(setup),
            out: Vec::new(),
            now: Millis(0),
            version: 0,
            text: "v0".to_owned(),
        };
        stage.handle(CriticInput::Start);
        stage
    }

    pub(super) fn handle(&mut self, input: CriticInput) {
        self.critic.handle(input, self.now, &mut self.out);
    }

    /// The critic answers with this text.
    pub(super) fn says(&mut self, text: &str) {
        self.handle(CriticInput::Reviewed(format::read(text.as_bytes())));
    }

    /// Each of these passes, with a figure, and the scenario is harmless.
    pub(super) fn passes(&mut self, names: &[&str]) {
        let items: Vec<String> =
            names.iter().map(|name| format!("[{name}] ? → 3 of 3 checked\n Verdict: PASS\n")).collect();
        self.says(&format!("=== CRITIC 1 ===\n{}{HARMLESS}", items.concat()));
    }

    /// The document is changed to something new.
    pub(super) fn fixes(&mut self, applied: &[&str]) {
        self.version += 1;
        let text = format!("v{}", self.version);
        self.fixes_to(&text, applied);
    }

    pub(super) fn fixes_to(&mut self, text: &str, applied: &[&str]) {
        let changes = document_change::changes(&self.text, text);
        text.clone_into(&mut self.text);
        let applied = applied.iter().map(|id| id.parse().expect("a criterion")).collect();
        let document = Blob::of(text.as_bytes(), "text/markdown");
        self.handle(CriticInput::Fixed(FixReport { document, applied, changes, summary: String::new() }));
    }

    pub(super) fn checks(&mut self, id: &str, exit: i32, output: &str) {
        let result = CheckResult::Ran { exit, output: output.as_bytes().to_vec() };
        self.handle(CriticInput::Checked { criterion: id.parse().expect("a criterion"), result });
    }

    pub(super) fn measures(&mut self, id: &str, affected: u32, checked: u32) {
        let places = (0..affected)
            .map(|index| Spot { line: Some(index + 1), text: format!("place {}", letter(index)) });
        let measurement = DocumentMeasurement {
            checked,
            affected,
            what: "links".to_owned(),
            places: places.collect(),
            ..DocumentMeasurement::default()
        };
        self.handle(CriticInput::Measured {
            criterion: id.parse().expect("a criterion"),
            result: Ok(measurement),
        });
    }

    pub(super) fn answers(&mut self, question: u32, answer: Answer) {
        self.handle(CriticInput::Answered { question, answer, by: "kim".to_owned() });
    }

    pub(super) fn events(&self) -> Vec<CriticEvent> {
        let events = self.out.iter().filter_map(|output| match output {
            CriticOutput::Event(event) => Some(event.clone()),
            CriticOutput::Effect(_) => None,
        });
        events.collect()
    }

    pub(super) fn state(&self) -> &CriticState {
        self.critic.state()
    }

    /// What happened, a line each.
    pub(super) fn log(&self) -> String {
        self.out.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    /// How it ended.
    pub(super) fn end(&self) -> String {
        self.state().ended.as_ref().map(|event| line(&CriticOutput::Event(event.clone()))).unwrap_or_default()
    }
}

pub(super) const HARMLESS: &str =
    "[ADVERSARIAL] Failure scenario: the moon falls\n → Realistic? N → 0 of 1000 years\n";

fn letter(index: u32) -> char {
    char::from_u32(u32::from('a') + index).unwrap_or('z')
}

fn line(output: &CriticOutput) -> String {
    let event = match output {
        CriticOutput::Effect(effect) => return format!("-> {}", effect_words(effect)),
        CriticOutput::Event(event) => event,
    };
    let kind = event.kind().trim_start_matches("critic.");
    let rest = match event {
        CriticEvent::Queued(queued) => queued.title.clone(),
        CriticEvent::RunStarted(started) => format!("cap {}", started.cap),
        CriticEvent::Reopened(reopened) => reopened.deferral.criterion.to_string(),
        CriticEvent::PassStarted(started) => started.pass.to_string(),
        CriticEvent::Evidence(evidence) => {
            format!("{} {:?} {}", evidence.criterion, evidence.passed, evidence.summary)
        }
        CriticEvent::Agent(note) => note.detail.clone(),
        CriticEvent::Absent(absent) => {
            format!("{} {} retried {}", absent.attempt, absent.cause, absent.retried)
        }
        CriticEvent::Rejected(rejected) => format!("{} {}", rejected.criterion, rejected.gap),
        CriticEvent::Verdict(judged) => {
            let verdict = judged.verdict.map_or_else(
                || format!("none ({})", judged.gap.expect("a gap")),
                |verdict| verdict.to_string(),
            );
            let overruled = judged.overruled.map(|verdict| format!(", not {verdict}")).unwrap_or_default();
            let findings: Vec<String> =
                judged.findings.iter().map(|noted| format!(" [{}: {}]", noted.state, noted.text)).collect();
            format!("{} {verdict} by {}{overruled}{}", judged.criterion, judged.basis, findings.concat())
        }
        CriticEvent::Adversarial(said) => match said.realistic {
            Some(realistic) => format!("realistic {realistic}"),
            None => format!("none ({})", said.gap.expect("a gap")),
        },
        CriticEvent::Fixed(fixed) => {
            fixed.applied.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        }
        CriticEvent::FixFailed(failed) => format!("{} {}", failed.attempt, failed.detail),
        CriticEvent::PassEnded(end) => {
            let result = match &end.result {
                PassResult::Converged { passes, fixes, escalations } => {
                    format!("converged {passes}/{fixes}/{escalations}")
                }
                PassResult::Continue { fixed } => format!("continue {fixed}"),
                PassResult::Escalate { items } => format!("escalate {items}"),
                PassResult::SafetyCap => "safety cap".to_owned(),
                PassResult::NotConverged { open, reason } => format!("not converged {open} {reason}"),
            };
            format!("{} {result}, {} open, {} new", end.pass, end.open, end.new_findings)
        }
        CriticEvent::Escalated(escalated) => {
            let questions: Vec<String> = escalated
                .questions
                .iter()
                .map(|own| format!("{}:{}({})", own.number, own.criterion, own.options.len()))
                .collect();
            format!("{} and {} more", questions.join(" "), escalated.more)
        }
        CriticEvent::Answered(answered) => {
            format!("{} {:?} by {}", answered.question, answered.answer, answered.by)
        }
        CriticEvent::Converged(converged) => {
            let tally = &converged.tally;
            format!("{} passes {} fixes {} escalations", tally.passes, tally.fixes, tally.escalations)
        }
        CriticEvent::SafetyCap(cap) => cap.detail.clone(),
        CriticEvent::Stopped(stopped) => {
            let churn = stopped.churn.map(|churn| format!(" {churn}")).unwrap_or_default();
            format!("{}{churn}: {}", stopped.reason, stopped.detail)
        }
        CriticEvent::Inconclusive(none) => format!("{}: {}", none.gap, none.detail),
        CriticEvent::Interrupted(interrupted) => format!("{:?}", interrupted.recovery_reason),
        CriticEvent::Failed(failed) => format!("{}: {}", failed.cause, failed.detail),
    };
    format!("{kind} {rest}")
}

fn effect_words(effect: &CriticEffect) -> String {
    match effect {
        CriticEffect::RunCheck { criterion, check } => format!("check {criterion}: {}", check.command),
        CriticEffect::Measure { criterion, measure } => format!("measure {criterion}: {measure}"),
        CriticEffect::AskCritic(ask) => {
            let rejected: Vec<String> =
                ask.rejected.iter().map(|own| format!(" {}", own.criterion)).collect();
            format!("ask {}/{}{}", ask.pass, ask.attempt, rejected.concat())
        }
        CriticEffect::Fix(orders) => {
            let orders: Vec<String> = orders
                .iter()
                .map(|order| {
                    let by = order.command.as_ref().map_or_else(|| "agent".to_owned(), ToString::to_string);
                    let decision =
                        order.decision.as_ref().map(|own| format!(" as decided: {own}")).unwrap_or_default();
                    format!("{} by {by}{decision}", order.criterion)
                })
                .collect();
            format!("fix {}", orders.join(", "))
        }
        CriticEffect::Stop => "stop".to_owned(),
    }
}
