//! Roles: the one that is written, if it is one and holds, or else the one the element has by itself.

use crate::aria;
use crate::snapshot::{Node, NodeId};

use super::is_focusable;

/// What an element is inside of.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts about what is around, not states of one thing"
)]
#[derive(Debug, Clone, Copy, Default)]
struct Around {
    /// `article`, `aside`, `nav` or `section`, or a role like theirs.
    sectioning: bool,
    /// The same, or `main`.
    main: bool,
    /// The nearest table around it.
    table: Option<NodeId>,
    /// The nearest table is a grid.
    grid: bool,
    /// The nearest table is declared to be none.
    no_table: bool,
    /// Whether it is in a `thead`.
    head: bool,
}

/// Writes every role. `section`, `form` and `aside` get theirs on trust, until their names are known.
pub(super) fn give(nodes: &mut [Node]) {
    let mut around: Vec<Around> = Vec::with_capacity(nodes.len());
    // The first summary of a details element is its button.
    let mut summarised: Vec<bool> = vec![false; nodes.len()];
    for index in 0..nodes.len() {
        let (before, rest) = nodes.split_at_mut(index);
        let Some(node) = rest.first_mut() else { break };
        let parent = node.parent.and_then(|id| before.get(id.index()));
        let inside = node.parent.and_then(|id| around.get(id.index())).copied().unwrap_or_default();
        if node.tag == "summary"
            && let Some(parent) = parent.filter(|parent| parent.tag == "details")
            && let Some(taken) = summarised.get_mut(parent.id.index())
            && !*taken
        {
            *taken = true;
            node.role = Some("button".to_owned());
        }
        let native = native(node, parent, inside);
        node.role = explicit(node, native).or(native).map(str::to_owned);
        around.push(handed_down(node, inside));
    }
    row_headers(nodes);
}

fn handed_down(node: &Node, inside: Around) -> Around {
    let mut down = inside;
    let role = node.role.as_deref();
    let has_own = node.attribute("role").is_none_or(|role| role.trim().is_empty());
    down.sectioning |= (has_own && matches!(node.tag.as_str(), "article" | "aside" | "nav" | "section"))
        || matches!(role, Some("article" | "complementary" | "navigation" | "region"));
    down.main |= down.sectioning || role == Some("main");
    match node.tag.as_str() {
        "table" => {
            // A table that is something else has no rows and cells.
            down.table = matches!(role, Some("table" | "grid" | "treegrid" | "none")).then_some(node.id);
            down.grid = matches!(role, Some("grid" | "treegrid"));
            down.no_table = role == Some("none");
            down.head = false;
        }
        "thead" => down.head = true,
        _ => {}
    }
    down
}

/// The first role that exists. What can be focused or has a global attribute cannot be declared away.
fn explicit(node: &Node, native: Option<&'static str>) -> Option<&'static str> {
    let written = node.attribute("role")?;
    let role = written
        .split_ascii_whitespace()
        .find_map(|token| aria::role(&token.to_ascii_lowercase()))
        .filter(|role| role.name != "generic")?;
    match role.name {
        "none" | "presentation" => {
            let conflicts = node.attributes.iter().any(|(name, value)| {
                name.strip_prefix("aria-")
                    .is_some_and(|name| name != "hidden" && aria::is_global(name) && !value.trim().is_empty())
            });
            if conflicts || is_focusable(node) { native.map(unalt) } else { Some("none") }
        }
        "image" => Some("img"),
        name => Some(name),
    }
}

/// An image that was declared away twice is still an image when it has to stay.
fn unalt(native: &'static str) -> &'static str {
    if native == "none" { "img" } else { native }
}

fn native(node: &Node, parent: Option<&Node>, inside: Around) -> Option<&'static str> {
    let has = |name: &str| node.attribute(name).is_some();
    Some(match node.tag.as_str() {
        "a" | "area" if has("href") => "link",
        "article" => "article",
        "aside" => "complementary",
        "blockquote" => "blockquote",
        "button" => "button",
        "caption" if !inside.no_table => "caption",
        "code" => "code",
        "datalist" => "listbox",
        "dd" => "definition",
        "del" | "s" => "deletion",
        "details" | "fieldset" | "optgroup" | "address" | "hgroup" => "group",
        "dfn" | "dt" => "term",
        "dialog" => "dialog",
        "em" => "emphasis",
        "figure" => "figure",
        "footer" if !inside.main => "contentinfo",
        "header" if !inside.main => "banner",
        "form" => "form",
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => "heading",
        "hr" => "separator",
        "img" => image(node),
        "input" => return input(node),
        "ins" => "insertion",
        "li" if parent.is_some_and(is_no_list) => "none",
        "li" => "listitem",
        "main" => "main",
        "mark" => "mark",
        "math" => "math",
        "ul" | "ol" | "menu" => "list",
        "meter" => "meter",
        "nav" => "navigation",
        "option" => "option",
        "output" => "status",
        "p" => "paragraph",
        "progress" => "progressbar",
        "search" => "search",
        "section" => "region",
        "select" => {
            let tall = node.attribute("size").and_then(|size| size.trim().parse::<u32>().ok());
            if has("multiple") || tall.is_some_and(|rows| rows > 1) { "listbox" } else { "combobox" }
        }
        "strong" => "strong",
        "sub" => "subscript",
        "summary" if node.role.is_some() => "button",
        "sup" => "superscript",
        "table" => "table",
        "thead" | "tbody" | "tfoot" | "tr" | "td" | "th" => return table_part(node, inside),
        "textarea" => "textbox",
        "time" => "time",
        _ => return None,
    })
}

/// A list that was declared away takes its items along.
fn is_no_list(list: &Node) -> bool {
    matches!(list.tag.as_str(), "ul" | "ol" | "menu") && list.role.as_deref() == Some("none")
}

fn image(node: &Node) -> &'static str {
    let named = ["aria-label", "aria-labelledby", "title"]
        .iter()
        .any(|name| node.attribute(name).is_some_and(|value| !value.trim().is_empty()));
    match node.attribute("alt") {
        Some("") if !named && !is_focusable(node) => "none",
        _ => "img",
    }
}

