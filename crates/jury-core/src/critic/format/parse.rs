//! Reading a report: bytes in, passes with their lines out. One look at each line.

use super::broken_off::is_error;
use super::doubt::{is_doubted, is_reserved, is_undecided, unquoted};
use super::line::{
    Field, Line, classify, first_number, numbers, plain, split_arrow, strip_arrow, undecorated,
};
use super::split::{split_con, split_dash, split_realistic, strip_label};
use super::violation::{Violation, ViolationCode};
use super::write::one_line;
use crate::critic::criterion::CriterionId;
use crate::critic::outcome::PassResult;
use crate::critic::reading::{CriticAnswer, Raised, Said, Scenario};
use crate::critic::verdict::{Choice, CriterionVerdict};

/// The longest text of one field; what goes beyond it is cut off.
const LONGEST_FIELD_BYTES: usize = 8192;

/// A transcript, as it was read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Transcript {
    /// The passes, in order.
    pub passes: Vec<PassText>,
    /// The last line, for people.
    pub summary: Option<SummaryText>,
    /// What could not be read.
    pub violations: Vec<Violation>,
}

/// One pass of a transcript.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PassText {
    /// The line at which it begins.
    pub line: u32,
    /// The number that it gives itself.
    pub number: Option<u32>,
    /// The verdicts, in order.
    pub verdicts: Vec<Said>,
    /// The failure scenario, if one is told.
    pub scenario: Option<Scenario>,
    /// The questions to a person, inside it or behind it.
    pub escalations: Vec<Raised>,
    /// Whether each of those ends with the option to skip it.
    pub skippable: Vec<bool>,
    /// What it comes to.
    pub result: Option<PassResult>,
    /// The line of the result.
    pub result_line: Option<u32>,
}

/// The line with which a transcript ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SummaryText {
    /// The line at which it begins.
    pub line: u32,
    /// Whether it says that the run converged; otherwise it says that the cap was reached.
    pub converged: bool,
    /// Its figures: passes, fixes, escalations.
    pub figures: Vec<u32>,
}

/// Reads a transcript of any number of passes.
pub fn parse(bytes: &[u8]) -> Transcript {
    let text = plain(bytes);
    let mut reader = Reader::default();
    for (line, number) in text.split('\n').zip(1_u32..) {
        if let Some(line) = undecorated(line).filter(|line| !line.is_empty()) {
            reader.line(number, classify(&line));
        }
    }
    reader.close();
    reader.transcript
}

/// Reads the answer of a critic to one pass. Agents repeat themselves: of several reports the stricter verdict on each criterion
/// counts, whatever their numbers are, and what the last one comes to. Questions are taken from wherever they stand in the answer. An answer that ends in an error is not whole, and says nothing.
pub fn read(bytes: &[u8]) -> CriticAnswer {
    let text = plain(bytes);
    if text.lines().rev().map(str::trim).find(|line| !line.is_empty()).is_some_and(is_error) {
        return CriticAnswer::default();
    }
    let mut transcript = parse(bytes);
    let escalations: Vec<Raised> =
        transcript.passes.iter_mut().flat_map(|pass| std::mem::take(&mut pass.escalations)).collect();
    let spoke = |pass: &PassText| !pass.verdicts.is_empty() || pass.scenario.is_some();
    let mut reports = transcript.passes.into_iter().rev().filter(spoke);
    let mut pass = reports.next().unwrap_or_default();
    for other in reports {
        // Whoever reads the verdicts takes the strictest one on each criterion.
        pass.verdicts.extend(other.verdicts);
        let told = [pass.scenario.take(), other.scenario].into_iter().flatten();
        pass.scenario = heaviest(told, |scenario| weight(scenario.realistic));
    }
    CriticAnswer {
        verdicts: pass.verdicts,
        scenario: pass.scenario,
        escalations,
        claim: pass.result,
        contents: None,
    }
}

/// Where text that goes on belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Slot {
    #[default]
    Nothing,
    /// The question of an item, until its arrow.
    Question,
    Answer,
    Verdict,
    Concern,
    Scenario,
    Realistic,
    RaisedQuestion,
    Issue,
    Why,
    Trigger,
    Choice,
    Pro,
    Con,
}

