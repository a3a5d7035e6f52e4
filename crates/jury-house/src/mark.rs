//! What an element is known by when the page around it changes: what it leads to, what it is called, its words. Not its
//! line, its place among its siblings or its looks, which change without anybody having touched it.

use jury_eye::{Node, NodeId};

use crate::page::Page;

/// What tells an element from others of its kind, whatever is wrong with it.
const OWN: &[&str] = &["id", "name", "for", "src", "href", "action", "data", "type", "value"];

/// The largest part of a page whose words stand for an element that has none of its own. The words of a larger part change
/// too often.
const MOST_NODES: usize = 16;

/// As many characters are enough to tell one text from another.
const MOST_CHARACTERS: usize = 200;

/// Eight digits. Two elements that nothing tells apart have the same ones.
pub(crate) fn mark(page: &Page<'_>, node: &Node) -> String {
    let mut text = node.tag.clone();
    let mut is_known = false;
    for (name, value) in &node.attributes {
        if OWN.contains(&name.as_str()) {
            is_known |= !matches!(name.as_str(), "type" | "value") && value != "#";
            text.extend(["\n", name, "=", value]);
        }
    }
    let own: String = node.text.chars().take(MOST_CHARACTERS).collect();
    if !own.is_empty() {
        text.extend(["\n", &own]);
    } else if !is_known {
        let around = words(page, node.id)
            .or_else(|| words(page, node.parent?))
            .or_else(|| node.attribute("class").map(str::to_owned));
        text.extend(["\n", around.as_deref().unwrap_or_default()]);
    }
    // Half of it: a finding has some places, not billions.
    format!("{:08x}", digest(text.as_bytes()) >> 32)
}

/// The words in an element, when it is a small part of the page and has any.
fn words(page: &Page<'_>, id: NodeId) -> Option<String> {
    let node = page.node(id)?;
    let inside = page.snapshot.nodes.get(node.id.index()..node.subtree_end.index())?;
    if inside.len() > MOST_NODES {
        return None;
    }
    let words: Vec<&str> =
        inside.iter().map(|node| node.text.as_str()).filter(|text| !text.is_empty()).collect();
    let words: String = words.join(" ").chars().take(MOST_CHARACTERS).collect();
    (!words.is_empty()).then_some(words)
}

/// FNV-1a: short, stable over versions and machines, and nobody's secret rests on it.
pub(crate) fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
