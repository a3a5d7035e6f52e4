//! The rules of the judge, where they lie in the repository that is judged: whoever is judged could write them. So they
//! count as they are in the commit that the work is compared with.

use std::path::{Path, PathBuf};

use jury_agents::prompt::JudgeTemplate;
use jury_core::judge::RunRecord;
use tokio_util::sync::CancellationToken;

use super::context::{CaseError, RULES, Sources, place};
use super::file;
use super::git::Repository;

/// The templates of the judge, in the folder of the user's templates.
const TEMPLATES: [&str; 3] = ["judge.md.j2", "judge_case.md.j2", "judge_repair.md.j2"];

/// The templates, with the user's own rules if there are any. Those in the judged repository are those of the base.
pub(super) async fn template(
    sources: &Sources,
    record: &RunRecord,
    notes: &mut Vec<String>,
    interrupt: &CancellationToken,
) -> Result<JudgeTemplate, CaseError> {
    let (dir, ceiling) = place(sources, record)?.ok().unzip();
    let top = dir.as_deref().and_then(top);
    let judged = top.as_deref().zip(ceiling);
    let base = sources.base.as_deref().or(record.base_ref.as_deref());
    let repository = judged.as_ref().map(|(top, ceiling)| Repository {
        dir: top,
        ceiling: ceiling.as_deref(),
        scratch: &sources.scratch,
        interrupt,
    });
    let template = match &sources.prompts {
        Some(folder) => {
            if let (Some(repository), Some(top)) = (&repository, &top) {
                let checked = check_templates(repository, top, base, folder).await;
                checked.map_err(CaseError::Unreadable)?;
            }
            JudgeTemplate::load(folder)?
        }
        None => JudgeTemplate::built_in(),
    };
    // A template that cannot be used is found out now and not when an answer must be repaired.
    template.repair("", "", &[])?;
    let own = sources.workspace.join(RULES);
    if own.symlink_metadata().is_err() {
        return Ok(template);
    }
    let path = top.as_deref().and_then(|top| within(top, &sources.workspace, RULES));
    let read = match (&repository, path) {
        (Some(repository), Some(path)) => match repository.at_base(base, &path).await {
            Ok(Some(text)) => Ok((text, 0)),
            Ok(None) => {
                notes.push(format!(
                    "{RULES} lies in the judged repository and is not in the base of the work: the built-in rules are used"
                ));
                return Ok(template);
            }
            Err(why) => {
                notes.push(format!(
                    "{RULES} cannot be read from the base, the built-in rules are used: {why}"
                ));
                return Ok(template);
            }
        },
        _ => file::prompt(&own, true),
    };
    match read {
        Ok((text, 0)) if !text.trim().is_empty() => Ok(template.with_rules(text.trim_end().to_owned())),
        Ok((_, 0)) => {
            notes.push(format!("{RULES} is empty: the built-in rules are used"));
            Ok(template)
        }
        Ok(_) => Err(CaseError::Unreadable(format!("{} is too large to be rules", own.display()))),
        Err(why) => Err(CaseError::Unreadable(format!("{}: {why}", own.display()))),
    }
}

/// The top of the tree that a folder belongs to. Git is not asked: its answer is a setting of the repository.
fn top(dir: &Path) -> Option<PathBuf> {
    let dir = dir.canonicalize().ok()?;
    dir.ancestors().find(|place| place.join(".git").symlink_metadata().is_ok()).map(Path::to_owned)
}

/// The path of a file within a tree, as it is named or as it is once links are followed; none if it lies elsewhere.
fn within(top: &Path, folder: &Path, name: &str) -> Option<String> {
    let named = folder.canonicalize().ok()?.join(name);
    let real = named.canonicalize().ok();
    let inside = |path: &Path| path.strip_prefix(top).ok()?.to_str().map(ToOwned::to_owned);
    // A folder of the path may be a link out of the tree, and the link is in the tree.
    inside(&folder.join(name)).or_else(|| inside(&named)).or_else(|| real.as_deref().and_then(inside))
}

/// Whether the templates in this folder are those of the base, as far as they lie in the judged tree. An error is one line.
async fn check_templates(
    repository: &Repository<'_>,
    top: &Path,
    base: Option<&str>,
    folder: &Path,
) -> Result<(), String> {
    for name in TEMPLATES {
        let place = folder.join(name);
        let Some(path) = within(top, folder, name) else { continue };
        let here = match file::prompt(&place, true) {
            Ok((text, _)) => Some(text),
            Err(_) if place.symlink_metadata().is_err() => None,
            Err(why) => return Err(format!("{}: {why}", place.display())),
        };
        let there = repository.at_base(base, &path).await.unwrap_or(None);
        if here.is_some() && here.map(|text| plain(&text)) != there.map(|text| plain(&text)) {
            return Err(format!(
                "{} lies in the judged repository and is not as in the base of the work; judge from another folder",
                place.display()
            ));
        }
    }
    Ok(())
}

fn plain(text: &str) -> String {
    text.replace("\r\n", "\n")
}
