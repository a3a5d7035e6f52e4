//! What a script does that the page which was handed in did not have.
//!
//! A script that nobody asked for may listen, read the page, and switch classes and states for those who listen. Whatever else
//! it names (a request, an address, the text of an element, its removal) could take back what was reviewed after the page is
//! shown. So the harmless names are listed here, and any other has to be asked for.

use std::collections::BTreeSet;

use jury_text::code_comments::{ScriptPart, script_parts};

/// Names of the language.
const KEYWORDS: &str = "async await break case catch class const continue debugger default do else extends false finally for \
    function get if in instanceof let new null of return set static super switch this throw true try typeof undefined var void \
    while yield NaN Infinity use strict";

/// Values that a page gives to scripts and that lead nowhere else.
const VALUES: &str = "document window console Math Date Array Object Number String Boolean Set Map matchMedia event \
    requestAnimationFrame cancelAnimationFrame clearTimeout clearInterval IntersectionObserver ResizeObserver localStorage \
    sessionStorage parseInt parseFloat isNaN innerWidth innerHeight scrollX scrollY addEventListener";

/// Members with which a script finds elements, reads them, listens, and switches classes and states.
const MEMBERS: &str = "addEventListener removeEventListener querySelector querySelectorAll getElementById getElementsByClassName \
    getElementsByTagName closest matches contains classList toggle has forEach map filter find some every from length item target \
    currentTarget relatedTarget key code keys entries values matchMedia documentElement body head dataset getAttribute hasAttribute \
    focus blur scrollIntoView scrollTo scrollY scrollX scrollTop innerWidth innerHeight clientWidth clientHeight \
    getBoundingClientRect top bottom left right width height observe unobserve disconnect isIntersecting intersectionRatio \
    requestAnimationFrame cancelAnimationFrame floor ceil round min max abs now localStorage sessionStorage getItem setItem \
    includes indexOf slice split join trim toLowerCase toUpperCase startsWith endsWith push concat parentElement children \
    firstElementChild lastElementChild nextElementSibling previousElementSibling offsetTop offsetHeight offsetWidth activeElement \
    readyState reset log warn error ariaExpanded ariaPressed ariaSelected ariaCurrent ariaHidden getFullYear getTime";

/// Members that are set to a function which listens.
const LISTENERS: &str = "onclick onchange oninput onscroll onresize onkeydown onload";

/// Behind `classList` a script may do this as well.
const OF_CLASSES: &str = "add remove replace toggle contains length";

/// Behind `style` these: what they change is paint around the words.
const OF_STYLE: &str = "background backgroundColor borderColor boxShadow outline cursor";

/// Of what a request to a place by its name has answered.
const OF_ANSWER: &str = "then text json ok";

/// Calls whose first argument is a function when it is harmless, and code as a text when it is not.
const LATER: [&str; 2] = ["setTimeout", "setInterval"];

/// Calls that may write these attributes and no others.
const WRITERS: [&str; 3] = ["setAttribute", "removeAttribute", "toggleAttribute"];

fn has(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|own| own == word)
}

/// A piece of a script that is no comment.
type Piece<'a> = (ScriptPart, &'a str);

fn pieces(code: &str) -> Vec<Piece<'_>> {
    let parts = script_parts(code).into_iter().filter(|(part, _)| *part != ScriptPart::Comment);
    parts.map(|(part, span)| (part, code.get(span).unwrap_or_default())).collect()
}

/// What scripts of a draft name beyond the harmless, in statements that no script of the page had.
pub(super) fn added(given: &[String], draft: &[String]) -> Vec<String> {
    let before: BTreeSet<String> =
        given.iter().flat_map(|code| statements(code)).map(|one| text(&one)).collect();
    let own: Vec<Vec<Piece<'_>>> = draft.iter().map(|code| pieces(code)).collect();
    let declared: BTreeSet<&str> = own.iter().flat_map(|pieces| declared(pieces)).collect();
    let mut found: Vec<String> = Vec::new();
    for statement in draft.iter().flat_map(|code| statements(code)) {
        if before.contains(&text(&statement)) {
            continue;
        }
        for name in unasked(&statement, &declared) {
            if !found.contains(&name) {
                found.push(name);
            }
        }
    }
    found
}

/// The same of an attribute such as `onclick`, which stops what its element does by `return false`.
pub(super) fn of_handler(code: &str) -> Vec<String> {
    let own = pieces(code);
    let declared: BTreeSet<&str> = declared(&own).into_iter().collect();
    let mut found = unasked(&own, &declared);
    if own.windows(2).any(|pair| matches!(pair, [(_, "return"), (_, "false")])) {
        found.push("return false".to_owned());
    }
    found
}

fn text(statement: &[Piece<'_>]) -> String {
    statement.iter().map(|(_, text)| *text).collect::<Vec<_>>().join(" ")
}

/// The statements of a script, roughly: what stands between semicolons and braces.
fn statements(code: &str) -> Vec<Vec<Piece<'_>>> {
    let mut found: Vec<Vec<Piece<'_>>> = vec![Vec::new()];
    for piece in pieces(code) {
        if matches!(piece, (ScriptPart::Mark, ";" | "{" | "}")) {
            found.push(Vec::new());
        } else if let Some(last) = found.last_mut() {
            last.push(piece);
        }
    }
    found.retain(|statement| !statement.is_empty());
    found
}

