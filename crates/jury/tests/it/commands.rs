//! Every command's output and exit code.

use insta::assert_snapshot;

use crate::harness::{Context, GOOD_PAGE, repository};

#[test]
fn a_page_that_is_brought_over_the_bar() {
    let cx = Context::new();
    cx.example("landing.html");
    assert_snapshot!("run_landing", cx.show(cx.jury().args(["run", "landing.html", "--out", "better.html"])));
    let better = std::fs::read_to_string(cx.path("better.html")).unwrap();
    assert!(better.contains("lang="), "the page has a language now");
    assert_snapshot!("runs_one", cx.show(cx.jury().args(["runs", "--json"])));
    assert_snapshot!("report_markdown", cx.show(cx.jury().args(["report", "last"])));
    let report = cx.jury().args(["report", "last", "--json"]).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&report.stdout).unwrap();
    assert_eq!(report["status"], "shipped");
    assert_eq!(report["exitCode"], 0);
}

#[test]
fn a_replay_shows_what_the_run_showed() {
    let cx = Context::new();
    cx.example("landing.html");
    let run = cx.jury().args(["run", "landing.html"]).output().unwrap();
    let replay = cx.jury().args(["replay", "last", "--speed", "instant"]).output().unwrap();
    assert_eq!(String::from_utf8(run.stderr).unwrap(), String::from_utf8(replay.stderr).unwrap());
    assert_eq!(String::from_utf8(run.stdout).unwrap(), String::from_utf8(replay.stdout).unwrap());
    let runs = cx.runs();
    let transcript = format!(".od/artifacts/{}/transcript.ndjson", runs[0]["artifactId"].as_str().unwrap());
    let from_file = cx.jury().args(["replay", &transcript, "--speed", "1ms"]).output().unwrap();
    assert!(from_file.status.success());
    let shown = cx.show(cx.jury().args(["replay", "last", "--speed", "fast"]));
    assert!(shown.contains("error: --speed is 'fast'"), "{shown}");
}

#[test]
fn a_page_that_cannot_be_brought_over_the_bar() {
    let cx = Context::new();
    cx.example("stubborn.html");
    assert_snapshot!("run_stubborn", cx.show(cx.jury().args(["run", "stubborn.html"])));
    let shown = cx.show(cx.jury().args(["run", "stubborn.html", "--fallback", "fail", "--out", "none.html"]));
    assert!(shown.starts_with("exit: 1"), "{shown}");
    assert!(!cx.path("none.html").exists());
}

#[test]
fn the_formats_for_other_programs() {
    let cx = Context::new();
    cx.example("stubborn.html");
    for format in ["json", "sarif", "junit", "github"] {
        let shown = cx.show(cx.jury().args(["run", "stubborn.html", "--quiet", "--format", format]));
        assert_snapshot!(format!("stubborn_{format}"), shown);
    }
    let cx = Context::new();
    cx.example("landing.html");
    for format in ["sarif", "junit", "github"] {
        let shown = cx.show(cx.jury().args(["run", "landing.html", "--quiet", "--format", format]));
        assert_snapshot!(format!("landing_{format}"), shown);
    }
}

#[test]
fn the_same_page_gives_the_same_verdict() {
    let cx = Context::new();
    cx.example("landing.html");
    let first = cx.show(cx.jury().args(["run", "landing.html", "--out", "a.html"]));
    let second = cx.show(cx.jury().args(["run", "landing.html", "--out", "b.html"]));
    assert_eq!(first.replace("a.html", "x.html"), second.replace("b.html", "x.html"));
    assert_eq!(std::fs::read(cx.path("a.html")).unwrap(), std::fs::read(cx.path("b.html")).unwrap());
}

#[test]
fn a_page_from_stdin() {
    let cx = Context::new();
    let shown = cx.show_with_input(cx.jury().args(["run", "-"]), GOOD_PAGE.as_bytes());
    assert!(shown.starts_with("exit: 0"), "{shown}");
    assert!(shown.contains("jury stdin, by house"), "{shown}");
}

