//! The faces every page is laid out with.
//!
//! With the fonts of the machine, line breaks and heights would differ from one machine to the next and so would every
//! measurement that rests on them. The outlines come from `epaint_default_fonts`: a small crate without code or
//! dependencies that carries Ubuntu Light and Hack under licences which allow embedding, so no font file has to live in
//! this repository. Widths and heights are those of the faces that systems have for the usual names, so that text takes
//! the room here that it takes in a browser. Nothing looks at the outlines: text is not painted.

use std::sync::{Arc, OnceLock};

use blitz_dom::{FontContext, build_single_font_ctx};
use parley::fontique::{
    Blob, Collection, CollectionOptions, FamilyId, FontInfoOverride, FontWeight, GenericFamily, Script,
    SourceCache,
};

use crate::sfnt::{Measures, patched};
use crate::widths::{SANS, SANS_BOLD, SERIF, SERIF_BOLD, UNITS, characters};

const SANS_MEASURES: Measures =
    Measures { ascent: 0.905, descent: 0.212, line_gap: 0.033, x_height: 0.519, unknown: 1.0 };
const SERIF_MEASURES: Measures =
    Measures { ascent: 0.891, descent: 0.216, line_gap: 0.042, x_height: 0.448, unknown: 1.0 };
const MONO_MEASURES: Measures =
    Measures { ascent: 0.833, descent: 0.300, line_gap: 0.0, x_height: 0.423, unknown: 1.2 };

/// Every character of a typewriter is this wide.
const MONO_WIDTH: f32 = 0.6;

/// Names that stand for a face without serifs. A family that nobody knows is passed over for the next in its list.
const SANS_NAMES: &[&str] = &[
    "Arial",
    "Helvetica",
    "Helvetica Neue",
    "Liberation Sans",
    "Arimo",
    "Segoe UI",
    "Roboto",
    "Tahoma",
    "Verdana",
    "Trebuchet MS",
    "-apple-system",
    "BlinkMacSystemFont",
    "ui-sans-serif",
    "ui-rounded",
];

/// Names that stand for a face with serifs.
const SERIF_NAMES: &[&str] = &[
    "Times",
    "Times New Roman",
    "Liberation Serif",
    "Tinos",
    "Georgia",
    "Cambria",
    "Palatino",
    "Palatino Linotype",
    "Garamond",
    "ui-serif",
];

/// Names that stand for a typewriter.
const MONO_NAMES: &[&str] = &[
    "Courier",
    "Courier New",
    "Liberation Mono",
    "Cousine",
    "Menlo",
    "Monaco",
    "Consolas",
    "SF Mono",
    "ui-monospace",
];

/// Scripts that the outlines have letters for.
const SCRIPTS: [&[u8; 4]; 4] = [b"Latn", b"Grek", b"Cyrl", b"Zyyy"];

/// A font context that knows the embedded faces and nothing else.
pub(crate) fn embedded() -> FontContext {
    static CONTEXT: OnceLock<FontContext> = OnceLock::new();
    CONTEXT
        .get_or_init(|| faces().unwrap_or_else(|| build_single_font_ctx(epaint_default_fonts::UBUNTU_LIGHT)))
        .clone()
}

fn faces() -> Option<FontContext> {
    let proportional = |measures, widths: &'static [u16]| {
        let units = f32::from(UNITS);
        let widths = characters().zip(widths.iter().map(move |width| f32::from(*width) / units));
        patched(epaint_default_fonts::UBUNTU_LIGHT, measures, widths)
    };
    let typewriter = || {
        let widths = characters().map(|character| (character, MONO_WIDTH));
        patched(epaint_default_fonts::HACK_REGULAR, MONO_MEASURES, widths)
    };
    let mut context = FontContext {
        source_cache: SourceCache::new_shared(),
        collection: Collection::new(CollectionOptions { shared: false, system_fonts: false }),
    };
    let sans = Family {
        regular: proportional(SANS_MEASURES, &SANS)?,
        bold: proportional(SANS_MEASURES, &SANS_BOLD)?,
    };
    let serif = Family {
        regular: proportional(SERIF_MEASURES, &SERIF)?,
        bold: proportional(SERIF_MEASURES, &SERIF_BOLD)?,
    };
    let mono = Family { regular: typewriter()?, bold: typewriter()? };
    let sans = sans.register(&mut context, SANS_NAMES)?;
    let serif = serif.register(&mut context, SERIF_NAMES)?;
    let mono = mono.register(&mut context, MONO_NAMES)?;
    for (generic, family) in [
        (GenericFamily::SansSerif, sans),
        (GenericFamily::SystemUi, sans),
        (GenericFamily::UiSansSerif, sans),
        (GenericFamily::Cursive, sans),
        (GenericFamily::Fantasy, sans),
        (GenericFamily::Serif, serif),
        (GenericFamily::UiSerif, serif),
        (GenericFamily::Monospace, mono),
        (GenericFamily::UiMonospace, mono),
    ] {
        context.collection.set_generic_families(generic, std::iter::once(family));
    }
    for script in SCRIPTS {
        // A browser takes the face with serifs when it knows none of the names.
        context.collection.set_fallbacks(Script::from_bytes(*script), std::iter::once(serif));
    }
    Some(context)
}

/// One family in two weights.
struct Family {
    regular: Vec<u8>,
    bold: Vec<u8>,
}

impl Family {
    /// Makes the family known under each of its names; the first stands for all.
    fn register(self, context: &mut FontContext, names: &[&str]) -> Option<FamilyId> {
        let faces = [
            (Blob::new(Arc::new(self.regular) as _), FontWeight::NORMAL),
            (Blob::new(Arc::new(self.bold) as _), FontWeight::BOLD),
        ];
        let mut first = None;
        for name in names {
            for (face, weight) in &faces {
                let known_as = FontInfoOverride {
                    family_name: Some(name),
                    weight: Some(*weight),
                    ..FontInfoOverride::default()
                };
                let registered = context.collection.register_fonts(face.clone(), Some(known_as));
                first = first.or_else(|| registered.first().map(|(family, _)| *family));
            }
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_face_can_be_made() {
        assert!(faces().is_some());
    }
}
