//! A case: everything that a judge gets to see of a run, and nothing else.
//!
//! The record is untrusted. What it names (a repository, refs, files) is used only where it lies in one folder and is what
//! it should be; what a person names is taken as it is, and an error when it cannot be read. What cannot be had for any
//! other reason is noted: the judge is told, and without a diff there is nothing to judge.

use std::path::{Path, PathBuf};

use jury_agents::prompt::{CaseMaterial, JudgeTemplate, PromptError};
use jury_core::artifact::Digest;
use jury_core::judge::settings::{JudgeMode, JudgeSettings};
use jury_core::judge::{
    Bead, InvalidAnswer, JudgeAnswer, JudgeIssue, JudgeStamp, MOST_ISSUES, OfflineGrounds, RecordError,
    RecordReading, RunOutcome, RunRecord, TestReading, WorkCoverage,
};
use jury_core::legible::asks;
use jury_learning::files::judgement;
use jury_text::diff::{
    Diff, DiffEvidence, Omission, Packed, pack, search, unjudged, without_authors, without_secrets,
};
use jury_text::{offline, test_output};
use thiserror::Error;
use tokio_util::sync::CancellationToken;

use super::file;
use super::git::{Change, Repository, change_in, is_ref};
use super::log::{LogPaths, log};
use super::names::Names;
use super::rules;
use super::shortened::shortened;

/// The version of what is asked: the four dimensions, what each of them means, and the rule of the verdict.
pub const RUBRIC_VERSION: &str = "1";

/// The file with the user's own rules, in the workspace.
pub const RULES: &str = "config/judge-prompt.md";

/// What the run is called before its judges: its own name may say who did the work.
const ALIAS: &str = "run";

/// Why a change is not judged of which nothing can be seen.
const UNSEEN: &str = "no line of the change can be seen: it is binary, or only names and modes change";

/// Why a change is not judged of which nothing is shown.
const UNSHOWN: &str = "no line of the change is shown: nobody wrote it by hand, or there is no room for it";

/// The most lines of every list that are shown.
const MOST_LINES: usize = 100;
/// The most earlier runs of a template that are shown.
const EARLIER: usize = 5;

/// Where the parts of a case are. What a person names is taken as it is; what the record names only if it lies in `root`.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// The run record, as it is in its file.
    pub record: Vec<u8>,
    /// The folder that relative paths of the record are looked for in, and in which everything it names must lie.
    pub root: PathBuf,
    /// `config/judge-prompt.md` is looked for here.
    pub workspace: PathBuf,
    /// The folder of the user's templates; none: those that come with the program.
    pub prompts: Option<PathBuf>,
    /// The folder of the judgements, for what was found in earlier runs of the template; none: not shown.
    pub judgements: Option<PathBuf>,
    /// A file with what was asked.
    pub prompt: Option<PathBuf>,
    /// A file with the diff; git is not asked.
    pub diff: Option<PathBuf>,
    /// The repository that the run worked in.
    pub repo: Option<PathBuf>,
    /// What the work is compared with.
    pub base: Option<String>,
    /// The work: a branch or a commit.
    pub head: Option<String>,
    /// A file with what the tests printed.
    pub test_output: Option<PathBuf>,
    /// A file with what the linter printed.
    pub lint_output: Option<PathBuf>,
    /// Where spools are made.
    pub scratch: PathBuf,
}

