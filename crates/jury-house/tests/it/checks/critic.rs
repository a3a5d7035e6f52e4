//! Size, space and what stands out.

use jury_core::severity::Severity;
use jury_eye::Beside;

use super::{examined, finds, lowers, of, page, passes};

#[test]
fn typesetting_is_measured() {
    lowers(
        "critic",
        "type",
        &page("", ""),
        &page("", "<p style='font-size:9px'>very small words indeed</p>"),
    );
    lowers(
        "critic",
        "type",
        &page("", ""),
        &page("", "<p style='text-transform:uppercase'>capital words</p>"),
    );
    let sizes: String = (13..23)
        .map(|size| format!("<p style='font-size:{size}px'>some words of this size</p>"))
        .collect::<Vec<_>>()
        .concat();
    lowers("critic", "type", &page("", ""), &page("", &sizes));
}

#[test]
fn hierarchy_needs_a_largest_text() {
    lowers("critic", "hierarchy", &page("", ""), &page("h1{font-size:17px!important}", ""));
}

#[test]
fn distances_follow_a_system() {
    let boxes = |step: u32| -> String {
        (1..24)
            .map(|index| format!("<div style='padding:{}px'>words</div>", 8 + (index % 12) * step))
            .collect::<Vec<_>>()
            .concat()
    };
    lowers("critic", "rhythm", &page("", &boxes(0)), &page("", &boxes(3)));
}

#[test]
fn containers_are_padded_evenly() {
    lowers(
        "critic",
        "space",
        &page("", "<div style='padding:0 20px'>even words</div>"),
        &page("", "<div style='padding:0 20px 0 60px'>uneven words</div>"),
    );
}

#[test]
fn the_main_action_stands_out() {
    let button = |fill: &str| {
        page(
            "",
            &format!(
                "<a href=/x style='padding:12px 20px;border:0;color:#111;background:{fill}'>Order bread</a>"
            ),
        )
    };
    lowers("critic", "contrast", &button("#888888"), &button("#eeeeee"));
}

#[test]
fn headings_get_smaller() {
    let check = "critic/hierarchy";
    finds(
        check,
        &page("h3{font-size:30px}", "<h2>Two</h2><h3>Three</h3>"),
        Severity::Moderate,
        "h3 at 30 px is not smaller than h2",
    );
    finds(check, &page("", "<p style='font-size:38px'>As large</p>"), Severity::Moderate, "needs 1.25x");
    finds(check, &page("h1{font-size:20px!important}", ""), Severity::Moderate, "needs 1.8x");
    passes(check, &page("h3{font-size:18px}", "<h2>Two</h2><h3>Three</h3>"));
}

#[test]
fn lines_are_counted_as_they_are_laid_out() {
    let words = "We bake at night so that the street has bread in the morning. ".repeat(8);
    let text = |style: &str| page("", &format!("<p style='{style}'>{words}</p>"));
    let check = "critic/measure";
    finds(check, &text("max-width:none"), Severity::Minor, "characters per line, 95");
    finds(check, &text("max-width:120px"), Severity::Minor, "characters per line, 35");
    finds(check, &text("max-width:60ch;line-height:1.1"), Severity::Minor, "leading");
    passes(check, &text("max-width:60ch"));
    let ideographs = "夜に焼いて朝に売る。".repeat(30);
    passes(check, &page("", &format!("<p style='max-width:480px'>{ideographs}</p>")));
    finds(check, &page("", &format!("<p>{ideographs}</p>")), Severity::Minor, "48 ideographs");
}

#[test]
fn sizes_close_to_each_other_are_one_too_many() {
    let sizes = |one: &str| page("", &format!("<p style='font-size:{one}'>some words of another size</p>"));
    finds("critic/type-scale", &sizes("16.5px"), Severity::Minor, "too close");
    passes("critic/type-scale", &sizes("20px"));
}

#[test]
fn families_and_weights_are_few() {
    let of = |count: usize| -> String {
        ["serif", "monospace", "cursive", "fantasy"]
            .iter()
            .take(count)
            .flat_map(|family| ["<p style='font-family:", family, "'>some words of a family</p>"])
            .collect()
    };
    finds("critic/families", &page("", &of(4)), Severity::Minor, "3 and 4 are plenty");
    passes("critic/families", &page("", &of(2)));
}

#[test]
fn capitals_are_spaced() {
    let capitals = |spacing: &str| {
        page("", &format!("<p style='text-transform:uppercase;letter-spacing:{spacing}'>capital words</p>"))
    };
    finds("critic/caps", &capitals("0"), Severity::Minor, "needs 0.05em");
    passes("critic/caps", &capitals(".05em"));
}

#[test]
fn containers_have_reasons_to_be_uneven() {
    let check = "critic/symmetry";
    finds(
        check,
        &page("", "<div style='padding:9px 60px 9px 20px'>uneven</div>"),
        Severity::Minor,
        "20 and 60 px",
    );
    passes(check, &page("", "<div style='padding:9px 20px'>even</div>"));
    passes(check, &page("", "<ul style='padding-left:40px'><li>marked</ul>"));
    passes(
        check,
        &page(
            "",
            "<div style='position:relative;padding:9px 60px 9px 20px'>close<button style='position:absolute;right:4px;top:4px;width:30px'>x</button></div>",
        ),
    );
    passes(check, &page(".n{padding-left:40px}.n::before{content:'1'}", "<div class=n>numbered words</div>"));
}

