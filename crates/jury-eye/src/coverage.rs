//! How much of a page a snapshot can speak for. Scripts do not run and nothing is fetched, so a page that
//! needs either is only partly measured, and whoever scores it has to know.

use serde::{Deserialize, Serialize};

use crate::snapshot::{Node, PageFacts};

/// Reasons why the page a reader sees may differ from the one that was measured.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Coverage {
    /// The page seems to be built by script: hardly any text, or an empty place to mount it in.
    pub js_rendered: bool,
    /// Style sheets that are neither in the page nor beside it, or scripts from elsewhere, decide how it looks.
    /// Fonts do not count.
    pub external_css: bool,
    /// The addresses of those style sheets and scripts, in order, the first twenty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// Below this many visible characters a page with scripts counts as built by them.
const LITTLE_TEXT: usize = 100;

impl Coverage {
    pub(crate) fn of(nodes: &[Node], page: &PageFacts, missing: &[String]) -> Self {
        let runs_script = nodes.iter().any(|node| {
            node.tag == "script"
                && node.attribute("type").is_none_or(|kind| {
                    kind.is_empty()
                        || kind == "module"
                        || kind.contains("javascript")
                        || kind.contains("babel")
                })
        });
        let empty_mount = nodes.iter().any(|node| {
            matches!(node.attribute("id"), Some("root" | "app" | "__next" | "mount"))
                && node.text.is_empty()
                && node.subtree_end.0 == node.id.0 + 1
        });
        Self {
            js_rendered: runs_script && (page.visible_characters < LITTLE_TEXT || empty_mount),
            external_css: !missing.is_empty(),
            missing: missing.to_vec(),
        }
    }

    /// Whether the snapshot speaks for the whole page.
    pub fn is_complete(&self) -> bool {
        !self.js_rendered && !self.external_css
    }
}
