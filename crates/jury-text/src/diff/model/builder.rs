//! Makes statements and units out of tokens: by braces where there are some, and by indentation where there are none.

use super::dialect::{Blocks, Dialect};
use super::head::{Head, head};
use super::program::{Line, Statement, Unit, UnitKind, spelled};
use super::token::{Kind, Token};

/// The statements and the units of a text.
pub(super) fn build(
    dialect: Dialect,
    path: &str,
    lines: &[Line<'_>],
    tokens: Vec<Token>,
) -> (Vec<Statement>, Vec<Unit>) {
    let mut builder = Builder {
        dialect,
        path,
        lines,
        statements: Vec::new(),
        units: Vec::new(),
        blocks: Vec::new(),
        marks: String::new(),
    };
    match dialect.blocks() {
        Blocks::Braces => builder.braces(tokens),
        Blocks::Indents => builder.indents(tokens),
    }
    (builder.statements, builder.units)
}

/// The most blocks around a unit.
const DEEPEST: usize = 48;

struct Block {
    unit: Option<usize>,
    /// How many round and square brackets were open where it began.
    brackets: usize,
    /// Its head, which may go on behind it.
    head: Option<usize>,
    /// The braces are part of an expression.
    literal: bool,
    indent: usize,
}

struct Builder<'t> {
    dialect: Dialect,
    path: &'t str,
    lines: &'t [Line<'t>],
    statements: Vec<Statement>,
    units: Vec<Unit>,
    blocks: Vec<Block>,
    /// Decorators on lines of their own.
    marks: String,
}

