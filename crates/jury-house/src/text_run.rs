//! Visible text with the colours it is seen in. One run is the text directly inside one element.
//!
//! What lies behind a run is found from styles first: the backdrops of the elements around it, from the page up. That
//! is exact where they are plain. Where one is a gradient or an image, or where some other box reaches under or over
//! the text, the pixels decide, when there are any. Otherwise it stays open, and nobody pretends to know.

mod doubt;
mod exempt;
mod overlap;
mod shadow;
mod unmeasured;

use jury_eye::{Backdrop, Behind, Layout, Node, NodeId, Patch, Rect, Snapshot, Style};
use jury_text::colour::{Rgb, contrast};
use jury_text::css_colour;

use crate::paint::opaque;

pub(crate) use doubt::Doubt;
use exempt::Exempt;
use overlap::{Across, Overlaps, share_on};
use shadow::Shadows;
pub(crate) use unmeasured::leave_open;

/// Enough colours to stand for any backdrop; more would only repeat them.
const MAX_CANDIDATES: usize = 24;

/// Whether a run can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Passes,
    Fails,
    /// Nothing certain can be said.
    Unknown,
}

/// A possible way a run is painted: inside its groups of opacity, and as seen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Painted {
    /// The backdrop inside the innermost group.
    backdrop: Rgb,
    /// Opacity groups from the outside in, each with what lies behind it.
    groups: Vec<(f64, Rgb)>,
}

/// The text directly inside one element.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TextRun {
    pub(crate) node: NodeId,
    /// Characters, white space not counted.
    pub(crate) characters: usize,
    /// The colours the text may have, its own opacity aside: one, or the stops of a gradient.
    pub(crate) foregrounds: Vec<Rgb>,
    /// Opacity of the text colour.
    pub(crate) alpha: f64,
    /// Opacity of the elements around it, all together.
    pub(crate) opacity: f64,
    pub(crate) painted: Vec<Painted>,
    /// The ratio it must reach.
    pub(crate) required: f64,
    /// The worst ratio found.
    pub(crate) ratio: f64,
    pub(crate) verdict: Verdict,
    /// Why nothing certain can be said, if so.
    pub(crate) doubt: Option<Doubt>,
    /// The element whose backdrop lies directly behind the text.
    pub(crate) backdrop_of: Option<NodeId>,
    /// Whether the colours behind it come from pixels.
    pub(crate) from_pixels: bool,
}

impl Painted {
    /// What `foreground` with `alpha` looks like against its backdrop, both as seen.
    pub(crate) fn seen(&self, foreground: Rgb, alpha: f64) -> (Rgb, Rgb) {
        let mut text = self.backdrop.under(foreground, alpha);
        let mut backdrop = self.backdrop;
        for (opacity, behind) in self.groups.iter().rev() {
            text = behind.under(text, *opacity);
            backdrop = behind.under(backdrop, *opacity);
        }
        (text, backdrop)
    }
}

impl TextRun {
    /// The worst ratio of a foreground over every possible backdrop.
    pub(crate) fn worst_ratio(&self, foreground: Rgb, alpha: f64) -> f64 {
        self.ratios(foreground, alpha).fold(f64::INFINITY, f64::min)
    }

    fn ratios(&self, foreground: Rgb, alpha: f64) -> impl Iterator<Item = f64> + '_ {
        self.painted.iter().map(move |painted| {
            let (text, backdrop) = painted.seen(foreground, alpha);
            contrast(text, backdrop)
        })
    }

    /// The worst ratio if the innermost group of opacity around it had this opacity.
    pub(crate) fn ratio_at(&self, opacity: f64) -> f64 {
        let with = |painted: &Painted| {
            let mut painted = painted.clone();
            if let Some((known, _)) = painted.groups.last_mut() {
                *known = opacity;
            }
            painted
        };
        let seen = self.painted.iter().map(with).flat_map(|painted| {
            self.foregrounds.iter().map(move |text| painted.seen(*text, self.alpha)).collect::<Vec<_>>()
        });
        seen.map(|(text, backdrop)| contrast(text, backdrop)).fold(f64::INFINITY, f64::min)
    }

    /// The single backdrop as seen, when there is only one.
    pub(crate) fn only_backdrop(&self) -> Option<Rgb> {
        match &self.painted[..] {
            [only] => Some(only.seen(Rgb::WHITE, 0.0).1),
            _ => None,
        }
    }
}

