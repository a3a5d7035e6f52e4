//! The designer of the house: mechanical repairs, each a few bytes of the source, kept only when the page
//! is measurably better for them.
//!
//! Repairs are proposed from what is open, tried in batches and bisected on refusal ([`batch`]); the [`acceptance`] says
//! what may stay. Of several ways to repair one thing the next is tried when one was refused.
//!
//! Why it ends: a pass either keeps something, and then the potential, a tuple of bounded counts, has fallen; or it
//! refuses at least one proposal, which is not made again on this text. What is proposed is a function of the page,
//! so there are finitely many. The budget of measurements only makes the end come sooner. And when it ends for want of
//! proposals, repairing the result again changes nothing: everything left was refused on that very text.

mod acceptance;
mod action;
mod attributes;
mod batch;
mod brand;
mod contrast;
mod edges;
mod edit;
mod harm;
mod head;
mod landmarks;
mod layout;
mod length;
mod motion;
mod names;
mod questions;
mod repaired;
mod rule;
mod scale;
mod sight;
mod stylesheet;
mod tokens;
mod words;

use std::collections::BTreeSet;

use batch::{Batch, Budget};
use edit::Key;
pub(crate) use edit::{Repair, Visible};
pub use questions::Question;
pub(crate) use questions::questions;
pub use repaired::{EditNote, RepairNote, RepairedPage, repair};

use crate::finding::Severity;
use crate::page::Page;
use crate::score::Examination;

/// Bytes one round may have measured for repairs. A small page can be tried often; a large one must do
/// with a few batches.
const MEASURED_BYTES: usize = 800_000;

/// Elements one round may have measured: a small file can hold a page that takes seconds.
const MEASURED_ELEMENTS: usize = 40_000;

/// Which findings a round goes for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ambition {
    /// What must be fixed.
    MustFix,
    /// Everything that can be repaired without a box moving, and what must be fixed even if boxes move.
    Quiet,
    /// Every repair that is known.
    Everything,
}

impl Ambition {
    fn least(self) -> Severity {
        match self {
            Self::MustFix => Severity::Serious,
            Self::Quiet | Self::Everything => Severity::Minor,
        }
    }

    /// Whether a repair may be seen, when all it answers is this bad.
    fn may_be_seen(self, worst: Severity) -> bool {
        self != Self::Quiet || worst.is_must_fix()
    }
}

/// A page after repairs.
pub(crate) struct Improved<'brand> {
    pub(crate) page: Page<'brand>,
    pub(crate) examination: Examination,
    /// What was done: the repairs of each step are made at once, to the text the step before left.
    pub(crate) steps: Vec<Vec<Repair>>,
    /// Whether it ended for want of measurements and not for want of proposals.
    pub(crate) exhausted: bool,
}

impl Improved<'_> {
    /// Everything that was done, in order.
    pub(crate) fn repairs(&self) -> impl Iterator<Item = &Repair> {
        self.steps.iter().flatten()
    }
}

/// What a DESIGN.md demands that no page can give its readers.
pub(crate) fn design_defects(page: &Page<'_>) -> Vec<String> {
    brand::defects(page)
}

/// Repairs a page as far as the ambition goes. Absent when nothing could be improved.
pub(crate) fn improve<'brand>(
    page: &Page<'brand>,
    examination: &Examination,
    ambition: Ambition,
) -> Option<Improved<'brand>> {
    let mut best: Option<Improved<'brand>> = None;
    let by_bytes = (MEASURED_BYTES / page.html.len().max(1)).clamp(8, 40);
    let by_elements = (MEASURED_ELEMENTS / page.snapshot.nodes.len().max(1)).max(2);
    let mut budget = Budget(by_bytes.min(by_elements));
    let mut refused: BTreeSet<Key> = BTreeSet::new();
    while budget.0 > 0 {
        let (page, examination) =
            best.as_ref().map_or((page, examination), |best| (&best.page, &best.examination));
        let mut repairs = propose(page, examination, ambition, &refused);
        // What nobody should see is settled first: there the guard can hold every box in its place, and what changes
        // no colour needs no pixels. What keeps every style is by itself, so that the guard can tell.
        let class = |repair: &Repair| (repair.visible, !repair.leaves_pixels(), repair.keeps_styles());
        let Some(least) = repairs.iter().map(class).min() else { break };
        repairs.retain(|repair| class(repair) == least);
        let known = refused.len();
        let mut batch = Batch { page, examination, budget: &mut budget, refused: &mut refused };
        match batch.settle(&repairs) {
            Some(step) => {
                let mut steps = best.map_or_else(Vec::new, |best| best.steps);
                steps.push(step.repairs);
                best = Some(Improved {
                    page: step.page,
                    examination: step.examination,
                    steps,
                    exhausted: false,
                });
                // What did not help the page as it was may help it as it is. So nothing is left in the end that was
                // not tried on the very page that is given out, and to repair that again changes nothing.
                refused.clear();
            }
            None if refused.len() == known => break,
            None => {}
        }
    }
    if let Some(best) = &mut best {
        best.exhausted = budget.0 == 0;
    }
    best
}

