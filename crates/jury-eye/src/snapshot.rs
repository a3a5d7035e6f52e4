//! The plain data a page becomes. No engine type appears here, and nothing here decides anything.

use serde::{Deserialize, Serialize};

use crate::coverage::Coverage;

/// A page as measured once in one viewport.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The window the page was laid out in.
    pub viewport: Viewport,
    /// Every element, in document order. A parent always stands before its children.
    pub nodes: Vec<Node>,
    /// What holds for the page as a whole.
    pub page: PageFacts,
    /// How much of the page this snapshot can speak for.
    pub coverage: Coverage,
}

impl Snapshot {
    /// The node with this id. Ids come from this snapshot, so there always is one.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.index())
    }

    /// The ancestors of a node, nearest first.
    pub fn ancestors<'a>(&'a self, node: &'a Node) -> impl Iterator<Item = &'a Node> + 'a {
        std::iter::successors(node.parent.and_then(|id| self.node(id)), |current| {
            current.parent.and_then(|id| self.node(id))
        })
    }

    /// The descendants of a node, in document order.
    pub fn descendants<'a>(&'a self, node: &Node) -> impl Iterator<Item = &'a Node> + 'a {
        let first = node.id.index() + 1;
        let end = node.subtree_end.index();
        self.nodes.get(first..end).unwrap_or_default().iter()
    }
}

/// The window a page is laid out in, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Viewport {
    /// Width in CSS pixels.
    pub width: u32,
    /// Height in CSS pixels.
    pub height: u32,
}

impl Viewport {
    /// The window of a common laptop.
    pub const DESKTOP: Self = Self { width: 1280, height: 800 };
    /// The window of a common tablet, upright.
    pub const TABLET: Self = Self { width: 768, height: 1024 };
    /// The window of a common phone.
    pub const PHONE: Self = Self { width: 375, height: 812 };
    /// The width at which WCAG 1.4.10 asks for reflow.
    pub const NARROW: Self = Self { width: 320, height: 640 };
}

/// The place of a node in [`Snapshot::nodes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The index into [`Snapshot::nodes`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One element of the page.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts of the element, not states of one thing"
)]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Its place in the snapshot.
    pub id: NodeId,
    /// The element around it.
    pub parent: Option<NodeId>,
    /// One past its last descendant.
    pub subtree_end: NodeId,
    /// The name of the element, in lower case.
    pub tag: String,
    /// Attributes in source order.
    pub attributes: Vec<(String, String)>,
    /// The role it has by WAI-ARIA and HTML-AAM; absent when it is generic or has none.
    pub role: Option<String>,
    /// The accessible name; empty when there is none.
    pub name: String,
    /// Where the name came from.
    pub name_source: NameSource,
    /// What is to be read inside a control that is named by an attribute; empty for everything else.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// The text directly inside the element, white space collapsed; children's text is theirs.
    pub text: String,
    /// The text and the children in their order, where there are both; empty elsewhere. It is not written down: whoever
    /// needs it looks at the page.
    #[serde(skip)]
    pub parts: Vec<TextPart>,
    /// Whether a sighted reader gets to see it.
    pub shown: bool,
    /// Whether assistive technology gets to know it.
    pub exposed: bool,
    /// Whether it is there at all: displayed, visible, neither inert nor folded away. It may still be off the canvas
    /// or kept from assistive technology.
    pub rendered: bool,
    /// Computed style; absent inside `display: none`.
    pub style: Option<Style>,
    /// The border box relative to the page, transforms applied, when the element has one.
    pub rect: Option<Rect>,
    /// The text that stands directly in the element, one box for each line. As high as its font, not its line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Rect>,
    /// How much there is inside an element that cuts off or scrolls what does not fit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scroll: Option<Scroll>,
    /// Boxes that style sheets add to it with `::before` and `::after`, as far as they paint anything.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub generated: Vec<Generated>,
    /// Whether it shows something that is not painted here: a drawing, a film, a frame, an image that is elsewhere.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unseen: bool,
    /// The pixels behind its text, when they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub behind: Option<Behind>,
}

/// A part of an element that has text and children.
#[derive(Debug, Clone, PartialEq)]
pub enum TextPart {
    /// Text as it stands in the source.
    Text(String),
    /// A child.
    Child(NodeId),
}

/// The inside of an element and what is in it. What is larger than the inside is cut off or has to be scrolled to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Scroll {
    /// Width of the content.
    pub width: f32,
    /// Height of the content.
    pub height: f32,
    /// Width of the inside.
    pub inner_width: f32,
    /// Height of the inside.
    pub inner_height: f32,
}

/// A box that a style sheet adds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Generated {
    /// Where it is on the page.
    pub rect: Rect,
    /// The colours and images that it paints.
    pub backdrop: Backdrop,
    /// Whether it lies below the content of the element, by a negative `z-index`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub below: bool,
}

