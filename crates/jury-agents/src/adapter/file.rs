//! The text of an adapter: parsing, inheritance, and what must hold for it to be usable.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::template::{NAMES, placeholders};
use super::{Adapter, AdapterError, By, Capabilities, Detect, Home, Lock, PromptDelivery, Redirect};
use crate::decoder::UnknownFormat;

/// An adapter as it is written. What it leaves out it has from the one it extends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    pub(super) id: Spanned<String>,
    pub(super) extends: Option<Spanned<String>>,
    title: Option<String>,
    tested: Option<String>,
    detect: Option<Spanned<Detect>>,
    args: Option<Spanned<Vec<String>>>,
    model_args: Option<Spanned<Vec<String>>>,
    system_args: Option<Spanned<Vec<String>>>,
    env: Option<BTreeMap<String, Spanned<String>>>,
    env_pass: Option<Vec<String>>,
    home: Option<Home>,
    prompt: Option<Spanned<PromptDelivery>>,
    decoder: Option<Spanned<String>>,
    capabilities: Option<Capabilities>,
    endpoint: Option<Spanned<Redirect>>,
    lock: Option<Spanned<Lock>>,
    traps: Option<Vec<String>>,
}

/// A text and the name of its file, for messages.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) file: &'a str,
    pub(super) text: &'a str,
}

impl Source<'_> {
    pub(super) fn parse(&self) -> Result<Written, AdapterError> {
        toml::from_str(self.text).map_err(|error| {
            // The parser's own message has several lines, with the place drawn into it.
            let problem = error.message().lines().collect::<Vec<_>>().join("; ");
            self.error(error.span(), problem)
        })
    }

    pub(super) fn error(&self, place: Option<Range<usize>>, problem: String) -> AdapterError {
        let before = place.and_then(|place| self.text.get(..place.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        AdapterError::File { file: self.file.to_owned(), line, problem }
    }
}

impl Written {
    /// The whole adapter, given the one that it extends.
    pub(super) fn complete(
        self,
        base: Option<&Adapter>,
        source: Source<'_>,
    ) -> Result<Adapter, AdapterError> {
        self.check(source)?;
        let id_span = self.id.span();
        let missing = |field: &str| source.error(Some(id_span.clone()), format!("'{field}' is missing"));
        let prompt_span = self.prompt.as_ref().map(Spanned::span);
        let args_span = self.args.as_ref().map(Spanned::span);
        let decoder = match &self.decoder {
            None => None,
            Some(name) => Some(
                name.get_ref()
                    .parse()
                    .map_err(|error: UnknownFormat| source.error(Some(name.span()), error.to_string()))?,
            ),
        };
        let adapter = Adapter {
            id: self.id.into_inner(),
            title: or(self.title, base, |base| &base.title).ok_or_else(|| missing("title"))?,
            tested: self.tested,
            detect: or(inner(self.detect), base, |base| &base.detect).ok_or_else(|| missing("detect"))?,
            args: or(inner(self.args), base, |base| &base.args).unwrap_or_default(),
            literal_args: Vec::new(),
            model_args: or(inner(self.model_args), base, |base| &base.model_args).unwrap_or_default(),
            system_args: or(inner(self.system_args), base, |base| &base.system_args).unwrap_or_default(),
            env: or(self.env.map(values), base, |base| &base.env).unwrap_or_default(),
            env_pass: or(self.env_pass, base, |base| &base.env_pass).unwrap_or_default(),
            home: or(self.home, base, |base| &base.home).unwrap_or_default(),
            prompt: or(inner(self.prompt), base, |base| &base.prompt).ok_or_else(|| missing("prompt"))?,
            decoder: or(decoder, base, |base| &base.decoder).ok_or_else(|| missing("decoder"))?,
            capabilities: or(self.capabilities, base, |base| &base.capabilities).unwrap_or_default(),
            endpoint: inner(self.endpoint).or_else(|| base.and_then(|base| base.endpoint.clone())),
            lock: inner(self.lock).or_else(|| base.and_then(|base| base.lock.clone())),
            traps: or(self.traps, base, |base| &base.traps).unwrap_or_default(),
        };
        adapter.check_prompt().map_err(|problem| {
            source.error(prompt_span.or(args_span).or(Some(id_span)), problem.to_owned())
        })?;
        Ok(adapter)
    }

    /// What can be said about each part alone, at its own line.
    fn check(&self, source: Source<'_>) -> Result<(), AdapterError> {
        let id = self.id.get_ref();
        if id.is_empty() || !id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-') {
            let problem = format!("'{id}' is no name for an agent; use lower-case letters, digits and '-'");
            return Err(source.error(Some(self.id.span()), problem));
        }
        if let Some(detect) = &self.detect
            && !detect.get_ref().version.is_empty()
            && detect.get_ref().version.matches("{version}").count() != 1
        {
            let problem = "'detect.version' must contain '{version}' once".to_owned();
            return Err(source.error(Some(detect.span()), problem));
        }
        let lists = [&self.args, &self.model_args, &self.system_args].into_iter().flatten();
        let mut texts: Vec<(Range<usize>, &str)> =
            lists.flat_map(|list| list.get_ref().iter().map(|text| (list.span(), text.as_str()))).collect();
        texts.extend(self.env.iter().flatten().map(|(_, text)| (text.span(), text.get_ref().as_str())));
        if let Some(endpoint) = &self.endpoint {
            let (span, endpoint) = (endpoint.span(), endpoint.get_ref());
            let files = endpoint.files.iter().flat_map(|file| [&file.path, &file.text]);
            let args = endpoint.args.iter().chain(endpoint.model_args.iter().flatten());
            let all = args.chain(endpoint.env.values()).chain(files);
            texts.extend(all.map(|text| (span.clone(), text.as_str())));
            if let Some(file) = endpoint.files.iter().find(|file| !stays_inside(&file.path)) {
                let problem = format!("'{}' must be a path inside the private home", file.path);
                return Err(source.error(Some(span), problem));
            }
        }
        if let Some(lock) = &self.lock {
            let (span, lock) = (lock.span(), lock.get_ref());
            let files = lock.files.iter().flat_map(|file| [&file.path, &file.text]);
            let all = lock.args.iter().chain(lock.env.values()).chain(files);
            texts.extend(all.map(|text| (span.clone(), text.as_str())));
            if let Some(file) = lock.files.iter().find(|file| !stays_inside(&file.path)) {
                let problem = format!("'{}' must be a path inside the private folder", file.path);
                return Err(source.error(Some(span), problem));
            }
        }
        for (span, text) in texts {
            if let Some(name) = placeholders(text).find(|name| !NAMES.contains(name)) {
                let problem = format!("there is no placeholder {{{name}}}; there are: {}", NAMES.join(", "));
                return Err(source.error(Some(span), problem));
            }
        }
        Ok(())
    }
}

