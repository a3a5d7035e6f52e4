//! The roles.

/// Where the name of an element with a role comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// From attributes and from what the host language provides.
    Author,
    /// From these, or else from what is inside.
    Contents,
    /// It has no name, and must not be given one.
    Prohibited,
}

/// One role of WAI-ARIA.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AriaRole {
    /// The name in the attribute `role`.
    pub name: &'static str,
    /// Where its name comes from.
    pub naming: Naming,
    /// Whether everything inside is part of it and nothing by itself.
    pub presentational: bool,
    requires: &'static str,
    supports: &'static str,
    context: &'static str,
    owns: &'static str,
}

impl AriaRole {
    /// Attributes it must have, without `aria-`.
    pub fn requires(&self) -> impl Iterator<Item = &'static str> + use<> {
        words(self.requires)
    }

    /// Whether it may have an attribute, given without `aria-`.
    pub fn supports(&self, attribute: &str) -> bool {
        super::is_global(attribute)
            || super::holds(self.requires, attribute)
            || super::holds(self.supports, attribute)
    }

    /// Whether it must not have an attribute that other roles have, given without `aria-`.
    pub fn prohibits(&self, attribute: &str) -> bool {
        match attribute {
            "label" | "labelledby" | "braillelabel" => self.naming == Prohibited,
            "roledescription" | "brailleroledescription" => self.name == "generic",
            _ => false,
        }
    }

    /// Roles one of which must be around it; none means anywhere.
    pub fn context(&self) -> impl Iterator<Item = &'static str> + use<> {
        words(self.context)
    }

    /// Roles that may be directly inside it, one of which has to be; none means any.
    pub fn owns(&self) -> impl Iterator<Item = &'static str> + use<> {
        words(self.owns)
    }
}

