//! What there is on a page that a user would miss: its texts, links, forms, pictures and scripts.

use std::collections::{BTreeMap, BTreeSet};

use jury_eye::{Node, NodeId, Snapshot, TextPart};
use jury_text::html_tags::html_tags;
use jury_text::loss::{BlockKind, Sight, TextBlock, plain_words};

use super::pairs::{Pair, orders, pairs};
use super::sight::Seeing;
use super::tables::{Cell, cells};
use crate::checks::dead_address;

/// Elements that are part of a line of text.
const INLINE: &[&str] = &[
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd",
    "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var",
];

/// Attributes that say which values a field takes.
const BOUNDS: [&str; 7] = ["maxlength", "minlength", "pattern", "min", "max", "step", "accept"];

/// How many elements around one say which part of the page it is in.
const AROUND: usize = 6;

/// A drawing in the page that is smaller than this is an icon.
const DRAWING_PIXELS: f32 = 48.0;

/// A link, as it is told from others.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) address: String,
    pub(super) written: String,
    /// What it says.
    pub(super) name: String,
    pub(super) words: Vec<String>,
    /// The text before it.
    pub(super) behind: String,
    pub(super) sight: Sight,
    pub(super) about: String,
    /// Whether it leads somewhere at all.
    pub(super) alive: bool,
}

/// A field of a form.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: Option<String>,
    pub(super) id: Option<String>,
    pub(super) label: Vec<String>,
    pub(super) kind: String,
    /// What it sends, for one that nobody sees.
    pub(super) value: String,
    /// What it takes and what not.
    pub(super) bounds: Vec<String>,
    /// What a browser fills in by itself.
    pub(super) fills: String,
    pub(super) off: bool,
    /// Nothing is sent without it.
    pub(super) required: bool,
    /// What is chosen before anybody has chosen.
    pub(super) chosen: Vec<String>,
    /// What can be chosen.
    pub(super) offers: Vec<String>,
    pub(super) sight: Sight,
    /// Where its form leads.
    pub(super) action: String,
    pub(super) about: String,
}

/// How a form is written. What is not one of the three is the first, as HTML has it.
fn encoding(said: Option<&str>) -> String {
    let said = said.unwrap_or_default().trim().to_ascii_lowercase();
    let known = ["multipart/form-data", "text/plain"].contains(&said.as_str());
    if known { said } else { "application/x-www-form-urlencoded".to_owned() }
}

/// A form.
#[derive(Debug)]
pub(super) struct Form {
    pub(super) action: String,
    pub(super) method: String,
    /// How it is written.
    pub(super) encoding: String,
    /// The window or frame in which its answer opens.
    pub(super) target: String,
    /// Whether something sends it.
    pub(super) submits: bool,
    /// What its buttons send beside the fields.
    pub(super) sends: Vec<(String, String)>,
    pub(super) about: String,
}

/// A picture, a film or a frame that comes from an address.
#[derive(Debug)]
pub(super) struct Picture {
    pub(super) address: String,
    /// Every address that a browser may take in its place.
    pub(super) sources: Vec<String>,
    /// What it is called.
    pub(super) words: Vec<String>,
    /// Its width and its height, if it has a box.
    pub(super) size: Option<(f32, f32)>,
    pub(super) sight: Sight,
    pub(super) about: String,
}

/// A drawing in the page that is seen and is no icon.
#[derive(Debug)]
pub(super) struct Drawing {
    /// Its shapes, in order; none for a canvas.
    pub(super) shapes: Vec<String>,
    /// What it is called.
    pub(super) words: Vec<String>,
}

/// Everything on a page.
#[derive(Debug)]
pub(super) struct Inventory {
    pub(super) blocks: Vec<TextBlock>,
    pub(super) links: Vec<Link>,
    pub(super) fields: Vec<Field>,
    pub(super) forms: Vec<Form>,
    pub(super) pictures: Vec<Picture>,
    pub(super) drawings: Vec<Drawing>,
    /// The cells of tables that have figures.
    pub(super) cells: Vec<Cell>,
    /// What stands under what.
    pub(super) pairs: Vec<Pair>,
    /// Lists whose order counts.
    pub(super) orders: Vec<(bool, Vec<Vec<String>>)>,
}

