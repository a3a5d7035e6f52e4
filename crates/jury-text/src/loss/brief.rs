//! What a brief allows to be lost.
//!
//! A brief allows it only where a sentence says so: a verb that takes away or rewrites, and behind it what is to be taken
//! away or rewritten. A sentence with a negation allows nothing. What is not named is not allowed.

use super::words::plain_words;

/// Verbs that take something away.
pub(super) const REMOVES: &[&str] = &[
    "remove",
    "delete",
    "drop",
    "cut",
    "omit",
    "strip",
    "discard",
    "hide",
    "eliminate",
    "entferne",
    "entfernen",
    "lösche",
    "löschen",
    "streiche",
    "streichen",
    "supprime",
    "supprimer",
    "supprimez",
    "retire",
    "retirez",
    "elimina",
    "eliminar",
    "quita",
    "quitar",
    "remove",
    "remova",
    "remover",
    "apague",
];

/// Verbs that put something else in its place.
pub(super) const REWRITES: &[&str] = &[
    "rewrite",
    "reword",
    "rephrase",
    "shorten",
    "condense",
    "trim",
    "replace",
    "translate",
    "change",
    "update",
    "edit",
    "revise",
    "simplify",
    "summarise",
    "summarize",
    "tighten",
    "swap",
    "rename",
    "schreibe",
    "umschreiben",
    "kürze",
    "kürzen",
    "ersetze",
    "ersetzen",
    "übersetze",
    "übersetzen",
    "ändere",
    "ändern",
    "réécris",
    "réécrire",
    "réécrivez",
    "raccourcis",
    "raccourcir",
    "remplace",
    "remplacer",
    "remplacez",
    "traduis",
    "traduire",
    "traduisez",
    "reescribe",
    "reescribir",
    "acorta",
    "acortar",
    "reemplaza",
    "traduce",
    "traducir",
    "reescreva",
    "encurte",
    "substitua",
    "traduza",
];

/// Words with which a sentence forbids instead.
pub(super) const NEGATIONS: &[&str] = &[
    "not", "never", "without", "don't", "dont", "no", "keep", "avoid", "nicht", "ohne", "kein", "keine",
    "nie", "behalte", "pas", "sans", "jamais", "sin", "nunca", "não", "sem",
];

/// What a word behind the verb is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    Words,
    Headings,
    Links,
    Forms,
    Pictures,
    Scripts,
    Figures,
    Names,
    Addresses,
    Page,
}

const SUBJECTS: &[(&[&str], Subject)] = &[
    (
        &[
            "text",
            "texts",
            "copy",
            "copywriting",
            "wording",
            "words",
            "paragraph",
            "paragraphs",
            "sentence",
            "sentences",
            "prose",
            "content",
            "body",
            "texte",
            "texto",
            "textos",
            "inhalt",
            "inhalte",
            "label",
            "labels",
        ],
        Subject::Words,
    ),
    (
        &[
            "heading",
            "headings",
            "headline",
            "headlines",
            "title",
            "titles",
            "überschrift",
            "überschriften",
            "titre",
            "titres",
            "título",
            "títulos",
        ],
        Subject::Headings,
    ),
    (&["link", "links", "navigation", "nav", "menu", "menü", "liens", "lien", "enlaces"], Subject::Links),
    (
        &["form", "forms", "field", "fields", "input", "inputs", "formular", "formulaire", "formulario"],
        Subject::Forms,
    ),
    (
        &[
            "image",
            "images",
            "picture",
            "pictures",
            "photo",
            "photos",
            "illustration",
            "illustrations",
            "video",
            "videos",
            "logo",
            "logos",
            "icon",
            "icons",
            "bild",
            "bilder",
            "imagen",
            "imágenes",
        ],
        Subject::Pictures,
    ),
    (
        &[
            "script",
            "scripts",
            "javascript",
            "js",
            "tracking",
            "analytics",
            "tracker",
            "trackers",
            "skript",
            "skripte",
        ],
        Subject::Scripts,
    ),
    (
        &[
            "price", "prices", "pricing", "number", "numbers", "figure", "figures", "date", "dates", "preis",
            "preise", "prix", "precio", "precios",
        ],
        Subject::Figures,
    ),
    (&["name", "names", "brand", "namen", "nom", "noms", "nombre", "nombres"], Subject::Names),
    (
        &["address", "addresses", "email", "phone", "telephone", "contact", "adresse", "telefon"],
        Subject::Addresses,
    ),
    (
        &["page", "site", "website", "everything", "all", "seite", "alles", "tout", "página", "todo", "tudo"],
        Subject::Page,
    ),
];

