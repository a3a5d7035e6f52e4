//! `jury templates ab`: a template against its variants, decided by an interval.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jury_core::judge::{moment, written};
use jury_learning::ab::{self, AbDecision, AbStatus, AbTest, AbTests, Arm, Look, ReviewEntry, ReviewQueue};
use jury_learning::files::{LearningPaths, Templates, each_feedback, load, lock_scores, save};
use jury_learning::interval::Z_95;
use jury_learning::refine::{LogEntry, RefinementLog};
use jury_learning::{TemplateScores, TemplateTally, message};
use serde_json::json;

use super::promotion::{BLENDED, Compared, end, note_result, promote, retire};
use super::{WRONG, feedback_is_there, influence, is_on, learning_paths, named, scores, shown};
use crate::cli::{AbArgs, AbCommand, AbCreateArgs, AbListArgs, AbRecordArgs, ArmName, ListFormat};
use crate::clock;
use crate::output::Output;
use crate::refusal::Refusal;

pub(super) fn ab(args: AbArgs, output: Output) -> Result<u8, Refusal> {
    let paths = learning_paths()?;
    match args.command {
        AbCommand::Create(args) => create(&paths, &args),
        AbCommand::Pick(args) => pick(&paths, &args.template),
        AbCommand::Record(args) => record(&paths, &args),
        AbCommand::Evaluate(args) => {
            evaluate_all(&paths, args.old_rule, args.force_judges, clock::now()?, output)
        }
        AbCommand::List(args) => list(&paths, &args),
        AbCommand::ReviewQueue(args) => review_queue(&paths, &args),
        AbCommand::Approve(args) => approve(&paths, &args.template, output),
    }
}

fn tests(paths: &LearningPaths) -> Result<AbTests, Refusal> {
    Ok(load(&paths.ab_tests)?.unwrap_or_default())
}

/// Begins a test unless there is one of these two. The caller holds the lock. False when there is.
pub(super) fn begin(tests: &mut AbTests, test: AbTest) -> bool {
    let known =
        tests.tests.iter().any(|known| known.original == test.original && known.variant == test.variant);
    if !known {
        tests.tests.push(test);
    }
    !known
}

fn create(paths: &LearningPaths, args: &AbCreateArgs) -> Result<u8, Refusal> {
    let (original, variant) = (named(&args.original)?, named(&args.variant)?);
    if original == variant {
        return Err(Refusal::usage(format!("{original} cannot be compared with itself; name a variant")));
    }
    let now = clock::now()?;
    let _lock = lock_scores(paths)?;
    let mut tests = tests(paths)?;
    let test = AbTest::new(original.as_str(), variant.as_str(), args.target_runs, written(now));
    if !begin(&mut tests, test) {
        return Err(Refusal::usage(format!(
            "{original} and {variant} are compared already, or were; see 'jury templates ab list'"
        )));
    }
    save(&paths.ab_tests, &tests)?;
    Output::result(&format!(
        "Created: {original} vs {variant}, {} each",
        jury_core::line::counted(args.target_runs, "run", "runs")
    ));
    Ok(0)
}

fn pick(paths: &LearningPaths, template: &str) -> Result<u8, Refusal> {
    let mut tests = tests(paths)?;
    let picked = match tests.turn(template) {
        Some(test) => json!({
            "template": test.template(test.pick()), "ab_test": true,
            "original": test.original, "variant": test.variant,
        }),
        None => json!({"template": template, "ab_test": false}),
    };
    Output::result(&serde_json::to_string_pretty(&picked).unwrap_or_default());
    Ok(0)
}

fn record(paths: &LearningPaths, args: &AbRecordArgs) -> Result<u8, Refusal> {
    let _lock = lock_scores(paths)?;
    let mut tests = tests(paths)?;
    let Some(test) = tests.turn(&args.template) else {
        return Err(Refusal::usage(format!(
            "{} for {}",
            message::NO_ACTIVE_TESTS,
            printable(&args.template)
        )));
    };
    let arm = match args.arm {
        ArmName::Original => Arm::Original,
        ArmName::Variant => Arm::Variant,
    };
    test.record(arm);
    let line = format!(
        "Recorded {arm} of {} vs {}: {} and {}",
        test.original,
        test.variant,
        test.original_runs,
        jury_core::line::counted(test.variant_runs, "run", "runs")
    );
    save(&paths.ab_tests, &tests)?;
    Output::result(&line);
    Ok(0)
}

