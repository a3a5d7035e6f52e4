//! Reads a unified diff, as `git diff` writes it, in one pass. Whatever cannot be read is noted and passed over; whatever
//! is too much is counted and left out, so that the memory it takes has a bound and the reader knows what is missing.

use memchr::memchr;

use super::left_out::is_mark;
use super::path::is_text;
use super::{Diff, File, FileStatus, Hunk, HunkLine, LineChange, Omission};

/// How much of a diff is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiffLimits {
    /// The bytes of all lines.
    pub bytes: usize,
    /// The bytes of one line; the rest of it is cut off.
    pub line: usize,
    /// The bytes of one file.
    pub file: usize,
    /// The files, and the entries of every list.
    pub files: usize,
}

impl Default for DiffLimits {
    fn default() -> Self {
        Self { bytes: 16 << 20, line: 16 << 10, file: 2 << 20, files: 10_000 }
    }
}

/// What a line of code costs beside its text.
const PER_LINE: usize = 64;

impl Diff {
    /// Reads a diff within the usual limits.
    pub fn read(bytes: &[u8]) -> Self {
        Self::read_within(bytes, DiffLimits::default())
    }

    /// Reads a diff within limits of the caller.
    pub fn read_within(bytes: &[u8], limits: DiffLimits) -> Self {
        let mut reader = DiffReader::new(limits);
        reader.feed(bytes);
        reader.finish()
    }
}

/// Reads a diff that comes in pieces, in memory that has a bound whatever comes.
#[derive(Debug)]
pub struct DiffReader {
    reader: Reader,
    /// The beginning of a line whose end has not come yet.
    line: Vec<u8>,
    /// Bytes of it that are not kept.
    over: u64,
    /// The last byte of it.
    last: u8,
}

/// What of a line is kept beside its text: the longest mark of git in front of it.
const MARKS: usize = 64;

impl DiffReader {
    /// Begins within these limits.
    pub fn new(limits: DiffLimits) -> Self {
        let reader = Reader { limits, ..Reader::default() };
        Self { reader, line: Vec::new(), over: 0, last: 0 }
    }

    /// Reads the next bytes of the diff.
    pub fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some(end) = memchr(b'\n', rest) {
            let (line, after) = rest.split_at(end);
            rest = after.get(1..).unwrap_or_default();
            if self.line.is_empty() {
                self.reader.line(line.strip_suffix(b"\r").unwrap_or(line), 0);
            } else {
                self.begin(line);
                self.end_line();
            }
        }
        self.begin(rest);
    }

    /// Ends the diff: no more bytes come.
    pub fn finish(mut self) -> Diff {
        if !self.line.is_empty() {
            self.end_line();
        }
        self.reader.finish()
    }

    fn begin(&mut self, part: &[u8]) {
        let room = (self.reader.limits.line + MARKS).saturating_sub(self.line.len());
        let (kept, over) = part.split_at(room.min(part.len()));
        self.line.extend_from_slice(kept);
        self.over += over.len() as u64;
        self.last = part.last().copied().unwrap_or(self.last);
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let mut over = std::mem::take(&mut self.over);
        let mut whole = line.as_slice();
        if self.last == b'\r' {
            match over.checked_sub(1) {
                Some(less) => over = less,
                None => whole = line.strip_suffix(b"\r").unwrap_or(&line),
            }
        }
        self.reader.line(whole, over);
        self.line = line;
        self.line.clear();
    }
}

/// The longest path that is kept.
const LONGEST_PATH: usize = 1024;
/// The most places that are kept where a diff is not whole.
const MOST_TORN: usize = 20;
/// The longest note, in characters.
const LONGEST_NOTE: usize = 1200;

#[derive(Debug, Default)]
struct Reader {
    limits: DiffLimits,
    diff: Diff,
    /// The file that is being read; none before the first and within what is skipped.
    file: Option<File>,
    old_left: u64,
    new_left: u64,
    old: u64,
    new: u64,
    kept: usize,
    kept_of_file: usize,
    /// Lines and bytes of the file that are not kept.
    dropped: (u64, u64),
    /// In a part that cannot be read; it ends at the next file.
    skipping: bool,
    unnamed: u64,
    /// The line before was the last one of a hunk.
    after_hunk: bool,
    /// What the head of the file promises.
    promise: Promise,
}

