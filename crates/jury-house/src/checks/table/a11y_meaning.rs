//! Checks of accessibility that look at what words and addresses mean, as far as a program can tell, and at what level AAA
//! asks for. A page on which they find nothing earns nothing by them.

use crate::checks::{
    About, Check, RepairKind, contrast_enhanced, contrast_states, head, link_context, same_names, sound,
    structure, wording,
};
use crate::finding::Severity;

use super::check;

/// In the order in which they are reported.
pub(in crate::checks) const A11Y_MEANING: &[Check] = &[
    check(
        "a11y/contrast-enhanced",
        "perceive",
        Severity::Minor,
        contrast_enhanced::contrast,
        About {
            title: "Text stands out for those who see little",
            measures: "Texts under 7:1, or under 4.5:1 where they are large, in one finding. Where a text lies over many \
                       colours, only what fails level AA as well.",
            exempt: "What a11y/contrast leaves out or does not decide.",
            exposure: "Said, and not scored: level AAA is not asked of a page.",
            sources: &[
                "WCAG 2.2 SC 1.4.6 (AAA) https://www.w3.org/WAI/WCAG22/Understanding/contrast-enhanced",
            ],
            act: &["09o5cg"],
            axe: &["color-contrast-enhanced"],
            repair: RepairKind::None,
        },
    ),
    check(
        "a11y/contrast-states",
        "perceive",
        Severity::Serious,
        contrast_states::contrast,
        About {
            title: "Text stands out in every window and state",
            measures: "Texts under 4.5:1, or under 3:1 where they are large, that a11y/contrast does not tell of: in windows \
                       of 768, 375 and 320 px, under up to four conditions that styles of the page name (@media, @container, \
                       :hover and its like), in ::first-line, ::first-letter and words that a style writes, under \
                       filter: opacity(), and in a select.",
            exempt: "What is not to be seen in the page at rest; what lies on pictures or more than one colour there; print.",
            exposure: "Said, and not scored: a page is scored as it lies in a wide window.",
            sources: &["WCAG 2.2 SC 1.4.3 (AA) https://www.w3.org/WAI/WCAG22/Understanding/contrast-minimum"],
            act: &[],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "a11y/sound-control",
        "operate",
        Severity::Moderate,
        sound::control,
        About {
            title: "What sounds by itself can be stopped",
            measures: "audio and video with autoplay and without muted, controls, or a control that is seen, heard of and \
                       named for it (pause, stop, mute, volume and the like).",
            exempt: "Addresses with a time fragment that ends within 3 seconds, or has no end.",
            exposure: "Films and sounds that begin by themselves; worth nothing when none can be stopped.",
            sources: &["WCAG 2.2 SC 1.4.2 (A) https://www.w3.org/WAI/WCAG22/Understanding/audio-control"],
            act: &["4c31df", "80f0bf"],
            axe: &["no-autoplay-audio"],
            repair: RepairKind::None,
        },
    ),
    check(
        "a11y/sound",
        "operate",
        Severity::Minor,
        sound::begins,
        About {
            title: "Sound waits for the reader",
            measures: "audio and video with autoplay and without muted, whatever there is to stop them.",
            exempt: "Addresses with a time fragment that ends within 3 seconds, or has no end.",
            exposure: "Said, and not scored: a criterion is broken only where nothing stops it.",
            sources: &["technique G60 https://www.w3.org/WAI/WCAG22/Techniques/general/G60"],
            act: &["aaa1bf"],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "a11y/refresh-late",
        "operate",
        Severity::Minor,
        head::late_refresh,
        About {
            title: "The page does not even go away after a day",
            measures: "The first valid meta refresh has a delay above 20 hours.",
            exempt: "Shorter delays, which are a11y/refresh.",
            exposure: "Said, and not scored: only level AAA asks for it.",
            sources: &["WCAG 2.2 SC 2.2.4 (AAA) https://www.w3.org/WAI/WCAG22/Understanding/interruptions"],
            act: &["bisz58"],
            axe: &["meta-refresh-no-exceptions"],
            repair: RepairKind::None,
        },
    ),
    check(
        "a11y/lang-parts-text",
        "structure",
        Severity::Moderate,
        structure::parts_in_another_language,
        About {
            title: "Parts are in the language they say",
            measures: "Elements with a lang whose words are those of another language: three different common words of it \
                       more than of the language that is said, and three times as many; or letters of another script.",
            exempt: "Parts too short to tell, near relatives of the language, code.",
            exposure: "Parts with a lang, the first 200; worth nothing at half of them.",
            sources: &[
                "WCAG 2.2 SC 3.1.2 (AA) https://www.w3.org/WAI/WCAG22/Understanding/language-of-parts",
            ],
            act: &["off6ek"],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "a11y/link-purpose",
        "names",
        Severity::Moderate,
        link_context::purpose,
        About {
            title: "A link is explained by what is around it",
            measures: "Links whose name says nothing by itself, and around which nothing else is said: in the item, the block \
                       and the cell they are in, the headers of that cell, and what aria-describedby points at.",
            exempt: "Links with a name that says something.",
            exposure: "Links with a name; worth nothing at half of them.",
            sources: &[
                "WCAG 2.2 SC 2.4.4 (A) https://www.w3.org/WAI/WCAG22/Understanding/link-purpose-in-context",
            ],
            act: &["5effbb"],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "a11y/same-links",
        "names",
        Severity::Minor,
        same_names::same_links,
        About {
            title: "Links of one name lead to one place",
            measures: "Links with the same name, without regard to case, that lead to different addresses.",
            exempt: "Links that a script answers. Undecided where the page says nothing different around them: two \
                     addresses may hold the same.",
            exposure: "Said, and not scored: only level AAA asks for it.",
            sources: &[
                "WCAG 2.2 SC 2.4.9 (AAA) https://www.w3.org/WAI/WCAG22/Understanding/link-purpose-link-only",
            ],
            act: &["b20e66"],
            axe: &["identical-links-same-purpose"],
            repair: RepairKind::None,
        },
    ),
    check(
        "a11y/same-links-in-context",
        "names",
        Severity::Moderate,
        same_names::same_in_context,
        About {
            title: "What tells links apart is heard as well",
            measures: "Links with the same name and the same context that lead to different addresses, and look different or \
                       stand behind different words.",
            exempt: "Links that nothing tells apart for anybody. Links that a script answers.",
            exposure: "Links with a name; worth nothing at half of them.",
            sources: &[
                "WCAG 2.2 SC 2.4.4 (A) https://www.w3.org/WAI/WCAG22/Understanding/link-purpose-in-context",
            ],
            act: &["fd3a94"],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "a11y/same-frames",
        "names",
        Severity::Moderate,
        same_names::same_frames,
        About {
            title: "Frames of one name hold one page",
            measures: "Frames with the same name, without regard to case, and different addresses.",
            exempt: "Undecided where the pages are neither in the frame nor beside: two addresses may hold the same.",
            exposure: "Frames with a name; worth nothing at half of them.",
            sources: &["WCAG 2.2 SC 4.1.2 (A) https://www.w3.org/WAI/WCAG22/Understanding/name-role-value"],
            act: &["4b1c6c"],
            axe: &["frame-title-unique"],
            repair: RepairKind::None,
        },
    ),
    check(
        "a11y/image-words",
        "names",
        Severity::Moderate,
        wording::images,
        About {
            title: "The name of an image describes it",
            measures: "Images that are seen and named by a file, by the name of their own file, by what a camera calls its \
                       files, or by a word for images such as photo or icon.",
            exempt: "Whether a description is true.",
            exposure: "Images with a name; worth nothing at half of them.",
            sources: &[
                "WCAG 2.2 SC 1.1.1 (A) https://www.w3.org/WAI/WCAG22/Understanding/non-text-content",
                "failure F30 https://www.w3.org/WAI/WCAG22/Techniques/failures/F30",
            ],
            act: &["qt1vmo"],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "a11y/heading-words",
        "structure",
        Severity::Moderate,
        wording::heading_words,
        About {
            title: "Headings name what follows",
            measures: "Headings that only say that they are one (Heading, Title, Section 2), or hold no letter and no digit.",
            exempt: "Whether a heading fits what follows.",
            exposure: "Headings; worth nothing at half of them.",
            sources: &[
                "WCAG 2.2 SC 2.4.6 (AA) https://www.w3.org/WAI/WCAG22/Understanding/headings-and-labels",
            ],
            act: &["b49b2e"],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "a11y/title-words",
        "structure",
        Severity::Serious,
        wording::title_words,
        About {
            title: "The title names the page",
            measures: "A title that is one of the words an editor leaves behind (Document, Untitled, New page), that is the \
                       name of a file, or that holds no letter and no digit. Moderate: one that says what every page is \
                       (Index, Website, React App).",
            exempt: "A title that is the first heading as well. Pages that scripts build.",
            exposure: "Holds or does not; nothing is earned by a title that says something.",
            sources: &[
                "WCAG 2.2 SC 2.4.2 (A) https://www.w3.org/WAI/WCAG22/Understanding/page-titled",
                "failure F25 https://www.w3.org/WAI/WCAG22/Techniques/failures/F25",
            ],
            act: &["c4a8a4"],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
    check(
        "a11y/label-words",
        "names",
        Severity::Moderate,
        wording::label_words,
        About {
            title: "Labels say what belongs into their field",
            measures: "Fields that are seen and whose label only says that there is a field (Label, Input, Text); text fields \
                       of one kind with the same label in the same row, item, group or form and behind the same heading.",
            exempt: "Fields named by an attribute alone, check boxes and radio buttons of one label.",
            exposure: "Fields with a label; worth nothing at half of them.",
            sources: &[
                "WCAG 2.2 SC 2.4.6 (AA) https://www.w3.org/WAI/WCAG22/Understanding/headings-and-labels",
            ],
            act: &["cc0f0a"],
            axe: &[],
            repair: RepairKind::None,
        },
    ),
];
