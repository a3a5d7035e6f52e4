//! Seats that are added to the cast, from `jury.toml` and `--seat` to the verdict and its formats.

use crate::harness::{Context, GOOD_PAGE};

/// An agent that gives the panel and a seat called `legal` these scores, and claims one for `perf`.
fn agent(cx: &Context, legal: &str) {
    let draft = format!("<ARTIFACT mime=\"text/html\"><![CDATA[{GOOD_PAGE}]]></ARTIFACT>");
    let panelist = |role: &str, score: &str| {
        format!(
            "<PANELIST role=\"{role}\" score=\"{score}\" must_fix=\"0\"><DIM name=\"claims\" score=\"{score}\">Looked at \
             every part of it that the {role} seat is for.</DIM></PANELIST>"
        )
    };
    let panel = ["critic", "brand", "a11y", "copy", "perf"].map(|role| panelist(role, "9")).concat();
    let answer = format!(
        "<CRITIQUE_RUN version=\"1\" maxRounds=\"3\" threshold=\"8.0\" scale=\"10\"><ROUND n=\"1\">\
         <PANELIST role=\"designer\"><NOTES>As it is.</NOTES>{draft}</PANELIST>{panel}{}\
         <ROUND_END n=\"1\" composite=\"9\" must_fix=\"0\" decision=\"ship\"/></ROUND>\
         <SHIP round=\"1\" composite=\"9\">{draft}<SUMMARY>Read.</SUMMARY></SHIP></CRITIQUE_RUN>",
        panelist("legal", legal)
    );
    cx.write("answer.txt", answer);
    cx.write("page.html", GOOD_PAGE);
}

const AGENT: &str = "[agents.mine]\ncommand = [\"cat\", \"answer.txt\"]\n";
const LEGAL: &str =
    "[critique.seats.legal]\nlooks_at = \"claims that need a source\"\ndimensions = [\"claims\"]\n";
const RUN: [&str; 4] = ["run", "page.html", "--agent", "mine"];

#[test]
fn a_seat_of_the_users_own_counts_and_is_in_every_format() {
    let cx = Context::new();
    agent(&cx, "2");
    cx.write("jury.toml", format!("{AGENT}{LEGAL}"));
    let shown = cx.show(cx.jury().args(RUN));
    assert!(shown.starts_with("exit: 0"), "without a weight it changes nothing: {shown}");
    cx.write("jury.toml", format!("{AGENT}{LEGAL}weight = 1\n"));
    let shown = cx.show(cx.jury().args(RUN));
    assert!(shown.starts_with("exit: 1") && shown.contains("legal"), "{shown}");
    for format in ["json", "markdown", "html"] {
        let shown = cx.show(cx.jury().args(RUN).args(["--format", format]));
        assert!(shown.starts_with("exit: 1") && shown.contains("legal"), "{format}: {shown}");
    }
    // The flag weighs it for one run.
    let shown = cx.show(cx.jury().args(RUN).args(["--seat", "legal=0"]));
    assert!(shown.starts_with("exit: 0"), "{shown}");
}

#[test]
fn a_measured_seat_is_played_by_jury_whoever_plays_the_panel() {
    let cx = Context::new();
    agent(&cx, "9");
    cx.write("jury.toml", AGENT);
    let shown =
        cx.show(cx.jury().args(RUN).args(["--seat", "perf=0.1", "--seat", "i18n=0.1", "--format", "json"]));
    assert!(
        shown.starts_with("exit: 0") && shown.contains("\"perf\"") && shown.contains("\"i18n\""),
        "{shown}"
    );
    for evidence in ["gate", "off"] {
        let shown =
            cx.show(cx.jury().args(["run", "page.html", "--seat", "perf=0.2", "--evidence", evidence]));
        assert!(shown.starts_with("exit: 0") && shown.contains("perf"), "{shown}");
    }
    // A page that weighs too much does not ship, whoever likes it.
    let picture = "<body><img src=\"hero.png\" alt=\"A loaf\" width=\"10\" height=\"10\">";
    cx.write("page.html", GOOD_PAGE.replace("<body>", picture));
    let run = ["run", "page.html", "--seat", "perf=3", "--max-rounds", "1"];
    for (bytes, weight) in [(1_500_000, "weight 1.6"), (2_200_000, "weight 0.0")] {
        cx.write("hero.png", vec![0; bytes]);
        let shown = cx.show(cx.jury().args(run));
        assert!(shown.starts_with("exit: 1") && shown.contains(weight), "{bytes}: {shown}");
    }
}