/// The share of the pixels behind a text that may be worse than its ratio: edges and corners, not what is read.
const TOLERATED: f64 = 0.05;

/// The share of a text that may be covered before nothing can be said about the rest.
const COVERED: f64 = 0.5;

/// Text whose backdrop cannot be told from styles and boxes alone, so that its pixels have to be looked at.
pub(crate) fn undecided(snapshot: &Snapshot) -> Vec<NodeId> {
    let reader = Reader::of(snapshot);
    reader
        .texts()
        .filter(|(node, style, _)| reader.stack(node, style).wants_pixels(required(style)))
        .map(|(node, ..)| node.id)
        .collect()
}

/// All runs of a page that the contrast requirement applies to.
pub(crate) fn runs(snapshot: &Snapshot) -> Vec<TextRun> {
    let reader = Reader::of(snapshot);
    reader.texts().map(|(node, style, text)| reader.run(node, style, text)).collect()
}

/// What lies behind one text, as far as styles tell.
#[expect(clippy::struct_excessive_bools, reason = "independent facts of a backdrop, not states of one thing")]
struct Stack {
    foregrounds: Vec<Rgb>,
    alpha: f64,
    painted: Vec<Painted>,
    backdrop_of: Option<NodeId>,
    /// The text lets a background of its own shine through.
    see_through: bool,
    /// Some backdrop has many colours: a gradient, or a picture.
    mixed: bool,
    /// Some backdrop is a picture: styles say nothing about its colours.
    pictured: bool,
    /// Some box lies across the text, or a backdrop ends under it: styles say nothing about it.
    crossed: bool,
    /// Painting would not tell either.
    doubt: Option<Doubt>,
    /// The element whose opaque plain backdrop is the last of them.
    opaque_of: Option<NodeId>,
    /// Opacity of all groups together.
    opacity: f64,
}

impl Stack {
    /// Whether only the pixels can tell.
    fn wants_pixels(&self, required: f64) -> bool {
        !self.see_through
            && self.doubt.is_none()
            && (self.crossed || self.pictured || (self.mixed && !self.agrees(required)))
    }

    /// Whether all stops of the gradients behind the text say the same, and so all colours between them.
    fn agrees(&self, required: f64) -> bool {
        let seen: Vec<(Rgb, Rgb)> = self
            .painted
            .iter()
            .flat_map(|painted| self.foregrounds.iter().map(|text| painted.seen(*text, self.alpha)))
            .collect();
        let all =
            |holds: &dyn Fn(Rgb, Rgb) -> bool| seen.iter().all(|(text, backdrop)| holds(*text, *backdrop));
        let darker = |text: Rgb, backdrop: Rgb| text.luminance() <= backdrop.luminance();
        let same_side = all(&darker) || all(&|text, backdrop| !darker(text, backdrop));
        let enough = |text: Rgb, backdrop: Rgb| contrast(text, backdrop) >= required;
        self.painted.len() < MAX_CANDIDATES
            && ((same_side && all(&enough)) || all(&|text, backdrop| !enough(text, backdrop)))
    }
}

/// The ratio text of this size must reach. Large is 18 pt, or 14 pt bold; the engine rounds 14 pt down to 18.65 px.
fn required(style: &Style) -> f64 {
    let large = style.font_size >= 23.95 || (style.font_size >= 18.6 && style.font_weight >= 700.0);
    if large { 3.0 } else { 4.5 }
}

/// Reads the texts of one page.
struct Reader<'page> {
    snapshot: &'page Snapshot,
    exempt: Exempt<'page>,
    overlaps: Overlaps<'page>,
}

