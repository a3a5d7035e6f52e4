//! Who plays the panel, by name: the house, an agent of `jury.toml`, an agent program, a model's service.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use jury_agents::adapter::{Adapter, Adapters, Call, Endpoint};
use jury_agents::api::{Budget, Client, ModelPrompt, Settings as ApiSettings, Vendor};
use jury_agents::decoder::Format;
use jury_agents::prompt::{Ask, Material, Template};
use jury_core::id::AgentId;
use jury_core::settings::CritiqueConfig;
use jury_engine::{Agent, AskWith, SplitPrompt};
use jury_house::Beside;

use crate::command::{house, house_request};
use crate::refusal::Refusal;
use crate::settings::{AgentSettings, FILE, Settings};

/// How long an agent program may print nothing: several try again for minutes without a word.
const SILENCE: Duration = Duration::from_mins(10);

/// The folder of the user's own adapters, beside `jury.toml`.
const ADAPTERS: &str = "adapters";

/// The folder of the user's own prompts, beside `jury.toml`.
pub(crate) const PROMPTS: &str = "prompts";

/// What a run asks of its agent.
#[derive(Debug, Clone)]
pub(crate) struct Task<'a> {
    pub(crate) wanted: Wanted<'a>,
    pub(crate) model: Option<&'a str>,
    pub(crate) budget: Option<Budget>,
    /// Where private folders of agents are made.
    pub(crate) scratch: &'a Path,
    /// What lies beside the page, for the house to measure it with.
    pub(crate) beside: Option<&'a Beside>,
    /// How freely a model chooses its words, where its service takes that; as the service likes when absent.
    pub(crate) temperature: Option<f64>,
}

/// What an agent is asked.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Wanted<'a> {
    /// A review, or a page alone, about this.
    Page(Ask, Material<'a>),
    /// What these words say.
    Words(&'a SplitPrompt),
}

impl<'a> Wanted<'a> {
    /// The page that it is about, if it is about one.
    fn page(self) -> Option<&'a str> {
        match self {
            Self::Page(_, material) => material.page,
            Self::Words(_) => None,
        }
    }
}

/// Finds the agent of this name and gives it its task.
pub(crate) fn find(id: &AgentId, settings: &Settings, task: &Task<'_>) -> Result<Agent, Refusal> {
    if *id == AgentId::house() {
        return house(settings, task);
    }
    let adapters = load_adapters()?;
    if let Some(own) = settings.agents.get(id.as_str()) {
        return configured(id, own, &adapters, settings, task);
    }
    if let Ok(adapter) = adapters.get(id.as_str()) {
        let surroundings = Surroundings::default();
        return program(adapter, surroundings, task.model, settings, task);
    }
    if let Ok(vendor) = Vendor::find(id.as_str()) {
        let constrain = vendor.constraint.is_some();
        return model(vendor, ApiSettings::default(), task.model, constrain, settings, task);
    }
    Err(Refusal::usage(format!(
        "there is no agent '{id}'; see 'jury agents list', or add yours to {FILE}, such as [agents.{id}] command = [\"my-agent\", \"--print\"]"
    )))
}

/// The same agent with the task to make the page alone, if there is something to make and the agent writes.
pub(crate) fn find_for_page(
    id: &AgentId,
    settings: &Settings,
    task: &Task<'_>,
) -> Result<Option<Agent>, Refusal> {
    match task.wanted {
        Wanted::Page(_, material) if material.brief.is_some() && *id != AgentId::house() => {
            find(id, settings, &Task { wanted: Wanted::Page(Ask::Page, material), ..task.clone() }).map(Some)
        }
        Wanted::Page(..) | Wanted::Words(_) => Ok(None),
    }
}

/// The agent of this name, to be asked with any words. That there is one, and that it can be called, shows here.
pub(crate) fn find_for_prompts(
    id: &AgentId,
    settings: &Settings,
    model: Option<&str>,
    budget: Option<Budget>,
) -> Result<AskWith, Refusal> {
    let (id, settings, model) = (id.clone(), settings.clone(), model.map(ToOwned::to_owned));
    let give = move |words: SplitPrompt| {
        let scratch = std::env::temp_dir();
        let (model, budget) = (model.as_deref(), budget.clone());
        let task = Task {
            wanted: Wanted::Words(&words),
            model,
            budget,
            scratch: &scratch,
            beside: None,
            temperature: None,
        };
        find(&id, &settings, &task)
    };
    give("Are you there?".to_owned().into())?;
    Ok(Arc::new(move |words| give(words).map_err(|refusal| refusal.message)))
}

/// The adapters that come with the program, once somebody has asked for them.
static BUILT_IN: OnceLock<Arc<Adapters>> = OnceLock::new();

