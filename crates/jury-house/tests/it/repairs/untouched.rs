//! What a repair leaves alone: everything without the fault, in any window and in any state of the page.

use super::{found, page, redesigned, repaired, told};

/// The check is silent before and after, or the page stays as it is byte for byte.
fn stays(style: &str, body: &str) {
    let html = page(style, body);
    let done = repaired(&html, None);
    assert_eq!(done.html, html, "{:?}", done.repairs);
}

#[test]
fn a_selector_reaches_nobody_who_passes() {
    // The two titles have the same classes; only the second stands on a ground on which it cannot be read.
    let html = page(
        ".title { color: #cc0000; font-weight: 700 }\n.rose { background: #ff9db5; padding: 8px }",
        "<div><div class=\"title\">The mill</div></div>\n<div class=\"rose\"><div class=\"title\">The oven</div></div>",
    );
    assert_eq!(told(&html, None, "a11y/contrast").len(), 1);
    let done = repaired(&html, None);
    assert_eq!(found(&done.after, "a11y/contrast"), [""; 0], "{}", done.html);
    assert!(done.html.contains("<div><div class=\"title\">The mill</div></div>"), "{}", done.html);
    assert!(done.html.contains(".title { color: #cc0000;"), "{}", done.html);
    assert!(!done.html.contains("\ndiv.title{"), "{}", done.html);
}

#[test]
fn a_selector_reaches_nobody_who_is_out_of_sight() {
    let html = page(
        ".n { color: #999999 }\n.later { display: none; background: #000000 }",
        "<p class=\"n\">Page one of the book</p>\n<div class=\"later\"><p class=\"n\">Page two of the book</p></div>",
    );
    let done = repaired(&html, None);
    assert_eq!(found(&done.after, "a11y/contrast"), [""; 0]);
    assert!(!done.html.contains("p.n{") && done.html.contains("<p style=\"color:#"), "{}", done.html);
}

#[test]
fn a_token_moves_only_for_all_its_uses() {
    let style = ":root { --muted: #8a8a8a }\n.m { color: var(--muted) }\n.night { background: #111111; padding: 8px }";
    let html = page(
        style,
        "<p class=\"m\">Pale on white, hard to read</p>\n<div class=\"night\"><p class=\"m\">Fine on black, as it is</p></div>",
    );
    let done = repaired(&html, None);
    assert_eq!(found(&done.after, "a11y/contrast"), [""; 0], "{}", done.html);
    assert!(done.html.contains("--muted: #8a8a8a"), "{}", done.html);
    assert!(done.html.contains("<p class=\"m\">Fine on black, as it is</p>"), "{}", done.html);
    // Where every use fails, it is the token that moves.
    let html =
        page(style, "<p class=\"m\">Pale on white, hard to read</p>\n<p class=\"m\">And so is this</p>");
    let done = repaired(&html, None);
    assert!(!done.html.contains("--muted: #8a8a8a"), "{}", done.html);
    assert_eq!(found(&done.after, "a11y/contrast"), [""; 0], "{}", done.html);
}

#[test]
fn the_fill_moves_where_that_is_less() {
    let html = page(
        ".card { background: #d9714a; color: #ffffff; padding: 24px; width: 300px }\n.card strong { font-size: 56px }",
        "<div class=\"card\"><strong>12:40</strong><p class=\"say\">until the bread is done</p></div>",
    );
    assert_eq!(told(&html, None, "a11y/contrast").len(), 1, "{:?}", told(&html, None, "a11y/contrast"));
    let done = repaired(&html, None);
    assert_eq!(found(&done.after, "a11y/contrast"), [""; 0], "{}", done.html);
    assert!(done.html.contains("color: #ffffff; padding"), "the text stays white: {}", done.html);
    assert!(!done.html.contains("background: #d9714a"), "{}", done.html);
    assert!(!done.html.contains("style=\"color") && !done.html.contains("{color:"), "{}", done.html);
}

#[test]
fn the_fill_stays_where_other_text_on_it_would_lose() {
    let html = page(
        ".card { background: #d9714a; padding: 24px; width: 300px }\n.w { color: #ffffff }\n.k { color: #000000 }",
        "<div class=\"card\"><p class=\"w\">until the bread is done</p><p class=\"k\">or the oven is cold</p></div>",
    );
    let done = repaired(&html, None);
    assert!(done.html.contains("background: #d9714a"), "{}", done.html);
    assert_eq!(found(&done.after, "a11y/contrast"), [""; 0], "{}", done.html);
}

