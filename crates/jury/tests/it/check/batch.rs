//! Many pages at once: the order is that of the arguments, and a page that brings the engine down costs itself only.

use std::process::Command;

use rustix::process::{Pid, Signal};

use super::{json, site};
use crate::harness::{Context, GOOD_PAGE, Running, until};

#[test]
fn the_order_and_the_bytes_do_not_depend_on_how_many_work() {
    let cx = site();
    for index in 0..6 {
        cx.write(&format!("site/page{index}.html"), GOOD_PAGE.replace("nine", &format!("{index}")));
    }
    let one = cx.show(cx.jury().args(["check", "site/**/*.html", "--json", "--jobs", "1"]));
    let many = cx.show(cx.jury().args(["check", "site/**/*.html", "--json", "--jobs", "4"]));
    assert_eq!(one, many);
    assert!(one.starts_with("exit: 1"), "{one}");
}

#[test]
fn a_page_from_stdin_and_one_from_a_file() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    let shown =
        cx.show_with_input(cx.jury().args(["check", "page.html", "-", "--quiet"]), GOOD_PAGE.as_bytes());
    assert!(shown.starts_with("exit: 0"), "{shown}");
    assert!(shown.contains("PASS  page.html") && shown.contains("PASS  -  "), "{shown}");
}

/// A file that can be opened and never ends: whoever reads it waits.
fn endless(cx: &Context, name: &str) {
    let made = Command::new("mkfifo").arg(cx.path(name)).status().unwrap();
    assert!(made.success());
}

