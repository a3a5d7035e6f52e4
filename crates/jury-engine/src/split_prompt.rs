//! What an agent is asked, in two parts: rules that the user stands for, and material that somebody else wrote.
//!
//! Where an agent takes rules apart, as a system prompt, nothing in the material can pass for one. Where it does not, the
//! rules stand in front.

use jury_agents::api::ModelPrompt;

use crate::agent::Agent;

/// What an agent is asked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SplitPrompt {
    /// The rules; none where everything is one prompt.
    pub rules: String,
    /// The material, and how to answer.
    pub case: String,
}

impl SplitPrompt {
    /// Both as one text, for an agent that takes one.
    pub fn whole(&self) -> String {
        if self.rules.is_empty() { self.case.clone() } else { format!("{}\n\n{}", self.rules, self.case) }
    }

    /// The same agent. A service is given the rules as its instructions, and the material as what is said to it.
    pub(crate) fn split_for(self, agent: Agent) -> Agent {
        match agent {
            Agent::Model { client, prompt } if !self.rules.is_empty() => {
                let ModelPrompt { messages, .. } = ModelPrompt::new(self.case);
                Agent::Model { client, prompt: ModelPrompt { system: self.rules, messages, ..prompt } }
            }
            agent @ (Agent::Model { .. } | Agent::Program { .. }) => agent,
        }
    }
}

impl From<String> for SplitPrompt {
    fn from(case: String) -> Self {
        Self { rules: String::new(), case }
    }
}

impl From<SplitPrompt> for String {
    fn from(prompt: SplitPrompt) -> Self {
        prompt.whole()
    }
}

impl From<SplitPrompt> for Vec<u8> {
    fn from(prompt: SplitPrompt) -> Self {
        prompt.whole().into_bytes()
    }
}
