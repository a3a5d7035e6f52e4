//! `jury label`: what a person says about a run.

use jury_core::judge::{Bead, Dimensions, JudgeVerdict};
use jury_core::line;
use jury_learning::calibration::Label;
use jury_learning::files::judgement::newest;
use jury_learning::files::{LearningPaths, append_label, feedback_of};

use super::critic::name_of_user;
use super::templates::learning_paths;
use crate::cli::{Global, LabelArgs, VerdictName};
use crate::clock;
use crate::output::Output;
use crate::refusal::Refusal;

/// The longest note, in characters.
const LONGEST_NOTE: usize = 4000;
/// The longest name of a person.
const LONGEST_NAME: usize = 100;

pub(crate) async fn label(args: LabelArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    let paths = learning_paths()?;
    let dimensions = marks(&args)?;
    let verdict = match args.verdict {
        VerdictName::Pass => JudgeVerdict::Pass,
        VerdictName::Partial => JudgeVerdict::Partial,
        VerdictName::Fail => JudgeVerdict::Fail,
    };
    let rater =
        args.by.map(|by| by.trim().to_owned()).filter(|by| !by.is_empty()).unwrap_or_else(name_of_user);
    let note = args.note.unwrap_or_default();
    if rater.chars().count() > LONGEST_NAME || rater.chars().any(char::is_control) {
        return Err(Refusal::usage(format!("--by: a name is one line of at most {LONGEST_NAME} characters")));
    }
    if note.chars().count() > LONGEST_NOTE {
        return Err(Refusal::usage(format!("--note: a note has at most {LONGEST_NOTE} characters")));
    }
    let bead = run(&paths, &args.run, global).await?;
    let label = Label { bead, rater, verdict, dimensions, at: clock::now()?, note };
    append_label(&paths, &label)?;
    output.progress(&format!("{} is labelled {} by {}", label.bead, label.verdict, label.rater));
    if let Some(marks) = dimensions
        && marks.verdict() != verdict
    {
        output.note(&format!("the marks by themselves would be a {}", marks.verdict()));
    }
    Ok(0)
}

/// All four marks, or none.
fn marks(args: &LabelArgs) -> Result<Option<Dimensions>, Refusal> {
    let given = [args.correctness, args.scope_adherence, args.code_quality, args.completeness];
    if let Some(mark) = given.iter().flatten().find(|mark| !(0.0..=1.0).contains(*mark)) {
        return Err(Refusal::usage(format!("{mark} is no mark: a mark lies between 0 and 1")));
    }
    match given {
        [None, None, None, None] => Ok(None),
        [Some(correctness), Some(scope_adherence), Some(code_quality), Some(completeness)] => {
            Ok(Some(Dimensions { correctness, scope_adherence, code_quality, completeness }))
        }
        _ => Err(Refusal::usage(
            "give all four marks or none: --correctness, --scope-adherence, --code-quality, --completeness",
        )),
    }
}

/// The bead of a run: by its name, or by the id of the run that judged it.
async fn run(paths: &LearningPaths, given: &str, global: &Global) -> Result<Bead, Refusal> {
    if let Ok(bead) = given.parse::<Bead>()
        && (newest(&paths.judgements, &bead)?.value.is_some() || feedback_of(paths, &bead)?.is_some())
    {
        return Ok(bead);
    }
    if let Some(bead) = judged_by(given, global).await {
        return Ok(bead);
    }
    let shown = line::cut(given, 80);
    Err(Refusal::usage(format!(
        "no run {shown:?}: neither feedback in {} nor a judgement in {}; collect or judge it first",
        paths.feedback.display(),
        paths.judgements.display()
    )))
}

/// The bead that a run of the judge was about. Its title is the bead.
async fn judged_by(given: &str, global: &Global) -> Option<Bead> {
    let store = super::open_to_read(global).await.ok()?;
    let run = store.find_run(given).await.ok()?;
    let row = store.run(run).await.ok()??;
    (row.workflow.as_str() == "judge").then(|| row.title.parse().ok()).flatten()
}
