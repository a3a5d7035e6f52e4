//! Checks of what words, addresses and sounds mean: pages that have the fault, pages that have not, and pages that look as
//! if they had.

use jury_core::severity::Severity;
use jury_eye::Beside;

use super::a11y_names::{seen, tells};
use super::{examined, of};

#[test]
fn sound_can_be_stopped() {
    tells(
        "a11y/sound-control",
        Severity::Moderate,
        &[
            "<audio autoplay src=a.mp3></audio>",
            "<video autoplay><source src=a.mp4></video>",
            "<audio autoplay src=a.mp3></audio><button hidden>Stop</button>",
            "<audio autoplay src=a.mp3></audio><button>Stoppages</button>",
        ],
        &[
            "<audio autoplay controls src=a.mp3></audio>",
            "<audio src=a.mp3></audio>",
            "<video autoplay muted src=a.mp4></video>",
            "<audio autoplay></audio>",
            "<audio autoplay src='a.mp3#t=8,10'></audio>",
            "<audio autoplay src=a.mp3></audio><button>Stop the music</button>",
        ],
    );
    tells(
        "a11y/sound",
        Severity::Minor,
        &["<audio autoplay controls src=a.mp3></audio>"],
        &["<audio controls src=a.mp3></audio>", "<audio autoplay src='a.mp3#t=8,10'></audio>"],
    );
}

#[test]
fn pages_stay_beyond_a_day() {
    let page = |content: &str| {
        format!("<!doctype html><title>A page</title><meta http-equiv=refresh content='{content}'>A")
    };
    tells(
        "a11y/refresh-late",
        Severity::Minor,
        &[&page("72001; url=a.html")],
        &[&page("0; url=a.html"), &page("30")],
    );
}

#[test]
fn enhanced_contrast_is_said_once_and_costs_nothing() {
    let grey =
        "<main><h1>A</h1><p style='color:#767676'>Some words</p><p style='color:#707070'>And more</p></main>";
    tells(
        "a11y/contrast-enhanced",
        Severity::Minor,
        &[grey],
        &["<p>Black on white</p>", "<p style='color:#595959'>A</p>"],
    );
    assert_eq!(seen("a11y/contrast-enhanced", grey).0.len(), 1);
    let large = "<p style='font-size:24px;color:#767676'>Large words</p>";
    tells("a11y/contrast-enhanced", Severity::Minor, &[], &[large]);
}

#[test]
fn text_stands_out_in_every_window_and_state() {
    let with = |css: &str| {
        format!("<style>{css}</style><main><h1>A page</h1><p>Some words on <a href=a.html>it</a></p></main>")
    };
    let faint = [
        "@media (max-width:600px){p{color:#cccccc}}",
        "@media (min-width:1500px){p{color:#cccccc}}",
        "@media (prefers-color-scheme:dark){body{background:#000000}}",
        "a:hover{color:#ffffff}",
        "p::first-line{color:#dddddd}",
        "p::after{content:'and more';color:#dddddd}",
        "p{filter:opacity(.3)}",
    ];
    let fine = [
        "@media (max-width:600px){p{color:#333333}}",
        "@media (prefers-color-scheme:dark){body{background:#000000;color:#ffffff}a{color:#9ecbff}}",
        "@media print{p{color:#cccccc}}",
        "a:hover{color:#003366}",
        "p::after{content:'→';color:#dddddd}",
        "p::first-line{color:#333333}",
        "p{filter:opacity(.95)}",
    ];
    let [faint, fine] = [faint.map(with), fine.map(with)];
    let list = "<label>Seats <select style='color:#cccccc;background:#ffffff'><option>Two</select></label>"
        .to_owned();
    let faint: Vec<&str> = faint.iter().chain([&list]).map(String::as_str).collect();
    let fine: Vec<&str> = fine.iter().map(String::as_str).collect();
    tells("a11y/contrast-states", Severity::Serious, &faint, &fine);
}

#[test]
fn parts_are_in_the_language_they_say() {
    tells(
        "a11y/lang-parts-text",
        Severity::Moderate,
        &[
            "<p lang=fr>We have been here for more than ten years</p>",
            "<p lang=en>Wir haben heute für Sie geöffnet</p>",
            "<div lang=en><p lang=en><img src=a.png alt='Wir haben heute für Sie geöffnet'></p></div>",
        ],
        &[
            "<p lang=fr>Nous sommes ici depuis plus de dix ans</p>",
            "<p lang=fr>Menu</p>",
            "<p lang=it>Spaghetti carbonara</p>",
            "<div lang=de>Guten Tag <q lang=en>we have been here for more than ten years</q></div>",
            "<code lang=fr>if you do not have it then go for the other one</code>",
        ],
    );
    let page = |lang: &str, words: &str| {
        format!("<!doctype html><html lang={lang}><title>{words}</title><p>{words}</p>")
    };
    let (wrong, right) = (page("fr", "We are here for you"), page("en", "We are here for you"));
    tells("a11y/lang-text", Severity::Minor, &[&wrong], &[&right]);
}

