//! Whether links lead somewhere and say where.

use std::collections::{BTreeMap, BTreeSet};

use jury_eye::{Node, NodeId};

use crate::finding::{Finding, Measure, Outcome, Severity, count, counted};
use crate::page::Page;

/// Why a link leads nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DeadLink {
    /// The address is `href="#"`.
    Hash,
    /// `href=""`, or none at all.
    Empty,
    /// The address begins with `javascript:`.
    Script,
    /// `#id` without an element of that id.
    NoTarget,
    /// A file that is not beside the page.
    NoFile,
    /// `mailto:` without an address, `tel:` without a number.
    Unreachable,
    /// `http://` and nothing behind it.
    NoHost,
}

impl DeadLink {
    fn describe(self) -> &'static str {
        match self {
            Self::Hash => "to # only",
            Self::Empty => "without an address",
            Self::Script => "to javascript:",
            Self::NoTarget => "to an id that is not on the page",
            Self::NoFile => "to a file that is not beside the page",
            Self::Unreachable => "to no address or number",
            Self::NoHost => "to no host",
        }
    }
}

/// Links that lead nowhere.
pub(crate) fn dead_links(page: &Page<'_>) -> Vec<(NodeId, DeadLink)> {
    let ids = page.targets();
    all_links(page).filter_map(|node| dead(page, node, &ids).map(|reason| (node.id, reason))).collect()
}

fn all_links<'a>(page: &'a Page<'_>) -> impl Iterator<Item = &'a Node> {
    page.exposed().filter(|node| {
        node.tag == "a"
            && (node.attribute("href").is_some()
                || (node.attribute("role").is_none() && !node.text.is_empty()))
            && !matches!(node.attribute("role"), Some("button" | "tab" | "menuitem"))
    })
}

fn dead(page: &Page<'_>, node: &Node, ids: &BTreeSet<&str>) -> Option<DeadLink> {
    // A script answers the click; where it leads cannot be seen from here.
    if node.attribute("onclick").is_some() || is_switched_off(page, node) {
        return None;
    }
    let Some(href) = node.attribute("href").map(str::trim) else {
        let anchors_something = node.attribute("id").is_some() || node.attribute("name").is_some();
        return (!anchors_something && !is_current(page, node)).then_some(DeadLink::Empty);
    };
    dead_address(href, &node.name, |id| ids.contains(id))
}

/// Whether a link, or the item of a list it is in, has one of these classes.
fn is_marked(page: &Page<'_>, node: &Node, marks: &[&str]) -> bool {
    let has = |node: &Node| node.classes().any(|class| marks.contains(&class));
    has(node)
        || node.parent.and_then(|parent| page.node(parent)).is_some_and(|item| item.tag == "li" && has(item))
}

/// Whether a link leads nowhere for now, and says so.
fn is_switched_off(page: &Page<'_>, node: &Node) -> bool {
    node.attribute("aria-disabled") == Some("true") || is_marked(page, node, &["disabled", "is-disabled"])
}

/// Whether this stands where the link to the page one is on would be: HTML calls it a placeholder for a link.
fn is_current(page: &Page<'_>, node: &Node) -> bool {
    node.attribute("aria-current").is_some_and(|value| value != "false")
        || is_marked(page, node, &["active", "current", "is-active", "is-current"])
}

/// Why an address leads nowhere, if it does. A link back to the top may be written as `#`.
pub(crate) fn dead_address(href: &str, text: &str, has_id: impl Fn(&str) -> bool) -> Option<DeadLink> {
    let href = href.trim();
    if href.is_empty() {
        return Some(DeadLink::Empty);
    }
    let lower = href.to_ascii_lowercase();
    if lower.starts_with("javascript:") {
        return Some(DeadLink::Script);
    }
    if has_no_host(&lower) || is_nowhere(&lower) {
        return Some(DeadLink::NoHost);
    }
    if let Some(address) = lower.strip_prefix("mailto:") {
        return (!is_mail_address(address)).then_some(DeadLink::Unreachable);
    }
    if let Some(number) = lower.strip_prefix("tel:") {
        return (!is_telephone_number(number)).then_some(DeadLink::Unreachable);
    }
    let fragment = href.strip_prefix('#')?;
    if fragment.is_empty() {
        let to_the_top =
            text.to_lowercase().split(|ch: char| !ch.is_alphanumeric()).any(|word| TOP.contains(&word));
        return (!to_the_top).then_some(DeadLink::Hash);
    }
    (!has_id(fragment)
        && !fragment.eq_ignore_ascii_case("top")
        && !fragment.contains('%')
        && !fragment.contains('/'))
    .then_some(DeadLink::NoTarget)
}