/// The pixels behind the text of an element, and the same pixels with the text painted over them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Behind {
    /// Pairs of colours as they are seen, the commonest first.
    pub colours: Vec<Patch>,
    /// Pixels where the text is cut off, or something lies over it.
    pub covered: u32,
    /// Whether a picture lies there that could not be read, so that the colours are not all there is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unseen: bool,
}

/// A colour behind text, and the text on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patch {
    /// The colour without the text.
    pub backdrop: [u8; 3],
    /// The colour with the text.
    pub text: [u8; 3],
    /// How many pixels are like this.
    pub pixels: u32,
}

impl Node {
    /// The value of an attribute; names are lower case.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The number in `tabindex`, when there is one.
    pub fn tab_index(&self) -> Option<i32> {
        let value = self.attribute("tabindex")?.trim_start();
        let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
        let length = digits.bytes().take_while(u8::is_ascii_digit).count();
        let sign = value.len() - digits.len();
        value.get(..sign + length)?.parse().ok()
    }

    /// Whether it could have the focus, going by its own tag: the things around it may still forbid it.
    pub fn is_focusable(&self) -> bool {
        self.rendered && crate::name::is_focusable(self)
    }

    /// The classes of the element.
    pub fn classes(&self) -> impl Iterator<Item = &str> {
        self.attribute("class").unwrap_or_default().split_ascii_whitespace()
    }
}

/// Which rule gave an element its accessible name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NameSource {
    /// There is no name.
    Nothing,
    /// The attribute `aria-labelledby` of the element.
    LabelledBy,
    /// The attribute `aria-label` of the element.
    AriaLabel,
    /// `label`, `alt`, `value`, `legend`, `caption`, SVG `title`.
    Native,
    /// The text inside the element.
    Content,
    /// The attribute `title` of the element.
    Title,
    /// `placeholder`: a name of last resort.
    Placeholder,
}

/// Computed values that checks look at. Lengths are CSS pixels.
#[expect(clippy::struct_excessive_bools, reason = "independent facts of the style, not states of one thing")]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Style {
    /// The colour of the text.
    pub color: Rgba,
    /// What the element paints behind its content.
    pub backdrop: Backdrop,
    /// The element's own opacity, not multiplied with its ancestors'.
    pub opacity: f32,
    /// The font size, in pixels.
    pub font_size: f32,
    /// Font weight, 1 to 1000.
    pub font_weight: f32,
    /// Font families in order of preference; generic families by their keyword.
    pub font_families: Vec<String>,
    /// Line height; absent for `normal`.
    pub line_height: Option<f32>,
    /// The letter spacing, in pixels.
    pub letter_spacing: f32,
    /// Whether it has `text-transform: uppercase`.
    pub uppercase: bool,
    /// Shadows of the text, the topmost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub text_shadow: Vec<Shadow>,
    /// `-webkit-text-fill-color` as written, when it is not the text colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_fill: Option<String>,
    /// Whether a filter or a blend mode changes what is seen of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub filtered: bool,
    /// The kind of box.
    pub layout: Layout,
    /// Whether the element is taken out of flow by `position`.
    pub positioned: bool,
    /// Whether overflowing content is cut off or scrolls.
    pub clips: bool,
    /// The margins as they are used.
    pub margin: Edges,
    /// The paddings as they are used.
    pub padding: Edges,
    /// The border widths as they are used.
    pub border: Edges,
    /// Row and column gap of a flex or grid container.
    pub gap: [f32; 2],
    /// Border colours: top, right, bottom, left. A side without width shows nothing of its colour.
    pub border_color: [Rgba; 4],
    /// The outline, when there is one to see.
    pub outline: Option<Outline>,
    /// Whether the element itself underlines its text. Its content is underlined with it.
    pub underline: bool,
    /// The alignment of its lines, `text-align`.
    pub text_align: TextAlign,
    /// How it is placed, `position`.
    pub position: Position,
    /// `z-index`; absent for `auto`.
    pub z_index: Option<i32>,
    /// What happens to content that does not fit: sideways, and downwards.
    pub overflow: [Overflow; 2],
    /// `max-width`, when it is a length.
    pub max_width: Option<f32>,
    /// The animations the element runs, in source order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub animations: Vec<Animation>,
}

/// A shadow of text.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Shadow {
    /// The colour of the shadow.
    pub color: Rgba,
    /// The distance to the right, in pixels.
    pub x: f32,
    /// The distance downwards, in pixels.
    pub y: f32,
    /// How far it is blurred.
    pub blur: f32,
}

/// A line around an element that takes no room.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    /// The width of the outline.
    pub width: f32,
    /// The colour of the outline.
    pub color: Rgba,
}

/// An animation as it is declared. It is measured at its end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Animation {
    /// The name of its keyframes.
    pub name: String,
    /// How long one round takes.
    pub seconds: f32,
    /// How many rounds there are; absent when it never ends.
    pub rounds: Option<f32>,
}

