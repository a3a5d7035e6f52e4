//! `jury critic init`: a file of criteria to edit, with everything that can stand in one.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use jury_core::critic::criteria::built_in;
use jury_core::critic::{Measure, Trigger};

use crate::cli::InitArgs;
use crate::criteria::{FOLDER, built_in_names, parse};
use crate::output::Output;
use crate::refusal::Refusal;

pub(super) fn init(args: InitArgs, output: Output) -> Result<u8, Refusal> {
    let Some(text) = built_in(&args.set) else {
        return Err(Refusal::usage(format!(
            "--set: there is no set '{}'; there are {}",
            args.set,
            built_in_names()
        )));
    };
    let name = args.name.unwrap_or_else(|| args.set.clone());
    let text = commented(&name, &args.set, text);
    // Whatever is written can be used: a name that cannot be one is refused here.
    parse(&text, "the new file")?;
    let path = args.out.unwrap_or_else(|| Path::new(FOLDER).join(format!("{name}.toml")));
    write_new(&path, &text)?;
    let given = if path == Path::new(FOLDER).join(format!("{name}.toml")) {
        name
    } else {
        path.display().to_string()
    };
    output.progress(&format!("edit it, then: jury critic run FILE --criteria {given}"));
    Output::result(&path.display().to_string());
    Ok(0)
}

fn write_new(path: &PathBuf, text: &str) -> Result<(), Refusal> {
    let fail = |error: std::io::Error| {
        if error.kind() == std::io::ErrorKind::AlreadyExists {
            Refusal::usage(format!("{} is there already; choose another name, or --out", path.display()))
        } else {
            Refusal::usage(format!("cannot write {}: {error}", path.display()))
        }
    };
    if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        std::fs::create_dir_all(parent).map_err(fail)?;
    }
    std::fs::File::create_new(path).and_then(|mut file| file.write_all(text.as_bytes())).map_err(fail)
}

/// The set under its new name, with what can be said of a criterion in front of it.
fn commented(name: &str, set: &str, text: &str) -> String {
    let measures: Vec<&str> = Measure::ALL.iter().map(|measure| measure.as_str()).collect();
    let triggers: Vec<&str> = Trigger::ALL.iter().map(|trigger| trigger.as_str()).collect();
    let text = text.replacen(&format!("name = \"{set}\""), &format!("name = \"{name}\""), 1);
    format!(
        "\
# Criteria for 'jury critic run FILE --criteria {name}'. It began as the built-in set '{set}'.
#
# cap: the most passes. [adversarial]: what the failure scenario of every pass tries; with a check, a command decides.
#
# Each [[criterion]] has an id (capital letters) and a question, and may have:
#   severity = \"high\" | \"medium\" | \"low\"     questions to a person come in this order
#   weight = 2                               how much it counts among those of the same severity
#   needs = \"opinion\" | \"measure\"            whether a critic is asked, or only what is measured counts
#   measure = \"…\"                            counted in the document itself:{measures}
#   check = [\"tool\", \"{{file}}\"]               a command whose output is evidence; {{file}} is the document
#   shell = \"tool {{file}} | wc -l\"            the same as a line for the shell
#   figures = {{ coverage = \"TOTAL * {{}}%\" }}   numbers in its output: {{}} is the number, * is anything
#   pass_when = {{ exit = 0, coverage = {{ min = 80 }} }}    bounds; a measure has 'checked' and 'affected'
#   timeout_seconds = 60
#   fix = [\"tool\", \"--fix\", \"{{file}}\"]        a command that repairs it, or fix_shell = \"…\"
#   escalate_when = [\"…\"]                    when a person is asked:{triggers}
#   default_answer = \"skip\"                  what --auto and a passed deadline answer; or the number of an option

{text}",
        measures = wrapped(&measures),
        triggers = wrapped(&triggers),
    )
}

/// Names over several lines of a comment.
fn wrapped(names: &[&str]) -> String {
    let lines: Vec<String> = names.chunks(5).map(|some| some.join(", ")).collect();
    format!("\n#     {}", lines.join(",\n#     "))
}