/// Whether lines must follow the head of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Promise {
    /// Only its name was seen so far.
    #[default]
    Name,
    /// It has another name or mode, is empty or binary: nothing must follow.
    Nothing,
    /// It has other lines than before.
    Lines,
}

/// The beginnings of the names that git has for a file without a byte in it.
const EMPTY_FILES: [&str; 2] = ["e69de29", "473a0f4"];

impl Reader {
    /// A line, and how many bytes of it are not there.
    fn line(&mut self, line: &[u8], over: u64) {
        if (self.old_left > 0 || self.new_left > 0) && self.hunk_line(line, over) {
            self.after_hunk = self.old_left == 0 && self.new_left == 0;
            return;
        }
        if std::mem::take(&mut self.after_hunk) && is_of_hunk(line) {
            self.tear("a hunk has more lines than its head says");
            self.after_hunk = true;
            return;
        }
        self.after_hunk |= line.starts_with(b"\\ ");
        let longest = self.limits.line.min(LONGEST_PATH);
        if let Some(rest) = line.strip_prefix(b"diff --git ") {
            self.close_file();
            let (old_path, new_path) = git_paths(&text(rest, longest * 2));
            self.file = Some(File { old_path, new_path, ..File::default() });
        } else if line.starts_with(b"diff --cc ") || line.starts_with(b"diff --combined ") {
            self.close_file();
            let path = text(line.splitn(3, |byte| *byte == b' ').nth(2).unwrap_or_default(), 512);
            self.note(&format!(
                "{}: a combined diff of a merge is passed over; compare with one parent",
                unquote(&path)
            ));
            self.diff.torn.push(format!("{}: a combined diff of a merge is not read", unquote(&path)));
            self.skipping = true;
        } else if self.skipping {
        } else if line.starts_with(b"@@@") {
            let path =
                self.file.as_ref().map_or_else(|| "(no name)".to_owned(), |file| file.path().to_owned());
            self.note(&format!("{path}: a combined hunk of a merge is passed over"));
            self.tear("a combined hunk of a merge is not read");
        } else if line.starts_with(b"@@ ") {
            self.hunk(&text(line, self.limits.line));
        } else if let Some(path) = line.strip_prefix(b"--- ") {
            // Without git there is no other sign that a file begins.
            if self.file.as_ref().is_none_or(|file| !file.hunks.is_empty()) {
                self.close_file();
                self.file = Some(File::default());
            }
            let path = side_path(&text(path, longest));
            if let Some(file) = &mut self.file {
                if path.is_none() {
                    file.status = FileStatus::Added;
                }
                file.old_path = path;
            }
        } else if let Some(path) = line.strip_prefix(b"+++ ") {
            let path = side_path(&text(path, longest));
            self.promise = Promise::Lines;
            if let Some(file) = &mut self.file {
                if path.is_none() {
                    file.status = FileStatus::Deleted;
                }
                file.new_path = path;
            }
        } else {
            self.header(line);
        }
    }

    fn header(&mut self, line: &[u8]) {
        let longest = self.limits.line.min(LONGEST_PATH);
        if is_mark(line) {
            self.tear("a mark stands for a part that is not there");
        }
        let Some(file) = &mut self.file else { return };
        if line == b"\\ No newline at end of file" {
            if let Some(last) = file.hunks.last_mut().and_then(|hunk| hunk.lines.last_mut()) {
                last.unended = true;
            }
            return;
        }
        if !file.hunks.is_empty() {
            return;
        }
        let named = |rest: &[u8]| Some(unquote(&text(rest, longest)));
        self.promise = promised(self.promise, line);
        if line.starts_with(b"new file mode ") {
            file.status = FileStatus::Added;
            file.old_path = None;
        } else if line.starts_with(b"deleted file mode ") {
            file.status = FileStatus::Deleted;
            file.new_path = None;
        } else if line.starts_with(b"old mode ") && file.status == FileStatus::Modified {
            file.status = FileStatus::Mode;
        } else if line.starts_with(b"index ") && file.status == FileStatus::Mode {
            file.status = FileStatus::Modified;
        } else if let Some(rest) = line.strip_prefix(b"rename from ") {
            file.old_path = named(rest);
            file.status = FileStatus::Renamed;
        } else if let Some(rest) = line.strip_prefix(b"rename to ") {
            file.new_path = named(rest);
            file.status = FileStatus::Renamed;
        } else if let Some(rest) = line.strip_prefix(b"copy from ") {
            file.old_path = named(rest);
            file.status = FileStatus::Copied;
        } else if let Some(rest) = line.strip_prefix(b"copy to ") {
            file.new_path = named(rest);
            file.status = FileStatus::Copied;
        } else if line.starts_with(b"Binary files ") || line == b"GIT binary patch" {
            file.binary = true;
        }
    }

