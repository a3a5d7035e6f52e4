//! What is known: findings that were there when somebody decided to begin. New ones fail a page, known ones do not,
//! and because each is known by itself, a fix and a new defect never cancel out.

use jury_core::finding::{Finding, FindingId};
use jury_core::severity::Severity;
use jury_core::workflow::Workflow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use jury_house::{Report, ReportedFinding};
use serde::{Deserialize, Serialize};

use super::elements::Elements;
use super::selection::Selection;
use crate::command::atomic_write;
use crate::refusal::Refusal;
use crate::render::check::{findings, pages};
use crate::render::critic::counted;

/// The form of the file. The first one knew of a finding on how many elements it was, and not on which; it is still
/// read, and an update makes it one of this form.
const VERSION: u32 = 2;
const WITHOUT_ELEMENTS: u32 = 1;

/// The file, sorted, so that a change of it can be read in a diff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    /// Findings by page, by id.
    pages: BTreeMap<String, BTreeMap<String, Known>>,
    /// Findings of runs by workflow and work, such as `critic:plan.md`, by id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    works: BTreeMap<String, BTreeMap<String, Known>>,
}

/// A finding that is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Known {
    pub(crate) severity: Severity,
    /// What tells it from others of its check. For people.
    pub(crate) cause: String,
    /// On how many elements it was found; 1 when it concerns the page.
    pub(crate) places: usize,
    /// Which ones, by their marks. Empty when it concerns the page, or when nobody wrote it down.
    #[serde(default, skip_serializing_if = "Elements::is_empty")]
    elements: Elements,
}

impl Known {
    fn of(found: &ReportedFinding) -> Self {
        Self {
            severity: found.severity,
            cause: found.cause.clone(),
            places: found.places.len().max(1),
            elements: Elements::of(found),
        }
    }

    /// Findings of a run by id. Those that share one, because they differ in numbers only, are known together.
    fn of_findings(findings: &[Finding]) -> BTreeMap<FindingId, Self> {
        let mut all: BTreeMap<FindingId, (Severity, usize, Vec<String>)> = BTreeMap::new();
        for finding in findings {
            let entry = all.entry(finding.id.clone()).or_insert((finding.severity, 0, Vec::new()));
            entry.0 = entry.0.max(finding.severity);
            entry.1 += affected(finding);
            entry.2.push(match &finding.suggestion {
                Some(suggestion) if *suggestion != finding.text => format!("{} → {suggestion}", finding.text),
                Some(_) | None => finding.text.clone(),
            });
        }
        all.into_iter()
            .map(|(id, (severity, places, mut causes))| {
                causes.sort();
                (id, Self { severity, cause: causes.join("\n"), places, elements: Elements::default() })
            })
            .collect()
    }

    /// Whether findings of a run are worse than they are known to be, or say other numbers. An id outlasts a new measurement,
    /// so that "3 images" and "5 images" are one finding; only the first of them is known.
    fn differs_from(&self, now: &Self) -> bool {
        now.severity > self.severity
            || now.places > self.places
            || without_lines(&now.cause) != without_lines(&self.cause)
    }

    /// Whether a finding is worse than it is known to be: more severe, or on an element that nobody knew it to be on.
    fn has_grown(&self, now: &Self) -> bool {
        let elsewhere = if self.elements.is_empty() {
            now.places > self.places
        } else {
            !now.elements.are_among(&self.elements)
        };
        elsewhere || now.severity > self.severity
    }

    /// Whether it is known how many elements it is on, and not which.
    fn is_counted_only(&self, now: &Self) -> bool {
        self.elements.is_empty() && !now.elements.is_empty()
    }
}

/// How many places of a document a finding of a run is about.
fn affected(finding: &Finding) -> usize {
    let figure = finding.figures.iter().find(|figure| figure.name == "affected");
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count, and above 0")]
    figure.map_or(1, |figure| figure.value.max(1.0) as usize)
}