/// What the words of a link back to the top have, in the languages that people write pages in.
const TOP: [&str; 6] = ["top", "oben", "seitenanfang", "haut", "arriba", "topo"];

/// Whether an address, in lower case, is that of an empty page: a browser opens one, and nothing is there.
pub(crate) fn is_nowhere(address: &str) -> bool {
    let empty = |data: &str| data.split_once(',').is_none_or(|(_, body)| body.trim().is_empty());
    address.starts_with("about:") || address.strip_prefix("data:").is_some_and(empty)
}

/// Whether an address, in lower case, has a scheme that needs a host, and no host.
pub(crate) fn has_no_host(address: &str) -> bool {
    let rest = ["http:", "https:", "ftp:"].iter().find_map(|scheme| address.strip_prefix(scheme));
    let rest = rest.or_else(|| address.starts_with("//").then_some(address));
    rest.is_some_and(|rest| {
        let host =
            rest.trim_start_matches(['/', '\\']).split(['/', '?', '#', '\\']).next().unwrap_or_default();
        let host = host.rsplit('@').next().unwrap_or_default().split(':').next().unwrap_or_default();
        !host.contains(char::is_alphanumeric) && !host.starts_with('[')
    })
}

/// Whether a mail can be sent to this: one or more addresses, or a letter without one (`mailto:?subject=`).
fn is_mail_address(address: &str) -> bool {
    let (to, headers) = address.split_once('?').unwrap_or((address, ""));
    if to.is_empty() {
        return headers.contains('=');
    }
    to.split(',').all(|one| {
        let one = one.trim().replace("%40", "@");
        one.split_once('@').is_some_and(|(name, host)| {
            !name.is_empty()
                && !host.is_empty()
                && !host.starts_with('.')
                && !one.contains(char::is_whitespace)
        })
    })
}

/// Whether a number can be dialled: at least three digits, and nothing but what telephones know.
fn is_telephone_number(number: &str) -> bool {
    let number = number.split(';').next().unwrap_or_default().replace("%20", "");
    number.chars().filter(char::is_ascii_digit).count() >= 3
        && number.chars().all(|ch| ch.is_ascii_digit() || "+-.() *#/,pwx".contains(ch))
}

/// Half of the links dead is a page that leads nowhere.
const LINKS_ZERO_AT: f64 = 0.5;

pub(super) fn links(page: &Page<'_>) -> Outcome {
    let (total, mut dead) = (all_links(page).count(), dead_links(page));
    let known: BTreeSet<NodeId> = dead.iter().map(|(node, _)| *node).collect();
    let mut open: Vec<NodeId> = Vec::new();
    for link in all_links(page).filter(|link| !known.contains(&link.id)) {
        let Some(path) = link.attribute("href").and_then(file_address) else { continue };
        match page.is_beside(path) {
            Some(true) => {}
            Some(false) => dead.push((link.id, DeadLink::NoFile)),
            None => open.push(link.id),
        }
    }
    let mut groups: BTreeMap<(DeadLink, String), Vec<NodeId>> = BTreeMap::new();
    for (id, reason) in &dead {
        // One missing part or file is one cause, wherever it is linked from.
        let address = match reason {
            DeadLink::NoTarget | DeadLink::NoFile | DeadLink::Unreachable => {
                page.node(*id).and_then(|node| node.attribute("href")).unwrap_or_default().trim().to_owned()
            }
            DeadLink::Hash | DeadLink::Empty | DeadLink::Script | DeadLink::NoHost => String::new(),
        };
        groups.entry((*reason, address)).or_default().push(*id);
    }
    let findings = groups
        .into_iter()
        .map(|((reason, address), nodes)| {
            let named = if address.is_empty() { String::new() } else { format!(": {address}") };
            let what = format!(
                "{} {}{named} ({})",
                counted(nodes.len(), "link"),
                reason.describe(),
                page.places(&nodes)
            );
            Finding::on(Severity::Serious, nodes, what).because(format!("{} {address}", reason.describe()))
        })
        .collect();
    let unknown = count(open.len());
    let undecided = (!open.is_empty())
        .then(|| {
            let what = format!(
                "{} to files of which nobody knows whether they are there ({})",
                counted(open.len(), "link"),
                page.places(&open)
            );
            Finding::on(Severity::Serious, open, what).because("links to files")
        })
        .into_iter()
        .collect();
    let note = format!("{} of {total} links lead nowhere", dead.len());
    if total == 0 {
        return Outcome::not_applicable();
    }
    let measure =
        Measure::Share { failing: count(dead.len()), unknown, total: count(total), zero_at: LINKS_ZERO_AT };
    Outcome { measure, note, findings, undecided }
}