impl Inventory {
    pub(super) fn of(seeing: &Seeing<'_>) -> Self {
        let (snapshot, html) = (seeing.snapshot, seeing.html);
        let reader = Reader { seeing, headings: headings(snapshot), texts: texts(snapshot) };
        let shapes = shapes(html);
        let is_outer =
            |node: &&Node| node.tag == "svg" && !snapshot.ancestors(node).any(|around| around.tag == "svg");
        let drawings: Vec<NodeId> = snapshot.nodes.iter().filter(is_outer).map(|node| node.id).collect();
        let mut inventory = Self {
            blocks: reader.blocks(|_| true),
            links: Vec::new(),
            fields: Vec::new(),
            forms: Vec::new(),
            pictures: Vec::new(),
            drawings: Vec::new(),
            cells: cells(snapshot),
            pairs: pairs(seeing),
            orders: orders(snapshot),
        };
        for node in &snapshot.nodes {
            match node.tag.as_str() {
                "a" | "area" => inventory.links.extend(reader.link(node)),
                "input" | "select" | "textarea" => inventory.fields.extend(reader.field(node)),
                "form" => inventory.forms.push(Form {
                    action: address(node.attribute("action").unwrap_or_default()),
                    method: node.attribute("method").unwrap_or("get").trim().to_ascii_lowercase(),
                    encoding: encoding(node.attribute("enctype")),
                    target: node.attribute("target").unwrap_or_default().trim().to_owned(),
                    submits: reader.submits(node),
                    sends: reader.sends(node),
                    about: reader.about(node),
                }),
                "svg" | "canvas" => {
                    let number = drawings.iter().position(|drawing| *drawing == node.id);
                    let large = node
                        .rect
                        .is_some_and(|rect| rect.width >= DRAWING_PIXELS && rect.height >= DRAWING_PIXELS);
                    if large && seeing.picture(node) == Sight::Shown {
                        let shapes =
                            number.and_then(|number| shapes.get(&number)).cloned().unwrap_or_default();
                        inventory.drawings.push(Drawing { shapes, words: plain_words(&node.name) });
                    }
                }
                "img" | "video" | "audio" | "iframe" | "embed" | "object" | "source" => {
                    inventory.pictures.extend(reader.picture(node));
                }
                _ => {}
            }
        }
        inventory
    }

    /// The texts alone, outside of what a narrow window may fold into a menu.
    pub(super) fn main_blocks(seeing: &Seeing<'_>) -> Vec<TextBlock> {
        let snapshot = seeing.snapshot;
        let folds = |node: &Node| {
            matches!(node.tag.as_str(), "nav" | "header" | "footer" | "aside" | "table")
                || matches!(
                    node.role.as_deref(),
                    Some("navigation" | "banner" | "contentinfo" | "complementary")
                )
        };
        Reader { seeing, headings: headings(snapshot), texts: BTreeMap::new() }
            .blocks(|node| !folds(node) && !snapshot.ancestors(node).any(folds))
    }
}

/// The shapes of each drawing of a page: what they are, and every attribute that says where and how large.
fn shapes(html: &str) -> BTreeMap<usize, Vec<String>> {
    const GEOMETRY: [&str; 20] = [
        "d",
        "points",
        "x",
        "y",
        "x1",
        "y1",
        "x2",
        "y2",
        "cx",
        "cy",
        "r",
        "rx",
        "ry",
        "dx",
        "dy",
        "width",
        "height",
        "transform",
        "href",
        "xlink:href",
    ];
    let mut found: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for tag in html_tags(html) {
        let Some(drawing) = tag.drawing else { continue };
        let own = GEOMETRY.iter().filter_map(|name| {
            let value = tag.attribute(name)?.split_whitespace().collect::<Vec<_>>().join(" ");
            Some(format!(" {name}={value}"))
        });
        let own: String = own.collect();
        if !own.is_empty() {
            found.entry(drawing).or_default().push(format!("{}{own}", tag.name));
        }
    }
    found
}

/// The texts of the headings, by their place.
fn headings(snapshot: &Snapshot) -> BTreeMap<NodeId, String> {
    snapshot.nodes.iter().filter(|node| is_heading(node)).map(|node| (node.id, node.name.clone())).collect()
}

/// The texts of all elements, by their place.
fn texts(snapshot: &Snapshot) -> BTreeMap<NodeId, String> {
    let told = snapshot.nodes.iter().filter(|node| node.shown && words_of(node).is_some());
    told.map(|node| (node.id, node.text.clone())).collect()
}

