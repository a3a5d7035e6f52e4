//! Computed values of one element, taken from the engine's own types.

use blitz_dom::BaseDocument;
use blitz_dom::node::{ImageData, Node as EngineNode};
use style::color::{AbsoluteColor, ColorSpace};
use style::computed_values::mix_blend_mode::T as MixBlendMode;
use style::computed_values::pointer_events::T as PointerEvents;
use style::properties::{ComputedValues, PropertyDeclaration};
use style::values::computed::font::{GenericFontFamily, SingleFontFamily};
use style::values::computed::{
    Image, Length, NonNegativeLengthPercentage, Overflow as EngineOverflow, PositionProperty,
    TextDecorationLine, TextTransform,
};
use style::values::generics::effects::GenericFilter as Filter;
use style::values::generics::font::LineHeight;
use style::values::generics::length::GenericMaxSize as MaxSize;
use style::values::generics::position::GenericZIndex as ZIndex;
use style::values::specified::border::BorderStyle;
use style::values::specified::box_::{DisplayInside, DisplayOutside};
use style::values::specified::outline::OutlineStyle;
use style::values::specified::text::TextAlignKeyword;

use crate::motion;
use crate::prepare::CLIPPED_TO_TEXT;
use crate::snapshot::{Backdrop, Edges, Layout, Outline, Overflow, Position, Rgba, Shadow, Style, TextAlign};

/// The style of a rendered element.
pub(crate) fn read_style(document: &BaseDocument, node: &EngineNode, values: &ComputedValues) -> Style {
    let font = values.get_font();
    let font_size = font.clone_font_size().used_size().px();
    let line_height = match font.clone_line_height() {
        LineHeight::Normal => None,
        LineHeight::Number(factor) => Some(factor.0 * font_size),
        LineHeight::Length(length) => Some(length.0.px()),
    };
    let layout = layout(values);
    let gap = if matches!(layout, Layout::Flex | Layout::Grid) {
        ["row-gap", "column-gap"].map(|name| pixels(&document.resolved_style_value(node.id, name)))
    } else {
        [0.0; 2]
    };
    let used = node.final_layout();
    let edges = |top, right, bottom, left| Edges { top, right, bottom, left };
    Style {
        color: rgba(&values.clone_color()),
        backdrop: backdrop(document, node, values),
        opacity: values.clone_opacity(),
        font_size,
        font_weight: font.clone_font_weight().value(),
        font_families: families(values),
        line_height,
        letter_spacing: values.clone_letter_spacing().0.to_length().map_or(0.0, Length::px),
        uppercase: values.clone_text_transform().contains(TextTransform::UPPERCASE),
        text_shadow: shadows(values),
        text_fill: text_fill(document, node),
        filtered: is_filtered(values),
        layout,
        positioned: values.clone_position().is_absolutely_positioned(),
        clips: [values.clone_overflow_x(), values.clone_overflow_y()]
            .iter()
            .any(|overflow| *overflow != EngineOverflow::Visible),
        margin: edges(used.margin.top, used.margin.right, used.margin.bottom, used.margin.left),
        padding: if layout == Layout::Inline {
            computed_padding(values)
        } else {
            edges(used.padding.top, used.padding.right, used.padding.bottom, used.padding.left)
        },
        border: edges(used.border.top, used.border.right, used.border.bottom, used.border.left),
        gap,
        border_color: border_color(values),
        outline: outline(values),
        underline: values.clone_text_decoration_line().contains(TextDecorationLine::UNDERLINE),
        text_align: text_align(values),
        position: position(values),
        z_index: match values.clone_z_index() {
            ZIndex::Integer(index) => Some(index),
            ZIndex::Auto => None,
        },
        overflow: [overflow(values.clone_overflow_x()), overflow(values.clone_overflow_y())],
        max_width: max_width(values),
        animations: motion::animations(document, values),
    }
}

fn max_width(values: &ComputedValues) -> Option<f32> {
    if let MaxSize::LengthPercentage(length) = values.clone_max_width() {
        length.0.to_length().map(Length::px)
    } else {
        None
    }
}

fn border_color(values: &ComputedValues) -> [Rgba; 4] {
    let border = values.get_border();
    let current = values.clone_color();
    [
        &border.border_top_color,
        &border.border_right_color,
        &border.border_bottom_color,
        &border.border_left_color,
    ]
    .map(|color| rgba(&color.resolve_to_absolute(&current)))
}

fn outline(values: &ComputedValues) -> Option<Outline> {
    let outline = values.get_outline();
    let width = outline.outline_width.0.to_f32_px();
    let drawn =
        !matches!(outline.outline_style, OutlineStyle::BorderStyle(BorderStyle::None | BorderStyle::Hidden));
    (drawn && width > 0.0).then(|| Outline {
        width,
        color: rgba(&outline.outline_color.resolve_to_absolute(&values.clone_color())),
    })
}

