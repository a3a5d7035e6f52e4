//! `jury calibrate anchors`: the runs by which one sees that a judge changed.

use std::path::Path;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use jury_agents::{Bounds, End, Inherit, Invocation, run_to_end_blocking};
use jury_core::judge::{Bead, Judgement, written};
use jury_core::process::Exit;
use jury_learning::files::judgement::all;
use jury_learning::files::{Anchors, LearningPaths, SetAnchor, anchors_file, load, lock_scores, save};
use serde::Serialize;
use serde_json::Value;

use super::learning_paths;
use crate::cli::{
    AnchorsAddArgs, AnchorsArgs, AnchorsCommand, AnchorsJudgeArgs, AnchorsListArgs, Format, GateArgs, Global,
    JudgeArgs, ListFormat,
};
use crate::clock;
use crate::command::run::INTERRUPTED;
use crate::output::Output;
use crate::refusal::{INCONCLUSIVE, Refusal};

/// How long git may take to look a name up.
const PATIENCE: Duration = Duration::from_mins(1);

pub(super) async fn anchors(args: AnchorsArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    match args.command {
        AnchorsCommand::Judge(args) => Box::pin(judge_again(args, global, output)).await,
        AnchorsCommand::Add(args) => add(&args, output),
        AnchorsCommand::List(args) => list(&args),
    }
}

/// The anchors that are set.
pub(super) fn read(paths: &LearningPaths) -> Result<Anchors, Refusal> {
    Ok(load(&anchors_file(paths))?.unwrap_or_default())
}

/// All judgements of a run, the oldest first.
pub(super) fn judgements(paths: &LearningPaths, bead: &Bead) -> Result<Vec<Judgement>, Refusal> {
    let mut found: Vec<Judgement> =
        all(&paths.judgements, bead)?.value.into_iter().map(|kept| kept.judgement).collect();
    // Stable: where the times are the same, the order of the lines is that of time.
    found.sort_by_key(|judgement| judgement.judged_at);
    Ok(found)
}

fn add(args: &AnchorsAddArgs, output: Output) -> Result<u8, Refusal> {
    let paths = learning_paths()?;
    let now = clock::now()?;
    let beads: Vec<Bead> = args
        .beads
        .iter()
        .map(|bead| bead.parse().map_err(|error| Refusal::usage(format!("{error}"))))
        .collect::<Result<_, _>>()?;
    for bead in &beads {
        if judgements(&paths, bead)?.is_empty() {
            return Err(Refusal::usage(format!(
                "{bead} has no judgement to compare later ones with; judge it first, then set it as an anchor"
            )));
        }
    }
    let _lock = lock_scores(&paths)?;
    let mut anchors = read(&paths)?;
    for bead in beads {
        let record = args.records.as_ref().map(|folder| {
            let place = folder.join(format!("{bead}.json"));
            std::path::absolute(&place).unwrap_or(place)
        });
        if let Some(known) = anchors.anchors.iter_mut().find(|anchor| anchor.bead == bead) {
            output.progress(&format!("{bead} is an anchor already"));
            if let Some(record) = record {
                // It is the same run: what was pinned stays.
                let (base, head) = pins(&paths, &record);
                known.base = known.base.take().or(base);
                known.head = known.head.take().or(head);
                known.record = Some(record);
            }
            continue;
        }
        let (base, head) = record.as_deref().map_or((None, None), |record| pins(&paths, record));
        if record.is_some() && head.is_none() {
            output.note(&format!(
                "{bead}: its commits cannot be told, so that it will be judged as its record says then"
            ));
        }
        output.progress(&format!("{bead} is an anchor now"));
        anchors.anchors.push(SetAnchor { bead, set_at: now, record, base, head });
    }
    save(&anchors_file(&paths), &anchors)?;
    Ok(0)
}

/// The commits that a record's base and work are now. A branch that moves later would look like a judge that changed.
fn pins(paths: &LearningPaths, record: &Path) -> (Option<String>, Option<String>) {
    let record = std::fs::read(record).ok().and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    let word = |key: &str| record.as_ref()?.get(key)?.as_str().filter(|word| !word.is_empty());
    let Some(repo) = word("repo_path").map(|repo| paths.workspace.join(repo)) else { return (None, None) };
    let head = word("branch").or_else(|| word("head_ref")).and_then(|named| commit(&repo, named));
    let base = match word("base_ref") {
        Some(named) => commit(&repo, named),
        None => ["main", "master"].iter().find_map(|usual| commit(&repo, usual)),
    };
    (base, head)
}

