//! The stage: plays a script against the machine and prints what came of it.
//!
//! A script is one thing per line, in order. `@90000 deadline` happens at that moment of the run, a line
//! without a time at the moment of the line before it.
//!
//! What the agent says goes through the real parser:
//! ```text
//! run                       <CRITIQUE_RUN …> with the settings of the run; `run scale="100"` claims others
//! round 1                   <ROUND n="1">
//! designer A                the designer with a draft whose body is A; `designer -` brings none
//! critic 8.4 ! Fix ! Mend   a panelist with a score (`-`: none) and directives
//! panel 8.4                 the four that score, all with this score
//! end 1                     </ROUND> behind a <ROUND_END> that says continue; `end 1 ship` says ship;
//!                           attributes may follow
//! ship 1 F                  <SHIP> of round 1 with the body F, or `-` for none; attributes may follow
//! close                     </CRITIQUE_RUN>
//! <anything>                as it is
//! ```
//! What happens around it: `start`, `deadline`, `interrupt`, `exit 0`, `killed 9`, `gone` (nobody knows how),
//! `linted` (clean), `linted a rule`, `unstarted`, `broken`, `fault REASON`, `legacy F` (the single pass brought
//! F, or `-` for nothing), `arrives` (a piece of a page did), `failed` (the agent says so), `note`, `measured A poor` (the draft A was measured; see
//! [`sample`] for how). Before the start: `makes` (there is something to make), `refused` (the agent is marked), `off`
//! (the panel is), `witness` (drafts are measured), `house` (the panel does nothing but measure),
//! `given` (this page was handed in).

use std::collections::BTreeMap;

use jury_core::artifact::{Blob, Digest};
use jury_core::event::{AgentNote, AgentNoteKind, BestSoFar, TheaterEvent};
use jury_core::evidence::{Failure, Measurement, RoleMeasure, Span, TextMeasure};
use jury_core::id::{AgentId, ArtifactId, ProjectId};
use jury_core::lint::LintFinding;
use jury_core::loss::{Loss, LossKind};
use jury_core::outcome::FailedCause;
use jury_core::process::Exit;
use jury_core::protocol::{Fault, Parser, ParserLimits, Part};
use jury_core::role::Role;
use jury_core::settings::CritiqueConfig;
use jury_core::theater::{
    ArtifactSource, Board, ClaimReader, Opening, Plan, RunBudget, Theater, TheaterEffect, TheaterInput,
    TheaterOutbox, TheaterOutput, TheaterSetup, Witness,
};
use jury_core::unit::{Millis, Offset, Round};

pub(crate) fn subject() -> TheaterSetup {
    TheaterSetup {
        project: ProjectId::default_project(),
        artifact: "0198c0de-0000-7000-8000-000000000001".parse::<ArtifactId>().unwrap(),
        agent: "scripted".parse::<AgentId>().unwrap(),
    }
}

/// A machine with its parser, and everything that came out so far.
pub(crate) struct Stage {
    pub(crate) theater: Theater,
    pub(crate) out: TheaterOutbox,
    pub(crate) now: Millis,
    config: CritiqueConfig,
    plan: Plan,
    parser: Parser,
    round: u32,
}

impl Stage {
    pub(crate) fn new(config: CritiqueConfig) -> Self {
        Self {
            parser: Parser::new(ParserLimits::of(&config)),
            theater: Theater::new(config.clone(), subject()),
            config,
            plan: Plan {
                opening: Opening::Panel,
                generates: false,
                witness: Witness::Nobody,
                given: None,
                budget: RunBudget::default(),
            },
            out: TheaterOutbox::new(),
            now: Millis(0),
            round: 0,
        }
    }

    /// Begins again by this plan.
    pub(crate) fn by(mut self, plan: Plan) -> Self {
        self.plan(plan);
        self
    }

    fn plan(&mut self, plan: Plan) {
        self.theater = Theater::new(self.config.clone(), subject()).by(plan.clone());
        self.plan = plan;
    }

