//! The command line of templates: scores, selection, refinement, tests, guardrails.

use clap::{Args, Subcommand, ValueEnum};

use super::ListFormat;
use super::templates_reports::{AuditArgs, RetrospectiveArgs, WeeklyArgs};

#[derive(Debug, Args)]
pub(crate) struct TemplatesArgs {
    #[command(subcommand)]
    pub(crate) command: TemplatesCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TemplatesCommand {
    /// Score every template and agent by its feedback
    Score(ScoreArgs),
    /// Choose the template for a task, and say why
    Select(SelectArgs),
    /// Write variants of templates that do badly
    Refine(RefineArgs),
    /// Compare a template with its variants
    Ab(AbArgs),
    /// Ask or enforce what keeps the loop from running away
    Guardrails(GuardrailsArgs),
    /// Compare the runs before and after a day
    Retrospective(RetrospectiveArgs),
    /// Report on the week: templates, agents, patterns, tests, and what to do
    Weekly(WeeklyArgs),
    /// Ask every guardrail about every template
    Audit(AuditArgs),
}

#[derive(Debug, Args)]
pub(crate) struct ScoreArgs {
    /// Read every record again, also those that have not changed
    #[arg(long)]
    pub(crate) full: bool,
    /// Then decide the tests that can be decided, and take back promotions that did not hold
    #[arg(long)]
    pub(crate) apply: bool,
    /// How the scores are printed
    #[arg(long, value_enum, default_value_t = ListFormat::Human)]
    pub(crate) format: ListFormat,
}

#[derive(Debug, Args)]
pub(crate) struct SelectArgs {
    /// What is to be done
    #[arg(value_name = "TASK")]
    pub(crate) task: Option<String>,
    /// Let judgements count, calibrated or not
    #[arg(long, alias = "with-judges")]
    pub(crate) force_judges: bool,
    /// How the choice is printed
    #[arg(long, value_enum, default_value_t = ListFormat::Json)]
    pub(crate) format: ListFormat,
}

#[derive(Debug, Args)]
pub(crate) struct RefineArgs {
    /// Write the variants and begin a test of each
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) auto: bool,
    /// Say what would be done
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Let judgements count, calibrated or not
    #[arg(long, alias = "with-judges")]
    pub(crate) force_judges: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AbArgs {
    #[command(subcommand)]
    pub(crate) command: AbCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AbCommand {
    /// Begin a test of a variant
    Create(AbCreateArgs),
    /// Say which arm is to run next
    Pick(AbTemplateArgs),
    /// Count a run of an arm
    Record(AbRecordArgs),
    /// Decide the tests that can be decided
    Evaluate(AbEvaluateArgs),
    /// List all tests
    List(AbListArgs),
    /// List the promotions that wait for a person
    ReviewQueue(AbListArgs),
    /// Promote a variant that waits
    Approve(AbTemplateArgs),
}

#[derive(Debug, Args)]
pub(crate) struct AbCreateArgs {
    /// The template
    #[arg(value_name = "ORIGINAL")]
    pub(crate) original: String,
    /// Its variant
    #[arg(value_name = "VARIANT")]
    pub(crate) variant: String,
    /// The runs of each arm before the first look
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) target_runs: u64,
}

#[derive(Debug, Args)]
pub(crate) struct AbTemplateArgs {
    /// The template
    #[arg(value_name = "ORIGINAL")]
    pub(crate) template: String,
}

#[derive(Debug, Args)]
pub(crate) struct AbRecordArgs {
    /// The template
    #[arg(value_name = "ORIGINAL")]
    pub(crate) template: String,
    /// Which arm ran
    #[arg(value_enum, value_name = "ARM")]
    pub(crate) arm: ArmName,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ArmName {
    /// The template as it is
    Original,
    /// The one that might be better
    Variant,
}

#[derive(Debug, Args)]
pub(crate) struct AbEvaluateArgs {
    /// Decide by a difference of 0.1 between the scores, as the scripts before us did
    #[arg(long)]
    pub(crate) old_rule: bool,
    /// Let judgements count, calibrated or not
    #[arg(long, alias = "with-judges")]
    pub(crate) force_judges: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AbListArgs {
    /// How the list is printed
    #[arg(long, value_enum, default_value_t = ListFormat::Human)]
    pub(crate) format: ListFormat,
}

#[derive(Debug, Args)]
pub(crate) struct GuardrailsArgs {
    #[command(subcommand)]
    pub(crate) command: GuardrailsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GuardrailsCommand {
    /// Whether a template has too many variants under test
    CheckVariantLimit(GuardedArgs),
    /// End the oldest tests of a template that has too many
    EnforceVariantLimit(GuardedArgs),
    /// Whether so many runs are enough
    CheckSampleSize(SampleSizeArgs),
    /// Whether promotions should be taken back
    CheckRollback(MaybeGuardedArgs),
    /// Take back those that should be
    AutoRollback(MaybeGuardedArgs),
    /// Whether a variant may be promoted without a person
    CheckPromote(PromoteArgs),
    /// Which prompts of a template were run more than once
    CheckDuplicates(GuardedArgs),
    /// How many different prompts a template was run with
    CountUnique(GuardedArgs),
    /// Whether a template is refined again and again without getting better
    CheckRefinementLoop(GuardedArgs),
}

#[derive(Debug, Args)]
pub(crate) struct GuardedArgs {
    /// The template
    #[arg(value_name = "TEMPLATE")]
    pub(crate) template: String,
}

#[derive(Debug, Args)]
pub(crate) struct MaybeGuardedArgs {
    /// The template; without one, all that were promoted
    #[arg(value_name = "TEMPLATE")]
    pub(crate) template: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct SampleSizeArgs {
    /// How many runs there are
    #[arg(value_name = "RUNS")]
    pub(crate) runs: u64,
    /// What for
    #[arg(value_enum, value_name = "PURPOSE")]
    pub(crate) purpose: PurposeName,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PurposeName {
    /// A score
    Scoring,
    /// A change of the template
    Refinement,
}

#[derive(Debug, Args)]
pub(crate) struct PromoteArgs {
    /// The template
    #[arg(value_name = "ORIGINAL")]
    pub(crate) original: String,
    /// Its variant
    #[arg(value_name = "VARIANT")]
    pub(crate) variant: String,
    /// The score of the template
    #[arg(value_name = "ORIGINAL_SCORE")]
    pub(crate) original_score: f64,
    /// The score of the variant
    #[arg(value_name = "VARIANT_SCORE")]
    pub(crate) variant_score: f64,
}