impl Builder<'_> {
    fn unit(&self) -> Option<usize> {
        self.blocks.iter().rev().find_map(|block| block.unit)
    }

    /// Ends a statement; gives its number.
    fn emit(&mut self, tokens: &mut Vec<Token>, opens: bool) -> Option<usize> {
        let tokens = std::mem::take(tokens);
        let first = tokens.first()?;
        let trivial =
            !opens && tokens.iter().all(|token| matches!(token.text.as_str(), ")" | ";" | "," | "]" | "}"));
        if trivial {
            return None;
        }
        let line = self.lines.get(first.line).map_or(0, |line| line.number);
        let changed = self.is_changed(&tokens);
        let depth = self.blocks.len();
        let unit = self.unit();
        self.statements.push(Statement {
            tokens,
            text: String::new(),
            line,
            depth,
            unit,
            opens,
            changed,
            heads: None,
        });
        Some(self.statements.len() - 1)
    }

    fn is_changed(&self, tokens: &[Token]) -> bool {
        tokens.iter().any(|token| {
            let lines = token.text.bytes().filter(|byte| *byte == b'\n').count();
            (token.line..=token.line + lines)
                .any(|line| self.lines.get(line).is_some_and(|line| line.changed))
        })
    }

    fn open(&mut self, head_at: Option<usize>, brackets: usize, indent: usize) {
        let head_statement = head_at.and_then(|at| self.statements.get(at));
        let marks = std::mem::take(&mut self.marks);
        let in_class = self
            .unit()
            .and_then(|unit| self.units.get(unit))
            .is_some_and(|unit| unit.kind == UnitKind::Class);
        let found =
            head_statement.and_then(|own| head(self.dialect, self.path, &own.tokens, &marks, in_class));
        let parent = self.unit();
        // Deeper than anybody writes.
        let found = found.filter(|_| self.blocks.len() < DEEPEST);
        let unit = found.and_then(|Head { kind, name }| {
            let head = head_at?;
            let line = self.statements.get(head)?.line;
            let start = self.statements.len();
            if let Some(statement) = self.statements.get_mut(head) {
                statement.heads = Some(self.units.len());
            }
            self.units.push(Unit { kind, name, head, body: start..start, parent, marks, line });
            Some(self.units.len() - 1)
        });
        self.blocks.push(Block { unit, brackets, head: head_at, literal: false, indent });
    }

    fn close(&mut self) -> Option<Block> {
        let block = self.blocks.pop()?;
        let end = self.statements.len();
        if let Some(unit) = block.unit.and_then(|unit| self.units.get_mut(unit)) {
            unit.body.end = end;
        }
        Some(block)
    }

    fn braces(&mut self, tokens: Vec<Token>) {
        let mut own: Vec<Token> = Vec::new();
        let mut brackets = 0_usize;
        // The statement that goes on behind a block.
        let mut resumed: Option<usize> = None;
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            let next = tokens.peek();
            let in_literal = self.blocks.last().is_some_and(|block| block.literal);
            if token.kind == Kind::Directive {
                self.finish(&mut own, &mut resumed, false);
                let mut alone = vec![token];
                self.emit(&mut alone, false);
                continue;
            }
            let mark = if token.kind == Kind::Mark { token.text.as_str() } else { "" };
            match mark {
                "(" | "[" => {
                    brackets += 1;
                    own.push(token);
                }
                ")" | "]" => {
                    let floor = self.blocks.last().map_or(0, |block| block.brackets);
                    if brackets > floor || !in_literal {
                        brackets = brackets.saturating_sub(1);
                    }
                    own.push(token);
                }
                "{" => {
                    let floor = self
                        .blocks
                        .iter()
                        .rev()
                        .find(|block| !block.literal)
                        .map_or(0, |block| block.brackets);
                    let within = brackets > floor || in_literal;
                    if self.is_block(&own, within, resumed.is_some()) {
                        let at = self.finish(&mut own, &mut resumed, true);
                        // What is above this block counts no brackets.
                        self.open(at, brackets, 0);
                    } else {
                        own.push(token);
                        self.blocks.push(Block {
                            unit: None,
                            brackets,
                            head: None,
                            literal: true,
                            indent: 0,
                        });
                    }
                }
                "}" if in_literal => {
                    brackets = self.blocks.pop().map_or(0, |block| block.brackets);
                    own.push(token);
                }
                "}" => {
                    self.finish(&mut own, &mut resumed, false);
                    let Some(block) = self.close() else {
                        // The block was opened above what is seen.
                        brackets = 0;
                        continue;
                    };
                    brackets = block.brackets;
                    let outer = self.blocks.last().map_or(0, |outer| outer.brackets);
                    let goes_on = next.is_some_and(|next| {
                        next.is(".") || next.is("?.") || next.is(")") || next.is(",") || next.is("(")
                    });
                    if (brackets > outer || goes_on) && block.head.is_some() {
                        resumed = block.head;
                        own.push(Token { text: "{}".to_owned(), apart: false, ..token });
                    }
                }
                ";" if brackets == self.blocks.last().map_or(0, |block| block.brackets) && !in_literal => {
                    self.finish(&mut own, &mut resumed, false);
                }
                _ => own.push(token),
            }
            let level = brackets == self.blocks.last().map_or(0, |block| block.brackets);
            let in_literal = self.blocks.last().is_some_and(|block| block.literal);
            if self.dialect.breaks_end()
                && level
                && !in_literal
                && let (Some(last), Some(next)) = (own.last(), tokens.peek())
                && next.line > last.line + last.text.bytes().filter(|byte| *byte == b'\n').count()
                && !self.continues(&own, last, next)
            {
                self.finish(&mut own, &mut resumed, false);
            }
        }
        self.finish(&mut own, &mut resumed, false);
        while self.close().is_some() {}
    }

    /// Ends a statement, or the rest of one whose middle was a block.
    fn finish(&mut self, own: &mut Vec<Token>, resumed: &mut Option<usize>, opens: bool) -> Option<usize> {
        let Some(at) = resumed.take() else { return self.emit(own, opens) };
        let rest = std::mem::take(own);
        let changed = self.is_changed(&rest);
        if let Some(statement) = self.statements.get_mut(at) {
            statement.tokens.extend(rest);
            statement.changed |= changed;
        }
        Some(at)
    }

    /// Whether a line break within a statement means nothing.
    fn continues(&self, own: &[Token], last: &Token, next: &Token) -> bool {
        let opens = |token: &Token| token.kind == Kind::Mark;
        let leads = [
            ".", "?.", "&&", "||", "?", ":", ",", "=", "+", "*", "/", "%", "=>", "|", "&", "==", "===", "!=",
            "!==", ">", "<", ">=", "<=", "??", ")", "]", "..", "?:", "|>",
        ];
        let trails = [
            ",", "=", "+", "-", "*", "/", "&&", "||", "?", ":", "(", "[", ".", "=>", "->", ":=", "|", "&",
            "==", "===", "!=", "!==", "<", ">=", "<=", "??", "!", "+=", "-=",
        ];
        let kotlin_mark = self.dialect == Dialect::Kotlin && own.first().is_some_and(|first| first.is("@"));
        let script_mark = self.dialect == Dialect::Script && own.first().is_some_and(|first| first.is("@"));
        if kotlin_mark || script_mark {
            return true;
        }
        if self.dialect == Dialect::Go {
            return opens(last) && trails.contains(&last.text.as_str());
        }
        (opens(next)
            && leads.contains(&next.text.as_str())
            && !(next.is("/") && self.dialect == Dialect::Script && last.is(";")))
            || (opens(last) && trails.contains(&last.text.as_str()))
            || next.is("instanceof")
            || (self.dialect == Dialect::Kotlin && next.is("?:"))
    }

    /// Whether a brace begins a block; else it is part of an expression.
    fn is_block(&self, own: &[Token], within: bool, resumed: bool) -> bool {
        let Some(last) = own.last() else { return !self.blocks.last().is_some_and(|block| block.literal) };
        let first = own.first().map_or("", |token| token.text.as_str());
        let is = |text: &str| last.is(text);
        let has = |text: &str| own.iter().any(|token| token.is(text));
        let capital = last.kind == Kind::Word && last.text.starts_with(char::is_uppercase);
        match self.dialect {
            Dialect::Script => {
                if within {
                    is("=>") || is(")") || is("try") || is("else") || is("finally") || is("do")
                } else {
                    !(is("=")
                        || is(":")
                        || is(",")
                        || is("return")
                        || is("default")
                        || is("?")
                        || is("||")
                        || is("&&")
                        || is("??"))
                        && !(first == "import"
                            || (first == "export" && own.len() == 1)
                            || is("const")
                            || is("let")
                            || is("var"))
                }
            }
            Dialect::Rust => {
                if within {
                    is("|") || is("||") || is("async") || is("move") || is("unsafe") || is("=>")
                } else {
                    let keyword = [
                        "impl",
                        "struct",
                        "enum",
                        "trait",
                        "union",
                        "fn",
                        "match",
                        "if",
                        "for",
                        "while",
                        "loop",
                        "unsafe",
                        "else",
                        "mod",
                        "pub",
                        "extern",
                        "async",
                        "const",
                        "macro_rules",
                        "#",
                        "where",
                        "default",
                        "}",
                    ];
                    let pattern = has("let") && !has("=");
                    let literal = (capital && (!keyword.contains(&first) || pattern || first == "const"))
                        || is("::")
                        || first == "use";
                    !literal || (has("fn") && !pattern)
                }
            }
            Dialect::Go => {
                let typed =
                    own.len().checked_sub(2).and_then(|at| own.get(at)).is_some_and(|token| token.is("]"));
                let control = matches!(
                    first,
                    "if" | "for"
                        | "switch"
                        | "select"
                        | "func"
                        | "type"
                        | "else"
                        | "case"
                        | "default"
                        | "go"
                        | "defer"
                        | "import"
                );
                if within {
                    let since = own.iter().rev().take(14).take_while(|token| !token.is("{"));
                    let called = since.into_iter().any(|token| token.is("func"));
                    called && !typed && !is("struct") && !is("interface")
                } else if is("struct") || is("interface") {
                    first == "type"
                } else if resumed {
                    false
                } else if first == "func" {
                    true
                } else if control {
                    !typed && !(is("}") && has("struct"))
                } else {
                    has("func") && !typed
                }
            }
            Dialect::Java | Dialect::CSharp => {
                let made = has("new") && self.dialect == Dialect::CSharp && !has("=>");
                if within {
                    is("->")
                        || is("=>")
                        || (is(")") && !made && self.dialect == Dialect::Java)
                        || is("delegate")
                } else {
                    !(is("=")
                        || is("]")
                        || is(",")
                        || is("return")
                        || is("(")
                        || (made && (is(")") || last.kind == Kind::Word || is(">"))))
                }
            }
            Dialect::Kotlin => true,
            Dialect::C | Dialect::Cpp | Dialect::Php => {
                if within {
                    is(")") || is("->") || is("mutable")
                } else {
                    !(is("=") || is("]") || is(",") || is("return") || is("("))
                        && !(self.dialect == Dialect::Cpp && first == "return")
                }
            }
            Dialect::Python | Dialect::Ruby | Dialect::Shell | Dialect::Settings => false,
        }
    }

    fn indents(&mut self, tokens: Vec<Token>) {
        let indent_of = |line: usize| {
            self.lines.get(line).map_or(0, |line| line.text.len() - line.text.trim_start().len())
        };
        let mut rows: Vec<(usize, Vec<Token>)> = Vec::new();
        let mut brackets = 0_i64;
        let mut end = 0;
        for token in tokens {
            let begins = rows.is_empty()
                || (token.line > end
                    && brackets <= 0
                    && !self.goes_on(rows.last().map_or(&[], |(_, own)| own.as_slice()), &token));
            let settings = self.dialect == Dialect::Settings;
            if token.kind == Kind::Mark {
                match token.text.as_str() {
                    "(" | "[" | "{" if !settings => brackets += 1,
                    ")" | "]" | "}" if !settings => brackets -= 1,
                    _ => {}
                }
                // The braces of a shell are blocks.
                if self.dialect == Dialect::Shell {
                    brackets = 0;
                }
            }
            end = token.line + token.text.bytes().filter(|byte| *byte == b'\n').count();
            if begins
                || (settings
                    && rows
                        .last()
                        .is_some_and(|(_, own)| own.last().is_some_and(|last| last.line < token.line)))
            {
                brackets = if begins
                    && token.kind == Kind::Mark
                    && !settings
                    && self.dialect != Dialect::Shell
                    && matches!(token.text.as_str(), "(" | "[" | "{")
                {
                    1
                } else {
                    brackets.max(0)
                };
                rows.push((indent_of(token.line), vec![token]));
            } else if let Some((_, own)) = rows.last_mut() {
                own.push(token);
            }
        }
        let mut rows = rows.into_iter().peekable();
        while let Some((indent, mut tokens)) = rows.next() {
            while self.blocks.last().is_some_and(|block| block.indent >= indent) {
                self.close();
            }
            let closes = tokens.len() == 1
                && tokens.iter().all(|token| {
                    token.is("end") || token.is("}") || token.is("fi") || token.is("done") || token.is("esac")
                });
            if closes {
                continue;
            }
            if self.dialect == Dialect::Python && tokens.first().is_some_and(|first| first.is("@")) {
                self.marks.push_str(&spelled(&tokens));
                self.marks.push('\n');
                self.emit(&mut tokens, false);
                continue;
            }
            let opens = rows.peek().is_some_and(|(next, _)| *next > indent);
            let at = self.emit(&mut tokens, opens);
            if opens {
                self.open(at, 0, indent);
            } else {
                self.marks.clear();
            }
        }
        while self.close().is_some() {}
    }

    /// Whether a line goes on with the statement of the line before.
    fn goes_on(&self, own: &[Token], next: &Token) -> bool {
        let Some(last) = own.last() else { return false };
        let trails = |marks: &[&str]| last.kind == Kind::Mark && marks.contains(&last.text.as_str());
        match self.dialect {
            Dialect::Python => last.is("\\"),
            Dialect::Ruby => {
                trails(&[",", ".", "&&", "||", "+", "=", "\\", "("])
                    || ((next.is(".") || next.is("&&") || next.is("||")) && next.kind == Kind::Mark)
            }
            Dialect::Shell => trails(&["\\", "|", "&&", "||"]),
            Dialect::Settings
            | Dialect::Rust
            | Dialect::Script
            | Dialect::Go
            | Dialect::Java
            | Dialect::Kotlin
            | Dialect::C
            | Dialect::Cpp
            | Dialect::CSharp
            | Dialect::Php => false,
        }
    }
}
