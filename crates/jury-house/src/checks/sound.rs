//! Sound that begins by itself, WCAG 1.4.2: whether there is a way to stop it, and whether it is over soon.

use jury_eye::Node;

use super::causes::Causes;
use crate::finding::{Finding, Outcome, Severity};
use crate::page::{Page, selector};

/// Sound may go on for so long before there has to be a way to stop it.
const SHORT_SECONDS: f64 = 3.0;

/// Words in the names of what stops a sound or turns it down, in the languages that people write pages in.
const STOPS: &[&str] = &[
    "pause",
    "stop",
    "mute",
    "unmute",
    "sound",
    "audio",
    "volume",
    "silence",
    "anhalten",
    "stumm",
    "ton",
    "lautstärke",
    "arrêter",
    "muet",
    "son",
    "silencio",
    "pausa",
    "detener",
    "parar",
    "sonido",
    "silenciar",
];

/// Films and sounds that begin by themselves, are meant to be heard, and are not known to be over soon.
///
/// Whether a film has sound cannot be heard here. Browsers start an unmuted film by itself only where sound is allowed,
/// so that who has a silent one writes `muted`: without it sound is meant.
fn sounding<'a>(page: &'a Page<'_>) -> Vec<&'a Node> {
    page.snapshot
        .nodes
        .iter()
        .filter(|node| matches!(node.tag.as_str(), "audio" | "video"))
        .filter(|node| node.attribute("autoplay").is_some() && node.attribute("muted").is_none())
        .filter(|node| sources(page, node).any(|address| !is_short(address)))
        .collect()
}

fn sources<'a>(page: &'a Page<'_>, media: &'a Node) -> impl Iterator<Item = &'a str> {
    let inside = page.snapshot.descendants(media).filter(|inner| inner.tag == "source");
    std::iter::once(media)
        .chain(inside)
        .filter_map(|node| node.attribute("src"))
        .filter(|address| !address.trim().is_empty())
}

/// Whether an address asks for no more than three seconds, or may: `#t=8,10`, as Media Fragments URI 1.0 writes it.
fn is_short(address: &str) -> bool {
    let Some((_, fragment)) = address.split_once('#') else { return false };
    let Some(time) = fragment.split('&').find_map(|part| part.strip_prefix("t=")) else { return false };
    let time = time.strip_prefix("npt:").unwrap_or(time);
    // From a place on to the end: how far that is only the file tells.
    let Some((from, until)) = time.split_once(',') else { return true };
    let from = if from.is_empty() { Some(0.0) } else { seconds(from) };
    match (from, seconds(until)) {
        (Some(from), Some(until)) => until - from <= SHORT_SECONDS,
        _ => false,
    }
}

/// `8`, `8.5`, `1:08` and `0:01:08` in seconds.
fn seconds(time: &str) -> Option<f64> {
    time.trim_end_matches('s').split(':').try_fold(0.0_f64, |sum, part| {
        let part: f64 = part.parse().ok()?;
        Some(sum.mul_add(60.0, part))
    })
}

/// Whether a reader sees and hears of something that stops the sound.
fn can_be_stopped(page: &Page<'_>, media: &Node) -> bool {
    if media.attribute("controls").is_some() && media.exposed && media.style.is_some() {
        return true;
    }
    page.exposed().any(|node| {
        node.shown
            && matches!(
                node.role.as_deref(),
                Some("button" | "link" | "checkbox" | "switch" | "slider" | "menuitem" | "menuitemcheckbox")
            )
            && node
                .name
                .to_lowercase()
                .split(|ch: char| !ch.is_alphanumeric())
                .any(|word| STOPS.contains(&word))
    })
}

/// Whether there is a way to stop what sounds by itself.
pub(super) fn control(page: &Page<'_>) -> Outcome {
    let media = sounding(page);
    let mut wrong = Causes::default();
    for node in media.iter().filter(|node| !can_be_stopped(page, node)) {
        let cause = format!("{} sounds by itself, needs controls or a button to stop it", selector(node));
        wrong.add(Severity::Moderate, cause, node.id);
    }
    let failing = wrong.elements();
    let note = format!("{failing} of {} that sound by themselves cannot be stopped", media.len());
    Outcome::share(failing, media.len(), 1.0, note, wrong.findings(page))
}

/// Whether anything sounds by itself for long at all. Said, and not scored where it can be stopped: a criterion is
/// broken only where it cannot.
pub(super) fn begins(page: &Page<'_>) -> Outcome {
    let media = sounding(page);
    if media.is_empty() {
        return Outcome::not_applicable();
    }
    let nodes = media.iter().map(|node| node.id).collect::<Vec<_>>();
    let what = format!("sound begins by itself, needs to wait for the reader ({})", page.places(&nodes));
    Outcome::said(vec![Finding::on(Severity::Minor, nodes, what).because("sound begins by itself")])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragments_of_media_are_read() {
        for short in
            ["a.mp4#t=8,10", "a.mp4#t=25", "a.mp4#t=,3", "a.mp4#x=1&t=npt:0:01:08,0:01:10", "a.mp3#t=1.5s,2s"]
        {
            assert!(is_short(short), "{short}");
        }
        for long in ["a.mp4", "a.mp4#t=8,18", "a.mp4#t=a,b", "a.mp4#top"] {
            assert!(!is_short(long), "{long}");
        }
    }
}
