//! A person's file becomes a draft: JSON or Markdown for a page, Markdown for articles and posts.
//!
//! Markdown that [`Page::markdown`] wrote reads back as the same page. Markdown that a person wrote freely is sorted into
//! the parts of a page: every word is kept, what fits nowhere becomes plain text, and what was guessed is remarked upon.

mod front;
pub(in crate::content) mod links;
mod page;
pub(in crate::content) mod section;

use jury_core::content::draft::LARGEST_DRAFT;
use jury_core::content::{Draft, Form, Page};
use jury_core::legible::has_words;
use serde::Serialize;

use super::chatter;
use super::document::DraftDocument;
use crate::markdown::blocks::{self, OpenComment, line_at};

/// Something about a file that may surprise whoever wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Remark {
    /// The line of the file, from 1.
    pub line: u32,
    /// What was made of it, and what to write if something else was meant.
    pub what: String,
}

/// Why a file is no draft.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotADraft {
    /// It is too large.
    #[error("the draft has {bytes} bytes and may have {LARGEST_DRAFT}: shorten it")]
    TooLarge {
        /// How large it is.
        bytes: usize,
    },
    /// Its bytes are no text.
    #[error("line {line}: the draft is not UTF-8: save it as UTF-8")]
    NotText {
        /// The line with the first byte that is none.
        line: u32,
    },
    /// There is not a word in it.
    #[error("the draft is empty: write something into it")]
    Empty,
    /// It is JSON, and not the JSON of a page.
    #[error("line {line}: the draft is not the JSON of a page: {what}")]
    Json {
        /// The line of the mistake.
        line: u32,
        /// What is wrong with it.
        what: String,
    },
    /// Something in it is wrong.
    #[error("line {line}: {what}")]
    At {
        /// The line of the mistake.
        line: u32,
        /// What is wrong, and what to do.
        what: String,
    },
}

impl From<OpenComment> for NotADraft {
    fn from(OpenComment { line }: OpenComment) -> Self {
        let what = "the comment that begins here has no end: close it with `-->`".to_owned();
        Self::At { line, what }
    }
}

/// The draft in a person's file, and what may surprise them about the way it was read.
pub fn draft(bytes: &[u8], form: Form) -> Result<(Draft, Vec<Remark>), NotADraft> {
    let (draft, remarks) = match form {
        Form::Page => {
            let (page, remarks) = page(bytes)?;
            (Draft::Page(Box::new(page)), remarks)
        }
        Form::Article => {
            let (text, mut remarks) = text(bytes)?;
            remarks.extend(without_heading(&text));
            (Draft::Text(text), remarks)
        }
        Form::Post => {
            let (text, remarks) = text(bytes)?;
            (Draft::Text(text), remarks)
        }
    };
    // The keys of an empty page and the front matter of an empty article are words, and none of them is copy.
    let document = DraftDocument::read(&draft);
    if document.word_count() == 0 && document.html.is_empty() {
        return Err(NotADraft::Empty);
    }
    Ok((draft, remarks))
}

/// The page in a person's file: JSON when it begins with a brace, Markdown otherwise.
pub fn page(bytes: &[u8]) -> Result<(Page, Vec<Remark>), NotADraft> {
    let (text, mut remarks) = clean(bytes)?;
    if text.trim_start().starts_with('{') {
        let page = serde_json::from_str(&text).map_err(|error| NotADraft::Json {
            line: u32::try_from(error.line()).unwrap_or(u32::MAX).max(1),
            what: error.to_string(),
        })?;
        return Ok((page, remarks));
    }
    let page = page::page(&text, &mut remarks)?;
    remarks.sort_by_key(|remark| remark.line);
    Ok((page, remarks))
}

/// The article or post in a person's file: Markdown, its front matter as it is.
pub fn text(bytes: &[u8]) -> Result<(String, Vec<Remark>), NotADraft> {
    let (text, remarks) = clean(bytes)?;
    front::split(&text)?;
    Ok((text, remarks))
}

/// The text of a file without what is no part of it: a byte order mark, carriage returns, control characters.
fn clean(bytes: &[u8]) -> Result<(String, Vec<Remark>), NotADraft> {
    if bytes.len() > LARGEST_DRAFT {
        return Err(NotADraft::TooLarge { bytes: bytes.len() });
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
        NotADraft::NotText { line: line_at(memchr::memchr_iter(b'\n', before).count()) }
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n").replace('\r', "\n");
    let mut remarks = Vec::new();
    let is_stray = |c: char| (c.is_control() && !matches!(c, '\n' | '\t')) || c == '\u{feff}';
    let mut out = String::with_capacity(text.len() + 1);
    for (index, line) in text.trim_end().split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        if line.contains(is_stray) {
            out.extend(line.chars().filter(|c| !is_stray(*c)));
            remarks.push(Remark {
                line: line_at(index),
                what: "control characters were left out: they cannot be seen".to_owned(),
            });
        } else {
            out.push_str(line);
        }
    }
    if !has_words(chatter::bare(&out).draft) {
        return Err(NotADraft::Empty);
    }
    out.push('\n');
    Ok((out, remarks))
}

/// An article is found by its heading; one without is read all the same, for its critics to say so.
fn without_heading(text: &str) -> Option<Remark> {
    let front = front::split(text).ok()?;
    let has = |blocks: Vec<blocks::Block>| {
        blocks.iter().any(|block| matches!(block.kind, blocks::Kind::Heading { level: 1, .. }))
    };
    let remark = || Remark {
        line: front.body_line,
        what: "no heading of the first level: begin with `# ` and the headline".to_owned(),
    };
    (!blocks::blocks(front.body, front.body_line).is_ok_and(has) && front.get("title").is_none()).then(remark)
}