#[test]
fn parse_prints_what_the_parser_sees_for_every_chunk_size() {
    let cx = Context::new();
    let text = "prose <CRITIQUE_RUN version=\"1\" scale=\"10\"><ROUND n=\"1\">\n\
                <PANELIST role=\"designer\"><NOTES>An intent.</NOTES><ARTIFACT mime=\"text/html\"><![CDATA[<p>hi</p>]]></ARTIFACT></PANELIST>\n\
                <PANELIST role=\"critic\" score=\"6.4\" must_fix=\"1\"><DIM name=\"type\" score=\"6\">Big.</DIM><MUST_FIX>Shrink it.</MUST_FIX></PANELIST>\n\
                <ROUND_END n=\"1\" composite=\"6.4\" must_fix=\"1\" decision=\"continue\"><REASON>Not yet.</REASON></ROUND_END></ROUND></CRITIQUE_RUN>";
    cx.write("answer.txt", text);
    let whole = cx.show(cx.jury().args(["parse", "answer.txt"]));
    assert_snapshot!("parse", whole);
    for chunk in ["1", "7", "64"] {
        assert_eq!(whole, cx.show(cx.jury().args(["parse", "answer.txt", "--chunk", chunk])));
    }
    assert_eq!(whole, cx.show_with_input(cx.jury().args(["parse"]), text.as_bytes()));
    let cut = text.split_once("<ROUND_END").unwrap().0;
    let shown = cx.show_with_input(cx.jury().args(["parse"]), cut.as_bytes());
    assert!(shown.starts_with("exit: 3"), "{shown}");
    assert!(
        shown.contains("error: degraded (malformed_block): the answer ends inside <ROUND> at byte"),
        "{shown}"
    );
    let missing = cx.show(cx.jury().args(["parse", "nowhere.txt"]));
    assert!(missing.starts_with("exit: 2"), "{missing}");
}

#[test]
fn commands_that_look_where_nothing_is() {
    let cx = Context::new();
    for args in [&["runs"][..], &["report", "last"], &["replay", "last"], &["reindex"]] {
        let shown = cx.show(cx.jury().args(args));
        assert!(shown.starts_with("exit: 2"), "{args:?}: {shown}");
        assert_eq!(shown.matches("error:").count(), 1, "{args:?}: {shown}");
        assert!(!cx.path(".od").exists(), "looking makes nothing");
    }
    cx.write("page.html", GOOD_PAGE);
    cx.show(cx.jury().args(["run", "page.html", "--quiet"]));
    for args in [&["report", "ffffffff"][..], &["replay", "nonsense"]] {
        let shown = cx.show(cx.jury().args(args));
        assert!(shown.starts_with("exit: 2"), "{args:?}: {shown}");
    }
}

#[test]
fn runs_can_be_filtered() {
    let cx = Context::new();
    cx.example("stubborn.html");
    cx.write("page.html", GOOD_PAGE);
    cx.show(cx.jury().args(["run", "page.html", "--quiet"]));
    cx.show(cx.jury().args(["run", "stubborn.html", "--quiet"]));
    let count = |args: &[&str]| {
        let output = cx.jury().args(["runs", "--json"]).args(args).output().unwrap();
        serde_json::from_slice::<Vec<serde_json::Value>>(&output.stdout).unwrap().len()
    };
    assert_eq!(count(&[]), 2);
    assert_eq!(count(&["--status", "shipped"]), 1);
    assert_eq!(count(&["--status", "below_threshold"]), 1);
    assert_eq!(count(&["--agent", "house"]), 2);
    assert_eq!(count(&["--agent", "other"]), 0);
    let table = cx.show(cx.jury().args(["runs"]));
    assert!(table.contains("shipped") && table.contains("below_threshold"), "{table}");
    let before = cx.runs();
    let reindexed = cx.show(cx.jury().args(["reindex"]));
    assert!(reindexed.contains("rebuilt 2 runs from the log"), "{reindexed}");
    assert_eq!(cx.runs(), before);
}

