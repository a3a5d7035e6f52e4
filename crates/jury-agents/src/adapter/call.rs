//! From an adapter and a request to a program that can be started.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::template::Values;
use super::{Adapter, AdapterError, By, Folder, Home, Lock, Redirect};
use crate::Invocation;
use crate::invocation::Inherit;

/// What an agent is asked.
#[derive(Debug, Clone)]
pub struct Call<'a> {
    /// The prompt that the agent is given.
    pub prompt: &'a str,
    /// Rules that stand above it. An agent that takes none apart gets them in front of its prompt.
    pub system: Option<&'a str>,
    /// The model; the agent's own choice when absent.
    pub model: Option<&'a str>,
    /// The service; the agent's own when absent.
    pub endpoint: Option<&'a Endpoint>,
    /// The folder it works in; an empty one of its own when absent.
    pub work_dir: Option<&'a Path>,
    /// Variables of our environment that it gets beside those that its adapter names.
    pub pass_env: &'a [String],
    /// Whether it may use its tools; it is locked otherwise, or refused.
    pub allow_tools: bool,
    /// Where the private folder of the call is made.
    pub scratch: &'a Path,
}

/// The address and key of a model's service.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Where it is; see [`Api`](super::Api) for where this ends.
    pub base_url: String,
    /// The key it wants.
    pub key: String,
}

/// The key is not shown.
impl std::fmt::Debug for Endpoint {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Endpoint").field("base_url", &self.base_url).finish_non_exhaustive()
    }
}

/// The longest argument, in bytes: Linux takes 128 KiB.
const LONGEST_ARGUMENT: usize = 100 << 10;

/// The folder of what a lock writes, where the home is the user's.
const LOCK: &str = "lock";

/// Where the user's home is described beside `HOME`; these go together.
const HOMES: &str = "XDG_*";

impl Adapter {
    /// The call as a program that can be started. What it needs on disk is written to a private folder, which
    /// goes away with the last copy of the invocation and its session.
    pub fn invocation(&self, call: &Call<'_>) -> Result<Invocation, AdapterError> {
        let apart = call.system.filter(|rules| self.takes_apart(rules));
        let prompt = match call.system {
            Some(rules) if apart.is_none() => Cow::Owned(format!("{rules}\n\n{}", call.prompt)),
            Some(_) | None => Cow::Borrowed(call.prompt),
        };
        if prompt.len() > self.prompt.limit {
            let (id, size) = (self.id.clone(), prompt.len());
            return Err(AdapterError::PromptTooLong { id, size, limit: self.prompt.limit });
        }
        let redirect = match (call.endpoint, &self.endpoint) {
            (None, _) => None,
            (Some(endpoint), Some(redirect)) => Some((endpoint, redirect)),
            (Some(_), None) => return Err(AdapterError::NoEndpoint { id: self.id.clone() }),
        };
        let private = redirect.is_some() || self.home == Home::Private;
        let lock = self.lock_for(call.allow_tools, private)?;
        let model = call.model.or_else(|| redirect.and_then(|(_, redirect)| redirect.model.as_deref()));
        let folder = Folder::new(call.scratch)
            .map_err(|source| AdapterError::Folder { path: call.scratch.to_owned(), source })?;
        let written = |name: &str| {
            let path = folder.path().join(name);
            move |source| AdapterError::Folder { path, source }
        };
        let home = if private {
            Some(folder.make(Path::new("home")).map_err(written("home"))?)
        } else {
            std::env::home_dir()
        };
        // What a lock writes. A home of its own is as good as a folder for it.
        let lock_dir = match (&home, lock) {
            (Some(home), Some(_)) if private => Some(home.clone()),
            (_, Some(_)) => Some(folder.make(Path::new(LOCK)).map_err(written(LOCK))?),
            (_, None) => None,
        };
        let lock_text = lock_dir.as_ref().map(|dir| dir.display().to_string());
        let home_text = home.as_ref().map(|home| home.display().to_string());
        let prompt_file = match self.prompt.by {
            By::File => {
                let name = "prompt.md";
                Some(folder.write(Path::new(name), prompt.as_bytes()).map_err(written(name))?)
            }
            By::Stdin | By::Argv | By::Dialogue => None,
        };
        let prompt_file = prompt_file.map(|path| path.display().to_string());
        let base_url = redirect.map(|(endpoint, _)| endpoint.base_url.trim_end_matches('/'));
        let values = Values {
            model,
            prompt: Some(&*prompt).filter(|_| self.prompt.by == By::Argv),
            system: apart,
            prompt_file: prompt_file.as_deref(),
            base_url,
            key: redirect.map(|(endpoint, _)| endpoint.key.as_str()),
            home: home_text.as_deref(),
            private: lock_text.as_deref(),
        };
        for file in redirect.iter().flat_map(|(_, redirect)| &redirect.files) {
            let path = Path::new("home").join(values.fill(&file.path));
            let text = values.fill_quoted(&file.text);
            folder.write(&path, text.as_bytes()).map_err(written(&path.display().to_string()))?;
        }
        for file in lock.iter().flat_map(|lock| &lock.files) {
            let path = Path::new(if private { "home" } else { LOCK }).join(values.fill(&file.path));
            let text = values.fill_quoted(&file.text);
            folder.write(&path, text.as_bytes()).map_err(written(&path.display().to_string()))?;
        }
        let work_dir = match call.work_dir {
            Some(dir) => dir.to_owned(),
            None => folder.make(Path::new("work")).map_err(written("work"))?,
        };
        let mut invocation = Invocation::new(PathBuf::from(&self.detect.command));
        invocation.inherit = self.inherit(redirect.is_some(), call.pass_env);
        invocation.args = self.words(model, redirect.map(|(_, redirect)| redirect), lock, &values)?;
        let env = self.env.iter().chain(redirect.iter().flat_map(|(_, redirect)| &redirect.env));
        // Last, so that nothing before it opens the lock.
        let env = env.chain(lock.iter().flat_map(|lock| &lock.env));
        let filled = env.filter_map(|(name, value)| Some((name.into(), values.fill_whole(value)?.into())));
        invocation.env = filled.collect();
        if call.work_dir.is_none() {
            // Sockets and downloads that are left in it go away with the folder.
            let tmp = folder.make(Path::new("tmp")).map_err(written("tmp"))?;
            invocation.env.push(("TMPDIR".into(), tmp.into()));
        }
        if let Some(home) = home.filter(|_| private) {
            invocation.env.push(("HOME".into(), home.into()));
        }
        invocation.dir = Some(work_dir);
        invocation.dialogue = self.prompt.by == By::Dialogue;
        // In a dialogue the decoder says it when its turn comes.
        if matches!(self.prompt.by, By::Stdin | By::Dialogue) {
            invocation.prompt = prompt.as_bytes().to_vec();
        }
        invocation.folder = Some(Arc::new(folder));
        invocation.check()?;
        Ok(invocation)
    }

