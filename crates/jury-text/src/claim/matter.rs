//! The words that tell what a figure is about, and whether that could be measured. English and German.

/// Sizes of what is not type, as stems.
pub(super) const NOT_TYPE: &[&str] = &[
    "gap",
    "margin",
    "padding",
    "radius",
    "radii",
    "width",
    "height",
    "border",
    "icon",
    "spacing",
    "leading",
    "offset",
    "image",
    "shadow",
    "spacer",
    "column",
    "gutter",
    "stroke",
    "outline",
    "underline",
    "indent",
    "avatar",
    "logo",
    "divider",
    "viewport",
    "breakpoint",
    "shift",
    "overflow",
    "thickness",
    "corner",
    "distance",
    "rhythm",
    "baseline",
    "grid",
    "container",
    "zeilen",
    "höhe",
    "breite",
    "abstand",
    "abständ",
    "lücke",
    "radien",
    "ecke",
    "bild",
    "raster",
    "spalte",
    "versatz",
    "schatten",
    "linie",
    "tracking",
    "blur",
    "inset",
];

/// The same, as whole words.
pub(super) const NOT_TYPE_WORDS: &[&str] = &[
    "wide", "tall", "high", "line", "lines", "space", "target", "targets", "away", "apart", "below", "above",
    "under", "beneath", "between", "top", "bottom", "left", "right", "deep", "thick", "hoch", "breit",
    "rand", "ring", "box", "step", "steps", "photo", "area", "hit", "tap", "touch", "unter", "long",
    "square", "max", "min", "off", "scroll", "scrolls", "nudge", "lower", "higher", "up", "down", "inside",
    "inset", "oben", "unten",
];

/// Words for distances, as stems.
pub(super) const DISTANCES: &[&str] =
    &["gap", "spac", "rhythm", "distance", "margin", "padding", "abstand", "abständ", "gutter", "lücke"];

/// What makes a row of numbers something else than distances between boxes.
pub(super) const NOT_DISTANCES: &[&str] = &[
    "letter", "word", "tracking", "line", "zeilen", "type", "font", "schrift", "scale", "radius", "radii",
    "token", "system",
];

/// A row of type sizes.
pub(super) const SIZES: &[&str] = &["type", "font", "schrift", "size", "größe", "typograph"];

/// Ratios of other things than colours, as stems.
pub(super) const NOT_CONTRAST: &[&str] = &[
    "image",
    "photo",
    "picture",
    "video",
    "aspect",
    "scale",
    "modular",
    "golden",
    "column",
    "grid",
    "split",
    "proportion",
    "crop",
    "hierarchy",
    "size",
    "whitespace",
    "bild",
    "seitenverhältnis",
    "layout",
    "height",
    "width",
    "thumbnail",
    "banner",
    "spac",
    "abstand",
    "größe",
    "skala",
    "hierarchie",
    "times",
    "jump",
    "step",
    "odds",
    "leading",
    "bigger",
    "larger",
    "größer",
];

/// Things that have a contrast and are not text, as stems.
pub(super) const NOT_TEXT: &[&str] = &[
    "icon",
    "border",
    "outline",
    "placeholder",
    "graph",
    "chart",
    "divider",
    "separator",
    "stroke",
    "underline",
    "checkbox",
    "radio",
    "toggle",
    "logo",
    "shadow",
    "illustration",
    "boundary",
    "edge",
    "stripe",
    "bullet",
    "trennlinie",
    "rahmen",
    "symbol",
    "nontext",
    "slider",
    "scrollbar",
];

/// The same, as whole words.
pub(super) const NOT_TEXT_WORDS: &[&str] = &[
    "ring", "line", "rule", "track", "thumb", "bar", "dot", "dots", "svg", "input", "inputs", "field",
    "fields", "control", "controls", "surface", "card", "cards", "linie", "rand", "switch", "arrow",
    "arrows", "non", "hairline",
];

/// What is behind words, or around a button, and not the words.
pub(super) const FILL: &[&str] = &["fill", "filled", "background", "shape", "fläche", "hintergrund"];

/// Of a button they may say the same: what stands out from the page may be its words or its fill.
pub(super) const AROUND: &[&str] =
    &["against", "white", "black", "page", "surrounding", "gegen", "weiß", "seite"];

/// Words that make a size one of type.
pub(super) const TYPE: &[&str] =
    &["font", "type", "text", "label", "labels", "copy", "schrift", "schriftgröße", "words"];

/// Behind a figure they say that it is only thought of.
pub(super) const THOUGHT: &[&str] = &["would", "could", "might", "wäre", "könnte", "würde"];

/// States that are not the one that is measured, as whole words.
pub(super) const STATES: &[&str] = &[
    "hover",
    "hovered",
    "hovering",
    "focus",
    "focused",
    "active",
    "disabled",
    "visited",
    "dark",
    "pressed",
    "selected",
    "selection",
    "inverted",
    "print",
    "loading",
    "error",
    "expanded",
    "deaktiviert",
    "dunkel",
    "dunkelmodus",
    "inactive",
    "highlighted",
    "scrolled",
];

/// Windows that are not the one that is measured, as stems.
pub(super) const WINDOWS: &[&str] = &[
    "mobile",
    "phone",
    "tablet",
    "narrow",
    "breakpoint",
    "viewport",
    "handy",
    "mobil",
    "smartphone",
    "landscape",
    "portrait",
    "ultrawide",
    "zoomed",
    "responsive",
    "clamp",
    "fluid",
    "small-screen",
    "schmal",
];

/// The window that is.
pub(super) const OUR_WINDOW: &[&str] = &["desktop", "laptop"];

/// Before a number of pixels they make it the width of a window.
pub(super) const AT_WIDTH: &[&str] =
    &["at", "below", "under", "above", "until", "to", "on", "bei", "ab", "unter"];

/// Behind one they do too.
pub(super) const OF_WIDTH: &[&str] =
    &["viewport", "viewports", "screen", "screens", "wide", "window", "windows", "breit"];

/// Names of things on a page that a figure may be about. Which texts they are is for the measurement to say.
pub(super) const THINGS: &[&str] = &[
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "cta",
    "ctas",
    "action",
    "button",
    "buttons",
    "body",
    "paragraph",
    "paragraphs",
    "footer",
    "nav",
    "navigation",
    "header",
    "heading",
    "headings",
    "headline",
    "headlines",
    "li",
    "fließtext",
    "absatz",
    "absätze",
    "knopf",
    "schaltfläche",
    "überschrift",
    "überschriften",
    "fußzeile",
];

/// Names that may only say what of a thing is meant.
pub(super) const SOFT_THINGS: &[&str] =
    &["text", "texts", "copy", "label", "labels", "link", "links", "words", "beschriftung", "texte"];

/// Which of several like it: the house knows only one main action.
pub(super) const WHICH: &[&str] = &[
    "secondary",
    "second",
    "other",
    "tertiary",
    "ghost",
    "outline",
    "outlined",
    "footer",
    "nav",
    "header",
    "third",
    "last",
    "bottom",
    "inverse",
    "small",
    "smaller",
    "mini",
    "sub",
    "zweite",
    "zweiter",
    "sekundär",
];

/// Things of which a page has many kinds.
pub(super) const MANY: &[&str] = &[
    "cta",
    "ctas",
    "action",
    "button",
    "buttons",
    "label",
    "labels",
    "link",
    "links",
    "knopf",
    "schaltfläche",
];
