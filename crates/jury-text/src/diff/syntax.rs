//! What a tree says about the rows of one side: which parts are code, comment and literal, where functions begin and end,
//! which statements go over lines, which handlers of errors are empty, what only says that it is not done.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use super::code::{Parts, has_word};
use super::detect::is_assertion;
use super::function::{Body, Function, LONGEST_FUNCTION_ROWS, is_test_name};
use super::path::Language;
use super::side::Row;

/// What [`super::fragment`] calls what a hunk stands in.
const ABOVE: &str = "__above__";

/// What is known of the rows.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    pub(super) functions: Vec<Function>,
    /// The rows of assertions that stand on several.
    pub(super) statements: Vec<Range<usize>>,
    pub(super) handlers: Vec<Handler>,
    /// The rows where a statement begins that only says it is not done.
    pub(super) undone: Vec<usize>,
    /// The rows of what the grammar takes as it is, which in Rust is what is given to a macro.
    pub(super) opaque: Vec<Range<usize>>,
    /// The rows that the tree has without an error, told apart.
    pub(super) parts: Vec<(usize, Parts)>,
}

/// A place where errors are handled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Handler {
    /// Where the body begins, or in Python the clause.
    pub(super) row: usize,
    /// The rows of the handler.
    pub(super) rows: Range<usize>,
    /// Whether the handler does nothing.
    pub(super) silent: bool,
    /// It takes any error.
    pub(super) any: bool,
}

/// Which row stands on which line of a text.
#[derive(Debug)]
pub(super) struct Lines {
    /// The row of each line.
    row: Vec<Option<usize>>,
    /// The first row on a line or behind it; one more than there are lines.
    from: Vec<usize>,
}

impl Lines {
    pub(super) fn new(row: Vec<Option<usize>>, end: usize) -> Self {
        let mut from = vec![end; row.len() + 1];
        let mut next = end;
        for (line, row) in row.iter().enumerate().rev() {
            next = row.unwrap_or(next);
            if let Some(slot) = from.get_mut(line) {
                *slot = next;
            }
        }
        Self { row, from }
    }

    fn row(&self, line: usize) -> Option<usize> {
        self.row.get(line).copied().flatten()
    }

    fn rows(&self, first: usize, last: usize) -> Range<usize> {
        let at = |line: usize| self.from.get(line).or(self.from.last()).copied().unwrap_or_default();
        at(first)..at(last + 1).max(at(first))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Span {
    Comment,
    Literal,
}

/// A tree with the text it was made of.
pub(super) struct Reading<'a> {
    pub(super) language: Language,
    pub(super) text: &'a str,
    pub(super) tree: &'a Tree,
    pub(super) lines: &'a Lines,
    pub(super) rows: &'a [Row],
}

/// How many bytes of a text the grammar could not place.
pub(super) fn unplaced(tree: &Tree) -> usize {
    let mut bytes = 0;
    if tree.root_node().has_error() {
        walk(tree, |node, _| {
            if node.is_error() {
                bytes += loose(node);
            } else if node.is_missing() {
                bytes += 1;
            }
            node.has_error()
        });
    }
    bytes
}

/// The bytes of an error that are not in a part of it that could be placed.
fn loose(node: Node<'_>) -> usize {
    let mut bytes = node.byte_range().len();
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        if child.is_named() && child.child_count() > 0 {
            bytes = bytes.saturating_sub(child.byte_range().len());
        }
    }
    bytes
}

/// Visits each node before its children, which are visited if the visitor says so.
fn walk<'t>(tree: &'t Tree, mut visit: impl FnMut(Node<'t>, usize) -> bool) {
    let mut cursor = tree.walk();
    let mut depth = 0_usize;
    loop {
        if visit(cursor.node(), depth) && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
            depth = depth.saturating_sub(1);
        }
    }
}