#[test]
fn large_text_is_held_to_its_own_bound() {
    let html = page(".big { font-size: 32px; color: #b0b0b0 }", "<p class=\"big\">A loaf of bread</p>");
    let done = repaired(&html, None);
    assert_eq!(found(&done.after, "a11y/contrast"), [""; 0]);
    let grey = done.html.split(".big { font-size: 32px; color: #").nth(1).and_then(|rest| rest.get(..2));
    // 3:1 on white is #949494; 4.5:1 would be #767676.
    assert!(grey.is_some_and(|grey| ("88".."95").contains(&grey)), "{}", done.html);
}

#[test]
fn ornament_is_left_alone_and_asked_about() {
    for (style, body) in [
        (".ghost { font-size: 160px; line-height: 1; color: #eeeeee }", "<p class=\"ghost\">Bread</p>"),
        (".no { color: #dddddd }", "<p class=\"no\">26</p>"),
        (".h { color: #aaaaaa }", "<p class=\"h\" aria-hidden=\"true\">bread bread bread</p>"),
        (".faded { opacity: .12; font-size: 120px; line-height: 1 }", "<p class=\"faded\">26</p>"),
    ] {
        let html = page(style, body);
        assert!(!told(&html, None, "a11y/contrast").is_empty(), "{body}");
        let done = repaired(&html, None);
        assert_eq!(done.html, html, "{:?}", done.repairs);
        assert!(
            done.questions.iter().any(|question| question.check == "a11y/contrast"),
            "{:?}",
            done.questions
        );
    }
    // Words of a plain size are there to be read, however faint they are, and so is a number that is no ghost.
    for (style, body) in [
        (".pale { color: #dddddd }", "<p class=\"pale\">Two loaves to the pound</p>"),
        (".no { color: #999999 }", "<p class=\"no\">26</p>"),
    ] {
        let done = repaired(&page(style, body), None);
        assert_eq!(found(&done.after, "a11y/contrast"), [""; 0], "{}", done.html);
    }
}

#[test]
fn text_out_of_sight_keeps_its_colour() {
    // Slides beside the window, each with a ground of its own that lies elsewhere when it is measured.
    stays(
        ".deck { position: relative; height: 200px; overflow: hidden }\n.slide { position: absolute; top: 0; left: 100%; width: 100%; color: #dddddd }",
        "<div class=\"deck\"><p>Bread for you</p><div class=\"slide\"><p>The next slide is dark</p></div></div>",
    );
    // A ticker whose end runs out of its box.
    stays(
        ".ticker { width: 200px; overflow: hidden; white-space: nowrap; height: 24px; background: #111111 }\n.ticker p { margin: 0; color: #ffffff }\n.ticker b { margin-left: 400px; color: #eeeeee }",
        "<div class=\"ticker\" tabindex=\"0\"><p>Soon <b>More bread</b></p></div>",
    );
}

#[test]
fn what_is_cut_off_does_not_hold_up_what_is_seen() {
    let html = page(
        ".deck { position: relative; height: 200px; overflow: hidden }\n.slide { position: absolute; top: 0; left: 100%; width: 100% }\n.m { color: #aaaaaa }",
        "<div class=\"deck\"><p class=\"m\">Bread for you</p><div class=\"slide\"><p class=\"m\">The next slide</p></div></div>",
    );
    let done = repaired(&html, None);
    assert!(done.html.contains(".m { color: #aaaaaa }"), "{}", done.html);
    assert!(done.html.contains("<p style=\"color:#"), "{}", done.html);
    assert!(done.html.contains("<p class=\"m\">The next slide</p>"), "{}", done.html);
}

#[test]
fn what_is_faded_is_faded_less() {
    let html = page(
        ".f { opacity: .4 }",
        "<p class=\"f\" style=\"color: #000000\">Closed on Monday, all day long</p>",
    );
    let done = repaired(&html, None);
    assert_eq!(found(&done.after, "a11y/contrast"), [""; 0], "{}", done.html);
    assert!(done.html.contains("opacity:0.55"), "{}", done.html);
}

