//! Checks of structure, time, forms and keys: one failing and one passing page for each.

use super::a11y_names::{seen, tells};
use jury_core::severity::Severity;

const LONG: &str = "Bread is baked at night so that the street has bread in the morning, and whoever comes early gets it \
    warm. The oven is old and slow, and nobody minds, because a slow oven makes a thick crust and a soft crumb. ";

fn page(html: &str, head: &str, body: &str) -> String {
    format!("<!doctype html><html {html}><head><title>A page</title>{head}</head><body>{body}</body></html>")
}

#[test]
fn languages() {
    let (no, unknown, other) = (page("", "", "x"), page("lang=english", "", "x"), page("lang=xyx", "", "x"));
    let (good, regional) = (page("lang=en", "", "x"), page("lang=gsw-CH", "", "x"));
    tells("a11y/lang", Severity::Serious, &[&no, &unknown, &other], &[&good, &regional]);
    let (differ, agree) = (page("lang=en xml:lang=de", "", "x"), page("lang=en xml:lang=en-GB", "", "x"));
    tells("a11y/lang", Severity::Moderate, &[&differ], &[&agree]);
    let (wrong, right) = (page("lang=de", "", LONG), page("lang=en", "", LONG));
    let part = page("lang=de", "", &format!("<p lang=en>{LONG}</p>"));
    tells("a11y/lang-text", Severity::Minor, &[&wrong], &[&right, &part]);
    tells(
        "a11y/lang-parts",
        Severity::Serious,
        &["<p lang=english>A</p>", "<p lang='#!'><b aria-hidden=true>A</b></p>"],
        &["<p lang=fr-CH>A</p>", "<div lang=nothing><p lang=en>A</p></div>", "<p lang=nothing></p>"],
    );
}

#[test]
fn titles() {
    tells(
        "a11y/title",
        Severity::Serious,
        &["<!doctype html><html lang=en><p>A", "<!doctype html><title> </title><p>A"],
        &["<p>A</p>", "<!doctype html><title>Untitled</title>A"],
    );
    let (found, undecided) =
        seen("a11y/title", "<!doctype html><div id=root></div><script src=app.js></script>");
    assert_eq!((found.len(), undecided.len()), (0, 1));
}

#[test]
fn outlines() {
    tells(
        "a11y/heading-order",
        Severity::Moderate,
        &["<h1>A</h1><h3>B</h3>", "<h2>A</h2>", LONG.repeat(2).as_str()],
        &["<h1>A</h1><h2>B</h2><h3>C</h3><h2>D</h2>", "<h1>A</h1><div role=heading aria-level=2>B</div>"],
    );
    tells(
        "a11y/heading-name",
        Severity::Moderate,
        &["<h1></h1>", "<h1><b aria-hidden=true>A</b></h1>"],
        &["<h1>A</h1>"],
    );
}

#[test]
fn main_parts_and_regions() {
    tells(
        "a11y/main",
        Severity::Moderate,
        &["<p>A</p>", "<main>A</main><main>B</main>", "<div role=region aria-label=R><main>A</main></div>"],
        &["<main>A</main>"],
    );
    tells(
        "a11y/region",
        Severity::Moderate,
        &["<main>A</main><p>B</p>", "<section>A</section>"],
        &[
            "<main>A</main><dialog open>B</dialog>",
            "<header>A</header><main>B</main>",
            "<a href='#m'>Skip</a><main id=m>B</main>",
        ],
    );
}

#[test]
fn the_largest_elements_outside_are_named() {
    let (found, _) =
        seen("a11y/region", "<div><p>A</p><p>B</p></div><main>C</main><div><p>D</p><nav>E</nav></div>");
    let paths: Vec<&str> =
        found.iter().flat_map(|found| &found.places).map(|place| place.path.as_str()).collect();
    assert_eq!(paths, ["html>body>div:nth-child(1)", "html>body>div:nth-child(3)>p:nth-child(1)"]);
}

#[test]
fn landmarks() {
    tells(
        "a11y/landmarks",
        Severity::Moderate,
        &[
            "<nav>A</nav><nav>B</nav>",
            "<header>A</header><header>B</header>",
            "<main><div role=banner>A</div></main>",
            "<nav><aside aria-label=B>A</aside></nav>",
        ],
        &[
            "<nav aria-label=A>A</nav><nav aria-label=B>B</nav>",
            "<main><aside>A</aside></main>",
            "<header>A</header><main><header>B</header></main>",
        ],
    );
}

#[test]
fn lists() {
    tells(
        "a11y/lists",
        Severity::Serious,
        &[
            "<ul><div>A</div></ul>",
            "<ul>A</ul>",
            "<div><li>A</li></div>",
            "<dl><p>A</p></dl>",
            "<dd>A</dd>",
            "<dl><dt>A</dt></dl>",
            "<dl><dd>A</dd><dt>B</dt></dl>",
        ],
        &[
            "<ul><li>A</li></ul>",
            "<ul><li>A</li><script></script></ul>",
            "<dl><div><dt>A</dt><dd>B</dd></div></dl>",
            "<dl></dl>",
            "<dl><dt>A</dt><dt>B</dt><dd>C</dd></dl>",
            "<ul role=none><li>A</li></ul>",
        ],
    );
}