/// What is being read.
#[derive(Debug, Default)]
struct Reader {
    transcript: Transcript,
    slot: Slot,
    item: Option<Item>,
    scenario: Option<RawScenario>,
    raised: Option<RawRaised>,
    /// The last pass has its result: what follows, but for questions, belongs to none.
    resulted: bool,
}

#[derive(Debug)]
struct Item {
    said: Said,
    /// All that were given, because a quotation of another one may stand beside the critic's own.
    /// The words of each verdict, and how many bytes of them stand on its own line.
    verdicts: Vec<(String, usize)>,
    has_arrow: bool,
}

#[derive(Debug)]
struct RawScenario {
    line: u32,
    text: String,
    /// All answers that were given.
    realistic: Vec<String>,
}

#[derive(Debug)]
struct RawRaised {
    raised: Raised,
    named: bool,
    choices: Vec<(String, String, String)>,
}

impl Reader {
    fn line(&mut self, number: u32, line: Line<'_>) {
        match line {
            Line::Pass(pass) => {
                self.close();
                self.resulted = false;
                self.transcript.passes.push(PassText { line: number, number: pass, ..PassText::default() });
            }
            Line::Escalation(own) => {
                self.close();
                let raised = Raised {
                    line: number,
                    number: own,
                    criterion: CriterionId::adversarial(),
                    question: String::new(),
                    issue: String::new(),
                    why: String::new(),
                    trigger: String::new(),
                    options: Vec::new(),
                };
                self.raised = Some(RawRaised { raised, named: false, choices: Vec::new() });
            }
            Line::Result(text) => {
                self.close();
                let result = result(text);
                if result.is_none() {
                    let message = format!("'{}' is no result: {RESULTS}", short(text));
                    let violation = Violation::new(number, ViolationCode::UnreadableResult, message);
                    self.transcript.violations.push(violation);
                }
                let pass = self.pass(number);
                if pass.result_line.is_none() {
                    pass.result = result;
                    pass.result_line = Some(number);
                }
                self.resulted = true;
            }
            Line::Item(name, rest) => self.item(number, name, rest),
            Line::Field(field, rest) => self.field(field, rest),
            Line::Choice(_, rest) => {
                if let Some(raised) = &mut self.raised {
                    raised.choices.push((bounded(rest), String::new(), String::new()));
                    self.slot = Slot::Choice;
                } else {
                    self.text(rest);
                }
            }
            Line::Summary(text) => {
                self.close();
                let converged = text.to_ascii_lowercase().contains("converged");
                let figures = numbers(text).collect();
                self.transcript.summary = Some(SummaryText { line: number, converged, figures });
            }
            Line::Text(text) => self.text(text),
        }
    }

    fn pass(&mut self, line: u32) -> &mut PassText {
        if self.transcript.passes.is_empty() {
            self.transcript.passes.push(PassText { line, ..PassText::default() });
        }
        let last = self.transcript.passes.len() - 1;
        &mut self.transcript.passes[last]
    }

    fn item(&mut self, line: u32, name: &str, rest: &str) {
        let Some(id) = CriterionId::from_written(name) else {
            self.text(rest);
            return;
        };
        if let Some(raised) = &mut self.raised
            && !raised.named
        {
            raised.named = true;
            raised.raised.criterion = id;
            raised.raised.question = bounded(rest);
            self.slot = Slot::RaisedQuestion;
            return;
        }
        self.close();
        if self.resulted || self.transcript.passes.is_empty() {
            // Brackets in prose outside a report are brackets.
            return;
        }
        if id.is_adversarial() {
            let text = strip_label(rest, "failure scenario");
            // The whole of it on one line: the answer stands behind the question.
            let (text, realistic) = split_realistic(text);
            self.scenario = Some(RawScenario {
                line,
                text: bounded(text),
                realistic: realistic.map(bounded).into_iter().collect(),
            });
            self.slot = if realistic.is_some() { Slot::Realistic } else { Slot::Scenario };
            return;
        }
        let (question, answer, has_arrow) = match split_arrow(rest) {
            Some((question, answer)) => (question, answer, true),
            None => (rest, "", false),
        };
        self.item = Some(Item {
            said: Said {
                line,
                criterion: id,
                question: bounded(question),
                answer: bounded(answer),
                verdict: None,
                detail: String::new(),
                concerns: Vec::new(),
            },
            verdicts: Vec::new(),
            has_arrow,
        });
        self.slot = if has_arrow { Slot::Answer } else { Slot::Question };
    }

