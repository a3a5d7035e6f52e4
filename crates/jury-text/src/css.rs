//! Style sheets as rows of blocks, declarations and statements, each with its place.
//!
//! The tokens are those of the parser beneath the style engine: strings, addresses, comments and brackets end where they
//! end for a browser. What stands in the blocks is taken as it is; what it means is up to the caller.

use std::ops::Range;

use cssparser::{ParseError, Parser, Token};
use jury_core::line;

/// The style engine reads no blocks that stand deeper in each other. What does is passed over.
const DEEPEST: usize = 75;

/// A style sheet, or the text of a `style` attribute.
#[derive(Debug, Default)]
pub struct Sheet<'a> {
    /// The blocks, in the order in which they begin.
    pub blocks: Vec<Block>,
    /// The declarations, in their order.
    pub declarations: Vec<Declaration<'a>>,
    /// At-rules without a block, such as `@import`, as they are written and without their semicolon.
    pub statements: Vec<&'a str>,
}

/// What stands between two braces.
#[derive(Debug)]
pub struct Block {
    /// What stands in front of it, on one line and without comments: selectors, or an at-rule such as `@media print`.
    pub head: String,
    /// The block around it.
    pub outer: Option<usize>,
    /// The declarations between its braces, those of the blocks in it among them.
    pub declarations: Range<usize>,
}

/// A property and its value.
#[derive(Debug)]
pub struct Declaration<'a> {
    /// The block that it stands in; none in a `style` attribute.
    pub block: Option<usize>,
    /// The name in lower case; custom properties keep theirs.
    pub property: String,
    /// The value as it is written, trimmed.
    pub value: &'a str,
    /// Where the value stands.
    pub span: Range<usize>,
}

impl<'a> Sheet<'a> {
    /// Reads a style sheet. Every text is one.
    pub fn read(css: &'a str) -> Self {
        let mut reader = Reader { css, sheet: Self::default() };
        let mut input = Parser::new(css);
        // How deep to go is decided here: the parser would lose its place at its own limit.
        input.set_nested_block_limit(0);
        reader.block(&mut input, None, 0);
        reader.sheet
    }

    /// The declarations right in a block.
    pub fn declarations_of(&self, block: usize) -> impl Iterator<Item = &Declaration<'a>> {
        let within = self.blocks.get(block).map(|block| block.declarations.clone()).unwrap_or_default();
        let within = self.declarations.get(within).unwrap_or_default();
        within.iter().filter(move |declaration| declaration.block == Some(block))
    }
}

/// What a token is to the reader.
enum Seen {
    Space,
    Nothing,
    Name(String),
    Colon,
    End,
    Brace,
    Bracket,
    Other,
}

impl Seen {
    #[expect(clippy::wildcard_enum_match_arm, reason = "most tokens are only a part of something")]
    fn of(token: &Token<'_>) -> Self {
        match token {
            Token::WhiteSpace(_) => Self::Space,
            Token::Comment(_) | Token::CDO | Token::CDC => Self::Nothing,
            Token::Ident(name) if name.starts_with("--") => Self::Name(name.to_string()),
            Token::Ident(name) => Self::Name(name.to_ascii_lowercase()),
            Token::Colon => Self::Colon,
            // A brace that closes nothing ends what stands before it.
            Token::Semicolon | Token::CloseCurlyBracket => Self::End,
            Token::CurlyBracketBlock => Self::Brace,
            Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock => Self::Bracket,
            _ => Self::Other,
        }
    }
}

/// What stands between two semicolons or braces: a declaration, a statement, or the head of a block.
#[derive(Debug, Default)]
struct Piece {
    /// From the first token to behind the last.
    span: Option<Range<usize>>,
    head: String,
    /// The name that it begins with.
    name: Option<String>,
    /// Where the colon right behind that name ends.
    colon: Option<usize>,
    /// Where the first token behind that colon begins.
    value: Option<usize>,
}

impl Piece {
    fn push(&mut self, written: &str, token: Range<usize>, seen: Seen) {
        self.head.push_str(written);
        let Some(span) = &mut self.span else {
            if let Seen::Name(name) = seen {
                self.name = Some(name);
            }
            self.span = Some(token);
            return;
        };
        if self.colon.is_some() {
            self.value.get_or_insert(token.start);
        } else if matches!(seen, Seen::Colon) && self.name.is_some() {
            self.colon = Some(token.end);
        } else {
            self.name = None;
        }
        span.end = token.end;
    }

    /// The value of a custom property may be a block.
    fn takes_a_block(&self) -> bool {
        self.colon.is_some() && self.name.as_ref().is_some_and(|name| name.starts_with("--"))
    }
}

struct Reader<'a> {
    css: &'a str,
    sheet: Sheet<'a>,
}

impl<'a> Reader<'a> {
    /// Reads up to the brace that closes this block.
    fn block(&mut self, input: &mut Parser<'a>, block: Option<usize>, depth: usize) {
        let mut piece = Piece::default();
        loop {
            let start = input.position().byte_index();
            let Ok(token) = input.next_including_whitespace_and_comments() else { break };
            let seen = Seen::of(token);
            match seen {
                Seen::Nothing => {}
                Seen::Space => piece.head.push(' '),
                Seen::End => self.end(std::mem::take(&mut piece), block),
                Seen::Brace if !piece.takes_a_block() => {
                    if depth < DEEPEST {
                        self.inside(input, &std::mem::take(&mut piece).head, block, depth);
                    } else {
                        piece = Piece::default();
                    }
                }
                Seen::Brace | Seen::Bracket => {
                    pass(input);
                    self.push(&mut piece, start..input.position().byte_index(), seen);
                }
                Seen::Name(_) | Seen::Colon | Seen::Other => {
                    self.push(&mut piece, start..input.position().byte_index(), seen);
                }
            }
        }
        self.end(piece, block);
    }