#[test]
fn links_are_explained_by_their_context() {
    tells(
        "a11y/link-purpose",
        Severity::Moderate,
        &[
            "<main><p>Bread is baked at night.</p><p><a href=/a>Read more</a></p></main>",
            "<main><p>Bread is baked at night.</p><a href=/a>More</a></main>",
            "<table><tr><td>Loaf<td><a href=/a>here</a></table>",
        ],
        &[
            "<p>Bread is baked at night. <a href=/a>Read more</a></p>",
            "<ul><li>Bread <p><a href=/a>more</a></p></ul>",
            "<div><h3>Bread</h3><a href=/a>Read more</a></div>",
            "<table><tr><th>Prices of bread<td><a href=/a>here</a></table>",
            "<p id=d>Prices of bread</p><p><a href=/a aria-describedby=d>here</a></p>",
            "<p><a href=/a>Bread</a></p>",
        ],
    );
}

#[test]
fn one_name_leads_to_one_place() {
    tells(
        "a11y/same-links",
        Severity::Minor,
        &[
            "<p>Rye <a href=/a>Order</a></p><p>Wheat <a href=/b>Order</a></p>",
            "<a href='#a'>Order</a> <a href='#b'>Order</a>",
        ],
        &[
            "<p>Rye <a href=/a>Order</a></p><p>Wheat <a href=./a/../b>Order</a></p><p>Oat <a href=b>Order</a></p>"
                .replace("/a", "b")
                .as_str(),
            "<p>Rye <a href=/a>Order rye</a></p><p>Wheat <a href=/b>Order wheat</a></p>",
        ],
    );
    let (found, open) = seen("a11y/same-links", "<a href=a.html>Contact</a> <a href=b.html>Contact</a>");
    assert_eq!((found.len(), open.len()), (0, 1));
    tells(
        "a11y/same-links-in-context",
        Severity::Moderate,
        &["<p>Report of 2019: <a href=/a>PDF</a>, report of 2020: <a href=/b>PDF</a></p>"],
        &[
            "<p><a href=/a>PDF</a> <a href=/b>PDF</a></p>",
            "<ul><li>2019: <a href=/a>PDF</a><li>2020: <a href=/b>PDF</a></ul>",
            "<p>Report of 2019: <a href=/a>PDF</a>, again: <a href=/a>PDF</a></p>",
        ],
    );
}

#[test]
fn frames_of_one_name_hold_one_page() {
    tells(
        "a11y/same-frames",
        Severity::Moderate,
        &["<iframe title=Map srcdoc='<p>A'></iframe><iframe title=map srcdoc='<p>B'></iframe>"],
        &["<iframe title=Map srcdoc='<p>A'></iframe><iframe title=Map srcdoc='<p>A'></iframe>"],
    );
    let frames = "<iframe title=Map src=a.html></iframe><iframe title=Map src=b.html></iframe>";
    let (found, open) = seen("a11y/same-frames", frames);
    assert_eq!((found.len(), open.len()), (0, 1));
    let with = |second: &str| {
        let mut beside = Beside::nothing();
        beside.insert("a.html", b"<p>A".to_vec());
        beside.insert("b.html", second.as_bytes().to_vec());
        let report = examined(&format!("<!doctype html><title>A page</title>{frames}"), &beside);
        (of(&report.findings, "a11y/same-frames").len(), of(&report.undecided, "a11y/same-frames").len())
    };
    assert_eq!((with("<p>B"), with("<p>A")), ((1, 0), (0, 0)));
}

#[test]
fn names_describe() {
    let image = |name: &str| format!("<img src=https://a.org/loaf_2.png alt='{name}' width=9 height=9>");
    let bad: Vec<String> = ["loaf_2", "loaf.png", "IMG_2041.jpg", "image", "Photo 3"].map(image).into();
    let good: Vec<String> = ["A loaf of rye", "Loaf", "Image of a loaf", "node.js"].map(image).into();
    tells(
        "a11y/image-words",
        Severity::Moderate,
        &bad.iter().map(String::as_str).collect::<Vec<_>>(),
        &good.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    tells(
        "a11y/heading-words",
        Severity::Moderate,
        &["<h1>Heading</h1>", "<h2>Section 2</h2>", "<h2>***</h2>"],
        &["<h1>Headings of ships</h1>", "<h2>A</h2>", "<h2>2026</h2>", "<h2>Text and image</h2>"],
    );
    let titled = |title: &str, heading: &str| {
        format!("<!doctype html><html lang=en><title>{title}</title><h1>{heading}</h1><p>Some words</p>")
    };
    let (untitled, document, file) =
        (titled("Untitled", "Bread"), titled("Document", "Bread"), titled("page.html", "Bread"));
    let (good, meant) = (titled("Bread for the street", "Bread"), titled("Index", "Index"));
    tells("a11y/title-words", Severity::Serious, &[&untitled, &document, &file], &[&good, &meant]);
    let (index, of_breads) = (titled("Index", "Bread"), titled("Index of breads", "Bread"));
    tells("a11y/title-words", Severity::Moderate, &[&index], &[&of_breads]);
}

#[test]
fn labels_tell_their_field() {
    let two = "<label>Name <input></label><label>Street <input></label>";
    tells(
        "a11y/label-words",
        Severity::Moderate,
        &[
            "<label>Input <input></label>",
            "<label>Field 2 <input></label>",
            &format!("<form>{two}{two}</form>"),
        ],
        &[
            "<label>First name <input></label>",
            &format!("<form><h2>From</h2>{two}<h2>To</h2>{two}</form>"),
            &format!(
                "<form><fieldset><legend>From</legend>{two}</fieldset><fieldset><legend>To</legend>{two}</fieldset></form>"
            ),
            "<input aria-label=Input>",
            "<table><tr><td>Rye<td><label>Loaves <input></label><tr><td>Wheat<td><label>Loaves <input></label></table>",
        ],
    );
}