impl<'a> Reading<'a> {
    pub(super) fn facts(&self) -> Facts {
        let mut facts = Facts::default();
        let mut spans: Vec<(Range<usize>, Span)> = Vec::new();
        let mut unknown = vec![false; self.rows.len()];
        // For each depth: the attributes before the next item say that it is a test.
        let mut marked: Vec<bool> = Vec::new();
        let mut classes: Vec<(usize, String)> = Vec::new();
        let mut statement_end = 0;
        walk(self.tree, |node, depth| {
            marked.truncate(depth + 1);
            marked.resize(depth + 1, false);
            while classes.last().is_some_and(|(outer, _)| *outer >= depth) {
                classes.pop();
            }
            if node.is_error() {
                self.mark_loose(node, &mut unknown);
            }
            if let Some(span) = self.span(node) {
                spans.push((node.byte_range(), span));
                return false;
            }
            let kind = node.kind();
            if kind == "token_tree" && node.end_position().row > node.start_position().row {
                facts.opaque.push(self.rows_of(node));
            }
            if matches!(kind, "class_definition" | "class_declaration" | "interface_declaration") {
                classes.push((depth, self.class_head(node)));
            }
            let is_marked = marked.get(depth).copied().unwrap_or_default();
            if kind == "attribute_item" {
                let text = self.of(node);
                if let Some(mark) = marked.last_mut() {
                    *mark |= text.contains("test]") || text.contains("test(") || text.contains("rstest");
                }
                return true;
            }
            if let Some(last) = marked.last_mut() {
                *last = false;
            }
            if let Some(function) = self.function(node, is_marked, classes.last().map(|(_, head)| head)) {
                facts.functions.push(function);
            }
            facts.handlers.extend(self.handler(node));
            if self.is_undone(node)
                && let Some(row) = self.row_of(node)
            {
                facts.undone.push(row);
            }
            if let Some(rows) = self.statement(node)
                && rows.start >= statement_end
            {
                statement_end = rows.end;
                facts.statements.push(rows);
            }
            true
        });
        facts.parts = self.parts(&spans, &unknown);
        facts
    }

    fn of(&self, node: Node<'_>) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    fn row_of(&self, node: Node<'_>) -> Option<usize> {
        self.lines.row(node.start_position().row)
    }

    fn rows_of(&self, node: Node<'_>) -> Range<usize> {
        let end = node.end_position();
        // A node that ends before the first column ends on the line before.
        let last = if end.column == 0 { end.row.saturating_sub(1) } else { end.row };
        self.lines.rows(node.start_position().row, last.max(node.start_position().row))
    }

    /// The rows with something that the grammar could not place.
    fn mark_loose(&self, node: Node<'_>, unknown: &mut [bool]) {
        let mut mark = |rows: Range<usize>| {
            for row in unknown.get_mut(rows).unwrap_or_default() {
                *row = true;
            }
        };
        let mut cursor = node.walk();
        if node.child_count() == 0 {
            mark(self.rows_of(node));
        }
        for child in node.children(&mut cursor) {
            if !child.is_named() || child.child_count() == 0 {
                mark(self.rows_of(child));
            }
        }
    }

    fn span(&self, node: Node<'_>) -> Option<Span> {
        match node.kind() {
            "comment" | "line_comment" | "block_comment" => Some(Span::Comment),
            "string_literal"
            | "raw_string_literal"
            | "char_literal"
            | "template_string"
            | "regex"
            | "jsx_text"
            | "interpreted_string_literal"
            | "rune_literal"
            | "character_literal" => Some(Span::Literal),
            "string" if node.is_named() && self.language != Language::Rust => Some(Span::Literal),
            _ => None,
        }
    }

    fn class_head(&self, node: Node<'_>) -> String {
        let end = node.child_by_field_name("body").map_or(node.end_byte(), |body| body.start_byte());
        self.text.get(node.start_byte()..end).unwrap_or_default().chars().take(300).collect()
    }

