//! A page under review: its text, its measured form, the brand it should follow, and how to name a place
//! in it.

use std::collections::{BTreeMap, BTreeSet};

use jury_eye::{Behind, Beside, EyeError, Node, NodeId, Sight, Snapshot, Undecided, Viewport, look_at};
use jury_text::brand::Brand;

use crate::css::Declaration;
use crate::sheets;
use crate::source::Source;
use crate::subject::Subject;
use crate::text_run::{self, TextRun};

/// The windows a page is measured in. Most checks look at the first.
pub(crate) const VIEWPORTS: [Viewport; 4] =
    [Viewport::DESKTOP, Viewport::TABLET, Viewport::PHONE, Viewport::NARROW];

/// A page, measured once.
#[derive(Debug)]
pub(crate) struct Page<'subject> {
    pub(crate) html: String,
    /// In the first window.
    pub(crate) snapshot: Snapshot,
    /// In the other windows, in the order of [`VIEWPORTS`]. Nodes have the same ids in all of them.
    pub(crate) narrower: Vec<Snapshot>,
    pub(crate) source: Source,
    /// Every declaration in its own style sheets and `style` attributes.
    pub(crate) declarations: Vec<Declaration>,
    /// Those of style sheets beside it, which cannot be edited here.
    linked: Vec<Declaration>,
    /// Every piece of visible text with its contrast, as far as assistive technology knows of it too.
    pub(crate) runs: Vec<TextRun>,
    /// Visible text that is hidden from assistive technology. It is read by everybody else.
    pub(crate) ornaments: Vec<TextRun>,
    pub(crate) subject: Subject<'subject>,
}

impl<'subject> Page<'subject> {
    /// Lays a page out and measures it.
    pub(crate) fn measure(html: String, subject: Subject<'subject>) -> Result<Self, EyeError> {
        Self::look(html, subject, Some(&text_run::undecided))
    }

    /// Measures a page that is painted like one that was measured already: its pixels are those of the earlier one.
    /// `earlier` says what an element had behind it there.
    pub(crate) fn measure_like(
        html: String,
        subject: Subject<'subject>,
        earlier: impl Fn(&Self) -> Vec<Option<Behind>>,
    ) -> Result<Self, EyeError> {
        let mut page = Self::look(html, subject, None)?;
        let behind = earlier(&page);
        for (node, behind) in page.snapshot.nodes.iter_mut().zip(behind) {
            node.behind = behind;
        }
        page.read_texts();
        Ok(page)
    }

    /// Finds all text and what is behind it.
    fn read_texts(&mut self) {
        let (mut runs, mut ornaments) = parted(&self.snapshot);
        let declarations = self.all_declarations();
        text_run::leave_open(&mut runs, &self.snapshot, &declarations);
        text_run::leave_open(&mut ornaments, &self.snapshot, &declarations);
        (self.runs, self.ornaments) = (runs, ornaments);
    }

    fn look(
        html: String,
        subject: Subject<'subject>,
        pixels: Option<Undecided<'_>>,
    ) -> Result<Self, EyeError> {
        let sight = Sight { html: &html, beside: subject.beside, viewports: &VIEWPORTS, pixels };
        let mut snapshots = look_at(sight)?.into_iter();
        let Some(snapshot) = snapshots.next() else {
            return Err(EyeError::EnginePanic { message: "no window to look through".to_owned() });
        };
        let narrower = snapshots.collect();
        let source = Source::aligned(&html, &snapshot);
        let declarations = sheets::own(&html, &source);
        let linked = sheets::linked(&html, &source, &snapshot, subject.beside);
        let mut page = Self {
            html,
            snapshot,
            narrower,
            source,
            declarations,
            linked,
            runs: Vec::new(),
            ornaments: Vec::new(),
            subject,
        };
        page.read_texts();
        Ok(page)
    }