    pub(crate) fn play(&mut self, script: &str) {
        for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (time, what) = line
                .strip_prefix('@')
                .and_then(|timed| timed.split_once(' '))
                .map_or((None, line), |(time, what)| (Some(time.parse().unwrap()), what));
            self.now = time.map_or(self.now, Millis);
            self.step(what);
        }
    }

    fn step(&mut self, what: &str) {
        let (verb, rest) = what.split_once(' ').unwrap_or((what, ""));
        let position = Offset(7);
        match verb {
            "start" => self.handle(TheaterInput::Start),
            "deadline" => self.handle(TheaterInput::Deadline),
            "interrupt" => self.handle(TheaterInput::Interrupt),
            "exit" => self.ended(Exit::Code(rest.parse().unwrap())),
            "killed" => self.ended(Exit::Signal(rest.parse().unwrap())),
            "gone" => self.ended(Exit::Unknown),
            "unstarted" => self.handle(TheaterInput::NotStarted("no such file".to_owned())),
            "broken" => self.handle(TheaterInput::Broken("disk full".to_owned())),
            "fault" => {
                let fault = Fault { reason: rest.parse().unwrap(), detail: "said so".to_owned(), position };
                self.handle(TheaterInput::Fault(fault));
            }
            "makes" => self.plan(Plan { generates: true, ..self.plan.clone() }),
            "refused" => {
                self.plan(Plan { opening: Opening::Refused("it is marked".to_owned()), ..self.plan });
            }
            "off" => self.plan(Plan { opening: Opening::Off("nobody wants it".to_owned()), ..self.plan }),
            "witness" => self.plan(Plan {
                witness: Witness::Driver(ClaimReader(jury_text::claim::claims)),
                ..self.plan.clone()
            }),
            "given" => {
                self.plan(Plan { given: Some(Digest::of(page(rest).as_bytes())), ..self.plan.clone() });
            }
            "house" => self.plan(Plan { witness: Witness::Panel, ..self.plan.clone() }),
            "measured" => {
                let (body, how) = rest.split_once(' ').unwrap();
                let result = Box::new(sample(how));
                self.handle(TheaterInput::Measured { digest: Digest::of(page(body).as_bytes()), result });
            }
            "arrives" => self.handle(TheaterInput::Arrived(Part::Page)),
            "legacy" => {
                let body = (rest != "-").then(|| rest.as_bytes().to_vec());
                self.handle(TheaterInput::Legacy { body, detail: "the answer has no page".to_owned() });
            }
            "failed" => self.handle(TheaterInput::AgentFailed {
                cause: FailedCause::AgentError,
                detail: "status 500".to_owned(),
            }),
            "note" => self.handle(TheaterInput::Note(AgentNote {
                kind: AgentNoteKind::Session,
                detail: "seven".to_owned(),
                status: None,
                usage: None,
            })),
            "linted" => {
                let finding = LintFinding { rule: rest.to_owned(), line: 3, message: "left over".to_owned() };
                self.handle(TheaterInput::Linted(if rest.is_empty() { Vec::new() } else { vec![finding] }));
            }
            _ => {
                let said = self.say(verb, rest, what);
                self.feed(said.as_bytes());
            }
        }
    }

    fn say(&mut self, verb: &str, rest: &str, what: &str) -> String {
        let (first, more) = rest.split_once(' ').unwrap_or((rest, ""));
        match verb {
            "run" => {
                let claims =
                    if rest.is_empty() { r#"maxRounds="3" threshold="8.0" scale="10""# } else { rest };
                format!("<CRITIQUE_RUN version=\"1\" {claims}>")
            }
            "round" => {
                self.round = first.parse().unwrap();
                format!("<ROUND n=\"{first}\">")
            }
            // Each round says less than the one before it, as it should.
            "designer" => {
                let notes = "n".repeat(4000 / self.round.max(1) as usize);
                let artifact = artifact(first);
                format!("<PANELIST role=\"designer\"><NOTES>{notes}</NOTES>{artifact}</PANELIST>")
            }
            "critic" | "brand" | "a11y" | "copy" => {
                let mut parts = rest.split('!').map(str::trim);
                let score = parts.next().unwrap();
                let score = if score == "-" { String::new() } else { format!(" score=\"{score}\"") };
                let mut said =
                    parts.map(|text| format!("<MUST_FIX>{text}</MUST_FIX>")).collect::<Vec<_>>().concat();
                if said.is_empty() && !score.is_empty() {
                    said.push_str(SEEN);
                }
                format!("<PANELIST role=\"{verb}\"{score}>{said}</PANELIST>")
            }
            "panel" => ["critic", "brand", "a11y", "copy"]
                .map(|role| format!("<PANELIST role=\"{role}\" score=\"{rest}\">{SEEN}</PANELIST>"))
                .concat(),
            "end" => {
                let (decision, claims) = match more.strip_prefix("ship") {
                    Some(claims) => ("ship", claims),
                    None => ("continue", more),
                };
                format!("<ROUND_END n=\"{first}\" decision=\"{decision}\" {claims}/></ROUND>")
            }
            "ship" => {
                let (body, claims) = more.split_once(' ').unwrap_or((more, ""));
                let artifact = artifact(body);
                format!("<SHIP round=\"{first}\" {claims}>{artifact}<SUMMARY>done</SUMMARY></SHIP>")
            }
            "close" => "</CRITIQUE_RUN>".to_owned(),
            _ => {
                let is_said = !what.starts_with(|c: char| c.is_ascii_alphabetic());
                assert!(is_said, "not a line of a script: {what}");
                what.to_owned()
            }
        }
    }

    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        let Self { theater, out, parser, now, .. } = self;
        let parsed =
            parser.feed(bytes, &mut |signal| theater.handle(TheaterInput::Signal(signal), *now, out));
        if let Err(fault) = parsed {
            theater.handle(TheaterInput::Fault(fault), *now, out);
        }
        theater.handle(TheaterInput::Arrived(parser.amid()), *now, out);
    }

    pub(crate) fn ended(&mut self, exit: Exit) {
        let whole = Fault {
            reason: "malformed_block".parse().unwrap(),
            detail: "the answer was whole".to_owned(),
            position: Offset(0),
        };
        let fault = self.parser.finish().err().unwrap_or(whole);
        self.handle(TheaterInput::Ended { exit, fault });
    }

    pub(crate) fn handle(&mut self, input: TheaterInput<'_>) {
        self.theater.handle(input, self.now, &mut self.out);
    }

    pub(crate) fn events(&self) -> impl Iterator<Item = &TheaterEvent> {
        self.out.iter().filter_map(|output| match output {
            TheaterOutput::Event(event) => Some(event),
            TheaterOutput::Effect(_) => None,
        })
    }
}