    /// Whether these rules can go to the program as an argument.
    fn takes_apart(&self, rules: &str) -> bool {
        !self.system_args.is_empty() && rules.len() <= LONGEST_ARGUMENT && !rules.contains('\0')
    }

    /// All arguments: the fixed ones, those of the lock, for the service, for the model and for the rules; the prompt is
    /// always last.
    fn words(
        &self,
        model: Option<&str>,
        redirect: Option<&Redirect>,
        lock: Option<&Lock>,
        values: &Values<'_>,
    ) -> Result<Vec<OsString>, AdapterError> {
        let model_args =
            redirect.and_then(|redirect| redirect.model_args.as_ref()).unwrap_or(&self.model_args);
        let locks = lock.into_iter().flat_map(|lock| &lock.args);
        let more = locks.chain(redirect.into_iter().flat_map(|redirect| &redirect.args));
        let rules = self.system_args.iter().filter(|_| values.system.is_some());
        let extra: Vec<&String> =
            more.chain(model_args.iter().filter(|_| model.is_some())).chain(rules).collect();
        let wants_model = |text: &&String| text.contains("{model}");
        if model.is_none()
            && (self.args.iter().any(|text| wants_model(&text)) || extra.iter().any(wants_model))
        {
            return Err(AdapterError::NoModel { id: self.id.clone() });
        }
        // What stands before the argument with the prompt in it; all of them otherwise.
        let last = self.args.iter().position(|arg| self.prompt.by == By::Argv && arg.contains("{prompt}"));
        let (first, rest) = self.args.split_at(last.unwrap_or(self.args.len()));
        let filled = first.iter().chain(extra).chain(rest).map(|word| values.fill(word).into());
        Ok(filled.chain(self.literal_args.iter().map(Into::into)).collect())
    }

    /// What of our environment it may see.
    fn inherit(&self, redirected: bool, added: &[String]) -> Inherit {
        let mut own = Vec::new();
        if !redirected {
            own.extend(self.env_pass.iter().cloned());
            if self.home == Home::User {
                own.push(HOMES.to_owned());
            }
        }
        Inherit::Agent { own, added: added.to_vec() }
    }
}