impl<'page> Reader<'page> {
    fn of(snapshot: &'page Snapshot) -> Self {
        Self { snapshot, exempt: Exempt::of(snapshot), overlaps: Overlaps::of(snapshot) }
    }

    /// Every visible text that is not exempt.
    fn texts(&self) -> impl Iterator<Item = (&'page Node, &'page Style, &'page str)> + '_ {
        self.snapshot.nodes.iter().filter(|node| node.shown).filter_map(|node| {
            let style = node.style.as_ref()?;
            let text = exempt::text_of(node)?;
            if style.font_size < 1.0 || exempt::is_icon(node) || self.exempt.covers(node) {
                return None;
            }
            Some((node, style, text))
        })
    }

    fn run(&self, node: &Node, style: &Style, text: &str) -> TextRun {
        let stack = self.stack(node, style);
        let mut run = TextRun {
            node: node.id,
            characters: text.chars().filter(|ch| !ch.is_whitespace()).count(),
            foregrounds: stack.foregrounds.clone(),
            alpha: stack.alpha,
            painted: stack.painted.clone(),
            required: required(style),
            opacity: stack.opacity,
            ratio: 0.0,
            verdict: Verdict::Unknown,
            doubt: stack.doubt,
            backdrop_of: stack.backdrop_of,
            from_pixels: false,
        };
        let shadows = Shadows::of(&style.text_shadow, style.font_size);
        if stack.wants_pixels(run.required) {
            run.judge_pixels(node.behind.as_ref(), &stack, &shadows);
        } else {
            run.judge_styles(&shadows, stack.see_through);
        }
        if run.verdict == Verdict::Fails {
            let doubt = if run.is_invisible() {
                Some(Doubt::Same)
            } else if shadows.partial {
                Some(Doubt::Shadow)
            } else if exempt::readable(text) < 2 && text.chars().count() < 2 {
                Some(Doubt::OneCharacter)
            } else {
                None
            };
            if doubt.is_some() {
                (run.verdict, run.doubt) = (Verdict::Unknown, doubt);
            }
        }
        run
    }

    /// Paints the backdrops around a text over each other, from the page up.
    fn stack(&self, node: &Node, style: &Style) -> Stack {
        let mut chain: Vec<&Node> = self.snapshot.ancestors(node).collect();
        chain.reverse();
        chain.push(node);
        let (own, alpha) = ink(style);
        let mut stack = Stack {
            foregrounds: vec![own],
            alpha,
            painted: vec![Painted { backdrop: Rgb::WHITE, groups: Vec::new() }],
            backdrop_of: None,
            see_through: false,
            mixed: false,
            pictured: false,
            crossed: false,
            doubt: None,
            opaque_of: None,
            opacity: 1.0,
        };
        for element in &chain {
            let Some(style) = &element.style else { continue };
            let opacity = f64::from(style.opacity);
            if opacity < 1.0 {
                stack.opacity *= opacity;
                for candidate in &mut stack.painted {
                    candidate.groups.push((opacity, candidate.backdrop));
                }
            }
            if style.filtered {
                stack.doubt = Some(Doubt::Filter);
            }
            // A box below the content lies over the element's own backdrop where that keeps its content together,
            // and else under it.
            let below = element.generated.iter().filter(|generated| generated.below);
            let below: Vec<_> = below.map(|generated| (&generated.backdrop, Some(generated.rect))).collect();
            let keeps_together = style.z_index.is_some() || opacity < 1.0;
            let (under, over) = if keeps_together { (&[][..], &below[..]) } else { (&below[..], &[][..]) };
            let own = (&style.backdrop, element.rect);
            for (backdrop, rect) in under.iter().chain(std::iter::once(&own)).chain(over) {
                stack.lay_behind(node, element, backdrop, *rect);
            }
        }
        match self.overlaps.across(node, stack.opaque_of) {
            Across::Nothing => {}
            Across::Painted => stack.crossed = true,
            Across::Picture => (stack.mixed, stack.pictured) = (true, true),
            Across::Unseen => stack.doubt = stack.doubt.or(Some(Doubt::Drawing)),
        }
        stack
    }
}

impl Stack {
    /// Lays one backdrop of `element`, which is `rect` large, behind the text of `node`.
    fn lay_behind(&mut self, node: &Node, element: &Node, backdrop: &Backdrop, rect: Option<Rect>) {
        if backdrop.is_none() {
            return;
        }
        if backdrop.clipped_to_text {
            self.shine_through(backdrop);
            return;
        }
        let inline = element.style.as_ref().is_some_and(|style| style.layout == Layout::Inline);
        let page = matches!(element.tag.as_str(), "html" | "body");
        // A text that was moved out of a box around it does not stand on that box.
        let share = rect.filter(|_| !inline && !page).map_or(1.0, |rect| share_on(node, &rect));
        if share < 0.03 {
            return;
        }
        self.backdrop_of = Some(element.id);
        self.lay(backdrop);
        let opaque = backdrop.color.alpha >= 1.0;
        if share < 0.75 {
            self.crossed = true;
        } else if opaque && backdrop.gradient.is_empty() && !backdrop.image {
            // Whatever was below is not seen any more.
            (self.mixed, self.pictured, self.crossed) = (false, false, false);
            self.doubt = self.doubt.filter(|doubt| *doubt == Doubt::Filter);
            self.opaque_of = Some(element.id);
        }
        // The painter leaves out what lines of text have behind them, except for plain colours.
        if inline && !backdrop.gradient.is_empty() && self.painted.len() > 1 {
            self.doubt = Some(Doubt::Inline);
        }
    }
}

/// The colour a text is filled with, and its opacity.
fn ink(style: &Style) -> (Rgb, f64) {
    if let Some(fill) = style.text_fill.as_deref() {
        if fill.eq_ignore_ascii_case("transparent") {
            return (Rgb::WHITE, 0.0);
        }
        if let Some(written) = css_colour::parse(fill) {
            return (written.rgb, written.alpha);
        }
    }
    (opaque(style.color), f64::from(style.color.alpha))
}

impl Stack {
    /// One more backdrop over what is there.
    fn lay(&mut self, backdrop: &Backdrop) {
        if backdrop.color.alpha > 0.0 {
            paint(&mut self.painted, &[(opaque(backdrop.color), f64::from(backdrop.color.alpha))]);
        }
        if !backdrop.gradient.is_empty() {
            let stops: Vec<(Rgb, f64)> =
                backdrop.gradient.iter().map(|stop| (opaque(*stop), f64::from(stop.alpha))).collect();
            paint(&mut self.painted, &stops);
            self.mixed = true;
        }
        if backdrop.image {
            (self.mixed, self.pictured) = (true, true);
            if backdrop.unseen {
                self.doubt = Some(Doubt::Image);
            }
        }
    }