/// A measurement: `fine` has nothing to say, `poor` has a failure and figures,
/// `lossy` lacks a link, `replaced` is another page, `weak` a low score and no failure, `branded` a brand, `partial` saw a part, `broken` nothing.
pub(crate) fn sample(how: &str) -> Result<Measurement, String> {
    let role = |role, low, high, dimension: &str| RoleMeasure {
        role,
        score: Span { low, high },
        dimensions: vec![(dimension.to_owned(), Span { low, high })],
    };
    let fine = Measurement {
        roles: vec![
            role(Role::Critic, 9.0, 9.0, "type"),
            role(Role::A11y, 9.0, 10.0, "perceive"),
            role(Role::Copy, 8.5, 8.5, "clear"),
        ],
        ..Measurement::default()
    };
    let text = |tag: &str, selector: &str, ratio, size, is_action| TextMeasure {
        tag: tag.to_owned(),
        selector: selector.to_owned(),
        ratio,
        required: 4.5,
        size,
        is_action,
        line: Some(7),
    };
    let lost = |kind, what: &str| Loss::of(kind, &[what.to_owned()]).into_iter().collect();
    match how {
        "fine" => Ok(fine),
        "lossy" => Ok(Measurement { losses: lost(LossKind::Links, "/book"), ..fine }),
        "replaced" => Ok(Measurement { losses: lost(LossKind::Page, "all of it"), ..fine }),
        "partial" => Ok(Measurement { partial: Some("styles outside the page".to_owned()), ..fine }),
        "weak" => Ok(Measurement { roles: vec![role(Role::A11y, 3.0, 4.0, "perceive")], ..fine }),
        "branded" => Ok(Measurement { roles: vec![role(Role::Brand, 4.0, 5.0, "colour")], ..fine }),
        "broken" => Err("the page is too deep".to_owned()),
        "poor" => Ok(Measurement {
            roles: vec![role(Role::Critic, 9.0, 9.0, "type"), role(Role::A11y, 3.0, 4.0, "perceive")],
            failures: vec![Failure {
                check: "a11y/contrast".to_owned(),
                criterion: "WCAG 1.4.3 AA".to_owned(),
                role: Role::A11y,
                dimension: "perceive".to_owned(),
                measured: "text contrast 2.10:1".to_owned(),
                value: Some(2.1),
                bound: Some("4.5:1".to_owned()),
                place: Some("p.lead".to_owned()),
                line: Some(7),
                words: ["contrast"].map(str::to_owned).to_vec(),
            }],
            texts: vec![
                text("p", "p.lead", Some(2.1), 16.0, false),
                text("h1", "h1", Some(12.0), 48.0, false),
                text("a", "a.go", Some(5.2), 16.0, true),
                text("span", "span.over", None, 16.0, false),
            ],
            action_fill: Some(3.4),
            distances: vec![16.0, 8.0, 24.0],
            ..Measurement::default()
        }),
        other => Err(format!("no such measurement: {other}")),
    }
}

