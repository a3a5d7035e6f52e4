//! Blocks of code that are not in the language they claim: data formats are parsed, other languages are read as far
//! as quotations, comments and brackets go.

mod brackets;
mod markup;
mod shell;

use saphyr_parser::Parser as Yaml;
use serde::de::IgnoredAny;

use super::Found;
use super::read::{Block, Document};

/// What is wrong with a piece of code, and in which line of it, from 0.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) line: usize,
    pub(super) what: String,
}

impl Fault {
    fn at(line: usize, what: impl Into<String>) -> Self {
        Self { line, what: what.into() }
    }
}

/// A place in a piece of code.
struct Cursor {
    characters: Vec<char>,
    at: usize,
    line: usize,
}

impl Cursor {
    fn new(code: &str, line: usize) -> Self {
        Self { characters: code.chars().collect(), at: 0, line }
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.characters.get(self.at + ahead).copied()
    }

    fn next(&mut self) -> Option<char> {
        let character = self.peek(0)?;
        self.at += 1;
        self.line += usize::from(character == '\n');
        Some(character)
    }
}

pub(super) fn blocks(document: &Document<'_>) -> Found {
    let mut found = Found::default();
    for block in &document.blocks {
        let Some((language, fault)) = check(block) else { continue };
        found.examined += 1;
        let Some(fault) = fault.filter(|_| !is_abridged(&block.code, language)) else { continue };
        let line = block.code.lines().nth(fault.line).unwrap_or_default().trim();
        let offset = block.lines.get(fault.line).copied().unwrap_or(block.offset);
        let quote = if line.is_empty() { block.code.lines().next().unwrap_or_default() } else { line };
        found.add(
            offset,
            quote,
            format!("not {language}: {}", fault.what),
            "correct it, or name the language it is in",
        );
    }
    found
}

/// The language of a block and what is wrong with it; none when the language is not known here.
fn check(block: &Block) -> Option<(&'static str, Option<Fault>)> {
    let info = block.language.as_deref()?;
    let language = info
        .trim_start_matches(['{', '.'])
        .split([' ', ',', '{', '}', ':', ';'])
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    // rustdoc's word for code that is wrong on purpose, and other people's.
    if ["compile_fail", "ignore", "invalid", "broken", "bad", "should_panic"]
        .iter()
        .any(|word| info.contains(word))
        || block.code.trim().is_empty()
    {
        return None;
    }
    let code = block.code.as_str();
    Some(match language.as_str() {
        "json" => ("JSON", json(code, false)),
        "jsonc" | "json5" => (
            "JSON with comments",
            if language == "json5" {
                brackets::check(code, brackets::Language::Script)
            } else {
                json(code, true)
            },
        ),
        "jsonl" | "ndjson" => ("JSON lines", json_lines(code)),
        "toml" => ("TOML", toml(code)),
        "yaml" | "yml" => ("YAML", yaml(code)),
        "xml" | "svg" => ("XML", markup::check(code, markup::Dialect::Xml)),
        "html" | "htm" => ("HTML", markup::check(code, markup::Dialect::Html)),
        "sh" | "bash" | "zsh" | "shell" => ("shell", shell::check(code)),
        "rust" | "rs" => ("Rust", brackets::check(code, brackets::Language::Rust)),
        "python" | "py" | "python3" => ("Python", brackets::check(code, brackets::Language::Python)),
        "js" | "javascript" | "ts" | "typescript" | "mjs" => {
            ("JavaScript", brackets::check(code, brackets::Language::Script))
        }
        "go" | "golang" => ("Go", brackets::check(code, brackets::Language::Go)),
        "sql" => ("SQL", brackets::check(code, brackets::Language::Sql)),
        _ => return None,
    })
}

/// Something is left out or left to the reader.
fn is_abridged(code: &str, language: &str) -> bool {
    let data = matches!(language, "JSON" | "JSON with comments" | "JSON lines" | "TOML" | "YAML" | "shell");
    if ["...", "…", "[..]", "{..}", "/* .. */", "{{", "<%", "{%", "# etc", "// etc"]
        .iter()
        .any(|mark| code.contains(mark))
    {
        return true;
    }
    // `<name>` in a place where no element can be.
    let mut rest = code;
    while let Some((_, after)) = rest.split_once('<') {
        let end = after.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | ' ')));
        let name = end.and_then(|end| after.get(..end));
        if let (Some(name), Some(end)) = (name, end)
            && name.len() > 1
            && after.get(end..).is_some_and(|tail| tail.starts_with('>'))
            && (data || name.contains(['-', ' ', '_']) || name.bytes().all(|byte| byte.is_ascii_uppercase()))
        {
            return true;
        }
        rest = after;
    }
    false
}

