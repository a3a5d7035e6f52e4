//! Small edits of the text of a page. They know how the pages of this project are written, and nothing about HTML.

/// The page with more rules at the end of its style sheet.
pub(crate) fn with_rules(page: &str, rules: &str) -> Option<String> {
    let (before, after) = page.split_once("</style>")?;
    Some(format!("{before}{rules}\n</style>{after}"))
}

/// The page with more at the end of its main part.
pub(crate) fn with_content(page: &str, content: &str) -> Option<String> {
    let (before, after) = page.rsplit_once("</main>")?;
    Some(format!("{before}{content}\n</main>{after}"))
}

/// The page with the first of something replaced.
pub(crate) fn instead(page: &str, old: &str, new: &str) -> Option<String> {
    page.contains(old).then(|| page.replacen(old, new, 1))
}

/// The page with what stands between two marks replaced, the first time it occurs.
pub(crate) fn between(page: &str, from: &str, to: &str, new: &str) -> Option<String> {
    let (before, rest) = page.split_once(from)?;
    let (_, after) = rest.split_once(to)?;
    Some(format!("{before}{from}{new}{to}{after}"))
}

/// What stands between two marks, the first time it occurs.
pub(crate) fn text_between<'a>(page: &'a str, from: &str, to: &str) -> Option<&'a str> {
    Some(page.split_once(from)?.1.split_once(to)?.0)
}

/// The page without something and what follows it up to a mark, the mark included.
pub(crate) fn without(page: &str, from: &str, to: &str) -> Option<String> {
    let (before, rest) = page.split_once(from)?;
    let (_, after) = rest.split_once(to)?;
    Some(format!("{before}{after}"))
}

/// The value of a custom property.
pub(crate) fn token<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    text_between(page, &format!("{name}: "), ";")
}

/// The page with another value of a custom property.
pub(crate) fn with_token(page: &str, name: &str, value: &str) -> Option<String> {
    between(page, &format!("{name}: "), ";", value)
}

/// The grey whose contrast to a colour comes nearest to a ratio.
pub(crate) fn grey_at(ratio: f64, against: &str) -> Option<String> {
    let ground = luminance(channels(against)?);
    let distance = |grey: u8| {
        let light = luminance([grey; 3]);
        let (high, low) = if light > ground { (light, ground) } else { (ground, light) };
        (((high + 0.05) / (low + 0.05)) - ratio).abs()
    };
    let best = (0..=u8::MAX).min_by(|one, other| distance(*one).total_cmp(&distance(*other)))?;
    Some(format!("#{best:02x}{best:02x}{best:02x}"))
}

fn channels(hex: &str) -> Option<[u8; 3]> {
    let digits = hex.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    let value = u32::from_str_radix(digits, 16).ok()?;
    let [_, red, green, blue] = value.to_be_bytes();
    Some([red, green, blue])
}

/// Relative luminance as WCAG defines it.
fn luminance(channels: [u8; 3]) -> f64 {
    let [red, green, blue] = channels.map(|channel| {
        let share = f64::from(channel) / 255.0;
        if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}