/// A score is nothing without a word to it.
const SEEN: &str = "<NOTES>Seen.</NOTES>";

fn artifact(body: &str) -> String {
    if body == "-" {
        return String::new();
    }
    format!("<ARTIFACT mime=\"text/html\"><![CDATA[{}]]></ARTIFACT>", page(body))
}

/// The page that a script calls by a word.
pub(crate) fn page(word: &str) -> String {
    if word.contains('<') { word.to_owned() } else { format!("<p>{word}</p>") }
}

/// What a script calls this page.
fn word(page: &[u8]) -> String {
    let page = String::from_utf8_lossy(page);
    let word = page.strip_prefix("<p>").and_then(|page| page.strip_suffix("</p>"));
    word.filter(|word| !word.contains('<')).unwrap_or(&page).to_owned()
}

/// Plays a script and prints every event and effect, in order.
pub(crate) fn whole(config: CritiqueConfig, script: &str) -> String {
    printed(config, script, |_| true)
}

/// Plays a script and prints all but what single panelists say.
pub(crate) fn gist(config: CritiqueConfig, script: &str) -> String {
    printed(config, script, |output| match output {
        TheaterOutput::Event(
            TheaterEvent::PanelistOpen(_)
            | TheaterEvent::PanelistDim(_)
            | TheaterEvent::PanelistMustFix(_)
            | TheaterEvent::PanelistClose(_),
        )
        | TheaterOutput::Effect(TheaterEffect::KeepRound { .. }) => false,
        TheaterOutput::Event(_) | TheaterOutput::Effect(_) => true,
    })
}

fn printed(config: CritiqueConfig, script: &str, wanted: impl Fn(&TheaterOutput) -> bool) -> String {
    let mut stage = Stage::new(config);
    stage.play(script);
    let lived = stage.theater.board();
    assert_eq!(&Board::of(stage.events()), lived, "a replay of the log ends elsewhere");
    let mut printer = Printer::default();
    let lines: Vec<String> = stage
        .out
        .iter()
        .filter_map(|output| {
            let line = printer.line(output);
            wanted(output).then_some(line)
        })
        .collect();
    lines.join("\n")
}

/// Prints outputs, and follows on a pretended disk which bytes are kept: a reference to bytes that are not
/// there is a failure.
#[derive(Default)]
pub(crate) struct Printer {
    rounds: BTreeMap<Round, Vec<u8>>,
    kept: Option<Vec<u8>>,
    bodies: BTreeMap<Digest, String>,
}

impl Printer {
    pub(crate) fn line(&mut self, output: &TheaterOutput) -> String {
        match output {
            TheaterOutput::Event(event) => self.event(event),
            TheaterOutput::Effect(TheaterEffect::StartAgent) => "-> start the agent".to_owned(),
            TheaterOutput::Effect(TheaterEffect::StopAgent) => "-> stop the agent".to_owned(),
            TheaterOutput::Effect(TheaterEffect::AskOnce) => "-> ask once".to_owned(),
            TheaterOutput::Effect(TheaterEffect::KeepRound { round, body }) => {
                self.rounds.insert(*round, body.clone());
                self.name(body);
                format!("-> keep {} for round {round}", word(body))
            }
            TheaterOutput::Effect(TheaterEffect::KeepFinal(source)) => {
                let body = self.bytes(source);
                self.name(&body);
                let line = format!("-> keep {} as final{}", word(&body), from(source));
                self.kept = Some(body);
                line
            }
            TheaterOutput::Effect(TheaterEffect::Measure { round, digest }) => {
                let draft = self.rounds.get(round).expect("it is kept before it is measured");
                assert_eq!(Digest::of(draft), *digest);
                format!("-> measure {} of round {round}", word(draft))
            }
            TheaterOutput::Effect(TheaterEffect::Lint(source)) => {
                let body = self.bytes(source);
                format!("-> lint {}{}", word(&body), from(source))
            }
        }
    }

    fn name(&mut self, body: &[u8]) {
        self.bodies.insert(Digest::of(body), word(body));
    }

    fn bytes(&self, source: &ArtifactSource) -> Vec<u8> {
        match source {
            ArtifactSource::Body(body) => body.clone(),
            ArtifactSource::Round(round) => self.rounds.get(round).expect("no draft was kept for it").clone(),
        }
    }