#[test]
fn text_does_not_lie_over_text() {
    let check = "critic/overlap";
    let over = |style: &str| {
        page(
            "",
            &format!(
                "<div style='position:relative;height:60px'><p style='position:absolute;top:0;left:0'>first words here</p><p style='position:absolute;left:0;{style}'>other words here</p></div>"
            ),
        )
    };
    finds(check, &over("top:4px"), Severity::Serious, "text lies over other text");
    passes(check, &over("top:30px"));
    passes(check, &over("top:4px;background:#fff"));
    passes(check, &over("top:4px;opacity:.2"));
    passes(check, &over("top:4px;position:fixed"));
}

#[test]
fn text_is_not_cut_off() {
    let check = "critic/overlap";
    let words = "We bake at night so that the street has bread in the morning and in the evening too.";
    let cut =
        |style: &str| page("", &format!("<p style='width:200px;white-space:nowrap;{style}'>{words}</p>"));
    finds(check, &cut("overflow:hidden"), Severity::Serious, "cut off by the box");
    passes(check, &cut("overflow:hidden;text-overflow:ellipsis"));
    passes(check, &cut("overflow:auto"));
    finds(
        check,
        &page("", &format!("<p style='margin-left:900px;white-space:nowrap'>{words}</p>")),
        Severity::Serious,
        "out of the window",
    );
}

#[test]
fn the_main_action_is_judged_in_parts() {
    let check = "critic/cta";
    let button = |style: &str| {
        format!("<a href=/x style='display:inline-block;padding:12px 20px;{style}'>Order bread</a>")
    };
    finds(
        check,
        &page("", &button("color:#777;background:#888")),
        Severity::Serious,
        "the main action's text is",
    );
    finds(
        check,
        &page("", &button("color:#111;background:#eee")),
        Severity::Moderate,
        "against the page, needs 3:1",
    );
    finds(
        check,
        &page("", &format!("<div style='height:900px'></div>{}", button("color:#fff;background:#111"))),
        Severity::Minor,
        "below the first window",
    );
    finds(
        check,
        &page(
            "",
            &format!(
                "{}{}",
                button("color:#fff;background:#111"),
                button("color:#fff;background:#111;padding:30px 60px")
            ),
        ),
        Severity::Minor,
        "smaller than another",
    );
    passes(check, &page("", &button("color:#fff;background:#111")));
    passes(check, &page("", "<a href=/x>Order bread</a>"));
}

#[test]
fn what_is_missing_is_named() {
    let check = "critic/self-contained";
    for (tag, words) in [
        (
            "<link rel=stylesheet href=https://cdn.tailwindcss.com/x.css>",
            "style sheet https://cdn.tailwindcss.com/x.css",
        ),
        ("<script src=https://unpkg.com/vue></script>", "script https://unpkg.com/vue"),
        ("<img alt=Loaf src=https://images.example/loaf.jpg>", "image https://images.example/loaf.jpg"),
        ("<style>@import url('https://cdn.example/a.css');</style>", "style sheet https://cdn.example/a.css"),
    ] {
        finds(check, &page("", tag), Severity::Serious, words);
    }
    for tag in [
        "<link rel=stylesheet href='https://fonts.googleapis.com/css2?family=Inter'>",
        "<script async src=https://plausible.io/js/script.js></script>",
        "<img alt=Loaf src=data:image/gif;base64,R0lGODlhAQABAAAAACw=>",
    ] {
        passes(
            check,
            &page("", &format!("{}{tag}", "<p>We bake at night for the whole street.</p>".repeat(4))),
        );
    }
    let mut beside = Beside::nothing();
    beside.insert("style.css", b"p{color:#000}".to_vec());
    let report = examined(&page("", "<link rel=stylesheet href=style.css>"), &beside);
    assert!(of(&report.findings, check).is_empty());
}

const PLENTY: &str = "<p>We bake at night for the whole street, and we bring it to your door before six.</p>";

#[test]
fn scripts_beside_the_page_are_no_fault() {
    let check = "critic/self-contained";
    let body = format!("{}<script src=app.js></script>", PLENTY.repeat(3));
    passes(check, &page("", &body));
    let mut beside = Beside::nothing();
    beside.insert("style.css", Vec::new());
    assert!(of(&examined(&page("", &body), &beside).findings, check).is_empty());
    finds(check, &body.replace("app.js", "https://cdn.test/app.js"), Severity::Serious, "cdn.test/app.js");
}

#[test]
fn pictures_that_are_there_are_not_missed() {
    let check = "critic/self-contained";
    let mut beside = Beside::nothing();
    beside.insert("my cat.png", Vec::new());
    beside.link("huge.jpg", true);
    beside.link("gone.jpg", false);
    let report =
        |src: &str| examined(&page("", &format!("<img alt=Loaf width=9 height=9 src='{src}'>")), &beside);
    for there in ["my%20cat.png", "./x/../my%20cat.png?v=2", "huge.jpg"] {
        let report = report(there);
        assert!(of(&report.findings, check).is_empty() && of(&report.undecided, check).is_empty(), "{there}");
    }
    for unknown in ["/logo.png", "../logo.png"] {
        let report = report(unknown);
        assert!(
            of(&report.findings, check).is_empty() && of(&report.undecided, check).len() == 1,
            "{unknown}"
        );
    }
    assert_eq!(of(&report("gone.jpg").findings, check).len(), 1);
}

#[test]
fn fonts_and_counters_leave_a_page_whole() {
    let check = "critic/self-contained";
    let tags = "<script src=https://plausible.io/js/script.js></script>\
                <link rel=stylesheet href=https://cdn.test/font-awesome/6/css/all.min.css>";
    let report = examined(&page("", &format!("{}{tags}", PLENTY.repeat(3))), &Beside::nothing());
    assert!(of(&report.findings, check).is_empty());
    assert_eq!(report.partial, None);
}
