//! A page under review: its text, its measured form, the brand it should follow, and how to name a place
//! in it.

use std::collections::BTreeMap;

use jury_eye::{Behind, EyeError, Node, NodeId, Sight, Snapshot, Undecided, Viewport, look_at};

use crate::brand::Brand;
use crate::css::{self, Declaration};
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
    /// Every declaration in style sheets and `style` attributes.
    pub(crate) declarations: Vec<Declaration>,
    /// Every piece of visible text with its contrast, as far as assistive technology knows of it too.
    pub(crate) runs: Vec<TextRun>,
    /// Visible text that is hidden from assistive technology. It is read by everybody else.
    pub(crate) ornaments: Vec<TextRun>,
    pub(crate) subject: Subject<'subject>,
}

impl<'subject> Page<'subject> {
    /// Measures a page.
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
        (page.runs, page.ornaments) = texts_of(&page.snapshot);
        Ok(page)
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
        let mut declarations: Vec<Declaration> = source
            .styles
            .iter()
            .flat_map(|span| css::declarations(html.get(span.clone()).unwrap_or_default(), span.start))
            .collect();
        for tag in &source.tags {
            if let Some(style) = tag.attribute("style") {
                declarations.extend(css::inline_declarations(&style.raw, style.value.start));
            }
        }
        let (runs, ornaments) = texts_of(&snapshot);
        Ok(Self { html, snapshot, narrower, source, declarations, runs, ornaments, subject })
    }

    /// All visible text with its contrast.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &TextRun> + Clone {
        self.runs.iter().chain(&self.ornaments)
    }

    /// The declarations of style sheets beside the page. They stand in no place of the page itself.
    pub(crate) fn linked_declarations(&self) -> Vec<Declaration> {
        self.snapshot
            .nodes
            .iter()
            .filter(|node| node.tag == "link")
            .filter(|node| {
                node.attribute("rel").is_some_and(|rel| {
                    rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("stylesheet"))
                })
            })
            .filter_map(|node| self.beside(node.attribute("href")?))
            .flat_map(|bytes| css::declarations(&String::from_utf8_lossy(bytes), 0))
            .collect()
    }

    /// The file beside the page that an address leads to.
    pub(crate) fn beside(&self, address: &str) -> Option<&'subject [u8]> {
        let address = address.trim().split(['?', '#']).next().unwrap_or_default();
        let plain = address.trim_start_matches("./");
        let beside = self.subject.beside;
        beside
            .get(plain)
            .or_else(|| beside.get(address))
            .or_else(|| beside.get(plain.trim_start_matches('/')))
    }

    /// Whether the file that an address leads to is beside the page, as itself or as a folder with an index; nothing when
    /// nobody has looked.
    pub(crate) fn is_beside(&self, address: &str) -> Option<bool> {
        let address = address.trim().split(['?', '#']).next().unwrap_or_default();
        let plain = address.trim_start_matches("./");
        let beside = self.subject.beside;
        let index = format!("{}/index.html", plain.trim_end_matches('/'));
        let seen = [plain, address, plain.trim_end_matches('/'), &index].map(|one| beside.has(one));
        if seen.contains(&Some(true)) { Some(true) } else { seen.into_iter().flatten().next() }
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

/// The texts of a page, those assistive technology knows of first and the others behind them.
fn texts_of(snapshot: &Snapshot) -> (Vec<TextRun>, Vec<TextRun>) {
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
