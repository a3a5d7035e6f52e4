//! Compares pages before and after: `harm BEFORE AFTER NAME...` reads each page from both folders and counts, in the four
//! windows, the elements that had no fault and look otherwise or stand elsewhere.
//!
//! An element had a fault if a finding before names it, in a check of which anything is gone afterwards. It looks otherwise
//! when its colour (of text), background, border, opacity or size of letters is another, or when it is not shown any more;
//! it stands elsewhere when its box moved or grew by more than 4 px. Nothing of the designer is used to tell.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use jury_eye::{Beside, Node, Rgba, Sight, Snapshot, Viewport, look_at};

/// How far a box may be from where it was.
const MOVED: f32 = 4.0;

/// What is counted and no harm: going down in a window that had to be scrolled sideways before.
const PUSHED: &str = "pushed down where the page did not fit";

/// What a fault lets change, and the harm that was found.
#[derive(Debug, Default)]
struct Tally {
    harmed: BTreeSet<usize>,
    ways: BTreeMap<&'static str, usize>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let before = arguments.next().ok_or("usage: harm BEFORE AFTER NAME...")?;
    let after = arguments.next().ok_or("usage: harm BEFORE AFTER NAME...")?;
    let mut out = io::stdout().lock();
    let (mut pages, mut harmed_pages, mut harmed) = (0, 0, 0);
    let (mut open_before, mut open_after) = (0, 0);
    let mut ways: BTreeMap<&str, usize> = BTreeMap::new();
    for name in arguments {
        let (Ok(was), Ok(is)) = (read(&before.join(&name)), read(&after.join(&name))) else { continue };
        let (one, other) = (report(&was)?, report(&is)?);
        let (open, left) = (violations(&one), violations(&other));
        let faulty = faulty(&one, &other);
        let tally = compare(&look(&was)?, &look(&is)?, &faulty)?;
        writeln!(
            out,
            "{} harmed {} {:?}, violations {open} to {left}",
            name.display(),
            tally.harmed.len(),
            tally.ways
        )?;
        pages += 1;
        harmed_pages += usize::from(!tally.harmed.is_empty());
        harmed += tally.harmed.len();
        open_before += open;
        open_after += left;
        for (way, count) in tally.ways {
            *ways.entry(way).or_default() += count;
        }
    }
    writeln!(
        out,
        "TOTAL {pages} pages, {harmed} harmed elements on {harmed_pages} pages {ways:?}, violations {open_before} to {open_after}"
    )?;
    Ok(())
}

fn read(path: &Path) -> io::Result<String> {
    Ok(String::from_utf8_lossy(&std::fs::read(path)?).into_owned())
}

fn report(page: &str) -> Result<jury_house::Report, jury_house::HouseError> {
    jury_house::report(page, None, &Beside::nothing())
}

fn look(page: &str) -> Result<Vec<Snapshot>, jury_eye::EyeError> {
    let viewports = [Viewport::DESKTOP, Viewport::TABLET, Viewport::PHONE, Viewport::NARROW];
    let beside = Beside::nothing();
    look_at(Sight { html: page, beside: &beside, viewports: &viewports, pixels: None })
}

/// Checks that axe has too and for which there are, or were, repairs.
const VIOLATIONS: &[&str] = &[
    "a11y/contrast",
    "a11y/region",
    "a11y/main",
    "a11y/heading-order",
    "a11y/scroll-focus",
    "a11y/lang",
    "a11y/title",
    "a11y/zoom",
    "a11y/control-name",
    "a11y/field-label",
    "a11y/img-alt",
    "a11y/link-in-text",
    "a11y/target",
    "a11y/aria",
];

fn violations(report: &jury_house::Report) -> usize {
    let counted = report.findings.iter().filter(|found| VIOLATIONS.contains(&found.check.as_str()));
    counted.map(|found| found.places.len().max(1)).sum()
}

/// The elements with a fault that is mended, by their way from the root.
fn faulty(before: &jury_house::Report, after: &jury_house::Report) -> BTreeSet<String> {
    let places = |report: &jury_house::Report, check: &str| -> usize {
        report
            .findings
            .iter()
            .filter(|found| found.check == check)
            .map(|found| found.places.len().max(1))
            .sum()
    };
    before
        .findings
        .iter()
        .filter(|found| places(after, &found.check) < places(before, &found.check))
        .flat_map(|found| found.places.iter().map(|place| place.path.clone()))
        .collect()
}