/// A text without the numbers of lines, which move with every edit above them.
fn without_lines(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    for piece in text.split_inclusive("line ") {
        let is_line = whole.ends_with("line ")
            && !whole.trim_end_matches("line ").ends_with(|c: char| c.is_alphanumeric() || c == '-');
        whole.push_str(if is_line { piece.trim_start_matches(|c: char| c.is_ascii_digit()) } else { piece });
    }
    whole
}

/// A page beside what was known of it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub(crate) struct Comparison {
    /// Findings that are not in the baseline.
    pub(crate) new: Vec<String>,
    /// Known, but now on an element that was not known, or worse.
    pub(crate) grown: Vec<String>,
    /// Known and as they were, or better.
    pub(crate) known: Vec<String>,
    /// Findings of the baseline that are gone.
    pub(crate) fixed: Vec<String>,
}

impl Comparison {
    /// Takes everything for known.
    pub(super) fn accept(&mut self) {
        let (new, grown) = (std::mem::take(&mut self.new), std::mem::take(&mut self.grown));
        self.known.extend(new.into_iter().chain(grown));
        self.fixed.clear();
    }

    /// Of a page that was compared as it was and then repaired: what is left of it. What the repair brought in is new.
    pub(super) fn leave(&mut self, left: &Report) {
        let compared: BTreeSet<&String> =
            [&self.new, &self.grown, &self.known].into_iter().flatten().collect();
        let ids = left.findings.iter().map(|found| &found.id);
        let brought: Vec<String> = ids.clone().filter(|id| !compared.contains(id)).cloned().collect();
        let left: BTreeSet<&String> = ids.collect();
        for list in [&mut self.new, &mut self.grown, &mut self.known] {
            list.retain(|id| left.contains(id));
        }
        self.new.extend(brought);
    }

    /// Whether a finding is new or has grown.
    pub(crate) fn is_worse(&self, id: &str) -> bool {
        self.new.iter().chain(&self.grown).any(|worse| worse == id)
    }
}

/// A baseline and the file that it is in.
#[derive(Debug, Clone)]
pub(crate) struct Baseline {
    path: PathBuf,
    /// The folder of the file. Pages are named from there, wherever the program is started.
    folder: PathBuf,
    file: File,
    /// What the file should be after this run.
    next: File,
    /// Whether something was compared by the number of its elements alone.
    counted_only: bool,
}

