//! Ctrl-C and TERM in the middle of a run, with an agent of the user's own.

use rustix::process::Signal;

use crate::harness::{Context, GOOD_PAGE, Running};

/// An agent that closes one round and then sits there, ignoring whoever asks it to go.
pub(crate) fn slow_agent(cx: &Context) {
    let round = format!(
        "<CRITIQUE_RUN version=\"1\"><ROUND n=\"1\"><PANELIST role=\"designer\"><ARTIFACT><![CDATA[{GOOD_PAGE}]]></ARTIFACT></PANELIST>\
         <PANELIST role=\"critic\" score=\"7\"><MUST_FIX>More.</MUST_FIX></PANELIST><PANELIST role=\"brand\" score=\"7\"><NOTES>Seen.</NOTES></PANELIST>\
         <PANELIST role=\"a11y\" score=\"7\"><NOTES>Seen.</NOTES></PANELIST><PANELIST role=\"copy\" score=\"7\"><NOTES>Seen.</NOTES></PANELIST>\
         <ROUND_END n=\"1\" composite=\"7\" must_fix=\"1\" decision=\"continue\"/></ROUND><ROUND n=\"2\">"
    );
    cx.write("round.txt", round);
    cx.write("agent.sh", "cat > prompt.txt; echo $$ > pid; cat round.txt; while :; do sleep 1; done\n");
    cx.write("jury.toml", "[agents.slow]\ncommand = [\"sh\", \"agent.sh\"]\n");
    cx.write("page.html", GOOD_PAGE);
}

#[test]
fn ctrl_c_ends_the_run_cleanly_with_its_best_round() {
    for signal in [Signal::INT, Signal::TERM] {
        let cx = Context::new();
        slow_agent(&cx);
        let mut running =
            Running::start(cx.jury().args(["run", "page.html", "--agent", "slow", "--out", "best.html"]));
        running.wait_for("composite");
        running.signal(signal);
        let (code, stdout, stderr) = running.finish();
        assert_eq!(code, Some(130), "{stdout}{stderr}");
        assert!(
            stdout.contains("NOT SHIPPED: stopped on request (score 7.0, bar 8.0, 1 must-fix open)"),
            "{stdout}"
        );
        assert_eq!(std::fs::read_to_string(cx.path("best.html")).unwrap(), GOOD_PAGE);
        let runs = cx.runs();
        assert_eq!(runs[0]["status"], "interrupted");
        let pid = std::fs::read_to_string(cx.path("pid")).unwrap();
        assert!(!std::path::Path::new(&format!("/proc/{}", pid.trim())).exists(), "the agent is gone");
    }
}

#[test]
fn the_agent_gets_a_prompt_with_the_page_in_it() {
    let cx = Context::new();
    slow_agent(&cx);
    let mut running = Running::start(
        cx.jury().args(["run", "page.html", "--agent", "slow"]).env("OD_CRITIQUE_ROUND_TIMEOUT_MS", "300"),
    );
    running.wait_for("composite");
    let (code, stdout, _) = running.finish();
    assert_eq!(code, Some(3), "{stdout}");
    assert!(stdout.contains("NOT SHIPPED: out of time"), "{stdout}");
    let prompt = std::fs::read_to_string(cx.path("prompt.txt")).unwrap();
    assert!(prompt.contains("<CRITIQUE_RUN version=\"1\""));
    assert!(prompt.contains(&format!("<PAGE>\n{GOOD_PAGE}")));
}