/// The way to each element, as reports write it.
fn paths(snapshot: &Snapshot) -> Vec<String> {
    let mut children = vec![0_usize; snapshot.nodes.len()];
    let mut all: Vec<String> = Vec::with_capacity(snapshot.nodes.len());
    for node in &snapshot.nodes {
        let step = node.parent.map(|parent| {
            children.get_mut(parent.index()).map_or(1, |count| {
                *count += 1;
                *count
            })
        });
        let around = node.parent.and_then(|parent| snapshot.node(parent));
        all.push(match (around, step) {
            (Some(parent), Some(step)) => {
                let way = all.get(parent.id.index()).cloned().unwrap_or_default();
                if parent.parent.is_some() {
                    format!("{way}>{}:nth-child({step})", node.tag)
                } else {
                    format!("{way}>{}", node.tag)
                }
            }
            _ => node.tag.clone(),
        });
    }
    all
}

fn compare(
    before: &[Snapshot],
    after: &[Snapshot],
    faulty: &BTreeSet<String>,
) -> Result<Tally, std::num::TryFromIntError> {
    let mut tally = Tally::default();
    for (was, is) in before.iter().zip(after) {
        let paths = paths(was);
        let (faint, fainter) = (opacities(was), opacities(is));
        let sideways = was.page.scroll_width > f32::from(u16::try_from(was.viewport.width)?) + 1.0;
        let mut next = 0;
        for node in &was.nodes {
            // Elements are only added, so each is the next one that is like it.
            let same = |other: &Node| {
                other.tag == node.tag
                    && other.attribute("class") == node.attribute("class")
                    && (other.text == node.text || node.tag == "style")
            };
            let Some(offset) = is.nodes.get(next..).and_then(|rest| rest.iter().position(same)) else {
                continue;
            };
            let index = next + offset;
            next = index + 1;
            let Some(other) = is.nodes.get(index) else { continue };
            let exempt = paths.get(node.id.index()).is_some_and(|path| faulty.contains(path));
            let strength = |list: &[f32], at: usize| list.get(at).copied().unwrap_or(1.0);
            let faded = (strength(&faint, node.id.index()) - strength(&fainter, index)).abs() > 0.01;
            for way in harms(node, other, faded).into_iter().filter(|_| !exempt) {
                if way == "position" && sideways && is_pushed(node, other) {
                    *tally.ways.entry(PUSHED).or_default() += 1;
                    continue;
                }
                if tally.harmed.insert(node.id.index()) {
                    *tally.ways.entry(way).or_default() += 1;
                }
            }
        }
    }
    Ok(tally)
}

/// Whether a box only went down.
fn is_pushed(was: &Node, is: &Node) -> bool {
    was.rect.zip(is.rect).is_some_and(|(was, is)| (was.x - is.x).abs() <= MOVED && is.y > was.y)
}

fn opacities(snapshot: &Snapshot) -> Vec<f32> {
    let mut all: Vec<f32> = Vec::with_capacity(snapshot.nodes.len());
    for node in &snapshot.nodes {
        let around = node.parent.and_then(|parent| all.get(parent.index())).copied().unwrap_or(1.0);
        all.push(around * node.style.as_ref().map_or(1.0, |style| style.opacity));
    }
    all
}

fn differs(one: Rgba, other: Rgba) -> bool {
    let parts = |colour: Rgba| [colour.red, colour.green, colour.blue, colour.alpha];
    let unseen = one.alpha < 0.01 && other.alpha < 0.01;
    !unseen && parts(one).iter().zip(parts(other)).any(|(one, other)| (one - other).abs() > 0.012)
}

fn harms(was: &Node, is: &Node, faded: bool) -> Vec<&'static str> {
    let mut ways = Vec::new();
    let (Some(one), Some(other)) = (&was.style, &is.style) else { return ways };
    if was.shown != is.shown {
        ways.push("visibility");
    }
    let writes = !was.text.trim().is_empty();
    let paints = writes || !one.backdrop.is_none() || was.tag == "img" || was.tag == "svg";
    if writes && differs(one.color, other.color) {
        ways.push("colour");
    }
    if writes && (one.font_size - other.font_size).abs() > 0.6 {
        ways.push("letters");
    }
    if differs(one.backdrop.color, other.backdrop.color) || one.backdrop.gradient != other.backdrop.gradient {
        ways.push("background");
    }
    if paints && faded {
        ways.push("opacity");
    }
    let edges = one.border.sides().into_iter().zip(one.border_color).zip(other.border_color);
    if edges.into_iter().any(|((width, was), is)| width >= 0.5 && differs(was, is)) {
        ways.push("border");
    }
    if was.shown
        && paints
        && let (Some(one), Some(other)) = (was.rect, is.rect)
    {
        if (one.x - other.x).abs() > MOVED || (one.y - other.y).abs() > MOVED {
            ways.push("position");
        }
        if (one.width - other.width).abs() > MOVED || (one.height - other.height).abs() > MOVED {
            ways.push("size");
        }
    }
    ways
}
