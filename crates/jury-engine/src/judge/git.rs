//! Asks git for the change of a run.
//!
//! Git is called with a list of arguments and never through a shell. What a run record calls a ref is checked, turned into
//! the name of a commit, and only that name is used. The repository belongs to those who are judged: nothing that its
//! settings or attributes name is run, nothing is fetched, and whatever in it could change what a diff shows is overruled.
//! Everything is printed as text, because attributes, drivers and thresholds can all declare a change to be binary; what is
//! binary is seen by the reader of the diff.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jury_agents::{
    AgentError, Bounds, End as Ended, FinishedProgram, Inherit, Invocation, SessionLimits, run_to_end_into,
};
use jury_core::line;
use jury_core::process::Exit;
use jury_core::unit::Bytes;
use jury_text::diff::{Diff, DiffLimits, DiffReader};
use tokio_util::sync::CancellationToken;

/// The most of a diff that is read. Git is stopped when it has printed this much.
pub(super) const MOST_DIFF_BYTES: u64 = 64 << 20;

/// How long git may take.
const PATIENCE: Duration = Duration::from_mins(2);

/// What a change is compared with when nobody says.
const USUAL_BASES: [&str; 2] = ["main", "master"];

/// So many lines of context that none of a file is left out.
const ALL_LINES: u32 = 10_000_000;

/// The longest name of a ref, in bytes.
const LONGEST_REF: usize = 250;

/// A repository, and how to ask it.
#[derive(Debug)]
pub(super) struct Repository<'a> {
    /// A folder of it.
    pub(super) dir: &'a Path,
    /// The repository lies in this folder, and git does not look above it; none: it looks as far as it likes.
    pub(super) ceiling: Option<&'a Path>,
    /// Where spools are made.
    pub(super) scratch: &'a Path,
    /// Stops git when it is cancelled.
    pub(super) interrupt: &'a CancellationToken,
}

/// A change, and whether it goes on behind what was read.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) diff: Diff,
    pub(super) cut: bool,
    /// The same with all lines of its files, where the repository has them.
    pub(super) wide: Option<Diff>,
}

/// Whether a text can be a ref and nothing else: no option, no range, no path, no search.
pub(super) fn is_ref(text: &str) -> bool {
    let plain = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'.' | b'_' | b'/' | b'-' | b'+' | b'#' | b'@' | b'~' | b'^')
    };
    !text.is_empty()
        && text.len() <= LONGEST_REF
        && text.bytes().all(plain)
        && !text.starts_with(['-', '.', '/', '@', '~', '^'])
        && !text.contains("..")
        && !text.contains("//")
        && !text.ends_with(['/', '.'])
}

