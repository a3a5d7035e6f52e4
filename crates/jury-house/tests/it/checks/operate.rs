//! Whether a page can be worked with.

use jury_core::severity::Severity;
use jury_eye::Beside;

use super::{clean, examined, finds, leaves_open, lowers, must_fix, of, page, passes};

#[test]
fn the_viewport_lets_readers_zoom() {
    let good = page("", "");
    lowers(
        "a11y",
        "operate",
        &good,
        &good.replace("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">", ""),
    );
    must_fix(&good.replace("initial-scale=1", "user-scalable=no"), "zoom is forbidden by user-scalable=no");
    must_fix(&good.replace("initial-scale=1", "maximum-scale=1"), "zoom is forbidden by maximum-scale");
}

#[test]
fn the_focus_ring_stays() {
    let link = "<a href=/x>To the shop</a>";
    must_fix(&page("a{outline:none}", link), "the focus ring is taken away by a { outline: none }");
    clean(&page("a{outline:none}a:focus-visible{box-shadow:0 0 0 2px #000}", link));
    clean(&page(".unused{outline:none}", link));
}

#[test]
fn targets_are_large_or_apart() {
    let targets = |gap: u32| {
        page(
            "",
            &format!(
                "<div style='display:flex;gap:{gap}px'>{}</div>",
                "<button style='width:12px;height:12px;padding:0' aria-label=Dot></button>".repeat(3)
            ),
        )
    };
    lowers("a11y", "operate", &targets(40), &targets(2));
}

#[test]
fn the_focus_ring_is_followed_through_the_cascade() {
    let link = "<a href=/x>To the shop</a>";
    let check = "a11y/focus";
    for (rules, body) in [
        ("*:focus{outline:0}", link),
        ("a:focus{outline:none}a:focus:not(:focus-visible){outline:none}", link),
        ("main a{outline:none}nav a:focus{outline:2px solid}", link),
        ("a{outline-offset:2px;outline-style:none}", link),
        ("", "<a href=/x style='outline:none'>To the shop</a>"),
        ("button{outline:none}button:hover{background:#eee}", "<button>Buy bread</button>"),
        ("a{&:focus{outline:none}}", link),
    ] {
        finds(check, &page(rules, body), Severity::Serious, "the focus ring is taken away by");
    }
    for (rules, body) in [
        ("", link),
        ("a:focus:not(:focus-visible){color:#000}", link),
        ("*{outline:none}:focus-visible{outline:2px solid}", link),
        ("a{outline:none}a:focus{text-decoration:underline}", link),
        ("a:focus{outline:2px dashed #000}", link),
        (
            "input{outline:none}.box:focus-within{border-color:#00f}",
            "<div class=box><input aria-label=City></div>",
        ),
        (
            "input{outline:none}input:focus+span{box-shadow:0 0 0 2px}",
            "<input type=checkbox aria-label=On><span>On</span>",
        ),
        ("a{outline:none}", "<a href=/x tabindex=-1>To the shop</a>"),
        ("@media print{a{outline:none}}", link),
    ] {
        passes(check, &page(rules, body));
    }
    finds(check, &page("input{outline:none}", "<input aria-label=City>"), Severity::Moderate, "focus ring");
    leaves_open(check, &page("a{outline:none}", "<a href=/x onfocus='mark(this)'>To the shop</a>"));
}

#[test]
fn small_targets_have_their_exemptions() {
    let pair = |one: &str| {
        page(
            "a{display:block;width:60px;height:16px;font-size:12px;line-height:16px}",
            &format!("<a href=/x>Shop</a>{one}"),
        )
    };
    finds("a11y/target", &pair("<a href=/y>Bakery</a>"), Severity::Moderate, "needs 24x24");
    passes("a11y/target", &pair(""));
    passes("a11y/target", &page("", "<p>Words with <a href=/x>one</a> and <a href=/y>two</a> links.</p>"));
    passes("a11y/target", &page("", "<input type=checkbox aria-label=a><input type=checkbox aria-label=b>"));
    // The same place can be reached by a target of full size.
    passes(
        "a11y/target",
        &pair(
            "<a href=/y>Bakery</a><a href=/x style='height:40px'>Shop</a><a href=/y style='height:40px'>B</a>",
        ),
    );
}

#[test]
fn a_ring_given_back_behind_quotes_or_in_a_list_is_seen() {
    let check = "a11y/focus";
    let button = "<button class=b>Order</button>";
    for css in [
        ".b{outline:0}.i{background:url(\"data:image/svg+xml,%3csvg stroke='rgba(0,0,0,.5)'/%3e\")}.b:focus{box-shadow:0 0 0 3px #00f}",
        ".b{outline:none;&:is(:hover,:focus){box-shadow:0 0 0 3px #00f}}",
    ] {
        passes(check, &page(css, button));
    }
    finds(
        check,
        &page(".b{outline:none;&:is(:hover,:active){color:red}}", button),
        Severity::Serious,
        "focus ring",
    );
}

#[test]
fn rules_beside_the_page_count_like_its_own() {
    let check = "a11y/link-in-text";
    let body = "<p>We bake at night so that the <a href=/street>whole street</a> has bread in the morning, every day.</p>";
    let with = |css: &str, body: &str| {
        let mut beside = Beside::nothing();
        beside.insert("site.css", css.as_bytes().to_vec());
        beside.insert("more/links.css", b"a{border-bottom:1px solid}".to_vec());
        let page = page("", body).replace("<style>", "<link rel=stylesheet href='./site.css?v=1'><style>");
        of(&examined(&page, &beside).findings, check).len()
    };
    let plain = "a{text-decoration:none;color:#222}";
    assert_eq!(with(plain, body), 1);
    assert_eq!(with(&format!("{plain}a{{border-bottom:1px solid}}"), body), 0);
    assert_eq!(with(&format!("{plain}a::after{{content:'→'}}"), body), 0);
    assert_eq!(with(&format!("@import 'more/links.css';{plain}"), body), 0);
    assert_eq!(with(&format!("@import 'more/links.css' print;{plain}"), body), 1);
}

#[test]
fn a_page_that_runs_to_the_left_is_measured_there() {
    let check = "a11y/reflow";
    let wide = page("", "<div style='width:700px'>Wider than a phone</div>");
    let leftwards = wide.replace("<html lang=\"en\"", "<html lang=\"en\" dir=\"rtl\"");
    finds(check, &leftwards, Severity::Serious, "it needs 7");
    passes(check, &page("", "<p>Fits.</p>").replace("<html lang=\"en\"", "<html lang=\"en\" dir=\"rtl\""));
    let hidden = "<a href=#x style='position:absolute;left:-999px;width:90px'>Skip</a><div style='overflow:hidden'>\
                  <div style='width:700px'>Cut off</div></div><p id=x>Here.</p>";
    passes(check, &page("", hidden).replace("<html lang=\"en\"", "<html lang=\"en\" dir=\"rtl\""));
}

#[test]
fn a_legend_keeps_its_controls() {
    let check = "a11y/focus";
    let fields = |inside: &str| format!("<fieldset disabled>{inside}<button>Not now</button></fieldset>");
    let css = "button{outline:none}";
    passes(check, &page(css, &fields("<legend>Bread</legend><p>All of it.</p>")));
    for legend in
        ["<legend><button>Switch on</button></legend>", "<legend><b><button>Switch on</button></b></legend>"]
    {
        finds(check, &page(css, &fields(legend)), Severity::Serious, "focus ring");
    }
    passes(check, &page(css, &fields("<legend>Bread</legend><legend><button>Second</button></legend>")));
}

#[test]
fn rings_beside_are_found_among_many_rules() {
    let check = "a11y/focus";
    let rules: Vec<String> = (0..400).map(|index| format!("a.x{index}:focus+i{{color:red}}")).collect();
    let css = format!("a{{outline:none}}{}", rules.concat());
    passes(check, &page(&css, "<p><a href=/x class=x399>Prices</a><i>*</i></p>"));
    finds(
        check,
        &page(&css, "<p><a href=/x class=y>Prices</a><i>*</i></p>"),
        Severity::Serious,
        "focus ring",
    );
}
