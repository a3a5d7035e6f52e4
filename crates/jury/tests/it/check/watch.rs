//! `--watch`, told by changes of files.

use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::{POOR_PAGE, site};
use crate::harness::{Context, Running};

fn watching(cx: &Context, args: &[&str]) -> Running {
    let mut running = Running::start_with_stdout(cx.jury().args(["check", "--watch"]).args(args));
    running.wait_for("Ctrl-C ends it");
    running
}

#[test]
fn a_change_says_what_was_fixed_and_what_is_new() {
    let cx = site();
    let mut running = watching(&cx, &["site"]);
    assert!(running.seen.contains("watching 2 pages"), "{}", running.seen);
    cx.write("site/poor.html", POOR_PAGE.replace(".note{color:#aaa}", ""));
    running.wait_for("site/poor.html  ");
    running.wait_for("fixed    a11y/contrast#");
    cx.write("site/poor.html", POOR_PAGE.replace("lang=\"en\"", ""));
    running.wait_for("0 fixed, 3 new");
    running.wait_for("a11y/lang#");
    cx.write("site/third.html", POOR_PAGE);
    running.wait_for("FAIL  site/third.html");
    std::fs::remove_file(cx.path("site/third.html")).unwrap();
    running.wait_for("site/third.html  is gone");
    running.signal(Signal::INT);
    let (code, _, seen) = running.finish();
    assert_eq!(code, Some(130), "{seen}");
}

#[test]
fn changes_in_a_row_are_seen_as_soon_as_they_are_measured() {
    let cx = site();
    // How long it takes here and now to start the program and measure the page.
    let begun = Instant::now();
    cx.show(cx.jury().args(["check", "site/poor.html"]));
    let once = begun.elapsed();
    let mut running = watching(&cx, &["site/poor.html"]);
    let begun = Instant::now();
    for colour in ["#222222", "#aaa", "#222222", "#aaa"] {
        cx.write("site/poor.html", POOR_PAGE.replace("#aaa", colour));
        running.wait_for("site/poor.html  ");
    }
    let took = begun.elapsed();
    assert!(took < 4 * (2 * once + Duration::from_secs(1)), "{took:?}, and once takes {once:?}");
    running.signal(Signal::INT);
    assert_eq!(running.finish().0, Some(130));
}

#[test]
fn what_lies_beside_a_page_is_watched_too() {
    let cx = Context::new();
    let page = POOR_PAGE.replace("<style>", "<link rel=\"stylesheet\" href=\"look.css\"><style>");
    cx.write("page.html", page.replace(".note{color:#aaa}", ""));
    cx.write("look.css", ".note{color:#aaa}");
    let mut running = watching(&cx, &["page.html"]);
    assert!(running.seen.contains("a11y/contrast#"), "{}", running.seen);
    cx.write("look.css", ".note{color:#222222}");
    running.wait_for("fixed    a11y/contrast#");
    running.signal(Signal::TERM);
    assert_eq!(running.finish().0, Some(130));
}

#[test]
fn stdin_cannot_be_watched() {
    let cx = site();
    let shown = cx.show(cx.jury().args(["check", "-", "--watch"]));
    assert!(shown.starts_with("exit: 2"), "{shown}");
    let shown = cx.show(cx.jury().args(["check", "site", "--watch", "--json"]));
    assert!(shown.starts_with("exit: 2"), "{shown}");
}
