//! Asking for a value of a type: the service is made to answer in its shape, what comes is checked, a wrong
//! answer may be put right once. After that there is no answer: it is absent, never made up.

use std::time::Duration;

use jury_core::avowal::disowned;
use jury_core::event::Usage;
use jury_core::lenient_json::first_value;
use jury_core::protocol::without_thinking;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::client::Client;
use super::error::ApiError;
use super::format::{Message, ModelPrompt, Shape, Speaker};
use super::schema;
use super::session::{Mode, Whole};
use super::vendor::Structure;
use crate::decoder::SelfReport;

/// A question, and what its answer is called.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelQuestion {
    /// The prompt of the question.
    pub prompt: ModelPrompt,
    /// What the answer is called: letters, digits and underscores.
    pub name: String,
    /// What the answer is, for the model.
    pub description: String,
}

impl ModelQuestion {
    /// A question whose answer has this name.
    pub fn new(name: &str, description: &str, prompt: ModelPrompt) -> Self {
        Self { prompt, name: name.to_owned(), description: description.to_owned() }
    }
}

/// What came of a question.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelAnswer<T> {
    /// A value, and what it took.
    Given(T, Usage),
    /// There is no usable answer.
    Absent {
        /// Why, for a person.
        why: String,
        /// What it took all the same.
        usage: Usage,
        /// What the service did instead of answering; none when it answered, and the answer could not be used.
        refused: Option<Refused>,
    },
}

/// What a service did instead of answering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refused {
    /// The status of the service, where there is one.
    pub status: Option<u16>,
    /// Whether it may answer next time.
    pub helps: bool,
    /// How long it asks us to wait.
    pub after: Option<Duration>,
}

/// The most of a wrong answer that is shown to the model again.
const LONGEST_WRONG: usize = 16 * 1024;

/// The most places in a text where a value may begin.
const MOST_PLACES: usize = 256;

impl Client {
    /// Asks for a value of this type.
    pub async fn ask<T: JsonSchema + DeserializeOwned>(
        &self,
        question: &ModelQuestion,
    ) -> Result<ModelAnswer<T>, ApiError> {
        self.ask_checked(question, |_| Ok(())).await
    }

    /// Asks for a value of this type that passes a check. What the check says is told to the model.
    pub async fn ask_checked<T: JsonSchema + DeserializeOwned>(
        &self,
        question: &ModelQuestion,
        check: impl Fn(&T) -> Result<(), String>,
    ) -> Result<ModelAnswer<T>, ApiError> {
        let schema = schema::of::<T>();
        let mut asking = Asking {
            client: self,
            structure: self.structure(),
            prompt: question.prompt.clone(),
            question,
            schema: &schema,
            usage: Usage::default(),
        };
        let whole = match asking.once().await? {
            Ok(whole) => whole,
            Err((why, refused)) => {
                return Ok(ModelAnswer::Absent { why, usage: asking.usage, refused: Some(refused) });
            }
        };
        let problem = match asking.value(&whole, &check) {
            Ok(value) => return Ok(ModelAnswer::Given(value, asking.usage)),
            Err(problem) => problem,
        };
        asking.repair(&whole, &problem);
        let whole = match asking.once().await? {
            Ok(whole) => whole,
            Err((why, refused)) => {
                let why = format!("{problem}, and the second attempt failed: {why}");
                return Ok(ModelAnswer::Absent { why, usage: asking.usage, refused: Some(refused) });
            }
        };
        Ok(match asking.value(&whole, &check) {
            Ok(value) => ModelAnswer::Given(value, asking.usage),
            Err(again) => {
                ModelAnswer::Absent { why: format!("{again}, twice"), usage: asking.usage, refused: None }
            }
        })
    }
}

struct Asking<'a> {
    client: &'a Client,
    question: &'a ModelQuestion,
    schema: &'a Value,
    structure: Structure,
    prompt: ModelPrompt,
    usage: Usage,
}