fn words(list: &'static str) -> impl Iterator<Item = &'static str> + use<> {
    list.split(' ').filter(|word| !word.is_empty())
}

use Naming::{Author, Contents, Prohibited};

const fn plain(name: &'static str, naming: Naming, supports: &'static str) -> AriaRole {
    AriaRole { name, naming, presentational: false, requires: "", supports, context: "", owns: "" }
}

impl AriaRole {
    const fn needs(mut self, requires: &'static str) -> Self {
        self.requires = requires;
        self
    }

    const fn within(mut self, context: &'static str) -> Self {
        self.context = context;
        self
    }

    const fn around(mut self, owns: &'static str) -> Self {
        self.owns = owns;
        self
    }

    const fn whole(mut self) -> Self {
        self.presentational = true;
        self
    }
}

const CELL: &str = "colindex colindextext colspan rowindex rowindextext rowspan";
const GRID_CELL: &str = "colindex colindextext colspan disabled errormessage expanded haspopup invalid readonly required \
    rowindex rowindextext rowspan selected";
const HEADER_CELL: &str = "colindex colindextext colspan disabled errormessage expanded haspopup invalid readonly required \
    rowindex rowindextext rowspan selected sort";
const TEXT: &str = "activedescendant autocomplete disabled errormessage haspopup invalid multiline placeholder readonly required";
const ROWS: &str = "grid rowgroup table treegrid";
const ITEMS: &str = "menuitem menuitemcheckbox menuitemradio group";
const MENUS: &str = "menu menubar group";
const CHOICE: &str = "disabled errormessage expanded invalid readonly required";

/// All roles, sorted by name.
const ROLES: &[AriaRole] = &[
    plain("alert", Author, ""),
    plain("alertdialog", Author, "modal"),
    plain("application", Author, "activedescendant disabled errormessage expanded haspopup invalid"),
    plain("article", Author, "posinset setsize"),
    plain("banner", Author, ""),
    plain("blockquote", Author, ""),
    plain("button", Contents, "disabled expanded haspopup pressed").whole(),
    plain("caption", Prohibited, ""),
    plain("cell", Contents, CELL).within("row"),
    plain("checkbox", Contents, CHOICE).needs("checked").whole(),
    plain("code", Prohibited, ""),
    plain("columnheader", Contents, HEADER_CELL).within("row"),
    plain(
        "combobox",
        Author,
        "activedescendant autocomplete controls disabled errormessage haspopup invalid placeholder readonly required",
    )
    .needs("expanded"),
    plain("comment", Contents, "level posinset setsize"),
    plain("complementary", Author, ""),
    plain("contentinfo", Author, ""),
    plain("definition", Author, ""),
    plain("deletion", Prohibited, ""),
    plain("dialog", Author, "modal"),
    plain("directory", Author, ""),
    plain("doc-abstract", Author, ""),
    plain("doc-acknowledgments", Author, ""),
    plain("doc-afterword", Author, ""),
    plain("doc-appendix", Author, ""),
    plain("doc-backlink", Contents, "disabled expanded haspopup"),
    plain("doc-biblioentry", Author, "level posinset setsize"),
    plain("doc-bibliography", Author, ""),
    plain("doc-biblioref", Contents, "disabled expanded haspopup"),
    plain("doc-chapter", Author, ""),
    plain("doc-colophon", Author, ""),
    plain("doc-conclusion", Author, ""),
    plain("doc-cover", Author, "").whole(),
    plain("doc-credit", Author, ""),
    plain("doc-credits", Author, ""),
    plain("doc-dedication", Author, ""),
    plain("doc-endnote", Author, "level posinset setsize"),
    plain("doc-endnotes", Author, ""),
    plain("doc-epigraph", Author, ""),
    plain("doc-epilogue", Author, ""),
    plain("doc-errata", Author, ""),
    plain("doc-example", Author, ""),
    plain("doc-footnote", Author, ""),
    plain("doc-foreword", Author, ""),
    plain("doc-glossary", Author, ""),
    plain("doc-glossref", Contents, "disabled expanded haspopup"),
    plain("doc-index", Author, ""),
    plain("doc-introduction", Author, ""),
    plain("doc-noteref", Contents, "disabled expanded haspopup"),
    plain("doc-notice", Author, ""),
    plain("doc-pagebreak", Author, "disabled orientation valuemax valuemin valuenow valuetext").whole(),
    plain("doc-pagefooter", Prohibited, ""),
    plain("doc-pageheader", Prohibited, ""),
    plain("doc-pagelist", Author, ""),
    plain("doc-part", Author, ""),
    plain("doc-preface", Author, ""),
    plain("doc-prologue", Author, ""),
    plain("doc-pullquote", Author, ""),
    plain("doc-qna", Author, ""),
    plain("doc-subtitle", Contents, "level"),
    plain("doc-tip", Author, ""),
    plain("doc-toc", Author, ""),
    plain("document", Author, ""),
    plain("emphasis", Prohibited, ""),
    plain("feed", Author, "").around("article"),
    plain("figure", Author, ""),
    plain("form", Author, ""),
    plain("generic", Prohibited, ""),
    plain("graphics-document", Author, ""),
    plain("graphics-object", Author, "activedescendant disabled errormessage expanded haspopup invalid"),
    plain("graphics-symbol", Author, "").whole(),
    plain("grid", Author, "activedescendant colcount disabled multiselectable readonly rowcount")
        .around("row rowgroup caption"),
    plain("gridcell", Contents, GRID_CELL).within("row"),
    plain("group", Author, "activedescendant disabled"),
    plain("heading", Contents, "").needs("level"),
    plain("image", Author, "").whole(),
    plain("img", Author, "").whole(),
    plain("insertion", Prohibited, ""),
    plain("link", Contents, "disabled expanded haspopup"),
    plain("list", Author, "").around("listitem"),
    plain(
        "listbox",
        Author,
        "activedescendant disabled errormessage expanded invalid multiselectable orientation readonly required",
    )
    .around("option group"),
    plain("listitem", Author, "level posinset setsize").within("list directory"),
    plain("log", Author, ""),
    plain("main", Author, ""),
    plain("mark", Prohibited, ""),
    plain("marquee", Author, ""),
    plain("math", Author, ""),
    plain("menu", Author, "activedescendant disabled orientation").around(ITEMS),
    plain("menubar", Author, "activedescendant disabled orientation").around(ITEMS),
    plain("menuitem", Contents, "disabled expanded haspopup posinset setsize").within(MENUS),
    plain("menuitemcheckbox", Contents, "disabled errormessage expanded haspopup invalid posinset readonly required setsize")
        .needs("checked")
        .within(MENUS)
        .whole(),
    plain("menuitemradio", Contents, "disabled errormessage expanded haspopup invalid posinset readonly required setsize")
        .needs("checked")
        .within(MENUS)
        .whole(),
    plain("meter", Author, "valuemax valuemin valuetext").needs("valuenow").whole(),
    plain("navigation", Author, ""),
    plain("none", Prohibited, ""),
    plain("note", Author, ""),
    plain("option", Contents, "checked disabled posinset selected setsize").within("listbox group").whole(),
    plain("paragraph", Prohibited, ""),
    plain("presentation", Prohibited, ""),
    plain("progressbar", Author, "valuemax valuemin valuenow valuetext").whole(),
    plain("radio", Contents, "disabled posinset setsize").needs("checked").whole(),
    plain("radiogroup", Author, "activedescendant disabled errormessage invalid orientation readonly required"),
    plain("region", Author, ""),
    plain(
        "row",
        Contents,
        "activedescendant colindex disabled expanded level posinset rowindex rowindextext selected setsize",
    )
    .within(ROWS)
    .around("cell columnheader gridcell rowheader"),
    plain("rowgroup", Author, "").within("grid table treegrid").around("row"),
    plain("rowheader", Contents, HEADER_CELL).within("row"),
    plain("scrollbar", Author, "disabled orientation valuemax valuemin valuetext")
        .needs("controls valuenow")
        .whole(),
    plain("search", Author, ""),
    plain("searchbox", Author, TEXT),
    plain("separator", Author, "disabled orientation valuemax valuemin valuenow valuetext").whole(),
    plain(
        "slider",
        Author,
        "disabled errormessage haspopup invalid orientation readonly required valuemax valuemin valuetext",
    )
    .needs("valuenow")
    .whole(),
    plain(
        "spinbutton",
        Author,
        "activedescendant disabled errormessage invalid readonly required valuemax valuemin valuenow valuetext",
    ),
    plain("status", Author, ""),
    plain("strong", Prohibited, ""),
    plain("subscript", Prohibited, ""),
    plain("suggestion", Prohibited, "").around("insertion deletion"),
    plain("superscript", Prohibited, ""),
    plain("switch", Contents, CHOICE).needs("checked").whole(),
    plain("tab", Contents, "disabled expanded haspopup posinset selected setsize").within("tablist").whole(),
    plain("table", Author, "colcount rowcount").around("row rowgroup caption"),
    plain("tablist", Author, "activedescendant disabled multiselectable orientation").around("tab"),
    plain("tabpanel", Author, ""),
    plain("term", Author, ""),
    plain("textbox", Author, TEXT),
    plain("time", Author, ""),
    plain("timer", Author, ""),
    plain("toolbar", Author, "activedescendant disabled orientation"),
    plain("tooltip", Contents, ""),
    plain("tree", Author, "activedescendant disabled errormessage invalid multiselectable orientation required")
        .around("treeitem group"),
    plain(
        "treegrid",
        Author,
        "activedescendant colcount disabled errormessage invalid multiselectable orientation readonly required rowcount",
    )
    .around("row rowgroup caption"),
    plain("treeitem", Contents, "checked disabled expanded haspopup level posinset selected setsize")
        .within("tree group"),
];

/// Roles that only order the others and must not be used.
const ABSTRACT: &str =
    "command composite input landmark range roletype section sectionhead select structure widget window";

/// The role with this name, in lower case.
pub fn role(name: &str) -> Option<&'static AriaRole> {
    let at = ROLES.binary_search_by(|known| known.name.cmp(name)).ok()?;
    ROLES.get(at)
}

/// Whether a name is that of a role which must not be used.
pub fn is_abstract(name: &str) -> bool {
    super::holds(ABSTRACT, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_names_what_exists() {
        assert!(ROLES.is_sorted_by_key(|role| role.name));
        for known in ROLES {
            for name in known.context().chain(known.owns()) {
                assert!(role(name).is_some(), "{} names {name}", known.name);
            }
            for name in words(known.requires).chain(words(known.supports)) {
                assert!(crate::aria::attribute(&format!("aria-{name}")).is_some(), "{}: {name}", known.name);
            }
        }
    }

    #[test]
    fn what_a_role_supports_is_told() {
        let button = role("button").expect("a role");
        assert!(button.supports("pressed") && button.supports("label") && !button.supports("checked"));
        assert!(role("generic").is_some_and(|generic| generic.prohibits("label")));
        assert!(role("lnik").is_none() && is_abstract("widget"));
    }
}