    /// A background clipped to the text: the text has its colours, as far as it lets them through.
    fn shine_through(&mut self, backdrop: &Backdrop) {
        if self.alpha > 0.98 {
            return;
        }
        self.see_through = true;
        if backdrop.image {
            self.doubt = Some(Doubt::Image);
        }
        let through: Vec<Rgb> = if backdrop.gradient.is_empty() {
            vec![opaque(backdrop.color)]
        } else {
            backdrop.gradient.iter().map(|stop| opaque(*stop)).collect()
        };
        let (own, alpha) = (self.foregrounds.first().copied().unwrap_or(Rgb::WHITE), self.alpha);
        self.foregrounds = through.into_iter().map(|colour| colour.under(own, alpha)).collect();
        self.alpha = 1.0;
    }
}

impl TextRun {
    /// From what styles say: certain when every possible backdrop says the same.
    fn judge_styles(&mut self, shadows: &Shadows, see_through: bool) {
        let mut worst = f64::INFINITY;
        let mut best: f64 = 0.0;
        for painted in &self.painted {
            for foreground in &self.foregrounds {
                let ratio = ratio(painted, *foreground, self.alpha, shadows);
                worst = worst.min(ratio);
                best = best.max(ratio);
            }
        }
        self.ratio = worst;
        if self.doubt.is_some() {
            return;
        }
        if worst >= self.required {
            self.verdict = Verdict::Passes;
        } else if best < self.required {
            self.verdict = Verdict::Fails;
        } else {
            self.doubt = Some(if see_through { Doubt::GradientText } else { Doubt::NotPainted });
        }
    }

