//! What of CSS and HTML is measured, and what is left open with its reason: one page for each.

use jury_eye::Beside;

use super::{examined, of};

/// What becomes of a faint text.
#[derive(Debug, PartialEq, Eq)]
enum Standing {
    /// Its contrast is found.
    Done,
    /// It is said to be undecided, and nothing is found.
    Undecided,
}

use Standing::{Done, Undecided};

/// Each page has words that are too faint where the feature works as its standard says, or that look too faint where it does
/// not work.
const FEATURES: &[(&str, Standing, &str)] = &[
    (
        "@container",
        Undecided,
        "<style>div{container-type:inline-size}@container (min-width:300px){p{color:#eee}}</style><div><p>Some words here</p></div>",
    ),
    (
        "@scope",
        Undecided,
        "<style>@scope (.c){p{color:#eee}}</style><div class=c><p>Some words here</p></div>",
    ),
    (
        "if()",
        Undecided,
        "<style>p{color:if(media(width > 1px): #eee; else: #000)}</style><p>Some words here</p>",
    ),
    (
        "if() in a style attribute",
        Undecided,
        "<p style='color:if(media(width > 1px): #eee)'>Some words here</p>",
    ),
    ("::first-line", Undecided, "<style>p::first-line{color:#eee}</style><p>Some words here</p>"),
    (
        "content-visibility",
        Undecided,
        "<style>p{content-visibility:hidden;color:#eee}</style><p>Some words here</p>",
    ),
    ("scale(0)", Undecided, "<p style='transform:scale(0);color:#eee'>Some words here</p>"),
    (
        "declarative shadow root",
        Undecided,
        "<div><template shadowrootmode=open><p style='color:#eee'>Some words here</p></template></div>",
    ),
    (
        "foreignObject",
        Undecided,
        "<svg width=90 height=90><foreignObject width=90 height=90><p style='color:#eee'>Some words here</p></foreignObject></svg>",
    ),
    ("srcdoc", Undecided, "<iframe title=A srcdoc='<p style=color:#eee>Some words here'></iframe>"),
    (
        "table captions",
        Undecided,
        "<table><caption style='color:#eee'>Some words here</caption><tr><td>A</table>",
    ),
    ("td as a flex box", Undecided, "<table><tr><td style='display:flex;color:#eee'>Some words here</table>"),
    (
        "::placeholder",
        Undecided,
        "<style>input::placeholder{color:#eee}</style><label>Name <input placeholder='Some words here'></label>",
    ),
    ("font color by name", Done, "<font color=silver>Some words here</font>"),
    ("font color by six digits", Done, "<font color=eeeeee>Some words here</font>"),
    (
        "bgcolor by three digits",
        Done,
        "<table bgcolor=#fff><tr><td style='color:#eee'>Some words here</table>",
    ),
    ("bgcolor by name", Done, "<table bgcolor=Black><tr><td style='color:#111'>Some words here</table>"),
    ("body text", Done, "<body text=#eeeeee><p>Some words here</p>"),
    ("body link", Done, "<body link=#eeeeee><p>Some <a href=/a>words to follow here</a></p>"),
    ("@media", Done, "<style>@media (min-width:300px){p{color:#eee}}</style><p>Some words here</p>"),
    ("@layer", Done, "<style>@layer a{p{color:#eee}}</style><p>Some words here</p>"),
    ("@supports", Done, "<style>@supports (color:red){p{color:#eee}}</style><p>Some words here</p>"),
    ("nesting", Done, "<style>div{p{color:#eee}}</style><div><p>Some words here</p></div>"),
];

#[test]
fn every_feature_is_measured_or_left_open_with_its_reason() {
    for (feature, standing, body) in FEATURES {
        let page = format!("<!doctype html><html lang=en><head><title>A page</title></head>{body}</html>");
        let report = examined(&page, &Beside::nothing());
        let found = !of(&report.findings, "a11y/contrast").is_empty();
        let open =
            ["a11y/contrast", "critic/measured"].iter().any(|check| !of(&report.undecided, check).is_empty());
        let told = match (found, open) {
            (true, false) => Some(Done),
            (false, true) => Some(Undecided),
            _ => None,
        };
        assert_eq!(told.as_ref(), Some(standing), "{feature}: found {found}, open {open}");
    }
}

#[test]
fn what_only_looks_like_such_a_feature_is_measured() {
    for body in [
        "<style>@container (min-width:300px){p{margin:0}}p{color:#eee}</style><p>Some words here</p>",
        "<style>b::first-line{color:#000}p{color:#eee}</style><p>Some words here</p>",
        "<style>p{font-family:Serif;color:#eee}</style><p>Some words here</p>",
        "<template><p>Some words here</p></template><p style='color:#eee'>Some words here</p>",
        "<style>font{color:#eee}</style><font color=black>Some words here</font>",
    ] {
        let page = format!(
            "<!doctype html><html lang=en><head><title>A page</title></head><body>{body}</body></html>"
        );
        let report = examined(&page, &Beside::nothing());
        assert!(!of(&report.findings, "a11y/contrast").is_empty(), "{body}");
        assert!(of(&report.undecided, "critic/measured").is_empty(), "{body}");
    }
}
