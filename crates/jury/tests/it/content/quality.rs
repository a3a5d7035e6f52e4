//! What comes of whole documents without a model: a page that is approved by the second round, with a mean of seven or more
//! over all critics. The ideas are different trades, written in different voices and under different headings.

use std::fmt::Write as _;
use std::path::PathBuf;

use insta::assert_snapshot;
use serde_json::Value;

use super::copy;
use crate::harness::{Context, repository};

/// The mean that is wanted, and by which round.
const WANTED: f64 = 7.0;
const BY_ROUND: usize = 2;

/// What became of the page of an idea: its status, and of each round the mean and how many high issues there were.
struct Came {
    status: String,
    rounds: Vec<(f64, usize)>,
}

impl Came {
    fn is_good_enough(&self) -> bool {
        let last = self.rounds.last().is_some_and(|(mean, high)| *mean >= WANTED && *high == 0);
        self.status == "complete" && self.rounds.len() <= BY_ROUND && last
    }
}

fn page_of(cx: &Context, idea: &str) -> Came {
    let idea = format!("ideas/{idea}");
    let args = ["content", "run", "website", "--idea", &idea, "--no-publish", "--evidence", "gate"];
    cx.jury().args(args).output().unwrap();
    let output = cx.jury().args(["content", "status", "last", "--json"]).output().unwrap();
    let progress: Value = serde_json::from_slice(&output.stdout).unwrap();
    let round = |round: &Value| {
        let critiques = round["critiques"].as_array().unwrap();
        assert_eq!(critiques.len(), 4, "all of the panel: {round}");
        let sum: f64 = critiques.iter().map(|critique| critique["score"].as_f64().unwrap()).sum();
        let high = critiques.iter().flat_map(|critique| critique["issues"].as_array().unwrap());
        let high = high.filter(|issue| issue["severity"] == "high").count();
        // All four of the panel.
        (sum / 4.0, high)
    };
    Came {
        status: progress["progressStatus"].as_str().unwrap().to_owned(),
        rounds: progress["critiqueHistory"].as_array().unwrap().iter().map(round).collect(),
    }
}

fn folders() -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = ["examples/ideas", "evals/content/ideas"]
        .iter()
        .flat_map(|place| std::fs::read_dir(repository().join(place)).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    all.sort_by_key(|path| path.file_name().map(ToOwned::to_owned));
    all
}

#[test]
fn whole_documents_come_to_a_mean_of_seven_by_the_second_round() {
    let cx = Context::new();
    let mut table = String::new();
    let folders = folders();
    assert!(folders.len() >= 5, "{folders:?}");
    for folder in folders {
        let idea = folder.file_name().unwrap().to_str().unwrap();
        copy(&folder, &cx.path(&format!("ideas/{idea}")));
        let came = page_of(&cx, idea);
        let rounds: Vec<String> =
            came.rounds.iter().map(|(mean, high)| format!("{mean:.1} with {high} high")).collect();
        writeln!(table, "{idea}: {}, {}", came.status, rounds.join(", then ")).unwrap();
        assert!(came.is_good_enough(), "{table}");
    }
    assert_snapshot!("content_quality", table);
}

#[test]
fn documents_that_leave_half_of_it_out_do_not_get_there() {
    let cx = Context::new();
    copy(&repository().join("evals/content/ideas/coldshelf"), &cx.path("ideas/thin"));
    let whole = std::fs::read_to_string(cx.path("ideas/thin/positioning.md")).unwrap();
    let without_action: String = whole.split("## Call to action").next().unwrap().to_owned();
    cx.write("ideas/thin/positioning.md", without_action);
    let came = page_of(&cx, "thin");
    assert!(!came.is_good_enough(), "{}: {:?}", came.status, came.rounds);
}