/// The path of a link to a file beside the page.
fn file_address(href: &str) -> Option<&str> {
    let href = href.trim();
    let path = href.split(['?', '#']).next().unwrap_or_default();
    // A path from the root of a site, or out of the folder, is not beside the page.
    let beside = !path.is_empty()
        && !path.starts_with('/')
        && !path.contains("..")
        && !path.contains("//")
        && path.split('/').next().is_some_and(|first| !first.contains(':'));
    beside.then_some(path)
}

/// Link and button words that say nothing out of context.
const VAGUE: &[&str] = &[
    "click here",
    "click",
    "here",
    "read more",
    "learn more",
    "see more",
    "find out more",
    "continue reading",
    "more",
    "link",
    "submit",
    "this",
    "details",
    "info",
    "go",
    "hier",
    "hier klicken",
    "mehr",
    "mehr lesen",
    "mehr erfahren",
    "weiterlesen",
    "ici",
    "cliquez ici",
    "lire la suite",
    "en savoir plus",
    "aquí",
    "haz clic aquí",
    "leer más",
    "saber más",
    "clique aqui",
    "saiba mais",
    "ler mais",
    "clicca qui",
    "leggi di più",
    "lees meer",
    "klik hier",
];

/// Whether a name says nothing by itself.
pub(super) fn says_nothing(name: &str) -> bool {
    let name = name.to_lowercase();
    VAGUE.contains(&name.trim_matches(|ch: char| !ch.is_alphanumeric()))
}

/// Half of the links and buttons saying nothing is where the check is worth nothing.
const VAGUE_ZERO_AT: f64 = 0.5;

pub(super) fn vague_words(page: &Page<'_>) -> Outcome {
    let controls: Vec<(&Node, String)> = page
        .exposed()
        .filter(|node| matches!(node.role.as_deref(), Some("link" | "button")) && !node.name.is_empty())
        .map(|node| {
            let name = node.name.to_lowercase();
            (node, name.trim_matches(|ch: char| !ch.is_alphanumeric()).to_owned())
        })
        .collect();
    let mut vague: BTreeMap<&str, Vec<NodeId>> = BTreeMap::new();
    for (node, name) in &controls {
        if VAGUE.contains(&name.as_str()) {
            vague.entry(name).or_default().push(node.id);
        }
    }
    let findings: Vec<Finding> = vague
        .iter()
        .map(|(name, nodes)| {
            let what = format!(
                "\"{name}\" says nothing by itself, needs words that say what follows ({})",
                page.places(nodes)
            );
            Finding::on(Severity::Moderate, nodes.clone(), what).because(*name)
        })
        .collect();
    let failing: usize = vague.values().map(Vec::len).sum();
    let note = format!("{failing} of {} link and button texts say nothing by themselves", controls.len());
    Outcome::share(failing, controls.len(), VAGUE_ZERO_AT, note, findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mail_and_telephone_are_told_from_nothing() {
        for good in ["a@b.de", "a@b.de,c@d.org", "?subject=hello", "a%40b.de", "a@b.de?subject=x"] {
            assert!(is_mail_address(good), "{good}");
        }
        for bad in ["", "nobody", "@b.de", "a@", "a b@c.de"] {
            assert!(!is_mail_address(bad), "{bad}");
        }
        assert!(is_telephone_number("+49-30-123 456") && is_telephone_number("112"));
        assert!(!is_telephone_number("") && !is_telephone_number("call-me") && !is_telephone_number("+"));
    }

    #[test]
    fn only_what_lies_beside_is_a_file() {
        assert_eq!(file_address("about.html#team"), Some("about.html"));
        assert_eq!(file_address("./a/b.pdf?x"), Some("./a/b.pdf"));
        for other in ["#a", "/a", "../a", "https://a.b/c", "mailto:a@b", "//a/b", "?x"] {
            assert_eq!(file_address(other), None, "{other}");
        }
    }
}
