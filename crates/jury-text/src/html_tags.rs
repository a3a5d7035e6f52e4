//! The start tags of a page as a browser's tokenizer reads them: names in lower case, references in values decoded.

use std::cell::RefCell;

use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};

/// A start tag.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HtmlTag {
    /// Its name.
    pub name: String,
    /// Names and values, each name once.
    pub attributes: Vec<(String, String)>,
    /// The text of an element that holds nothing but text: a script, a style sheet.
    pub text: String,
    /// The number of the drawing that it is in, counted from the first `svg` of the page.
    pub drawing: Option<usize>,
}

impl HtmlTag {
    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

/// The start tags of a page in their order, those in templates and in drawings included. What stands in a `noscript` is no
/// tag where scripts are carried out.
pub fn html_tags(html: &str) -> Vec<HtmlTag> {
    let tokenizer = Tokenizer::new(Tags::default(), TokenizerOpts::default());
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from_slice(html));
    // A script does not stop this sink, so that one call reads everything.
    drop(tokenizer.feed(&queue));
    tokenizer.end();
    tokenizer.sink.found.into_inner()
}

#[derive(Default)]
struct Tags {
    found: RefCell<Vec<HtmlTag>>,
    /// Whether the text that follows belongs to the last tag.
    in_text: RefCell<bool>,
    /// How many drawings there were, and how many are open.
    drawings: RefCell<(usize, usize)>,
}

impl TokenSink for Tags {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(tag) => {
                self.in_text.replace(false);
                let is_drawing = &*tag.name == "svg" && !tag.self_closing;
                let mut drawings = self.drawings.borrow_mut();
                if tag.kind == TagKind::EndTag {
                    drawings.1 = drawings.1.saturating_sub(usize::from(is_drawing));
                    return TokenSinkResult::Continue;
                }
                let drawing = (drawings.1 > 0).then(|| drawings.0.saturating_sub(1));
                drawings.0 += usize::from(&*tag.name == "svg" && drawings.1 == 0);
                drawings.1 += usize::from(is_drawing);
                let raw = raw_kind(&tag.name);
                let attributes =
                    tag.attrs.iter().map(|one| (one.name.local.to_string(), one.value.to_string()));
                let attributes = attributes.collect();
                self.found.borrow_mut().push(HtmlTag {
                    name: tag.name.to_string(),
                    attributes,
                    text: String::new(),
                    drawing,
                });
                match raw {
                    Some(kind) => {
                        self.in_text.replace(true);
                        return TokenSinkResult::RawData(kind);
                    }
                    None if &*tag.name == "plaintext" => return TokenSinkResult::Plaintext,
                    None => {}
                }
            }
            Token::CharacterTokens(text) if *self.in_text.borrow() => {
                if let Some(tag) = self.found.borrow_mut().last_mut() {
                    tag.text.push_str(&text);
                }
            }
            Token::DoctypeToken(_)
            | Token::CommentToken(_)
            | Token::CharacterTokens(_)
            | Token::NullCharacterToken
            | Token::EOFToken
            | Token::ParseError(_) => {}
        }
        TokenSinkResult::Continue
    }
}

/// Elements whose content is text to a browser.
fn raw_kind(name: &str) -> Option<RawKind> {
    match name {
        "script" => Some(RawKind::ScriptData),
        "style" | "xmp" | "iframe" | "noembed" | "noframes" | "noscript" => Some(RawKind::Rawtext),
        "textarea" | "title" => Some(RawKind::Rcdata),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_as_browsers_read_them() {
        let tags = html_tags(
            "<!doctype html><P OnClick='go(&#39;https:&#47;&sol;a.example&quot;)'>a<b>&lt;i></b>\
             <svg><script xlink:href=//b.example></script></svg><template><img src=c></template>\
             <script type=module>if (a</b>/) x()</script><noscript><img src=d></noscript><!-- <img src=e> -->",
        );
        let names: Vec<&str> = tags.iter().map(|tag| tag.name.as_str()).collect();
        assert_eq!(names, ["p", "b", "svg", "script", "template", "img", "script", "noscript"]);
        let value = |index: usize, name: &str| tags.get(index).and_then(|tag| tag.attribute(name));
        assert_eq!(value(0, "onclick"), Some("go('https://a.example\")"));
        assert_eq!(value(3, "xlink:href"), Some("//b.example"));
        let drawings: Vec<Option<usize>> = tags.iter().map(|tag| tag.drawing).collect();
        assert_eq!(drawings, [None, None, None, Some(0), None, None, None, None]);
        assert_eq!(tags.get(6).map(|tag| tag.text.as_str()), Some("if (a</b>/) x()"));
    }

    #[test]
    fn a_page_that_ends_anywhere_is_read_to_its_end() {
        let page = "<a href='b'><script>let c</script><style>d{}</style><e f=";
        for end in 0..page.len() {
            html_tags(page.get(..end).unwrap_or_default());
        }
    }
}