fn json(code: &str, lenient: bool) -> Option<Fault> {
    let plain;
    let text = if lenient {
        plain = without_comments(code);
        plain.as_str()
    } else {
        code
    };
    let mut error = None;
    for value in serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>() {
        if let Err(fault) = value {
            error = Some(fault);
            break;
        }
    }
    let fault = error?;
    // A member or several of an object, shown without it.
    let member = code.trim_start().starts_with('"')
        && serde_json::from_str::<IgnoredAny>(&format!("{{{}}}", text.trim().trim_end_matches(','))).is_ok();
    let elements =
        serde_json::from_str::<IgnoredAny>(&format!("[{}]", text.trim().trim_end_matches(','))).is_ok();
    if !lenient && !member && !elements && json(code, true).is_none() {
        let comment = code.lines().position(|line| line.contains("//") || line.contains("/*"));
        if let Some(line) = comment {
            return Some(Fault::at(line, "it has comments; call it jsonc"));
        }
    }
    (!member && !elements).then(|| {
        let message = fault.to_string();
        let what = message.split(" at line").next().unwrap_or_default().to_owned();
        let line = fault.line().saturating_sub(1);
        // A comma too many stands at the end of the line before.
        let here = text.lines().nth(line).unwrap_or_default().trim_start();
        let before = line.checked_sub(1).and_then(|before| text.lines().nth(before)).unwrap_or_default();
        if here.starts_with(['}', ']']) && before.trim_end().ends_with(',') {
            return Fault::at(line - 1, "a comma before a closing bracket");
        }
        Fault::at(line, what)
    })
}

fn json_lines(code: &str) -> Option<Fault> {
    code.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).find_map(|(index, line)| {
        serde_json::from_str::<IgnoredAny>(line)
            .err()
            .map(|_| Fault::at(index, "a line that is not one value"))
    })
}

/// Without `//`, `/* */` and commas before a closing bracket; lines stay where they are.
fn without_comments(code: &str) -> String {
    let mut out = String::with_capacity(code.len());
    let mut characters = code.chars().peekable();
    let mut in_string = false;
    while let Some(character) = characters.next() {
        match (in_string, character, characters.peek().copied()) {
            (true, '\\', Some(next)) => {
                out.push(character);
                out.push(next);
                characters.next();
            }
            (_, '"', _) => {
                in_string = !in_string;
                out.push(character);
            }
            (false, '/', Some('/')) => {
                while characters.peek().is_some_and(|next| *next != '\n') {
                    characters.next();
                }
            }
            (false, '/', Some('*')) => {
                let mut last = ' ';
                for next in characters.by_ref() {
                    if next == '\n' {
                        out.push('\n');
                    }
                    if last == '*' && next == '/' {
                        break;
                    }
                    last = next;
                }
            }
            (false, '}' | ']', _) => {
                let kept = out.trim_end().len();
                if out.get(..kept).is_some_and(|text| text.ends_with(',')) {
                    let blank = out.get(kept..).unwrap_or_default().to_owned();
                    out.truncate(kept - 1);
                    out.push_str(&blank);
                }
                out.push(character);
            }
            _ => out.push(character),
        }
    }
    out
}

fn toml(code: &str) -> Option<Fault> {
    let fault = code.parse::<toml::Table>().err()?;
    let message = fault.message().lines().next().unwrap_or_default().to_owned();
    // Two ways to write one key, shown one below the other.
    if message.contains("duplicate") {
        return None;
    }
    let line =
        fault.span().map_or(0, |span| code.get(..span.start).unwrap_or_default().matches('\n').count());
    Some(Fault::at(line, message))
}

fn yaml(code: &str) -> Option<Fault> {
    for event in Yaml::new_from_str(code) {
        if let Err(fault) = event {
            let line = fault.marker().line().saturating_sub(1);
            // The parser points to what the tab follows.
            let tab = || {
                code.lines()
                    .enumerate()
                    .skip(line)
                    .find(|(_, line)| line.trim_start_matches(' ').starts_with('\t'))
            };
            let line =
                if fault.info().contains("tab") { tab().map_or(line, |(index, _)| index) } else { line };
            return Some(Fault::at(line, fault.info().to_owned()));
        }
    }
    None
}
