//! Pages that were checked, as people and programs get to see them. Page by page: a long batch is not kept in memory.

pub(crate) mod explain;
mod github;
mod human;
mod json;
mod junit;
mod review;
mod sarif;
pub(crate) mod table;
pub(crate) mod watch;

use jury_core::report::{Report, markdown};
use jury_house::ReportedFinding;

use crate::cli::Format;
use crate::command::check::{Bar, Checked, Totals};
use crate::output::Output;
use crate::render::critic::counted;

/// What is printed of each page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shown {
    /// The most findings, if somebody said.
    pub(crate) most: Option<usize>,
    pub(crate) bar: Bar,
}

impl Shown {
    /// How many findings of one page are shown; `usual` when nobody said.
    fn most(self, usual: usize) -> usize {
        match self.most {
            None => usual,
            Some(0) => usize::MAX,
            Some(most) => most,
        }
    }
}

/// Prints pages as they come, then what they come to.
pub(crate) struct Printer {
    form: Form,
    shown: Shown,
    output: Output,
}

enum Form {
    Human,
    Json { first: bool },
    Sarif(sarif::Log),
    Junit(Vec<(String, String)>),
    Github,
    Markdown,
    Html(Vec<Report>),
}

impl Printer {
    pub(crate) fn new(format: Format, shown: Shown, output: Output) -> Self {
        let form = match format {
            Format::Human => Form::Human,
            Format::Json => Form::Json { first: true },
            Format::Sarif => Form::Sarif(sarif::Log::default()),
            Format::Junit => Form::Junit(Vec::new()),
            Format::Github => Form::Github,
            Format::Markdown => Form::Markdown,
            Format::Html => Form::Html(Vec::new()),
            // The command line takes neither for pages.
            Format::Text | Format::Opus => Form::Human,
        };
        Self { form, shown, output }
    }

    pub(crate) fn begin(&self) {
        if matches!(self.form, Form::Json { .. }) {
            Output::result(json::BEGIN);
        }
    }

    pub(crate) fn page(&mut self, page: &Checked) {
        match &mut self.form {
            Form::Human => {
                Output::result(&human::page(page, self.shown, self.output));
            }
            Form::Json { first } => {
                Output::result(&json::page(page, self.shown, *first));
                *first = false;
            }
            Form::Sarif(log) => log.page(page, self.shown),
            Form::Junit(cases) => cases.push(junit::page(page, self.shown)),
            Form::Github => {
                let text = github::page(page, self.shown);
                if !text.is_empty() {
                    Output::result(&text);
                }
            }
            Form::Markdown => {
                Output::result(&format!("{}\n", markdown::summary(&review::of(page, self.shown))));
            }
            Form::Html(pages) => pages.push(review::of(page, self.shown)),
        }
    }

    /// What they come to, and what else there is to say about the baseline.
    pub(crate) fn end(self, totals: &Totals, aftermath: &[String]) {
        // The other formats have no place for it.
        let told = matches!(
            self.form,
            Form::Sarif(_) | Form::Junit(_) | Form::Github | Form::Markdown | Form::Html(_)
        );
        let text = match self.form {
            Form::Human => human::summary(totals, aftermath, self.output),
            Form::Json { .. } => json::end(totals, aftermath),
            Form::Sarif(log) => log.document(totals),
            Form::Junit(cases) => junit::document(&cases),
            Form::Github => github::summary(totals),
            Form::Markdown => format!("**{}**\n\n{NOT_JUDGED}", verdict(totals)),
            Form::Html(pages) => jury_core::report::page::several(&verdict(totals), NOT_JUDGED, &pages),
        };
        Output::result(&text);
        if told {
            for line in aftermath {
                self.output.note(line);
            }
        }
    }
}

/// The line of the first place, for formats that have one.
fn line(found: &ReportedFinding) -> Option<u32> {
    found.places.iter().find_map(|place| place.line).and_then(|line| u32::try_from(line).ok())
}

/// What is wrong, with its id, how often, and in which window.
fn sentence(found: &ReportedFinding) -> String {
    let mut text = found.what.clone();
    if let Some(window) = found.viewport {
        text = format!("{text} (at {}x{})", window.width, window.height);
    }
    format!("{text} [{}]", found.id)
}

/// What happened on the whole, in one line.
fn verdict(totals: &Totals) -> String {
    let pass = if totals.pages == 1 { "passes" } else { "pass" };
    let mut parts = vec![format!("{} of {} {pass}", totals.passed, pages(totals.pages))];
    for (count, what) in [
        (totals.failed, if totals.failed == 1 { "fails" } else { "fail" }),
        (totals.partial, "seen in part only"),
        (totals.unmeasured, "not measured"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    parts.join(", ")
}

pub(crate) fn pages(number: usize) -> String {
    counted(number, "page", "pages")
}

pub(crate) fn findings(number: usize) -> String {
    counted(number, "finding", "findings")
}

/// What no figure here speaks about, as every report says it.
pub(crate) const NOT_JUDGED: &str = jury_house::NOT_JUDGED;
