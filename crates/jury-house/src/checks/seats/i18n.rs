//! Whether a page can be read and translated elsewhere.

use jury_core::line::shortened;
use jury_eye::{Node, NodeId, Overflow, Rect, Sight, Snapshot, look_at};

use crate::finding::{Finding, Measure, Outcome, Severity, counted};
use crate::page::Page;

/// Languages that are written from right to left, by their subtags.
const RIGHT_TO_LEFT: [&str; 10] = ["ar", "he", "fa", "ur", "yi", "ps", "sd", "ug", "dv", "ckb"];

/// The share of texts that are cut off when they grow, at which the check is worth nothing.
const ROOM_ZERO_AT: f64 = 0.25;

/// Text with this is about 40 % longer: letters are half as wide as their font is high.
const LONGER: &str = "<style>*{letter-spacing:.2em!important}</style>";

/// What layout may be off.
const SLACK: f32 = 1.0;

fn root<'a>(page: &'a Page<'_>) -> Option<&'a Node> {
    page.snapshot.nodes.iter().find(|node| node.tag == "html")
}

fn language(page: &Page<'_>) -> Option<String> {
    let lang = root(page)?.attribute("lang")?.trim().to_ascii_lowercase();
    let is_tag =
        |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let first = lang.split('-').next().unwrap_or_default();
    let named = (2..=8).contains(&first.len()) && first.bytes().all(|byte| byte.is_ascii_lowercase());
    (named && lang.split('-').all(is_tag)).then_some(lang)
}

pub(in crate::checks) fn lang(page: &Page<'_>) -> Outcome {
    let language = language(page);
    let finding = language.is_none().then(|| {
        Finding::page(Severity::Moderate, "the page does not say its language, needs lang on html")
            .because("lang")
    });
    Outcome::binary(language.map_or_else(|| "no language".to_owned(), |lang| format!("lang {lang}")), finding)
}

/// Whether a letter belongs to a script from right to left: Hebrew, Arabic, Syriac, Thaana, N'Ko and their forms.
fn is_right_to_left(ch: char) -> bool {
    matches!(ch, '\u{0590}'..='\u{08ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}')
}

fn is_turned(node: &Node) -> bool {
    node.attribute("dir")
        .is_some_and(|dir| matches!(dir.trim().to_ascii_lowercase().as_str(), "rtl" | "auto"))
}

/// Whether an element or one around it says that it is read from right to left.
fn says_direction(snapshot: &Snapshot, node: &Node) -> bool {
    let around = |node: &&Node| node.parent.and_then(|parent| snapshot.node(parent));
    std::iter::successors(Some(node), around).any(is_turned)
}

pub(in crate::checks) fn direction(page: &Page<'_>) -> Outcome {
    let (mut right, mut all, mut unsaid) = (0_usize, 0_usize, 0_usize);
    for node in page.snapshot.nodes.iter().filter(|node| node.shown) {
        let letters = || node.text.chars().filter(|ch| ch.is_alphabetic());
        let own = letters().filter(|ch| is_right_to_left(*ch)).count();
        all += letters().count();
        right += own;
        unsaid += if own > 0 && !says_direction(&page.snapshot, node) { own } else { 0 };
    }
    let by_language = language(page)
        .is_some_and(|lang| RIGHT_TO_LEFT.contains(&lang.split('-').next().unwrap_or_default()));
    if !by_language && (right == 0 || right * 2 < all) {
        return Outcome::not_applicable();
    }
    let mut roots = page.snapshot.nodes.iter().filter(|node| matches!(node.tag.as_str(), "html" | "body"));
    // The page says it for everything, or every part of it that is read so does.
    let turned = roots.any(is_turned) || (right > 0 && unsaid == 0);
    let finding = (!turned).then(|| {
        let what = "the page is read from right to left and does not say so, needs dir=\"rtl\" on html";
        Finding::page(Severity::Serious, what).because("dir")
    });
    Outcome::binary(if turned { "turned" } else { "not turned" }, finding)
}

