//! The built-in panel as an agent: the request on stdin, the transcript on stdout, like any other.

use std::io::{Read as _, Write as _};

use crate::refusal::Refusal;

pub(crate) fn house_agent() -> Result<u8, Refusal> {
    // The panel does not outlive the program that asked for it, however that ends.
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL)).ok();
    let mut request = String::new();
    std::io::stdin()
        .read_to_string(&mut request)
        .map_err(|error| Refusal::usage(format!("cannot read the request from stdin: {error}")))?;
    let request: jury_house::Request = serde_json::from_str(&request)
        .map_err(|error| Refusal::usage(format!("the request on stdin is not one: {error}")))?;
    let mut stdout = std::io::stdout().lock();
    jury_house::sit(&request, &mut stdout).map_err(|error| Refusal::inconclusive(error.to_string()))?;
    stdout.flush().map_err(|error| Refusal::inconclusive(format!("cannot write the transcript: {error}")))?;
    Ok(0)
}
