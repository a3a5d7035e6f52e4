//! Repairing a page for whoever asks, outside a sitting: the page, every edit with its reason, and what was
//! measured before and after.

use std::ops::Range;

use jury_eye::Beside;
use jury_text::brand::Brand;
use serde::{Deserialize, Serialize};

use crate::HouseError;
use crate::page::Page;
use crate::report::{Report, report_of};
use crate::score::{Unconfirmed, examine};
use crate::source::Source;
use crate::subject::Subject;

use super::edit::{Repair, signed};
use super::{Ambition, Question, design_defects, improve, questions};

/// How often the designer may go over a page that is too large to be measured as often as it would take.
const ROUNDS: usize = 4;

/// A page after the designer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RepairedPage {
    /// The page, with nothing changed but what the repairs list.
    pub html: String,
    /// What was done, in order.
    pub repairs: Vec<RepairNote>,
    /// What only a person can say, in place of a repair.
    #[serde(default)]
    pub questions: Vec<Question>,
    /// Tokens of the DESIGN.md the page had to leave, because no text in them can be read.
    pub design_defects: Vec<String>,
    /// What the house saw before.
    pub before: Report,
    /// What it sees now. Checks whose words the designer put in count half.
    pub after: Report,
}

/// One repair that was kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RepairNote {
    /// The check it answers.
    pub check: String,
    /// What was done and why, on one line.
    pub reason: String,
    /// The line of the page as given where it first changes something.
    pub line: usize,
    /// Whether it puts words on the page that nobody wrote for this place; a person should confirm them.
    pub to_confirm: bool,
    /// The step it belongs to, from 1. All edits of a step are made at once, to the text the step before left.
    pub step: usize,
    /// The bytes it changes.
    pub edits: Vec<EditNote>,
}

/// Some bytes replaced with others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EditNote {
    /// The byte of the step's text where it begins.
    pub at: usize,
    /// The line of the page as given.
    pub line: usize,
    /// What stood there; empty for an insertion.
    pub was: String,
    /// What stands there now.
    pub now: String,
}

/// Repairs a page as far as machines may: no edit stays that does not measurably help, and none that harms. What is
/// not a must-fix is repaired only where nothing around it moves.
///
/// `design` is the text of a DESIGN.md, `beside` the files the page may load.
pub fn repair(page: &str, design: Option<&str>, beside: &Beside) -> Result<RepairedPage, HouseError> {
    let brand = Brand::of(design, |name| beside.get(name), page);
    let subject = Subject { brand: brand.as_ref(), beside };
    let mut current = Page::measure(page.to_owned(), subject)?;
    let mut examination = examine(&current);
    let before = report_of(&current, &examination, &Unconfirmed::new());
    let design_defects = design_defects(&current);
    let mut unconfirmed = Unconfirmed::new();
    let mut history = History::of(page);
    let mut notes = Vec::new();
    for _ in 0..ROUNDS {
        let Some(improved) = improve(&current, &examination, Ambition::Quiet) else { break };
        for repair in improved.repairs().filter(|repair| repair.invents_words) {
            examination.doubt(&improved.examination, repair.check, &mut unconfirmed);
        }
        for step in &improved.steps {
            notes.extend(history.advance(step));
        }
        let settled = !improved.exhausted;
        (current, examination) = (improved.page, improved.examination);
        if settled {
            break;
        }
    }
    Ok(RepairedPage {
        repairs: notes,
        questions: questions(&current, &examination),
        design_defects,
        before,
        after: report_of(&current, &examination, &unconfirmed),
        html: current.html,
    })
}

/// The text as it went through the steps, and where each byte came from.
struct History {
    /// Lines of the page as given.
    source: Source,
    text: String,
    steps: usize,
    /// Edits made so far, as places in the text they left and how far it was shifted there.
    shifts: Vec<(usize, isize)>,
}

impl History {
    fn of(page: &str) -> Self {
        Self { source: Source::read(page), text: page.to_owned(), steps: 0, shifts: Vec::new() }
    }

    /// Notes for the repairs of one step, and the text they leave.
    fn advance(&mut self, repairs: &[Repair]) -> Vec<RepairNote> {
        self.steps += 1;
        let notes = repairs
            .iter()
            .map(|repair| {
                let edits: Vec<EditNote> =
                    repair.edits.iter().map(|(span, now)| self.note(span.clone(), now)).collect();
                RepairNote {
                    check: repair.check.to_owned(),
                    reason: repair.reason.clone(),
                    line: edits.iter().map(|edit| edit.line).min().unwrap_or(1),
                    to_confirm: repair.invents_words,
                    step: self.steps,
                    edits,
                }
            })
            .collect();
        let mut edits: Vec<(Range<usize>, usize)> = repairs
            .iter()
            .flat_map(|repair| &repair.edits)
            .map(|(span, now)| (span.clone(), now.len()))
            .collect();
        edits.sort_by_key(|(span, _)| (span.start, span.end));
        for (span, length) in edits.iter().rev() {
            let by = signed(*length) - signed(span.len());
            for (at, _) in self.shifts.iter_mut().filter(|(at, _)| *at >= span.end) {
                *at = at.saturating_add_signed(by);
            }
            self.shifts.push((span.start, by));
        }
        self.text = super::edit::apply(&self.text, repairs).0;
        notes
    }

    fn note(&self, span: Range<usize>, now: &str) -> EditNote {
        let before: isize = self.shifts.iter().filter(|(at, _)| *at < span.start).map(|(_, by)| by).sum();
        EditNote {
            at: span.start,
            line: self.source.line(span.start.saturating_add_signed(-before)),
            was: self.text.get(span).unwrap_or_default().to_owned(),
            now: now.to_owned(),
        }
    }
}