impl Asking<'_> {
    /// Asks once, and once more in words when the service cannot be made to answer in a shape.
    async fn once(&mut self) -> Result<Result<Whole, (String, Refused)>, ApiError> {
        loop {
            let mut prompt = self.prompt.clone();
            if self.structure == Structure::Text {
                prompt.system = in_words(&prompt.system, self.schema);
            }
            let shape = Shape {
                name: self.question.name.clone(),
                description: self.question.description.clone(),
                schema: self.schema.clone(),
                structure: self.structure,
            };
            let session = self.client.start(&prompt, Some(&shape), Mode::Whole)?;
            let (whole, usage, verdict, refused) = session.collect().await?;
            self.usage = self.usage.plus(usage);
            match verdict {
                SelfReport::Fine => return Ok(Ok(whole)),
                SelfReport::Failed { status: Some(400 | 422), .. } if self.structure != Structure::Text => {
                    self.structure = Structure::Text;
                }
                SelfReport::Failed { detail, .. } => return Ok(Err((detail, refused))),
            }
        }
    }

    /// The value in an answer. Where a tool was forced, only what that tool was called with is one.
    fn value<T: DeserializeOwned>(
        &self,
        whole: &Whole,
        check: &impl Fn(&T) -> Result<(), String>,
    ) -> Result<T, String> {
        if self.structure != Structure::Tool && whole.calls.is_empty() {
            return in_text(&whole.text, check);
        }
        let name = &self.question.name;
        let mut inputs = whole.calls.iter().filter(|call| call.name == *name).map(|call| &call.input);
        let Some(input) = inputs.next() else {
            return Err(match whole.calls.first() {
                Some(other) => format!("it calls the tool '{}', and not '{name}'", other.name),
                None => format!("it does not call the tool '{name}'"),
            });
        };
        if inputs.any(|other| other != input) {
            return Err(format!("it calls the tool '{name}' with two different answers: give one"));
        }
        read(input, check)
    }

    /// Puts the wrong answer and what is wrong with it under the question.
    fn repair(&mut self, whole: &Whole, problem: &str) {
        let said = whole.calls.last().map_or(&whole.text, |call| &call.input);
        let said: String = said.chars().take(LONGEST_WRONG).collect();
        let said = if said.trim().is_empty() { "(nothing)".to_owned() } else { said };
        let correction = format!(
            "That answer cannot be used: {problem}. Answer again, with nothing but the corrected value. It has to \
             follow this JSON schema:\n{}",
            self.schema
        );
        self.prompt.messages.push(Message { speaker: Speaker::Assistant, text: said });
        self.prompt.messages.push(Message { speaker: Speaker::User, text: correction });
    }
}

fn in_words(system: &str, schema: &Value) -> String {
    let rule =
        format!("Answer with one JSON value and nothing else. It has to follow this JSON schema:\n{schema}");
    if system.is_empty() { rule } else { format!("{system}\n\n{rule}") }
}

/// The value that an answer begins with.
fn read<T: DeserializeOwned>(text: &str, check: &impl Fn(&T) -> Result<(), String>) -> Result<T, String> {
    let (value, _) = first_value(text).unwrap_or(Ok((Value::Null, 0))).map_err(|error| error.to_string())?;
    // A key that is there twice has two values, and which of them was meant nobody knows.
    if let Some(Err(error)) = first_value::<T>(text)
        && error.to_string().starts_with("duplicate field")
    {
        return Err(error.to_string());
    }
    let value = serde_json::from_value(value).map_err(|error| error.to_string())?;
    check(&value)?;
    Ok(value)
}

/// The only value in a text that fits, with prose or a fence around it or not. Two that differ are no answer: one of them
/// may have come with the material.
fn in_text<T: DeserializeOwned>(text: &str, check: &impl Fn(&T) -> Result<(), String>) -> Result<T, String> {
    let text = without_thinking(text);
    let text = text.trim();
    let mut found: Option<(T, Value)> = None;
    let mut around = (0, 0);
    let mut problem = None;
    let mut behind = 0;
    for (start, _) in text.match_indices(['{', '[']).take(MOST_PLACES) {
        let Some(rest) = text.get(start..).filter(|_| start >= behind) else { continue };
        match (read(rest, check), first_value::<Value>(rest)) {
            (Ok(value), Some(Ok((shape, length)))) => {
                behind = start + length;
                match &found {
                    Some((_, known)) if *known != shape => {
                        return Err("there are two different answers in it: give one".to_owned());
                    }
                    Some(_) => {}
                    None => (found, around) = (Some((value, shape)), (start, behind)),
                }
            }
            (Ok(_), _) => {}
            (Err(what), _) => problem = problem.or(Some(what)),
        }
    }
    match (found, problem) {
        (Some((value, _)), _) => {
            let (start, end) = around;
            let words = disowned(text.get(..start).unwrap_or_default(), text.get(end..).unwrap_or_default());
            words.map_or(Ok(value), Err)
        }
        (None, Some(problem)) => Err(problem),
        // Not a list and not an object: whatever it is, it is read as it stands.
        (None, None) => read(text, check),
    }
}