/// Lays the page out again with longer text, and sees what is cut off that was not.
pub(in crate::checks) fn expansion(page: &Page<'_>) -> Outcome {
    let texts: Vec<&Node> = page
        .snapshot
        .nodes
        .iter()
        .filter(|node| node.shown && !node.lines.is_empty() && has_letters(node))
        .collect();
    if texts.is_empty() {
        return Outcome::not_applicable();
    }
    let html = format!("{}{LONGER}", page.html);
    let viewports = [page.snapshot.viewport];
    let sight = Sight { html: &html, beside: page.subject.beside, viewports: &viewports, pixels: None };
    let longer = look_at(sight).ok().and_then(|snapshots| snapshots.into_iter().next());
    let Some(longer) = longer.filter(|longer| is_same(&page.snapshot, longer)) else {
        let note = "the page with longer text could not be laid out".to_owned();
        let measure = Measure::Share { failing: 0.0, unknown: 1.0, total: 1.0, zero_at: 1.0 };
        return Outcome { measure, note, findings: Vec::new(), undecided: Vec::new() };
    };
    let cut: Vec<NodeId> = texts
        .iter()
        .filter(|node| !is_cut(&page.snapshot, node))
        .filter(|node| longer.node(node.id).is_some_and(|node| is_cut(&longer, node)))
        .map(|node| node.id)
        .collect();
    let findings = cut
        .iter()
        .map(|id| {
            let text = page.node(*id).map_or("", |node| node.text.as_str());
            let what = format!(
                "\"{}\" is cut off when it is 40 % longer, needs room to grow ({})",
                shortened(text, 40),
                page.place(*id)
            );
            Finding::on(Severity::Moderate, vec![*id], what)
        })
        .collect();
    let note = format!("{} of {} cut off at 40 % more length", cut.len(), counted(texts.len(), "text"));
    Outcome::share(cut.len(), texts.len(), ROOM_ZERO_AT, note, findings)
}

fn has_letters(node: &Node) -> bool {
    node.text.chars().filter(|ch| ch.is_alphabetic()).count() > 1
}

/// Whether the elements of one page are those of the other, so that their numbers mean the same.
fn is_same(page: &Snapshot, longer: &Snapshot) -> bool {
    page.nodes.len() <= longer.nodes.len()
        && page
            .nodes
            .iter()
            .zip(&longer.nodes)
            .all(|(one, other)| one.tag == other.tag && one.text == other.text)
}

/// Whether a line of this text is cut off by an element around it or by the window.
fn is_cut(snapshot: &Snapshot, node: &Node) -> bool {
    let outside = |line: &Rect, rect: &Rect, [sideways, downwards]: [bool; 2]| {
        let right = line.x + line.width > rect.x + rect.width + SLACK || line.x < rect.x - SLACK;
        let below = line.y + line.height > rect.y + rect.height + SLACK || line.y < rect.y - SLACK;
        sideways && right || downwards && below
    };
    let mut current = Some(node);
    // Where a reader can scroll to the rest of a text, nothing further out cuts it off.
    let mut scrolls = [false, false];
    while let Some(element) = current {
        if let (Some(style), Some(rect)) = (&element.style, &element.rect) {
            let cuts = style.overflow.map(|overflow| matches!(overflow, Overflow::Hidden | Overflow::Clip));
            let cuts = [cuts[0] && !scrolls[0], cuts[1] && !scrolls[1]];
            // What was hidden on purpose is no loss: a box of a pixel is for screen readers.
            let is_box = rect.width > 2.0 && rect.height > 2.0;
            if is_box && cuts.contains(&true) && node.lines.iter().any(|line| outside(line, rect, cuts)) {
                return true;
            }
            for (scrolls, overflow) in scrolls.iter_mut().zip(style.overflow) {
                *scrolls |= matches!(overflow, Overflow::Auto | Overflow::Scroll);
            }
        }
        current = element.parent.and_then(|parent| snapshot.node(parent));
    }
    let edge = f64::from(snapshot.viewport.width);
    !scrolls[0] && node.lines.iter().any(|line| f64::from(line.x + line.width) > edge + f64::from(SLACK))
}