/// The adapters that come with the program and the user's own.
pub(crate) fn load_adapters() -> Result<Arc<Adapters>, Refusal> {
    let load = |folders: &[PathBuf]| {
        Adapters::load(folders).map(Arc::new).map_err(|error| Refusal::usage(error.to_string()))
    };
    let own = PathBuf::from(ADAPTERS);
    if own.is_dir() {
        return load(&[own]);
    }
    // Those that come with the program do not change while it runs, and a daemon asks for them with every run.
    match BUILT_IN.get() {
        Some(adapters) => Ok(Arc::clone(adapters)),
        None => load(&[]).map(|adapters| Arc::clone(BUILT_IN.get_or_init(|| adapters))),
    }
}

fn house(settings: &Settings, task: &Task<'_>) -> Result<Agent, Refusal> {
    if task.model.is_some() {
        return Err(Refusal::usage("--model does not go with the house, which measures and has no model"));
    }
    let Wanted::Page(_, material) = task.wanted else {
        return Err(Refusal::usage(
            "the house measures and has no opinions; use --agent with one of 'jury agents list'",
        ));
    };
    let Some(page) = material.page else {
        return Err(Refusal::usage(format!(
            "--brief without a page needs an agent that can write, and the house only measures; use --agent with \
             one of 'jury agents list', or add yours to {FILE}"
        )));
    };
    let nothing = Beside::nothing();
    let request = house_request(page, material.design, task.beside.unwrap_or(&nothing), &settings.critique);
    let request = house::Request::Sit(Cow::Owned(request))
        .to_line()
        .map_err(|error| Refusal::inconclusive(format!("cannot write the request: {error}")))?;
    let invocation = house::invocation()
        .map_err(|error| Refusal::inconclusive(format!("cannot find this program: {error}")))?
        .prompt(request);
    Ok(Agent::Program { invocation, format: Format::Plain, silence: Some(SILENCE) })
}

/// Refuses names that are none, and those that no agent gets.
fn check_pass_env(own: &AgentSettings) -> Result<(), String> {
    if own.command.is_empty() && own.adapter.is_none() && !own.pass_env.is_empty() {
        return Err("pass_env goes with a command or an adapter: a service gets no environment".to_owned());
    }
    for name in &own.pass_env {
        let stem = name.strip_suffix('*').unwrap_or(name);
        if name.is_empty() || !stem.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
            return Err(format!(
                "pass_env: '{name}' is no name of a variable; write NAME, or PREFIX_* for all that begin so"
            ));
        }
        if jury_agents::is_ours(name) {
            return Err(format!(
                "pass_env: {name} belongs to the daemon and is given to no agent; remove it"
            ));
        }
    }
    Ok(())
}

/// An agent of the settings file.
fn configured(
    id: &AgentId,
    own: &AgentSettings,
    adapters: &Adapters,
    settings: &Settings,
    task: &Task<'_>,
) -> Result<Agent, Refusal> {
    let wrong = |problem: String| Refusal::usage(format!("agents.{id} in {FILE}: {problem}"));
    let chosen = task.model.or(own.model.as_deref());
    if own.constrain == Some(true) && own.vendor.is_none() {
        return Err(wrong(
            "constrain = true goes with a vendor: only a service can be sent a grammar".to_owned(),
        ));
    }
    check_pass_env(own).map_err(wrong)?;
    if own.allow_tools && (!own.command.is_empty() || own.vendor.is_some()) {
        return Err(wrong(
            "allow_tools goes with an adapter: a command is run as you wrote it, and a service has no tools"
                .to_owned(),
        ));
    }
    if !own.command.is_empty() {
        let adapter =
            adapters.command(id.as_str(), &own.command).map_err(|error| wrong(error.to_string()))?;
        // A command of the user's own is meant where it is written, with the files beside it.
        let here = std::env::current_dir()
            .map_err(|error| Refusal::usage(format!("cannot tell the working directory: {error}")))?;
        // A program of the user's own is what they make of it: jury has no say in its tools, and naming it is the permission.
        let surroundings = Surroundings {
            work_dir: Some(&here),
            pass_env: &own.pass_env,
            allow_tools: true,
            endpoint: None,
        };
        return program(&adapter, surroundings, chosen, settings, task);
    }
    // Who allows an adapter its tools, and says no more, means the adapter of that name.
    let name = own
        .adapter
        .as_deref()
        .or_else(|| Some(id.as_str()).filter(|_| own.allow_tools && own.vendor.is_none()));
    if let Some(name) = name {
        let adapter = adapters.get(name).map_err(|error| wrong(error.to_string()))?;
        let endpoint = own.base_url.as_ref().map(|base_url| -> Result<Endpoint, Refusal> {
            let key = match &own.key_variable {
                Some(variable) => std::env::var(variable).map_err(|_| {
                    wrong(format!("the variable {variable} that should hold the key is not set"))
                })?,
                // Local servers take any key; it only must not look like a part of an answer.
                None => "jury-no-key-0000".to_owned(),
            };
            Ok(Endpoint { base_url: base_url.clone(), key })
        });
        let endpoint = endpoint.transpose()?;
        let surroundings = Surroundings {
            endpoint: endpoint.as_ref(),
            work_dir: None,
            pass_env: &own.pass_env,
            allow_tools: own.allow_tools,
        };
        // What permits an agent of the file stands under its own name there.
        return program(
            &Adapter { id: id.to_string(), ..adapter.clone() },
            surroundings,
            chosen,
            settings,
            task,
        );
    }
    let Some(name) = &own.vendor else {
        return Err(wrong("name a command, an adapter or a vendor".to_owned()));
    };
    let mut vendor = Vendor::find(name).map_err(|error| wrong(error.to_string()))?;
    if let Some(variable) = &own.key_variable {
        vendor.key_variable = Some(variable.clone());
    }
    let constrain = own.constrain.unwrap_or(vendor.constraint.is_some());
    if constrain && vendor.constraint.is_none() {
        return Err(wrong(format!(
            "constrain = true needs a service that takes a grammar, and {} is none; vendor = \"llama.cpp\" is, \
             with the base_url of any server that understands it",
            vendor.name
        )));
    }
    let api = ApiSettings {
        base_url: own.base_url.clone(),
        key_file: own.key_file.clone(),
        allow_hosts: own.allow_hosts.clone(),
        ..ApiSettings::default()
    };
    model(vendor, api, chosen, constrain, settings, task)
}

