//! Repairs pages: `repair OUT PAGE...` writes each under its name into the folder OUT, with the list of repairs beside
//! it as JSON, and one line for each page.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use jury_eye::Beside;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let folder = arguments.next().ok_or("usage: repair OUT PAGE...")?;
    std::fs::create_dir_all(&folder)?;
    let mut out = io::stdout().lock();
    for page in arguments {
        let text = String::from_utf8_lossy(&std::fs::read(&page)?).into_owned();
        let name = page.file_name().map(Path::new).ok_or("a page has no name")?;
        let spent = jury_eye::nanoseconds_spent();
        let repaired = jury_house::repair(&text, None, &Beside::nothing())?;
        let spent = (jury_eye::nanoseconds_spent() - spent) / 1_000_000;
        let open = |report: &jury_house::Report| report.findings.len();
        writeln!(
            out,
            "{} {} bytes, {} repairs, findings {} to {}, {spent} ms in the eye",
            name.display(),
            text.len(),
            repaired.repairs.len(),
            open(&repaired.before),
            open(&repaired.after),
        )?;
        std::fs::write(folder.join(name), &repaired.html)?;
        std::fs::write(folder.join(name).with_extension("json"), serde_json::to_vec_pretty(&repaired)?)?;
    }
    Ok(())
}
