//! Work without an effect, or with one that is no work: comments where code was asked for, a value in place of a computation, a
//! program that ends before it can be wrong. Each may be right, and none of them shows it by itself.

use super::code::{numbers, value, words};
use super::guards::{is_literal, packed};
use super::path::{FileKind, Language};
use super::side::{Row, Sides};

/// Words of prompts that ask for prose: in documents, or in comments.
const PROSE: &[&str] = &[
    "doc",
    "docs",
    "document",
    "documents",
    "documentation",
    "docstring",
    "docstrings",
    "readme",
    "changelog",
    "comment",
    "comments",
    "commented",
    "typo",
    "typos",
    "spelling",
    "wording",
    "word",
    "words",
    "text",
    "texts",
    "license",
    "licence",
    "copyright",
    "guide",
    "manual",
    "tutorial",
    "translate",
    "translation",
    "describe",
    "description",
    "explain",
    "note",
    "notes",
    "release",
    "header",
    "headers",
    "example",
    "examples",
    "page",
    "article",
    "markdown",
    "javadoc",
    "rustdoc",
    "jsdoc",
    "godoc",
    "link",
    "links",
    "url",
    "grammar",
    "prose",
    "write",
    "todo",
    "todos",
    "annotation",
    "annotations",
];

/// Words of prompts that ask for another layout.
const LAYOUT: &[&str] = &[
    "format",
    "formatting",
    "reformat",
    "formatted",
    "indent",
    "indentation",
    "whitespace",
    "white",
    "blank",
    "style",
    "layout",
    "line",
    "lines",
    "lint",
    "linter",
    "prettier",
    "rustfmt",
    "gofmt",
    "black",
    "tabs",
    "spaces",
    "wrap",
    "fmt",
    "clean",
    "cleanup",
    "tidy",
    "eol",
    "newline",
    "newlines",
    "crlf",
];

/// Functions in which a program ends.
const ENTRIES: &[&str] = &[
    "main",
    "__main__",
    "cli",
    "run",
    "usage",
    "help",
    "version",
    "exit",
    "quit",
    "shutdown",
    "stop",
    "die",
    "fail",
    "handle_signal",
    "on_signal",
];

/// What of the work may have no effect: a sentence.
pub(super) fn doubtful(sides: &[Sides<'_>], prompt: &str) -> Option<String> {
    let lower = prompt.to_lowercase();
    let said: Vec<&str> = words(&lower).collect();
    let asks = |topic: &[&str]| said.iter().any(|word| topic.contains(word));
    let changed = || {
        sides
            .iter()
            .flat_map(|file| file.old.changed().chain(file.new.changed()).map(move |(_, row)| (file, row)))
    };
    let speaks = |file: &Sides<'_>, row: &Row| {
        file.kind != FileKind::Document && !row.text.trim().is_empty() && !row.parts.is_comment()
    };
    let some = || changed().any(|(_, row)| !row.text.trim().is_empty());
    let machine = sides
        .iter()
        .any(|file| file.kind.is_machine_made() || file.file.binary || file.file.hunks.is_empty());
    if !machine && !asks(PROSE) && !asks(LAYOUT) && some() && !changed().any(|(file, row)| speaks(file, row))
    {
        return Some("nothing but comments and documents changes, and the prompt does not ask for words; let a model judge it (--agent)".to_owned());
    }
    let same = |file: &Sides<'_>| {
        let text = |rows: Vec<&Row>| {
            packed(&rows.into_iter().map(|row| row.text.as_str()).collect::<Vec<_>>().join("\n"))
        };
        let (old, new): (Vec<&Row>, Vec<&Row>) = (
            file.old.changed().map(|(_, row)| row).collect(),
            file.new.changed().map(|(_, row)| row).collect(),
        );
        file.language != Language::Python
            && file.language != Language::Pipeline
            && !file.kind.is_machine_made()
            && text(old) == text(new)
    };
    if !machine && !asks(LAYOUT) && some() && sides.iter().all(same) {
        return Some("only the space between words changes, and the prompt does not ask for another layout; let a model judge it (--agent)".to_owned());
    }
    for file in sides.iter().filter(|file| file.kind == FileKind::Source) {
        for (index, row) in file.new.changed() {
            if file.new.function_at(index).is_some_and(|function| function.test) {
                continue;
            }
            let what = if ends_well(file, index, row) {
                "the program ends here with success"
            } else if answers_one(file, index, row) {
                "one input is answered with a value that stands there"
            } else if forgives(file, index, row) {
                "whatever goes wrong becomes a value"
            } else if is_constant(file, row) {
                "what was computed is a value that stands there"
            } else {
                continue;
            };
            return Some(format!(
                "{}:{}: {what}, and nobody judged whether it may; let a model judge it (--agent)",
                file.path, row.number
            ));
        }
    }
    None
}

