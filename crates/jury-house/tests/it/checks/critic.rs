//! Size, space and what stands out.

use super::{lowers, page};

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
