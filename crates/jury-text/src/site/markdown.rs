//! The Markdown of a post as markup. HTML in it is text, addresses that run are not linked, and a picture, which would have
//! to be loaded from somewhere, is a link to it.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::escape::{Markup, is_safe, normal, slug, unique};

/// The post under its title. A first heading or paragraph that repeats the title is left out.
pub(super) fn render(markdown: &str, title: &str) -> Markup {
    let mut writer = Writer { level: 1, ..Writer::default() };
    let mut events = events(markdown).peekable();
    let begins = matches!(
        events.peek(),
        Some(Event::Start(Tag::Heading { level: HeadingLevel::H1, .. } | Tag::Paragraph))
    );
    if begins {
        let is_end = |event: &Event<'_>| matches!(event, Event::End(TagEnd::Heading(_) | TagEnd::Paragraph));
        let heading: Vec<Event<'_>> = std::iter::from_fn(|| events.next_if(|event| !is_end(event))).collect();
        let end = events.next();
        let said: String = heading.iter().filter_map(plain).collect();
        if normal(&said) != normal(title) {
            heading.into_iter().chain(end).for_each(|event| writer.event(event));
        }
    }
    events.for_each(|event| writer.event(event));
    writer.out
}

/// What a post consists of, as its page shows it.
pub(super) fn events(markdown: &str) -> Parser<'_> {
    Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH)
}

/// What is read of an event.
pub(super) fn plain<'a>(event: &'a Event<'_>) -> Option<&'a str> {
    match event {
        Event::Text(text)
        | Event::Code(text)
        | Event::Html(text)
        | Event::InlineHtml(text)
        | Event::InlineMath(text)
        | Event::DisplayMath(text)
        | Event::FootnoteReference(text) => Some(text),
        Event::SoftBreak | Event::HardBreak => Some(" "),
        Event::Start(_) | Event::End(_) | Event::Rule | Event::TaskListMarker(_) => None,
    }
}

#[derive(Debug, Default)]
struct Writer {
    out: Markup,
    ids: Vec<String>,
    /// The level of the last heading: the next is at most one deeper.
    level: u8,
    /// A heading is written when its text is known: it needs a name, and an empty one is none.
    heading: Option<(u8, String)>,
    /// Where open links lead, and how long the markup was when each began.
    links: Vec<(Option<String>, usize)>,
    in_head: bool,
}

/// The names of headings under the title.
const HEADINGS: [&str; 7] = ["h2", "h2", "h2", "h3", "h4", "h5", "h6"];

impl Writer {
    fn event(&mut self, event: Event<'_>) {
        if let Some((_, text)) = &mut self.heading {
            if let Event::End(TagEnd::Heading(_)) = event {
                self.end_heading();
            } else if let Some(more) = plain(&event) {
                text.push_str(more);
            }
            return;
        }
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
                self.out.text(&text);
            }
            Event::Code(text) => {
                self.out.open("code", &[]).text(&text).close("code");
            }
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                self.out.text(&text);
            }
            Event::SoftBreak => {
                self.out.raw("\n");
            }
            Event::HardBreak => {
                self.out.raw("<br>\n");
            }
            Event::Rule => {
                self.out.raw("<hr>\n");
            }
            Event::TaskListMarker(done) => {
                self.out.raw(if done { "☑ " } else { "☐ " });
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => {
                let level = (level as u8 + 1).min(6);
                self.heading = Some((level, String::new()));
            }
            Tag::Paragraph | Tag::HtmlBlock => drop(self.out.open("p", &[])),
            Tag::BlockQuote(_) => drop(self.out.open("blockquote", &[]).raw("\n")),
            Tag::CodeBlock(CodeBlockKind::Indented | CodeBlockKind::Fenced(_)) => {
                self.out.open("pre", &[]).open("code", &[]);
            }
            Tag::List(None) => drop(self.out.open("ul", &[]).raw("\n")),
            Tag::List(Some(1)) => drop(self.out.open("ol", &[]).raw("\n")),
            Tag::List(Some(start)) => drop(self.out.open("ol", &[("start", &start.to_string())]).raw("\n")),
            Tag::Item => drop(self.out.open("li", &[])),
            Tag::Emphasis => drop(self.out.open("em", &[])),
            Tag::Strong => drop(self.out.open("strong", &[])),
            Tag::Strikethrough => drop(self.out.open("del", &[])),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                // A link in a link is only its text.
                let leads = self.links.is_empty() && is_safe(&dest_url);
                if leads {
                    self.out.open("a", &[("href", &dest_url)]);
                }
                self.links.push((leads.then(|| dest_url.to_string()), self.out.len()));
            }
            Tag::Table(_) => drop(self.out.open("table", &[]).raw("\n")),
            Tag::TableHead => {
                self.in_head = true;
                self.out.raw("<thead><tr>");
            }
            Tag::TableRow => drop(self.out.open("tr", &[])),
            Tag::TableCell if self.in_head => drop(self.out.open("th", &[("scope", "col")])),
            Tag::TableCell => drop(self.out.open("td", &[])),
            Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => drop(self.out.raw("</p>\n")),
            TagEnd::BlockQuote(_) => drop(self.out.raw("</blockquote>\n")),
            TagEnd::CodeBlock => drop(self.out.raw("</code></pre>\n")),
            TagEnd::List(true) => drop(self.out.raw("</ol>\n")),
            TagEnd::List(false) => drop(self.out.raw("</ul>\n")),
            TagEnd::Item => drop(self.out.raw("</li>\n")),
            TagEnd::Emphasis => drop(self.out.raw("</em>")),
            TagEnd::Strong => drop(self.out.raw("</strong>")),
            TagEnd::Strikethrough => drop(self.out.raw("</del>")),
            TagEnd::Link | TagEnd::Image => {
                if let Some((Some(address), began)) = self.links.pop() {
                    // A link without words says where it leads.
                    if self.out.len() == began {
                        self.out.text(&address);
                    }
                    self.out.raw("</a>");
                }
            }
            TagEnd::Table => drop(self.out.raw("</tbody></table>\n")),
            TagEnd::TableHead => {
                self.in_head = false;
                self.out.raw("</tr></thead>\n<tbody>\n");
            }
            TagEnd::TableRow => drop(self.out.raw("</tr>\n")),
            TagEnd::TableCell => drop(self.out.raw(if self.in_head { "</th>" } else { "</td>" })),
            TagEnd::Heading(_)
            | TagEnd::FootnoteDefinition
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::MetadataBlock(_) => {}
        }
    }

    fn end_heading(&mut self) {
        let Some((level, text)) = self.heading.take() else {
            return;
        };
        if normal(&text).is_empty() {
            return;
        }
        let level = level.min(self.level + 1);
        self.level = level;
        let name = HEADINGS.get(usize::from(level)).copied().unwrap_or("h6");
        let id = unique(&slug(&text), &mut self.ids);
        self.out.line(name, &[("id", &id)], &text);
    }
}
