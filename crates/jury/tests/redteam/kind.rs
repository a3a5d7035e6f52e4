//! The files of `redteam/`: kinds of attackers as data, and the cases that they expand to.
//!
//! A file has one kind. Its attacks and controls are [`Case`]s; `[given]` is what all of them have in common, `[hold]`
//! what must hold for its attacks. [`expand`] makes every case that is run: one for each value of `each`, and for each
//! of those one for every way in `vary` to write the same.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use jury_testkit::model::ScriptedAnswer;
use serde::Deserialize;

use super::vary;

/// A kind of attackers, as its file has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KindFile {
    /// Its name: unique, in lower case with hyphens.
    pub(crate) kind: String,
    /// Which gate it attacks.
    pub(crate) workflow: String,
    /// What the attacker can write: a transcript, a page, a diff, settings and so on.
    pub(crate) surface: String,
    /// What the attackers of this kind do.
    pub(crate) about: String,
    /// What must not happen, in words.
    pub(crate) never: String,
    #[serde(default)]
    given: Case,
    #[serde(default)]
    hold: Hold,
    attack: Vec<Case>,
    control: Vec<Case>,
}

/// One attacker or one honest neighbour.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Case {
    pub(crate) name: String,
    /// Of `[given]`: the file in `redteam/base` that it begins with.
    like: Option<String>,
    /// Files by their names. `@name` is the file of that name in `redteam/base`.
    pub(crate) files: BTreeMap<String, String>,
    /// Edits of those files.
    edit: Vec<Edit>,
    /// The arguments of jury.
    pub(crate) command: Vec<String>,
    /// More arguments behind them.
    more: Vec<String>,
    /// Commands that come before it. How they end does not matter.
    pub(crate) before: Vec<Vec<String>>,
    /// Commands that come after it when it is green. What they print counts as said.
    pub(crate) after: Vec<Vec<String>>,
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) stdout: Stdout,
    /// Values for `{{name}}` in everything above, one case each. Lists of one length go together.
    each: BTreeMap<String, Vec<String>>,
    /// Ways to write the same, and the file that is written in these ways.
    vary: Vec<String>,
    vary_file: Option<String>,
    /// What a model says that listens on the loopback; `%MODEL%` in a file is its address.
    pub(crate) model: Vec<ScriptedAnswer>,
    /// A request to a daemon in place of the command.
    pub(crate) request: Option<Request>,
    hold: Hold,
}

/// A change of a file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Edit {
    file: String,
    from: String,
    to: String,
}

/// Where the results of the command go.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stdout {
    #[default]
    Kept,
    /// A device that is full.
    Full,
    /// Nowhere: it is closed.
    Closed,
    /// A pipe whose reader went away.
    Gone,
}

/// A request to a daemon.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    #[serde(default = "post")]
    pub(crate) method: String,
    pub(crate) path: String,
    #[serde(default)]
    pub(crate) headers: BTreeMap<String, String>,
    /// The body. `%JSON:name%` is a file as a JSON string.
    #[serde(default)]
    pub(crate) body: String,
    /// The token of the daemon, if it has one; requests do not carry it unless a header says so.
    #[serde(default)]
    pub(crate) token: Option<String>,
}

fn post() -> String {
    "POST".to_owned()
}

/// What must hold. What is not said is not asked.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Hold {
    /// The exit codes that are right.
    pub(crate) exit: Option<Vec<i32>>,
    /// Of a request: the statuses that are right.
    pub(crate) status: Option<Vec<u16>>,
    /// Of a request: how its run may end.
    pub(crate) outcome: Option<Vec<String>>,
    /// What is said on either stream, or in the answer of a request.
    pub(crate) says: Option<Vec<String>>,
    pub(crate) never_says: Option<Vec<String>>,
    /// Of files that are there afterwards.
    pub(crate) files: Option<Vec<HoldFile>>,
}

impl Hold {
    /// This, and where it says nothing the other.
    fn or(&self, other: &Self) -> Self {
        let (own, other) = (self.clone(), other.clone());
        Self {
            exit: own.exit.or(other.exit),
            status: own.status.or(other.status),
            outcome: own.outcome.or(other.outcome),
            says: own.says.or(other.says),
            never_says: own.never_says.or(other.never_says),
            files: own.files.or(other.files),
        }
    }
}