#[test]
fn a_seat_without_a_weight_is_seen_and_holds_nothing() {
    let cx = Context::new();
    agent(&cx, "2");
    let answer = std::fs::read_to_string(cx.path("answer.txt")).expect("it was written");
    let (before, after) = answer.split_once("<PANELIST role=\"legal\"").expect("it is there");
    let advice = "<MUST_FIX>Name the source of 99 %.</MUST_FIX></PANELIST><ROUND_END";
    cx.write(
        "answer.txt",
        format!("{before}<PANELIST role=\"legal\"{}", after.replacen("</PANELIST><ROUND_END", advice, 1)),
    );
    cx.write("jury.toml", format!("{AGENT}{LEGAL}"));
    let shown = cx.show(cx.jury().args(RUN).args(["--seat", "perf=0", "--seat", "motion=0"]));
    assert!(shown.starts_with("exit: 0"), "{shown}");
    for line in
        ["  advice    legal: Name the source of 99 %.", "2.0  no weight", "  perf          10.0  no weight"]
    {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    let shown = cx.show(cx.jury().args(RUN).args(["--seat", "motion=0", "--format", "markdown"]));
    assert!(shown.contains("advises, and holds nothing"), "{shown}");
    // Who measured nothing has not passed.
    assert!(shown.contains("| motion | skipped: gave no score |"), "{shown}");
}

#[test]
fn conformance_is_a_matter_of_the_fixed_cast() {
    let cx = Context::new();
    agent(&cx, "2");
    cx.write("jury.toml", format!("{AGENT}{LEGAL}weight = 1\n[critique.seats.perf]\nweight = 0.2\n"));
    let shown = cx.show(cx.jury().args(["agents", "test", "house", "--briefs", "1"]));
    assert!(shown.starts_with("exit: 0") && shown.contains("1 of 1 shipped"), "{shown}");
}

#[test]
fn mistakes_about_seats_are_one_line() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    for (file, said) in [
        ("[critique]\nseats = 3\n", "critique.seats in jury.toml must be a table of seats"),
        ("[critique.seats.perf]\nwieght = 1\n", "critique.seats.perf in jury.toml: unknown field `wieght`"),
        ("[critique.seats.Legal]\nweight = 1\n", "critique.seats.Legal in jury.toml is 'Legal'"),
        ("[critique.seats.legal]\nweight = 1\n", "looks_at of critique.seats.legal in jury.toml is ''"),
        (
            &format!("{LEGAL}played_by = \"claude\"\n"),
            "played_by of critique.seats.legal in jury.toml is 'claude'",
        ),
        ("[critique.seats.perf]\nweight = 40\n", "leaves the critic a tenth"),
    ] {
        cx.write("jury.toml", file);
        for command in [&["run", "page.html"][..], &["check", "page.html"]] {
            let shown = cx.show(cx.jury().args(command));
            let lines = shown.lines().filter(|line| line.starts_with("error")).count();
            assert!(shown.starts_with("exit: 2") && shown.contains(said) && lines == 1, "{shown}");
        }
    }
    cx.write("jury.toml", "");
    for flag in ["perf", "perf=much", "nobody=0.1", "perf=-1"] {
        let shown = cx.show(cx.jury().args(["run", "page.html", "--seat", flag]));
        assert!(shown.starts_with("exit: 2") && shown.contains("--seat"), "{shown}");
    }
    // The message names the place that is wrong, and what would do.
    for (file, flag, said) in [
        (format!("{LEGAL}weight = 0.1\n"), "legal=-1", "weight of --seat legal is '-1'"),
        (String::new(), "nobody=0.1", "there is no such seat; jury measures perf, i18n, motion, cost"),
        ("[critique.seats]\nperf = 0.1\n".to_owned(), "cost=0", "expected a table such as { weight = 0.1 }"),
    ] {
        cx.write("jury.toml", file);
        let shown = cx.show(cx.jury().args(["run", "page.html", "--seat", flag]));
        assert!(shown.starts_with("exit: 2") && shown.contains(said), "{shown}");
    }
}