impl Repository<'_> {
    /// What the work changes: `git diff base...head`.
    pub(super) async fn change(&self, base: Option<&str>, head: &str) -> Result<Change, String> {
        if let Some(root) = self.ceiling {
            self.check_place(root).await?;
        }
        let head = self.commit(head).await?;
        let base = match base {
            Some(base) => self.commit(base).await?,
            None => self.usual_base().await?,
        };
        let (diff, cut) = self.diff(&base, &head, 3).await?;
        // Both versions of each file, whole: a hunk shows where something changed, and not what it changed in.
        let wide = if cut { None } else { self.diff(&base, &head, ALL_LINES).await.ok() };
        Ok(Change { diff, cut, wide: wide.filter(|(_, cut)| !cut).map(|(diff, _)| diff) })
    }

    /// The change with so many lines around each place, and whether it goes on behind what was read.
    async fn diff(&self, base: &str, head: &str, around: u32) -> Result<(Diff, bool), String> {
        let args = [
            "diff",
            "--no-ext-diff",
            "--no-textconv",
            "--no-color",
            "--no-relative",
            "--text",
            "--find-renames",
            "-l1000",
            "-O/dev/null",
            &format!("--unified={around}"),
            "--inter-hunk-context=0",
            "--diff-algorithm=myers",
            "--indent-heuristic",
            "--ignore-submodules=none",
            "--submodule=short",
            "--src-prefix=a/",
            "--dst-prefix=b/",
            &format!("{base}...{head}"),
            "--",
        ];
        let mut reader = DiffReader::new(DiffLimits::default());
        let end = self.ask(&args, Some(base), |bytes| reader.feed(bytes)).await?;
        match end {
            End::Exited { code: 0, .. } => Ok((reader.finish(), false)),
            End::Exited { says, .. } => Err(format!("git diff {base}...{head} failed: {says}")),
            End::Stopped => Ok((reader.finish(), true)),
        }
    }

    /// A file as it is in the base; none where it is not there.
    pub(super) async fn at_base(&self, base: Option<&str>, path: &str) -> Result<Option<String>, String> {
        let base = match base {
            Some(base) => self.commit(base).await?,
            None => self.usual_base().await?,
        };
        let mut printed = Vec::new();
        let wanted = format!("{base}:{path}");
        match self.ask(&["cat-file", "blob", &wanted], None, |bytes| printed.extend_from_slice(bytes)).await?
        {
            End::Exited { code: 0, .. } => Ok(Some(String::from_utf8_lossy(&printed).into_owned())),
            End::Exited { .. } => Ok(None),
            End::Stopped => Err(format!("{path} is too large in the base")),
        }
    }

    /// A folder can say that its repository is elsewhere. That, too, must lie where the folder must lie.
    async fn check_place(&self, root: &Path) -> Result<(), String> {
        let mut printed = Vec::new();
        let args = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
        match self.ask(&args, None, |bytes| printed.extend_from_slice(bytes)).await? {
            End::Exited { code: 0, .. } => {}
            End::Exited { says, .. } => return Err(says),
            End::Stopped => return Err("git rev-parse does not end".to_owned()),
        }
        let place = PathBuf::from(String::from_utf8_lossy(&printed).trim_end_matches('\n'));
        let place = place.canonicalize().map_err(|error| format!("{}: {error}", place.display()))?;
        if place.starts_with(root) {
            Ok(())
        } else {
            Err(format!("the repository of {} lies outside of {}", self.dir.display(), root.display()))
        }
    }

    async fn usual_base(&self) -> Result<String, String> {
        for base in USUAL_BASES {
            if let Ok(commit) = self.commit(base).await {
                return Ok(commit);
            }
        }
        Err(format!(
            "neither {} is a branch of {}; name what the work is compared with",
            USUAL_BASES.join(" nor "),
            self.dir.display()
        ))
    }

    /// The name of the commit that a ref stands for.
    async fn commit(&self, named: &str) -> Result<String, String> {
        if !is_ref(named) {
            return Err(format!("{:?} cannot be a ref", shortened(named)));
        }
        let wanted = format!("{named}^{{commit}}");
        let mut printed = Vec::new();
        let args = ["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted];
        let end = self.ask(&args, None, |bytes| printed.extend_from_slice(bytes)).await?;
        let commit = String::from_utf8_lossy(&printed).trim().to_owned();
        let is_name = matches!(commit.len(), 40 | 64) && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
        match end {
            End::Exited { code: 0, .. } if is_name => Ok(commit),
            // Silence is how it says that there is no such ref.
            End::Exited { says, .. } if says.is_empty() => {
                Err(format!("{} has no commit {named:?}", self.dir.display()))
            }
            End::Exited { says, .. } => Err(says),
            End::Stopped => Err("git rev-parse does not end".to_owned()),
        }
    }

    async fn ask(
        &self,
        args: &[&str],
        attributes: Option<&str>,
        take: impl FnMut(&[u8]),
    ) -> Result<End, String> {
        let bounds = Bounds::new(self.scratch, PATIENCE).limits(limits());
        let invocation = self.invocation(args, attributes);
        let finished = run_to_end_into(invocation, bounds, self.interrupt.cancelled(), take).await;
        let FinishedProgram { end, stderr, .. } = finished.map_err(|error| {
            // It was asked, and could not be heard.
            let asked = matches!(error, AgentError::Spool(_));
            if asked { error.to_string() } else { format!("git cannot be asked: {error}") }
        })?;
        match end {
            Ended::Exited(Exit::Code(code)) => Ok(End::Exited { code, says: complaint(&stderr) }),
            Ended::Exited(_) => Err("git was killed".to_owned()),
            Ended::Oversize => Ok(End::Stopped),
            Ended::Late => Err(format!("git took longer than {} s", PATIENCE.as_secs())),
            Ended::Interrupted => Err("it was stopped".to_owned()),
        }
    }

    fn invocation(&self, args: &[&str], attributes: Option<&str>) -> Invocation {
        let mut invocation = Invocation::new("git");
        for arg in [
            "--no-pager",
            "--literal-pathspecs",
            "-c",
            "core.fsmonitor=false",
            "-c",
            "core.hooksPath=/dev/null",
            "-c",
            "core.attributesFile=/dev/null",
            "-c",
            "core.bigFileThreshold=2g",
            "-c",
            "core.quotePath=true",
            "-c",
            "core.commitGraph=false",
            // Its hint would stand where an error is looked for.
            "-c",
            "advice.graftFileDeprecated=false",
            "-c",
            "diff.suppressBlankEmpty=false",
        ]
        .iter()
        .chain(args)
        {
            invocation = invocation.arg(*arg);
        }
        invocation.dir = Some(self.dir.to_owned());
        // Variables of git that we inherit could point it elsewhere.
        invocation.inherit = Inherit::agent(&[]);
        let mut set = |name: &str, value: OsString| invocation.env.push((name.into(), value));
        set("GIT_TERMINAL_PROMPT", "0".into());
        set("GIT_OPTIONAL_LOCKS", "0".into());
        // Another object or another parent under the same name is not what was committed.
        set("GIT_NO_REPLACE_OBJECTS", "1".into());
        set("GIT_GRAFT_FILE", "/dev/null".into());
        // Not to be asked of a server, whatever the repository says about where its objects are.
        set("GIT_NO_LAZY_FETCH", "1".into());
        set("GIT_ALLOW_PROTOCOL", "none".into());
        if let Some(ceiling) = self.ceiling.and_then(Path::parent) {
            set("GIT_CEILING_DIRECTORIES", ceiling.as_os_str().to_owned());
        }
        if let Some(attributes) = attributes {
            set("GIT_ATTR_SOURCE", attributes.into());
        }
        invocation
    }
}