/// The words of visible text outside code, with their elements.
fn words<'a>(page: &'a Page<'_>) -> impl Iterator<Item = (NodeId, &'a str)> {
    let nodes = page.snapshot.nodes.iter().filter(|node| node.shown);
    let nodes = nodes
        .filter(|node| !matches!(node.tag.as_str(), "code" | "pre" | "kbd" | "samp" | "script" | "style"));
    nodes.flat_map(|node| {
        let words = node.text.split_whitespace();
        words.map(|word| (node.id, word.trim_matches(|ch: char| ",.;:()\"'".contains(ch))))
    })
}

/// A date in figures with strokes: whether its day and month can change places.
fn stroked_date(word: &str) -> Option<bool> {
    let parts: Vec<&str> = word.split('/').collect();
    let [first, second, year] = parts.as_slice() else { return None };
    let figures = |text: &str, longest: usize| {
        ((1..=longest).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| text.parse::<u32>().ok())
            .flatten()
    };
    let (first, second) = (figures(first, 2)?, figures(second, 2)?);
    figures(year, 4).filter(|_| matches!(year.len(), 2 | 4))?;
    let is_date = (1..=31).contains(&first) && (1..=31).contains(&second) && (first <= 12 || second <= 12);
    is_date.then_some(first <= 12 && second <= 12 && first != second)
}

pub(in crate::checks) fn dates(page: &Page<'_>) -> Outcome {
    let dates: Vec<(NodeId, &str, bool)> =
        words(page).filter_map(|(id, word)| Some((id, word, stroked_date(word)?))).collect();
    let unclear: Vec<&(NodeId, &str, bool)> = dates.iter().filter(|(_, _, unclear)| *unclear).collect();
    let findings = unclear
        .iter()
        .map(|(id, word, _)| {
            let what = format!(
                "\"{word}\" is another day elsewhere, needs the month in letters ({})",
                page.place(*id)
            );
            Finding::on(Severity::Moderate, vec![*id], what).because((*word).to_owned())
        })
        .collect();
    let note = format!("{} of {} can be read in two ways", unclear.len(), counted(dates.len(), "date"));
    Outcome::share(unclear.len(), dates.len(), 1.0, note, findings)
}

/// How a price marks its decimals.
fn decimal_mark(word: &str) -> Option<char> {
    let priced = word.chars().any(|ch| matches!(ch, '€' | '$' | '£' | '¥'));
    let figures: String = word.chars().filter(|ch| ch.is_ascii_digit() || matches!(ch, ',' | '.')).collect();
    let mark = figures.chars().rev().nth(2).filter(|ch| matches!(ch, ',' | '.'))?;
    (priced && figures.chars().next().is_some_and(|ch| ch.is_ascii_digit())).then_some(mark)
}

pub(in crate::checks) fn numbers(page: &Page<'_>) -> Outcome {
    let marks: Vec<(NodeId, &str, char)> =
        words(page).filter_map(|(id, word)| Some((id, word, decimal_mark(word)?))).collect();
    let Some((_, first, mark)) = marks.first() else { return Outcome::not_applicable() };
    let other = marks.iter().find(|(_, _, one)| one != mark);
    let finding = other.map(|(id, word, _)| {
        let what =
            format!("\"{first}\" and \"{word}\" write decimals in two ways, needs one ({})", page.place(*id));
        Finding::on(Severity::Moderate, vec![*id], what).because("decimals")
    });
    Outcome::binary(format!("{} with decimals", counted(marks.len(), "price")), finding)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_prices_are_told_from_what_looks_like_them() {
        for (word, date) in [
            ("03/04/2025", Some(true)),
            ("3/4/25", Some(true)),
            ("24/12/2025", Some(false)),
            ("04/04/2025", Some(false)),
            ("3/4", None),
            ("1/2/3/4", None),
            ("2025/03/04", None),
            ("40/50/60", None),
            ("a/b/2025", None),
        ] {
            assert_eq!(stroked_date(word), date, "{word}");
        }
        for (word, mark) in [
            ("€12,50", Some(',')),
            ("$1,234.50", Some('.')),
            ("1.234,50€", Some(',')),
            ("$1,234", None),
            ("12.50", None),
            ("$5", None),
        ] {
            assert_eq!(decimal_mark(word), mark, "{word}");
        }
    }
}
