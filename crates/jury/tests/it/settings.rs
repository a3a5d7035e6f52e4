//! Settings from flags, variables and the file.

use insta::assert_snapshot;

use crate::harness::{Context, GOOD_PAGE};

#[test]
fn a_variable_that_does_not_parse_is_named_with_its_range() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    assert_snapshot!(cx.show(cx.jury().args(["run", "page.html"]).env("OD_CRITIQUE_MAX_ROUNDS", "many")), @r"
    exit: 2
    ----- stdout -----
    ----- stderr -----
    error: OD_CRITIQUE_MAX_ROUNDS is 'many': it must be a whole number from 1 to 20
    ");
    assert_snapshot!(cx.show(cx.jury().args(["run", "page.html", "--threshold", "11"])), @r"
    exit: 2
    ----- stdout -----
    ----- stderr -----
    error: --threshold is '11': it must be between 0 and the score scale, which is 10
    ");
}

#[test]
fn the_file_is_read_and_its_mistakes_have_a_line() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    cx.write("jury.toml", "[critique]\nmax_rounds = 2\nscore_threshold = 9.95\n");
    let shown = cx.show(cx.jury().args(["run", "page.html"]));
    assert!(
        shown.contains("ships at 9.9 of 10 with no must-fix open, within 2 rounds")
            || shown.contains("ships at 10.0 of 10"),
        "{shown}"
    );
    cx.write("jury.toml", "[critique]\nmax_rounds = 2\nrounds = 3\n");
    assert_snapshot!(cx.show(cx.jury().args(["run", "page.html"])), @"
    exit: 2
    ----- stdout -----
    ----- stderr -----
    error: critique.rounds in jury.toml is not a setting; the settings are enabled, max_rounds, score_scale, score_threshold, weights, round_timeout_ms, total_timeout_ms, parser_max_block_bytes, fallback_policy, max_concurrent_runs, rollout_phase, evidence, spool_max_bytes
    ");
    cx.write("jury.toml", "[critique]\nmax_rounds = \n");
    let shown = cx.show(cx.jury().args(["run", "page.html"]));
    assert!(shown.contains("error: jury.toml line 2:"), "{shown}");
    cx.write("jury.toml", "[agents.mine]\ncommand = []\n");
    let shown = cx.show(cx.jury().args(["run", "page.html"]));
    assert!(shown.contains("error: agents.mine in jury.toml says nothing"), "{shown}");
}

#[test]
fn weights_may_be_a_table() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    cx.write("jury.toml", "[critique.weights]\ncritic = 1\na11y = 1.5\n");
    let shown = cx.show(cx.jury().args(["run", "page.html"]));
    assert!(shown.starts_with("exit: 0"), "{shown}");
    assert!(!shown.contains("  copy          "), "copy has no weight, so no row: {shown}");
}