fn input(node: &Node) -> Option<&'static str> {
    let suggests = node.attribute("list").is_some();
    Some(match node.attribute("type").unwrap_or("text").to_ascii_lowercase().as_str() {
        "button" | "submit" | "reset" | "image" => "button",
        "checkbox" => "checkbox",
        "radio" => "radio",
        "range" => "slider",
        "number" => "spinbutton",
        "hidden" => return None,
        "search" if !suggests => "searchbox",
        "text" | "search" | "tel" | "url" | "email" if suggests => "combobox",
        _ => "textbox",
    })
}

fn table_part(node: &Node, inside: Around) -> Option<&'static str> {
    inside.table?;
    if inside.no_table {
        return Some("none");
    }
    let row_scope = node
        .attribute("scope")
        .is_some_and(|scope| ["row", "rowgroup"].iter().any(|row| scope.trim().eq_ignore_ascii_case(row)));
    Some(match node.tag.as_str() {
        "tr" => "row",
        "td" if inside.grid => "gridcell",
        "td" => "cell",
        "th" if row_scope && !inside.head => "rowheader",
        "th" => "columnheader",
        _ => "rowgroup",
    })
}

/// A header without a scope that has data cells in its row is the header of that row.
fn row_headers(nodes: &mut [Node]) {
    let rows_with_data: std::collections::BTreeSet<NodeId> =
        nodes.iter().filter(|node| node.tag == "td").filter_map(|node| node.parent).collect();
    for index in 0..nodes.len() {
        let Some(node) = nodes.get(index) else { break };
        let of_a_row = node.tag == "th"
            && node.role.as_deref() == Some("columnheader")
            && node.attribute("role").is_none()
            && node.attribute("scope").is_none()
            && node.parent.is_some_and(|row| rows_with_data.contains(&row))
            && !is_in_head(nodes, node);
        if of_a_row && let Some(node) = nodes.get_mut(index) {
            node.role = Some("rowheader".to_owned());
        }
    }
}

fn is_in_head(nodes: &[Node], cell: &Node) -> bool {
    cell.parent
        .and_then(|row| nodes.get(row.index()))
        .and_then(|row| nodes.get(row.parent?.index()))
        .is_some_and(|group| group.tag == "thead")
}

/// Sections and forms are landmarks only with a name, and so are asides inside of other sections.
pub(super) fn take_from_the_nameless(nodes: &mut [Node]) {
    let mut sectioning: Vec<bool> = Vec::with_capacity(nodes.len());
    for index in 0..nodes.len() {
        let (before, rest) = nodes.split_at_mut(index);
        let Some(node) = rest.first_mut() else { break };
        let parent = node.parent.and_then(|id| before.get(id.index()));
        let inside = parent.is_some_and(|parent| {
            sectioning.get(parent.id.index()).copied().unwrap_or(false)
                || matches!(
                    parent.role.as_deref(),
                    Some("article" | "complementary" | "navigation" | "region")
                )
                || (parent.attribute("role").is_none()
                    && matches!(parent.tag.as_str(), "article" | "aside" | "nav" | "section"))
        });
        sectioning.push(inside);
        let own = node.attribute("role").is_none_or(|role| {
            !role.split_ascii_whitespace().any(|token| aria::role(&token.to_ascii_lowercase()).is_some())
        });
        let needs_a_name = match node.tag.as_str() {
            "section" | "form" => true,
            "aside" => inside,
            _ => false,
        };
        if own && needs_a_name && node.name.is_empty() {
            node.role = None;
        }
    }
}
