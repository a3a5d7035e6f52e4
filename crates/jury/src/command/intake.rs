//! How what is asked for over HTTP becomes a request: names are looked up here, and texts are kept in files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jury_core::artifact::Digest;
use jury_core::critic::criteria::HIGHEST_CAP;
use jury_core::critic::{CriticRequest, Fixer};
use jury_core::id::AgentId;
use jury_core::judge::JudgeRequest;
use jury_core::judge::settings::JudgeCall;
use jury_core::legible::has_words;
use jury_core::request::BadRequest;
use jury_learning::files::LearningPaths;
use jury_server::{CriticStart, Intake, JudgeStart};
use jury_store::file::{read_whole, write_whole};

use crate::criteria;
use crate::refusal::Refusal;
use crate::settings;

/// What a document is called if nobody says.
const TITLE: &str = "document.md";

/// The longest name of a document.
const LONGEST_TITLE_BYTES: usize = 120;

/// The largest document: it goes into a prompt whole.
const LARGEST_DOCUMENT_BYTES: usize = 1024 * 1024;

/// The folder of texts that were given, in the data directory.
const GIVEN: &str = "given";

/// Looks names up in the folder of the daemon.
pub(super) struct DaemonIntake {
    learning: LearningPaths,
    given: PathBuf,
}

impl DaemonIntake {
    pub(super) fn new(learning: LearningPaths, data_dir: &Path) -> Self {
        Self { learning, given: data_dir.join(GIVEN) }
    }

    /// Keeps a text under its digest: the same text is the same file, whoever gives it.
    fn keep(&self, field: &'static str, text: Option<&String>) -> Result<Option<String>, BadRequest> {
        let Some(text) = text else { return Ok(None) };
        let path = self.given.join(Digest::of(text.as_bytes()).to_string());
        let kept = read_whole(&path).and_then(|there| match there {
            Some(there) if there == text.as_bytes() => Ok(()),
            Some(_) | None => write_whole(&path, text.as_bytes()),
        });
        kept.map_err(|error| bad(field, format!("it cannot be kept: {error}")))?;
        shown(field, &path).map(Some)
    }
}

impl Intake for DaemonIntake {
    fn critic(&self, start: CriticStart) -> Result<CriticRequest, BadRequest> {
        if !has_words(&start.document) {
            return Err(bad("document", "has no words; give its text".to_owned()));
        }
        if start.document.len() > LARGEST_DOCUMENT_BYTES {
            return Err(bad("document", format!("is longer than {LARGEST_DOCUMENT_BYTES} bytes; split it")));
        }
        let title = start.title.unwrap_or_else(|| TITLE.to_owned());
        // Checks run on a file of this name beside the others: it must not lead anywhere else.
        let is_name = Path::new(&title).file_name().is_some_and(|name| name == title.as_str());
        if !is_name || title.starts_with('.') || title.len() > LONGEST_TITLE_BYTES {
            return Err(bad("title", format!("{title:?} is no name of a file, such as plan.md")));
        }
        // A path would let whoever asks name the programs that are run.
        let is_word = start.criteria.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        if !is_word {
            return Err(bad("criteria", "must be the name of a set, not a path".to_owned()));
        }
        let mut set = criteria::load(&start.criteria).map_err(|refusal| bad_by("criteria", refusal))?.set;
        if let Some(most) = start.max_passes {
            if !(1..=HIGHEST_CAP).contains(&most) {
                return Err(bad("maxPasses", format!("must be from 1 to {HIGHEST_CAP}")));
            }
            set.cap = most;
        }
        let agent = start.agent.filter(|agent| *agent != AgentId::house());
        if agent.is_none() && start.model.is_some() {
            return Err(bad("model", "does not go with the house, which measures and has none".to_owned()));
        }
        let file = std::path::absolute(&title).map_err(|error| bad("title", error.to_string()))?;
        Ok(CriticRequest {
            file: shown("title", &file)?,
            set,
            fixer: match (start.fix, &agent) {
                (Some(false), _) => Fixer::Nobody,
                (_, Some(_)) => Fixer::Agent,
                (_, None) => Fixer::Commands,
            },
            agent,
            model: start.model,
            auto: start.auto,
            release: start.release,
            answer_within: start.answer_within,
            step_seconds: None,
            total_seconds: None,
            max_cost_usd: start.max_cost_usd,
            max_tokens: start.max_tokens,
        })
    }

    fn judge(&self, start: JudgeStart) -> Result<JudgeRequest, BadRequest> {
        let agents: Vec<&str> = start.agents.iter().map(AgentId::as_str).collect();
        let mut flags = BTreeMap::new();
        for (name, value) in [
            ("JUDGE_AGENT", (!agents.is_empty()).then(|| agents.join(","))),
            ("JUDGE_MODEL", start.model.clone()),
            ("JUDGE_MODE", start.mode.clone()),
        ] {
            flags.extend(value.map(|value| (name, value)));
        }
        let (own, mut given) = settings::judge(flags).map_err(|refusal| bad_by("mode", refusal))?;
        let mode = own.mode_of(JudgeCall::with(start.mode.as_deref(), start.model.as_deref(), &agents));
        // Settings may have changed when its turn comes.
        given.insert("JUDGE_MODE".to_owned(), mode.to_string());
        let root = given.get("JUDGE_REPO_ROOT").map(|root| self.learning.workspace.join(root));
        let record =
            serde_json::to_string(&start.record).map_err(|error| bad("record", error.to_string()))?;
        Ok(JudgeRequest {
            file: "record".to_owned(),
            record,
            settings: given,
            workspace: shown("record", &self.learning.workspace)?,
            root: shown("record", &root.unwrap_or_else(|| self.learning.workspace.clone()))?,
            judgements: shown("record", &self.learning.judgements)?,
            repo: None,
            base: None,
            branch: None,
            diff: self.keep("diff", start.diff.as_ref())?,
            tests: self.keep("tests", start.tests.as_ref())?,
            lint: self.keep("lint", start.lint.as_ref())?,
            prompt: self.keep("prompt", start.prompt.as_ref())?,
            force: start.force,
        })
    }
}

fn bad(field: &'static str, problem: String) -> BadRequest {
    BadRequest { field, problem }
}

fn bad_by(field: &'static str, refusal: Refusal) -> BadRequest {
    bad(field, refusal.message)
}

fn shown(field: &'static str, path: &Path) -> Result<String, BadRequest> {
    let text = path.to_str().map(ToOwned::to_owned);
    text.ok_or_else(|| bad(field, format!("the path {} is not UTF-8", path.display())))
}