/// One repair for each thing that is open and has one that was not refused yet.
fn propose(
    page: &Page<'_>,
    examination: &Examination,
    ambition: Ambition,
    refused: &BTreeSet<Key>,
) -> Vec<Repair> {
    let asked = Asked { page, examination, least: ambition.least(), refused };
    let mut repairs: Vec<Repair> = Vec::new();
    if asked.wants("a11y/contrast") {
        repairs.extend(contrast::repairs(&asked));
    }
    // The last look before a page ships stops at notes to oneself, however small a fault they are.
    if !asked.wants("copy/placeholder") && examination.has("copy/placeholder", Severity::Minor) {
        repairs.extend(words::comments(page).into_iter().filter(|repair| asked.is_open(repair)));
    }
    for (check, proposals) in WAYS {
        if asked.wants(check) {
            for ways in proposals(&asked) {
                repairs.extend(asked.first(ways, ambition));
            }
        }
    }
    repairs
}

/// Several ways to repair one thing, the best first.
type Ways = Vec<Repair>;

/// Finds ways to repair what a check has found.
type Answer = fn(&Asked<'_>) -> Vec<Ways>;

/// What answers which check.
const WAYS: &[(&str, Answer)] = &[
    ("a11y/lang", |asked| each(head::language(asked.page))),
    ("a11y/title", |asked| each(head::title(asked.page))),
    ("a11y/viewport", |asked| each(head::viewport(asked.page))),
    ("a11y/zoom", |asked| each(head::zoom(asked.page))),
    ("a11y/img-alt", |asked| each(names::images(asked.page))),
    ("a11y/field-label", |asked| each(names::fields(asked.page, asked.least))),
    ("a11y/main", |asked| landmarks::main_part(asked.page)),
    ("a11y/scroll-focus", attributes::scroll_focus),
    ("a11y/aria", |asked| attributes::invalid_aria(asked, "a11y/aria")),
    ("a11y/aria-allowed", |asked| attributes::invalid_aria(asked, "a11y/aria-allowed")),
    ("a11y/aria-prohibited", |asked| attributes::invalid_aria(asked, "a11y/aria-prohibited")),
    ("a11y/aria-hidden", |asked| attributes::invalid_aria(asked, "a11y/aria-hidden")),
    ("a11y/nontext-contrast", edges::faint),
    ("a11y/spacing", |asked| each(stylesheet::fixed_spacing(asked))),
    ("a11y/link-in-text", layout::links_in_text),
    ("a11y/motion", motion::rests),
    ("a11y/target", layout::targets),
    ("a11y/reflow", layout::reflow),
    ("a11y/focus", |asked| each(stylesheet::focus(asked.page))),
    ("critic/cta", action::colours),
    ("critic/small-text", |asked| each(stylesheet::small_text(asked))),
    ("critic/type-scale", |asked| each(stylesheet::type_scale(asked))),
    ("critic/rhythm", |asked| each(stylesheet::rhythm(asked.page))),
    ("critic/caps", |asked| each(stylesheet::capitals(asked))),
    ("critic/measure", layout::measure),
    ("critic/symmetry", layout::symmetry),
    ("brand/colour", brand::colours),
    ("brand/font", brand::fonts),
    ("brand/tokens", tokens::properties),
    ("brand/scale", scale::steps),
    ("copy/placeholder", |asked| each(words::comments(asked.page))),
    ("copy/links", |asked| each(words::links(asked.page))),
];

/// Repairs that are the only way each.
fn each(repairs: impl IntoIterator<Item = Repair>) -> Vec<Ways> {
    repairs.into_iter().map(|repair| vec![repair]).collect()
}

/// What repairs are asked for.
pub(crate) struct Asked<'a> {
    pub(crate) page: &'a Page<'a>,
    pub(crate) examination: &'a Examination,
    pub(crate) least: Severity,
    refused: &'a BTreeSet<Key>,
}

