//! What stays mended: rounds of a draft through the fold of a run, with the measured critics.

use jiff::Timestamp;
use jury_core::artifact::Blob;
use jury_core::content::eval::{ProtectionCase, ScenarioResult, Went};
use jury_core::content::event::{ContentStarted, Critiqued, Decided, Drafted, Revised, Summarised};
use jury_core::content::protected::{Lost, brought, lost};
use jury_core::content::select::vote;
use jury_core::content::{ContentEvent, ContentState, Draft, Recipe, Writer};
use jury_core::evidence::EvidenceMode;
use jury_core::unit::Round;

use super::Trial;
use super::critique::measured;
use crate::evals;
use crate::refusal::Refusal;

pub(super) fn tried(trial: &Trial<'_>, case: &ProtectionCase) -> Result<ScenarioResult, Refusal> {
    let recipe = trial.recipe(case.recipe.as_str())?;
    let foundation = evals::foundation(&case.idea)?;
    let none = |why: String| Ok(ScenarioResult::without("guard", &case.name, Went::Absent, why));
    let panel = match vote(&recipe, &trial.registry) {
        Ok(panel) => panel,
        Err(why) => return none(why.to_string()),
    };
    let mut state = ContentState::default();
    state.apply(&ContentEvent::RunStarted(started(case, &recipe)?));
    let mut before: Option<(Round, String)> = None;
    let (mut wrong, mut mended) = (Vec::new(), 0);
    for (own, number) in case.round.iter().zip(1..) {
        let round = Round(number);
        let draft = evals::draft(&case.draft, &own.change, recipe.form)?;
        let markdown = draft.markdown();
        let mut changed: Vec<Lost> = Vec::new();
        match &before {
            None => state.apply(&drafted(round, &draft)),
            Some((last, old)) => {
                changed = lost(&state.protected(*last, old), &markdown);
                state.apply(&revised(round, &draft, brought(old, &markdown), changed.clone()));
            }
        }
        if number == 1 {
            state.apply(&ContentEvent::PanelSelected(panel.clone()));
        }
        for seat in &panel.seats {
            let Some(advisor) = trial.registry.get(&seat.advisor_id) else { continue };
            match measured(advisor, &draft, &recipe, &foundation) {
                Ok(critique) => state.apply(&ContentEvent::Critiqued(Critiqued { round, critique })),
                Err(why) => return none(why),
            }
        }
        let decided: Option<Decided> = state.decide(round);
        let Some(decided) = decided else { return none("there was nothing to decide".to_owned()) };
        state.apply(&ContentEvent::Decided(decided));
        let Some(summary) = state.summarise(round) else {
            return none("there was nothing to sum up".to_owned());
        };
        wrong.extend(own.judge(&summary, &changed));
        mended = summary.fixed_items.len();
        state.apply(&ContentEvent::Summarised(Summarised { summary }));
        before = Some((round, markdown));
    }
    let detail = if wrong.is_empty() {
        let rounds = jury_core::line::counted(case.round.len(), "round", "rounds");
        format!("{rounds}, {mended} fixed in the end, as it should be")
    } else {
        wrong.join("; ")
    };
    Ok(ScenarioResult::without("guard", &case.name, Went::of(wrong.is_empty()), detail))
}

fn started(case: &ProtectionCase, recipe: &Recipe) -> Result<ContentStarted, Refusal> {
    let idea_id = "eval".parse().map_err(|error| Refusal::usage(format!("'{}': {error}", case.name)))?;
    Ok(ContentStarted {
        idea_id,
        author: recipe.author_advisor.to_string(),
        recipe: recipe.clone(),
        agent: None,
        docs: Vec::new(),
        publish: false,
        // A guard is about what critics say.
        evidence: Some(EvidenceMode::Off),
        started_at: Timestamp::UNIX_EPOCH,
    })
}

fn drafted(round: Round, draft: &Draft) -> ContentEvent {
    ContentEvent::Drafted(Drafted {
        round,
        draft: blob(draft),
        writer: Writer::Model,
        words: 0,
        remarks: Vec::new(),
        usage: None,
    })
}

fn revised(round: Round, draft: &Draft, brought: Vec<String>, lost: Vec<Lost>) -> ContentEvent {
    ContentEvent::Revised(Revised {
        round,
        draft: blob(draft),
        writer: Writer::Model,
        words: 0,
        done: Vec::new(),
        brought,
        lost,
        usage: None,
    })
}

fn blob(draft: &Draft) -> Blob {
    Blob::of(&draft.bytes(), draft.mime())
}
