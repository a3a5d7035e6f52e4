//! Which rules of a style sheet reach an element in which state. The engine knows this only for the state it
//! rendered; what happens on focus has to be read from the rules.
//!
//! This knows the selectors real pages use. What it does not know is told apart from what does not match, so that
//! nobody is blamed on the strength of a guess.

use std::cell::Cell;

use jury_eye::{Node, Snapshot};

/// Whether a selector reaches an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Match {
    No,
    /// It depends on something that cannot be seen from here.
    Maybe,
    Yes,
}

/// The state an element is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// As it lies there.
    Rest,
    /// With keyboard focus: `:focus`, `:focus-visible` and `:focus-within` hold.
    Focused,
}

/// Ids, classes and types, in this order.
pub(crate) type Specificity = [u16; 3];

/// A complex selector, such as `nav > a.on:focus`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Selector {
    /// The rightmost compound comes first, each with how it hangs on the one before it.
    compounds: Vec<(Combinator, Vec<Simple>)>,
    pub(crate) specificity: Specificity,
    /// `::before` and the like: what is matched is a part of the element and not the element.
    pub(crate) pseudo_element: bool,
    /// Whether a part of it only holds for a focused element.
    pub(crate) on_focus: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Combinator {
    /// The first compound hangs on nothing.
    Subject,
    Descendant,
    Child,
    Sibling,
    NextSibling,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Simple {
    Any,
    Tag(String),
    Id(String),
    Class(String),
    Attribute {
        name: String,
        operator: u8,
        value: String,
    },
    Focus,
    Root,
    FirstChild,
    LastChild,
    OnlyChild,
    Is(Vec<Selector>),
    Not(Vec<Selector>),
    /// A state the element is not in: hovered, pressed, checked.
    Never,
    /// Something that may hold or not.
    Unknown,
}

/// The selectors of a list, without those that cannot be read at all.
pub(crate) fn list(text: &str) -> Vec<Selector> {
    split_list(text).into_iter().filter_map(|part| Selector::read(part, 0)).collect()
}

/// Parts of a list, commas inside brackets left alone.
pub(crate) fn split_list(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.extend(text.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(text.get(start..));
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// How many elements are looked at for one selector and one element before it is given up: `a a a a a` over a deep
/// tree has more ways to match than anybody can try.
const MOST_STEPS: u32 = 2_000;

/// How deep functions may stand inside each other before a selector is given up.
const DEEPEST: usize = 4;

impl Selector {
    fn read(text: &str, depth: usize) -> Option<Self> {
        let mut selector =
            Self { compounds: Vec::new(), specificity: [0; 3], pseudo_element: false, on_focus: false };
        let mut reader = Reader { text, at: 0, depth };
        let mut combinator = Combinator::Subject;
        let mut compounds = Vec::new();
        loop {
            let simples = reader.compound(&mut selector)?;
            compounds.push((combinator, simples));
            match reader.combinator() {
                Some(next) => combinator = next,
                None => break,
            }
        }
        // Matching goes from right to left, so each compound needs the combinator to its right.
        let mut hanging = Combinator::Subject;
        for (left, simples) in compounds.into_iter().rev() {
            selector.compounds.push((hanging, simples));
            hanging = left;
        }
        (reader.at >= text.len()).then_some(selector)
    }

    /// The name the subject must have, for an index: `#id`, `.class`, `tag`, or nothing.
    pub(crate) fn key(&self) -> Option<String> {
        let (_, simples) = self.compounds.first()?;
        let find = |wanted: fn(&Simple) -> Option<String>| simples.iter().find_map(wanted);
        find(|simple| match simple {
            Simple::Id(id) => Some(format!("#{id}")),
            _ => None,
        })
        .or_else(|| {
            find(|simple| match simple {
                Simple::Class(class) => Some(format!(".{class}")),
                _ => None,
            })
        })
        .or_else(|| {
            find(|simple| match simple {
                Simple::Tag(tag) => Some(tag.clone()),
                _ => None,
            })
        })
    }

    /// Whether the element, in this state, is one this selector means.
    pub(crate) fn reaches(&self, snapshot: &Snapshot, node: &Node, state: State) -> Match {
        self.from(0, snapshot, node, state, &Cell::new(MOST_STEPS))
    }

    fn from(&self, index: usize, snapshot: &Snapshot, node: &Node, state: State, left: &Cell<u32>) -> Match {
        let Some((_, simples)) = self.compounds.get(index) else {
            return Match::Yes;
        };
        let Some(steps) = left.get().checked_sub(1) else {
            return Match::Maybe;
        };
        left.set(steps);
        let own =
            simples.iter().map(|simple| simple.holds(snapshot, node, state)).min().unwrap_or(Match::Yes);
        if own == Match::No {
            return Match::No;
        }
        let rest = match self.compounds.get(index + 1) {
            None => Match::Yes,
            Some((Combinator::Subject | Combinator::Descendant, _)) => snapshot
                .ancestors(node)
                .map(|above| self.from(index + 1, snapshot, above, state, left))
                .max()
                .unwrap_or(Match::No),
            Some((Combinator::Child, _)) => node
                .parent
                .and_then(|parent| snapshot.node(parent))
                .map_or(Match::No, |parent| self.from(index + 1, snapshot, parent, state, left)),
            // Siblings are looked for only one step back; further back it may hold.
            Some((Combinator::NextSibling, _)) => previous(snapshot, node)
                .map_or(Match::No, |sibling| self.from(index + 1, snapshot, sibling, State::Rest, left)),
            Some((Combinator::Sibling, _)) => {
                if previous(snapshot, node).is_some() {
                    Match::Maybe
                } else {
                    Match::No
                }
            }
        };
        own.min(rest)
    }
}

/// The element in front of this one under the same parent.
fn previous<'a>(snapshot: &'a Snapshot, node: &Node) -> Option<&'a Node> {
    let parent = node.parent?;
    let mut before = snapshot.node(jury_eye::NodeId(node.id.0.checked_sub(1)?))?;
    if before.id == parent {
        return None;
    }
    while before.parent != Some(parent) {
        before = snapshot.node(before.parent?)?;
    }
    Some(before)
}

fn is_last(snapshot: &Snapshot, node: &Node) -> bool {
    node.parent
        .and_then(|parent| snapshot.node(parent))
        .is_none_or(|parent| parent.subtree_end == node.subtree_end)
}

impl Simple {
    fn holds(&self, snapshot: &Snapshot, node: &Node, state: State) -> Match {
        let when = |holds: bool| if holds { Match::Yes } else { Match::No };
        match self {
            Self::Any => Match::Yes,
            Self::Tag(tag) => when(node.tag == *tag),
            Self::Id(id) => when(node.attribute("id") == Some(id)),
            Self::Class(class) => when(node.classes().any(|own| own == class)),
            Self::Attribute { name, operator, value } => {
                when(node.attribute(name).is_some_and(|own| match operator {
                    b'=' => own == value,
                    b'~' => own.split_ascii_whitespace().any(|word| word == value),
                    b'^' => !value.is_empty() && own.starts_with(value.as_str()),
                    b'$' => !value.is_empty() && own.ends_with(value.as_str()),
                    b'*' => !value.is_empty() && own.contains(value.as_str()),
                    b'|' => {
                        own == value
                            || own.strip_prefix(value.as_str()).is_some_and(|rest| rest.starts_with('-'))
                    }
                    _ => true,
                }))
            }
            Self::Focus => when(state == State::Focused),
            Self::Root => when(node.parent.is_none()),
            Self::FirstChild => when(previous(snapshot, node).is_none()),
            Self::LastChild => when(is_last(snapshot, node)),
            Self::OnlyChild => when(previous(snapshot, node).is_none() && is_last(snapshot, node)),
            Self::Is(selectors) => selectors
                .iter()
                .map(|selector| selector.reaches(snapshot, node, state))
                .max()
                .unwrap_or(Match::No),
            Self::Not(selectors) => selectors
                .iter()
                .map(|selector| match selector.reaches(snapshot, node, state) {
                    Match::No => Match::Yes,
                    Match::Maybe => Match::Maybe,
                    Match::Yes => Match::No,
                })
                .min()
                .unwrap_or(Match::Yes),
            Self::Never => Match::No,
            Self::Unknown => Match::Maybe,
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn name(&mut self) -> Option<String> {
        let rest = self.text.get(self.at..)?;
        let mut out = String::new();
        let mut chars = rest.char_indices();
        let mut end = rest.len();
        while let Some((at, ch)) = chars.next() {
            if ch == '\\' {
                // Utility classes such as `.md\:flex` escape what is not a letter.
                out.extend(chars.next().map(|(_, escaped)| escaped));
            } else if ch.is_alphanumeric() || matches!(ch, '-' | '_') {
                out.push(ch);
            } else {
                end = at;
                break;
            }
        }
        self.at += end;
        (!out.is_empty()).then_some(out)
    }

    /// What stands in the brackets that open here.
    fn bracketed(&mut self, open: u8, close: u8) -> Option<String> {
        let start = self.at + 1;
        let mut depth = 0_usize;
        while let Some(byte) = self.peek() {
            if byte == open {
                depth += 1;
            } else if byte == close {
                depth -= 1;
                if depth == 0 {
                    let inside = self.text.get(start..self.at)?.trim().to_owned();
                    self.at += 1;
                    return Some(inside);
                }
            }
            self.at += 1;
        }
        None
    }

    fn compound(&mut self, selector: &mut Selector) -> Option<Vec<Simple>> {
        let mut simples = Vec::new();
        let [ids, classes, types] = &mut selector.specificity;
        while let Some(byte) = self.peek() {
            match byte {
                b'*' => {
                    self.at += 1;
                    simples.push(Simple::Any);
                }
                b'#' => {
                    self.at += 1;
                    simples.push(Simple::Id(self.name()?));
                    *ids = ids.saturating_add(1);
                }
                b'.' => {
                    self.at += 1;
                    simples.push(Simple::Class(self.name()?));
                    *classes = classes.saturating_add(1);
                }
                b'[' => {
                    let inside = self.bracketed(b'[', b']')?;
                    simples.push(attribute(&inside));
                    *classes = classes.saturating_add(1);
                }
                b':' => {
                    self.at += 1;
                    let element = self.peek() == Some(b':');
                    self.at += usize::from(element);
                    let name = self.name()?.to_ascii_lowercase();
                    let argument = if self.peek() == Some(b'(') { self.bracketed(b'(', b')') } else { None };
                    if element || matches!(name.as_str(), "before" | "after" | "first-line" | "first-letter")
                    {
                        selector.pseudo_element = true;
                        *types = types.saturating_add(1);
                        continue;
                    }
                    selector.on_focus |= name.starts_with("focus");
                    if name != "where" {
                        *classes = classes.saturating_add(1);
                    }
                    let inner = argument.map(|argument| self.inner(&argument));
                    selector.on_focus |= name != "not"
                        && inner.as_ref().is_some_and(|inner| inner.iter().any(|inner| inner.on_focus));
                    simples.push(pseudo_class(&name, inner));
                }
                _ if byte.is_ascii_alphabetic()
                    || byte == b'_'
                    || byte == b'-'
                    || byte == b'\\'
                    || !byte.is_ascii() =>
                {
                    simples.push(Simple::Tag(self.name()?.to_ascii_lowercase()));
                    *types = types.saturating_add(1);
                }
                _ => break,
            }
        }
        (!simples.is_empty() || selector.pseudo_element).then_some(simples)
    }

    fn inner(&self, argument: &str) -> Vec<Selector> {
        if self.depth >= DEEPEST {
            return Vec::new();
        }
        split_list(argument).into_iter().filter_map(|part| Selector::read(part, self.depth + 1)).collect()
    }

    fn combinator(&mut self) -> Option<Combinator> {
        let mut found = None;
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => found = found.or(Some(Combinator::Descendant)),
                b'>' => found = Some(Combinator::Child),
                b'+' => found = Some(Combinator::NextSibling),
                b'~' => found = Some(Combinator::Sibling),
                _ => break,
            }
            self.at += 1;
        }
        found.filter(|_| self.at < self.text.len())
    }
}

fn attribute(inside: &str) -> Simple {
    let Some((name, value)) = inside.split_once('=') else {
        return Simple::Attribute {
            name: inside.trim().to_ascii_lowercase(),
            operator: 0,
            value: String::new(),
        };
    };
    let operator = name.bytes().last().filter(|byte| b"~^$*|".contains(byte)).unwrap_or(b'=');
    let name = name.trim_end_matches(['~', '^', '$', '*', '|']).trim().to_ascii_lowercase();
    let value = value.trim().trim_end_matches(" i").trim().trim_matches(['"', '\'']).to_owned();
    Simple::Attribute { name, operator, value }
}

fn pseudo_class(name: &str, inner: Option<Vec<Selector>>) -> Simple {
    match (name, inner) {
        ("focus" | "focus-visible" | "focus-within", _) => Simple::Focus,
        ("root", _) => Simple::Root,
        ("first-child" | "first-of-type", _) => Simple::FirstChild,
        ("last-child" | "last-of-type", _) => Simple::LastChild,
        ("only-child", _) => Simple::OnlyChild,
        ("is" | "where" | "matches" | "-webkit-any", Some(inner)) => Simple::Is(inner),
        ("not", Some(inner)) => Simple::Not(inner),
        ("link" | "any-link" | "enabled" | "defined", _) => Simple::Any,
        ("hover" | "active" | "visited" | "target" | "disabled" | "fullscreen" | "autofill", _) => {
            Simple::Never
        }
        _ => Simple::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use jury_eye::{Viewport, look};

    use super::*;

    fn reached(selector: &str, state: State) -> Vec<(String, Match)> {
        let html = "<nav id=n><a class='x on' href=/>a</a><a href=/b>b</a></nav><p><a>c</a></p>";
        let snapshot = look(html, Viewport::DESKTOP).expect("measurable");
        let selectors = list(selector);
        snapshot
            .nodes
            .iter()
            .filter(|node| node.tag == "a")
            .map(|node| {
                let found = selectors
                    .iter()
                    .map(|one| one.reaches(&snapshot, node, state))
                    .max()
                    .unwrap_or(Match::No);
                (node.text.clone(), found)
            })
            .collect()
    }

    fn names(selector: &str, state: State) -> String {
        reached(selector, state)
            .into_iter()
            .filter(|(_, found)| *found == Match::Yes)
            .map(|(name, _)| name)
            .collect()
    }

    #[test]
    fn selectors_reach_what_they_mean() {
        for (selector, expected) in [
            ("a", "abc"),
            ("*", "abc"),
            ("nav a", "ab"),
            ("nav > .x", "a"),
            ("#n a + a", "b"),
            ("a[href]", "ab"),
            ("a[href='/b'], p a", "bc"),
            ("a:not(.x)", "bc"),
            (":is(nav, p) > a:first-child", "ac"),
            ("a:last-child", "bc"),
            ("nav p a", ""),
            ("a:hover", ""),
            ("body > a", ""),
        ] {
            assert_eq!(names(selector, State::Rest), expected, "{selector}");
        }
    }

    #[test]
    fn states_count() {
        assert_eq!(names("a:focus-visible", State::Rest), "");
        assert_eq!(names("a:focus-visible", State::Focused), "abc");
        assert_eq!(names("a:not(:focus)", State::Focused), "");
        assert!(reached("a:nth-child(2)", State::Rest).iter().all(|(_, found)| *found == Match::Maybe));
    }

    #[test]
    fn specificity_is_counted() {
        let of = |text: &str| list(text).first().map(|selector| selector.specificity);
        assert_eq!(of("#a .b > c:focus"), Some([1, 2, 1]));
        assert_eq!(of("*"), Some([0, 0, 0]));
        assert!(list("a:focus, b").iter().map(|one| one.on_focus).eq([true, false]));
        assert!(list("a::before").iter().all(|one| one.pseudo_element));
        assert_eq!(list("@weird {{").len(), 0);
    }
}