fn is_heading(node: &Node) -> bool {
    matches!(node.tag.as_str(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
        || node.role.as_deref() == Some("heading")
}

fn is_control(node: &Node) -> bool {
    matches!(node.tag.as_str(), "a" | "button" | "label" | "summary" | "th" | "legend" | "option" | "input")
        || matches!(node.role.as_deref(), Some("button" | "link" | "tab" | "menuitem"))
}

struct Reader<'a, 'page> {
    seeing: &'a Seeing<'page>,
    headings: BTreeMap<NodeId, String>,
    texts: BTreeMap<NodeId, String>,
}

impl Reader<'_, '_> {
    fn blocks(&self, wanted: impl Fn(&Node) -> bool) -> Vec<TextBlock> {
        let snapshot = self.seeing.snapshot;
        let mut places: BTreeMap<(NodeId, Sight), usize> = BTreeMap::new();
        let mut blocks: Vec<TextBlock> = Vec::new();
        // Elements whose words stand in the text around them.
        let mut told: BTreeSet<NodeId> = BTreeSet::new();
        for node in &snapshot.nodes {
            if !wanted(node) || told.contains(&node.id) {
                continue;
            }
            let Some(text) = words_of(node).or_else(|| sign_of(node)) else { continue };
            let sight = self.seeing.text(node);
            let mut line = String::new();
            self.line(node, sight, &mut line, &mut told);
            let text = if line.is_empty() { text.to_owned() } else { line };
            let around = || std::iter::once(node).chain(snapshot.ancestors(node));
            let block = around().find(|around| !INLINE.contains(&around.tag.as_str())).unwrap_or(node);
            let kind = if around().any(is_heading) {
                BlockKind::Heading
            } else if around().any(is_control) {
                BlockKind::Control
            } else {
                BlockKind::Running
            };
            let index = *places.entry((block.id, sight)).or_insert_with(|| {
                blocks.push(TextBlock { sight, texts: Vec::new(), about: self.about(block) });
                blocks.len() - 1
            });
            if let Some(block) = blocks.get_mut(index) {
                block.texts.push((kind, text));
            }
        }
        blocks
    }

    /// The text of an element with what is marked up inside of it, in order: `<b>24</b> euros` is `24 euros`. Links and
    /// labels say something by themselves, and what is seen differently is not a part of it.
    fn line(&self, node: &Node, sight: Sight, line: &mut String, told: &mut BTreeSet<NodeId>) {
        for part in &node.parts {
            match part {
                TextPart::Text(text) => append(line, text),
                TextPart::Child(child) => {
                    if let Some(child) = self.seeing.snapshot.nodes.get(child.index()) {
                        self.marked_up(child, sight, line, told);
                    }
                }
            }
        }
    }

    /// Adds what a child says, if it is a part of the line around it.
    fn marked_up(&self, child: &Node, sight: Sight, line: &mut String, told: &mut BTreeSet<NodeId>) {
        let inline = INLINE.contains(&child.tag.as_str()) && !is_control(child);
        if !inline || self.seeing.text(child) != sight {
            append(line, " ");
            return;
        }
        told.insert(child.id);
        if !child.parts.is_empty() {
            self.line(child, sight, line, told);
        } else if child.text.is_empty() {
            let inside = self.seeing.snapshot.descendants(child);
            for inner in inside.filter(|inner| inner.parent == Some(child.id)) {
                self.marked_up(inner, sight, line, told);
            }
        } else {
            append(line, &child.text);
        }
    }

    fn link(&self, node: &Node) -> Option<Link> {
        let written = node.attribute("href")?;
        let snapshot = self.seeing.snapshot;
        let known = |id: &str| {
            snapshot
                .nodes
                .iter()
                .any(|other| other.attribute("id") == Some(id) || other.attribute("name") == Some(id))
        };
        let alive = dead_address(written, &node.name, known).is_none() && address(written) != "#";
        Some(Link {
            address: address(written),
            written: written.trim().to_owned(),
            name: node.name.clone(),
            words: plain_words(&node.name),
            behind: self.texts.range(..node.id).next_back().map(|(_, text)| text.clone()).unwrap_or_default(),
            sight: self.seeing.control(node),
            about: format!("{} {}", node.name, self.about(node)),
            alive,
        })
    }

    /// Whether a form has something that sends it to where it leads, in the way that it says.
    fn submits(&self, form: &Node) -> bool {
        let id = form.attribute("id").map(str::trim).filter(|id| !id.is_empty());
        let inside = |node: &Node| self.seeing.snapshot.ancestors(node).any(|around| around.id == form.id);
        self.seeing.snapshot.nodes.iter().any(|node| {
            let kind = node.attribute("type").unwrap_or_default().trim().to_ascii_lowercase();
            let sends = match node.tag.as_str() {
                "button" => !matches!(kind.as_str(), "button" | "reset"),
                "input" => matches!(kind.as_str(), "submit" | "image"),
                _ => false,
            };
            let diverted = node.attribute("formaction").is_some() || node.attribute("formmethod").is_some();
            let own = match node.attribute("form").map(str::trim) {
                Some(other) => id == Some(other),
                None => inside(node),
            };
            sends && own && !diverted && node.attribute("disabled").is_none()
        })
    }

    /// What the buttons of a form send by their own names.
    fn sends(&self, form: &Node) -> Vec<(String, String)> {
        let inside = self.seeing.snapshot.descendants(form);
        let buttons = inside.filter(|node| {
            let kind = node.attribute("type").unwrap_or_default().trim().to_ascii_lowercase();
            node.tag == "button" && !matches!(kind.as_str(), "button" | "reset")
                || node.tag == "input" && kind == "submit"
        });
        let named = buttons.filter_map(|node| {
            let name = node.attribute("name").filter(|name| !name.trim().is_empty())?;
            Some((name.to_owned(), node.attribute("value").unwrap_or_default().to_owned()))
        });
        named.collect()
    }

    fn field(&self, node: &Node) -> Option<Field> {
        let kind = match node.tag.as_str() {
            "input" => node.attribute("type").unwrap_or("text").trim().to_ascii_lowercase(),
            other => other.to_owned(),
        };
        if matches!(kind.as_str(), "submit" | "button" | "reset" | "image") {
            return None;
        }
        let snapshot = self.seeing.snapshot;
        let own = |name: &str| node.attribute(name).map(str::trim).filter(|value| !value.is_empty());
        let form = match own("form") {
            Some(id) => snapshot.nodes.iter().find(|form| form.attribute("id") == Some(id)),
            None => snapshot.ancestors(node).find(|around| around.tag == "form"),
        };
        let mut sight = self.seeing.element(node);
        if matches!(kind.as_str(), "checkbox" | "radio" | "file") {
            // A control that is drawn by its label is where the label is.
            let label = snapshot.nodes.iter().find(|label| {
                label.tag == "label"
                    && (own("id").is_some() && label.attribute("for").map(str::trim) == own("id")
                        || snapshot.ancestors(node).any(|around| around.id == label.id))
            });
            sight = sight.max(label.map_or(Sight::Hidden, |label| self.seeing.control(label)));
        }
        let off = ["disabled", "readonly", "inert"].iter().any(|name| node.attribute(name).is_some())
            || snapshot.ancestors(node).any(|around| {
                around.tag == "fieldset" && around.attribute("disabled").is_some()
                    || around.attribute("inert").is_some()
            });
        let options: Vec<&Node> = snapshot.descendants(node).filter(|inner| inner.tag == "option").collect();
        let value_of = |option: &Node| option.attribute("value").unwrap_or(&option.text).trim().to_owned();
        let mut chosen: Vec<String> = options
            .iter()
            .filter(|option| option.attribute("selected").is_some())
            .map(|option| value_of(option))
            .collect();
        chosen.extend(node.attribute("checked").map(|_| "checked".to_owned()));
        // Without a word about it the first one is chosen.
        if chosen.is_empty() && node.tag == "select" && node.attribute("multiple").is_none() {
            chosen.extend(options.first().map(|option| value_of(option)));
        }
        Some(Field {
            name: own("name").map(str::to_owned),
            id: own("id").map(str::to_owned),
            label: plain_words(&node.name),
            value: node.attribute("value").unwrap_or_default().to_owned(),
            bounds: BOUNDS
                .iter()
                .filter_map(|name| Some(format!("{name}={}", node.attribute(name)?.trim())))
                .collect(),
            fills: own("autocomplete").unwrap_or_default().to_ascii_lowercase(),
            off,
            required: node.attribute("required").is_some(),
            chosen,
            offers: options.iter().map(|option| value_of(option)).collect(),
            sight: if kind == "hidden" { Sight::Hidden } else { sight },
            action: form
                .map_or_else(String::new, |form| address(form.attribute("action").unwrap_or_default())),
            about: format!("{} {}", node.name, self.about(node)),
            kind,
        })
    }

    fn picture(&self, node: &Node) -> Option<Picture> {
        let first_of_set = |set: &str| set.split(',').next()?.split_whitespace().next().map(str::to_owned);
        let written = ["src", "data-src", "data"]
            .into_iter()
            .filter_map(|name| node.attribute(name))
            .map(str::trim)
            .find(|value| !value.is_empty())
            .map(str::to_owned)
            .or_else(|| node.attribute("srcset").and_then(first_of_set))?;
        // What is shown of one of several sources is the element around them.
        let shown_by = if node.tag == "source" {
            let parent = self.seeing.snapshot.ancestors(node).next()?;
            if parent.tag == "picture" {
                return None;
            }
            parent
        } else {
            node
        };
        let sight =
            if node.tag == "audio" { self.seeing.element(node) } else { self.seeing.picture(shown_by) };
        let candidates = |node: &Node| -> Vec<String> {
            let set = node.attribute("srcset").unwrap_or_default();
            // A comma may stand in an address of its own making, and then there is no list.
            let set = set.split(", ").filter(|one| !one.trim_start().starts_with("data:"));
            let of_set = set
                .filter_map(|one| one.split_whitespace().next())
                .map(|one| address(one.trim_end_matches(',')));
            of_set.chain(node.attribute("src").map(address)).collect()
        };
        let mut sources = candidates(node);
        let around = self.seeing.snapshot.ancestors(node).next().filter(|parent| parent.tag == "picture");
        let beside = around.map(|parent| self.seeing.snapshot.descendants(parent));
        sources
            .extend(beside.into_iter().flatten().filter(|other| other.tag == "source").flat_map(candidates));
        Some(Picture {
            address: address(&written),
            sources,
            words: plain_words(&node.name),
            size: node.rect.map(|rect| (rect.width, rect.height)),
            sight,
            about: format!("{} {}", node.name, self.about(node)),
        })
    }

    /// Words that say which part of the page an element is in: ids and classes around it, and the heading before it.
    fn about(&self, node: &Node) -> String {
        let around = std::iter::once(node).chain(self.seeing.snapshot.ancestors(node)).take(AROUND);
        let mut about: Vec<&str> = Vec::new();
        for element in around.filter(|element| !matches!(element.tag.as_str(), "html" | "body" | "main")) {
            about.push(&element.tag);
            about
                .extend(["id", "class", "aria-label"].into_iter().filter_map(|name| element.attribute(name)));
        }
        about.extend(self.headings.range(..=node.id).next_back().map(|(_, heading)| heading.as_str()));
        about.push(&node.text);
        about.join(" ")
    }
}

/// The sign of money or of a share, which may stand in an element beside the number that it belongs to.
fn sign_of(node: &Node) -> Option<&str> {
    let read =
        !matches!(node.tag.as_str(), "script" | "style" | "title" | "noscript" | "head" | "html" | "input");
    Some(node.text.as_str()).filter(|text| read && text.contains(['€', '$', '£', '¥', '%']))
}

/// Adds a text to a line, with one space where there is white space.
fn append(line: &mut String, text: &str) {
    let gap = |line: &mut String| {
        if !line.is_empty() && !line.ends_with(' ') {
            line.push(' ');
        }
    };
    if text.starts_with(char::is_whitespace) {
        gap(line);
    }
    line.push_str(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    if text.ends_with(char::is_whitespace) {
        gap(line);
    }
}

/// What is to be read in an element.
fn words_of(node: &Node) -> Option<&str> {
    let text = match node.tag.as_str() {
        "input" => match node.attribute("type").unwrap_or_default().trim().to_ascii_lowercase().as_str() {
            "submit" | "reset" | "button" => node.attribute("value").unwrap_or_default(),
            _ => "",
        },
        "script" | "style" | "title" | "noscript" | "head" | "html" => "",
        _ => node.text.as_str(),
    };
    text.chars().any(char::is_alphanumeric).then_some(text)
}

/// Whether an address of a draft, in its plain form, leads where one of the page did. A connection may become safe; one that
/// was safe may not be opened.
pub(super) fn leads_to(draft: &str, given: &str) -> bool {
    draft == given
        || given.strip_prefix("http://").is_some_and(|place| draft.strip_prefix("https://") == Some(place))
}

/// An address in a form in which two that are the same are equal.
pub(super) fn address(written: &str) -> String {
    let written = written.trim();
    let lower = written.to_ascii_lowercase();
    if lower.starts_with("mailto:") || lower.starts_with("tel:") {
        return lower
            .chars()
            .filter(|ch| !ch.is_whitespace() && !"-.()/".contains(*ch) || lower.starts_with("mailto:"))
            .collect();
    }
    let host = ["http://", "https://", "//"].iter().find(|scheme| lower.starts_with(**scheme));
    if let Some(scheme) = host {
        let rest = written.get(scheme.len()..).unwrap_or_default();
        let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        let scheme = if *scheme == "//" { "https://" } else { scheme };
        return format!("{scheme}{}{}", host.to_ascii_lowercase(), path.strip_suffix('/').unwrap_or(path));
    }
    let plain = written.strip_prefix("./").unwrap_or(written);
    if plain.len() > 1 { plain.strip_suffix('/').unwrap_or(plain).to_owned() } else { plain.to_owned() }
}