/// Words behind a verb that say nothing of what is meant.
const IDLE: &[&str] = &[
    "the",
    "a",
    "an",
    "this",
    "that",
    "these",
    "those",
    "my",
    "our",
    "your",
    "its",
    "their",
    "of",
    "on",
    "in",
    "at",
    "to",
    "from",
    "with",
    "by",
    "for",
    "and",
    "or",
    "section",
    "sections",
    "block",
    "part",
    "parts",
    "area",
    "element",
    "elements",
    "please",
    "der",
    "die",
    "das",
    "den",
    "dem",
    "und",
    "von",
    "im",
    "am",
    "le",
    "la",
    "les",
    "des",
    "du",
    "et",
    "el",
    "los",
    "las",
    "de",
    "y",
    "o",
    "os",
    "as",
    "e",
    "it",
    "them",
    "old",
    "new",
    "whole",
    "entire",
    "more",
    "shorter",
    "longer",
    "better",
    "clearer",
    "friendlier",
    "so",
    "is",
    "be",
    "are",
];

/// Verbs that ask for something more.
const ADDS: &[&str] = &[
    "add",
    "embed",
    "include",
    "insert",
    "integrate",
    "load",
    "use",
    "connect",
    "install",
    "track",
    "measure",
    "send",
    "show",
    "offer",
    "accept",
    "füge",
    "hinzufügen",
    "einbetten",
    "einbinden",
    "binde",
    "ergänze",
    "ajoute",
    "ajouter",
    "ajoutez",
    "intègre",
    "intégrer",
    "añade",
    "añadir",
    "agrega",
    "agregar",
    "inserta",
    "adicione",
    "insira",
];

/// Things that reach beyond the page.
const REACHES: &[&str] = &[
    "script",
    "scripts",
    "analytics",
    "tracking",
    "statistics",
    "map",
    "maps",
    "video",
    "videos",
    "film",
    "player",
    "podcast",
    "embed",
    "iframe",
    "frame",
    "widget",
    "widgets",
    "chat",
    "chatbot",
    "newsletter",
    "form",
    "forms",
    "field",
    "fields",
    "signup",
    "login",
    "payment",
    "payments",
    "checkout",
    "captcha",
    "calendar",
    "booking",
    "bookings",
    "feed",
    "comments",
    "search",
    "weather",
    "redirect",
    "library",
    "pixel",
    "photo",
    "photos",
    "picture",
    "pictures",
    "image",
    "images",
    "font",
    "fonts",
    "karte",
    "formular",
    "carte",
    "formulaire",
    "mapa",
    "formulario",
];

/// Things that a script does.
const ACTS: &[&str] = &[
    "menu",
    "toggle",
    "switch",
    "slider",
    "carousel",
    "tab",
    "tabs",
    "accordion",
    "animation",
    "animations",
    "interaction",
    "interactions",
    "interactivity",
    "counter",
    "countdown",
    "calculator",
    "filter",
    "lightbox",
    "dialog",
    "tooltip",
    "game",
    "chart",
    "skript",
    "javascript",
    "js",
];

/// Words for how a page looks and not for what it says.
const LOOKS: &[&str] = &[
    "style",
    "styles",
    "css",
    "stylesheet",
    "design",
    "layout",
    "look",
    "looks",
    "colours",
    "colors",
    "typography",
];

/// Behind these words stands where something is, and not what.
const PLACES: &[&str] =
    &["in", "from", "between", "around", "within", "inside", "near", "beside", "zwischen", "dans", "entre"];

/// Words for a part of a page that has an element of its own.
const ELEMENTS: &[(&[&str], &str)] = &[(
    &["testimonial", "testimonials", "quote", "quotes", "quotation", "zitat", "citation", "cita"],
    "blockquote",
)];

/// A word is the same when so many of its first letters are: `testimonial` and `testimonials`.
const STEM_LETTERS: usize = 5;

/// What a brief allows to be lost.
#[expect(clippy::struct_excessive_bools, reason = "independent permissions, not states of one thing")]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Permit {
    /// Another page may take its place.
    pub page: bool,
    /// Any text may be another one. Figures, names and addresses may not.
    pub words: bool,
    /// Headings may be others, or gone.
    pub headings: bool,
    /// Links may be gone.
    pub links: bool,
    /// Forms and fields may be gone.
    pub forms: bool,
    /// Pictures may be gone.
    pub pictures: bool,
    /// Scripts may be gone.
    pub scripts: bool,
    /// Figures may be others, or gone.
    pub figures: bool,
    /// Names may be others, or gone.
    pub names: bool,
    /// Addresses may be others, or gone.
    pub addresses: bool,
    /// The page may reach beyond itself in ways in which it did not.
    pub reach: bool,
    /// Scripts may do what they did not.
    pub acts: bool,
    /// The parts of the page that may be gone or be others, each by a word that names it.
    parts: Vec<String>,
    /// What the brief says without a negation, in lower case.
    said: String,
}

