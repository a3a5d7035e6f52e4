//! Figures in what a panelist writes: contrast ratios, type sizes, rows of distances. Only figures that say how the
//! page is are claims; those that say how it should be are not.

/// A figure that can be measured.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Claim {
    /// The figure.
    pub(super) figure: Figure,
    /// The words around it, in lower case: they say what it is about.
    pub(super) words: Vec<String>,
    /// The part of the text that says it.
    pub(super) said: String,
}

/// What kind of figure it is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Figure {
    /// `3.9:1`.
    Ratio(f64),
    /// `64px`.
    Size(f64),
    /// `12/16/24/40`.
    Distances(Vec<f64>),
}

/// Words before a figure that make it a demand.
const DEMANDS: &[&str] = &[
    "to", "needs", "need", "needed", "requires", "require", "required", "least", "minimum", "min", "below",
    "above", "under", "over", "than", "reach", "reaches", "meet", "meets", "exceed", "exceeds", "until",
    "target", "aa", "aaa", "wcag", "<", ">", "≥", "≤", "<=", ">=", "the", "from", "into", "use", "set",
];

/// Words behind a figure that make it one.
const BARS: &[&str] = &["minimum", "required", "threshold", "bar", "rule", "requirement", "needed", "or"];

/// Distances are not type sizes.
const NOT_TYPE: &[&str] = &[
    "gap", "gaps", "margin", "margins", "padding", "radius", "wide", "width", "height", "tall", "border",
    "icon", "icons", "line", "spacing", "space", "leading", "offset", "target", "targets", "image", "shadow",
];

/// The longest part of a text that is repeated in evidence.
const LONGEST: usize = 120;

/// The claims in a text, in order.
pub(super) fn claims(text: &str) -> Vec<Claim> {
    clauses(text).flat_map(in_clause).collect()
}

/// Parts of a sentence that speak of one thing.
fn clauses(text: &str) -> impl Iterator<Item = &str> {
    let mut from = 0;
    let mut cuts = Vec::new();
    let bytes = text.as_bytes();
    for (index, byte) in bytes.iter().enumerate() {
        let ends = matches!(byte, b'.' | b';' | b',' | b'(' | b')' | b'!' | b'?')
            && bytes.get(index + 1).is_none_or(u8::is_ascii_whitespace)
            || matches!(byte, b'(');
        if ends {
            cuts.push((from, index));
            from = index + 1;
        }
    }
    cuts.push((from, text.len()));
    cuts.into_iter().filter_map(|(from, to)| text.get(from..to)).filter(|part| !part.trim().is_empty())
}

fn in_clause(clause: &str) -> Vec<Claim> {
    let tokens: Vec<&str> = clause.split_whitespace().collect();
    let words: Vec<String> = tokens.iter().map(|token| bare(token).to_lowercase()).collect();
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| words.get(before)).map(String::as_str);
        let behind = words.get(index + 1).map(String::as_str);
        let demanded = before.is_some_and(|word| DEMANDS.contains(&word))
            || behind.is_some_and(|word| BARS.contains(&word));
        let Some(figure) = figure(bare(token), behind, &words) else { continue };
        if demanded {
            continue;
        }
        let said: String = clause.trim().chars().take(LONGEST).collect();
        found.push(Claim { figure, words: words.clone(), said });
    }
    found
}

/// The word without what stands around it. A leading `.` or `#` belongs to a selector, a leading `<` to a demand.
fn bare(token: &str) -> &str {
    token
        .trim_matches(|c: char| matches!(c, ',' | ';' | '!' | '?' | '"' | '\'' | '`' | '“' | '”'))
        .trim_end_matches(['.', ':'])
}

fn figure(token: &str, behind: Option<&str>, words: &[String]) -> Option<Figure> {
    if let Some(ratio) = token.strip_suffix(":1") {
        return number(ratio).filter(|ratio| (1.0..=21.0).contains(ratio)).map(Figure::Ratio);
    }
    let parts: Vec<&str> = token.trim_end_matches("px").split('/').collect();
    if parts.len() >= 3 {
        let about_distances = words.iter().any(|word| {
            ["gap", "spac", "rhythm", "distance", "margin", "padding"].iter().any(|stem| word.contains(stem))
        });
        let steps: Option<Vec<f64>> = parts.iter().map(|part| number(part.trim_end_matches("px"))).collect();
        return steps.filter(|_| about_distances).map(Figure::Distances);
    }
    let size = match token.strip_suffix("px") {
        Some(size) => number(size),
        None if behind == Some("px") => number(token),
        None => None,
    }?;
    let about_type = !words.iter().any(|word| NOT_TYPE.contains(&word.as_str()));
    (about_type && (4.0..=400.0).contains(&size)).then_some(Figure::Size(size))
}

/// A plain number: digits with at most one point.
fn number(text: &str) -> Option<f64> {
    let plain = !text.is_empty() && text.len() <= 8 && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    plain.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(text: &str) -> Vec<Figure> {
        claims(text).into_iter().map(|claim| claim.figure).collect()
    }

    #[test]
    fn figures_that_say_how_it_is_are_claims() {
        assert_eq!(figures("CTA 3.9:1, needs 4.5:1."), [Figure::Ratio(3.9)]);
        assert_eq!(
            figures("Contrast of p.lead is 3.9:1; gaps 12/16/24/40"),
            [Figure::Ratio(3.9), Figure::Distances(vec![12.0, 16.0, 24.0, 40.0])]
        );
        assert_eq!(figures("H1 64px over body 16 px"), [Figure::Size(64.0), Figure::Size(16.0)]);
    }

    #[test]
    fn demands_and_other_numbers_are_not() {
        for text in [
            "Darken the button to 4.5:1.",
            "below 4.5:1",
            "AA 4.5:1 minimum",
            "aspect 16:9",
            "padding 24px around the card",
            "and/or/not",
            "1/2/3 of the links",
            "999999999999:1",
            ":1",
            "px",
            "",
        ] {
            assert_eq!(figures(text), [], "{text}");
        }
    }
}