    fn event(&mut self, event: &TheaterEvent) -> String {
        let kind = event.kind().trim_start_matches("critique.");
        let text = match event {
            TheaterEvent::Queued(_) | TheaterEvent::RunStarted(_) => String::new(),
            TheaterEvent::PanelistOpen(open) => format!("{} {}", open.round, open.role),
            TheaterEvent::PanelistDim(dim) => {
                let score = dim.dim_score.map_or("-".to_owned(), |score| score.to_string());
                format!("{} {} {} {score} {}", dim.round, dim.role, dim.dim_name, dim.dim_note)
            }
            TheaterEvent::PanelistMustFix(must_fix) => {
                format!("{} {} {:?}: {}", must_fix.round, must_fix.role, must_fix.state, must_fix.text)
            }
            TheaterEvent::PanelistClose(close) => {
                let score = close.score.map_or("-".to_owned(), |score| score.to_string());
                let draft = close.artifact.as_ref().map(|blob| format!(" with {}", self.body_of(blob)));
                format!("{} {} {score}{}", close.round, close.role, draft.unwrap_or_default())
            }
            TheaterEvent::Evidence(evidence) => {
                let role = evidence.role.as_ref().map_or("-", Role::as_str);
                let dimension = evidence.dimension.as_deref().unwrap_or("-");
                let claim = evidence.claim.as_deref().unwrap_or("nothing");
                format!(
                    "{} {role} {dimension} {} {}: {} beside {claim}",
                    evidence.round, evidence.check, evidence.standing, evidence.measured
                )
            }
            TheaterEvent::RoundEnd(end) => {
                format!(
                    "{} {} must-fix {} {}: {}",
                    end.round, end.composite.0, end.must_fix, end.decision, end.reason
                )
            }
            TheaterEvent::Agent(note) => format!("{:?} {}", note.kind, note.detail),
            TheaterEvent::Lint(lint) => format!("{} {} findings", lint.round, lint.findings.len()),
            TheaterEvent::Fallback(fallback) => format!("{}: {}", fallback.reason, fallback.detail),
            TheaterEvent::Ship(ship) => {
                let cause = ship.cause.map(|cause| format!(" by {cause}")).unwrap_or_default();
                let best = BestSoFar {
                    best_round: ship.round,
                    composite: ship.composite,
                    artifact_ref: ship.artifact_ref.clone(),
                    artifact: ship.artifact.clone(),
                };
                format!("{:?}{cause}, {}: {}", ship.status, self.best(&best), ship.summary)
            }
            TheaterEvent::Degraded(degraded) => {
                let at = degraded.position.map_or("nowhere".to_owned(), |at| format!("at {at}"));
                format!("{} {at}, {}: {}", degraded.reason, self.best(&degraded.best), degraded.detail)
            }
            TheaterEvent::Interrupted(interrupted) => self.best(&interrupted.best),
            TheaterEvent::Failed(failed) => {
                format!("{}, {}: {}", failed.cause, self.best(&failed.best), failed.detail)
            }
            TheaterEvent::ParserWarning(warning) => {
                let role = warning.role.map(|role| format!(" {role}")).unwrap_or_default();
                format!("{}{role}", warning.kind)
            }
        };
        format!("{kind} {text}").trim_end().to_owned()
    }

    fn best(&self, best: &BestSoFar) -> String {
        let round = best.best_round.map_or("no round".to_owned(), |round| format!("round {round}"));
        let composite = best.composite.map(|composite| format!(" {}", composite.0)).unwrap_or_default();
        let kept = best.artifact.as_ref().map(|blob| {
            let kept = self.kept.as_ref().expect("an artifact that was not kept");
            assert_eq!(Digest::of(kept), blob.sha256, "the kept bytes are not those of the event");
            assert_eq!(kept.len() as u64, blob.bytes.0);
            format!(" with {}", self.body_of(blob))
        });
        assert_eq!(kept.is_some(), best.artifact_ref.is_some(), "a reference and its body come together");
        format!("{round}{composite}{}", kept.unwrap_or_default())
    }

    fn body_of(&self, blob: &Blob) -> &str {
        self.bodies.get(&blob.sha256).expect("the event comes before its bytes")
    }
}

fn from(source: &ArtifactSource) -> String {
    match source {
        ArtifactSource::Body(_) => String::new(),
        ArtifactSource::Round(round) => format!(", from round {round}"),
    }
}