    fn hunk(&mut self, head: &str) {
        let Some((old, new, section)) = hunk_head(head) else {
            self.note("the head of a hunk cannot be read; its lines are passed over");
            self.tear("the head of a hunk cannot be read");
            return;
        };
        let file = self.file.get_or_insert_with(File::default);
        if file.status == FileStatus::Mode {
            file.status = FileStatus::Modified;
        }
        (self.old, self.old_left) = old;
        (self.new, self.new_left) = new;
        // Hunks without a line cost something as well: a file of nothing but heads is a way to fill memory.
        let cost = PER_LINE + section.len();
        if self.kept + cost > self.limits.bytes {
            self.kept = self.limits.bytes;
            self.dropped.1 += head.len() as u64;
            return;
        }
        file.hunks.push(Hunk {
            old_start: self.old,
            new_start: self.new,
            section: section.to_owned(),
            lines: Vec::new(),
        });
        self.kept += cost;
    }

    /// A line of the hunk, if it is one.
    fn hunk_line(&mut self, line: &[u8], over: u64) -> bool {
        let (change, rest) = match line.split_first() {
            // Some programs cut the only space of an empty line.
            None => (LineChange::Context, line),
            Some((b' ', rest)) => (LineChange::Context, rest),
            Some((b'+', rest)) if self.new_left > 0 => (LineChange::Added, rest),
            Some((b'-', rest)) if self.old_left > 0 => (LineChange::Removed, rest),
            Some((b'\\', _)) => {
                if let Some(last) = self.last_line() {
                    last.unended = true;
                }
                return true;
            }
            Some(_) => {
                self.short();
                return false;
            }
        };
        // A line of both sides where one side has none left: the head says less.
        if change == LineChange::Context && (self.old_left == 0 || self.new_left == 0) {
            self.tear("a hunk has other lines than its head says");
        }
        let mut kept = HunkLine { change, old: 0, new: 0, text: String::new(), unended: false };
        if change != LineChange::Added {
            kept.old = self.old;
            self.old = self.old.saturating_add(1);
            self.old_left = self.old_left.saturating_sub(1);
        }
        if change != LineChange::Removed {
            kept.new = self.new;
            self.new = self.new.saturating_add(1);
            self.new_left = self.new_left.saturating_sub(1);
        }
        if self.is_binary(rest) {
            return true;
        }
        let cost = rest.len().min(self.limits.line) + PER_LINE;
        if self.kept + cost > self.limits.bytes || self.kept_of_file + cost > self.limits.file {
            self.dropped.0 += 1;
            self.dropped.1 += rest.len() as u64 + over;
            return true;
        }
        self.kept += cost;
        self.kept_of_file += cost;
        if rest.len() > self.limits.line {
            self.dropped.1 += (rest.len() - self.limits.line) as u64 + over;
        }
        kept.text = text(rest, self.limits.line);
        if let Some(hunk) = self.file.as_mut().and_then(|file| file.hunks.last_mut()) {
            hunk.lines.push(kept);
        }
        true
    }

