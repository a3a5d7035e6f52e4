//! The parts of a line that has several: an answer, a drawback, a description.

/// `Pro: a  Con: b` on one line.
pub(super) fn split_con(text: &str) -> (&str, String) {
    let lower = text.to_ascii_lowercase();
    match lower.find("con:") {
        Some(at) => {
            let (pro, con) = text.split_at_checked(at).unwrap_or((text, ""));
            let con = con.get(4..).unwrap_or_default();
            (pro.trim().trim_end_matches(['|', ';', ',']).trim(), con.trim().to_owned())
        }
        None => (text.trim(), String::new()),
    }
}

const DASH: [char; 4] = [' ', '—', '–', '-'];

/// Splits `label — description` at its dash.
pub(super) fn split_dash(text: &str) -> (&str, &str) {
    let dashes = [" — ", " – ", " - ", ": "];
    let first = dashes.iter().filter_map(|dash| text.find(dash).map(|at| (at, dash.len()))).min();
    match first {
        Some((at, length)) => {
            let (label, rest) = text.split_at_checked(at).unwrap_or((text, ""));
            // Two marks in a row are one.
            (label.trim_end_matches(DASH), rest.get(length..).unwrap_or_default().trim_start_matches(DASH))
        }
        None => (text.trim_end_matches(DASH), ""),
    }
}

/// A text behind its label, which may be left out.
pub(super) fn strip_label<'a>(text: &'a str, label: &str) -> &'a str {
    let head = text.get(..label.len()).unwrap_or_default();
    if head.eq_ignore_ascii_case(label) {
        let rest = text.get(label.len()..).unwrap_or_default();
        rest.trim_start_matches(['*', '_', '`', ' ', ':'])
    } else {
        text
    }
}

/// A scenario that has its answer on the same line.
pub(super) fn split_realistic(text: &str) -> (&str, Option<&str>) {
    let lower = text.to_ascii_lowercase();
    match lower.find("realistic?") {
        Some(at) => {
            let (scenario, rest) = text.split_at_checked(at).unwrap_or((text, ""));
            (scenario.trim(), Some(rest.get("realistic?".len()..).unwrap_or_default().trim()))
        }
        None => (text, None),
    }
}