    /// All visible text with its contrast.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &TextRun> + Clone {
        self.runs.iter().chain(&self.ornaments)
    }

    /// The declarations that decide how the page looks, in their order: its own and those of style sheets beside it.
    pub(crate) fn all_declarations(&self) -> Vec<&Declaration> {
        let mut all: Vec<&Declaration> = self.linked.iter().chain(&self.declarations).collect();
        if !self.linked.is_empty() {
            all.sort_by_key(|declaration| declaration.span.start);
        }
        all
    }

    /// Whether the file that an address leads to is beside the page, as itself, as a folder with an index or as the page
    /// that hosts serve under that name; nothing when nobody has looked.
    pub(crate) fn is_beside(&self, address: &str) -> Option<bool> {
        is_beside(self.subject.beside, address)
    }

    /// The brand the page should follow.
    pub(crate) fn brand(&self) -> Option<&'subject Brand> {
        self.subject.brand
    }

    /// The page in the window of this width, if it was measured in one.
    pub(crate) fn at(&self, viewport: Viewport) -> Option<&Snapshot> {
        std::iter::once(&self.snapshot).chain(&self.narrower).find(|snapshot| snapshot.viewport == viewport)
    }

    pub(crate) fn node(&self, id: NodeId) -> Option<&Node> {
        self.snapshot.node(id)
    }

    /// Elements assistive technology knows of.
    pub(crate) fn exposed(&self) -> impl Iterator<Item = &Node> {
        self.snapshot.nodes.iter().filter(|node| node.exposed)
    }

    /// The ids that links can lead to.
    pub(crate) fn targets(&self) -> BTreeSet<&str> {
        self.snapshot
            .nodes
            .iter()
            .flat_map(|node| [node.attribute("id"), node.attribute("name").filter(|_| node.tag == "a")])
            .flatten()
            .collect()
    }

    /// The line an element's tag stands on.
    pub(crate) fn line(&self, id: NodeId) -> Option<usize> {
        self.source.tag(id).map(|tag| self.source.line(tag.span.start))
    }

    /// Selector and line of an element, such as `p.lead, line 12`.
    pub(crate) fn place(&self, id: NodeId) -> String {
        let Some(node) = self.node(id) else {
            return String::new();
        };
        self.line(id).map_or_else(|| selector(node), |line| format!("{}, line {line}", selector(node)))
    }

    /// The first of several places, and how many more there are.
    pub(crate) fn places(&self, ids: &[NodeId]) -> String {
        match ids {
            [] => String::new(),
            [only] => self.place(*only),
            [first, rest @ ..] => format!("{} and {} more", self.place(*first), rest.len()),
        }
    }

    /// Groups elements by what they look like in the source, in document order.
    pub(crate) fn grouped(&self, ids: impl IntoIterator<Item = NodeId>) -> Vec<Vec<NodeId>> {
        let mut groups: BTreeMap<String, Vec<NodeId>> = BTreeMap::new();
        for id in ids {
            if let Some(node) = self.node(id) {
                groups.entry(selector(node)).or_default().push(id);
            }
        }
        let mut groups: Vec<Vec<NodeId>> = groups.into_values().collect();
        groups.sort();
        groups
    }

    /// Whether an element or one around it satisfies a condition.
    pub(crate) fn is_inside(&self, node: &Node, condition: impl Fn(&Node) -> bool) -> bool {
        condition(node) || self.snapshot.ancestors(node).any(condition)
    }

    /// The whole visible text of an element, in document order of its elements.
    pub(crate) fn text_inside(&self, node: &Node) -> String {
        let mut text = node.text.clone();
        for inner in self.snapshot.descendants(node) {
            if inner.shown && !inner.text.is_empty() {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(&inner.text);
            }
        }
        text
    }
}

/// Whether the file that an address leads to lies beside a page, as itself, as a folder with an index or as the page that
/// hosts serve under that name; nothing when nobody has looked.
pub(crate) fn is_beside(beside: &Beside, address: &str) -> Option<bool> {
    let name = Beside::name_of(address)?;
    let plain = name.trim_end_matches('/');
    let served = [format!("{plain}/index.html"), format!("{plain}.html")];
    if served.iter().any(|one| beside.has(one) == Some(true)) {
        return Some(true);
    }
    beside.has(&name).or_else(|| beside.has(plain))
}

/// Visible text that assistive technology knows of, and the rest of it.
fn parted(snapshot: &Snapshot) -> (Vec<TextRun>, Vec<TextRun>) {
    text_run::runs(snapshot)
        .into_iter()
        .partition(|run| snapshot.node(run.node).is_some_and(|node| node.exposed))
}

/// A short name for an element: its tag with its id or its first two classes.
pub(crate) fn selector(node: &Node) -> String {
    let mut out = node.tag.clone();
    let plain = |word: &str| {
        !word.is_empty() && word.chars().all(|ch| ch.is_alphanumeric() || matches!(ch, '-' | '_'))
    };
    if let Some(id) = node.attribute("id").filter(|id| plain(id)) {
        out.push('#');
        out.push_str(id);
        return out;
    }
    for class in node.classes().filter(|class| plain(class)).take(2) {
        out.push('.');
        out.push_str(class);
    }
    out
}