enum End {
    Exited {
        code: i32,
        says: String,
    },
    /// It had more to say than is read.
    Stopped,
}

fn limits() -> SessionLimits {
    SessionLimits {
        spool: Bytes(MOST_DIFF_BYTES),
        grace: Duration::from_millis(500),
        ..SessionLimits::default()
    }
}

fn complaint(text: &str) -> String {
    shortened(text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default())
}

fn shortened(text: &str) -> String {
    line::cut(&line::spaced(text), 200)
}

/// The same of a file that holds a diff.
pub(super) fn change_in(path: &Path) -> Result<Change, String> {
    use std::io::Read as _;
    let (file, size) = super::file::open(path, true)?;
    let mut reader = DiffReader::new(DiffLimits::default());
    let mut piece = vec![0; 64 << 10];
    let mut file = file.take(MOST_DIFF_BYTES);
    loop {
        match file.read(&mut piece).map_err(|error| error.to_string())? {
            0 => return Ok(Change { diff: reader.finish(), cut: size > MOST_DIFF_BYTES, wide: None }),
            count => reader.feed(piece.get(..count).unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_refs_are_refs() {
        for good in
            ["main", "feature/a-b", "v1.2", "HEAD", "HEAD~2", "a1b2c3d", "origin/main", "fix#12", "x@y"]
        {
            assert!(is_ref(good), "{good}");
        }
        for bad in [
            "",
            "-x",
            "--upload-pack=touch x",
            "--output=/tmp/x",
            "a..b",
            "a...b",
            "a b",
            "a\nb",
            "a\0b",
            "a:b",
            "@{-1}",
            "main@{1 day ago}",
            ":/fix",
            "$(x)",
            "`x`",
            "a;b",
            "a|b",
            "../x",
            "/etc/passwd",
            "a//b",
            "a/",
            "é",
            "a\\b",
        ] {
            assert!(!is_ref(bad), "{bad:?}");
        }
        assert!(!is_ref(&"a".repeat(251)));
    }
}
