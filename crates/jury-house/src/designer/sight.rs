//! Whether a text is in sight where it was measured: on the page, and not cut off by a box around it.

use jury_eye::{Node, Overflow, Position, Rect, Snapshot};

/// The share of a text that has to be in sight for its measured backdrop to be the one it is read on.
const ENOUGH: f32 = 0.5;

/// Whether at least half of the text of an element is painted where it lies.
pub(super) fn is_in_sight(snapshot: &Snapshot, node: &Node) -> bool {
    if !node.shown {
        return false;
    }
    let Some(clip) = clip(snapshot, node) else { return false };
    let own: Vec<Rect> =
        if node.lines.is_empty() { node.rect.into_iter().collect() } else { node.lines.clone() };
    let all: f32 = own.iter().map(Rect::area).sum();
    let seen: f32 = own.iter().filter_map(|line| common(line, &clip)).map(|part| part.area()).sum();
    all > 0.0 && seen >= all * ENOUGH
}

/// The part of the page in which an element can be seen; nothing when there is none.
fn clip(snapshot: &Snapshot, node: &Node) -> Option<Rect> {
    let window = |pixels: u32| f32::from(u16::try_from(pixels).unwrap_or(u16::MAX));
    let (width, height) = (window(snapshot.viewport.width), window(snapshot.viewport.height));
    let mut clip =
        Rect { x: 0.0, y: 0.0, width: width.max(snapshot.page.scroll_width), height: f32::MAX / 4.0 };
    // What is taken out of the flow is only cut off by boxes that it is placed in.
    let mut placed_by = node.style.as_ref().map_or(Position::Static, |style| style.position);
    for around in std::iter::once(node).chain(snapshot.ancestors(node)) {
        let Some(style) = &around.style else { continue };
        let page = matches!(around.tag.as_str(), "html" | "body");
        let cuts = |axis: usize| match style.overflow.get(axis) {
            Some(Overflow::Hidden | Overflow::Clip) => true,
            // A box that scrolls shows the rest on demand, on a backdrop that nobody has looked at.
            Some(Overflow::Scroll | Overflow::Auto) => !page,
            Some(Overflow::Visible) | None => false,
        };
        let skipped = around.id != node.id
            && match placed_by {
                Position::Fixed => !page,
                Position::Absolute => style.position == Position::Static && !page,
                Position::Static | Position::Relative | Position::Sticky => false,
            };
        if skipped {
            continue;
        }
        if around.id != node.id {
            placed_by = style.position;
        }
        let rect = if page { Some(Rect { x: 0.0, y: 0.0, width, height }) } else { around.rect };
        let Some(rect) = rect else { continue };
        let (across, along) = (cuts(0), cuts(1));
        if !across && !along {
            continue;
        }
        let far = f32::MAX / 4.0;
        let rect = Rect {
            x: if across { rect.x } else { -far },
            width: if across { rect.width } else { 2.0 * far },
            y: if along { rect.y } else { -far },
            height: if along { rect.height } else { 2.0 * far },
        };
        clip = common(&clip, &rect)?;
    }
    Some(clip)
}

/// What two boxes have in common, if anything.
fn common(one: &Rect, other: &Rect) -> Option<Rect> {
    let (x, y) = (one.x.max(other.x), one.y.max(other.y));
    let width = (one.x + one.width).min(other.x + other.width) - x;
    let height = (one.y + one.height).min(other.y + other.height) - y;
    (width > 0.0 && height > 0.0).then_some(Rect { x, y, width, height })
}