#[test]
fn nothing_far_away_is_moved() {
    // Opening the lines of the first paragraph would push the others down by far more than a line.
    let words =
        "We bake at night so that the street has bread, and in the morning it is warm and it is there. "
            .repeat(14);
    let html = page(
        ".tight { line-height: 1.05; max-width: 600px }",
        &format!("<p class=\"tight\">{words}</p>\n<p class=\"after\">And that is all.</p>"),
    );
    assert!(!told(&html, None, "critic/measure").is_empty());
    assert!(!redesigned(&html, None).contains("line-height:1.5"), "{}", redesigned(&html, None));
}

#[test]
fn windows_in_which_the_page_fits_are_left_alone() {
    let html = page(
        ".row { display: flex; gap: 8px }\n.row p { min-width: 172px; margin: 0 }",
        "<div class=\"row\"><p>Bread of the day</p><p>Rolls of the day</p></div>",
    );
    assert!(!told(&html, None, "a11y/reflow").is_empty(), "too wide for 320");
    let after = redesigned(&html, None);
    assert_eq!(told(&after, None, "a11y/reflow"), [""; 0], "{after}");
    assert!(after.contains("@media (max-width:374px)"), "{after}");
}

#[test]
fn motion_rests_where_it_can_be_seen() {
    let moving = |keyframes: &str| {
        page(
            &format!(
                "@keyframes wave {{ {keyframes} }}\n.bar {{ animation: wave 1s ease infinite; width: 8px }}\n.bars {{ height: 60px }}"
            ),
            "<div class=\"bars\"><div class=\"bar\">I</div></div>",
        )
    };
    for (keyframes, held) in [
        ("from { height: 8px } to { height: 48px }", "-1s"),
        ("0% { height: 10% } 50% { height: 90% } 100% { height: 0 }", "-0.5s"),
        ("from { opacity: 1 } to { opacity: 0 }", "0s"),
        ("from { transform: translateX(0) } to { transform: translateX(-100%) }", "0s"),
    ] {
        let done = repaired(&moving(keyframes), None);
        assert_eq!(found(&done.after, "a11y/motion"), [""; 0], "{keyframes}");
        let rule = done.html.split("prefers-reduced-motion:reduce){").nth(1).unwrap_or_default();
        assert!(rule.starts_with(".bar{") && rule.contains("animation-fill-mode:both"), "{}", done.html);
        assert!(rule.contains(&format!("animation-delay:{held}!important")), "{keyframes}: {}", done.html);
    }
    // Nothing of it can be held where there is something to see.
    let html = moving("from { opacity: 0 } to { transform: scale(0) }");
    assert_eq!(repaired(&html, None).html, html);
}

#[test]
fn what_things_mean_is_asked_and_not_written() {
    for (check, body) in [
        ("a11y/control-name", "<p><button class=\"icon-close\"></button></p>"),
        ("a11y/heading-order", "<h4>Prices</h4>\n<p>Two to the pound.</p>"),
    ] {
        let html = page(
            "h4 { font-size: 18px }\nbutton { min-width: 40px; min-height: 40px; border: 2px solid #1a1a1a }",
            body,
        );
        assert!(!told(&html, None, check).is_empty(), "{check}");
        let done = repaired(&html, None);
        assert_eq!(done.html, html, "{:?}", done.repairs);
        assert!(done.questions.iter().any(|question| question.check == check), "{:?}", done.questions);
    }
    let html = page("", "").replace(
        "<body>",
        "<body>\n<div class=\"topbar\"><p>Bread for the street, every day</p></div>\n<p class=\"arrow-mark\">Look here</p>",
    );
    let done = repaired(&html, None);
    assert_eq!(done.html, html, "{:?}", done.repairs);
    assert!(done.questions.iter().any(|question| question.check == "a11y/region"), "{:?}", done.questions);
}

#[test]
fn a_main_part_is_plain_or_there_is_none() {
    let bare = |body: &str| page("", "").replace("<main>", "").replace("</main>", body);
    let done = repaired(&bare("<footer><p>Closed on Monday.</p></footer>"), None);
    assert!(done.html.contains("<main>") && done.html.contains("</main>"), "{}", done.html);
    // Two parts with the closing words between them: nobody knows which is the main one.
    let html = bare("<footer><p>Closed on Monday.</p></footer><p>More bread.</p>");
    assert!(!repaired(&html, None).html.contains("<main"), "{html}");
}