    fn function(&self, node: Node<'_>, marked: bool, class: Option<&String>) -> Option<Function> {
        let (name, head, test) = match (self.language, node.kind()) {
            (Language::Rust, "function_item") => {
                let name = node.child_by_field_name("name")?;
                (self.of(name), name, marked)
            }
            (Language::Python, "function_definition")
            | (Language::Go, "function_declaration" | "method_declaration") => {
                let name = node.child_by_field_name("name")?;
                (self.of(name), name, is_test_name(self.language, self.of(name)))
            }
            (Language::Java, "method_declaration" | "constructor_declaration") => {
                let name = node.child_by_field_name("name")?;
                let marks = self.text.get(node.start_byte()..name.start_byte()).unwrap_or_default();
                (self.of(name), name, marks.contains("@Test") || marks.contains("ParameterizedTest"))
            }
            (
                Language::Script,
                "function_declaration" | "generator_function_declaration" | "method_definition",
            ) => {
                let name = node.child_by_field_name("name")?;
                (self.of(name), name, false)
            }
            (Language::Script, "variable_declarator") => {
                let value = node.child_by_field_name("value")?;
                if !matches!(value.kind(), "arrow_function" | "function_expression") {
                    return None;
                }
                let name = node.child_by_field_name("name")?;
                (self.of(name), name, false)
            }
            (Language::Script, "call_expression") => (self.test_case(node)?, node, true),
            _ => return None,
        };
        if name == ABOVE {
            return None;
        }
        let line = head.start_position().row;
        let seen = self.lines.row(line);
        let mut rows = self.lines.rows(line, Self::last_line(node));
        if rows.is_empty() {
            return None;
        }
        rows.end = rows.end.min(rows.start + LONGEST_FUNCTION_ROWS);
        let body = node.child_by_field_name("body").map_or(Body::Unknown, |body| self.body(body));
        Some(Function {
            name: name.to_owned(),
            test,
            head_changed: seen.and_then(|row| self.rows.get(row)).is_some_and(|row| row.changed),
            head_seen: seen.is_some(),
            rows,
            class: class.cloned(),
            body,
            parsed: true,
        })
    }

    fn last_line(node: Node<'_>) -> usize {
        let end = node.end_position();
        if end.column == 0 { end.row.saturating_sub(1) } else { end.row }.max(node.start_position().row)
    }