impl Baseline {
    /// Reads it. It need not be there when it is about to be made.
    pub(crate) fn read(path: &Path, may_be_absent: bool) -> Result<Self, Refusal> {
        let shown = path.display();
        let text = match std::fs::read_to_string(path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && may_be_absent => None,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Refusal::usage(format!(
                    "no such baseline: {shown}; make it with --update-baseline"
                )));
            }
            Err(error) => return Err(Refusal::usage(format!("cannot read the baseline {shown}: {error}"))),
        };
        let file = match text {
            None => File { version: VERSION, pages: BTreeMap::new(), works: BTreeMap::new() },
            Some(text) => serde_json::from_str::<File>(&text).map_err(|error| {
                Refusal::usage(format!(
                    "{shown} is not a baseline: {error}; mend it, or remove it and make it with --update-baseline"
                ))
            })?,
        };
        if !(WITHOUT_ELEMENTS..=VERSION).contains(&file.version) {
            return Err(Refusal::usage(format!(
                "{shown} has version {}, and this program reads versions {WITHOUT_ELEMENTS} to {VERSION}; remove it and make it \
                 with --update-baseline",
                file.version
            )));
        }
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = parent
            .canonicalize()
            .map_err(|error| Refusal::usage(format!("the folder of the baseline {shown}: {error}")))?;
        let next = File { version: VERSION, ..file.clone() };
        Ok(Self { path: path.to_owned(), folder, file, next, counted_only: false })
    }

    /// What a page is called in the file.
    fn name(&self, page: &Path) -> String {
        if crate::document::is_stdin(page) {
            return page.display().to_string();
        }
        let absolute = page.canonicalize().unwrap_or_else(|_| page.to_owned());
        relative(&absolute, &self.folder)
    }

    /// Compares a page with what is known of it, as far as the checks go that were asked for.
    pub(crate) fn compare(&mut self, page: &Path, report: &Report, selection: &Selection) -> Comparison {
        let name = self.name(page);
        let empty = BTreeMap::new();
        let known = self.file.pages.get(&name).unwrap_or(&empty);
        let mut comparison = Comparison::default();
        for found in &report.findings {
            let now = Known::of(found);
            let before = known.get(&found.id);
            self.counted_only |= before.is_some_and(|before| before.is_counted_only(&now));
            let list = match before {
                None => &mut comparison.new,
                Some(before) if before.has_grown(&now) => &mut comparison.grown,
                Some(_) => &mut comparison.known,
            };
            list.push(found.id.clone());
        }
        let still: BTreeSet<&str> = report.findings.iter().map(|found| found.id.as_str()).collect();
        let asked = |id: &str| selection.has(check_of(id));
        comparison.fixed =
            known.keys().filter(|id| asked(id) && !still.contains(id.as_str())).cloned().collect();
        // What was not asked for stays as it was.
        let mut next: BTreeMap<String, Known> = known
            .iter()
            .filter(|(id, _)| !asked(id))
            .map(|(id, known)| (id.clone(), known.clone()))
            .collect();
        next.extend(report.findings.iter().map(|found| (found.id.clone(), Known::of(found))));
        if next.is_empty() {
            self.next.pages.remove(&name);
        } else {
            self.next.pages.insert(name, next);
        }
        comparison
    }

    /// What a work is called in the file: its path from there, or its title where it is no file. None for what has no name
    /// that could be found again, such as stdin.
    pub(crate) fn work(&self, workflow: Workflow, file: Option<&str>, title: &str) -> Option<String> {
        let name = match file {
            Some(file) if Path::new(file).is_file() => self.name(Path::new(file)),
            Some(_) => return None,
            None => title.to_owned(),
        };
        // A name that is not UTF-8 is shown like others that are not.
        (!name.contains(char::REPLACEMENT_CHARACTER)).then(|| format!("{workflow}:{name}"))
    }

    /// The findings of a work that are known and no worse.
    pub(crate) fn known(&self, work: &str, raised: &[Finding]) -> BTreeSet<FindingId> {
        let Some(known) = self.file.works.get(work) else { return BTreeSet::new() };
        let is_known = |(id, now): &(FindingId, Known)| {
            known.get(id.as_str()).is_some_and(|before| !before.differs_from(now))
        };
        Known::of_findings(raised).into_iter().filter(is_known).map(|(id, _)| id).collect()
    }

    /// Writes down what was raised against a work. Others may write meanwhile: the file is read again, and nobody else
    /// writes until it is written.
    pub(crate) fn accept(&self, work: &str, raised: &[Finding]) -> Result<String, Refusal> {
        let shown = self.path.display();
        let failed = |error: std::io::Error| Refusal::undelivered(format!("cannot write {shown}: {error}"));
        let folder = std::fs::File::open(&self.folder).map_err(failed)?;
        folder.lock().map_err(failed)?;
        let mut file = Self::read(&self.path, true)?.file;
        let next = Known::of_findings(raised);
        let findings = counted(next.len(), "finding", "findings");
        if next.is_empty() {
            file.works.remove(work);
        } else {
            let named = next.into_iter().map(|(id, known)| (id.to_string(), known));
            file.works.insert(work.to_owned(), named.collect());
        }
        let mut text = serde_json::to_string_pretty(&File { version: VERSION, ..file })
            .map_err(|error| Refusal::undelivered(format!("cannot write {shown}: {error}")))?;
        text.push('\n');
        atomic_write::write(&self.path, text.as_bytes()).map_err(failed)?;
        Ok(format!("{shown} now has {findings} of {work}"))
    }

    /// What a file of the first form cannot tell.
    pub(crate) fn remark(&self) -> Option<String> {
        let shown = self.path.display();
        self.counted_only.then(|| {
            format!(
                "{shown} says on how many elements a finding was, and not on which: run --update-baseline, so that a fix on one \
                 cannot hide a defect on another"
            )
        })
    }

    /// Entries that nothing can come back to: their page or their check is gone.
    pub(crate) fn stale(&self) -> Vec<String> {
        let checks: BTreeSet<&str> = jury_house::checks().map(|check| check.rule.id).collect();
        let mut stale = Vec::new();
        for (page, known) in &self.file.pages {
            if !self.exists(page) {
                stale.push(format!("{page}: the page is gone"));
                continue;
            }
            let unknown = known.keys().filter(|id| !checks.contains(check_of(id)));
            stale.extend(unknown.map(|id| format!("{page}: {id}: there is no such check")));
        }
        stale
    }

    fn exists(&self, page: &str) -> bool {
        page == "-" || self.folder.join(page).is_file()
    }

    /// Writes what is known now. Pages that were not looked at stay as they were, unless they are gone.
    pub(crate) fn update(mut self) -> Result<String, Refusal> {
        let checks: BTreeSet<&str> = jury_house::checks().map(|check| check.rule.id).collect();
        let gone: Vec<String> = self.next.pages.keys().filter(|page| !self.exists(page)).cloned().collect();
        for page in gone {
            self.next.pages.remove(&page);
        }
        for known in self.next.pages.values_mut() {
            known.retain(|id, _| checks.contains(check_of(id)));
        }
        self.next.pages.retain(|_, known| !known.is_empty());
        let shown = self.path.display();
        let failed = |error: std::io::Error| Refusal::undelivered(format!("cannot write {shown}: {error}"));
        let folder = std::fs::File::open(&self.folder).map_err(failed)?;
        folder.lock().map_err(failed)?;
        // Runs may have written theirs meanwhile.
        self.next.works = Self::read(&self.path, true)?.file.works;
        let count = |of: &BTreeMap<String, BTreeMap<String, Known>>| of.values().map(BTreeMap::len).sum();
        let mut content =
            format!("{} on {}", findings(count(&self.next.pages)), pages(self.next.pages.len()));
        if !self.next.works.is_empty() {
            let runs = counted(self.next.works.len(), "reviewed work", "reviewed works");
            content = format!("{content}, {} on {runs}", findings(count(&self.next.works)));
        }
        if self.next == self.file && self.path.is_file() {
            return Ok(format!("{shown} is as it was: {content}"));
        }
        let mut text = serde_json::to_string_pretty(&self.next)
            .map_err(|error| Refusal::undelivered(format!("cannot write {shown}: {error}")))?;
        text.push('\n');
        atomic_write::write(&self.path, text.as_bytes())
            .map_err(|error| Refusal::undelivered(format!("cannot write {shown}: {error}")))?;
        Ok(format!("{shown} now has {content}"))
    }
}

/// The check of a finding's id.
pub(crate) fn check_of(id: &str) -> &str {
    id.split('#').next().unwrap_or(id)
}

/// The way from a folder to a file, with slashes.
fn relative(path: &Path, folder: &Path) -> String {
    let (mut to, mut from) = (path.components().peekable(), folder.components().peekable());
    while let (Some(one), Some(other)) = (to.peek(), from.peek()) {
        if one != other {
            break;
        }
        to.next();
        from.next();
    }
    let up = from.filter(|step| matches!(step, Component::Normal(_))).map(|_| "..".to_owned());
    let down = to.map(|step| step.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_named_from_the_folder_of_the_file() {
        assert_eq!(relative(Path::new("/a/site/x.html"), Path::new("/a")), "site/x.html");
        assert_eq!(relative(Path::new("/a/x.html"), Path::new("/a/ci")), "../x.html");
    }
}
