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

/// Below this many visible characters a page with scripts that can build something counts as built by them.
const LITTLE_TEXT: usize = 100;

/// A script above this many bytes is not looked through: it may do anything.
const SHORT_SCRIPT: usize = 2_000;

/// What a script has in it that puts something on a page, or gets others to.
const BUILDING: [&str; 24] = [
    "html",
    "append",
    "prepend",
    "insert",
    "create",
    "replace",
    "write",
    "render",
    "mount",
    "hydrate",
    "import",
    "fetch",
    "clone",
    "attachshadow",
    "textcontent",
    "innertext",
    "customelements",
    "eval",
    "function(",
    "xmlhttp",
    ".before(",
    ".after(",
    "atob",
    "[\"",
];

/// Whether a script can put anything on the page: all but short ones in the page without a word for it.
pub(crate) fn can_build(script: &Node, text: &str) -> bool {
    if script.attribute("src").is_some() || text.len() > SHORT_SCRIPT {
        return true;
    }
    let text: String = text.chars().filter(|ch| !ch.is_whitespace()).collect::<String>().to_ascii_lowercase();
    // Functions are written everywhere; only those made from text can do what is not to be seen.
    let text = text.replace("function(){", "{").replace("function(e)", "").replace("function(event)", "");
    BUILDING.iter().any(|word| text.contains(word))
}

impl Coverage {
    /// `builds` says whether any script of the page can put anything on it.
    pub(crate) fn of(nodes: &[Node], page: &PageFacts, missing: &[String], builds: bool) -> Self {
        let runs_script = nodes.iter().any(Node::runs_script);
        let empty_mount = nodes.iter().any(|node| {
            matches!(node.attribute("id"), Some("root" | "app" | "__next" | "mount"))
                && node.text.is_empty()
                && node.subtree_end.0 == node.id.0 + 1
        });
        let little = page.visible_characters < LITTLE_TEXT;
        Self {
            js_rendered: (runs_script && empty_mount) || (builds && little),
            external_css: !missing.is_empty(),
            missing: missing.to_vec(),
        }
    }

    /// Whether the snapshot speaks for the whole page.
    pub fn is_complete(&self) -> bool {
        !self.js_rendered && !self.external_css
    }

    /// Whether an address is one of fonts or of icons in a font: without them a page looks almost the same.
    pub fn serves_fonts(address: &str) -> bool {
        let (host, path) = host_and_path(address);
        host.starts_with("fonts.")
            || FONT_HOSTS.iter().any(|known| is_of(&host, known))
            || FONT_PATHS.iter().any(|known| path.contains(known))
    }

    /// Whether an address is one of a script that counts visitors and paints nothing.
    pub fn counts_visitors(address: &str) -> bool {
        let (host, path) = host_and_path(address);
        let mut words = host.split(['.', '-']).chain(path.split(['/', '.', '-']));
        COUNTER_HOSTS.iter().any(|known| is_of(&host, known)) || words.any(|word| COUNTERS.contains(&word))
    }
}

/// Hosts that serve fonts only.
const FONT_HOSTS: [&str; 6] = [
    "use.typekit.net",
    "api.fontshare.com",
    "rsms.me",
    "use.fontawesome.com",
    "kit.fontawesome.com",
    "pro.fontawesome.com",
];

/// What the addresses of fonts have in them, on hosts that serve everything.
const FONT_PATHS: [&str; 4] = ["font-awesome", "fontawesome", "@fontsource", "bootstrap-icons"];

/// Hosts whose scripts count visitors.
const COUNTER_HOSTS: [&str; 10] = [
    "googletagmanager.com",
    "google-analytics.com",
    "plausible.io",
    "cloudflareinsights.com",
    "clarity.ms",
    "usefathom.com",
    "hotjar.com",
    "segment.com",
    "posthog.com",
    "simpleanalyticscdn.com",
];

/// The same, on a host of one's own.
const COUNTERS: [&str; 5] = ["umami", "matomo", "plausible", "fathom", "goatcounter"];

/// Whether a host is this one or below it.
fn is_of(host: &str, known: &str) -> bool {
    host.strip_suffix(known).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// The host of an address, empty for one beside the page, and its path.
fn host_and_path(address: &str) -> (String, String) {
    let lower = address.trim().to_ascii_lowercase();
    let plain = lower.split(['?', '#']).next().unwrap_or_default();
    let remote = ["https://", "http://", "//"].iter().find_map(|scheme| plain.strip_prefix(scheme));
    let (host, path) =
        remote.map_or(("", plain), |rest| rest.find('/').map_or((rest, ""), |at| rest.split_at(at)));
    (host.split(':').next().unwrap_or_default().to_owned(), path.to_owned())
}

impl Node {
    /// Whether this is a script that runs, and not data or a template in the guise of one.
    pub fn runs_script(&self) -> bool {
        self.tag == "script" && is_script(self.attribute("type"))
    }
}

/// Whether a `script` of this type runs. Babel's are made to run by another.
pub(crate) fn is_script(kind: Option<&str>) -> bool {
    kind.is_none_or(|kind| {
        let kind = kind.trim().to_ascii_lowercase();
        kind.is_empty() || kind == "module" || kind.contains("javascript") || kind.contains("babel")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_that_only_react_build_nothing() {
        let script = crate::look("<script></script>", crate::Viewport::DESKTOP).expect("it can be measured");
        let script = script.nodes.iter().find(|node| node.tag == "script").expect("there is one");
        for text in [
            "",
            "document.title='x'",
            "form.onsubmit=()=>check(form.name.value)",
            "a.addEventListener('click',function(){b.focus()})",
        ] {
            assert!(!can_build(script, text), "{text}");
        }
        for text in [
            "root.innerHTML=x",
            "document . write(x)",
            "app.mount('#a')",
            "new Function('x')()",
            "x['ap'+'pend'](y); a[\"b\"]",
        ] {
            assert!(can_build(script, text), "{text}");
        }
    }

    #[test]
    fn fonts_and_counters_are_told_from_what_a_page_needs() {
        for font in [
            "https://fonts.googleapis.com/css2?family=Inter",
            "//use.typekit.net/abc.css",
            "https://cdnjs.cloudflare.com/ajax/libs/font-awesome/6.5.0/css/all.min.css",
            "https://kit.fontawesome.com/1.js",
        ] {
            assert!(Coverage::serves_fonts(font), "{font}");
        }
        for counter in [
            "https://plausible.io/js/script.js",
            "https://www.googletagmanager.com/gtag/js?id=G-1",
            "https://stats.bakery.org/matomo.js",
            "//umami.bakery.org/script.js",
        ] {
            assert!(Coverage::counts_visitors(counter), "{counter}");
        }
        for needed in [
            "https://cdn.tailwindcss.com",
            "https://unpkg.com/vue?for=plausible.io",
            "https://notplausible.io.test/app.js",
            "https://cdn.test/fonts.googleapis.com.js",
            "app.js",
        ] {
            assert!(!Coverage::serves_fonts(needed) && !Coverage::counts_visitors(needed), "{needed}");
        }
    }
}
