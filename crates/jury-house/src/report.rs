//! What the house has to say about a page in one look, as plain data: for people who check many pages, for baselines,
//! and for whoever wants one finding explained.

use std::collections::BTreeMap;

use jury_core::evidence::Span;
use jury_core::finding::{self, FindingId, FindingState};
use jury_eye::{Beside, Coverage, NodeId, Viewport};
use jury_text::brand::{Brand, BrandReport};
use serde::{Deserialize, Serialize};

use crate::HouseError;
use crate::checks::Check;
use crate::finding::{Figure, Finding, Severity};
use crate::mark::{digest, mark};
use crate::page::{Page, VIEWPORTS, selector};
use crate::reference;
use crate::score::{Examination, Unconfirmed, examine};
use crate::session::NOT_JUDGED;
use crate::subject::Subject;

/// So many bytes of paths are written into a report. A page that is deep and wide could otherwise fill any memory.
const MAX_PATH_BYTES: usize = 4 * 1024 * 1024;

/// A page as the house sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The windows it was measured in.
    pub viewports: Vec<Viewport>,
    /// What the figures can speak for.
    pub coverage: Coverage,
    /// Why only part of the page was seen, if it was.
    pub partial: Option<String>,
    /// What each panelist would say.
    pub seats: Vec<SeatReport>,
    /// What each check measured.
    pub checks: Vec<CheckReport>,
    /// Everything open, worst first.
    pub findings: Vec<ReportedFinding>,
    /// What could not be decided.
    pub undecided: Vec<ReportedFinding>,
    /// What the page was held against, when it has a brand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brand: Option<BrandReport>,
    /// How many pages percentiles compare with.
    #[serde(default)]
    pub reference_pages: usize,
    /// What no figure here speaks about.
    pub not_judged: String,
}

/// What one panelist measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeatReport {
    /// The role of the panelist.
    pub role: String,
    /// From what is certain to what would hold if all that is undecided were good; absent with nothing to measure.
    pub score: Option<Span>,
    /// The share of reference pages, in per cent, that its lower end leaves behind.
    #[serde(default)]
    pub percentile: Option<u8>,
    /// How many things must be fixed, each cause counted once.
    #[serde(default)]
    pub must_fix: usize,
    /// The score of each dimension, by name.
    pub dimensions: Vec<(String, Span)>,
}

/// What one check found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckReport {
    /// The id of the check.
    pub id: String,
    /// Its score; absent when it did not apply.
    pub score: Option<Span>,
    /// The share of reference pages, in per cent, that its lower end leaves behind.
    #[serde(default)]
    pub percentile: Option<u8>,
    /// What was measured, in words.
    pub note: String,
}

/// One finding, as it is reported.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReportedFinding {
    /// `check#digits`: the same for the same cause on the same page, wherever its lines have gone.
    pub id: String,
    /// The check that found it.
    pub check: String,
    /// How bad it is.
    pub severity: Severity,
    /// What it is, on one line.
    pub what: String,
    /// What tells it from others of its check.
    pub cause: String,
    /// The elements that it is about.
    pub places: Vec<ElementPlace>,
    /// The numbers behind it.
    pub figures: Vec<Figure>,
    /// The window it was found in, when it is not the first.
    pub viewport: Option<Viewport>,
}

impl ReportedFinding {
    /// The same as a finding of the page in this file.
    pub fn finding(&self, file: &str) -> finding::Finding {
        let place = self.places.first();
        finding::Finding {
            id: FindingId::known(&self.id),
            rule: Some(self.check.clone()),
            severity: self.severity,
            place: finding::Place {
                file: Some(file.to_owned()),
                line: place.and_then(|place| u32::try_from(place.line?).ok()),
                selector: place.map(|place| place.selector.clone()),
                path: place.map(|place| place.path.clone()).filter(|path| !path.is_empty()),
                ..finding::Place::default()
            },
            text: self.what.clone(),
            suggestion: None,
            figures: self.figures.clone(),
            state: FindingState::Open,
        }
    }
}

/// An element of the page, as it is reported.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ElementPlace {
    /// A short name for it.
    pub selector: String,
    /// The way to it from the root, one step for each element: a selector that finds it and nothing else. Empty when
    /// there are too many to name them all.
    pub path: String,
    /// The line of its tag.
    pub line: Option<usize>,
    /// What it is known by when the page around it changes: the same for what leads to the same place and has the same words.
    #[serde(default)]
    pub mark: String,
}

/// Looks at a page once, with all checks.
pub fn report(page: &str, design: Option<&str>, beside: &Beside) -> Result<Report, HouseError> {
    let brand = Brand::of(design, |name| beside.get(name), page);
    let subject = Subject { brand: brand.as_ref(), beside };
    let page = Page::measure(page.to_owned(), subject)?;
    let examination = examine(&page);
    Ok(report_of(&page, &examination, &Unconfirmed::new()))
}