/// The processes that a process has started.
fn children(of: Pid) -> Vec<Pid> {
    let of = of.as_raw_nonzero();
    let tasks = std::fs::read_dir(format!("/proc/{of}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<i32>>())
        .filter_map(Pid::from_raw)
        .collect()
}

#[test]
fn a_page_that_ends_the_engine_does_not_end_the_batch() {
    let cx = Context::new();
    cx.write("a.html", GOOD_PAGE);
    endless(&cx, "b.html");
    cx.write("c.html", GOOD_PAGE);
    let args = ["check", "a.html", "b.html", "c.html", "--json", "--jobs", "1"];
    let running = Running::start(cx.jury().args(args));
    // Opening waits for whoever reads.
    let page = std::fs::File::options().write(true).open(cx.path("b.html")).unwrap();
    let measuring = children(Pid::from_child(&running.child));
    assert_eq!(measuring.len(), 1);
    rustix::process::kill_process(measuring[0], Signal::ABORT).unwrap();
    let (code, stdout, stderr) = running.finish();
    assert_eq!(code, Some(3), "{stdout}{stderr}");
    drop(page);
    let document: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let standing = |page: usize| document["pages"][page]["standing"].as_str().unwrap().to_owned();
    assert_eq!([0, 1, 2].map(standing), ["pass", "unmeasured", "pass"]);
    assert_eq!(
        document["pages"][1]["error"].as_str().unwrap(),
        "the style engine was ended by signal 6 and gave no figures"
    );
}

#[test]
fn ctrl_c_ends_a_batch() {
    let cx = Context::new();
    endless(&cx, "page.html");
    let running = Running::start(cx.jury().args(["check", "page.html"]));
    let page = std::fs::File::options().write(true).open(cx.path("page.html")).unwrap();
    let measuring = children(Pid::from_child(&running.child));
    running.signal(Signal::INT);
    let (code, stdout, stderr) = running.finish();
    drop(page);
    assert_eq!((code, stdout.as_str()), (Some(130), ""), "{stderr}");
    assert!(stderr.contains("interrupted"), "{stderr}");
    let is_there = |pid: &Pid| std::path::Path::new(&format!("/proc/{}", pid.as_raw_nonzero())).exists();
    until("nothing goes on for nobody", || !measuring.iter().any(is_there));
}

#[test]
fn an_interrupt_is_quick_and_leaves_nothing_half_written() {
    let cx = site();
    let known = ["--baseline", "known.json", "--update-baseline"];
    cx.show(cx.jury().args(["check", "site/poor.html"]).args(known));
    let before = std::fs::read_to_string(cx.path("known.json")).unwrap();
    endless(&cx, "z.html");
    let args = ["check", "site", "z.html", "--repair", "out", "--jobs", "1"];
    let running = Running::start(cx.jury().args(args).args(known));
    let page = std::fs::File::options().write(true).open(cx.path("z.html")).unwrap();
    until("the copy of the other page is there", || cx.path("out/site/poor.html").exists());
    let told = std::time::Instant::now();
    running.signal(Signal::INT);
    let (code, _, stderr) = running.finish();
    let took = told.elapsed();
    drop(page);
    assert_eq!(code, Some(130), "{stderr}");
    assert!(took < std::time::Duration::from_secs(1), "{took:?}");
    assert_eq!(std::fs::read_to_string(cx.path("known.json")).unwrap(), before);
    // What was done is whole, and there is nothing else.
    let copy = std::fs::read_to_string(cx.path("out/site/poor.html")).unwrap();
    assert!(copy.ends_with("</html>\n"), "{copy}");
    let listed = |folder: &str| -> Vec<String> {
        let entries = std::fs::read_dir(cx.path(folder)).unwrap().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(listed("."), ["known.json", "out", "site", "z.html"]);
    assert_eq!(listed("out"), [".jury-copies", "site"]);
}

#[test]
fn a_page_that_takes_too_long_is_told_and_is_not_a_pass() {
    let cx = Context::new();
    cx.write("a.html", GOOD_PAGE);
    endless(&cx, "b.html");
    cx.write("c.html", GOOD_PAGE);
    let args = ["check", "a.html", "b.html", "c.html", "--jobs", "1", "--page-timeout", "1", "--quiet"];
    let running = Running::start(cx.jury().args(args));
    let page = std::fs::File::options().write(true).open(cx.path("b.html")).unwrap();
    let (code, stdout, stderr) = running.finish();
    drop(page);
    assert_eq!(code, Some(3), "{stdout}{stderr}");
    let reason = "NOT MEASURED  b.html: not measured within 1 second; make it simpler, or give it more with --page-timeout";
    assert!(stdout.lines().any(|line| line == reason), "{stdout}");
    assert!(stdout.contains("PASS  a.html") && stdout.contains("PASS  c.html"), "{stdout}");
}

#[test]
fn a_page_that_is_too_large_is_told_on_one_line() {
    let cx = Context::new();
    let file = std::fs::File::create(cx.path("huge.html")).unwrap();
    file.set_len(100_000_000).unwrap();
    cx.write("many.html", format!("{GOOD_PAGE}{}", "<i></i>".repeat(50_000)));
    let shown = cx.show(cx.jury().args(["check", "huge.html", "many.html", "--quiet"]));
    assert!(shown.starts_with("exit: 3"), "{shown}");
    let lines: Vec<&str> = shown.lines().filter(|line| line.starts_with("NOT MEASURED")).collect();
    assert_eq!(lines.len(), 2, "{shown}");
    assert!(lines[0].starts_with("NOT MEASURED  huge.html: it is too large: the most is"), "{shown}");
    assert!(lines[1].starts_with("NOT MEASURED  many.html: ") && lines[1].contains("elements"), "{shown}");
}

#[test]
fn a_page_seen_in_part_has_not_passed() {
    let cx = Context::new();
    let remote =
        GOOD_PAGE.replace("<style>", "<link rel=stylesheet href=\"https://example.com/a.css\"><style>");
    cx.write("page.html", remote);
    let (code, document) = json(&cx, &["page.html"]);
    assert_eq!(code, 3);
    assert_eq!(document["pages"][0]["standing"], "partial");
    assert!(document["pages"][0]["gap"].as_str().unwrap().contains("external_css"), "{document}");
}
