//! HTML as the parser of browsers reads it: a tree of elements and texts, with everything the parser complained about.
//!
//! Nodes lie in a list and name each other by their places in it, so that no page, however deep, needs recursion.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink as _};
use html5ever::{Attribute, LocalName, Namespace, ParseOpts, QualName, parse_document};
use jury_core::line;

/// The most nodes that are kept: a page beyond it is not looked at further.
const MOST_NODES: usize = 200_000;
/// The most complaints that are kept.
const MOST_ERRORS: usize = 20;

/// A place in the list.
pub(super) type Id = usize;

/// An element, a text, or what is neither.
#[derive(Debug)]
pub(super) enum Kind {
    Document,
    Element { name: Rc<QualName>, attributes: Vec<(String, String)>, template: Option<Id> },
    Text(String),
    Other,
}

#[derive(Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) parent: Option<Id>,
    pub(super) children: Vec<Id>,
    pub(super) line: u64,
}

/// A page that was read.
#[derive(Debug)]
pub(super) struct Dom {
    pub(super) nodes: Vec<Node>,
    /// What the parser complained about, with the lines.
    pub(super) errors: Vec<(u64, String)>,
    /// The page has more nodes than are looked at.
    pub(super) too_large: bool,
}

impl Dom {
    pub(super) fn read(html: &str) -> Self {
        let sink = Sink {
            nodes: RefCell::new(vec![Node {
                kind: Kind::Document,
                parent: None,
                children: Vec::new(),
                line: 1,
            }]),
            errors: RefCell::default(),
            line: Cell::new(1),
            too_large: Cell::new(false),
        };
        parse_document(sink, ParseOpts::default()).one(html)
    }

    pub(super) fn node(&self, id: Id) -> Option<&Node> {
        self.nodes.get(id)
    }

    /// The name of an element.
    pub(super) fn name(&self, id: Id) -> Option<&str> {
        match &self.node(id)?.kind {
            Kind::Element { name, .. } => Some(&name.local),
            Kind::Document | Kind::Text(_) | Kind::Other => None,
        }
    }

    pub(super) fn attribute(&self, id: Id, wanted: &str) -> Option<&str> {
        match &self.node(id)?.kind {
            Kind::Element { attributes, .. } => {
                attributes.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str())
            }
            Kind::Document | Kind::Text(_) | Kind::Other => None,
        }
    }

    pub(super) fn line(&self, id: Id) -> u64 {
        self.node(id).map_or(1, |node| node.line)
    }

    /// Everything in the tree below a node and the node itself, in the order of the page. What a template holds is not in
    /// the tree.
    pub(super) fn within(&self, root: Id) -> Vec<Id> {
        let mut order = Vec::new();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            order.push(id);
            // A tree has each node once; whatever else came of it, this ends.
            if order.len() > self.nodes.len() {
                break;
            }
            open.extend(self.node(id).into_iter().flat_map(|node| node.children.iter().rev()));
        }
        order
    }

    /// All elements of a name, in the order of the page.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = Id> + 'a {
        self.within(0).into_iter().filter(move |id| self.name(*id) == Some(name))
    }

    /// The text in a node as it stands.
    pub(super) fn text(&self, root: Id) -> String {
        let mut text = String::new();
        for id in self.within(root) {
            if let Some(Node { kind: Kind::Text(more), .. }) = self.node(id) {
                text.push_str(more);
            }
        }
        text
    }

    pub(super) fn is_within(&self, id: Id, names: &[&str]) -> bool {
        let mut above = self.node(id).and_then(|node| node.parent);
        for _ in 0..self.nodes.len() {
            let Some(parent) = above else {
                return false;
            };
            if self.name(parent).is_some_and(|name| names.contains(&name)) {
                return true;
            }
            above = self.node(parent).and_then(|node| node.parent);
        }
        false
    }
}

struct Sink {
    nodes: RefCell<Vec<Node>>,
    errors: RefCell<Vec<(u64, String)>>,
    line: Cell<u64>,
    too_large: Cell<bool>,
}

/// The name of an element, shared with its node.
#[derive(Debug)]
struct Name(Rc<QualName>);

impl ElemName for Name {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl Sink {
    fn add(&self, kind: Kind) -> Id {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Node { kind, parent: None, children: Vec::new(), line: self.line.get() });
        if nodes.len() > MOST_NODES {
            self.too_large.set(true);
        }
        nodes.len() - 1
    }

    fn detach(&self, id: Id) {
        let mut nodes = self.nodes.borrow_mut();
        let parent = nodes.get_mut(id).and_then(|node| node.parent.take());
        if let Some(parent) = parent.and_then(|parent| nodes.get_mut(parent)) {
            parent.children.retain(|child| *child != id);
        }
    }