    /// The line belongs to a file that is not text. Git is not asked: what it takes for binary is for the repository to
    /// say. A NUL says it, unless the name of the file says otherwise, since anybody can write one into a comment.
    fn is_binary(&mut self, line: &[u8]) -> bool {
        let Some(file) = &mut self.file else { return false };
        if file.binary {
            return true;
        }
        if memchr(0, line).is_none() || is_text(file.path()) {
            return false;
        }
        file.binary = true;
        for hunk in &mut file.hunks {
            hunk.lines.clear();
        }
        self.kept = self.kept.saturating_sub(self.kept_of_file);
        self.kept_of_file = 0;
        self.dropped = (0, 0);
        true
    }

    fn last_line(&mut self) -> Option<&mut HunkLine> {
        self.file.as_mut()?.hunks.last_mut()?.lines.last_mut()
    }

    /// The hunk has fewer lines than it says.
    fn short(&mut self) {
        let path = self.file.as_ref().map_or("(no name)", File::path).to_owned();
        self.note(&format!("{path}: a hunk ends before its last line; the diff is cut or damaged"));
        self.tear("a hunk ends before its last line");
        (self.old_left, self.new_left) = (0, 0);
    }

    /// The diff is not whole here.
    fn tear(&mut self, what: &str) {
        if self.diff.torn.len() < MOST_TORN {
            let path = self.file.as_ref().map_or("(no name)", File::path);
            let line = format!("{path}: {what}")
                .chars()
                .map(|c| if c.is_control() { '\u{fffd}' } else { c })
                .collect();
            self.diff.torn.push(line);
        }
    }

    fn note(&mut self, note: &str) {
        if self.diff.notes.len() < self.limits.files {
            // A path may have a line break in it; a note may not.
            let line = note.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c });
            self.diff.notes.push(line.take(LONGEST_NOTE).collect());
        }
    }

    fn close_file(&mut self) {
        if self.old_left > 0 || self.new_left > 0 {
            self.short();
        }
        (self.skipping, self.after_hunk) = (false, false);
        self.kept_of_file = 0;
        let promise = std::mem::take(&mut self.promise);
        let is_bare = |file: &File| file.hunks.is_empty() && !file.binary && promise != Promise::Nothing;
        if self.dropped == (0, 0) && self.file.as_ref().is_some_and(is_bare) {
            self.tear("its lines do not come");
        }
        let (lines, bytes) = std::mem::take(&mut self.dropped);
        let Some(mut file) = self.file.take() else { return };
        if bytes > 0 {
            let why = if lines > 0 { "too large to be kept" } else { "long lines are cut" };
            self.omit(file.path().to_owned(), lines, bytes, why);
        }
        file.hunks.retain(|hunk| !hunk.lines.is_empty());
        if self.diff.files.len() < self.limits.files {
            self.diff.files.push(file);
        } else {
            let shown: usize = file.hunks.iter().map(|hunk| hunk.lines.len()).sum();
            self.omit(file.path().to_owned(), shown as u64, 0, "too many files");
        }
    }

    fn omit(&mut self, path: String, lines: u64, bytes: u64, why: &str) {
        if self.diff.omitted.len() < self.limits.files {
            self.diff.omitted.push(Omission { path, lines, bytes, why: why.to_owned() });
        } else {
            self.unnamed += 1;
        }
    }

    fn finish(mut self) -> Diff {
        self.close_file();
        if self.unnamed > 0 {
            let note = format!(
                "{} left out and not named",
                jury_core::line::counted(self.unnamed, "more file is", "more files are")
            );
            self.diff.notes.push(note);
        }
        self.diff
    }
}

/// A line that only stands in a hunk. `-- ` ends a mail.
fn is_of_hunk(line: &[u8]) -> bool {
    let is_signature = line == b"-- " || line == b"--";
    let is_head = line.starts_with(b"--- ") || line.starts_with(b"+++ ");
    line.starts_with(b"+") && !is_head
        || line.starts_with(b"-") && !is_head && !is_signature
        || line.starts_with(b" ")
}

