//! Measuring a page in a process of its own: the request on stdin, the figures on stdout. What the style engine takes
//! goes back to the system when the process ends, and a daemon stays as small as it was.

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use jury_core::evidence::Measurement;
use jury_house::Beside;
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;

/// How long a page may take at most; whoever waits for it gives up earlier.
const LIMIT: Duration = Duration::from_secs(15);

/// How much less of the machine the measuring gets than the runs: it is never what anybody waits for first.
const NICE: i32 = 19;

#[derive(Serialize, Deserialize)]
struct Request {
    page: String,
    design: Option<String>,
    #[serde(default, skip_serializing_if = "Beside::is_empty")]
    beside: Beside,
}

/// What lies beside the page of this run. A program that drives one run knows it from the start; others have none.
static BESIDE: OnceLock<Beside> = OnceLock::new();

/// Has pages measured with these files beside them from now on. The first ones count.
pub(crate) fn with(beside: &Beside) {
    BESIDE.get_or_init(|| beside.clone());
}

/// Measures what stdin asks for.
pub(crate) fn house_measure() -> Result<u8, Refusal> {
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL)).ok();
    rustix::process::nice(NICE).ok();
    std::thread::spawn(|| {
        std::thread::sleep(LIMIT);
        rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL).ok();
    });
    let mut request = String::new();
    std::io::stdin()
        .read_to_string(&mut request)
        .map_err(|error| Refusal::usage(format!("cannot read the request from stdin: {error}")))?;
    let request: Request = serde_json::from_str(&request)
        .map_err(|error| Refusal::usage(format!("the request on stdin is not one: {error}")))?;
    let measured = jury_house::measure_beside(&request.page, request.design.as_deref(), &request.beside)
        .map_err(|error| {
            let source = std::error::Error::source(&error).map(|source| format!(": {source}"));
            format!("{error}{}", source.unwrap_or_default())
        });
    let answer = serde_json::to_vec(&measured)
        .map_err(|error| Refusal::inconclusive(format!("cannot write the figures: {error}")))?;
    std::io::stdout()
        .write_all(&answer)
        .map_err(|error| Refusal::inconclusive(format!("cannot write the figures: {error}")))?;
    Ok(0)
}

/// Measures a page by asking this program to, as another process.
pub(crate) fn elsewhere(page: &str, design: Option<&str>) -> Result<Measurement, String> {
    let failed = |what: &str, error: &dyn std::fmt::Display| format!("{what}: {error}");
    let request = Request {
        page: page.to_owned(),
        design: design.map(ToOwned::to_owned),
        beside: BESIDE.get().cloned().unwrap_or_default(),
    };
    let request = serde_json::to_vec(&request).map_err(|error| failed("cannot write the request", &error))?;
    let program = std::env::current_exe().map_err(|error| failed("cannot find this program", &error))?;
    let mut child = Command::new(program)
        .arg("house-measure")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| failed("cannot start the measuring", &error))?;
    // It reads everything before it says anything. One that ends early says so by what it did not say.
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(&request).ok();
    }
    let output = child.wait_with_output().map_err(|error| failed("cannot hear the measuring", &error))?;
    let answer: Result<Measurement, String> = serde_json::from_slice(&output.stdout)
        .map_err(|_| format!("the measuring ended with {} and no figures", output.status))?;
    answer
}