impl Asked<'_> {
    fn wants(&self, check: &str) -> bool {
        self.examination.has(check, self.least)
    }

    /// Whether a repair was not refused yet.
    fn is_open(&self, repair: &Repair) -> bool {
        !self.refused.contains(&repair.key(&self.page.html))
    }

    /// The first way that was not refused yet and may be seen as far as it goes.
    fn first(&self, ways: Ways, ambition: Ambition) -> Option<Repair> {
        ways.into_iter().find(|repair| {
            let worst = self.found(repair.check).map(|finding| finding.severity).max();
            (repair.visible == Visible::No || worst.is_some_and(|worst| ambition.may_be_seen(worst)))
                && self.is_open(repair)
        })
    }

    /// What a check found that is bad enough.
    fn found(&self, check: &str) -> impl Iterator<Item = &crate::finding::Finding> {
        self.examination
            .findings()
            .filter(move |(id, finding)| *id == check && finding.severity >= self.least)
            .map(|(_, finding)| finding)
    }

    /// The elements a check found, each once, in document order.
    fn elements(&self, check: &str) -> Vec<jury_eye::NodeId> {
        let nodes: BTreeSet<_> =
            self.found(check).flat_map(|finding| finding.nodes.iter().copied()).collect();
        nodes.into_iter().take(MAX_ELEMENTS).collect()
    }
}

/// Elements one check may have repaired in a pass.
const MAX_ELEMENTS: usize = 400;

#[cfg(test)]
mod tests {
    use super::acceptance::Potential;
    use super::*;
    use crate::score::examine;
    use crate::subject::Subject;

    const FAULTY: &str = "<style>:root{--muted:#aaa}p{color:var(--muted)}a{outline:none}</style><h1>Bread</h1>\
        <h4>Prices</h4><p>Warm at six.</p><p>Lorem ipsum dolor sit amet</p><a href=\"#\">Prices</a>\
        <label>Mail</label><input name=mail><img src=a.png><!-- TODO: more -->";

    fn measured(html: &str) -> (Page<'static>, Examination) {
        measured_with(html, Subject::ALONE)
    }

    fn measured_with(html: &str, subject: Subject<'static>) -> (Page<'static>, Examination) {
        let page = Page::measure(html.to_owned(), subject).expect("measurable");
        let examination = examine(&page);
        (page, examination)
    }

    #[test]
    fn every_accepted_step_lowers_the_potential_until_none_is_left() {
        let (mut page, mut examination) = measured(FAULTY);
        for steps in 0.. {
            assert!(steps < 6, "repairs go on and on");
            let before = Potential::of(&examination);
            let Some(improved) = improve(&page, &examination, Ambition::Everything) else { break };
            let after = Potential::of(&improved.examination);
            assert!(after < before, "{before:?} to {after:?}");
            (page, examination) = (improved.page, improved.examination);
        }
        // What the image shows, which language this is and what should stand instead of the filler is left to a person.
        let left: Vec<&str> = examination
            .findings()
            .filter(|(_, finding)| finding.severity.is_must_fix())
            .map(|(check, _)| check)
            .collect();
        assert_eq!(left, ["a11y/img-alt", "a11y/lang", "copy/placeholder"]);
    }

    #[test]
    fn edits_leave_every_other_byte_alone() {
        let (page, examination) = measured(FAULTY);
        let improved = improve(&page, &examination, Ambition::MustFix).expect("something to repair");
        let html = &improved.page.html;
        assert!(html.contains("--muted:#7") || html.contains("--muted:#6"), "{html}");
        assert!(html.contains("dolor sit amet</p><a href=\"#prices\">Prices</a>"), "{html}");
        assert!(html.contains("<label for=\"mail\">Mail</label><input id=\"mail\" name=mail>"), "{html}");
        assert!(html.ends_with("<img src=a.png>"), "{html}");
    }