/// Which rule decides a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// The interval; where no run of either arm is known, there is only the file of scores, and the older rule.
    Usual,
    /// The interval, whatever is known.
    Interval,
    /// A difference of 0.1.
    Old,
}

impl Rule {
    fn read(old: bool) -> Result<Self, Refusal> {
        if old {
            return Ok(Self::Old);
        }
        let given = std::env::var("AB_RULE").unwrap_or_default();
        match given.trim() {
            "" => Ok(Self::Usual),
            "interval" => Ok(Self::Interval),
            "old" => Ok(Self::Old),
            other => Err(Refusal::usage(format!("AB_RULE: {other:?} is no rule; use interval or old"))),
        }
    }
}

/// What is known of both arms since a test began, and in all.
#[derive(Default)]
struct Arms {
    original: TemplateTally,
    variant: TemplateTally,
    known: bool,
}

/// Reads all feedback once for all active tests.
fn arms(paths: &LearningPaths, tests: &AbTests, output: Output) -> Result<Vec<Arms>, Refusal> {
    let mut arms: Vec<Arms> = tests.tests.iter().map(|_| Arms::default()).collect();
    let mut wanted: BTreeMap<&str, Vec<(usize, Arm)>> = BTreeMap::new();
    let active = |(_, test): &(usize, &AbTest)| test.status == AbStatus::Active;
    for (index, test) in tests.tests.iter().enumerate().filter(active) {
        for arm in [Arm::Original, Arm::Variant] {
            wanted.entry(test.template(arm)).or_default().push((index, arm));
        }
    }
    let since: Vec<Option<Timestamp>> = tests.tests.iter().map(|test| moment(&test.created_at)).collect();
    let left_out = each_feedback(paths, |line| {
        for (index, arm) in wanted.get(line.template.as_str()).into_iter().flatten() {
            let Some(both) = arms.get_mut(*index) else { continue };
            both.known = true;
            let began = since.get(*index).copied().flatten();
            if began.is_none_or(|began| line.at.is_some_and(|at| at >= began)) {
                match arm {
                    Arm::Original => both.original.add(line),
                    Arm::Variant => both.variant.add(line),
                }
            }
        }
    })?;
    for left_out in &left_out.named {
        output.note(&left_out.to_string());
    }
    Ok(arms)
}

/// Looks at every active test.
pub(super) fn evaluate_all(
    paths: &LearningPaths,
    old_rule: bool,
    force_judges: bool,
    now: Timestamp,
    output: Output,
) -> Result<u8, Refusal> {
    let rule = Rule::read(old_rule)?;
    let _lock = lock_scores(paths)?;
    let mut tests = tests(paths)?;
    if !tests.tests.iter().any(|test| test.status == AbStatus::Active) {
        Output::result(message::NO_ACTIVE_TESTS);
        return Ok(0);
    }
    let scores = scores(paths)?;
    let with_judges = influence(paths, scores.as_ref(), force_judges)?.counts();
    feedback_is_there(paths)?;
    let arms = arms(paths, &tests, output)?;
    let mut log: RefinementLog = load(&paths.refinement_log)?.unwrap_or_default();
    let mut queue: ReviewQueue = load(&paths.review_queue)?.unwrap_or_default();
    let gated = is_on("NO_AUTO_PROMOTE");
    let mut code = 0;
    // What was counted of them is about a template that is no more: their tests have begun anew.
    let mut replaced: Vec<String> = Vec::new();
    for (index, arms) in arms.iter().enumerate() {
        let test = &mut tests.tests[index];
        if test.status != AbStatus::Active || replaced.contains(&test.original) {
            continue;
        }
        let by_interval = rule == Rule::Interval || (rule == Rule::Usual && arms.known);
        let (verdict, line, compared) =
            if by_interval { look(test, arms, with_judges) } else { look_back(test, scores.as_ref()) };
        let name = if by_interval { "interval" } else { "old" };
        if rule == Rule::Usual && !by_interval && verdict != Verdict::Wait {
            output.note(&format!(
                "{} and {} have no feedback here: the scores were compared by the older rule",
                test.original, test.variant
            ));
        }
        match verdict {
            Verdict::Wait => Output::result(&line),
            Verdict::Discard => {
                end(test, AbDecision::Discarded, now);
                note_result(&mut log, test, AbDecision::Discarded, compared, name, now);
                retire(paths, &test.variant.clone())?;
                Output::result(&line);
            }
            Verdict::Promote if gated => {
                end(test, AbDecision::Gated, now);
                note_result(&mut log, test, AbDecision::Gated, compared, name, now);
                let waits = &test.variant;
                Output::result(&format!(
                    "Gated: {waits} over {} waits for review; approve it with 'jury templates ab approve {}'",
                    test.original, test.original
                ));
                queue.entries.push(waiting(test, compared, now));
            }
            Verdict::Promote => {
                let copy = test.clone();
                if promote(paths, &mut tests, index, now, output)? {
                    note_result(&mut log, &copy, AbDecision::Promoted, compared, name, now);
                    replaced.push(copy.original);
                    Output::result(&line);
                } else {
                    Output::say(&format!("Error: {}", missing(paths, &copy)?));
                    code = WRONG;
                    continue;
                }
            }
        }
        // Whatever comes next, what was decided is written down: a template may have been replaced already.
        save(&paths.ab_tests, &tests)?;
        if verdict != Verdict::Wait {
            save(&paths.refinement_log, &log)?;
        }
        if verdict == Verdict::Promote && gated {
            save(&paths.review_queue, &queue)?;
        }
    }
    Ok(code)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Wait,
    Promote,
    Discard,
}

