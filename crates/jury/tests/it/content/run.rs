//! Running, watching, taking up and giving up.

use insta::assert_snapshot;
use serde_json::Value;

use super::workplace;
use crate::harness::Context;

fn draft_only<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut args =
        vec!["content", "run", "website", "--idea", "ideas/acme", "--no-publish", "--concurrency", "1"];
    args.extend(["--evidence", "gate"]);
    args.extend(more);
    args
}

/// What a command prints as JSON.
fn json(cx: &Context, args: &[&str]) -> Value {
    let output = cx.jury().args(args).output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn documents_become_an_approved_draft_without_a_model() {
    let cx = workplace();
    assert_snapshot!("content_run", cx.show(cx.jury().args(draft_only(&[]))));
    let progress = json(&cx, &["content", "status", "last", "--json"]);
    assert_eq!((&progress["progressStatus"], &progress["quality"]), (&"complete".into(), &"approved".into()));
    assert_eq!(progress["selectedCritics"].as_array().unwrap().len(), 4);
    let draft = cx.show(cx.jury().args(["content", "draft", "last"]));
    assert!(draft.starts_with("exit: 0") && draft.contains("\n# "), "{draft}");
    let raw = json(&cx, &["content", "draft", "last", "--raw"]);
    assert!(raw["hero"]["headline"].as_str().is_some_and(|text| draft.contains(text)));
    // A run is a run: it is listed, reported and replayed like any other.
    let listed = cx.show(cx.jury().args(["runs"]));
    assert!(listed.contains("acme/website") && listed.contains("approved"), "{listed}");
    let replayed = cx.show(cx.jury().args(["replay", "last", "--speed", "instant"]));
    assert!(replayed.starts_with("exit: 0") && replayed.contains("APPROVED"), "{replayed}");
    let reported = cx.show(cx.jury().args(["report", "last"]));
    assert!(reported.starts_with("exit: 0") && reported.contains("APPROVED"), "{reported}");
}

#[test]
fn a_flawed_draft_comes_back_with_a_brief_and_the_mended_one_passes_the_same_critics() {
    let cx = workplace();
    let shown = cx.show(cx.jury().args(draft_only(&["--draft", "drafts/acme-flawed.md"])));
    assert!(shown.starts_with("exit: 4"), "{shown}");
    assert_snapshot!("content_needs_human", shown);
    assert_snapshot!("content_brief", cx.show(cx.jury().args(["content", "brief", "last"])));
    let without = cx.show(cx.jury().args(["content", "resume", "last"]));
    assert!(without.starts_with("exit: 2") && without.contains("hand it in with --draft"), "{without}");
    let before = json(&cx, &["content", "status", "last", "--json"]);
    assert_eq!(before["status"], "needs-human");
    let resumed = cx.show(cx.jury().args(["content", "resume", "last", "--draft", "drafts/acme.md"]));
    assert!(resumed.starts_with("exit: 0") && resumed.contains("APPROVED"), "{resumed}");
    let after = json(&cx, &["content", "status", "last", "--json"]);
    assert_eq!(after["selectedCritics"], before["selectedCritics"], "the panel is chosen once");
    assert_eq!(after["quality"], "approved");
    let again = cx.show(cx.jury().args(["content", "resume", "last"]));
    assert!(again.starts_with("exit: 2") && again.contains("has ended (approved)"), "{again}");
}

#[test]
fn one_run_per_idea_and_recipe_is_open_at_a_time() {
    let cx = workplace();
    cx.jury().args(draft_only(&["--draft", "drafts/acme-flawed.md"])).output().unwrap();
    assert_snapshot!("content_second_run", cx.show(cx.jury().args(draft_only(&[]))));
    let other = cx.show(cx.jury().args(["content", "run", "social-post", "--idea", "ideas/acme"]));
    assert!(!other.contains("is not done"), "another recipe is another run: {other}");
    let given_up =
        cx.show(cx.jury().args(["content", "run", "website", "--idea", "ideas/acme", "--no-publish"]));
    assert!(given_up.starts_with("exit: 3"), "{given_up}");
    let runs = cx.runs();
    let open =
        runs.iter().find(|run| run["title"] == "acme/website").unwrap()["runId"].as_str().unwrap().to_owned();
    let abandoned = cx.show(cx.jury().args(["content", "abandon", &open, "--reason", "not wanted"]));
    assert!(abandoned.starts_with("exit: 0"), "{abandoned}");
    let after = cx.show(cx.jury().args(draft_only(&[])));
    assert!(after.starts_with("exit: 0"), "{after}");
}

#[test]
fn all_three_recipes_run() {
    let cx = workplace();
    for recipe in ["blog-post", "social-post"] {
        let args =
            ["content", "run", recipe, "--idea", "ideas/acme", "--concurrency", "1", "--evidence", "gate"];
        let shown = cx.show(cx.jury().args(args));
        assert!(shown.starts_with("exit: 0") || shown.starts_with("exit: 4"), "{shown}");
        assert_snapshot!(format!("content_{recipe}"), shown);
    }
}

#[test]
fn bad_input_is_refused_in_a_line() {
    let cx = workplace();
    std::fs::create_dir_all(cx.path("ideas/bare")).unwrap();
    cx.write("ideas/bare/positioning.md", "# Positioning\n\nFor nobody.\n");
    std::fs::create_dir_all(cx.path("ideas/empty")).unwrap();
    std::fs::create_dir_all(cx.path("ideas/odd name")).unwrap();
    cx.write("ideas/odd name/positioning.md", "# Positioning\n");
    cx.write("latin.md", b"caf\xe9\n");
    cx.write("nothing.md", "");
    let mut all = String::new();
    for args in [
        vec!["content", "run", "website", "--idea", "ideas/nowhere"],
        vec!["content", "run", "website", "--idea", "ideas/empty"],
        vec!["content", "run", "website", "--idea", "ideas/bare"],
        vec!["content", "run", "website", "--idea", "ideas/odd name"],
        vec!["content", "run", "poem", "--idea", "ideas/acme"],
        vec!["content", "run", "../website", "--idea", "ideas/acme"],
        vec!["content", "run", "website", "--idea", "ideas/acme", "--draft", "latin.md"],
        vec!["content", "run", "website", "--idea", "ideas/acme", "--draft", "nothing.md"],
        vec!["content", "run", "website", "--idea", "ideas/acme", "--draft", "absent.md"],
        vec!["content", "run", "website", "--idea", "ideas/acme", "--agent", "nobody-here"],
        vec!["content", "run", "website", "--idea", "ideas/acme", "--model", "x"],
        vec!["content", "run", "website", "--idea", "ideas/acme", "--max-rounds", "0"],
        vec!["content", "status", "last"],
        vec!["content", "resume", "0123"],
    ] {
        let shown = cx.show(cx.jury().args(&args));
        assert!(shown.starts_with("exit: 2"), "{args:?}: {shown}");
        let stderr = shown.split("----- stderr -----\n").nth(1).unwrap();
        all.extend(["$ jury ", &args.join(" "), "\n", stderr, "\n"]);
    }
    assert_snapshot!("content_refused", all);
    assert!(cx.runs().is_empty(), "nothing was begun");
}

#[test]
fn an_approved_page_is_published_and_the_theater_reviews_what_was_built() {
    let cx = workplace();
    let shown = cx.show(cx.jury().args(["content", "run", "website", "--idea", "ideas/acme"]));
    assert!(shown.starts_with("exit: 0") && shown.contains("/s/acme/"), "{shown}");
    let page = cx.jury().args(["content", "page", "acme"]).output().unwrap();
    assert!(page.status.success());
    cx.write("page.html", &page.stdout);
    cx.write("favicon.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    let reviewed = cx.show(cx.jury().args(["run", "page.html"]));
    assert!(reviewed.starts_with("exit: 0") && reviewed.contains("SHIPPED"), "{reviewed}");
    let nothing = cx.show(cx.jury().args(["content", "page", "nobody"]));
    assert!(nothing.starts_with("exit: 2") && nothing.contains("there is no page"), "{nothing}");
}

#[test]
fn approved_articles_are_part_of_the_next_site() {
    let cx = workplace();
    for recipe in ["blog-post", "social-post"] {
        let shown = cx.show(cx.jury().args(["content", "run", recipe, "--idea", "ideas/acme"]));
        assert!(shown.starts_with("exit: 0"), "{shown}");
    }
    let shown = cx.show(cx.jury().args(["content", "run", "website", "--idea", "ideas/acme"]));
    assert!(shown.starts_with("exit: 0") && shown.contains(", with 2 articles"), "{shown}");
    let site = cx.path(".od/sites/acme/current");
    let list = std::fs::read_to_string(site.join("blog/index.html")).unwrap();
    assert!(list.contains(">Why the whiteboard stops working in spring</a>"), "{list}");
    assert!(list.contains(">The tag fell off, and now nobody knows whose bike that is.</a>"), "{list}");
    assert!(site.join("blog/why-the-whiteboard-stops-working-in-spring/index.html").is_file());
}