impl Permit {
    /// Whether a part with these words, ids and classes may be lost.
    pub fn covers(&self, about: &str) -> bool {
        if self.parts.is_empty() {
            return false;
        }
        let about = plain_words(&about.replace(['-', '_'], " "));
        self.parts.iter().any(|part| {
            let element = ELEMENTS.iter().find(|(words, _)| words.contains(&part.as_str()));
            about.iter().any(|word| same_stem(part, word) || element.is_some_and(|(_, tag)| word == tag))
        })
    }

    /// Whether the brief itself has this address.
    pub fn names(&self, address: &str) -> bool {
        let address = address.trim().trim_end_matches('/').to_lowercase();
        address.contains('.') && self.said.contains(&address)
    }

    /// Whether the page may reach this place: the brief asks for something of the kind, or has its name.
    pub fn reaches(&self, host: &str) -> bool {
        let mut labels = host.rsplit('.').skip(1);
        let name = labels.next().unwrap_or_default();
        let said = || self.said.split(|ch: char| !ch.is_alphanumeric());
        self.reach || self.said.contains(host) || name.len() > 3 && said().any(|word| word == name)
    }
}

fn same_stem(one: &str, other: &str) -> bool {
    let mut stem = one.chars().take(one.chars().count().saturating_sub(1).max(STEM_LETTERS));
    let mut letters = other.chars();
    one == other || one.chars().count() >= STEM_LETTERS && stem.all(|letter| letters.next() == Some(letter))
}

/// What a brief allows.
pub fn permits(brief: &str) -> Permit {
    let mut permit = Permit::default();
    let denies = |words: &[String]| words.iter().any(|word| NEGATIONS.contains(&word.as_str()));
    // Addresses have points and question marks of their own.
    for statement in
        brief.split(['\n', ' ']).collect::<Vec<_>>().split_inclusive(|word| word.ends_with(['.', '!', '?']))
    {
        let statement = statement.join(" ").to_lowercase();
        if !statement.trim().is_empty() && !denies(&plain_words(&statement)) {
            permit.said.extend([statement.as_str(), " "]);
        }
    }
    for sentence in brief.split_inclusive(['.', ';', '!', '?', '\n']) {
        // Who asks whether something should go has not asked for it.
        if sentence.ends_with('?') {
            continue;
        }
        let words = plain_words(sentence);
        if denies(&words) {
            continue;
        }
        let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        permit.reach |= has(ADDS) && has(REACHES);
        permit.acts |= has(ADDS) && has(ACTS);
        if sentence.to_lowercase().contains("from scratch") && !has(LOOKS) {
            permit.page = true;
        }
        let verb = words
            .iter()
            .position(|word| REMOVES.contains(&word.as_str()) || REWRITES.contains(&word.as_str()));
        let Some(verb) = verb else { continue };
        let removes = words.get(verb).is_some_and(|word| REMOVES.contains(&word.as_str()));
        let wholesale =
            words.get(verb).is_some_and(|word| matches!(word.as_str(), "replace" | "ersetze" | "ersetzen"));
        // What takes its place is named behind this word, and is not what goes.
        let behind = words.iter().skip(verb + 1).take_while(|word| {
            !matches!(
                word.as_str(),
                "with" | "by" | "into" | "durch" | "mit" | "par" | "por" | "so" | "because" | "but"
            )
        });
        // Behind these words stands where it is, and that stays: the errors in the rules, the space between them.
        let behind = behind.take_while(|word| !removes || !PLACES.contains(&word.as_str()));
        let named: Vec<&String> = behind.filter(|word| !IDLE.contains(&word.as_str())).collect();
        let subjects: Vec<Option<Subject>> = named.iter().map(|word| subject(word)).collect();
        // "Remove the price table": the last of them says what it is, and those before which.
        let others: Vec<&&String> = named
            .iter()
            .zip(&subjects)
            .filter(|(_, subject)| subject.is_none())
            .map(|(word, _)| word)
            .collect();
        if !others.is_empty() {
            permit
                .parts
                .extend(others.iter().filter(|word| word.chars().count() > 3).map(|word| (**word).clone()));
            // "Rewrite the hero headline" is not "rewrite the headlines".
            continue;
        }
        for subject in subjects.into_iter().flatten() {
            match subject {
                Subject::Words => permit.words = true,
                Subject::Headings => permit.headings = true,
                Subject::Links => permit.links = true,
                Subject::Forms => permit.forms = true,
                Subject::Pictures => permit.pictures = true,
                Subject::Scripts => permit.scripts = true,
                Subject::Figures => permit.figures = true,
                Subject::Names => permit.names = true,
                Subject::Addresses => permit.addresses = true,
                Subject::Page if removes || wholesale => permit.page = true,
                // A page that is rewritten has other words, and the same facts.
                Subject::Page => (permit.words, permit.headings) = (true, true),
            }
        }
    }
    permit
}

fn subject(word: &str) -> Option<Subject> {
    SUBJECTS.iter().find(|(words, _)| words.contains(&word)).map(|(_, subject)| *subject)
}

#[cfg(test)]
mod tests;