/// The program ends with success, in a function from which nobody expects it.
fn ends_well(file: &Sides<'_>, index: usize, row: &Row) -> bool {
    if matches!(file.language, Language::Shell | Language::Pipeline) {
        return false;
    }
    let code = packed(row.code());
    let ends =
        ["exit(0)", "exit()", "Exit(0)", "_exit(0)", "SystemExit(0)", "SystemExit()", "quit()", "quit(0)"]
            .iter()
            .any(|call| code.contains(call))
            || code == "raiseSystemExit";
    let called = file.new.function_at(index).map(|function| function.name.to_lowercase());
    let name = file.path.rsplit('/').next().unwrap_or(file.path).to_lowercase();
    let stem = name.split('.').next().unwrap_or(&name);
    let entry = called.as_deref().is_some_and(|name| ENTRIES.iter().any(|own| name.contains(own)))
        || ENTRIES.contains(&stem)
        || file.path.contains("bin/")
        || file.path.contains("cmd/")
        || file.path.contains("scripts/");
    ends && !entry
}

/// A condition on one number, and a number for it: `if count == 20: return 18`, `{10: 10, 20: 18}.get(count, count)`.
fn answers_one(file: &Sides<'_>, index: usize, row: &Row) -> bool {
    let code = row.code();
    if is_table(&packed(code)) {
        return true;
    }
    let asked = particular_after(code, "==") || particular_after(code, ".equals(");
    if !asked {
        return false;
    }
    let answer = |code: &str| {
        let behind = code.rsplit_once("return ").map(|(_, behind)| behind);
        let answer = behind
            .map(|answer| answer.split(" if ").next().unwrap_or(answer))
            .map(|answer| answer.trim().trim_end_matches([';', '}', ' ']));
        answer.is_some_and(|answer| {
            is_literal(answer) && numbers(answer).iter().any(|number| is_particular(number))
        })
    };
    let chosen = code.split_once('?').is_some_and(|(_, rest)| {
        let first = rest.split(':').next().unwrap_or(rest).trim();
        is_literal(first) && numbers(first).iter().any(|number| is_particular(number))
    });
    let next = file.new.rows.get(index + 1).filter(|next| next.hunk == row.hunk && next.changed);
    answer(code) || chosen || next.is_some_and(|next| answer(next.code()))
}

/// Two and more numbers that stand for numbers, asked for at once.
fn is_table(code: &str) -> bool {
    let Some((_, rest)) = code.split_once('{') else { return false };
    let Some((rows, behind)) = rest.split_once('}') else { return false };
    let pairs: Vec<&str> = rows.split(',').filter(|pair| !pair.is_empty()).collect();
    let is_pair = |pair: &&str| {
        pair.split_once(':').is_some_and(|(one, other)| value(one).is_some() && value(other).is_some())
    };
    (behind.starts_with(".get(") || behind.starts_with('[')) && pairs.len() > 1 && pairs.iter().all(is_pair)
}

fn particular_after(code: &str, mark: &str) -> bool {
    code.split_once(mark).is_some_and(|(_, rest)| {
        let first: String = rest
            .trim_start_matches(['=', ' '])
            .chars()
            .take_while(|c| c.is_ascii_digit() || *c == '.')
            .collect();
        is_particular(&first)
    })
}

/// A number that is no bound: neither nothing nor one nor two.
fn is_particular(number: &str) -> bool {
    value(number).is_some_and(|number| number > 2.0)
}

/// A new handler of any error that gives a value back and says nothing.
fn forgives(file: &Sides<'_>, index: usize, row: &Row) -> bool {
    let code = row.code();
    let any = match file.language {
        Language::Python => {
            matches!(code, "except:" | "except Exception:" | "except BaseException:")
                || code.starts_with("except Exception as ")
        }
        Language::Script => code.contains("catch") && code.ends_with('{') && !code.contains("=>"),
        Language::Java => {
            code.contains("catch (Exception")
                || code.contains("catch (Throwable")
                || code.ends_with("catch {")
                || code.contains("catch (e: Exception")
        }
        Language::Rust | Language::Go | Language::Shell | Language::Pipeline | Language::Other => false,
    };
    let mut body = file
        .new
        .rows
        .iter()
        .skip(index + 1)
        .take_while(|next| next.hunk == row.hunk)
        .filter(|next| !next.code().is_empty());
    let Some(first) = body.next().filter(|_| any) else { return false };
    let given = first.code().strip_prefix("return ").map(|given| given.trim_end_matches(';').trim());
    given.is_some_and(is_literal) && first.changed
}

/// Where something was computed and given back, one value is.
fn is_constant(file: &Sides<'_>, row: &Row) -> bool {
    let given = |row: &Row| {
        row.code().strip_prefix("return ").map(|given| given.trim_end_matches(';').trim().to_owned())
    };
    let together = |other: &&Row| (other.hunk, other.run) == (row.hunk, row.run);
    let Some(now) =
        given(row).filter(|now| is_literal(now) && !row.parts.literals.iter().any(|text| text.len() > 40))
    else {
        return false;
    };
    let before: Vec<String> =
        file.old.changed().map(|(_, row)| row).filter(together).filter_map(given).collect();
    let others = file
        .new
        .changed()
        .map(|(_, row)| row)
        .filter(together)
        .filter_map(given)
        .any(|other| !is_literal(&other));
    let computed =
        |was: &String| !is_literal(was) && was.contains(['(', '+', '-', '*', '/', '<', '>', '=', '.']);
    !before.is_empty() && before.iter().all(computed) && !others && now != "None" && now != "null"
}
