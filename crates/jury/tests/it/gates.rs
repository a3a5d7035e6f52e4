//! Every command that gates, with the same flags and the same result: formats, the schema, baseline, waivers, comparison.

use std::fmt::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::harness::{Context, repository};
use crate::judge::harness::{CLEAN, STUB, answer, record};

/// What nobody wants in a document, and the house can count.
const HEADINGS: &str = "name = \"headings\"\ntitle = \"Headings\"\ncap = 2\n[adversarial]\ncheck = [\"true\"]\n\
    [[criterion]]\nid = \"ORDER\"\nquestion = \"Are the headings in order?\"\nmeasure = \"heading-order\"\n\
    [[criterion]]\nid = \"FINISHED\"\nquestion = \"Is nothing left open?\"\nmeasure = \"unfinished-marker\"\n";

const WORKFLOWS: [&str; 4] = ["theater", "critic", "judge", "content"];

/// A folder with work for every workflow that does not pass.
fn folder() -> Context {
    let cx = crate::content::workplace();
    cx.example("stubborn.html");
    std::fs::create_dir(cx.path("criteria")).unwrap();
    cx.write("criteria/headings.toml", HEADINGS);
    cx.write("plan.md", "# Plan\n\n### Too deep\n\nShip it.\n");
    cx.write("run.json", record(&json!({})));
    cx.write("change.diff", STUB);
    // A judge who likes everything. That the work is a stub was measured.
    cx.write("kind.txt", answer([0.9; 4]));
    cx.write("jury.toml", "[agents.kind]\ncommand = [\"cat\", \"kind.txt\"]\n");
    let draft = std::fs::read_to_string(cx.path("drafts/acme.md")).unwrap();
    let unfinished =
        draft.replace("hold the week in your head.", "hold the week in your head. TODO: a quote.");
    assert_ne!(draft, unfinished);
    cx.write("drafts/unfinished.md", unfinished);
    cx
}

/// The command of a workflow whose work does not pass, with these flags.
fn gate(cx: &Context, workflow: &str, flags: &[&str]) -> Command {
    let mut command = cx.jury();
    command.env("JURY_NOW", "2026-03-01T10:00:00Z");
    match workflow {
        // With this bar only the must-fix are in the way.
        "theater" => command.args(["run", "stubborn.html", "--threshold", "7", "--max-rounds", "1"]),
        "critic" => {
            command.args(["critic", "run", "plan.md", "--criteria", "headings", "--no-fix", "--no-input"])
        }
        "judge" => command.args(["judge", "run.json", "--diff", "change.diff", "--agent", "kind"]),
        _ => command.args([
            "content",
            "run",
            "website",
            "--idea",
            "ideas/acme",
            "--no-publish",
            "--max-rounds",
            "1",
            "--draft",
            "drafts/unfinished.md",
        ]),
    };
    command.arg("--quiet").args(flags);
    command
}

fn code(command: &mut Command) -> i32 {
    command.output().unwrap().status.code().unwrap()
}

