//! `kill -9` in the middle of a run: the store opens, everything that was shown is kept, and the run says
//! that it was cut off.

use rustix::process::Signal;

use crate::harness::{Context, Running};

/// A small generator of numbers: the points at which the program dies should differ, and be the same each
/// time the test runs.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

#[test]
fn a_run_killed_at_any_point_keeps_what_it_showed() {
    let cx = Context::new();
    cx.example("landing.html");
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let (mut cut_off, mut finished) = (0, 0);
    for _ in 0..40 {
        let mut running = Running::start(cx.jury().args(["run", "landing.html", "--out", "better.html"]));
        // Some die before they have said anything, some in the middle, some at the very end; and between two
        // lines by a little more or less work.
        for _ in 0..dice.roll(34) {
            if running.line().is_none() {
                break;
            }
        }
        for _ in 0..dice.roll(40_000) {
            std::hint::spin_loop();
        }
        running.signal(Signal::KILL);
        let (code, _, shown) = running.finish();
        if code == Some(0) {
            finished += 1;
            continue;
        }
        cut_off += 1;
        check_what_is_left(&cx, &shown);
    }
    wait_until_nobody_works_in(&cx);
    assert!(cut_off >= 20, "{cut_off} of 40 were cut off, {finished} finished before the signal");
}

fn check_what_is_left(cx: &Context, shown: &str) {
    // A process that died before it had a store leaves nothing, and there is nothing to find.
    if !cx.path(".od/jury.sqlite").exists() {
        assert_eq!(shown, "");
        return;
    }
    let runs = cx.runs();
    assert!(runs.iter().all(|run| run["state"] == "ended"), "{runs:?}");
    if shown.is_empty() {
        return;
    }
    let run = runs[0]["runId"].as_str().unwrap();
    let status = runs[0]["status"].as_str().unwrap();
    let replay = cx.jury().args(["replay", run, "--speed", "instant"]).output().unwrap();
    let replayed = String::from_utf8(replay.stderr).unwrap();
    assert!(replay.status.success(), "{replayed}");
    // Notes about earlier runs come before the run itself.
    let shown: String = shown.split_inclusive('\n').filter(|line| !line.starts_with("note:")).collect();
    assert!(replayed.starts_with(&shown), "shown:\n{shown}\nreplayed:\n{replayed}");
    let artifact = runs[0]["artifactId"].as_str().unwrap();
    let transcript = cx.path(".od/artifacts").join(artifact).join("transcript.ndjson");
    let transcript = std::fs::read_to_string(transcript).unwrap();
    let last: serde_json::Value = serde_json::from_str(transcript.lines().last().unwrap()).unwrap();
    match status {
        "interrupted" => {
            assert_eq!(last["event"], "critique.interrupted");
            assert_eq!(last["recoveryReason"], "daemon_restart");
        }
        // The verdict was in the log before the signal came.
        "shipped" => assert_eq!(last["event"], "critique.ship"),
        other => panic!("{other}: {last}"),
    }
    let seqs: Vec<u64> = transcript
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["seq"].as_u64().unwrap())
        .collect();
    assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
}

/// The panel dies with the program that asked for it. The kernel may need a moment to take the last one down.
fn wait_until_nobody_works_in(cx: &Context) {
    let folder = cx.path(".").canonicalize().unwrap();
    let works_here = |process: std::fs::DirEntry| {
        std::fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd == folder)
    };
    while std::fs::read_dir("/proc").unwrap().flatten().any(works_here) {
        std::thread::yield_now();
    }
}