/// What must hold for a file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HoldFile {
    pub(crate) path: String,
    #[serde(default)]
    pub(crate) has: Vec<String>,
    #[serde(default)]
    pub(crate) never: Vec<String>,
    /// The file that it must equal, up to white space at its ends.
    #[serde(default)]
    pub(crate) same_as: Option<String>,
    /// Only when the command exits 0.
    #[serde(default)]
    pub(crate) when_green: bool,
    /// It must be there.
    #[serde(default)]
    pub(crate) there: bool,
}

/// A case that can be run.
#[derive(Debug, Clone)]
pub(crate) struct Attempt {
    /// The name with what was chosen and how it is written.
    pub(crate) name: String,
    /// Whether it must be green.
    pub(crate) honest: bool,
    pub(crate) case: Case,
    pub(crate) hold: Hold,
}

/// The folder of the files.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../redteam")
}

/// Every kind, by workflow and name.
pub(crate) fn load() -> Vec<KindFile> {
    let mut files = Vec::new();
    collect(&folder(), &mut files);
    files.sort();
    let mut kinds: Vec<KindFile> = files.iter().map(|path| read(path)).collect();
    kinds.sort_by(|a, b| (&a.workflow, &a.kind).cmp(&(&b.workflow, &b.kind)));
    for pair in kinds.windows(2) {
        assert_ne!(pair[0].kind, pair[1].kind, "two kinds have one name");
    }
    kinds
}

fn read(path: &Path) -> KindFile {
    let text = std::fs::read_to_string(path).unwrap();
    let mut kind: KindFile =
        toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    if let Some(name) = kind.given.like.take() {
        let text = std::fs::read_to_string(folder().join("base").join(format!("{name}.toml"))).unwrap();
        let like: Case = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        kind.given = merge(&like, &kind.given);
    }
    assert_eq!(
        path.file_stem().unwrap().to_str(),
        Some(kind.kind.as_str()),
        "a file is named after its kind"
    );
    assert!(!kind.attack.is_empty() && !kind.control.is_empty(), "{}: it needs both", path.display());
    kind
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("base") {
            collect(&path, files);
        } else if path.extension().is_some_and(|end| end == "toml") {
            files.push(path);
        }
    }
}

/// Everything that is run of a kind: attacks first.
pub(crate) fn expand(kind: &KindFile) -> Vec<Attempt> {
    let attacks = kind.attack.iter().map(|case| (case, false));
    let controls = kind.control.iter().map(|case| (case, true));
    let mut attempts: Vec<Attempt> = Vec::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (case, honest) in attacks.chain(controls) {
        let default = Hold { exit: Some(if honest { vec![0] } else { vec![1, 3] }), ..Hold::default() };
        for (value, case) in each(&merge(&kind.given, case)) {
            let hold = if honest { case.hold.or(&default) } else { case.hold.or(&kind.hold).or(&default) };
            let file = case.vary_file.clone();
            let ways = case.vary.iter().map(|way| Some(way.as_str()));
            for way in std::iter::once(None).chain(ways) {
                let mut case = case.clone();
                prepare(&mut case);
                if let Some(way) = way {
                    vary::apply(way, &mut case.files, file.as_deref().unwrap_or("answer.txt"));
                }
                assemble(&mut case);
                let parts = [Some(case.name.as_str()), value.as_deref(), way].into_iter().flatten();
                let mut name = format!("{}: {}", kind.kind, parts.collect::<Vec<_>>().join(", "));
                let count = seen.entry(name.clone()).or_default();
                *count += 1;
                if *count > 1 {
                    let _ = write!(name, " ({count})");
                }
                attempts.push(Attempt { name, honest, case, hold: hold.clone() });
            }
        }
    }
    attempts
}

fn merge(given: &Case, case: &Case) -> Case {
    let mut merged = case.clone();
    for (name, text) in &given.files {
        merged.files.entry(name.clone()).or_insert_with(|| text.clone());
    }
    for (name, value) in &given.env {
        merged.env.entry(name.clone()).or_insert_with(|| value.clone());
    }
    merged.edit = given.edit.iter().chain(&case.edit).cloned().collect();
    if merged.command.is_empty() {
        merged.command.clone_from(&given.command);
    }
    let more: Vec<String> = given.more.iter().chain(&merged.more).cloned().collect();
    merged.command.extend(more);
    merged.more.clear();
    if merged.before.is_empty() {
        merged.before.clone_from(&given.before);
    }
    if merged.after.is_empty() {
        merged.after.clone_from(&given.after);
    }
    if merged.vary.is_empty() {
        merged.vary.clone_from(&given.vary);
    }
    merged.vary_file = merged.vary_file.or_else(|| given.vary_file.clone());
    if merged.model.is_empty() {
        merged.model.clone_from(&given.model);
    }
    merged.request = merged.request.or_else(|| given.request.clone());
    if merged.stdout == Stdout::Kept {
        merged.stdout = given.stdout;
    }
    merged
}

