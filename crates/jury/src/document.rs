//! What is handed in for a review: read whole, with a bound, and refused when it is no text; and what comes of it, written out.

use std::io::Read as _;
use std::path::Path;

use jury_core::unit::Bytes;

use crate::refusal::Refusal;

/// The largest page that the eye looks at; a larger file is not even read.
pub(crate) const LARGEST_PAGE: Bytes = Bytes(jury_house::LARGEST_PAGE as u64);

/// What was handed in.
#[derive(Debug)]
pub(crate) struct Given {
    /// What it is called.
    pub(crate) title: String,
    /// The path, as it was given.
    pub(crate) shown: String,
    /// The bytes of the whole file.
    pub(crate) bytes: Vec<u8>,
}

/// Whether a path stands for stdin.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads a file, or stdin when the path is `-`. `kind` is what it should be; `advice` what to do if it is too large.
pub(crate) fn read(path: &Path, kind: &str, largest: Bytes, advice: &str) -> Result<Given, Refusal> {
    let (title, shown, bytes) = if is_stdin(path) {
        let bytes = read_stdin(largest, advice)?;
        ("stdin".to_owned(), "stdin".to_owned(), bytes)
    } else {
        let title = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        (title, path.display().to_string(), read_file(path, kind, largest, advice)?)
    };
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Refusal::usage(format!("{shown} is empty; there is nothing to review")));
    }
    if bytes.contains(&0) {
        return Err(Refusal::usage(format!("{shown} is a binary file, not a {kind}")));
    }
    Ok(Given { title, shown, bytes })
}

fn read_stdin(largest: Bytes, advice: &str) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .take(largest.0 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Refusal::usage(format!("cannot read stdin: {error}")))?;
    if bytes.len() as u64 > largest.0 {
        return Err(too_large("stdin", None, largest, advice));
    }
    Ok(bytes)
}

fn read_file(path: &Path, kind: &str, largest: Bytes, advice: &str) -> Result<Vec<u8>, Refusal> {
    let shown = path.display();
    let fail = |error: std::io::Error| {
        if error.kind() == std::io::ErrorKind::NotFound {
            Refusal::usage(format!("no such file: {shown}"))
        } else {
            Refusal::usage(format!("cannot read {shown}: {error}"))
        }
    };
    let metadata = std::fs::metadata(path).map_err(fail)?;
    if metadata.is_dir() {
        let example = if kind == "page" { "index.html" } else { "plan.md" };
        return Err(Refusal::usage(format!(
            "{shown} is a folder; name a {kind} in it, such as {shown}/{example}"
        )));
    }
    // A pipe or a device has no length; it is read up to the limit.
    if metadata.len() > largest.0 {
        return Err(too_large(&shown.to_string(), Some(Bytes(metadata.len())), largest, advice));
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(fail)?;
    file.take(largest.0 + 1).read_to_end(&mut bytes).map_err(fail)?;
    if bytes.len() as u64 > largest.0 {
        return Err(too_large(&shown.to_string(), None, largest, advice));
    }
    Ok(bytes)
}

fn too_large(name: &str, size: Option<Bytes>, largest: Bytes, advice: &str) -> Refusal {
    let size = size.map_or_else(|| "larger than that".to_owned(), |size| size.to_string());
    Refusal::usage(format!("{name} is too large: the most is {largest}, it is {size}; {advice}"))
}

/// The largest DESIGN.md that is read.
const LARGEST_DESIGN: Bytes = LARGEST_PAGE;

/// Reads the brand that `--design` names, and refuses what is none: every page would follow it.
pub(crate) fn read_design(path: &Path) -> Result<String, Refusal> {
    let given = read(path, "DESIGN.md", LARGEST_DESIGN, "a DESIGN.md is a few pages")?;
    let text = String::from_utf8_lossy(&given.bytes).into_owned();
    match jury_text::brand::no_design(&text) {
        None => Ok(text),
        Some(kind) => Err(Refusal::usage(format!(
            "--design {}: {}; name a DESIGN.md with tokens in its front matter or sections such as Colors and Typography",
            given.shown,
            kind.words()
        ))),
    }
}

/// Refuses a root of a site that is no folder.
pub(crate) fn check_root(root: &Path) -> Result<(), Refusal> {
    if root.is_dir() {
        return Ok(());
    }
    Err(Refusal::usage(format!("--root {}: there is no such folder", root.display())))
}

/// Finds out before the run, not after it, that the result cannot be written.
pub(crate) fn check_out(out: &Path) -> Result<(), Refusal> {
    let parent = out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if out.is_dir() {
        return Err(Refusal::usage(format!("--out {} is a folder; name a file in it", out.display())));
    }
    if !parent.is_dir() {
        return Err(Refusal::usage(format!(
            "--out {}: the folder {} does not exist",
            out.display(),
            parent.display()
        )));
    }
    Ok(())
}

/// Writes the result where the user wants it.
pub(crate) fn write_out(out: &Path, body: &[u8]) -> Result<(), Refusal> {
    std::fs::write(out, body).map_err(|error| cannot_write(out, &error))
}

/// Why the result is not where the user wants it.
pub(crate) fn cannot_write(path: &Path, error: &std::io::Error) -> Refusal {
    Refusal::undelivered(format!("cannot write {}: {error}", path.display()))
}