/// Names that a script gives: of variables, functions and their arguments.
fn declared<'a>(pieces: &[Piece<'a>]) -> Vec<&'a str> {
    let mut found = Vec::new();
    let is_mark =
        |at: usize, mark: &str| pieces.get(at).is_some_and(|piece| *piece == (ScriptPart::Mark, mark));
    for (at, (part, word)) in pieces.iter().enumerate() {
        match (part, *word) {
            (ScriptPart::Word, "var" | "let" | "const" | "function" | "class") => {
                found.extend(
                    pieces.get(at + 1).filter(|(part, _)| *part == ScriptPart::Word).map(|(_, word)| *word),
                );
                if *word != "function" && (is_mark(at + 1, "{") || is_mark(at + 1, "[")) {
                    found.extend(arguments(pieces, at + 2));
                }
            }
            // `let a = 1, b = 2`: a name behind a comma and before an equals sign.
            (ScriptPart::Mark, ",") if is_mark(at + 2, "=") && !is_mark(at + 3, "=") => {
                found.extend(
                    pieces.get(at + 1).filter(|(part, _)| *part == ScriptPart::Word).map(|(_, word)| *word),
                );
            }
            (ScriptPart::Word, word) if is_mark(at + 1, "=") && is_mark(at + 2, ">") => found.push(word),
            (ScriptPart::Mark, "(") => {
                let end = closing(pieces, at);
                let arrow = is_mark(end + 1, "=") && is_mark(end + 2, ">");
                let before =
                    |back: usize| at.checked_sub(back).and_then(|at| pieces.get(at)).map(|(_, word)| *word);
                let function = before(1) == Some("function")
                    || before(2) == Some("function")
                    || before(1) == Some("catch");
                if arrow || function {
                    found.extend(arguments(pieces, at + 1));
                }
            }
            _ => {}
        }
    }
    found
}

/// The names from here to the bracket that closes, without what they are set to.
fn arguments<'a>(pieces: &[Piece<'a>], from: usize) -> Vec<&'a str> {
    let inside = pieces.get(from..).unwrap_or_default();
    let inside = inside.iter().take_while(|piece| !matches!(piece, (ScriptPart::Mark, ")" | "}" | "]")));
    inside.filter(|(part, _)| *part == ScriptPart::Word).map(|(_, word)| *word).collect()
}