/// One case for each value.
fn each(case: &Case) -> Vec<(Option<String>, Case)> {
    let count = case.each.values().map(Vec::len).max().unwrap_or(0);
    if count == 0 {
        return vec![(None, case.clone())];
    }
    assert!(case.each.values().all(|values| values.len() == count), "{}: lists of one length", case.name);
    (0..count)
        .map(|index| {
            let values: Vec<(String, &String)> =
                case.each.iter().map(|(name, values)| (format!("{{{{{name}}}}}"), &values[index])).collect();
            let fill =
                |text: &mut String| values.iter().for_each(|(mark, value)| *text = text.replace(mark, value));
            let mut filled = case.clone();
            fill(&mut filled.name);
            filled.files.values_mut().for_each(fill);
            filled.files = filled
                .files
                .into_iter()
                .map(|(mut name, text)| {
                    fill(&mut name);
                    (name, text)
                })
                .collect();
            filled.edit.iter_mut().for_each(|edit| {
                fill(&mut edit.file);
                fill(&mut edit.from);
                fill(&mut edit.to);
            });
            filled.command.iter_mut().for_each(fill);
            filled.before.iter_mut().flatten().for_each(fill);
            filled.env = filled
                .env
                .into_iter()
                .map(|(mut name, mut value)| {
                    fill(&mut name);
                    fill(&mut value);
                    (name, value)
                })
                .collect();
            if let Some(request) = &mut filled.request {
                fill(&mut request.method);
                fill(&mut request.path);
                fill(&mut request.body);
                request.headers.values_mut().for_each(fill);
            }
            for texts in [&mut filled.hold.says, &mut filled.hold.never_says].into_iter().flatten() {
                texts.iter_mut().for_each(fill);
            }
            for file in filled.hold.files.iter_mut().flatten() {
                file.has.iter_mut().chain(&mut file.never).for_each(fill);
            }
            for answer in &mut filled.model {
                answer.text.iter_mut().for_each(fill);
            }
            let chosen: Vec<String> = case.each.values().map(|values| short(&values[index])).collect();
            let named = case.name.contains("{{");
            (Some(chosen.join(" / ")).filter(|_| !named), filled)
        })
        .collect()
}

/// A value as a part of a name.
fn short(value: &str) -> String {
    const MOST_CHARACTERS: usize = 48;
    let shown: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() {
        return "nothing".to_owned();
    }
    let cut: String = line.chars().take(MOST_CHARACTERS).collect();
    if cut.len() < line.len() { format!("{cut}…") } else { cut }
}

/// Loads what is named and carries the edits out.
fn prepare(case: &mut Case) {
    for text in case.files.values_mut() {
        if let Some(name) = text.strip_prefix('@') {
            let path = folder().join("base").join(name);
            *text =
                std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
    }
    for edit in &case.edit {
        let text = case.files.get_mut(&edit.file);
        let text = text.unwrap_or_else(|| panic!("{}: there is no {} to edit", case.name, edit.file));
        assert!(text.contains(&edit.from), "{}: {} has no {:?}", case.name, edit.file, edit.from);
        *text = text.replace(&edit.from, &edit.to);
    }
}

/// Puts the pages into the answer of an agent: `%DRAFT%` is `draft.html`, or the page as it was handed in; `%SHIP%` is
/// `ship.html`, or the draft.
fn assemble(case: &mut Case) {
    let page = case.files.get("page.html").cloned().unwrap_or_default();
    let draft = case.files.get("draft.html").cloned().unwrap_or(page);
    let ship = case.files.get("ship.html").cloned().unwrap_or_else(|| draft.clone());
    for (name, text) in &mut case.files {
        if name.rsplit_once('.').is_none_or(|(_, end)| end != "html") {
            *text = text.replace("%DRAFT%", draft.trim_end()).replace("%SHIP%", ship.trim_end());
        }
    }
    case.files.entry("draft.html".to_owned()).or_insert(draft);
}