impl Adapter {
    /// Whether the prompt arrives.
    fn check_prompt(&self) -> Result<(), &'static str> {
        let names = |name: &str| self.args.iter().any(|arg| placeholders(arg).any(|found| found == name));
        let speaks = self.decoder.is_dialogue();
        let has_system = self.system_args.iter().any(|arg| placeholders(arg).any(|found| found == "system"));
        if names("system") {
            return Err("'{system}' stands in 'system_args', and nowhere else");
        }
        if !self.system_args.is_empty() && !has_system {
            return Err("'system_args' must contain '{system}'");
        }
        match self.prompt.by {
            By::Argv if !names("prompt") => {
                Err("'args' must contain '{prompt}' when the prompt goes by argv")
            }
            By::File if !names("prompt_file") => {
                Err("'args' must contain '{prompt_file}' when the prompt goes by file")
            }
            By::Stdin | By::File | By::Dialogue if names("prompt") => {
                Err("'args' contains '{prompt}', but the prompt does not go by argv")
            }
            By::Dialogue if !speaks => Err("the decoder holds no dialogue, but the prompt goes by one"),
            By::Stdin | By::Argv | By::File if speaks => {
                Err("the decoder holds a dialogue, so the prompt must go by 'dialogue'")
            }
            By::Stdin | By::Argv | By::File | By::Dialogue => Ok(()),
        }
    }
}

fn stays_inside(path: &str) -> bool {
    std::path::Path::new(path).components().all(|part| matches!(part, std::path::Component::Normal(_)))
}

fn inner<T>(value: Option<Spanned<T>>) -> Option<T> {
    value.map(Spanned::into_inner)
}

fn values(env: BTreeMap<String, Spanned<String>>) -> BTreeMap<String, String> {
    env.into_iter().map(|(name, value)| (name, value.into_inner())).collect()
}

fn or<T: Clone>(own: Option<T>, base: Option<&Adapter>, field: impl Fn(&Adapter) -> &T) -> Option<T> {
    own.or_else(|| base.map(|base| field(base).clone()))
}