/// What there is to say about a page that was measured and examined already.
pub(crate) fn report_of(page: &Page<'_>, examination: &Examination, unconfirmed: &Unconfirmed) -> Report {
    let low = examination.reviews(unconfirmed);
    let high = examination.hopeful_reviews();
    let seats = low
        .iter()
        .zip(&high)
        .map(|(low, high)| SeatReport {
            role: low.panelist.role().to_owned(),
            score: low.score.zip(high.score).map(|(low, high)| Span { low, high }),
            percentile: low.percentile,
            must_fix: low.must_fix.len(),
            dimensions: low
                .dimensions
                .iter()
                .zip(&high.dimensions)
                .map(|(low, high)| (low.name.to_owned(), Span { low: low.score, high: high.score }))
                .collect(),
        })
        .collect();
    let checks = examination
        .results()
        .map(|(check, outcome)| {
            let score = examination.check_span(check.id);
            CheckReport {
                id: check.id.to_owned(),
                percentile: score.and_then(|span| reference::percentile(check.id, span.low)),
                score,
                note: outcome.note.clone(),
            }
        })
        .collect();
    let mut ids = Ids::default();
    let mut findings: Vec<ReportedFinding> = examination
        .findings_with_checks()
        .map(|(check, finding)| found(page, check, finding, &mut ids))
        .collect();
    findings.sort_by_key(|found| std::cmp::Reverse(found.severity));
    let undecided = examination
        .results()
        .flat_map(|(check, outcome)| outcome.undecided.iter().map(move |finding| (check, finding)))
        .map(|(check, finding)| found(page, check, finding, &mut ids))
        .collect();
    Report {
        viewports: VIEWPORTS.to_vec(),
        coverage: page.snapshot.coverage.clone(),
        partial: examination.remark().map(ToOwned::to_owned),
        seats,
        checks,
        findings,
        undecided,
        reference_pages: reference::PAGES,
        brand: page.brand().map(BrandReport::from),
        not_judged: NOT_JUDGED.to_owned(),
    }
}

/// What naming findings and places takes, kept over a report: ids given so far (a cause that comes twice is told apart
/// by its number), and where each element stands among its siblings.
#[derive(Default)]
pub(crate) struct Ids {
    given: BTreeMap<(String, String), usize>,
    ordinals: Vec<usize>,
    path_bytes: usize,
}

impl Ids {
    fn give(&mut self, check: &str, cause: &str) -> String {
        let seen = self.given.entry((check.to_owned(), cause.to_owned())).or_default();
        *seen += 1;
        let text = format!("{check}\n{cause}\n{seen}");
        format!("{check}#{:06x}", digest(text.as_bytes()) & 0x00ff_ffff)
    }
}

pub(crate) fn found(page: &Page<'_>, check: &Check, finding: &Finding, ids: &mut Ids) -> ReportedFinding {
    let places: Vec<ElementPlace> = finding.nodes.iter().filter_map(|id| place(page, *id, ids)).collect();
    let cause = if finding.cause.is_empty() {
        places.first().map_or_else(String::new, |place| place.selector.clone())
    } else {
        finding.cause.clone()
    };
    ReportedFinding {
        id: ids.give(check.id, &cause),
        check: check.id.to_owned(),
        severity: finding.severity,
        what: finding.what.clone(),
        cause,
        places,
        figures: finding.figures.clone(),
        viewport: finding.viewport,
    }
}

pub(crate) fn place(page: &Page<'_>, id: NodeId, ids: &mut Ids) -> Option<ElementPlace> {
    let node = page.node(id)?;
    Some(ElementPlace {
        selector: selector(node),
        path: ids.path(page, id),
        line: page.line(id),
        mark: mark(page, node),
    })
}

impl Ids {
    /// `html>body>div:nth-child(2)>p:nth-child(1)`; nothing once there are so many that nobody would follow them.
    fn path(&mut self, page: &Page<'_>, id: NodeId) -> String {
        if self.path_bytes > MAX_PATH_BYTES {
            return String::new();
        }
        if self.ordinals.is_empty() {
            self.ordinals = ordinals(page);
        }
        let mut steps = Vec::new();
        let mut current = page.node(id);
        while let Some(node) = current {
            let parent = node.parent.and_then(|parent| page.node(parent));
            let ordinal = self.ordinals.get(node.id.index()).copied().unwrap_or(1);
            steps.push(match parent {
                Some(parent) if parent.parent.is_some() => format!("{}:nth-child({ordinal})", node.tag),
                _ => node.tag.clone(),
            });
            current = parent;
        }
        steps.reverse();
        let path = steps.join(">");
        self.path_bytes += path.len();
        path
    }
}

/// For each element, which child of its parent it is, from 1.
fn ordinals(page: &Page<'_>) -> Vec<usize> {
    let nodes = &page.snapshot.nodes;
    let mut children = vec![0; nodes.len()];
    nodes
        .iter()
        .map(|node| {
            let Some(seen) = node.parent.and_then(|parent| children.get_mut(parent.index())) else {
                return 1;
            };
            *seen += 1;
            *seen
        })
        .collect()
}