    fn field(&mut self, field: Field, rest: &str) {
        if let Some(raised) = &mut self.raised {
            let slot = match field {
                Field::Issue => Slot::Issue,
                Field::Why => Slot::Why,
                Field::Trigger => Slot::Trigger,
                Field::Options => Slot::Nothing,
                Field::Pro if !raised.choices.is_empty() => Slot::Pro,
                Field::Con if !raised.choices.is_empty() => Slot::Con,
                Field::Pro | Field::Con | Field::Verdict | Field::Realistic | Field::Concern => {
                    self.text(rest);
                    return;
                }
            };
            self.slot = slot;
            self.text(rest);
            return;
        }
        match (field, &mut self.item, &mut self.scenario) {
            (Field::Verdict, Some(item), _) => {
                let own = bounded(rest);
                item.verdicts.push((own.clone(), own.len()));
                self.slot = Slot::Verdict;
            }
            (Field::Concern, Some(item), _) => {
                item.said.concerns.push(String::new());
                self.slot = Slot::Concern;
                self.text(rest);
            }
            (Field::Realistic, _, Some(scenario)) => {
                scenario.realistic.push(String::new());
                self.slot = Slot::Realistic;
                self.text(rest);
            }
            (
                Field::Verdict
                | Field::Realistic
                | Field::Concern
                | Field::Issue
                | Field::Why
                | Field::Trigger
                | Field::Options
                | Field::Pro
                | Field::Con,
                _,
                _,
            ) => self.text(rest),
        }
    }

    /// Text that goes on with what is being read.
    fn text(&mut self, text: &str) {
        match (self.slot, &mut self.item, &mut self.scenario, &mut self.raised) {
            (Slot::Question, Some(item), _, _) => {
                if let Some(answer) = strip_arrow(text) {
                    append(&mut item.said.answer, answer);
                    item.has_arrow = true;
                    self.slot = Slot::Answer;
                } else if let Some((question, answer)) = split_arrow(text) {
                    append(&mut item.said.question, question);
                    append(&mut item.said.answer, answer);
                    item.has_arrow = true;
                    self.slot = Slot::Answer;
                } else {
                    append(&mut item.said.question, text);
                }
            }
            (Slot::Answer, Some(item), _, _) => append(&mut item.said.answer, text),
            (Slot::Verdict, Some(item), _, _) => {
                if let Some((verdict, own)) = item.verdicts.last_mut() {
                    append(verdict, text);
                    // A verdict below its label has the line to itself.
                    *own = if *own == 0 { verdict.len() } else { *own };
                }
            }
            (Slot::Concern, Some(item), _, _) => {
                if let Some(concern) = item.said.concerns.last_mut() {
                    append(concern, text);
                }
            }
            (Slot::Scenario, _, Some(scenario), _) => append(&mut scenario.text, text),
            (Slot::Realistic, _, Some(scenario), _) => {
                if let Some(answer) = scenario.realistic.last_mut() {
                    append(answer, text);
                }
            }
            (Slot::RaisedQuestion, _, _, Some(raised)) => append(&mut raised.raised.question, text),
            (Slot::Issue, _, _, Some(raised)) => append(&mut raised.raised.issue, text),
            (Slot::Why, _, _, Some(raised)) => append(&mut raised.raised.why, text),
            (Slot::Trigger, _, _, Some(raised)) => append(&mut raised.raised.trigger, text),
            (Slot::Choice, _, _, Some(raised)) => {
                if let Some(choice) = raised.choices.last_mut() {
                    append(&mut choice.0, text);
                }
            }
            (Slot::Pro, _, _, Some(raised)) => {
                if let Some(choice) = raised.choices.last_mut() {
                    append(&mut choice.1, text);
                }
            }
            (Slot::Con, _, _, Some(raised)) => {
                if let Some(choice) = raised.choices.last_mut() {
                    append(&mut choice.2, text);
                }
            }
            // Prose between the parts.
            _ => {}
        }
    }

    /// Ends what is being read.
    fn close(&mut self) {
        self.slot = Slot::Nothing;
        if let Some(item) = self.item.take() {
            let line = item.said.line;
            let said = item.finished();
            self.pass(line).verdicts.push(said);
        }
        if let Some(raw) = self.scenario.take() {
            let scenario = raw.finished();
            let pass = self.pass(scenario.line);
            // Of several the one that weighs most counts, and of equal ones the first.
            if pass.scenario.as_ref().is_none_or(|own| weight(own.realistic) < weight(scenario.realistic)) {
                pass.scenario = Some(scenario);
            }
        }
        if let Some(raw) = self.raised.take() {
            let (raised, skippable) = raw.finished();
            let pass = self.pass(raised.line);
            pass.escalations.push(raised);
            pass.skippable.push(skippable);
        }
    }
}

