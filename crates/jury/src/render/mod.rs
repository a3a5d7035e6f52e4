//! What people and other programs get to see of a run.

pub(crate) mod github;
pub(crate) mod human;
pub(crate) mod junit;
mod progress;
pub(crate) mod sarif;

pub(crate) use jury_core::report::{Case, CaseFinding, json, markdown};
pub(crate) use progress::Progress;

use std::path::Path;

use jury_core::record::Record;

/// The case of a run that is kept in this folder.
pub(crate) fn case(records: &[Record], dir: &Path) -> Case {
    let mut case = Case::new(records);
    let final_body = dir.join("artifacts").join(case.artifact_id.to_string()).join("final.html");
    case.artifact = (case.hands_over() && final_body.is_file()).then(|| final_body.display().to_string());
    case
}
