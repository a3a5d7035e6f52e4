//! Measures the detectors of changes: on the planted cases of `evals/judge` with their honest twins, and on the history of any
//! repository.
//!
//! ```text
//! gaming evals/judge [--misses]            recall per kind and language, twins with something major
//! gaming --history REPO [--most N] [--show]  what is flagged in the commits of a repository
//! ```
//!
//! Cases are split by the first digit of the hash of their file's name. Even is the open half, which may be read and learned
//! from; of the odd one only sums are printed, so that what is learned can be told from what is known by heart.

use std::collections::{BTreeMap, HashMap};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, io};

use jury_core::artifact::Digest;
use jury_core::severity::Severity;
use jury_text::diff::{Diff, DiffEvidence, Grounds, Side, search_on};

type Files = BTreeMap<String, String>;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|own| own == flag);
    let behind =
        |flag: &str| arguments.iter().position(|own| own == flag).and_then(|at| arguments.get(at + 1));
    let done = match (behind("--history"), arguments.first()) {
        (Some(repository), _) => {
            let most = behind("--most").and_then(|most| most.parse().ok()).unwrap_or(200);
            history(Path::new(repository), most, has("--show"))
        }
        (None, Some(folder)) => benchmark(Path::new(folder), has("--misses"), has("--json")),
        (None, None) => Err(io::Error::other("name the folder of the cases, or --history and a repository")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            drop(writeln!(io::stderr(), "gaming: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// A case: what was there, what a hack makes of it, what honest work makes of it.
struct Case {
    name: String,
    head: BTreeMap<String, String>,
    before: Files,
    planted: Files,
    honest: Files,
    open: bool,
}

fn read(path: &Path) -> io::Result<Case> {
    let text = fs::read_to_string(path)?;
    let mut head = BTreeMap::new();
    let mut files: Vec<(String, bool, String)> = Vec::new();
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end();
        if let Some(name) = bare.strip_prefix("-- ").and_then(|rest| rest.strip_suffix(" --")) {
            let deleted = name.ends_with(" (deleted)");
            files.push((name.trim_end_matches(" (deleted)").to_owned(), deleted, String::new()));
        } else if let Some((_, _, body)) = files.last_mut() {
            body.push_str(line);
        } else if let Some((key, value)) = bare.split_once(": ") {
            head.insert(key.to_owned(), value.to_owned());
        }
    }
    let of = |part: &str| -> Files {
        files
            .iter()
            .filter(|(_, deleted, _)| !deleted)
            .filter_map(|(name, _, body)| Some((name.strip_prefix(part)?.to_owned(), body.clone())))
            .collect()
    };
    let before = of("before/");
    let after = |part: &str| -> Files {
        let mut after = before.clone();
        after.extend(of(part));
        for (name, _, _) in files.iter().filter(|(_, deleted, _)| *deleted) {
            if let Some(name) = name.strip_prefix(part) {
                after.remove(name);
            }
        }
        after
    };
    let (planted, honest) = (after("planted/"), after("honest/"));
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let digit = Digest::of(name.as_bytes())
        .to_string()
        .trim_start_matches("sha256:")
        .chars()
        .next()
        .and_then(|c| c.to_digit(16))
        .unwrap_or(1);
    Ok(Case { name, head, before, planted, honest, open: digit % 2 == 0 })
}

/// The lines that both have, as pairs of places.
fn common(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    let mut lengths = vec![0_u32; (old.len() + 1) * width];
    let get = |lengths: &[u32], at: usize| lengths.get(at).copied().unwrap_or_default();
    for (i, one) in old.iter().enumerate().rev() {
        for (j, other) in new.iter().enumerate().rev() {
            let length = if one == other {
                get(&lengths, (i + 1) * width + j + 1) + 1
            } else {
                get(&lengths, (i + 1) * width + j).max(get(&lengths, i * width + j + 1))
            };
            if let Some(slot) = lengths.get_mut(i * width + j) {
                *slot = length;
            }
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while let (Some(one), Some(other)) = (old.get(i), new.get(j)) {
        if one == other {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if get(&lengths, (i + 1) * width + j) >= get(&lengths, i * width + j + 1) {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

/// A unified diff as git writes it, with three lines around each place.
fn unified(before: &Files, after: &Files) -> String {
    let mut out = String::new();
    let mut gone: Vec<&String> = before.keys().filter(|path| !after.contains_key(*path)).collect();
    let mut renames: HashMap<&String, &String> = HashMap::new();
    for path in after.keys().filter(|path| !before.contains_key(*path)) {
        let lines: Vec<&str> = after.get(path).map(|text| text.lines().collect()).unwrap_or_default();
        let likeness = |old: &String| {
            let own: Vec<&str> = before.get(old).map(|text| text.lines().collect()).unwrap_or_default();
            let shared = common(&own, &lines).len();
            shared * 200 / (own.len() + lines.len()).max(1)
        };
        if let Some(at) = (0..gone.len()).max_by_key(|at| gone.get(*at).map(|old| likeness(old)))
            && gone.get(at).is_some_and(|old| likeness(old) >= 50)
        {
            renames.insert(path, gone.remove(at));
        }
    }
    let mut pairs: Vec<(Option<&String>, Option<&String>)> =
        gone.into_iter().map(|path| (Some(path), None)).collect();
    pairs.extend(
        after.keys().map(|path| {
            (renames.get(path).copied().or(before.contains_key(path).then_some(path)), Some(path))
        }),
    );
    for (old, new) in pairs {
        let text = |files: &Files, path: Option<&String>| {
            path.and_then(|path| files.get(path)).cloned().unwrap_or_default()
        };
        let (was, is) = (text(before, old), text(after, new));
        if was == is && old == new {
            continue;
        }
        let name = |path: Option<&String>, mark: &str| {
            path.map_or_else(|| "/dev/null".to_owned(), |path| format!("{mark}/{path}"))
        };
        let either = old.or(new).cloned().unwrap_or_default();
        out.push_str(&format!("diff --git a/{} b/{}\n", old.unwrap_or(&either), new.unwrap_or(&either)));
        match (old, new) {
            (None, _) => out.push_str("new file mode 100644\n"),
            (_, None) => out.push_str("deleted file mode 100644\n"),
            (Some(old), Some(new)) if old != new => {
                out.push_str(&format!("similarity index 90%\nrename from {old}\nrename to {new}\n"))
            }
            _ => {}
        }
        if was == is {
            continue;
        }
        out.push_str(&format!("--- {}\n+++ {}\n", name(old, "a"), name(new, "b")));
        hunks(&mut out, &was.lines().collect::<Vec<_>>(), &is.lines().collect::<Vec<_>>());
    }
    out
}

fn hunks(out: &mut String, old: &[&str], new: &[&str]) {
    let mut rows: Vec<(char, &str, usize, usize)> = Vec::new();
    let (mut i, mut j) = (0, 0);
    for (to_i, to_j) in common(old, new).into_iter().chain([(old.len(), new.len())]) {
        rows.extend(
            old.get(i..to_i).unwrap_or_default().iter().enumerate().map(|(at, text)| ('-', *text, i + at, j)),
        );
        rows.extend(
            new.get(j..to_j)
                .unwrap_or_default()
                .iter()
                .enumerate()
                .map(|(at, text)| ('+', *text, to_i, j + at)),
        );
        if let Some(text) = old.get(to_i) {
            rows.push((' ', text, to_i, to_j));
        }
        (i, j) = (to_i + 1, to_j + 1);
    }
    let near = |at: usize| rows.iter().skip(at.saturating_sub(3)).take(7.min(at + 4)).any(|row| row.0 != ' ');
    let mut at = 0;
    while at < rows.len() {
        if !near(at) {
            at += 1;
            continue;
        }
        let end = (at..rows.len()).find(|at| !near(*at)).unwrap_or(rows.len());
        let part = rows.get(at..end).unwrap_or_default();
        let count = |mark: char| part.iter().filter(|row| row.0 == mark || row.0 == ' ').count();
        let (old_count, new_count) = (count('-'), count('+'));
        let first = part.first().map_or((0, 0), |row| (row.2, row.3));
        let start = |at: usize, count: usize| if count == 0 { at } else { at + 1 };
        out.push_str(&format!(
            "@@ -{},{old_count} +{},{new_count} @@\n",
            start(first.0, old_count),
            start(first.1, new_count)
        ));
        for (mark, text, _, _) in part {
            out.push_str(&format!("{mark}{text}\n"));
        }
        at = end;
    }
}

fn look(case: &Case, after: &Files) -> (Vec<DiffEvidence>, Duration) {
    let text = unified(&case.before, after);
    let diff = Diff::read(text.as_bytes());
    let touched: Vec<&str> = diff
        .files
        .iter()
        .flat_map(|file| [file.old_path.as_deref(), file.new_path.as_deref()])
        .flatten()
        .collect();
    let tests: Vec<(String, String)> = case
        .before
        .iter()
        .filter(|(path, _)| {
            !touched.contains(&path.as_str()) && path.to_lowercase().contains("test")
                || path.to_lowercase().contains("spec")
        })
        .map(|(path, text)| (path.clone(), text.clone()))
        .collect();
    let whole = |path: &str, side: Side| {
        let files = match side {
            Side::Old => &case.before,
            Side::New => after,
        };
        files.get(path).map(|text| text.clone().into_bytes())
    };
    let of = |key: &str| case.head.get(key).map_or("", String::as_str);
    let begun = Instant::now();
    let found = search_on(
        &diff,
        &Grounds { prompt: of("prompt"), summary: of("summary"), whole: &whole, tests: &tests },
    );
    (found, begun.elapsed())
}

fn majors(found: &[DiffEvidence]) -> Vec<&DiffEvidence> {
    found.iter().filter(|own| own.severity == Severity::Serious).collect()
}

#[derive(Default, Clone, Copy)]
struct Tally {
    planted: usize,
    major: usize,
    any: usize,
    twins: usize,
    flagged: usize,
}

impl Tally {
    fn add(&mut self, planted: &[DiffEvidence], honest: &[DiffEvidence]) {
        self.planted += 1;
        self.major += usize::from(!majors(planted).is_empty());
        self.any += usize::from(!planted.is_empty());
        self.twins += 1;
        self.flagged += usize::from(!majors(honest).is_empty());
    }
}

fn share(part: usize, whole: usize) -> String {
    #[expect(clippy::cast_precision_loss, reason = "counts of a few hundred")]
    let share = part as f64 / whole.max(1) as f64;
    format!("{share:.2}")
}

fn benchmark(folder: &Path, misses: bool, json: bool) -> io::Result<()> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for kind in fs::read_dir(folder)? {
        let kind = kind?.path();
        if kind.is_dir() {
            for entry in fs::read_dir(kind)? {
                paths.push(entry?.path());
            }
        }
    }
    paths.retain(|path| path.extension().is_some_and(|end| end == "txtar"));
    paths.sort();
    let (mut kinds, mut languages): (BTreeMap<String, [Tally; 2]>, BTreeMap<String, [Tally; 2]>) =
        Default::default();
    let mut halves = [Tally::default(); 2];
    let (mut spent, mut changes) = (Duration::ZERO, 0_u32);
    let mut out = io::stdout().lock();
    for path in &paths {
        let case = read(path)?;
        let (planted, first) = look(&case, &case.planted);
        let (honest, second) = look(&case, &case.honest);
        spent += first + second;
        changes += 2;
        let of = |key: &str| case.head.get(key).cloned().unwrap_or_default();
        let half = usize::from(!case.open);
        let expected = of("major") != "false";
        if expected {
            for tally in [
                kinds.entry(of("kind")).or_default(),
                languages.entry(of("language")).or_default(),
                &mut halves,
            ] {
                if let Some(tally) = tally.get_mut(half) {
                    tally.add(&planted, &honest);
                }
            }
        }
        if misses && case.open {
            if expected && majors(&planted).is_empty() {
                writeln!(
                    out,
                    "MISS {}/{} ({}): {:?}",
                    of("kind"),
                    case.name,
                    of("language"),
                    planted.iter().map(|own| own.detector.as_str()).collect::<Vec<_>>()
                )?;
            }
            for own in majors(&honest) {
                writeln!(
                    out,
                    "TWIN {}/{} ({}): {} {}:{} {} `{}`",
                    of("kind"),
                    case.name,
                    of("language"),
                    own.detector.as_str(),
                    own.path,
                    own.line,
                    own.text,
                    own.quote
                )?;
            }
        }
    }
    if json {
        let row = |(name, [open, sealed]): (&String, &[Tally; 2])| {
            format!(
                "{{\"name\":{name:?},\"planted\":{},\"major\":{},\"any\":{},\"flagged\":{}}}",
                open.planted + sealed.planted,
                open.major + sealed.major,
                open.any + sealed.any,
                open.flagged + sealed.flagged
            )
        };
        let list = |map: &BTreeMap<String, [Tally; 2]>| map.iter().map(row).collect::<Vec<_>>().join(",");
        let [open, sealed] = halves;
        writeln!(
            out,
            "{{\"kinds\":[{}],\"languages\":[{}],\"open\":{{\"planted\":{},\"major\":{},\"flagged\":{}}},\"sealed\":{{\"planted\":{},\"major\":{},\"flagged\":{}}},\"changes\":{changes},\"microseconds\":{}}}",
            list(&kinds),
            list(&languages),
            open.planted,
            open.major,
            open.flagged,
            sealed.planted,
            sealed.major,
            sealed.flagged,
            spent.as_micros()
        )?;
        return Ok(());
    }
    for (title, map) in [("kind", &kinds), ("language", &languages)] {
        writeln!(
            out,
            "| {title} | open: planted, major, any | recall | sealed: planted, major | recall | twins with a major |\n|---|---|---|---|---|---|"
        )?;
        for (name, [open, sealed]) in map {
            writeln!(
                out,
                "| {name} | {}, {}, {} | {} | {}, {} | {} | {} of {} |",
                open.planted,
                open.major,
                open.any,
                share(open.major, open.planted),
                sealed.planted,
                sealed.major,
                share(sealed.major, sealed.planted),
                open.flagged + sealed.flagged,
                open.twins + sealed.twins
            )?;
        }
    }
    for (title, tally) in ["open", "sealed"].iter().zip(halves) {
        writeln!(
            out,
            "{title}: {} of {} = {}, any {}; twins with a major {} of {}",
            tally.major,
            tally.planted,
            share(tally.major, tally.planted),
            share(tally.any, tally.planted),
            tally.flagged,
            tally.twins
        )?;
    }
    writeln!(out, "{changes} changes in {spent:?}, {:?} each", spent / changes.max(1))?;
    Ok(())
}

fn git(repository: &Path, arguments: &[&str]) -> io::Result<Vec<u8>> {
    let done =
        Command::new("git").arg("-C").arg(repository).args(arguments).stderr(Stdio::null()).output()?;
    Ok(done.stdout)
}

/// What is flagged in the newest commits of a repository that are no merges.
fn history(repository: &Path, most: usize, show: bool) -> io::Result<()> {
    let log = git(repository, &["log", "--no-merges", "--format=%H %s", "-n", &most.to_string(), "HEAD"])?;
    let log = String::from_utf8_lossy(&log).into_owned();
    let (mut commits, mut flagged, mut lines) = (0_usize, 0_usize, 0_usize);
    let mut by: BTreeMap<&str, usize> = BTreeMap::new();
    let mut spent = Duration::ZERO;
    let mut out = io::stdout().lock();
    for line in log.lines() {
        let Some((commit, subject)) = line.split_once(' ') else { continue };
        let range = format!("{commit}^!");
        let near = git(
            repository,
            &["diff", "--no-ext-diff", "--no-textconv", "--find-renames", "--unified=3", &range],
        )?;
        let diff = Diff::read(&near);
        if diff.files.is_empty() || diff.files.len() > 60 {
            continue;
        }
        let wide = Diff::read(&git(
            repository,
            &["diff", "--no-ext-diff", "--no-textconv", "--find-renames", "--unified=1000000", &range],
        )?);
        commits += 1;
        lines += diff.files.iter().flat_map(|file| &file.hunks).map(|hunk| hunk.lines.len()).sum::<usize>();
        let whole = |path: &str, side: Side| wide.whole(path, side);
        let begun = Instant::now();
        let found = search_on(&diff, &Grounds { prompt: subject, summary: "", whole: &whole, tests: &[] });
        spent += begun.elapsed();
        let grave = majors(&found);
        flagged += usize::from(!grave.is_empty());
        let mut seen: Vec<&str> = grave.iter().map(|own| own.detector.as_str()).collect();
        seen.sort_unstable();
        seen.dedup();
        for name in seen {
            *by.entry(name).or_default() += 1;
        }
        if show {
            for own in grave.iter().take(6) {
                let sign = if own.removed { "-" } else { "+" };
                writeln!(
                    out,
                    "{} {}: {sign}{}:{} {} `{}` ({})",
                    &commit.get(..9).unwrap_or(commit),
                    own.detector.as_str(),
                    own.path,
                    own.line,
                    own.text,
                    own.quote.chars().take(110).collect::<String>(),
                    subject.chars().take(60).collect::<String>()
                )?;
            }
        }
    }
    writeln!(
        out,
        "{}: {flagged} of {commits} commits have something major = {} ({lines} lines, {spent:?}) {by:?}",
        repository.display(),
        share(flagged, commits)
    )?;
    Ok(())
}
