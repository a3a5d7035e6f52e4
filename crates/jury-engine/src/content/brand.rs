//! The look of a site: asked of the run's agent, and computed where there is none or its answer is no look. A site never
//! waits for its colours, and who did not answer is named.

use jury_agents::content::{SubmitBrand, brand_question};
use jury_agents::prompt::{Branding, ContentPrompt};
use jury_core::content::brand::{self, SiteBrand};
use jury_core::content::event::Branded;
use jury_core::content::{ContentEvent, Draft};
use jury_core::event::{AgentNote, Usage};
use jury_core::line;
use jury_text::site::{check_against, design_brand};

use super::agent_line::{AgentLine, Called, Callee, Unanswered, again};
use super::author::spent;
use super::worker::{Stuck, Worker};

/// How much of what went wrong is said, in characters.
const SHOWN_CHARS: usize = 300;

/// What an agent made of the question.
struct Designed {
    /// A look, or why there is none.
    look: Result<SiteBrand, String>,
    usage: Usage,
    notes: Vec<AgentNote>,
}

impl Worker<'_> {
    /// Decides on the look of the site.
    pub(super) async fn brand(&mut self, draft: &Draft) -> Result<(), Stuck> {
        let mut events = Vec::new();
        let designed = if self.request.agent.is_some() {
            let unasked = |why| Designed { look: Err(why), usage: Usage::default(), notes: Vec::new() };
            let Designed { look, usage, notes } = self.designed(draft).await.unwrap_or_else(unasked);
            events.extend(notes.into_iter().map(ContentEvent::Agent));
            events.extend(spent(usage));
            if look.is_err() && self.interrupt.is_cancelled() {
                // What it took is written down, and it is asked again when the run is taken up.
                if !events.is_empty() {
                    self.append(events).await?;
                }
                return Err(Stuck::Interrupted);
            }
            Some(look)
        } else {
            None
        };
        let design = self.request.foundation.get("design");
        let computed = || design_brand(design, self.request.idea.as_str());
        let (brand, notes) = match designed {
            Some(Ok(look)) => {
                let (brand, notes) = check_against(&look, design);
                (brand, notes.iter().map(ToString::to_string).collect())
            }
            Some(Err(why)) => {
                let (brand, notes) = computed();
                let why = line::cut(&line::joined(&why), SHOWN_CHARS);
                let mut said = vec![format!("the look is computed: no look came from the agent: {why}")];
                said.extend(notes.iter().map(ToString::to_string));
                (brand, said)
            }
            None => {
                let (brand, notes) = computed();
                (brand, notes.iter().map(ToString::to_string).collect())
            }
        };
        events.push(ContentEvent::Branded(Branded { brand, notes }));
        self.append(events).await
    }

    /// Asks the agent, and once more when its answer is no look. The error says why nobody was asked.
    async fn designed(&self, draft: &Draft) -> Result<Designed, String> {
        let line = self.line().map_err(|trouble| trouble.detail)?;
        let branding = Branding { foundation: &self.request.foundation, draft };
        let asked = self.cast.prompts.brand(branding).map_err(|error| error.to_string())?;
        match line.callee(&asked).map_err(why)? {
            Callee::Service(client, most) => {
                let mut question = brand_question(&asked);
                question.prompt.max_tokens = most;
                let called: Called<SubmitBrand> = line.shaped(client.ask(&question)).await;
                let look = called.answer.map(|SubmitBrand(look)| look).map_err(why);
                Ok(Designed { look, usage: called.usage, notes: called.notes })
            }
            Callee::Speaker(_) => Ok(told(&line, &asked).await),
        }
    }
}

/// The look in what somebody says who answers with a text.
async fn told(line: &AgentLine, asked: &ContentPrompt) -> Designed {
    let (mut usage, mut notes, mut problem) = (Usage::default(), Vec::new(), String::new());
    for attempt in 1..=2 {
        let question = if attempt == 1 { asked.clone() } else { again(asked, &problem) };
        let mut called = line.text(&question).await;
        usage = usage.plus(called.usage);
        notes.append(&mut called.notes);
        match called.answer.map(|text| brand::read(&text)) {
            Ok(Ok(look)) => return Designed { look: Ok(look), usage, notes },
            Ok(Err(what)) => problem = what,
            Err(unanswered) => return Designed { look: Err(why(unanswered)), usage, notes },
        }
    }
    Designed { look: Err(problem), usage, notes }
}

fn why(unanswered: Unanswered) -> String {
    match unanswered {
        Unanswered::Interrupted => "it was stopped".to_owned(),
        Unanswered::TooDear(detail) | Unanswered::Failed { detail, .. } => detail,
    }
}
