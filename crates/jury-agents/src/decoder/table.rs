//! Formats that are one JSON object a line and need no memory of their own: what a line means is read in a table.

use jury_core::event::Usage;

use super::DecodeError;
use super::answer::{Key, Out};
use super::json::{Json, Text};
use super::trouble::{Trouble, split_error};

/// A format. The first rule that fits a line says what it means; a line that none fits means nothing.
#[derive(Debug)]
pub(super) struct Table {
    /// The member that names the kind of a line.
    pub(super) kind: &'static str,
    pub(super) rules: &'static [Rule],
}

#[derive(Debug)]
pub(super) struct Rule {
    /// The kind of line.
    pub(super) kind: &'static str,
    /// What else must hold.
    pub(super) when: &'static [When],
    /// What it means, in order.
    pub(super) then: &'static [Then],
}

/// A path of names, joined by dots. The empty one leads nowhere.
type Path = &'static str;

#[derive(Debug, Clone, Copy)]
pub(super) enum When {
    Is(Path, &'static str),
    Begins(Path, &'static str),
    True(Path),
    False(Path),
    Zero(Path),
    /// It is null or not there.
    Nothing(Path),
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Then {
    /// The model is asked.
    Step,
    /// A message begins, with the name that stands there.
    Begin(Path),
    /// A part of the current message begins, with the name that stands there.
    Part(Path),
    /// More of the message with this name: its name, its text.
    More(Path, Path),
    /// More of a message without a name, unless it begins like this: then something went wrong.
    MoreUnless(Path, &'static [&'static str]),
    /// The whole of the message with this name or of its current part: its name, its text.
    Whole(Path, Path),
    /// The current message ended as it should.
    End,
    /// The current message broke off.
    BreakOff,
    Session(Path),
    Usage(&'static [Path], &'static [Path], Path),
    /// It tries again: the status, the description.
    Retry(Path, Path),
    /// It calls a tool: the name, the input.
    Tool(Path, Path),
    /// It calls the tools of this list, those of this kind: the list, the kind, in each the name and the input.
    Tools(Path, &'static str, Path, Path),
    /// Something went wrong: the status, the description.
    Trouble(Path, Path),
    /// Something went wrong, and the next line says what the program does about it.
    Remember(Path, Path),
    /// It is over, and the program is content unless something went wrong since it last spoke.
    Over,
    /// The same, but the program may try again if something went wrong.
    OverUnlessTroubled,
    /// It is over, and the program is content.
    Fine,
    /// It is over, and the program is not content: the status, the description.
    Failed(Path, Path),
}

impl Table {
    pub(super) fn line(&self, line: Json<'_>, out: &mut Out<'_>) -> Result<(), DecodeError> {
        let Some(kind) = line.get(self.kind).and_then(Json::str) else { return Ok(()) };
        let fits = |rule: &&Rule| rule.kind == kind && rule.when.iter().all(|when| when.holds(line));
        let Some(rule) = self.rules.iter().find(fits) else { return Ok(()) };
        rule.then.iter().try_for_each(|then| then.apply(line, out))
    }
}

impl When {
    fn holds(self, line: Json<'_>) -> bool {
        match self {
            Self::Is(path, text) => line.at(path).is_some_and(|value| value.is(text)),
            Self::Begins(path, text) => line
                .at(path)
                .and_then(|value| texts(value).next())
                .is_some_and(|own| own.body.starts_with(text)),
            Self::True(path) => line.at(path).is_some_and(Json::is_true),
            Self::False(path) => line.at(path).is_some_and(Json::is_false),
            Self::Zero(path) => line.at(path).and_then(Json::count) == Some(0),
            Self::Nothing(path) => line.at(path).is_none_or(Json::is_null),
        }
    }
}

impl Then {
    fn apply(self, line: Json<'_>, out: &mut Out<'_>) -> Result<(), DecodeError> {
        let trouble = |status, detail| {
            let detail = line.at(detail).map(prose).unwrap_or_default();
            Trouble::told(line.at(status), None).or(Trouble::described(&detail))
        };
        let key = |path: Path| Key::at(line.at(path));
        match self {
            Self::Step => out.step()?,
            Self::Begin(name) => out.begin(key(name)),
            Self::Part(name) => out.part(key(name)),
            Self::More(name, path) => {
                for text in line.at(path).into_iter().flat_map(texts) {
                    match split_error(&text.body) {
                        (_, None) => out.more(key(name), text),
                        (answer, Some(error)) => {
                            out.more(key(name), Text::plain(answer));
                            out.trouble(Trouble::described(error));
                        }
                    }
                }
            }
            Self::MoreUnless(path, errors) => {
                for text in line.at(path).into_iter().flat_map(texts) {
                    if errors.iter().any(|error| text.body.starts_with(error)) {
                        out.trouble(Trouble::described(&text.body));
                    } else {
                        out.more(None, text);
                    }
                }
            }
            Self::Whole(name, path) => {
                if let Some(value) = line.at(path) {
                    out.whole(key(name), &prose(value));
                }
            }
            Self::End => out.end(),
            Self::BreakOff => out.break_off(),
            Self::Session(path) => {
                let name = line.at(path).and_then(Json::str).unwrap_or_default();
                // Kimi gives a command to resume by: its last word is the name.
                out.session(name.split_whitespace().next_back().unwrap_or_default());
            }
            Self::Usage(input, output, cost) => {
                let sum = |paths: &[Path]| {
                    let counts = paths.iter().filter_map(|path| line.at(path)?.count());
                    counts.fold(0, u64::saturating_add)
                };
                let cost_usd = line.at(cost).and_then(Json::number).filter(|cost| *cost > 0.0);
                out.usage(Usage { input_tokens: sum(input), output_tokens: sum(output), cost_usd });
            }
            Self::Retry(status, detail) => out.retry(trouble(status, detail))?,
            Self::Tool(name, input) => {
                let name = line.at(name).and_then(Json::str).unwrap_or_default();
                out.tool(&name, line.at(input));
            }
            Self::Tools(list, kind, name, input) => {
                let all = line.at(list).into_iter().flat_map(Json::elements);
                for call in all.filter(|call| call.get("type").is_some_and(|own| own.is(kind))) {
                    let name = call.at(name).and_then(Json::str).unwrap_or_default();
                    out.tool(&name, call.at(input));
                }
            }
            Self::Trouble(status, detail) => out.trouble(trouble(status, detail)),
            Self::Remember(status, detail) => out.remember(trouble(status, detail)),
            Self::Over if out.is_troubled() => out.failed(Trouble::default()),
            Self::OverUnlessTroubled if out.is_troubled() => {}
            Self::Over | Self::OverUnlessTroubled | Self::Fine => out.fine(),
            Self::Failed(status, detail) => out.failed(trouble(status, detail)),
        }
        Ok(())
    }
}

/// The texts of a message: a string, or what an array of blocks holds of the kind `text`.
pub(super) fn texts(value: Json<'_>) -> impl Iterator<Item = Text<'_>> {
    let blocks = value.elements().filter(|block| block.get("type").is_some_and(|kind| kind.is("text")));
    value.text().into_iter().chain(blocks.filter_map(|block| block.get("text")?.text()))
}

/// The same in one piece.
pub(super) fn prose(value: Json<'_>) -> std::borrow::Cow<'_, str> {
    let mut texts = texts(value).map(|text| text.body);
    let first = texts.next().unwrap_or_default();
    texts.fold(first, |whole, next| whole + next)
}