/// The commit that a ref names. A record is not trusted: only names are looked up.
fn commit(repo: &Path, named: &str) -> Option<String> {
    let is_name = !named.starts_with('-')
        && !named.contains("..")
        && named.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | '+' | '#'));
    if !is_name {
        return None;
    }
    let mut git = Invocation::new("git").arg("-C").arg(repo);
    for word in ["rev-parse", "--verify", "--quiet", "--end-of-options"] {
        git = git.arg(word);
    }
    git = git.arg(format!("{named}^{{commit}}"));
    git.inherit = Inherit::Users {
        named: Vec::new(),
        without: ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"].map(Into::into).to_vec(),
    };
    let scratch = std::env::temp_dir();
    let finished = run_to_end_blocking(git, Bounds::new(&scratch, PATIENCE)).ok()?;
    let commit = String::from_utf8(finished.stdout).ok()?.trim().to_owned();
    let is_commit = commit.len() >= 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    (finished.end == End::Exited(Exit::Code(0)) && is_commit).then_some(commit)
}

/// An anchor and when it was last judged.
#[derive(Debug, Serialize)]
pub(super) struct Listed {
    pub(super) bead: Bead,
    set_at: String,
    judgements: usize,
    last_judged_at: Option<String>,
    pub(super) due: bool,
}

/// Whether an anchor has to be judged again: the newest judgement is too old, or has no time.
pub(super) fn listed(
    paths: &LearningPaths,
    anchors: &Anchors,
    now: Timestamp,
) -> Result<Vec<Listed>, Refusal> {
    let holds = SignedDuration::from_hours(24 * i64::from(anchors.every_days));
    let one = |anchor: &SetAnchor| -> Result<Listed, Refusal> {
        let judgements = judgements(paths, &anchor.bead)?;
        let last = judgements.iter().filter_map(|judgement| judgement.judged_at).max();
        Ok(Listed {
            bead: anchor.bead.clone(),
            set_at: written(anchor.set_at),
            judgements: judgements.len(),
            last_judged_at: last.map(written),
            due: last.is_none_or(|last| now.duration_since(last) >= holds),
        })
    };
    anchors.anchors.iter().map(one).collect()
}

fn list(args: &AnchorsListArgs) -> Result<u8, Refusal> {
    let paths = learning_paths()?;
    let anchors = read(&paths)?;
    let listed = listed(&paths, &anchors, clock::now()?)?;
    match args.format {
        ListFormat::Json => Output::result(&serde_json::to_string_pretty(&listed).unwrap_or_default()),
        ListFormat::Human if listed.is_empty() => {
            Output::result("no anchors; set some with 'jury calibrate anchors add BEAD…'");
        }
        ListFormat::Human => {
            let lines = listed.iter().map(|anchor| {
                let last = anchor.last_judged_at.as_deref().unwrap_or("at no known time");
                let due = if anchor.due { ", due" } else { "" };
                format!("{}  {} in all, the last {last}{due}", anchor.bead, anchor.judgements)
            });
            Output::result(&lines.collect::<Vec<_>>().join("\n"));
        }
    }
    Ok(0)
}

/// Judges the anchors again that are due, from the records that they were set with. The exit code says whether all of them
/// were judged, and not what came of it: an anchor is no gate.
async fn judge_again(args: AnchorsJudgeArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    let paths = learning_paths()?;
    let set = read(&paths)?;
    let now = clock::now()?;
    let listed = listed(&paths, &set, now)?;
    let due: Vec<&SetAnchor> = set
        .anchors
        .iter()
        .zip(&listed)
        .filter(|(_, listed)| args.all || listed.due)
        .map(|(anchor, _)| anchor)
        .collect();
    if due.is_empty() {
        output.progress("no anchor is due");
        return Ok(0);
    }
    let mut missing = 0;
    let mut worst = 0;
    for anchor in due {
        let Some(record) = anchor.record.clone().filter(|record| record.is_file()) else {
            missing += 1;
            output.note(&format!(
                "{} has no record to be judged from; set it again with --records DIR",
                anchor.bead
            ));
            continue;
        };
        let asked = JudgeArgs {
            records: vec![record],
            agent: args.agent.clone(),
            repeat: None,
            model: args.model.clone(),
            mode: None,
            repo: None,
            base: anchor.base.clone(),
            branch: anchor.head.clone(),
            diff: None,
            tests: None,
            lint: None,
            prompt: None,
            gate: GateArgs::default(),
            format: Format::Human,
            context: false,
            force: true,
            no_wait: args.no_wait,
            drain: false,
            project: "default".to_owned(),
        };
        match Box::pin(crate::command::judge::judge(asked, global, output)).await {
            // Whatever the verdict is, it was judged.
            Ok(0 | 1) => {}
            Ok(INTERRUPTED) => return Ok(INTERRUPTED),
            Ok(code) => worst = worst.max(code),
            Err(refusal) => {
                missing += 1;
                output.note(&format!("{} was not judged: {}", anchor.bead, refusal.message));
            }
        }
    }
    Ok(if missing > 0 { worst.max(INCONCLUSIVE) } else { worst })
}