    /// Whether no backdrop lets it be seen at all.
    fn is_invisible(&self) -> bool {
        let best =
            self.foregrounds.iter().flat_map(|text| self.ratios(*text, self.alpha)).fold(0.0, f64::max);
        best < 1.01
    }

    /// Covered text is good if it would be good uncovered. If not, it may be that nobody ever sees it.
    fn judge_covered(&mut self, shadows: &Shadows) {
        self.judge_styles(shadows, false);
        if self.verdict != Verdict::Passes {
            (self.verdict, self.doubt) = (Verdict::Unknown, Some(Doubt::Covered));
        }
    }

    /// Whether opaque text has lost its own colour where it is faint, though it is good by its styles: then something
    /// lies over it. Whoever looks may see that; no style of the text can mend it.
    fn is_veiled(&self, patches: &[(f64, &Patch)], by_styles: &[Painted], shadows: &Shadows) -> bool {
        let [own] = self.foregrounds[..] else { return false };
        if self.alpha * self.opacity < 0.98 {
            return false;
        }
        let changed =
            |patch: &Patch| patch.text.iter().zip(own.bytes()).any(|(seen, own)| seen.abs_diff(own) > 10);
        let faint = patches.iter().filter(|(ratio, _)| *ratio < self.required);
        let (veiled, plain) = faint.fold((0, 0), |(veiled, plain), (_, patch)| {
            if changed(patch) { (veiled + patch.pixels, plain) } else { (veiled, plain + patch.pixels) }
        });
        veiled > plain
            && by_styles.iter().all(|painted| ratio(painted, own, self.alpha, shadows) >= self.required)
    }