/// What this line of a head adds to what is promised.
fn promised(before: Promise, line: &[u8]) -> Promise {
    let nothing: [&[u8]; 6] = [
        b"old mode ",
        b"rename from ",
        b"copy from ",
        b"Binary files ",
        b"GIT binary patch",
        b"similarity index 100%",
    ];
    if let Some(names) = line.strip_prefix(b"index ") {
        let names = String::from_utf8_lossy(names);
        let is_empty = |name: &str| EMPTY_FILES.iter().any(|empty| name.starts_with(empty));
        let (old, new) = names.split_once("..").unwrap_or_default();
        return if is_empty(old) && new.trim_matches('0').is_empty()
            || is_empty(new) && old.trim_matches('0').is_empty()
        {
            Promise::Nothing
        } else {
            Promise::Lines
        };
    }
    if before == Promise::Name && nothing.iter().any(|word| line.starts_with(word)) {
        Promise::Nothing
    } else {
        before
    }
}

/// The first bytes of a line as text; what is not UTF-8 is replaced.
fn text(bytes: &[u8], most: usize) -> String {
    let cut = bytes.get(..most).unwrap_or(bytes);
    String::from_utf8_lossy(cut).into_owned()
}

type Range = (u64, u64);

fn hunk_head(head: &str) -> Option<(Range, Range, &str)> {
    let (ranges, section) = head.strip_prefix("@@ -")?.split_once(" @@")?;
    let (old, new) = ranges.split_once(" +")?;
    Some((range(old)?, range(new)?, section.trim()))
}

fn range(text: &str) -> Option<Range> {
    let (start, count) = text.split_once(',').unwrap_or((text, "1"));
    Some((number(start)?, number(count)?))
}

/// Digits, however many: what is too large for a line number is the largest there is.
fn number(text: &str) -> Option<u64> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(text.parse().unwrap_or(u64::MAX))
}

/// The path behind `---` or `+++`; none for a file that is not there.
fn side_path(text: &str) -> Option<String> {
    let path = if text.starts_with('"') {
        unquote(text)
    } else {
        text.split('\t').next().unwrap_or(text).to_owned()
    };
    if path == "/dev/null" {
        return None;
    }
    Some(strip_side(path))
}

fn strip_side(path: String) -> String {
    match path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")) {
        Some(stripped) => stripped.to_owned(),
        None => path,
    }
}

/// The two paths of `diff --git`. Without quotes a space may be part of a path, so equal halves come first.
fn git_paths(rest: &str) -> (Option<String>, Option<String>) {
    let rest = rest.trim_end();
    if let Some(inner) = rest.strip_prefix('"') {
        let end = quoted_end(inner);
        let (old, new) = rest.split_at((end + 2).min(rest.len()));
        return (Some(strip_side(unquote(old))), Some(strip_side(unquote(new.trim_start()))));
    }
    let half = rest.len() / 2;
    if rest.is_char_boundary(half) && rest.as_bytes().get(half) == Some(&b' ') {
        let (old, new) = rest.split_at(half);
        let (old, new) = (strip_side(old.to_owned()), strip_side(new.trim_start().to_owned()));
        if old == new {
            return (Some(old), Some(new));
        }
    }
    let (old, new) = rest.split_once(" b/").or_else(|| rest.split_once(' ')).unwrap_or((rest, rest));
    (Some(strip_side(old.to_owned())), Some(strip_side(unquote(new))))
}

/// Where the quote closes.
fn quoted_end(inner: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            b'\\' if !escaped => escaped = true,
            b'"' if !escaped => return at,
            _ => escaped = false,
        }
    }
    inner.len()
}

/// A path as git quotes it, with its escapes undone.
fn unquote(path: &str) -> String {
    let Some(inner) = path.strip_prefix('"') else { return path.to_owned() };
    let (inner, _) = inner.split_at(quoted_end(inner));
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner.bytes().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'n') => bytes.push(b'\n'),
            Some(b't') => bytes.push(b'\t'),
            Some(b'r') => bytes.push(b'\r'),
            Some(digit @ b'0'..=b'7') => {
                let mut value = u32::from(digit - b'0');
                for _ in 0..2 {
                    if let Some(next @ b'0'..=b'7') = rest.peek().copied() {
                        value = value * 8 + u32::from(next - b'0');
                        rest.next();
                    }
                }
                bytes.push(u8::try_from(value).unwrap_or(b'?'));
            }
            Some(other) => bytes.push(other),
            None => {}
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