/// What a judge is shown of a finished run.
#[derive(Debug, Clone, PartialEq)]
pub struct GatheredCase {
    /// The record of the run.
    pub record: RunRecord,
    /// Its record, as it is in its file: what a program of the user's gets.
    pub raw: Vec<u8>,
    /// The rules of the judge.
    pub system: String,
    /// What is to be judged, fenced, with how to answer behind it.
    pub context: String,
    /// What was measured in the diff.
    pub facts: Vec<DiffEvidence>,
    /// A hash of the rules, of how they are put, and of the shape of the answer.
    pub prompt_hash: String,
    /// The version of the rubric, [`RUBRIC_VERSION`].
    pub rubric_version: &'static str,
    /// A hash of what was shown.
    pub context_hash: String,
    /// How much of the work is shown.
    pub coverage: WorkCoverage,
    /// How much of the work was searched for facts; none without a diff.
    pub searched: Option<WorkCoverage>,
    /// The files of the change that are shown: as the judge knows them, and as they are called.
    pub files: Vec<(String, String)>,
    /// What is not shown, and why.
    pub omitted: Vec<Omission>,
    /// What could not be had, one line each.
    pub notes: Vec<String>,
    /// Why there is nothing to judge; none when there is a diff.
    pub nothing: Option<String>,
    /// Why the diff is not whole; none when it is, or there is none.
    pub torn: Option<String>,
    /// What the output of the tests shows, read from the output itself.
    pub tests: TestReading,
    /// What of the change only an opinion can vouch for: without a model it keeps the work from passing.
    pub unjudged: Vec<String>,
    template: JudgeTemplate,
}

/// Why there is no case.
#[derive(Debug, Error)]
pub enum CaseError {
    /// The record cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The run goes on.
    #[error("the run goes on; judge it when it has ended")]
    Running,
    /// Something that a person named cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// The templates of the prompt cannot be used.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// The user or a shutdown stopped it.
    #[error("it was stopped")]
    Interrupted,
}

impl GatheredCase {
    /// Gathers a case. What cannot be had is noted and not an error, unless a person named it.
    pub async fn gather(
        sources: &Sources,
        settings: &JudgeSettings,
        interrupt: &CancellationToken,
    ) -> Result<Self, CaseError> {
        let record = match RunRecord::read(&sources.record)? {
            RecordReading::Running => return Err(CaseError::Running),
            RecordReading::Finished(record) => *record,
        };
        let names = Names::of(&[&record.agent, &record.model]).and_of(record.bead.as_str());
        let mut notes = Vec::new();
        let template = rules::template(sources, &record, &mut notes, interrupt).await?;
        let asked = asked(sources, &record, &mut notes)?;
        let (change, nothing) = match change(sources, &record, interrupt).await? {
            Ok(change) => (Some(change), None),
            Err(why) => (None, Some(why)),
        };
        if interrupt.is_cancelled() {
            return Err(CaseError::Interrupted);
        }
        let is_empty = |diff: &Diff| diff.files.is_empty() || diff.changes_nothing();
        let empty = change.as_ref().is_some_and(|change| is_empty(&change.diff) && !change.cut);
        let nothing =
            nothing.or_else(|| empty.then(|| "the diff is empty: the work changes nothing".to_owned()));
        let change = change.filter(|_| !empty);
        // A file that changed without a line to see is a picture, a name or a mode: nobody can vouch for it.
        let blank = change.as_ref().is_some_and(|change| kept(&change.diff, change.cut).lines == 0);
        let nothing = nothing.or_else(|| blank.then(|| UNSEEN.to_owned()));
        let facts = change
            .as_ref()
            .map_or_else(Vec::new, |change| search(&change.diff, asked.as_deref().unwrap_or_default()));
        let unjudged = change
            .as_ref()
            .map_or_else(Vec::new, |change| unjudged(&change.diff, asked.as_deref().unwrap_or_default()));
        let shown = change.as_ref().map(|change| fitted(&change.diff, settings)).unwrap_or_default();
        let tests = LogPaths {
            what: "test output",
            file: sources.test_output.as_deref(),
            text: record.test_output.as_deref(),
            named: record.test_output_file.as_deref(),
        };
        let tests = log(&tests, &sources.root, &mut notes)?;
        let test_reading =
            tests.as_ref().map_or(TestReading::Absent, |(bytes, _)| test_output::read(bytes).reading());
        let lint = LogPaths {
            what: "lint output",
            file: sources.lint_output.as_deref(),
            text: record.lint_output.as_deref(),
            named: record.lint_output_file.as_deref(),
        };
        let lint = log(&lint, &sources.root, &mut notes)?;
        let (tests, lint) = (tests.map(|(_, text)| text), lint.map(|(_, text)| text));
        notes.extend(nothing.iter().map(|why| format!("no diff: {why}")));
        if let Some(change) = &change {
            notes.extend(change.diff.notes.iter().take(MOST_LINES).cloned());
            notes.extend(torn(change));
        }

        // What is missing from a diff was not seen, wherever it was lost.
        let torn = change.as_ref().and_then(torn);
        let cut = torn.is_some();
        let (prompt, prompt_left) = asked.as_deref().map_or((None, 0), |asked| {
            let (text, left) = shortened(asked);
            (Some(names.hide(&without_authors(&without_secrets(&text)))), left)
        });
        let seen = |coverage: WorkCoverage| WorkCoverage {
            prompt: prompt.is_some(),
            tests: tests.is_some(),
            lint: lint.is_some(),
            ..coverage
        };
        let searched = change.as_ref().map(|change| seen(kept(&change.diff, cut)));
        let coverage = seen(covered(&shown, cut));
        let mut omitted: Vec<String> = shown.omitted.iter().map(omission).collect();
        if prompt_left > 0 {
            omitted.push(format!("what was asked: {prompt_left} bytes in the middle"));
        }
        omitted.extend(notes.iter().cloned());
        let hidden = |lines: Vec<String>| bounded(lines.iter().map(|line| names.hide(line)).collect());
        let run = metadata(&record, &names);
        let context = template.case(CaseMaterial {
            bead: ALIAS,
            run: &run,
            prompt: prompt.as_deref(),
            diff: &shown.parts.iter().map(|part| names.hide(&part.text)).collect::<Vec<_>>(),
            omitted: &hidden(omitted),
            tests: tests.as_deref().map(|text| names.hide(text)).as_deref(),
            lint: lint.as_deref().map(|text| names.hide(text)).as_deref(),
            facts: &hidden(facts.iter().map(fact).collect()),
            history: &hidden(history(sources, settings, &record, &mut notes)),
        })?;
        Ok(Self {
            system: template.rules()?,
            prompt_hash: template.hash(),
            rubric_version: RUBRIC_VERSION,
            context_hash: Digest::of(context.as_bytes()).to_string(),
            context,
            facts,
            coverage,
            searched,
            files: shown.parts.iter().map(|part| (names.hide(&part.path), part.path.clone())).collect(),
            omitted: shown.omitted,
            notes,
            nothing,
            torn,
            tests: test_reading,
            unjudged,
            raw: sources.record.clone(),
            record,
            template,
        })
    }