/// Where an agent program works and what it gets.
#[derive(Clone, Copy, Default)]
struct Surroundings<'a> {
    /// The service; the agent's own when absent.
    endpoint: Option<&'a Endpoint>,
    /// The folder; an empty one of its own when absent.
    work_dir: Option<&'a Path>,
    /// Variables that the user adds.
    pass_env: &'a [String],
    /// Whether the user allows its tools.
    allow_tools: bool,
}

fn program(
    adapter: &Adapter,
    surroundings: Surroundings<'_>,
    model: Option<&str>,
    settings: &Settings,
    task: &Task<'_>,
) -> Result<Agent, Refusal> {
    let (system, prompt) = match task.wanted {
        Wanted::Words(SplitPrompt { rules, case }) if !rules.is_empty() => {
            (Some(rules.as_str()), Cow::Borrowed(case.as_str()))
        }
        Wanted::Words(_) | Wanted::Page(..) => (None, Cow::Owned(prompt(task, &settings.critique)?)),
    };
    let Surroundings { endpoint, work_dir, pass_env, allow_tools } = surroundings;
    let scratch = task.scratch;
    let call = Call { prompt: &prompt, system, model, endpoint, work_dir, pass_env, allow_tools, scratch };
    let invocation = adapter.invocation(&call).map_err(|error| Refusal::usage(error.to_string()))?;
    Ok(Agent::Program { invocation, format: adapter.decoder, silence: Some(SILENCE) })
}

fn model(
    vendor: Vendor,
    api: ApiSettings,
    model: Option<&str>,
    constrain: bool,
    settings: &Settings,
    task: &Task<'_>,
) -> Result<Agent, Refusal> {
    let mut prompt = ModelPrompt::new(prompt(task, &settings.critique)?).temperature(task.temperature);
    // The grammar is that of a panel's transcript.
    if constrain && matches!(task.wanted, Wanted::Page(..)) {
        let page = task.wanted.page().map_or(0, |page| page.chars().count());
        prompt.grammar = jury_core::protocol::gbnf(&settings.critique, page);
    }
    let api = ApiSettings { model: model.map(ToOwned::to_owned), budget: task.budget.clone(), ..api };
    let client = Client::new(vendor, api).map_err(|error| Refusal::usage(error.to_string()))?;
    Ok(Agent::Model { client: Box::new(client), prompt })
}

fn prompt(task: &Task<'_>, config: &CritiqueConfig) -> Result<String, Refusal> {
    let (ask, material) = match task.wanted {
        Wanted::Page(ask, material) => (ask, material),
        Wanted::Words(words) => return Ok(words.whole()),
    };
    let own = Path::new(PROMPTS);
    let template = if own.is_dir() { Template::load(own) } else { Ok(Template::built_in()) };
    template
        .and_then(|template| template.render(ask, material, config))
        .map_err(|error| Refusal::usage(error.to_string()))
}
