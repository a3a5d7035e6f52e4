//! What is measured of a page, as people and programs get it.

use insta::assert_snapshot;

use crate::harness::Context;

fn site() -> Context {
    let cx = Context::new();
    std::fs::create_dir(cx.path("css")).unwrap();
    cx.write("css/site.css", "p{margin:0;width:2000px}@media (max-width:500px){p{width:auto}}");
    cx.write(
        "page.html",
        "<!doctype html><html lang=en><title>Notes</title><link rel=stylesheet href=css/site.css>\
         <link rel=stylesheet href=/print.css><p>One line of text.</p>",
    );
    cx
}

#[test]
fn a_page_is_summed_up_for_people() {
    let cx = site();
    let windows = ["inspect", "page.html", "--viewport", "1280x800", "--viewport", "320x640"];
    assert_snapshot!("inspect_human", cx.show(cx.jury().args(windows)));
    cx.write("print.css", "p{color:red}");
    assert_snapshot!("inspect_root", cx.show(cx.jury().args(["inspect", "page.html", "--root", "."])));
}

#[test]
fn a_page_is_written_out_for_programs() {
    let cx = site();
    assert_snapshot!("inspect_json", cx.show(cx.jury().args(["inspect", "page.html", "--json"])));
    let once = cx.jury().args(["inspect", "page.html", "--json"]).output().unwrap();
    let again = cx.jury().args(["inspect", "page.html", "--json"]).output().unwrap();
    assert_eq!(once.stdout, again.stdout);
}

#[test]
fn bad_input_is_said_in_one_line() {
    let cx = site();
    for arguments in [
        &["inspect", "gone.html"][..],
        &["inspect", "page.html", "--viewport", "wide"],
        &["inspect", "page.html", "--root", "nowhere"],
        &["inspect", "css"],
    ] {
        let output = cx.jury().args(arguments).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.starts_with("error: "), "{errors}");
        assert!(output.stdout.is_empty());
    }
}