    /// From the pixels behind it: the ratio that all but a few of them reach.
    fn judge_pixels(&mut self, behind: Option<&Behind>, stack: &Stack, shadows: &Shadows) {
        if behind.is_some_and(|behind| behind.unseen) {
            self.doubt = Some(Doubt::Image);
            return;
        }
        if behind.is_none() && stack.pictured {
            self.doubt = Some(Doubt::NotPainted);
            return;
        }
        let total: u32 = behind.map_or(0, |behind| behind.colours.iter().map(|patch| patch.pixels).sum());
        let behind_is_there = behind.is_some();
        let Some(behind) = behind.filter(|_| total > 0) else {
            if behind_is_there {
                self.judge_covered(shadows);
            } else {
                self.judge_styles(shadows, false);
            }
            return;
        };
        let by_styles = self.painted.clone();
        let mut patches: Vec<(f64, &Patch)> =
            behind.colours.iter().map(|patch| (patch_ratio(patch, shadows), patch)).collect();
        patches.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut skipped = 0;
        let allowed = f64::from(total) * TOLERATED;
        let first = patches
            .iter()
            .position(|(_, patch)| {
                skipped += patch.pixels;
                f64::from(skipped) > allowed
            })
            .unwrap_or(0);
        let faint: f64 = patches
            .iter()
            .filter(|(ratio, _)| *ratio < self.required)
            .map(|(_, patch)| f64::from(patch.pixels))
            .sum();
        let read = patches.get(first..).unwrap_or_default();
        let Some((ratio, _)) = read.first() else { return };
        self.ratio = *ratio;
        self.from_pixels = true;
        let foreground = self.foregrounds.first().copied().unwrap_or(Rgb::WHITE);
        let strength = self.alpha;
        self.painted = read
            .iter()
            .take(MAX_CANDIDATES)
            .map(|(_, patch)| Painted::from_patch(patch, foreground, strength, self.opacity))
            .collect();
        let covered = f64::from(behind.covered);
        if covered > COVERED * (covered + f64::from(total)) {
            self.painted = by_styles;
            self.judge_covered(shadows);
        } else if self.ratio >= self.required {
            self.verdict = Verdict::Passes;
        } else if self.is_veiled(&patches, &by_styles, shadows) {
            self.doubt = Some(Doubt::Veiled);
        } else if !stack.mixed && faint < f64::from(total) / 2.0 {
            // Its own backdrop is plain: where boxes lie across it by a little, layout is not that exact.
            self.doubt = Some(Doubt::Partly);
        } else {
            self.verdict = Verdict::Fails;
        }
    }
}

/// The contrast of a text on one possible backdrop, with its shadows.
fn ratio(painted: &Painted, foreground: Rgb, alpha: f64, shadows: &Shadows) -> f64 {
    let (text, backdrop) = painted.seen(foreground, alpha);
    helped(text, backdrop, shadows)
}

fn patch_ratio(patch: &Patch, shadows: &Shadows) -> f64 {
    helped(Rgb::from_bytes(patch.text), Rgb::from_bytes(patch.backdrop), shadows)
}

fn helped(text: Rgb, backdrop: Rgb, shadows: &Shadows) -> f64 {
    let backdrop = shadows.behind(backdrop);
    if shadows.has_outline() { shadows.helped(text, backdrop) } else { contrast(text, backdrop) }
}

impl Painted {
    /// What was painted, taken apart again: so that another colour can be tried in the same place.
    fn from_patch(patch: &Patch, foreground: Rgb, alpha: f64, opacity: f64) -> Self {
        let (backdrop, text) = (Rgb::from_bytes(patch.backdrop), Rgb::from_bytes(patch.text));
        if opacity >= 0.999 || alpha * opacity < 0.02 {
            return Self { backdrop, groups: Vec::new() };
        }
        // Inside the groups, text and backdrop lie on `inner`: text - backdrop = opacity * alpha * (colour - inner).
        let apart = |text: f64, backdrop: f64, colour: f64| {
            (colour - (text - backdrop) / (opacity * alpha)).clamp(0.0, 1.0)
        };
        let inner = Rgb {
            red: apart(text.red, backdrop.red, foreground.red),
            green: apart(text.green, backdrop.green, foreground.green),
            blue: apart(text.blue, backdrop.blue, foreground.blue),
        };
        let below = |seen: f64, inner: f64| (seen - opacity * inner) / (1.0 - opacity);
        let outer = Rgb {
            red: below(backdrop.red, inner.red),
            green: below(backdrop.green, inner.green),
            blue: below(backdrop.blue, inner.blue),
        };
        Self { backdrop: inner, groups: vec![(opacity, outer)] }
    }
}

/// Paints each of several layers over every candidate.
fn paint(painted: &mut Vec<Painted>, layers: &[(Rgb, f64)]) {
    let mut next: Vec<Painted> = Vec::new();
    for candidate in painted.iter() {
        for (colour, alpha) in layers {
            let candidate = Painted {
                backdrop: candidate.backdrop.under(*colour, *alpha),
                groups: candidate.groups.clone(),
            };
            if next.len() < MAX_CANDIDATES && !next.contains(&candidate) {
                next.push(candidate);
            }
        }
    }
    *painted = next;
}

/// Whether the last compound of a selector fits an element, as far as names go.
pub(crate) fn ends_in(compound: &str, node: &Node) -> bool {
    let compound = compound.split("::").next().unwrap_or(compound);
    let mut parts = compound.split('.');
    let head = parts.next().unwrap_or_default();
    let (tag, id) = head.split_once('#').map_or((head, None), |(tag, id)| (tag, Some(id)));
    let tag = tag.split(':').next().unwrap_or(tag);
    (tag.is_empty() || tag == "*" || tag == node.tag)
        && id.is_none_or(|id| node.attribute("id") == Some(id))
        && parts.all(|class| {
            let class = class.split([':', '[']).next().unwrap_or(class);
            node.classes().any(|own| own == class)
        })
}