/// Where the bracket that opens here is closed.
fn closing(pieces: &[Piece<'_>], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, piece) in pieces.iter().enumerate().skip(open) {
        match piece {
            (ScriptPart::Mark, "(") => depth += 1,
            (ScriptPart::Mark, ")") => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
    }
    pieces.len()
}

/// The names in a statement that are not harmless.
fn unasked(statement: &[Piece<'_>], declared: &BTreeSet<&str>) -> Vec<String> {
    let mut found = Vec::new();
    let at =
        |index: Option<usize>| index.and_then(|index| statement.get(index)).map_or("", |(_, text)| *text);
    for (index, (part, word)) in statement.iter().enumerate() {
        let (before, behind) = (at(index.checked_sub(1)), at(Some(index + 1)));
        match part {
            ScriptPart::Word if word.starts_with(|ch: char| ch.is_ascii_digit()) => {}
            ScriptPart::Word if before == "." => {
                let owner = at(index.checked_sub(2));
                let of_owner = match owner {
                    "classList" => has(OF_CLASSES, word),
                    "style" => has(OF_STYLE, word),
                    "document" => *word == "title",
                    "dataset" => true,
                    _ => *word == "style" && behind == "." && has(OF_STYLE, at(Some(index + 2))),
                };
                let writes = WRITERS.contains(word) && is_state(at(Some(index + 2)));
                let later = LATER.contains(word) && is_function(statement, index);
                // `onclick = function …` listens as `addEventListener` does, and the year of today is no text of the page.
                let listens = has(LISTENERS, word) && behind == "=" && is_function(statement, index);
                let year = matches!(*word, "textContent" | "innerText")
                    && statement.get(index + 1..).is_some_and(|rest| {
                        rest.iter().map(|(_, text)| *text).eq([
                            "=",
                            "new",
                            "Date",
                            "(",
                            ")",
                            ".",
                            "getFullYear",
                            "(",
                            ")",
                        ])
                    });
                if !(has(MEMBERS, word)
                    || has(OF_ANSWER, word)
                    || of_owner
                    || writes
                    || later
                    || listens
                    || year)
                {
                    found.push((*word).to_owned());
                }
            }
            ScriptPart::Word => {
                let key = behind == ":" && before != "?";
                let later = LATER.contains(word) && is_function(statement, index)
                    // Which place it asks is told by its name.
                    || *word == "fetch" && is_text(statement.get(index + 2)) && at(Some(index + 3)) == ")";
                if !(key || later || has(KEYWORDS, word) || has(VALUES, word) || declared.contains(word)) {
                    found.push((*word).to_owned());
                }
            }
            // `window[name]` is any member.
            ScriptPart::Mark if *word == "[" => {
                let (inside, end) = (at(Some(index + 1)), at(Some(index + 2)));
                let of_value = !before.is_empty() && (before == ")" || before == "]" || is_name(before));
                let number = end == "]" && inside.chars().all(|ch| ch.is_ascii_digit());
                if of_value && !number && !has(KEYWORDS, before) {
                    let rest = statement.iter().skip(index + 1).take(6).map(|(_, text)| *text);
                    let shown: Vec<&str> = rest.take_while(|text| *text != "]").collect();
                    found.push(format!("{before}[{}]", shown.concat()));
                }
            }
            ScriptPart::Mark | ScriptPart::Text | ScriptPart::Comment => {}
        }
    }
    found
}

fn is_name(text: &str) -> bool {
    text.starts_with(|ch: char| ch.is_alphabetic() || matches!(ch, '_' | '$'))
}

fn is_text(piece: Option<&Piece<'_>>) -> bool {
    piece.is_some_and(|(part, _)| *part == ScriptPart::Text)
}

/// Whether a text names an attribute for those who listen, or one of the page's own.
fn is_state(text: &str) -> bool {
    let name = text.trim_matches(['"', '\'', '`']);
    name.starts_with("aria-") && name != "aria-hidden" || name.starts_with("data-") || name == "tabindex"
}

/// Whether the first argument of the call is written as a function.
fn is_function(statement: &[Piece<'_>], call: usize) -> bool {
    let first = statement.get(call + 2).map_or("", |(_, text)| *text);
    let arrow = statement.get(call + 3).is_some_and(|(_, text)| *text == "=");
    matches!(first, "function" | "(" | "async") || is_name(first) && arrow
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(code: &str) -> Vec<String> {
        added(&[], &[code.to_owned()])
    }

    #[test]
    fn what_finds_listens_and_switches_is_harmless() {
        for code in [
            "document.querySelector('h1').addEventListener('click', function () { this.classList.toggle('big'); });",
            "document.documentElement.classList.add('js')",
            "document.getElementById('y').textContent = new Date().getFullYear()",
            "const b = document.body; b.onclick = function () { b.classList.toggle('dark'); }",
            "li.style.background = 'red'".replace("li", "document.body").as_str(),
            "fetch('/stock').then(function (answer) { return answer.text(); }).then((text) => document.title = text)",
            "const menu = document.getElementById('menu'), button = menu.closest('nav'); button.addEventListener('click', \
             (event) => { const open = menu.classList.toggle('open'); button.setAttribute('aria-expanded', open); });",
            "new IntersectionObserver((entries) => entries.forEach(entry => { if (entry.isIntersecting) \
             entry.target.classList.add('seen'); })).observe(document.querySelectorAll('.card')[0]);",
            "setTimeout(function () { document.body.classList.remove('late'); }, 50)",
            "const theme = localStorage.getItem('theme') || 'light'; document.documentElement.dataset.theme",
            "if (matchMedia('(min-width: 600px)').matches) console.log(`wide ${innerWidth}`);",
        ] {
            assert_eq!(of(code), [] as [String; 0], "{code}");
        }
    }

    #[test]
    fn whatever_else_a_script_names_has_to_be_asked_for() {
        for (code, name) in [
            ("fetch(name)", "fetch"),
            ("fetch('/a', {method: 'POST'})", "fetch"),
            ("document.body.textContent = new Date().getFullYear() + name", "textContent"),
            ("document.body.onclick = go", "onclick"),
            ("fetch('/a?' + name)", "fetch"),
            ("location = name", "location"),
            ("document.location.replace('/a')", "location"),
            ("window['ev' + 'al'](name)", "window['ev'+'al']"),
            ("let f = 'x'; document[f]()", "document[f]"),
            ("[].constructor.constructor('x')()", "constructor"),
            ("import(name)", "import"),
            ("setTimeout('go()', 9)", "setTimeout"),
            ("document.querySelector('p').remove()", "remove"),
            ("document.querySelector('p').textContent = 'x'", "textContent"),
            ("document.body.style.display = 'none'", "style"),
            ("document.forms[0].action = '/x'", "forms"),
            ("document.querySelector('a').setAttribute('href', '/x')", "setAttribute"),
            ("document.querySelector('p').hidden = true", "hidden"),
            ("new Image().src = 'a'", "Image"),
            ("top.postMessage(1)", "top"),
        ] {
            assert!(of(code).contains(&name.to_owned()), "{code}: {:?}", of(code));
        }
        assert_eq!(of_handler("return false"), ["return false"]);
        assert_eq!(of_handler("event.preventDefault()"), ["preventDefault"]);
    }

    #[test]
    fn what_the_page_did_already_needs_no_asking() {
        let given = ["a(); document.title = 'Sent';".to_owned()];
        let draft =
            ["/* tidy */ a();\n document.title = 'Sent';  document.body.classList.add('x')".to_owned()];
        assert_eq!(added(&given, &draft), [] as [String; 0]);
        assert_eq!(added(&given, &["document.write('Gone')".to_owned()]), ["write"]);
    }
}
