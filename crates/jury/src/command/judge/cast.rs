//! Who judges, from what was given.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jury_core::id::AgentId;
use jury_core::judge::settings::{JudgeCall, JudgeMode, JudgeSettings};
use jury_engine::judge::{JudgeCast, Juror};

use crate::agent;
use crate::cli::JudgeArgs;
use crate::refusal::Refusal;
use crate::settings::{self, Settings};

/// Who judges when a model is to and nobody says which agent has it.
const USUAL: &str = "claude";

/// What was typed, by the names of the variables that say the same.
pub(super) fn flags(args: &JudgeArgs) -> BTreeMap<&'static str, String> {
    let mut flags = BTreeMap::new();
    let mut put = |name, value: Option<String>| {
        if let Some(value) = value {
            flags.insert(name, value);
        }
    };
    put("JUDGE_AGENT", (!args.agent.is_empty()).then(|| args.agent.join(",")));
    put("JUDGE_REPEATS", args.repeat.clone());
    put("JUDGE_MODEL", args.model.clone());
    put("JUDGE_MODE", args.mode.clone());
    flags
}

/// How it is judged. Who names an agent or a model wants it asked.
pub(super) fn mode_of(own: &JudgeSettings, args: &JudgeArgs) -> JudgeMode {
    own.mode_of(JudgeCall::with(args.mode.as_deref(), args.model.as_deref(), &args.agent))
}

/// The cast of these settings.
pub(super) fn cast(
    own: &JudgeSettings,
    mode: JudgeMode,
    judgements: &Path,
    dir: PathBuf,
) -> Result<JudgeCast, Refusal> {
    let jurors = if mode == JudgeMode::Model { jurors(own)? } else { Vec::new() };
    if mode == JudgeMode::Command && own.command.is_none() {
        return Err(Refusal::usage("the mode is command and there is none; set JUDGE_COMMAND"));
    }
    Ok(JudgeCast {
        mode,
        jurors,
        repeats: own.repeats,
        command: own.command.clone(),
        pass_env: own.pass_env.clone(),
        dir,
        timeout: own.timeout,
        allowance: own.allowance,
        judgements: judgements.to_owned(),
    })
}

fn jurors(own: &JudgeSettings) -> Result<Vec<Juror>, Refusal> {
    let all = settings::load(BTreeMap::new())?;
    let usual: AgentId = USUAL.parse().map_err(|error| Refusal::usage(format!("--agent: {error}")))?;
    let agents = if own.agents.is_empty() { vec![usual.clone()] } else { own.agents.clone() };
    agents
        .iter()
        .map(|id| {
            if *id == AgentId::house() {
                return Err(Refusal::usage(
                    "--agent: the house measures and has no opinion; use --mode heuristic for that",
                ));
            }
            // Who names no model gets the one of the agent, and of the usual agent the usual one.
            let usual = (*id == usual && is_plain(&all, id)).then(|| own.model());
            let model = own.model.as_deref().or(usual);
            let ask = agent::find_for_prompts(id, &all, model, None)?;
            Ok(Juror { agent: id.clone(), model: model.map(ToOwned::to_owned), ask })
        })
        .collect()
}

/// Whether nothing in `jury.toml` says what this agent is.
fn is_plain(all: &Settings, id: &AgentId) -> bool {
    !all.agents.contains_key(id.as_str())
}