impl Item {
    fn finished(self) -> Said {
        let Self { mut said, verdicts, has_arrow } = self;
        if !has_arrow && !said.question.ends_with('?') {
            // Without an arrow and without a question mark it is the answer.
            said.answer = std::mem::take(&mut said.question);
        }
        let read =
            verdicts.iter().filter(|(text, _)| !text.is_empty()).map(|(text, own)| verdict(text, *own));
        let (verdict, detail) = heaviest(read, |(verdict, _)| strictness(*verdict)).unwrap_or_default();
        Said { verdict, detail, ..said }
    }
}

/// What weighs most, and of equal ones the first.
fn heaviest<T, W: Ord>(all: impl Iterator<Item = T>, weight: impl Fn(&T) -> W) -> Option<T> {
    all.reduce(|first, next| if weight(&next) > weight(&first) { next } else { first })
}

/// How strict a verdict is. One that cannot be read may have been an objection, so that no PASS and no DEFER beside it
/// counts; it is asked for again.
fn strictness(verdict: Option<CriterionVerdict>) -> (bool, Option<CriterionVerdict>) {
    let lenient = matches!(verdict, Some(CriterionVerdict::Pass | CriterionVerdict::Defer));
    (!lenient, verdict)
}

/// How much an answer to a scenario weighs: one that is realistic is a defect, and one that is undecided is asked for
/// again.
fn weight(realistic: Option<bool>) -> u8 {
    match realistic {
        Some(true) => 2,
        None => 1,
        Some(false) => 0,
    }
}

impl RawScenario {
    fn finished(self) -> Scenario {
        let Self { line, text, realistic } = self;
        let text_end = text.trim_end();
        let scenario =
            super::line::ARROWS.iter().find_map(|arrow| text_end.strip_suffix(arrow)).unwrap_or(text_end);
        let read = realistic.iter().filter(|text| !text.is_empty()).map(|text| decision(text));
        let (realistic, rationale) = heaviest(read, |(decided, _)| weight(*decided)).unwrap_or_default();
        Scenario { line, scenario: scenario.trim().to_owned(), realistic, rationale }
    }
}

/// Whether a scenario is realistic, and why.
fn decision(text: &str) -> (Option<bool>, String) {
    let answer = text.trim_start_matches(['*', '_', '`', ' ', ':']);
    let word: String = answer.chars().take_while(char::is_ascii_alphabetic).collect();
    let rest = answer.get(word.len()..).unwrap_or_default().trim_start_matches(['*', '_', '`', ' ']);
    let decided = match word.to_ascii_lowercase().as_str() {
        // Both at once is the form handed back, and not an answer.
        _ if rest.starts_with(['/', '|']) => None,
        "y" | "yes" => Some(true),
        "n" | "no" if is_undecided(rest) => None,
        "n" | "no" => Some(false),
        _ => None,
    };
    let rationale = if decided.is_some() { rest } else { answer };
    let rationale = strip_arrow(rationale).unwrap_or(rationale);
    let rationale = rationale.trim_start_matches([':', ',', '.', ';', '—', '–', '-', ' ']).trim();
    (decided, rationale.to_owned())
}

impl RawRaised {
    /// The question, and whether one may skip it.
    fn finished(self) -> (Raised, bool) {
        let Self { mut raised, choices, .. } = self;
        let mut skippable = false;
        for (text, pro, con) in choices {
            let (label, description) = split_dash(&text);
            // Marks around the word are not kept when it is written, so they make no other word of it here.
            if label.trim_matches(|c: char| !c.is_alphanumeric()).eq_ignore_ascii_case("skip") {
                skippable = true;
                continue;
            }
            let (pro, inline) = split_con(&pro);
            let con = if con.is_empty() { inline } else { con };
            raised.options.push(Choice {
                label: label.to_owned(),
                description: description.to_owned(),
                pro: pro.to_owned(),
                con,
            });
        }
        (raised, skippable)
    }
}