#[test]
fn doctor_says_what_is_there_and_what_is_wrong() {
    let cx = Context::new();
    // Programs of the machine are not ours to find.
    assert_snapshot!("doctor", cx.show(cx.jury().arg("doctor").env("PATH", cx.path("bin"))));
    cx.write("jury.toml", "[agents.ghost]\ncommand = [\"no-such-agent\"]\n");
    let shown = cx.show(cx.jury().arg("doctor"));
    assert!(shown.starts_with("exit: 2"), "{shown}");
    assert!(shown.contains("there is no program 'no-such-agent'"), "{shown}");
    let json = cx.jury().args(["doctor", "--json"]).output().unwrap();
    let json: Vec<serde_json::Value> = serde_json::from_slice(&json.stdout).unwrap();
    assert!(json.iter().any(|finding| finding["state"] == "broken"));
}

#[test]
fn help_of_every_command() {
    let cx = Context::new();
    let mut text = cx.show(cx.jury().arg("--help"));
    for command in ["run", "parse", "replay", "report", "runs", "agents", "doctor", "reindex"] {
        text.push_str(&cx.show(cx.jury().args([command, "--help"])));
    }
    for command in ["list", "test", "clear-degraded"] {
        text.push_str(&cx.show(cx.jury().args(["agents", command, "--help"])));
    }
    text.push_str(&cx.show(cx.jury().args(["store", "migrate", "--help"])));
    assert_snapshot!("help", text);
}

#[test]
fn a_design_is_measured_against() {
    let cx = Context::new();
    cx.example("landing.html");
    cx.write("DESIGN.md", "# Brand\n\n## Colors\n- **Primary:** `#ff00aa` — accents\n- **Ink:** `#101010` — text\n- **Paper:** `#ffffff` — background\n- **Muted:** `#555555` — captions\n- **Line:** `#dddddd` — borders\n- **Deep:** `#202060` — headers\n\n## Typography\n- **Body:** Comic Neue, sans-serif\n");
    let output = cx
        .jury()
        .args(["run", "landing.html", "--design", "DESIGN.md", "--format", "json", "--quiet"])
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let brand = report["rounds"][0]["reviews"]
        .as_array()
        .unwrap()
        .iter()
        .find(|review| review["role"] == "brand")
        .unwrap();
    assert!(brand["score"].is_number(), "{brand}");
    let shown = cx.show(cx.jury().args(["run", "landing.html", "--design", "nowhere.md"]));
    assert!(shown.starts_with("exit: 2"), "{shown}");
}

#[test]
fn the_version_is_the_crates() {
    let output = Context::new().jury().arg("--version").output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("jury {}\n", env!("CARGO_PKG_VERSION")));
    assert!(repository().join("examples/landing.html").is_file());
}

#[test]
fn a_run_looks_up_what_the_page_names_from_the_root_of_its_site() {
    let cx = Context::new();
    std::fs::create_dir_all(cx.path("site/blog")).unwrap();
    cx.write("site/look.css", "p{color:#bbb}");
    let page =
        GOOD_PAGE.replace("p{margin:0 0 16px}</style>", "</style><link rel=stylesheet href=/look.css>");
    cx.write("site/blog/page.html", &page);
    let args = ["run", "site/blog/page.html", "--max-rounds", "1", "--verbose"];
    let without = cx.show(cx.jury().args(args));
    assert!(!without.contains("contrast 1.9"), "{without}");
    let with = cx.show(cx.jury().args(args).args(["--root", "site"]));
    assert!(with.starts_with("exit: 1") && with.contains("contrast 1.9"), "{with}");
    let stdin = ["run", "-", "--max-rounds", "1", "--verbose", "--root", "site"];
    let stdin = cx.show_with_input(cx.jury().args(stdin), page.as_bytes());
    assert!(stdin.contains("contrast 1.9"), "{stdin}");
    let shown = cx.show(cx.jury().args(args).args(["--root", "nowhere"]));
    assert!(shown.starts_with("exit: 2"), "{shown}");
    assert!(shown.contains("error: --root nowhere: there is no such folder"), "{shown}");
}
