//! How much of a page a snapshot can speak for. Scripts do not run and nothing is fetched, so a page that
//! needs either is only partly measured, and whoever scores it has to know.

use serde::{Deserialize, Serialize};

use crate::snapshot::{Node, PageFacts};

/// Reasons why the page a reader sees may differ from the one that was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Coverage {
    /// The page seems to be built by script: hardly any text, or an empty place to mount it in.
    pub js_rendered: bool,
    /// Style sheets or scripts outside the page, fonts aside, decide how it looks.
    pub external_css: bool,
}

/// Below this many visible characters a page with scripts counts as built by them.
const LITTLE_TEXT: usize = 100;

/// Hosts that serve fonts only: without them the page looks almost the same.
const FONT_HOSTS: &[&str] = &[
    "fonts.googleapis.com",
    "fonts.gstatic.com",
    "fonts.bunny.net",
    "use.typekit.net",
    "api.fontshare.com",
    "rsms.me",
    "fonts.",
];

impl Coverage {
    pub(crate) fn of(nodes: &[Node], page: &PageFacts, html: &str) -> Self {
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
        let external_css = nodes.iter().any(|node| match node.tag.as_str() {
            "link" => {
                node.attribute("rel").is_some_and(|rel| {
                    rel.split_ascii_whitespace().any(|token| token.eq_ignore_ascii_case("stylesheet"))
                }) && node.attribute("href").is_some_and(is_external)
            }
            "script" => node.attribute("src").is_some_and(is_external),
            _ => false,
        }) || imports(html).any(is_external);
        Self {
            js_rendered: runs_script && (page.visible_characters < LITTLE_TEXT || empty_mount),
            external_css,
        }
    }

    /// Whether the snapshot speaks for the whole page.
    pub fn is_complete(&self) -> bool {
        !self.js_rendered && !self.external_css
    }
}

fn is_external(address: &str) -> bool {
    let address = address.trim();
    !address.is_empty()
        && !address.starts_with("data:")
        && !FONT_HOSTS.iter().any(|host| address.contains(host))
}

/// The addresses of `@import` rules.
fn imports(html: &str) -> impl Iterator<Item = &str> {
    html.split("@import").skip(1).filter_map(|rest| {
        let rest = rest.trim_start();
        let rest = rest.strip_prefix("url(").unwrap_or(rest);
        let rest = rest.trim_start_matches(['"', '\'', ' ']);
        rest.split(['"', '\'', ')', ';', ' ']).next()
    })
}