    /// Puts a child under a parent, before the place or at the end; text joins the text before it.
    fn put(&self, parent: Id, place: Option<usize>, child: NodeOrText<Id>) {
        let id = match child {
            NodeOrText::AppendText(text) => {
                let mut nodes = self.nodes.borrow_mut();
                let before = nodes.get(parent).and_then(|parent| match place {
                    Some(place) => place.checked_sub(1).and_then(|place| parent.children.get(place)),
                    None => parent.children.last(),
                });
                if let Some(Node { kind: Kind::Text(so_far), .. }) =
                    before.copied().and_then(|before| nodes.get_mut(before))
                {
                    so_far.push_str(&text);
                    return;
                }
                drop(nodes);
                if self.too_large.get() {
                    return;
                }
                self.add(Kind::Text(text.to_string()))
            }
            NodeOrText::AppendNode(id) => {
                self.detach(id);
                id
            }
        };
        if self.too_large.get() {
            return;
        }
        let mut nodes = self.nodes.borrow_mut();
        if let Some(node) = nodes.get_mut(id) {
            node.parent = Some(parent);
        }
        if let Some(parent) = nodes.get_mut(parent) {
            let place = place.unwrap_or(parent.children.len()).min(parent.children.len());
            parent.children.insert(place, id);
        }
    }

    fn place_of(&self, id: Id) -> Option<(Id, usize)> {
        let nodes = self.nodes.borrow();
        let parent = nodes.get(id)?.parent?;
        let place = nodes.get(parent)?.children.iter().position(|child| *child == id)?;
        Some((parent, place))
    }
}

impl TreeSink for Sink {
    type Handle = Id;
    type Output = Dom;
    type ElemName<'a> = Name;

    fn finish(self) -> Dom {
        Dom {
            nodes: self.nodes.into_inner(),
            errors: self.errors.into_inner(),
            too_large: self.too_large.get(),
        }
    }

    fn parse_error(&self, message: Cow<'static, str>) {
        let mut errors = self.errors.borrow_mut();
        if errors.len() < MOST_ERRORS {
            errors.push((self.line.get(), line::cut(&message, 120)));
        }
    }

    fn get_document(&self) -> Id {
        0
    }

    fn elem_name<'a>(&'a self, target: &'a Id) -> Name {
        let nodes = self.nodes.borrow();
        match nodes.get(*target).map(|node| &node.kind) {
            Some(Kind::Element { name, .. }) => Name(Rc::clone(name)),
            _ => Name(Rc::new(QualName::new(None, Namespace::default(), LocalName::default()))),
        }
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> Id {
        let template = flags.template.then(|| self.add(Kind::Other));
        let attributes = attributes
            .into_iter()
            .map(|attribute| (attribute.name.local.to_string(), attribute.value.to_string()))
            .collect();
        self.add(Kind::Element { name: Rc::new(name), attributes, template })
    }

    fn create_comment(&self, _text: StrTendril) -> Id {
        self.add(Kind::Other)
    }

    fn create_pi(&self, _target: StrTendril, _data: StrTendril) -> Id {
        self.add(Kind::Other)
    }

    fn append(&self, parent: &Id, child: NodeOrText<Id>) {
        self.put(*parent, None, child);
    }

    fn append_based_on_parent_node(&self, element: &Id, previous: &Id, child: NodeOrText<Id>) {
        match self.place_of(*element) {
            Some((parent, place)) => self.put(parent, Some(place), child),
            None => self.put(*previous, None, child),
        }
    }

    fn append_doctype_to_document(&self, _name: StrTendril, _public: StrTendril, _system: StrTendril) {}

    fn get_template_contents(&self, target: &Id) -> Id {
        match self.nodes.borrow().get(*target).map(|node| &node.kind) {
            Some(Kind::Element { template: Some(contents), .. }) => *contents,
            _ => 0,
        }
    }

    fn same_node(&self, one: &Id, other: &Id) -> bool {
        one == other
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Id, child: NodeOrText<Id>) {
        if let NodeOrText::AppendNode(id) = &child {
            self.detach(*id);
        }
        if let Some((parent, place)) = self.place_of(*sibling) {
            self.put(parent, Some(place), child);
        }
    }

    fn add_attrs_if_missing(&self, target: &Id, more: Vec<Attribute>) {
        if let Some(Node { kind: Kind::Element { attributes, .. }, .. }) =
            self.nodes.borrow_mut().get_mut(*target)
        {
            for attribute in more {
                let name = attribute.name.local.to_string();
                if !attributes.iter().any(|(known, _)| *known == name) {
                    attributes.push((name, attribute.value.to_string()));
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &Id) {
        self.detach(*target);
    }

    fn reparent_children(&self, node: &Id, new_parent: &Id) {
        let mut nodes = self.nodes.borrow_mut();
        let children =
            nodes.get_mut(*node).map(|node| std::mem::take(&mut node.children)).unwrap_or_default();
        for child in &children {
            if let Some(child) = nodes.get_mut(*child) {
                child.parent = Some(*new_parent);
            }
        }
        if let Some(parent) = nodes.get_mut(*new_parent) {
            parent.children.extend(children);
        }
    }

    fn set_current_line(&self, line: u64) {
        self.line.set(line);
    }
}