/// The alignment of lines, `text-align`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextAlign {
    /// At the start of the line.
    Start,
    /// At the end of the line.
    End,
    /// Lines begin at the left.
    Left,
    /// Lines end at the right.
    Right,
    /// Lines are in the middle.
    Center,
    /// Lines fill the whole width.
    Justify,
}

/// How an element is placed, `position`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Position {
    /// It stays in the flow.
    Static,
    /// In the flow, and moved.
    Relative,
    /// Out of the flow, on the page.
    Absolute,
    /// Out of the flow, in the window.
    Fixed,
    /// In the flow until it would leave the window.
    Sticky,
}

/// What happens to content that does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Overflow {
    /// It is seen outside.
    Visible,
    /// It is cut off.
    Hidden,
    /// It is cut off and cannot be scrolled to by script either.
    Clip,
    /// It can be scrolled to, with bars always there.
    Scroll,
    /// It can be scrolled to.
    Auto,
}

/// How an element takes part in layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    /// Part of a line of text.
    Inline,
    /// A box in a line of text.
    InlineBlock,
    /// A block in the flow.
    Block,
    /// A flex container.
    Flex,
    /// A grid container.
    Grid,
    /// Anything else: tables and their parts, list items, `contents`.
    Other,
}

/// What one element paints behind its content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Backdrop {
    /// The colour of the background.
    pub color: Rgba,
    /// The colours of its gradients' stops; empty without a gradient.
    pub gradient: Vec<Rgba>,
    /// Whether it paints an image that is more than a texture.
    pub image: bool,
    /// Whether painting it shows nothing of that image: it is elsewhere, or a drawing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unseen: bool,
    /// Whether the background is clipped to the text itself.
    pub clipped_to_text: bool,
}

impl Backdrop {
    /// A backdrop that paints nothing.
    pub const NONE: Self = Self {
        color: Rgba::TRANSPARENT,
        gradient: Vec::new(),
        image: false,
        unseen: false,
        clipped_to_text: false,
    };

    /// Whether anything is painted at all.
    pub fn is_none(&self) -> bool {
        self.color.alpha <= 0.0 && self.gradient.is_empty() && !self.image
    }
}

/// A colour in sRGB, components 0 to 1, not premultiplied.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rgba {
    /// The red part, from 0 to 1.
    pub red: f32,
    /// The green part, from 0 to 1.
    pub green: f32,
    /// The blue part, from 0 to 1.
    pub blue: f32,
    /// The opacity, from 0 to 1.
    pub alpha: f32,
}

impl Rgba {
    /// A colour that paints nothing.
    pub const TRANSPARENT: Self = Self { red: 0.0, green: 0.0, blue: 0.0, alpha: 0.0 };
    /// The canvas under every page.
    pub const WHITE: Self = Self { red: 1.0, green: 1.0, blue: 1.0, alpha: 1.0 };
}

/// Four sides, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Edges {
    /// Top.
    pub top: f32,
    /// Right.
    pub right: f32,
    /// Bottom.
    pub bottom: f32,
    /// Left.
    pub left: f32,
}

impl Edges {
    /// The four sides, clockwise from the top.
    pub fn sides(&self) -> [f32; 4] {
        [self.top, self.right, self.bottom, self.left]
    }
}

/// A box relative to the top left corner of the page.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rect {
    /// The left edge, in pixels.
    pub x: f32,
    /// The top edge, in pixels.
    pub y: f32,
    /// The width, in pixels.
    pub width: f32,
    /// The height, in pixels.
    pub height: f32,
}

impl Rect {
    /// The point in the middle.
    pub fn centre(&self) -> (f32, f32) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    /// Whether a point lies inside.
    pub fn contains(&self, (x, y): (f32, f32)) -> bool {
        x >= self.x && x <= self.x + self.width && y >= self.y && y <= self.y + self.height
    }

    /// The smallest box around both.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        Self {
            x,
            y,
            width: (self.x + self.width).max(other.x + other.width) - x,
            height: (self.y + self.height).max(other.y + other.height) - y,
        }
    }

    /// The width times the height.
    pub fn area(&self) -> f32 {
        self.width * self.height
    }
}

/// What holds for the page as a whole.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PageFacts {
    /// Text of the first `title`, trimmed; absent without the element.
    pub title: Option<String>,
    /// `lang` of the root element, as written.
    pub lang: Option<String>,
    /// Content of `meta name=viewport`.
    pub viewport_meta: Option<String>,
    /// Characters a reader gets to see, white space not counted.
    pub visible_characters: usize,
    /// How far the content reaches to the right, at least the width of the window. More than that means scrolling
    /// sideways, unless the page cuts it off.
    pub scroll_width: f32,
    /// How far the content reaches down, at least the height of the window.
    pub scroll_height: f32,
}