fn text_align(values: &ComputedValues) -> TextAlign {
    match values.clone_text_align() {
        TextAlignKeyword::Start => TextAlign::Start,
        TextAlignKeyword::End => TextAlign::End,
        TextAlignKeyword::Left | TextAlignKeyword::MozLeft => TextAlign::Left,
        TextAlignKeyword::Right | TextAlignKeyword::MozRight => TextAlign::Right,
        TextAlignKeyword::Center | TextAlignKeyword::MozCenter => TextAlign::Center,
        TextAlignKeyword::Justify => TextAlign::Justify,
    }
}

fn position(values: &ComputedValues) -> Position {
    match values.clone_position() {
        PositionProperty::Static => Position::Static,
        PositionProperty::Relative => Position::Relative,
        PositionProperty::Absolute => Position::Absolute,
        PositionProperty::Fixed => Position::Fixed,
        PositionProperty::Sticky => Position::Sticky,
    }
}

fn overflow(value: EngineOverflow) -> Overflow {
    match value {
        EngineOverflow::Visible => Overflow::Visible,
        EngineOverflow::Hidden => Overflow::Hidden,
        EngineOverflow::Clip => Overflow::Clip,
        EngineOverflow::Scroll => Overflow::Scroll,
        EngineOverflow::Auto => Overflow::Auto,
    }
}

/// An element in a line of text has no box to take used values from.
fn computed_padding(values: &ComputedValues) -> Edges {
    let padding = values.get_padding();
    let side = |side: &NonNegativeLengthPercentage| side.0.to_length().map_or(0.0, Length::px);
    Edges {
        top: side(&padding.padding_top),
        right: side(&padding.padding_right),
        bottom: side(&padding.padding_bottom),
        left: side(&padding.padding_left),
    }
}

fn layout(values: &ComputedValues) -> Layout {
    let display = values.clone_display();
    match (display.outside(), display.inside()) {
        (_, DisplayInside::Grid) => Layout::Grid,
        (_, DisplayInside::Flex) => Layout::Flex,
        (DisplayOutside::Inline, DisplayInside::Flow) => Layout::Inline,
        (DisplayOutside::Inline, DisplayInside::FlowRoot) => Layout::InlineBlock,
        (DisplayOutside::Block, DisplayInside::Flow | DisplayInside::FlowRoot) => Layout::Block,
        _ => Layout::Other,
    }
}

fn families(values: &ComputedValues) -> Vec<String> {
    values
        .get_font()
        .font_family
        .families
        .iter()
        .map(|family| match family {
            SingleFontFamily::FamilyName(name) => name.name.to_string(),
            SingleFontFamily::Generic(generic) => match generic {
                GenericFontFamily::None => String::new(),
                GenericFontFamily::Serif => "serif".to_owned(),
                GenericFontFamily::SansSerif => "sans-serif".to_owned(),
                GenericFontFamily::Monospace => "monospace".to_owned(),
                GenericFontFamily::Cursive => "cursive".to_owned(),
                GenericFontFamily::Fantasy => "fantasy".to_owned(),
                GenericFontFamily::SystemUi => "system-ui".to_owned(),
            },
        })
        .collect()
}

fn shadows(values: &ComputedValues) -> Vec<Shadow> {
    let current = values.clone_color();
    values
        .get_inherited_text()
        .text_shadow
        .0
        .iter()
        .map(|shadow| Shadow {
            color: rgba(&shadow.color.resolve_to_absolute(&current)),
            x: shadow.horizontal.px(),
            y: shadow.vertical.px(),
            blur: shadow.blur.px(),
        })
        .collect()
}

/// The engine does not know the property; [`crate::prepare`] hands it down as one of the author's own.
fn text_fill(document: &BaseDocument, node: &EngineNode) -> Option<String> {
    let value = document.resolved_style_value(node.id, "--webkit-text-fill-color");
    let value = value.trim();
    (!value.is_empty() && !value.eq_ignore_ascii_case("currentcolor")).then(|| value.to_owned())
}

/// Effects that the painter leaves out.
fn is_filtered(values: &ComputedValues) -> bool {
    let effects = values.get_effects();
    effects.filter.0.iter().any(|filter| !matches!(filter, Filter::DropShadow(_)))
        || effects.mix_blend_mode != MixBlendMode::Normal
}