    /// The name of the case of a test suite that a call is.
    fn test_case(&self, node: Node<'_>) -> Option<&'a str> {
        let callee = node.child_by_field_name("function")?;
        let called = self.text.get(callee.start_byte()..callee.end_byte().min(callee.start_byte() + 16))?;
        let root = called.split(['.', '(', ' ', '\n']).next().unwrap_or(called);
        if !matches!(root, "it" | "test" | "xit" | "fit" | "xtest") {
            return None;
        }
        let arguments = node.child_by_field_name("arguments")?;
        let mut cursor = arguments.walk();
        let mut given = arguments.named_children(&mut cursor).filter(|child| child.kind() != "comment");
        let name = given.next().filter(|name| matches!(name.kind(), "string" | "template_string"))?;
        given.find(|other| matches!(other.kind(), "arrow_function" | "function_expression"))?;
        Some(self.of(name).trim_matches(['"', '\'', '`']))
    }

    /// What a body of Python has in it; that of other languages can be empty on purpose.
    fn body(&self, body: Node<'_>) -> Body {
        if self.language != Language::Python {
            return Body::Unknown;
        }
        let mut cursor = body.walk();
        let mut first = None;
        for child in body.named_children(&mut cursor) {
            let text = self.of(child);
            let docstring = child.kind() == "expression_statement"
                && child.named_child(0).is_some_and(|only| only.kind() == "string");
            if child.kind() == "comment" || docstring {
                continue;
            }
            if !matches!(text, "pass" | "...") {
                return Body::Filled;
            }
            first = first.or(self.row_of(child));
        }
        first.map_or(Body::Unknown, Body::Empty)
    }

    /// A block without a statement.
    fn is_empty(block: Node<'_>) -> bool {
        let mut cursor = block.walk();
        let mut children = block.named_children(&mut cursor);
        children.all(|child| child.kind().ends_with("comment") || child.kind() == "empty_statement")
            && !block.has_error()
    }

    fn handler(&self, node: Node<'_>) -> Option<Handler> {
        let (at, silent, any) = match (self.language, node.kind()) {
            (Language::Python, "except_clause") => {
                let mut cursor = node.walk();
                let block = node.named_children(&mut cursor).find(|child| child.kind() == "block")?;
                let caught = self.text.get(node.start_byte()..block.start_byte()).unwrap_or_default();
                let caught = caught.split(" as ").next().unwrap_or(caught);
                let bare = caught.trim_start_matches("except").trim().trim_end_matches(':').trim().is_empty();
                let any = bare || has_word(caught, "Exception") || has_word(caught, "BaseException");
                let mut cursor = block.walk();
                let mut said = block.named_children(&mut cursor).filter(|child| child.kind() != "comment");
                let first = said.next()?;
                let quiet = matches!(self.of(first), "pass" | "..." | "continue" | "return" | "return None");
                (node, quiet && said.next().is_none(), any)
            }
            (Language::Script | Language::Java, "catch_clause") => {
                let body = node.child_by_field_name("body")?;
                let caught = self.text.get(node.start_byte()..body.start_byte()).unwrap_or_default();
                let any = self.language == Language::Script
                    || has_word(caught, "Exception")
                    || has_word(caught, "Throwable");
                (body, Self::is_empty(body), any)
            }
            (Language::Script, "call_expression") => {
                let callee = node.child_by_field_name("function")?;
                let property = callee.child_by_field_name("property")?;
                if self.of(property) != "catch" {
                    return None;
                }
                let given = node.child_by_field_name("arguments")?.named_child(0)?;
                let body = given.child_by_field_name("body")?;
                let nothing = body.kind() == "statement_block" && Self::is_empty(body);
                (body, nothing || self.of(body) == "undefined", true)
            }
            (Language::Rust, "match_arm") => {
                let pattern = self.of(node.child_by_field_name("pattern")?);
                let value = node.child_by_field_name("value")?;
                let caught = pattern.strip_prefix("Err(")?.strip_suffix(')')?;
                let nothing = (value.kind() == "block" && Self::is_empty(value)) || self.of(value) == "()";
                (value, nothing, is_any(caught))
            }
            (Language::Rust, "if_expression") => {
                let condition = self.of(node.child_by_field_name("condition")?);
                let caught = condition.strip_prefix("let Err(")?.split_once(')')?.0;
                let block = node.child_by_field_name("consequence")?;
                (block, Self::is_empty(block), is_any(caught))
            }
            (Language::Go, "if_statement") => {
                let condition = self.of(node.child_by_field_name("condition")?);
                let asked = condition.trim().strip_suffix("!= nil")?.trim();
                if !asked.to_ascii_lowercase().ends_with("err") {
                    return None;
                }
                let block = node.child_by_field_name("consequence")?;
                let alone = node.child_by_field_name("alternative").is_none();
                (block, alone && Self::is_empty(block), true)
            }
            _ => return None,
        };
        let row = self.row_of(at)?;
        let rows = self.rows_of(node);
        let rows = if node.kind() == "match_arm" || at.id() == node.id() {
            rows
        } else {
            row..self.rows_of(at).end.max(row + 1)
        };
        Some(Handler { row, rows, silent, any })
    }

    /// A statement over several rows that only says it is not done; one on a single row is seen without a tree.
    fn is_undone(&self, node: Node<'_>) -> bool {
        let fits = match (self.language, node.kind()) {
            (Language::Script | Language::Java, "throw_statement") => true,
            (Language::Rust, "macro_invocation") => self.of(node).starts_with("panic!"),
            (Language::Go, "call_expression") => self.of(node).starts_with("panic("),
            _ => false,
        };
        let over_lines = node.end_position().row > node.start_position().row;
        if !fits || !over_lines || node.byte_range().len() > 600 {
            return false;
        }
        let text = self.of(node).to_lowercase();
        ["not implemented", "unimplemented", "not yet implemented", "implement me"]
            .iter()
            .any(|word| text.contains(word))
    }

    /// The rows of an assertion that stands on several.
    fn statement(&self, node: Node<'_>) -> Option<Range<usize>> {
        let fits = match node.kind() {
            "expression_statement" | "assert_statement" => true,
            "macro_invocation" => self.language == Language::Rust,
            _ => false,
        };
        if !fits || node.end_position().row == node.start_position().row {
            return None;
        }
        let first = node.start_position().row;
        let last = Self::last_line(node);
        // All of it is shown, without a gap between hunks.
        let rows = self.lines.rows(first, last);
        let shown = rows.len() == last - first + 1 && rows.len() <= LONGEST_FUNCTION_ROWS;
        let head = self.rows.get(self.lines.row(first)?)?;
        (shown && is_assertion(self.language, head.code())).then_some(rows)
    }

    /// The rows told apart by the tree.
    fn parts(&self, spans: &[(Range<usize>, Span)], unknown: &[bool]) -> Vec<(usize, Parts)> {
        let mut told = Vec::new();
        let mut start = 0;
        let mut first = 0;
        for (line, text) in self.text.split_inclusive('\n').enumerate() {
            let whole = start..start + text.trim_end_matches('\n').len();
            start += text.len();
            while spans.get(first).is_some_and(|(span, _)| span.end <= whole.start) {
                first += 1;
            }
            let Some(row) = self.lines.row(line) else { continue };
            if unknown.get(row).copied().unwrap_or(true) {
                continue;
            }
            let here = spans.get(first..).unwrap_or_default();
            let here = here.iter().take_while(|(span, _)| span.start < whole.end);
            told.push((row, line_parts(self.text, &whole, here)));
        }
        told
    }
}

/// A pattern that takes any error.
fn is_any(pattern: &str) -> bool {
    let name = pattern.trim();
    !name.is_empty() && name.chars().all(|c| c.is_lowercase() || c == '_' || c.is_ascii_digit())
}

fn line_parts<'s>(
    text: &str,
    line: &Range<usize>,
    spans: impl Iterator<Item = &'s (Range<usize>, Span)>,
) -> Parts {
    let mut parts = Parts::default();
    let mut at = line.start;
    for (span, kind) in spans {
        let (start, end) = (span.start.max(line.start), span.end.min(line.end));
        parts.code.push_str(text.get(at..start).unwrap_or_default());
        at = end.max(at);
        let inside = text.get(start..end).unwrap_or_default();
        let (begins, ends) = (span.start >= line.start, span.end <= line.end);
        match kind {
            Span::Comment => {
                let said = if begins {
                    inside
                        .strip_prefix("//")
                        .or_else(|| inside.strip_prefix("/*"))
                        .unwrap_or_else(|| inside.strip_prefix('#').unwrap_or(inside))
                } else {
                    inside.trim_start().trim_start_matches(['*', ' '])
                };
                parts.comment.push_str(if ends { said.strip_suffix("*/").unwrap_or(said) } else { said });
            }
            Span::Literal => {
                if begins {
                    parts.code.push('"');
                }
                let said = if begins { unopened(inside) } else { inside };
                let said = if ends { unclosed(said) } else { said };
                if ends {
                    parts.code.push('"');
                }
                if !said.is_empty() || (begins && ends) {
                    parts.literals.push(said.to_owned());
                }
            }
        }
    }
    parts.code.push_str(text.get(at..line.end).unwrap_or_default());
    parts
}

