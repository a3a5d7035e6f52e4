//! `jury critic run`: a document and criteria in, a verdict out.

use std::path::Path;

use jury_core::critic::criteria::HIGHEST_CAP;
use jury_core::critic::{CriteriaSet, CriticRequest, Fixer};
use jury_core::id::{AgentId, ArtifactId, ProjectId, RunId};
use jury_core::unit::Bytes;
use jury_engine::CriticJob;
use uuid::Uuid;

use super::drive::{Driver, answer_overdue, cast};
use crate::cli::{CriticRunArgs, Global};
use crate::command::run::INTERRUPTED;
use crate::criteria;
use crate::document::{self, Given};
use crate::gate::Gate;
use crate::output::Output;
use crate::refusal::Refusal;
use crate::settings::{self, Settings};

/// The largest document: it goes into a prompt whole.
const LARGEST: Bytes = Bytes(1024 * 1024);

pub(super) async fn run(args: CriticRunArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    let settings = settings::load(std::collections::BTreeMap::new())?;
    let set = set(&args)?;
    refuse_combinations(&args)?;
    let gate = Gate::read(&args.show.gate)?;
    // Everything that can be refused is, before the first run begins.
    let project: ProjectId =
        args.project.parse().map_err(|error| Refusal::usage(format!("--project: {error}")))?;
    let mut jobs = Vec::with_capacity(args.files.len());
    for file in &args.files {
        jobs.push(job(file, &args, set.clone(), project.clone(), &settings)?);
    }
    let store = crate::command::open_to_write(global, output).await?;
    answer_overdue(&store, output).await?;
    let asks = !args.show.no_input && super::answer::somebody_is_there();
    let driver = Driver { store: &store, settings: &settings, output, asks };
    let guard = crate::reaper::post();
    let mut worst = 0;
    for job in jobs {
        let run = job.run;
        driver.begin(job).await?;
        let code = driver.finish(run, &args.keep, &gate, args.show.format).await?;
        worst = worst.max(code);
        if code == INTERRUPTED {
            break;
        }
    }
    drop(guard);
    // The verdict is out and on disk; a store that does not close tidily cannot change it.
    store.close().await.ok();
    Ok(worst)
}

fn set(args: &CriticRunArgs) -> Result<CriteriaSet, Refusal> {
    let mut set = criteria::load(&args.criteria)?.set;
    if let Some(most) = args.max_passes {
        if !(1..=HIGHEST_CAP).contains(&most) {
            return Err(Refusal::usage(format!(
                "--max-passes is {most}: a whole number from 1 to {HIGHEST_CAP}"
            )));
        }
        set.cap = most;
    }
    Ok(set)
}

fn refuse_combinations(args: &CriticRunArgs) -> Result<(), Refusal> {
    if let Some(out) = &args.keep.out {
        document::check_out(out)?;
    }
    let stdin = args.files.iter().any(|file| document::is_stdin(file));
    if args.keep.write && stdin {
        return Err(Refusal::usage("--write needs a file to replace; with stdin use --out"));
    }
    if args.files.len() > 1 && (args.show.format.is_one_document() || args.keep.out.is_some() || stdin) {
        return Err(Refusal::usage(
            "several files go with --format human, text, markdown or github and without --out and stdin; run them one by one",
        ));
    }
    Ok(())
}

/// The run of one document.
fn job(
    file: &Path,
    args: &CriticRunArgs,
    set: CriteriaSet,
    project: ProjectId,
    settings: &Settings,
) -> Result<CriticJob, Refusal> {
    let Given { title, shown, bytes } =
        document::read(file, "document", LARGEST, "split it, or review its parts one by one")?;
    if let Err(error) = std::str::from_utf8(&bytes) {
        let at = error.valid_up_to();
        return Err(Refusal::usage(format!("{shown} is not UTF-8 from byte {at} on; convert it first")));
    }
    let request = CriticRequest {
        file: place(file)?,
        agent: agent(args)?,
        model: args.model.clone(),
        fixer: fixer(args),
        auto: args.auto,
        release: args.release.clone(),
        answer_within: args.answer_within.as_deref().map(seconds).transpose()?,
        step_seconds: args.step_timeout,
        total_seconds: args.timeout,
        max_cost_usd: args.max_cost,
        max_tokens: args.max_tokens,
        set,
    };
    let cast = cast(&request, settings)?;
    let (run, artifact) = (RunId(Uuid::now_v7()), ArtifactId(Uuid::now_v7()));
    Ok(CriticJob { run, project, artifact, title, request, document: bytes, cast })
}

/// Who the critic is. The house measures and has no opinions: it stands for nobody.
fn agent(args: &CriticRunArgs) -> Result<Option<AgentId>, Refusal> {
    let agent: AgentId = args.agent.parse().map_err(|error| Refusal::usage(format!("--agent: {error}")))?;
    if agent != AgentId::house() {
        return Ok(Some(agent));
    }
    if args.model.is_some() {
        return Err(Refusal::usage("--model does not go with the house, which measures and has no model"));
    }
    Ok(None)
}

fn fixer(args: &CriticRunArgs) -> Fixer {
    if args.no_fix {
        Fixer::Nobody
    } else if args.agent == AgentId::house().as_str() {
        Fixer::Commands
    } else {
        Fixer::Agent
    }
}

/// Where the document is, whoever asks and from where.
fn place(file: &Path) -> Result<String, Refusal> {
    let file = if document::is_stdin(file) { Path::new("stdin") } else { file };
    let whole = std::fs::canonicalize(file).or_else(|_| std::path::absolute(file));
    let whole =
        whole.map_err(|error| Refusal::usage(format!("cannot tell where {} is: {error}", file.display())))?;
    whole
        .into_os_string()
        .into_string()
        .map_err(|path| Refusal::usage(format!("the path {} is not UTF-8", Path::new(&path).display())))
}

/// A time such as `90m`, `12h` or `3d`.
fn seconds(text: &str) -> Result<u64, Refusal> {
    let wrong = || {
        Refusal::usage(format!(
            "--answer-within is '{text}': it must be a number and one of s, m, h, d, such as 3d"
        ))
    };
    let unit = text.chars().last().ok_or_else(wrong)?;
    let factor = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        'd' => 24 * 3600,
        _ => return Err(wrong()),
    };
    let number: u32 = text.strip_suffix(unit).unwrap_or_default().parse().map_err(|_| wrong())?;
    if number == 0 { Err(wrong()) } else { Ok(u64::from(number) * factor) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_a_number_and_a_unit() {
        for (text, wanted) in [("3d", 259_200), ("12h", 43_200), ("90m", 5400), ("5s", 5)] {
            assert_eq!(seconds(text).ok(), Some(wanted), "{text}");
        }
        for bad in ["", "d", "3", "0d", "-1d", "3w", "1.5h", "3 d", "4294967296s", "3é"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