#[test]
fn tables() {
    tells(
        "a11y/table-headers",
        Severity::Moderate,
        &[
            "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td></tr></table>",
            "<div role=grid><div role=row><b role=columnheader>A</b><b role=columnheader>B</b></div>\
             <div role=row><b role=gridcell>1</b></div></div>",
        ],
        &[
            "<table><tr><th>A</th><th>B</th></tr><tr><td colspan=2>1</td></tr></table>",
            "<table><tr><th>A</th><td>1</td></tr></table>",
            "<table><tr><th id=a>A</th><th id=b>B</th></tr><tr><td>1</td></tr><tr><td headers=b>2</td></tr></table>",
            "<table role=presentation><tr><th>A</th></tr></table>",
        ],
    );
    tells(
        "a11y/table-headers",
        Severity::Minor,
        &[
            "<table><tr><th></th><td>1</td></tr></table>",
            "<table><tr><th scope=up>A</th><td>1</td></tr></table>",
        ],
        &["<table><tr><th scope=row>A</th><td>1</td></tr></table>"],
    );
    tells(
        "a11y/cell-headers",
        Severity::Serious,
        &[
            "<table><tr><th>A</th></tr><tr><td id=a headers=a>1</td></tr></table>",
            "<b id=a>A</b><table><tr><th>A</th></tr><tr><td headers=a>1</td></tr></table>",
        ],
        &["<table><tr><th id=a>A</th></tr><tr><td headers=a>1</td></tr></table>"],
    );
}

#[test]
fn ways_past_what_comes_first() {
    tells(
        "a11y/bypass",
        Severity::Moderate,
        &["<a href='#nowhere'>Skip to content</a><main>A</main>"],
        &["<a href='#m'>Skip to content</a><main id=m>A</main>", "<h1>A</h1><a href=/>B</a>", "<p>A</p>"],
    );
    let (found, undecided) = seen("a11y/bypass", "<a href=/a>A</a><a href=/b>B</a><p>C</p>");
    assert_eq!((found.len(), undecided.len()), (0, 1));
}

#[test]
fn pages_that_go_away() {
    let with =
        |content: &str| page("lang=en", &format!("<meta http-equiv=refresh content='{content}'>"), "x");
    let (bad, good) =
        ([with("5"), with("72000; /x")], [with("0; /x"), with("72001"), with("0: /x"), with("; 5")]);
    tells(
        "a11y/refresh",
        Severity::Serious,
        &bad.each_ref().map(String::as_str),
        &good.each_ref().map(String::as_str),
    );
}

#[test]
fn autocomplete() {
    tells(
        "a11y/autocomplete",
        Severity::Serious,
        &["<input aria-label=A autocomplete=badname>", "<input aria-label=A autocomplete='work photo'>"],
        &[
            "<input aria-label=A autocomplete='section-a billing street-address'>",
            "<input aria-label=A autocomplete=off>",
            "<input aria-label=A autocomplete=badname disabled>",
            "<input type=submit autocomplete=badname>",
        ],
    );
}

#[test]
fn orientation() {
    let with = |rule: &str| {
        page("lang=en", &format!("<style>@media (orientation: portrait) {{ {rule} }}</style>"), "Words")
    };
    let both = |portrait: &str, landscape: &str| {
        let rules = format!(
            "<style>@media (orientation: portrait) {{ {portrait} }} @media (orientation: landscape) {{ {landscape} }}</style>"
        );
        page("lang=en", &rules, "Words")
    };
    let bad = [
        with("html { transform: rotate(90deg); }"),
        with("body { rotate: -90deg }"),
        with("@supports (rotate: 1deg) { body { color: red; rotate: 90deg !important } }"),
        page("lang=en", "<style media='(orientation: landscape)'>body { rotate: 90deg }</style>", "Words"),
        both("body { rotate: 45deg }", "body { rotate: 135deg }"),
        page(
            "lang=en",
            "<style>body { rotate: 90deg } @media (orientation: landscape) { body { rotate: 0deg } }</style>",
            "Words",
        ),
    ];
    let good = [
        with("html { transform: rotate(180deg) }"),
        with("body { color: red }"),
        with(".icon { transform: rotate(90deg) }"),
        with("/* body { rotate: 90deg } */"),
        with("body { rotate: 90deg; rotate: 0deg }"),
        both("body { rotate: 90deg }", "body { rotate: 90deg }"),
    ];
    tells(
        "a11y/orientation",
        Severity::Serious,
        &bad.each_ref().map(String::as_str),
        &good.each_ref().map(String::as_str),
    );
}

#[test]
fn keys() {
    tells(
        "a11y/keys",
        Severity::Moderate,
        &["<a href=/ tabindex=3>A</a>", "<a href=/ accesskey=s>A</a><a href=/ accesskey=S>B</a>"],
        &["<a href=/ tabindex=0>A</a>", "<a href=/ accesskey=s>A</a><a href=/ accesskey=t>B</a>"],
    );
}