/// A literal without what opens it.
fn unopened(text: &str) -> &str {
    let bare = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let bare = if bare.starts_with(['"', '\'', '#', '`']) { bare.trim_start_matches('#') } else { text };
    ["\"\"\"", "'''", "\"", "'", "`"].iter().find_map(|quote| bare.strip_prefix(quote)).unwrap_or(bare)
}

/// A literal without what closes it.
fn unclosed(text: &str) -> &str {
    let bare = if text.ends_with("\"#") || text.ends_with("##") { text.trim_end_matches('#') } else { text };
    ["\"\"\"", "'''", "\"", "'", "`"].iter().find_map(|quote| bare.strip_suffix(quote)).unwrap_or(bare)
}

/// The text of comments is code: the grammar places all of it, and something is called, set or declared.
pub(super) fn is_code(tree: &Tree) -> bool {
    let mut telling = false;
    if !tree.root_node().has_error() {
        walk(tree, |node, _| {
            telling |= matches!(
                node.kind(),
                "call"
                    | "call_expression"
                    | "method_invocation"
                    | "macro_invocation"
                    | "assignment"
                    | "assignment_expression"
                    | "assignment_statement"
                    | "let_declaration"
                    | "lexical_declaration"
                    | "variable_declaration"
                    | "short_var_declaration"
                    | "local_variable_declaration"
            );
            !telling
        });
    }
    telling
}