/// By the interval of the difference over the runs since the test began.
fn look(test: &mut AbTest, arms: &Arms, with_judges: bool) -> (Verdict, String, Compared) {
    let found = ab::look(test, &arms.original, &arms.variant, with_judges);
    let judged = with_judges && arms.original.judged.count > 0 && arms.variant.judged.count > 0;
    let score =
        |tally: &TemplateTally| if judged { tally.blended(Z_95) } else { tally.mechanical(Z_95) }.value;
    let counted = AbTest {
        original_runs: arms.original.counts.scoreable,
        variant_runs: arms.variant.counts.scoreable,
        ..test.clone()
    };
    let verdict = match found {
        Look::NotReady { .. } => Verdict::Wait,
        Look::Undecided { .. } => {
            test.looks += 1;
            Verdict::Wait
        }
        Look::Promote { .. } => Verdict::Promote,
        Look::Discard { .. } => Verdict::Discard,
    };
    let compared = Compared {
        original: score(&arms.original),
        variant: score(&arms.variant),
        blended: judged,
        original_mechanical: arms.original.mechanical(Z_95).value,
    };
    (verdict, found.line(&counted), compared)
}

/// By the scores alone, as the scripts before us did.
fn look_back(test: &AbTest, scores: Option<&TemplateScores>) -> (Verdict, String, Compared) {
    let (original, variant) = (&test.original, &test.variant);
    let score = |name: &str| {
        let known = scores.into_iter().flat_map(|scores| &scores.templates);
        known.filter(|score| score.template == name).map(|score| score.score).next()
    };
    let enough = test.original_runs.min(test.variant_runs) >= test.target_runs;
    let (Some(was), Some(is)) = (score(original), score(variant)) else {
        let line = format!("{original} vs {variant}: not ready, no scores of both");
        return (Verdict::Wait, line, Compared::mechanical(0.0, 0.0));
    };
    let compared = Compared::mechanical(was, is);
    let difference = ((is - was) * 1e3).round() / 1e3;
    if !enough {
        let line = Look::NotReady { runs: test.target_runs }.line(test);
        (Verdict::Wait, line, compared)
    } else if ab::old_rule(was, is) {
        let line = format!("Promoted {variant} over {original}: the score is higher by {difference}");
        (Verdict::Promote, line, compared)
    } else {
        let line = format!("Discarded {variant}: the score differs by {difference}, and 0.1 is needed");
        (Verdict::Discard, line, compared)
    }
}

fn waiting(test: &AbTest, compared: Compared, now: Timestamp) -> ReviewEntry {
    let (was, is) = (compared.original, compared.variant);
    let four = |score: f64| (score * 1e4).round() / 1e4;
    ReviewEntry {
        original: test.original.clone(),
        variant: test.variant.clone(),
        original_score: four(was),
        variant_score: four(is),
        score_diff: four(is - was),
        status: "pending".to_owned(),
        queued_at: written(now),
        resolved_at: None,
    }
}

/// A variant that should be promoted and is not there: nothing is decided without it.
fn missing(paths: &LearningPaths, test: &AbTest) -> Result<String, Refusal> {
    let file = Templates::new(paths).file(&named(&test.variant)?);
    Ok(format!(
        "{} vs {} stays undecided: {} not found; put it back, or discard the test",
        test.original,
        test.variant,
        shown(&file)
    ))
}

