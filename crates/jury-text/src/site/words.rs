//! The few words of a site that are not its copy: what finds the way around it.

/// Words in the language of the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are what they are")]
pub struct Words {
    pub skip: &'static str,
    pub home: &'static str,
    pub blog: &'static str,
    pub feed: &'static str,
    pub not_found: &'static str,
    pub not_found_text: &'static str,
}

impl Words {
    /// English, and what a language gets that is not here.
    pub const ENGLISH: Self = Self {
        skip: "Skip to the content",
        home: "To the front page",
        blog: "Blog",
        feed: "Feed",
        not_found: "This page does not exist",
        not_found_text: "The address may be mistyped, or the page has moved.",
    };
    const GERMAN: Self = Self {
        skip: "Zum Inhalt springen",
        home: "Zur Startseite",
        blog: "Blog",
        feed: "Feed",
        not_found: "Diese Seite gibt es nicht",
        not_found_text: "Die Adresse ist vielleicht falsch geschrieben, oder die Seite ist umgezogen.",
    };
    const FRENCH: Self = Self {
        skip: "Aller au contenu",
        home: "Vers la page d’accueil",
        blog: "Blog",
        feed: "Flux",
        not_found: "Cette page n’existe pas",
        not_found_text: "L’adresse est peut-être mal écrite, ou la page a été déplacée.",
    };
    const SPANISH: Self = Self {
        skip: "Saltar al contenido",
        home: "A la página de inicio",
        blog: "Blog",
        feed: "Canal",
        not_found: "Esta página no existe",
        not_found_text: "Puede que la dirección esté mal escrita o que la página se haya movido.",
    };

    /// The words of a language tag.
    pub fn of(lang: &str) -> Self {
        match lang.split('-').next().unwrap_or_default().to_ascii_lowercase().as_str() {
            "de" => Self::GERMAN,
            "fr" => Self::FRENCH,
            "es" => Self::SPANISH,
            _ => Self::ENGLISH,
        }
    }
}

/// Whether a language is written from right to left.
pub(super) fn is_rtl(lang: &str) -> bool {
    matches!(
        lang.split('-').next().unwrap_or_default(),
        "ar" | "he" | "fa" | "ur" | "yi" | "dv" | "ps" | "sd" | "ug"
    )
}