fn parsed(command: &mut Command) -> Value {
    let output = command.output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

fn schema() -> jsonschema::Validator {
    let text = std::fs::read_to_string(repository().join("schemas/result.json")).unwrap();
    jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap()
}

fn assert_valid(schema: &jsonschema::Validator, what: &str, value: &Value) {
    let errors: Vec<String> =
        schema.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{what}: {errors:#?}\n{value:#}");
}

/// The ids of the findings that hold the work back: in a document every one that is open, elsewhere those that must be fixed.
fn holding(result: &Value) -> Vec<&str> {
    let is_grave = |own: &&Value| result["workflow"] == "critic" || own["severity"] == "serious";
    let open = result["findings"].as_array().unwrap().iter().filter(|own| own["state"] == "open");
    open.filter(is_grave).filter_map(|own| own["id"].as_str()).collect()
}

#[test]
fn every_command_that_gates_has_the_same_formats() {
    let cx = folder();
    for workflow in WORKFLOWS {
        for format in ["human", "json", "sarif", "junit", "github", "markdown", "html"] {
            let output = gate(&cx, workflow, &["--format", format]).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            let told = format!("{workflow} as {format}: {text}{}", String::from_utf8_lossy(&output.stderr));
            assert_eq!(output.status.code(), Some(1), "{told}");
            assert!(!text.trim().is_empty(), "{told}");
            match format {
                "json" => assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["exitCode"], 1, "{told}"),
                "sarif" => {
                    let log: Value = serde_json::from_str(&text).unwrap();
                    assert_eq!(log["version"], "2.1.0", "{told}");
                    let results = log["runs"][0]["results"].as_array().unwrap();
                    assert!(results.iter().any(|result| result["level"] == "error"), "{told}");
                }
                "junit" => assert!(text.starts_with("<?xml") && text.contains("<failure"), "{told}"),
                "github" => assert!(text.contains("::error file="), "{told}"),
                "markdown" => assert!(text.starts_with("# ") && text.contains("- **open**"), "{told}"),
                "html" => assert!(text.starts_with("<!doctype html>") && text.contains("</html>"), "{told}"),
                _ => {}
            }
        }
    }
    for format in ["markdown", "html"] {
        let text = cx.show(cx.jury().args(["check", "stubborn.html", "--quiet", "--format", format]));
        assert!(text.starts_with("exit: 1") && text.contains("stubborn.html"), "{text}");
        let text = cx.show(cx.jury().args(["critic", "check", "plan.md", "--format", format]));
        assert!(text.starts_with("exit: 1") && text.contains("plan.md"), "{text}");
    }
    for (command, format) in [("run", "text"), ("run", "opus"), ("check", "text")] {
        let text = cx.show(cx.jury().args([command, "stubborn.html", "--format", format]));
        assert!(text.starts_with("exit: 2") && text.contains("possible values"), "{text}");
    }
}

#[test]
fn every_result_has_the_shape_of_the_schema() {
    let cx = folder();
    let schema = schema();
    for workflow in WORKFLOWS {
        let result = parsed(&mut gate(&cx, workflow, &["--format", "json"]));
        assert_eq!(result["workflow"], workflow);
        assert_valid(&schema, workflow, &result);
        let reported = parsed(cx.jury().args(["report", "last", "--json"]));
        assert_valid(&schema, "jury report", &reported);
        assert_eq!((&reported["workflow"], &reported["outcome"]), (&json!(workflow), &json!("not_passed")));
    }
    assert_valid(
        &schema,
        "jury check",
        &parsed(cx.jury().args(["check", "stubborn.html", "plan.md", "--json"])),
    );
    let transcript = parsed(cx.jury().args(["critic", "check", "plan.md", "--format", "json"]));
    assert_valid(&schema, "jury critic check", &transcript);
    assert_valid(
        &schema,
        "jury content status",
        &parsed(cx.jury().args(["content", "status", "last", "--json"])),
    );
    cx.write("change.diff", CLEAN);
    let passed = parsed(&mut gate(&cx, "judge", &["--format", "json"]));
    assert_valid(&schema, "a pass", &passed);
    // A pass that exits with another code, or that nobody reviewed, is none.
    for (key, value) in [("exitCode", json!(1)), ("unreviewed", json!(true)), ("outcome", json!("green"))] {
        let mut wrong = passed.clone();
        wrong[key] = value;
        assert!(!schema.is_valid(&wrong), "{key} is checked");
    }
}

#[test]
fn a_result_says_the_same_of_a_run_wherever_it_is_read() {
    let cx = folder();
    for workflow in WORKFLOWS {
        let result = parsed(&mut gate(&cx, workflow, &["--format", "json"]));
        let listed = parsed(cx.jury().args(["runs", "--json"]));
        let row =
            listed.as_array().unwrap().iter().find(|row| row["runId"] == result["runId"]).unwrap().clone();
        for key in ["workflow", "status", "outcome", "composite"] {
            assert_eq!(result[key], row[key], "{workflow}: {key}");
        }
        let reported = parsed(cx.jury().args(["report", "last", "--json"]));
        assert_eq!(reported["status"], result["status"], "{workflow}");
    }
}

#[test]
fn a_baseline_lets_what_is_known_through_and_nothing_else() {
    let cx = folder();
    for workflow in WORKFLOWS {
        let absent = cx.show(&mut gate(&cx, workflow, &["--baseline", "known.json"]));
        assert!(
            absent.starts_with("exit: 2") && absent.contains("--update-baseline"),
            "{workflow}: {absent}"
        );
        assert_eq!(code(&mut gate(&cx, workflow, &["--baseline", "known.json", "--update-baseline"])), 0);
        let result = parsed(&mut gate(&cx, workflow, &["--baseline", "known.json", "--format", "json"]));
        assert_eq!((&result["outcome"], &result["exitCode"]), (&json!("passed"), &json!(0)), "{result:#}");
        let states: Vec<&Value> =
            result["findings"].as_array().unwrap().iter().map(|own| &own["state"]).collect();
        assert!(states.contains(&&json!("known")), "{workflow}: {states:?}");
        // Without the file it is what it was.
        assert_eq!(code(&mut gate(&cx, workflow, &[])), 1, "{workflow}");
        std::fs::remove_file(cx.path("known.json")).unwrap();
    }
    assert_eq!(code(&mut gate(&cx, "critic", &["--baseline", "known.json", "--update-baseline"])), 0);
    cx.write("plan.md", "# Plan\n\n### Too deep\n\nShip it.\n\nTODO: say when.\n");
    assert_eq!(code(&mut gate(&cx, "critic", &["--baseline", "known.json"])), 1, "the mark was not there");
    assert_eq!(code(&mut gate(&cx, "theater", &["--baseline", "known.json"])), 1, "it knows another work");
    cx.write("plan.md", "# Plan\n\nIn short.\n\n### Too deep\n\nShip it.\n");
    assert_eq!(
        code(&mut gate(&cx, "critic", &["--baseline", "known.json"])),
        0,
        "on another line it is the same"
    );
    cx.write("plan.md", "# Plan\n\n### Too deep\n\nShip it.\n\n## Then\n\n#### Too deep again\n\nRest.\n");
    assert_eq!(
        code(&mut gate(&cx, "critic", &["--baseline", "known.json"])),
        1,
        "a second place was not known"
    );
}

#[test]
fn a_known_finding_that_has_grown_is_not_known() {
    let cx = folder();
    let page = std::fs::read_to_string(cx.path("stubborn.html")).unwrap();
    assert_eq!(code(&mut gate(&cx, "theater", &["--baseline", "known.json", "--update-baseline"])), 0);
    // Another line is the same finding; another image without a text is not.
    cx.write("stubborn.html", page.replace("<body", "\n\n<body"));
    assert_eq!(code(&mut gate(&cx, "theater", &["--baseline", "known.json"])), 0);
    cx.write(
        "stubborn.html",
        page.replace("</main>", "<img src=\"four.png\" width=\"80\" height=\"80\"></main>"),
    );
    let grown = cx.show(&mut gate(&cx, "theater", &["--baseline", "known.json"]));
    assert!(grown.starts_with("exit: 1"), "{grown}");
}

#[test]
fn a_waiver_lets_a_finding_through_until_its_last_day() {
    let cx = folder();
    let waiver = |id: &str, expires: &str| {
        format!(
            "[[waiver]]\nfinding = \"{id}\"\nreason = \"the old site\"\nauthor = \"ada\"\nexpires = \"{expires}\"\n"
        )
    };
    for workflow in WORKFLOWS {
        let result = parsed(&mut gate(&cx, workflow, &["--format", "json"]));
        let ids = holding(&result);
        let all = |expires: &str| ids.iter().map(|id| waiver(id, expires)).collect::<String>();
        cx.write("waivers.toml", all("2026-03-01"));
        let result = parsed(&mut gate(&cx, workflow, &["--waivers", "waivers.toml", "--format", "json"]));
        assert_eq!((&result["outcome"], &result["exitCode"]), (&json!("passed"), &json!(0)), "{result:#}");
        assert_eq!(result["waivers"][0]["author"], "ada");
        assert_valid(&schema(), workflow, &result);
        let shown = cx.show(&mut gate(&cx, workflow, &["--waivers", "waivers.toml"]));
        assert!(shown.starts_with("exit: 0") && shown.contains("waived by ada until"), "{shown}");
        cx.write("waivers.toml", all("2026-02-28"));
        let shown = cx.show(&mut gate(&cx, workflow, &["--waivers", "waivers.toml"]));
        assert!(
            shown.starts_with("exit: 1") && shown.contains("and the finding counts again"),
            "{workflow}: {shown}"
        );
        if workflow == "theater" {
            assert!(ids.len() > 1, "{ids:?}");
            let but_one: String = ids.iter().skip(1).map(|id| waiver(id, "2026-03-01")).collect();
            cx.write("waivers.toml", but_one);
            assert_eq!(
                code(&mut gate(&cx, workflow, &["--waivers", "waivers.toml"])),
                1,
                "all but one is not all"
            );
        }
    }
    let report = parsed(cx.jury().args(["check", "stubborn.html", "--json"]));
    let failing: String = report["pages"][0]["failing"]
        .as_array()
        .unwrap()
        .iter()
        .map(|id| waiver(id.as_str().unwrap(), "2026-03-01"))
        .collect();
    cx.write("waivers.toml", failing);
    let check = |day: &str| {
        let mut command = cx.jury();
        command.args(["check", "stubborn.html", "--waivers", "waivers.toml"]).env("JURY_NOW", day);
        cx.show(&mut command)
    };
    assert!(check("2026-03-01T23:59:00Z").starts_with("exit: 0"), "{}", check("2026-03-01T23:59:00Z"));
    assert!(check("2026-03-02T00:00:00Z").starts_with("exit: 1"), "{}", check("2026-03-02T00:00:00Z"));
}

#[test]
fn nothing_excuses_a_review_that_did_not_take_place_or_a_composite_below_the_bar() {
    let cx = folder();
    cx.write("jury.toml", "[agents.silent]\ncommand = [\"true\"]\n");
    let everything = ["theater", "critic", "a11y", "copy", "brand", "designer", "ORDER", "FINISHED", "CLEAR"];
    let waivers: Vec<String> = everything
        .iter()
        .map(|rule| {
            format!(
                "[[waiver]]\nrule = \"{rule}\"\nreason = \"all\"\nauthor = \"ada\"\nexpires = \"2027-01-01\""
            )
        })
        .collect();
    cx.write("waivers.toml", waivers.join("\n"));
    let waived = |args: &[&str]| {
        let mut command = cx.jury();
        command.env("JURY_NOW", "2026-03-01T10:00:00Z").args(args).args([
            "--quiet",
            "--waivers",
            "waivers.toml",
        ]);
        cx.show(&mut command)
    };
    let shown = waived(&["run", "stubborn.html", "--threshold", "8", "--max-rounds", "1"]);
    assert!(shown.starts_with("exit: 1"), "a composite is no finding: {shown}");
    let shown = waived(&["run", "stubborn.html", "--threshold", "7", "--max-rounds", "1"]);
    assert!(shown.starts_with("exit: 0"), "the same waivers reach the findings: {shown}");
    let shown = waived(&["run", "stubborn.html", "--agent", "silent"]);
    assert!(shown.starts_with("exit: 3"), "{shown}");
    let shown = waived(&["critic", "run", "plan.md", "--criteria", "plan", "--no-fix", "--no-input"]);
    assert!(shown.starts_with("exit: 3"), "{shown}");
}

#[test]
fn what_is_no_finding_holds_back_whatever_is_excused() {
    let cx = folder();
    let everything = |flags: &[&str], workflow: &str| {
        let all = [flags, &["--baseline", "all.json", "--update-baseline"]].concat();
        std::fs::remove_file(cx.path("all.json")).ok();
        cx.show(&mut gate(&cx, workflow, &all))
    };
    // A judge's own low marks.
    cx.write("kind.txt", answer([0.6, 0.6, 0.6, 0.6]));
    let shown = everything(&[], "judge");
    assert!(shown.starts_with("exit: 1") && shown.contains("PARTIAL"), "{shown}");
    // A mean below the minimum.
    cx.write("drafts/unfinished.md", std::fs::read(cx.path("drafts/acme-flawed.md")).unwrap());
    let shown = everything(&[], "content");
    assert!(shown.starts_with("exit: 1") && shown.contains("mean 1"), "{shown}");
    // A criterion that nobody gave a verdict on.
    cx.write(
        "criteria/headings.toml",
        format!("{HEADINGS}[[criterion]]\nid = \"SAFE\"\nquestion = \"Is it safe?\"\nneeds = \"opinion\"\n"),
    );
    let shown = everything(&[], "critic");
    assert!(!shown.starts_with("exit: 0"), "{shown}");
    // A failure scenario that could not be played.
    cx.write("criteria/headings.toml", HEADINGS.replace("\"true\"", "\"/no/such/program\""));
    let shown = everything(&[], "critic");
    assert!(!shown.starts_with("exit: 0"), "{shown}");
}

#[test]
fn findings_that_share_an_id_are_known_together() {
    let cx = folder();
    assert_eq!(code(&mut gate(&cx, "judge", &["--baseline", "known.json", "--update-baseline"])), 0);
    assert_eq!(code(&mut gate(&cx, "judge", &["--baseline", "known.json"])), 0);
    let more = "@@ -10,3 +10,3 @@\n pub fn total(count: u32) -> u32 {\n-    count\n+    todo!()\n }\n";
    cx.write("change.diff", format!("{STUB}{more}"));
    let shown = cx.show(&mut gate(&cx, "judge", &["--baseline", "known.json"]));
    assert!(shown.starts_with("exit: 1"), "a second stub was not known: {shown}");
}

/// An agent's answer: rounds with the must-fixes of the copy panelist, one of them handed over.
fn panel(page: &str, rounds: &[(&[&str], f64)], handed_over: usize, without: &str) -> String {
    let artifact = format!("<ARTIFACT mime=\"text/html\"><![CDATA[{page}]]></ARTIFACT>");
    let mut text = "<CRITIQUE_RUN version=\"1\" maxRounds=\"3\" threshold=\"8.0\" scale=\"10\">".to_owned();
    for (index, (fixes, score)) in rounds.iter().enumerate() {
        let n = index + 1;
        let told: Vec<String> = fixes.iter().map(|fix| format!("<MUST_FIX>{fix}</MUST_FIX>")).collect();
        let told = told.join("");
        write!(
            text,
            "<ROUND n=\"{n}\"><PANELIST role=\"designer\"><NOTES>As it is.</NOTES>{artifact}</PANELIST>"
        )
        .unwrap();
        for role in ["critic", "brand", "a11y", "copy"].into_iter().filter(|role| *role != without) {
            let (count, told) = if role == "copy" { (fixes.len(), told.as_str()) } else { (0, "") };
            write!(
                text,
                "<PANELIST role=\"{role}\" score=\"{score}\" must_fix=\"{count}\"><NOTES>Fine.</NOTES>{told}</PANELIST>"
            )
            .unwrap();
        }
        let count = fixes.len();
        write!(
            text,
            "<ROUND_END n=\"{n}\" composite=\"{score}\" must_fix=\"{count}\" decision=\"continue\"/></ROUND>"
        )
        .unwrap();
    }
    let composite = rounds[handed_over - 1].1;
    write!(
        text,
        "<SHIP round=\"{handed_over}\" composite=\"{composite}\">{artifact}<SUMMARY>Good.</SUMMARY></SHIP></CRITIQUE_RUN>"
    )
    .unwrap();
    text
}

#[test]
fn the_gate_looks_at_every_must_fix_of_the_page_that_is_handed_over() {
    let cx = folder();
    let page = "<!doctype html><html lang=\"en\"><title>A page</title><main><h1>A page</h1><p>Words of it.</p></main></html>";
    cx.write("page.html", page);
    cx.write("jury.toml", "[agents.panel]\ncommand = [\"cat\", \"answer.txt\"]\n");
    let run = |rounds: &[(&[&str], f64)], handed_over: usize, without: &str, flags: &[&str]| {
        cx.write("answer.txt", panel(page, rounds, handed_over, without));
        let mut command = cx.jury();
        command.env("JURY_NOW", "2026-03-01T10:00:00Z").args([
            "run",
            "page.html",
            "--agent",
            "panel",
            "--quiet",
        ]);
        command.args(["--max-rounds", &rounds.len().to_string(), "--threshold", "5"]).args(flags);
        cx.show(&mut command)
    };
    let waiver = "[[waiver]]\nrule = \"copy\"\nreason = \"r\"\nauthor = \"ada\"\nexpires = \"2027-01-01\"\n";
    cx.write("waivers.toml", waiver);
    let waived = ["--waivers", "waivers.toml"];
    let one: &[&str] = &["Say hello nicer"];
    let shown = run(&[(one, 9.5)], 1, "", &waived);
    assert!(shown.starts_with("exit: 0"), "{shown}");
    // Who is absent counts as a must-fix that nobody wrote down.
    let shown = run(&[(one, 9.5)], 1, "critic", &waived);
    assert!(!shown.starts_with("exit: 0"), "{shown}");
    // Must-fixes that differ in numbers only share an id; they are known together.
    let known = ["--baseline", "known.json"];
    let shown =
        run(&[(&["Image 7 has no alt"], 9.5)], 1, "", &["--baseline", "known.json", "--update-baseline"]);
    assert!(shown.starts_with("exit: 0"), "{shown}");
    let shown =
        run(&[(&["Image 1 has no alt", "Image 2 has no alt", "Image 7 has no alt"], 9.5)], 1, "", &known);
    assert!(shown.starts_with("exit: 1"), "{shown}");
    let shown = run(
        &[(&["The deadline 7 has no alt"], 9.5)],
        1,
        "",
        &["--baseline", "known.json", "--update-baseline"],
    );
    assert!(shown.starts_with("exit: 0"), "{shown}");
    let shown = run(&[(&["The deadline 700 has no alt"], 9.5)], 1, "", &known);
    assert!(shown.starts_with("exit: 1"), "{shown}");
    // What a later round fixed is open in the page of the earlier one.
    let two: &[(&[&str], f64)] = &[(&["Take the paragraph out"], 9.5), (one, 8.5)];
    let shown = run(&[(one, 9.5)], 1, "", &["--baseline", "known.json", "--update-baseline"]);
    assert!(shown.starts_with("exit: 0"), "{shown}");
    let shown = run(two, 1, "", &known);
    assert!(shown.starts_with("exit: 1"), "the page of round 1 was handed over: {shown}");
}

#[test]
fn a_baseline_of_one_work_says_nothing_of_another() {
    let cx = folder();
    for name in ["a", "b"] {
        std::fs::create_dir(cx.path(name)).unwrap();
        std::fs::copy(cx.path("stubborn.html"), cx.path(&format!("{name}/page.html"))).unwrap();
    }
    let run = |folder: &str, page: &str, flags: &[&str]| {
        let mut command = cx.jury();
        command.current_dir(cx.path(folder)).args([
            "run",
            page,
            "--threshold",
            "7",
            "--max-rounds",
            "1",
            "--quiet",
        ]);
        code(command.args(flags))
    };
    assert_eq!(run("a", "page.html", &["--baseline", "../known.json", "--update-baseline"]), 0);
    assert_eq!(run("a", "page.html", &["--baseline", "../known.json"]), 0);
    assert_eq!(run("", "a/page.html", &["--baseline", "known.json"]), 0, "the same page from another folder");
    assert_eq!(run("b", "page.html", &["--baseline", "../known.json"]), 1, "another page of that name");
    let page = std::fs::read(cx.path("stubborn.html")).unwrap();
    let stdin = |flags: &[&str]| {
        let mut command = cx.jury();
        command.args(["run", "-", "--threshold", "7", "--max-rounds", "1", "--quiet"]).args(flags);
        cx.show_with_input(&mut command, &page)
    };
    let shown = stdin(&["--baseline", "known.json", "--update-baseline"]);
    assert!(shown.starts_with("exit: 1"), "stdin is no name: {shown}");
}

#[test]
fn works_written_at_once_are_all_in_the_baseline() {
    let cx = folder();
    let names: Vec<String> = (0..6).map(|number| format!("plan-{number}.md")).collect();
    let children: Vec<_> = names
        .iter()
        .map(|name| {
            std::fs::copy(cx.path("plan.md"), cx.path(name)).unwrap();
            let mut command = cx.jury();
            command.args([
                "critic",
                "run",
                name,
                "--criteria",
                "headings",
                "--no-fix",
                "--no-input",
                "--quiet",
            ]);
            command
                .args(["--baseline", "known.json", "--update-baseline"])
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let known: Value = serde_json::from_slice(&std::fs::read(cx.path("known.json")).unwrap()).unwrap();
    assert_eq!(known["works"].as_object().unwrap().len(), 6, "{known:#}");
}

#[test]
fn every_format_says_what_the_gate_says() {
    let cx = folder();
    for workflow in WORKFLOWS {
        let result = parsed(&mut gate(&cx, workflow, &["--format", "json"]));
        let waivers: Vec<String> = holding(&result)
            .iter()
            .map(|id| format!("[[waiver]]\nfinding = \"{id}\"\nreason = \"r\"\nauthor = \"zoe\"\nexpires = \"2026-03-01\""))
            .collect();
        cx.write("waivers.toml", waivers.join("\n"));
        for format in ["human", "json", "sarif", "junit", "github", "markdown", "html"] {
            let output =
                gate(&cx, workflow, &["--format", format, "--waivers", "waivers.toml"]).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            assert_eq!(output.status.code(), Some(0), "{workflow} as {format}: {text}");
            assert!(
                text.contains("the gate lets it through") && text.contains("zoe"),
                "{workflow} as {format}: {text}"
            );
            assert!(!text.contains("<failure"), "{workflow} as {format}: {text}");
        }
    }
}

#[test]
fn a_file_of_waivers_that_says_too_little_is_refused() {
    let cx = folder();
    let full = "reason = \"r\"\nauthor = \"a\"\nexpires = \"2027-01-01\"\n";
    let cases = [
        (format!("[[waiver]]\n{full}"), "name a `finding`"),
        (format!("[[waiver]]\nrule = \"a11y\"\n{}", full.replace("\"r\"", "\" \"")), "`reason` is empty"),
        (format!("[[waiver]]\nrule = \"a11y\"\n{}", full.replace("\"a\"", "\"\"")), "`author` is empty"),
        (
            "[[waiver]]\nrule = \"a11y\"\nreason = \"r\"\nauthor = \"a\"\n".to_owned(),
            "missing field `expires`",
        ),
        (
            format!("[[waiver]]\nrule = \"a11y\"\n{}", full.replace("2027-01-01", "soon")),
            "waivers.toml line 5",
        ),
        (format!("[[waivers]]\nrule = \"a11y\"\n{full}"), "waivers.toml line 1"),
    ];
    for (text, wanted) in cases {
        cx.write("waivers.toml", &text);
        let shown = cx.show(&mut gate(&cx, "theater", &["--waivers", "waivers.toml"]));
        assert!(shown.starts_with("exit: 2") && shown.contains(wanted), "{wanted}: {text}\n{shown}");
    }
    assert!(cx.jury().args(["runs"]).output().unwrap().stdout.is_empty(), "no run was begun for it");
}

#[test]
fn two_runs_of_every_workflow_are_compared() {
    let cx = folder();
    let mut runs = Vec::new();
    for workflow in WORKFLOWS {
        let before = parsed(&mut gate(&cx, workflow, &["--format", "json"]));
        match workflow {
            "theater" => cx.example("landing.html"),
            "critic" => drop(cx.write("plan.md", "# Plan\n\n## In order\n\nShip it.\n")),
            "judge" => drop(cx.write("change.diff", CLEAN)),
            _ => drop(std::fs::copy(cx.path("drafts/acme.md"), cx.path("drafts/unfinished.md")).unwrap()),
        }
        if workflow == "theater" {
            std::fs::copy(cx.path("landing.html"), cx.path("stubborn.html")).unwrap();
        }
        let mut again = gate(&cx, workflow, &["--format", "json"]);
        let after = parsed(&mut again);
        let (base, other) = (before["runId"].as_str().unwrap(), after["runId"].as_str().unwrap());
        let both = parsed(cx.jury().args(["compare", base, other, "--format", "json"]));
        assert_eq!((&both["workflow"], &both["base"]["outcome"]), (&json!(workflow), &json!("not_passed")));
        assert!(!both["fixed"].as_array().unwrap().is_empty(), "{workflow}: {both:#}");
        let same = parsed(cx.jury().args(["compare", base, base, "--format", "json"]));
        assert_eq!((&same["fixed"], &same["new"]), (&json!([]), &json!([])), "{workflow}");
        let shown = cx.show(cx.jury().args(["compare", base, other]));
        assert!(shown.starts_with("exit: 0") && shown.contains("fixed"), "{shown}");
        runs.push(base.to_owned());
    }
    let mixed = cx.show(cx.jury().args(["compare", &runs[0], &runs[1]]));
    assert!(mixed.starts_with("exit: 2") && mixed.contains("compare two of one workflow"), "{mixed}");
}

#[test]
fn a_finding_of_every_workflow_is_explained() {
    let cx = folder();
    for workflow in WORKFLOWS {
        let result = parsed(&mut gate(&cx, workflow, &["--format", "json"]));
        let finding = &result["findings"][0];
        let id = finding["id"].as_str().unwrap();
        let shown = cx.show(cx.jury().args(["explain", id, "--run", "last"]));
        assert!(
            shown.starts_with("exit: 0") && shown.contains(id) && shown.contains("state"),
            "{workflow}: {shown}"
        );
        let explained = parsed(cx.jury().args(["explain", id, "--run", "last", "--json"]));
        assert_eq!((&explained["workflow"], &explained["finding"]["id"]), (&json!(workflow), &json!(id)));
        let html = cx.show(cx.jury().args(["report", "last", "--html", "report.html"]));
        assert!(html.starts_with("exit: 0"), "{workflow}: {html}");
        let page = std::fs::read_to_string(cx.path("report.html")).unwrap();
        assert!(page.starts_with("<!doctype html>") && !page.contains("src=\"http"), "{workflow}");
    }
}

#[test]
fn a_hostile_file_name_stays_on_its_line() {
    let cx = folder();
    let name = "x\n::error file=a::pwned\u{1b}[31m.html";
    cx.write(name, std::fs::read(cx.path("stubborn.html")).unwrap());
    let all: [&[&str]; 4] = [
        &["check", name],
        &["critic", "check", name],
        &["run", name, "--max-rounds", "1"],
        &["explain", name],
    ];
    for args in all {
        for format in ["human", "github"] {
            let flags: &[&str] = if args[0] == "explain" { &[] } else { &["--format", format] };
            let output = cx.jury().args(args).args(flags).output().unwrap();
            let text = [output.stdout, output.stderr].concat();
            let text = String::from_utf8_lossy(&text);
            assert!(!text.lines().any(|line| line.starts_with("::error file=a")), "{args:?}: {text}");
            assert!(!text.contains("\u{1b}[31m"), "{args:?}: {text}");
        }
    }
}