    fn push(&self, piece: &mut Piece, token: Range<usize>, seen: Seen) {
        piece.push(self.css.get(token.clone()).unwrap_or_default(), token, seen);
    }

    fn inside(&mut self, input: &mut Parser<'a>, head: &str, outer: Option<usize>, depth: usize) {
        let at = self.sheet.blocks.len();
        let first = self.sheet.declarations.len();
        self.sheet.blocks.push(Block { head: line::joined(head), outer, declarations: first..first });
        let read = |input: &mut Parser<'a>| -> Result<(), ParseError<()>> {
            self.block(input, Some(at), depth + 1);
            Ok(())
        };
        // What is in the block has been read to its end, so there is nothing to fail.
        input.parse_nested_block(read).unwrap_or_default();
        let end = self.sheet.declarations.len();
        if let Some(block) = self.sheet.blocks.get_mut(at) {
            block.declarations.end = end;
        }
    }

    /// Keeps a piece that is a declaration or a statement.
    fn end(&mut self, piece: Piece, block: Option<usize>) {
        let Some(span) = piece.span else { return };
        if let (Some(property), Some(colon)) = (piece.name, piece.colon) {
            let span = piece.value.map_or(colon..colon, |value| value..span.end);
            let value = self.css.get(span.clone()).unwrap_or_default();
            self.sheet.declarations.push(Declaration { block, property, value, span });
        } else {
            let statement = self.css.get(span).filter(|statement| statement.starts_with('@'));
            self.sheet.statements.extend(statement);
        }
    }
}

/// Passes over what stands in the bracket that was just opened.
fn pass(input: &mut Parser<'_>) {
    input.parse_nested_block(|_| -> Result<(), ParseError<()>> { Ok(()) }).unwrap_or_default();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Heads from the outermost on, property and value of every declaration.
    fn seen(css: &str) -> Vec<String> {
        let sheet = Sheet::read(css);
        let shown = |declaration: &Declaration<'_>| {
            assert_eq!(css.get(declaration.span.clone()), Some(declaration.value));
            let mut shown = format!("{}={}", declaration.property, declaration.value);
            let mut next = declaration.block;
            while let Some(block) = next.and_then(|at| sheet.blocks.get(at)) {
                shown = format!("{} / {shown}", block.head);
                next = block.outer;
            }
            shown
        };
        sheet.declarations.iter().map(shown).collect()
    }

    #[test]
    fn blocks_stand_in_each_other_and_comments_are_no_part_of_anything() {
        let css = "/* a{b:c} */ :ROOT , p/* x */ a{--Ink: #333 /* dark */;COLOR/**/:/**/red}\n@media  (min-width:1px)\
                   { .a > b { top : 0 ; &:hover{left:1px} right:2px } } <!-- i{margin:0} -->";
        assert_eq!(
            seen(css),
            [
                ":ROOT , p a / --Ink=#333",
                ":ROOT , p a / color=red",
                "@media (min-width:1px) / .a > b / top=0",
                "@media (min-width:1px) / .a > b / &:hover / left=1px",
                "@media (min-width:1px) / .a > b / right=2px",
                "i / margin=0",
            ]
        );
    }

    #[test]
    fn strings_addresses_and_brackets_hold_what_would_end_a_declaration() {
        assert_eq!(
            seen("a{b:url(x;y);c:url( \"d;}e\" ) f;g:'}';h:i(;})} j:is(k,{l}){--m:{n:o};p:q"),
            [
                "a / b=url(x;y)",
                "a / c=url( \"d;}e\" ) f",
                "a / g='}'",
                "a / h=i(;})",
                "j:is(k,{l}) / --m={n:o}",
                "j:is(k,{l}) / p=q"
            ]
        );
        assert_eq!(seen("a{b:c}} d{e:f}"), ["a / b=c", "d / e=f"]);
        assert_eq!(seen("a{*b:c;d e:f;:g;h:;i}"), ["a / h="]);
        assert_eq!(seen("c\\6f lor:#abc; margin:0"), ["color=#abc", "margin=0"]);
    }

    #[test]
    fn statements_and_the_declarations_right_in_a_block_are_told_apart() {
        let sheet = Sheet::read("@import url(a;b) print;@charset 'x';a{b:c;@font-face{d:e;f:g}h:i}@layer j");
        assert_eq!(sheet.statements, ["@import url(a;b) print", "@charset 'x'", "@layer j"]);
        let names = |block| -> Vec<&str> {
            sheet.declarations_of(block).map(|declaration| declaration.property.as_str()).collect()
        };
        assert_eq!((names(0), names(1), names(2)), (vec!["b", "h"], vec!["d", "f"], vec![]));
    }

    #[test]
    fn what_was_made_to_be_slow_is_read_in_one_go() {
        for (hostile, most) in [
            ("a{".repeat(300_000), 0),
            ("a:b{c:(".repeat(100_000), 1),
            ("}".repeat(500_000), 0),
            ("/*".repeat(300_000), 0),
            ("--a:{".repeat(100_000), 1),
            ("a{b:'".repeat(100_000), 1),
            ("@media(".repeat(100_000), 0),
            ("a{b:c}".repeat(50_000), 50_000),
        ] {
            let sheet = Sheet::read(&hostile);
            assert!(sheet.declarations.len() <= most, "{} in {:.9}", sheet.declarations.len(), hostile);
        }
    }
}