pub(crate) fn backdrop(document: &BaseDocument, node: &EngineNode, values: &ComputedValues) -> Backdrop {
    let background = values.get_background();
    let color = rgba(&background.clone_background_color().resolve_to_absolute(&values.clone_color()));
    let mut gradient = Vec::new();
    let (mut image, mut seen) = (false, true);
    for (index, layer) in background.background_image.0.iter().enumerate() {
        match layer {
            Image::None => {}
            // The serialised form holds every stop as an absolute colour, whatever syntax and
            // interpolation the author chose.
            Image::Gradient(_) => {
                if gradient.is_empty() {
                    gradient = stops(&document.resolved_style_value(node.id, "background-image"));
                    image |= gradient.is_empty();
                    seen &= !gradient.is_empty();
                }
            }
            Image::Url(_) => {
                image = true;
                seen &= has_picture(node, index);
            }
            Image::PaintWorklet(_)
            | Image::CrossFade(_)
            | Image::ImageSet(_)
            | Image::LightDark(_)
            | Image::Image(_) => (image, seen) = (true, false),
        }
    }
    // Nothing that matters for whoever reads the text on it.
    let image = image && !is_texture(values);
    Backdrop {
        color,
        gradient,
        image,
        unseen: image && !seen,
        clipped_to_text: background.background_image.0.iter().any(|layer| !matches!(layer, Image::None))
            && is_clipped_to_text(document, values),
    }
}

/// Whether the picture of a layer is there to be painted.
fn has_picture(node: &EngineNode, layer: usize) -> bool {
    let layers = node.element_data().map(|element| &element.background_images[..]).unwrap_or_default();
    layers
        .get(layer)
        .is_some_and(|layer| layer.as_ref().is_some_and(|layer| matches!(layer.image, ImageData::Raster(_))))
}

/// A drawing laid over the page that nobody can touch is a grain or a texture: it is there to be hardly seen.
fn is_texture(values: &ComputedValues) -> bool {
    values.clone_position().is_absolutely_positioned()
        && values.clone_pointer_events() == PointerEvents::None
        && values.get_background().background_image.0.iter().all(|image| match image {
            Image::Url(url) => url.url().is_some_and(|url| url.as_str().starts_with("data:image/svg")),
            Image::None | Image::Gradient(_) => true,
            Image::PaintWorklet(_)
            | Image::CrossFade(_)
            | Image::ImageSet(_)
            | Image::LightDark(_)
            | Image::Image(_) => false,
        })
}

/// Whether the page asks for a background that only its text shows. The engine does not know the value, so the rules
/// are asked for the mark that was put in its place.
fn is_clipped_to_text(document: &BaseDocument, values: &ComputedValues) -> bool {
    let guard = document.guard().read();
    let mut rule = Some(values.rules());
    while let Some(node) = rule {
        rule = node.parent();
        let Some(source) = node.style_source() else {
            continue;
        };
        for declaration in source.read(&guard).declarations().iter().rev() {
            if matches!(declaration, PropertyDeclaration::BackgroundClip(_)) {
                return false;
            }
            if let PropertyDeclaration::Custom(custom) = declaration
                && &*custom.name == CLIPPED_TO_TEXT
            {
                return true;
            }
        }
    }
    false
}

/// The colours in a serialised list of gradients.
fn stops(serialised: &str) -> Vec<Rgba> {
    let mut colours = Vec::new();
    let mut rest = serialised;
    while let Some(at) = rest.find("rgb") {
        let Some((_, after)) = rest.split_at_checked(at) else {
            break;
        };
        let Some((head, tail)) = after.split_once(')') else {
            break;
        };
        if let Some((_, arguments)) = head.split_once('(') {
            let numbers: Vec<f32> =
                arguments.split([',', ' ', '/']).filter_map(|part| part.trim().parse().ok()).collect();
            if let [red, green, blue, ref opacity @ ..] = numbers[..] {
                colours.push(Rgba {
                    red: red / 255.0,
                    green: green / 255.0,
                    blue: blue / 255.0,
                    alpha: opacity.first().copied().unwrap_or(1.0),
                });
            }
        }
        rest = tail;
    }
    // A colour outside the legacy notation is one we would read wrongly: better to know nothing.
    if ["color(", "oklch(", "oklab(", "lab(", "lch(", "color-mix("]
        .iter()
        .any(|notation| serialised.contains(notation))
    {
        colours.clear();
    }
    colours
}

fn rgba(color: &AbsoluteColor) -> Rgba {
    let srgb = color.to_color_space(ColorSpace::Srgb);
    let [red, green, blue, alpha] = *srgb.raw_components();
    Rgba {
        red: red.clamp(0.0, 1.0),
        green: green.clamp(0.0, 1.0),
        blue: blue.clamp(0.0, 1.0),
        alpha: alpha.clamp(0.0, 1.0),
    }
}

fn pixels(value: &str) -> f32 {
    value.strip_suffix("px").and_then(|number| number.parse().ok()).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_are_read_from_every_layer() {
        let found = stops("linear-gradient(90deg, rgb(255, 0, 0) 10%, rgba(0, 0, 255, 0.5))");
        assert_eq!(
            found,
            vec![
                Rgba { red: 1.0, green: 0.0, blue: 0.0, alpha: 1.0 },
                Rgba { red: 0.0, green: 0.0, blue: 1.0, alpha: 0.5 },
            ]
        );
    }
}