/// The verdict at the beginning of a text, and what stands behind it. A list of several is the form handed back. What lets
/// something through has to be said without a doubt on its own line, which has so many bytes.
fn verdict(text: &str, own: usize) -> (Option<CriterionVerdict>, String) {
    // A tick in front of it says the same once more.
    let bare = text.trim_start_matches(['✅', '✓', '✔', '☑', '\u{fe0f}', ' ']);
    let own = own.saturating_sub(text.len() - bare.len());
    let text = bare;
    let word: String = text.chars().take_while(char::is_ascii_alphabetic).collect();
    let rest = text.get(word.len()..).unwrap_or_default().trim_start_matches(['*', '_', '`', ' ']);
    let verdict: Option<CriterionVerdict> = word.to_ascii_uppercase().parse().ok();
    if verdict.is_none() || rest.starts_with(['|', '/']) {
        return (None, text.trim().to_owned());
    }
    let behind = text.get(word.len()..own).unwrap_or_default();
    let is_lenient = matches!(verdict, Some(CriterionVerdict::Pass | CriterionVerdict::Defer));
    if is_lenient && is_doubted(behind) || verdict == Some(CriterionVerdict::Pass) && is_reserved(behind) {
        return (None, text.trim().to_owned());
    }
    let detail = if let Some(inside) = rest.strip_prefix('(') {
        // What stands behind the bracket belongs to it all the same.
        let (detail, behind) = inside.rsplit_once(')').unwrap_or((inside, ""));
        unquoted(
            verdict,
            format!("{} {}", detail.trim(), behind.trim_start_matches(['.', ' '])).trim().to_owned(),
        )
    } else {
        let rest = strip_arrow(rest).unwrap_or(rest);
        rest.trim_start_matches([':', '—', '–', '-', ',', '.', ' ']).trim().to_owned()
    };
    (verdict, detail)
}

const RESULTS: &str = "write CONVERGED (N passes, M fixes, E escalations), CONTINUE (N fixed), ESCALATE (N items) \
                       or SAFETY CAP";

/// What a pass comes to.
fn result(text: &str) -> Option<PassResult> {
    let upper = text.trim().to_ascii_uppercase();
    let (keyword, figures) =
        upper.split_once('(').map_or((upper.as_str(), ""), |(keyword, rest)| (keyword, rest));
    let figures = figures.trim_end().trim_end_matches(')');
    match keyword.trim() {
        "CONVERGED" => {
            let mut parts = figures.split(',');
            let mut figure = |word: &str| {
                let part = parts.next()?;
                part.contains(word).then(|| first_number(part)).flatten()
            };
            let (passes, fixes, escalations) = (figure("PASS")?, figure("FIX")?, figure("ESCALATION")?);
            parts.next().is_none().then_some(PassResult::Converged { passes, fixes, escalations })
        }
        "CONTINUE" => {
            let fixed = first_number(figures)?;
            figures.contains("FIX").then_some(PassResult::Continue { fixed })
        }
        "ESCALATE" => {
            let items = first_number(figures)?;
            figures.contains("ITEM").then_some(PassResult::Escalate { items })
        }
        "SAFETY CAP" | "SAFETY_CAP" => Some(PassResult::SafetyCap),
        "NOT CONVERGED" => {
            let (open, reason) = figures.split_once(',')?;
            let open = open.contains("OPEN").then(|| first_number(open)).flatten()?;
            // Without the marks that the line itself is made of: it is written without them, too.
            let reason = bounded(&one_line(&reason.replace([',', ')', '(', '*'], " ")));
            Some(PassResult::NotConverged { open, reason: reason.trim_end().to_ascii_lowercase() })
        }
        _ => None,
    }
}

/// The beginning of a field.
fn bounded(text: &str) -> String {
    let mut field = String::new();
    append(&mut field, text);
    field
}

fn append(text: &mut String, more: &str) {
    let more = more.trim();
    if more.is_empty() || text.len() >= LONGEST_FIELD_BYTES {
        return;
    }
    if !text.is_empty() {
        text.push(' ');
    }
    let mut room = LONGEST_FIELD_BYTES.saturating_sub(text.len()).min(more.len());
    while !more.is_char_boundary(room) {
        room -= 1;
    }
    text.push_str(more.get(..room).unwrap_or_default());
}

fn short(text: &str) -> String {
    text.chars().take(60).collect()
}
