//! What the head of a page does to its readers: taking the page away after a while.

use jury_eye::Node;

use crate::finding::{Finding, Outcome, Severity};
use crate::page::Page;

/// WCAG 2.2.1 leaves time limits beyond twenty hours alone.
const TWENTY_HOURS: f64 = 72_000.0;

/// The first refresh that means anything, which is the one that counts, and its delay.
fn refreshing<'a>(page: &'a Page<'_>) -> Option<(&'a Node, f64)> {
    let mut metas = page.snapshot.nodes.iter().filter(|node| {
        node.tag == "meta"
            && node.attribute("http-equiv").is_some_and(|kind| kind.trim().eq_ignore_ascii_case("refresh"))
    });
    metas.find_map(|node| Some((node, delay(node.attribute("content")?)?)))
}

/// A refresh that the exception of twenty hours lets through at level A, and WCAG 2.2.4 (AAA) does not.
pub(super) fn late_refresh(page: &Page<'_>) -> Outcome {
    let Some((node, delay)) = refreshing(page).filter(|(_, delay)| *delay > TWENTY_HOURS) else {
        return Outcome::not_applicable();
    };
    let what = format!("the page goes away after {delay} s, more than 20 hours ({})", page.place(node.id));
    let finding = Finding::on(Severity::Minor, vec![node.id], what).because("late meta refresh");
    Outcome::said(vec![finding.figure("delay", delay, "s")])
}

pub(super) fn refresh(page: &Page<'_>) -> Outcome {
    let Some((node, delay)) = refreshing(page) else {
        return Outcome::not_applicable();
    };
    let finding = (delay > 0.0 && delay <= TWENTY_HOURS).then(|| {
        let what = format!("the page goes away after {delay} s, needs to stay ({})", page.place(node.id));
        Finding::on(Severity::Serious, vec![node.id], what)
            .because("meta refresh")
            .figure("delay", delay, "s")
    });
    Outcome::binary(format!("refresh after {delay} s"), finding)
}

/// The seconds in the content of a refresh, by the rules of HTML; nothing when they make it invalid.
fn delay(content: &str) -> Option<f64> {
    let content = content.trim_start();
    let digits = content.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = content.split_at_checked(digits)?;
    if number.is_empty() && !rest.starts_with('.') {
        return None;
    }
    let rest = rest.trim_start_matches(|ch: char| ch.is_ascii_digit() || ch == '.');
    let ends = rest.is_empty()
        || rest.starts_with([';', ','])
        || rest.starts_with(|ch: char| ch.is_ascii_whitespace());
    ends.then(|| number.parse().unwrap_or(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_read_as_browsers_read_them() {
        let cases = [
            ("5; https://w3.org", Some(5.0)),
            ("0", Some(0.0)),
            ("5", Some(5.0)),
            (" 7.9, x", Some(7.0)),
            ("0: https://w3.org", None),
            ("-00.12 foo", None),
            ("; 30", None),
            ("foo; URL='x'", None),
        ];
        for (content, expected) in cases {
            assert_eq!(delay(content), expected, "{content:?}");
        }
    }
}