    /// Who judges this case, for the record.
    pub fn stamp(&self, model: &str) -> JudgeStamp {
        JudgeStamp {
            model: model.to_owned(),
            prompt: self.prompt_hash.clone(),
            context: self.context_hash.clone(),
            rubric: self.rubric_version.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// All of it in one text, for agents that take no rules apart.
    pub fn prompt(&self) -> String {
        format!("{}\n\n{}", self.system, self.context)
    }

    /// What is to be judged once more, with what is wrong with the answer: the one attempt to repair it. The rules stand
    /// apart, as they do the first time.
    pub fn repair(&self, answer: &str, problems: &[String]) -> Result<String, PromptError> {
        self.template.repair(&self.context, answer, problems)
    }

    /// Reads what a judge said. It knows the run by another name; its own is taken as well.
    pub fn read(&self, text: &str) -> Result<JudgeAnswer, InvalidAnswer> {
        let own = JudgeAnswer::read(text, &self.record.bead);
        match ALIAS.parse::<Bead>() {
            Ok(alias) => JudgeAnswer::read(text, &alias).or_else(|wrong| own.map_err(|_| wrong)),
            Err(_) => own,
        }
    }

    /// What was measured, as issues of a judgement.
    pub fn issues(&self) -> Vec<JudgeIssue> {
        offline::issues(&self.facts)
    }

    /// The answer of a judge with what was measured beside it, and no surer than what was shown allows. A fact that the
    /// judge names itself is there once, with the graver severity. An issue at a place that was not shown is warned about.
    #[must_use]
    pub fn completed(&self, mut answer: JudgeAnswer) -> JudgeAnswer {
        for (index, issue) in answer.issues.iter_mut().enumerate() {
            let Some(file) = issue.evidence.as_mut().and_then(|evidence| evidence.file.as_mut()) else {
                continue;
            };
            if let Some((_, real)) = self.files.iter().find(|(shown, _)| shown == file) {
                file.clone_from(real);
            } else {
                let file: String = file.chars().take(100).collect();
                answer.warnings.push(format!("issue {} points at {file:?}, which was not shown", index + 1));
            }
        }
        let place = |issue: &JudgeIssue| {
            let evidence = issue.evidence.as_ref()?;
            Some((evidence.file.clone()?, evidence.line?))
        };
        for measured in self.issues() {
            let at = place(&measured);
            if let Some(own) = answer.issues.iter_mut().find(|own| at.is_some() && place(own) == at) {
                own.severity = own.severity.max(measured.severity);
            } else if answer.issues.len() < MOST_ISSUES {
                answer.issues.push(measured);
            }
        }
        answer.confidence = answer.confidence.min(self.coverage.confidence());
        answer
    }

    /// Why nobody can judge this in this way; none when it can be judged.
    pub fn nothing_for(&self, mode: JudgeMode) -> Option<String> {
        let unshown = match mode {
            JudgeMode::Heuristic => false,
            JudgeMode::Command | JudgeMode::Model => self.coverage.lines == 0,
        };
        self.nothing.clone().or_else(|| unshown.then(|| UNSHOWN.to_owned()))
    }

    /// What was measured, with what bounds a mark because too little was seen in this way of judging.
    pub fn bounds(&self, mode: JudgeMode) -> Vec<JudgeIssue> {
        let seen = match mode {
            JudgeMode::Heuristic => self.searched.unwrap_or_default(),
            JudgeMode::Command | JudgeMode::Model => self.coverage,
        };
        // There is room for so many issues, and these come first.
        let mut issues: Vec<JudgeIssue> =
            offline::unseen(&seen).into_iter().chain(offline::failing(&self.tests)).collect();
        issues.extend(self.issues());
        issues.truncate(MOST_ISSUES);
        issues
    }

    /// The judgement without a model; an error says why there is none.
    pub fn offline(&self) -> Result<JudgeAnswer, String> {
        let grounds = OfflineGrounds {
            prompt: self.coverage.prompt,
            tests: self.tests.clone(),
            unjudged: self.unjudged.clone(),
        };
        self.there()?;
        offline::judge(&self.record, &self.facts, self.searched.as_ref(), &grounds)
    }

    /// What is measured without a model, whatever else is missing. Marks for those who compute no verdict from them.
    pub fn measured(&self) -> Result<JudgeAnswer, String> {
        self.there()?;
        offline::measured(&self.record, &self.facts, self.searched.as_ref(), &self.tests)
    }

    /// Whether there is a diff, and all of it.
    fn there(&self) -> Result<(), String> {
        self.nothing.clone().or_else(|| self.torn.clone()).map_or(Ok(()), Err)
    }
}

/// What was asked: what a person names, what the record says, what the record names.
fn asked(
    sources: &Sources,
    record: &RunRecord,
    notes: &mut Vec<String>,
) -> Result<Option<String>, CaseError> {
    if let Some(place) = &sources.prompt {
        let (text, _) = file::prompt(place, true).map_err(|why| unreadable(place, &why))?;
        if asks(&text) {
            return Ok(Some(text));
        }
        // Whoever names a prompt means this one: what the record says does not take its place.
        notes.push("no prompt: the one that was given has no words".to_owned());
        return Ok(None);
    }
    if let Some(text) = record.prompt.as_ref().filter(|text| asks(text)) {
        return Ok(Some(text.clone()));
    }
    let Some(named) = &record.prompt_file else {
        notes.push("no prompt: the record neither has nor names one".to_owned());
        return Ok(None);
    };
    match file::inside(&sources.root, named).and_then(|place| file::prompt(&place, false)) {
        Ok((text, _)) if asks(&text) => Ok(Some(text)),
        Ok(_) => {
            notes.push(format!("no prompt: {:?} has no words", brief(named)));
            Ok(None)
        }
        Err(why) => {
            notes.push(format!("no prompt: {:?} is not read: {why}", brief(named)));
            Ok(None)
        }
    }
}

/// A name of somebody's in a message.
pub(super) fn brief(text: &str) -> String {
    text.chars().take(120).collect()
}

pub(super) fn unreadable(path: &Path, why: &str) -> CaseError {
    CaseError::Unreadable(format!("cannot read {}: {why}", path.display()))
}

/// Where the repository is, and the folder that it must not lead out of.
pub(super) type LogPath = (PathBuf, Option<PathBuf>);

/// The place of the judged repository, or why there is none.
pub(super) fn place(sources: &Sources, record: &RunRecord) -> Result<Result<LogPath, String>, CaseError> {
    Ok(match (&sources.repo, &record.repo_path) {
        (Some(repo), _) if !repo.is_dir() => {
            return Err(CaseError::Unreadable(format!("{} is not a folder", repo.display())));
        }
        (Some(repo), _) => Ok((repo.clone(), None)),
        (None, Some(named)) => match file::inside(&sources.root, named) {
            Ok(place) if place.is_dir() => Ok((place, sources.root.canonicalize().ok())),
            Ok(_) => Err(format!("repo_path {:?} is not a folder", brief(named))),
            Err(why) => Err(format!("repo_path {:?} is not used: {why}", brief(named))),
        },
        (None, None) => Err("the record names no repository (repo_path)".to_owned()),
    })
}

/// The change, or why there is none; an error only for what a person named.
async fn change(
    sources: &Sources,
    record: &RunRecord,
    interrupt: &CancellationToken,
) -> Result<Result<Change, String>, CaseError> {
    if let Some(place) = &sources.diff {
        return change_in(place).map(Ok).map_err(|why| unreadable(place, &why));
    }
    for (what, given) in [("base", &sources.base), ("head", &sources.head)] {
        if let Some(bad) = given.as_ref().filter(|given| !is_ref(given)) {
            return Err(CaseError::Unreadable(format!(
                "{bad:?} cannot be the {what}: name a branch or a commit"
            )));
        }
    }
    let (dir, ceiling) = match place(sources, record)? {
        Ok(place) => place,
        Err(why) => return Ok(Err(why)),
    };
    let head = sources.head.as_ref().or(record.head_ref.as_ref()).or(record.branch.as_ref());
    let Some(head) = head else {
        return Ok(Err("the record names neither head_ref nor branch".to_owned()));
    };
    let base = sources.base.as_deref().or(record.base_ref.as_deref());
    let repository =
        Repository { dir: &dir, ceiling: ceiling.as_deref(), scratch: &sources.scratch, interrupt };
    let change = repository.change(base, head).await;
    if interrupt.is_cancelled() {
        return Err(CaseError::Interrupted);
    }
    Ok(change)
}

/// Why a change is not whole, if it is not.
fn torn(change: &Change) -> Option<String> {
    if change.cut {
        let most = super::git::MOST_DIFF_BYTES >> 20;
        return Some(format!(
            "the diff is not whole: it is larger than {most} MiB, and what follows is not read"
        ));
    }
    change.diff.torn.first().map(|place| format!("the diff is not whole: {place}"))
}

/// The change within its budget of tokens and of lines.
fn fitted(diff: &Diff, settings: &JudgeSettings) -> Packed {
    let mut tokens = settings.diff_tokens;
    loop {
        let packed = pack(diff, tokens);
        let lines: usize = packed.parts.iter().map(|part| part.text.lines().count()).sum();
        if lines <= settings.max_diff_lines || tokens == 0 {
            return packed;
        }
        tokens = (tokens.saturating_mul(settings.max_diff_lines) / lines).min(tokens * 9 / 10);
    }
}

/// How much of what somebody wrote by hand is shown.
fn covered(packed: &Packed, cut: bool) -> WorkCoverage {
    // The last line of a part that is not whole says what is missing.
    let lines =
        packed.parts.iter().map(|part| part.text.lines().count() - usize::from(!part.whole)).sum::<usize>();
    WorkCoverage::of(
        lines as u64,
        packed.omitted.iter().filter(|own| is_by_hand(own)).map(|own| own.lines).sum(),
        cut,
    )
}

/// How much of the diff was kept, and with that, searched.
fn kept(diff: &Diff, cut: bool) -> WorkCoverage {
    let lines = diff.files.iter().flat_map(|file| &file.hunks).map(|hunk| hunk.lines.len()).sum::<usize>();
    WorkCoverage::of(lines as u64, diff.omitted.iter().map(|own| own.lines).sum(), cut)
}

/// Whether what is left out was left out for want of room, and not because nobody wrote it.
fn is_by_hand(omission: &Omission) -> bool {
    !matches!(omission.why.as_str(), "binary" | "a lock file" | "vendored" | "generated")
}

fn omission(omission: &Omission) -> String {
    format!(
        "{}: {}, {}",
        omission.path,
        jury_core::line::counted(omission.lines, "line", "lines"),
        omission.why
    )
}

fn fact(fact: &DiffEvidence) -> String {
    let severity = jury_core::severity::TWO.word(fact.severity);
    let line = if fact.line == 0 { String::new() } else { format!(":{}", fact.line) };
    let quote = if fact.quote.is_empty() { String::new() } else { format!(" `{}`", fact.quote) };
    format!("{severity} {} {}{line}: {}{quote}", fact.detector.as_str(), fact.path, fact.text)
}

/// What is known about the run, without who did it.
fn metadata(record: &RunRecord, names: &Names) -> Vec<(&'static str, String)> {
    let exit = record.exit_code.map_or_else(|| "unknown".to_owned(), |code| code.to_string());
    let checks = &record.verification;
    let mut lines = vec![
        ("outcome by its checks", RunOutcome::of(record).to_string()),
        ("status", record.status.to_string()),
        ("exit code", exit),
        ("attempt", record.attempt.to_string()),
        ("seconds", record.duration_seconds.to_string()),
        ("tests", checks.tests.to_string()),
        ("lint", checks.lint.to_string()),
        ("bug scanner", checks.ubs.to_string()),
        ("checker of claims", checks.truthsayer.to_string()),
        ("prompt template", names.hide(&record.template)),
    ];
    if !record.failure_reason.is_empty() {
        lines.push(("reason of the failure", names.hide(&without_secrets(&record.failure_reason))));
    }
    lines
}

/// What was found in the last runs of the same template, without their names.
fn history(
    sources: &Sources,
    settings: &JudgeSettings,
    record: &RunRecord,
    notes: &mut Vec<String>,
) -> Vec<String> {
    let Some(folder) = sources.judgements.as_deref().filter(|_| settings.history) else { return Vec::new() };
    match judgement::of_template(folder, &record.template, EARLIER + 1) {
        Ok(found) => {
            notes.extend(found.warnings);
            let others = found.value.into_iter().filter(|past| past.bead != record.bead).take(EARLIER);
            others
                .map(|past| {
                    let issues = if past.issues.is_empty() {
                        "nothing found".to_owned()
                    } else {
                        past.issues.join("; ")
                    };
                    format!("{}: {}", past.verdict, without_authors(&without_secrets(&issues)))
                })
                .collect()
        }
        Err(error) => {
            notes.push(format!("what was found earlier is not shown: {error}"));
            Vec::new()
        }
    }
}

/// No more lines than anybody reads.
fn bounded(mut lines: Vec<String>) -> Vec<String> {
    let more = lines.len().saturating_sub(MOST_LINES);
    if more > 0 {
        lines.truncate(MOST_LINES);
        lines.push(format!("and {more} more"));
    }
    lines
}
