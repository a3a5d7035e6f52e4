//! Boxes, rules and what they do to readers.

use super::{finds, leaves_open, page, passes};
use jury_core::severity::Severity;

#[test]
fn fields_have_an_edge() {
    let field = |rules: &str| page(rules, "<input aria-label=City>");
    let check = "a11y/nontext-contrast";
    finds(check, &field("input{border:1px solid #ddd;background:#fff}"), Severity::Moderate, "needs 3:1");
    finds(check, &field("input{border:0;background:#f4f4f4}"), Severity::Moderate, "needs 3:1");
    passes(check, &field("input{border:1px solid #767676;background:#fff}"));
    passes(check, &field("input{border:0;border-bottom:2px solid #333;background:#fff}"));
    passes(check, &field("input{border:0;background:#444}"));
    passes(check, &field(""));
    passes(check, &page("button{border:1px solid #eee}", "<button>Buy bread</button>"));
    leaves_open(check, &field("input{border:0;box-shadow:0 0 0 1px #ddd}"));
}

#[test]
fn links_in_text_are_told_from_it() {
    let text = |rules: &str| {
        page(rules, "<p>We bake at night and sell <a href=/x>our bread</a> in the morning to the street.</p>")
    };
    let check = "a11y/link-in-text";
    finds(check, &text("a{color:#333;text-decoration:none}"), Severity::Serious, "no underline");
    for rules in [
        "a{color:#333}",
        "a{color:#333;text-decoration:none;font-weight:700}",
        "a{color:#333;text-decoration:none;border-bottom:1px solid}",
        "a{color:#333;text-decoration:none;background:#ffd}",
        "body{color:#000!important}a{color:#d33;text-decoration:none}",
        "a{color:#333;text-decoration:none}a::after{content:'→'}",
    ] {
        passes(check, &text(rules));
    }
    passes(
        check,
        &page("a{color:#333;text-decoration:none}", "<p><a href=/x>Shop</a> · <a href=/y>Bakery</a></p>"),
    );
    passes(
        check,
        &page("a{color:#333;text-decoration:none}", "<nav><a href=/x>Shop</a> and more words here</nav>"),
    );
}

#[test]
fn spacing_is_left_to_readers() {
    let text = "We bake at night so that the street has bread in the morning, every day.";
    let styled = |style: &str| page("", &format!("<p style='max-width:200px;{style}'>{text}</p>"));
    let check = "a11y/spacing";
    for style in [
        "line-height:1.2!important",
        "line-height:normal !important",
        "line-height:2!important;line-height:1em!important",
        "letter-spacing:.1em!important",
        "word-spacing:0!important",
    ] {
        finds(check, &styled(style), Severity::Serious, "by a style attribute");
    }
    for style in [
        "line-height:1.2",
        "line-height:1.6!important",
        "line-height:1.5!important;line-height:1",
        "letter-spacing:.12em!important",
        "word-spacing:.16em!important",
        "letter-spacing:inherit!important",
    ] {
        passes(check, &styled(style));
    }
    passes(check, &page("", "<p style='line-height:1!important'>One line</p>"));
    passes(check, &page("", "<p style='line-height:1!important;display:none'>gone</p>"));
}

#[test]
fn pages_fit_a_narrow_window() {
    let check = "a11y/reflow";
    finds(
        check,
        &page("", "<div style='width:600px'>wide words</div>"),
        Severity::Serious,
        "a window of 320 px",
    );
    finds(
        check,
        &page(
            "",
            "<p style='white-space:nowrap'>We bake at night so that the street has bread in the morning.</p>",
        ),
        Severity::Serious,
        "a window of 320 px",
    );
    for body in [
        "<div style='max-width:600px'>narrow words</div>",
        "<div style='overflow-x:auto'><div style='width:600px'>wide words</div></div>",
        "<table style='width:600px'><tr><td>wide words</td></tr></table>",
        "<div style='position:fixed;left:0;width:600px'>fixed words</div>",
        "<img alt=Loaf style='width:600px;height:10px' src=x.png>",
    ] {
        passes(check, &page("", body));
    }
    leaves_open(
        check,
        &page(
            "",
            "<div style='width:600px' id=stage>words</div><script>stage.style.transform=`scale(${innerWidth/600})`</script>",
        ),
    );
}

#[test]
fn text_is_whole_when_zoomed() {
    let words = "We bake at night so that the street has bread in the morning. ".repeat(4);
    let check = "a11y/clipped";
    finds(
        check,
        &page("", &format!("<p style='height:1.5em;overflow:hidden'>{words}</p>")),
        Severity::Moderate,
        "cut off",
    );
    passes(check, &page("", &format!("<p style='height:1.5em;overflow:auto'>{words}</p>")));
    passes(check, &page("", &format!("<p style='overflow:hidden'>{words}</p>")));
    passes(check, &page("", &format!("<div style='height:0;overflow:hidden'><p>{words}</p></div>")));
}

#[test]
fn what_scrolls_is_in_reach() {
    let words = "<p>We bake at night so that the street has bread in the morning.</p>".repeat(8);
    let area = |attributes: &str, extra: &str| {
        page(
            ".area{height:80px;overflow:auto}",
            &format!("<div class=area {attributes}>{words}{extra}</div>"),
        )
    };
    let check = "a11y/scroll-focus";
    finds(check, &area("", ""), Severity::Serious, "the keyboard cannot get into it");
    passes(check, &area("tabindex=0", ""));
    passes(check, &area("", "<a href=/x>Shop</a>"));
    passes(check, &area("style='overflow:hidden'", ""));
    passes(check, &area("style='height:auto'", ""));
}

#[test]
fn nothing_moves_for_ever() {
    let moving = |rules: &str| {
        page(
            &format!(
                "@keyframes spin{{to{{transform:rotate(1turn)}}}}@keyframes glow{{to{{color:red}}}}{rules}"
            ),
            "<p class=m>moving words</p>",
        )
    };
    let check = "a11y/motion";
    for rules in [
        ".m{animation:spin 2s linear infinite}",
        ".m{animation-name:spin;animation-duration:3s;animation-iteration-count:2}",
        ":root{--t:9s}.m{animation:spin var(--t)}",
        ".m::before{content:'';animation:spin 1s infinite}",
    ] {
        finds(check, &moving(rules), Severity::Moderate, "animation spin moves");
    }
    for rules in [
        "",
        ".m{animation:spin 2s}",
        ".m{animation:glow 2s infinite}",
        ".other{animation:spin 2s infinite}",
        ".m{animation:spin 2s infinite}@media (prefers-reduced-motion: reduce){.m{animation:none}}",
    ] {
        passes(check, &moving(rules));
    }
    finds(check, &page("", "<video autoplay muted src=x.mp4></video>"), Severity::Moderate, "by itself");
    passes(check, &page("", "<video autoplay muted controls src=x.mp4></video>"));
}