fn approve(paths: &LearningPaths, template: &str, output: Output) -> Result<u8, Refusal> {
    let now = clock::now()?;
    let _lock = lock_scores(paths)?;
    let mut queue: ReviewQueue = load(&paths.review_queue)?.unwrap_or_default();
    let waits = |entry: &&mut ReviewEntry| entry.original == template && entry.status == "pending";
    let Some(entry) = queue.entries.iter_mut().rev().find(waits) else {
        Output::say(&format!("Error: no promotion of {} waits for review", printable(template)));
        return Ok(WRONG);
    };
    let mut tests = tests(paths)?;
    let found = tests.tests.iter().rposition(|test| {
        test.original == entry.original
            && test.variant == entry.variant
            && test.decision == Some(AbDecision::Gated)
    });
    let index = found.unwrap_or_else(|| {
        // The queue outlived its test: the decision is written down all the same.
        tests.tests.push(AbTest::new(&entry.original, &entry.variant, ab::TARGET_RUNS, written(now)));
        tests.tests.len() - 1
    });
    let test = tests.tests[index].clone();
    if !promote(paths, &mut tests, index, now, output)? {
        return Err(Refusal::usage(missing(paths, &test)?));
    }
    "approved".clone_into(&mut entry.status);
    entry.resolved_at = Some(written(now));
    let mut log: RefinementLog = load(&paths.refinement_log)?.unwrap_or_default();
    let compared = compared_then(&log, entry);
    note_result(&mut log, &test, AbDecision::Promoted, compared, "approved", now);
    save(&paths.ab_tests, &tests)?;
    save(&paths.refinement_log, &log)?;
    save(&paths.review_queue, &queue)?;
    Output::result(&format!("Promoted {} over {}: approved", test.variant, test.original));
    Ok(0)
}

/// What was compared when this entry began to wait: the log says which scores they are.
fn compared_then(log: &RefinementLog, entry: &ReviewEntry) -> Compared {
    let scores = Compared::mechanical(entry.original_score, entry.variant_score);
    let noted = log.entries.iter().rev().find_map(|noted| match noted {
        LogEntry::Other(noted)
            if noted["original"] == entry.original.as_str()
                && noted["variant"] == entry.variant.as_str()
                && noted["decision"] == AbDecision::Gated.as_str() =>
        {
            Some(noted)
        }
        LogEntry::Refined(_) | LogEntry::Other(_) => None,
    });
    noted.map_or(scores, |noted| Compared {
        blended: noted["compared"] == BLENDED,
        original_mechanical: noted["original_mechanical"].as_f64().unwrap_or(entry.original_score),
        ..scores
    })
}

fn list(paths: &LearningPaths, args: &AbListArgs) -> Result<u8, Refusal> {
    let tests = tests(paths)?;
    match args.format {
        ListFormat::Json => Output::result(&serde_json::to_string_pretty(&tests).unwrap_or_default()),
        ListFormat::Human if tests.tests.is_empty() => Output::result(message::NO_TESTS),
        ListFormat::Human => {
            let lines: Vec<String> = tests.tests.iter().map(line).collect();
            Output::result(&lines.join("\n"));
        }
    }
    Ok(0)
}

fn line(test: &AbTest) -> String {
    let decision = test.decision.map_or(String::new(), |decision| format!(" ({decision})"));
    format!(
        "{} vs {}: {}{decision}, {} and {} of {}, since {}",
        printable(&test.original),
        printable(&test.variant),
        test.status,
        test.original_runs,
        test.variant_runs,
        jury_core::line::counted(test.target_runs, "run", "runs"),
        printable(&test.created_at)
    )
}

fn review_queue(paths: &LearningPaths, args: &AbListArgs) -> Result<u8, Refusal> {
    let queue: ReviewQueue = load(&paths.review_queue)?.unwrap_or_default();
    match args.format {
        ListFormat::Json => Output::result(&serde_json::to_string_pretty(&queue).unwrap_or_default()),
        ListFormat::Human if queue.entries.is_empty() => Output::result("No promotions wait for review"),
        ListFormat::Human => {
            let lines = queue.entries.iter().map(|entry| {
                format!(
                    "{}: {} ({}) over {} ({}), since {}",
                    printable(&entry.status),
                    printable(&entry.variant),
                    entry.variant_score,
                    printable(&entry.original),
                    entry.original_score,
                    printable(&entry.queued_at)
                )
            });
            Output::result(&lines.collect::<Vec<_>>().join("\n"));
        }
    }
    Ok(0)
}

fn printable(text: &str) -> String {
    crate::render::printable(text, 80)
}