    #[test]
    fn the_table_says_what_the_designer_can_do() {
        // Text is repaired in two passes of its own; what a critic says of it is the same measurement.
        let apart = ["a11y/contrast", "critic/contrast"];
        for check in crate::checks::all() {
            let answered = apart.contains(&check.id) || WAYS.iter().any(|(id, _)| *id == check.id);
            assert_eq!(check.about.repair != crate::checks::RepairKind::None, answered, "{}", check.id);
        }
    }

    #[test]
    fn a_repair_that_helps_nothing_is_dropped() {
        let (page, examination) = measured("<html lang=en><title>Bread</title><p>Warm at six.</p>");
        let useless = vec![Repair::insert("a11y/lang", 0, "<!-- hello -->", "useless")];
        let mut refused = BTreeSet::new();
        let mut batch =
            Batch { page: &page, examination: &examination, budget: &mut Budget(5), refused: &mut refused };
        assert!(batch.settle(&useless).is_none());
        assert_eq!(refused.into_iter().map(|(check, ..)| check).collect::<Vec<_>>(), ["a11y/lang"]);
    }

    const FAULTS: &[&str] = &[
        "<p style=\"color:#aaa\">Pale words to read here</p>",
        "<p class=muted>Words in a token that is too pale</p>",
        "<div style=\"opacity:.4\"><p>Faded words to read here</p></div>",
        "<h5>Deep</h5><p>Under a deep heading</p>",
        "<label>City</label><input name=city>",
        "<div role=buton>Invalid</div>",
        "<div style=\"width:700px\">Wider than a phone</div>",
        "<p style=\"font-size:9px\">Very small print indeed</p>",
        "<p>Lorem ipsum dolor sit amet</p><p>Other words</p>",
        "<p><a class=buy href=\"https://a.org/\">Order a loaf</a></p>",
        "<p style=\"text-transform:uppercase;padding:15px;border-radius:7px\">Capitals off the scale</p>",
        "<p style=\"color:#8a3324;font-size:17px;line-height:1!important\">Written out</p>",
        "<div style=\"padding:8px 8px 8px 11px;max-width:600px\">Uneven</div><input style=\"border:0;background:#eee\">",
    ];

    const DESIGN: &str = "---\ncolors:\n  paper: \"#ffffff\"\n  ink: \"#1a1a1a\"\n  rust: \"#8a3324\"\ntypography:\n  \
        a:\n    fontSize: 16px\n  b:\n    fontSize: 24px\n  c:\n    fontSize: 40px\nrounded:\n  a: 8px\nspacing:\n  \
        a: 8px\n  b: 16px\n  c: 32px\n---\n";

    static BRAND: std::sync::LazyLock<Option<jury_text::brand::Brand>> =
        std::sync::LazyLock::new(|| jury_text::brand::Brand::of(Some(DESIGN), |_| None, ""));

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig { cases: 16, ..Default::default() })]

        #[test]
        fn the_potential_falls_with_every_step(
            faults in proptest::collection::vec(0..FAULTS.len(), 0..6),
            branded in proptest::prelude::any::<bool>(),
        ) {
            let brand = if branded { BRAND.as_ref() } else { None };
            let subject = Subject { brand, ..Subject::ALONE };
            let body: String = faults.iter().filter_map(|index| FAULTS.get(*index).copied()).collect();
            let html = format!("<style>:root{{--muted:#b0b0b0;--rust:#8a3324}}.muted{{color:var(--muted)}}.buy{{padding:14px;background:#9cf;color:#000}}</style><h1>Bread</h1>{body}");
            let (page, examination) = measured_with(&html, subject);
            if let Some(improved) = improve(&page, &examination, Ambition::Everything) {
                let mut before = Potential::of(&examination);
                let mut text = html;
                for step in &improved.steps {
                    let (next, applied) = edit::apply(&text, step);
                    proptest::prop_assert_eq!(applied.len(), step.len());
                    let after = Potential::of(&measured_with(&next, subject).1);
                    proptest::prop_assert!(after < before, "{:?} to {:?} by {:?}", before, after, step);
                    (text, before) = (next, after);
                }
                proptest::prop_assert_eq!(&text, &improved.page.html);
            }
        }
    }
}
