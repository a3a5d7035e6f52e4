//! Skills: a `SKILL.md`, text in, value out. Its front matter says what it is called and what it thinks of the
//! panel; its body is what the agent is told.
//!
//! The front matter is read as the small part of YAML that skills use: maps of scalars, nested by indentation, with
//! quotes, comments and block texts. What stands under a key that means nothing here (lists, maps, anything) is
//! passed over unread, so a skill may carry what other programs want of it. What stands under a key that does mean
//! something is read strictly: a policy that is misspelled, or written in a form that is not read, must not pass for
//! no policy.

use thiserror::Error;

use crate::enablement::SkillPolicy;
use crate::front_matter::{FrontMatter, FrontMatterLine, Lines};
use crate::line;

/// What a `SKILL.md` says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Skill {
    /// What it calls itself.
    pub name: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// The policy of its panel, the key `od.critique.policy`.
    pub policy: Option<SkillPolicy>,
    /// The body: what the agent is told.
    pub prompt: String,
}

/// Front matter that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {what}")]
pub struct SkillError {
    /// The line of the mistake, from 1.
    pub line: usize,
    /// What is wrong with that line.
    pub what: String,
}

/// The path of the policy in the front matter.
const POLICY: &str = "od.critique.policy";

impl Skill {
    /// Reads a `SKILL.md`. One without front matter is all prompt.
    pub fn parse(text: &str) -> Result<Self, SkillError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let Some(front) = FrontMatter::find(text) else {
            return Ok(Self { prompt: text.trim().to_owned(), ..Self::default() });
        };
        if !front.closed {
            let what = "the front matter is never closed; end it with a line of three dashes".to_owned();
            return Err(SkillError { line: 1, what });
        }
        let prompt: Vec<&str> =
            text.get(front.body..).unwrap_or_default().lines().map(str::trim_end).collect();
        let mut skill = Self { prompt: prompt.join("\n").trim().to_owned(), ..Self::default() };
        Reader { lines: front.lines() }.map("", 0, &mut skill)?;
        Ok(skill)
    }

    /// Takes a value over.
    fn set(&mut self, path: &str, line: usize, value: String) -> Result<(), SkillError> {
        match path {
            "name" => self.name = Some(value),
            "description" => self.description = Some(value),
            _ => {
                let policy = value.parse();
                self.policy = Some(policy.map_err(|error| wrong(line, format!("{POLICY} {error}")))?);
            }
        }
        Ok(())
    }
}

/// What a key means here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// A value that is wanted.
    Scalar,
    /// A map in which something is wanted.
    Map,
    /// The line says nothing that is kept.
    Nothing,
}

fn meaning(path: &str) -> Meaning {
    match path {
        "name" | "description" | POLICY => Meaning::Scalar,
        "od" | "od.critique" => Meaning::Map,
        _ => Meaning::Nothing,
    }
}

struct Reader<'a> {
    lines: Lines<'a>,
}

impl<'a> Reader<'a> {
    /// Reads the entries of a map that is indented at least this far.
    fn map(&mut self, path: &str, least: usize, skill: &mut Skill) -> Result<(), SkillError> {
        let Some(own) = self.lines.peek().map(|line| line.indent.len()).filter(|own| *own >= least) else {
            return Ok(());
        };
        let mut seen: Vec<&str> = Vec::new();
        while let Some(line) = self.lines.next_if(|line| line.indent.len() >= own) {
            let number = line.number;
            if line.indent.len() > own {
                return Err(wrong(number, "this is indented further than what it belongs to".to_owned()));
            }
            if line.indent.contains('\t') {
                return Err(wrong(number, "indent with spaces, not with tabs".to_owned()));
            }
            let (key, value) = line
                .pair()
                .filter(|(key, _)| !key.starts_with(['-', '[', '{', '?']))
                .ok_or_else(|| wrong(number, format!("{} is not 'key: value'", shown(line.text))))?;
            let inner = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
            let meaning = meaning(&inner);
            if meaning != Meaning::Nothing {
                if seen.contains(&key) {
                    return Err(wrong(number, format!("{inner} is there twice")));
                }
                seen.push(key);
            }
            match meaning {
                Meaning::Nothing => {
                    // Passed over: what is indented further, and a list, which need not be.
                    while self.lines.next_if(|line| belongs(line, own)).is_some() {}
                }
                Meaning::Scalar => {
                    let value = self.scalar(number, own, value, &inner)?;
                    skill.set(&inner, number, value)?;
                }
                Meaning::Map if without_comment(value).is_empty() => self.map(&inner, own + 1, skill)?,
                Meaning::Map => {
                    let what =
                        format!("{inner} must be a map; write its keys on lines of their own, indented");
                    return Err(wrong(number, what));
                }
            }
        }
        Ok(())
    }

    /// The value behind a key, on its line and on those below that are indented further.
    fn scalar(
        &mut self,
        number: usize,
        own: usize,
        first: &'a str,
        path: &str,
    ) -> Result<String, SkillError> {
        if first.starts_with(['|', '>']) {
            let lines: Vec<&str> = self.lines.block(own).lines().map(str::trim).collect();
            return Ok(lines.join(if first.starts_with('|') { "\n" } else { " " }).trim().to_owned());
        }
        let mut parts = vec![first];
        while let Some(line) = self.lines.next_if(|line| line.indent.len() > own) {
            parts.push(line.text);
        }
        let text = parts.join(" ");
        let text = text.trim();
        let unquoted = match text.chars().next() {
            Some(quote @ ('"' | '\'')) => quoted(text, quote),
            Some('[' | '{' | '&' | '*' | '!' | '-' | '@' | '%' | '`') => None,
            _ => Some(without_comment(text).to_owned()),
        };
        unquoted.ok_or_else(|| {
            wrong(number, format!("{path} must be a text on one line; {} is none", shown(text)))
        })
    }
}

/// Whether a line belongs to a key at this indentation.
fn belongs(line: &FrontMatterLine<'_>, own: usize) -> bool {
    let is_item = || line.text == "-" || line.text.starts_with("- ");
    line.indent.len() > own || (line.indent.len() == own && is_item())
}

/// A plain value without the comment behind it.
fn without_comment(value: &str) -> &str {
    let end = if value.starts_with('#') { Some(0) } else { value.find(" #") };
    end.and_then(|end| value.get(..end)).unwrap_or(value).trim_end()
}

/// The text between quotes, if the quotes are closed and nothing but a comment follows.
fn quoted(text: &str, quote: char) -> Option<String> {
    let mut value = String::new();
    let mut characters = text.chars().skip(1).peekable();
    loop {
        match characters.next()? {
            '\\' if quote == '"' => value.push(match characters.next()? {
                'n' => '\n',
                't' => '\t',
                other => other,
            }),
            '\'' if quote == '\'' && characters.peek() == Some(&'\'') => {
                characters.next();
                value.push('\'');
            }
            character if character == quote => break,
            character => value.push(character),
        }
    }
    let rest: String = characters.collect();
    let rest = rest.trim_start();
    (rest.is_empty() || rest.starts_with('#')).then_some(value)
}

fn wrong(line: usize, what: String) -> SkillError {
    SkillError { line, what }
}

/// A piece of a file for a message: short, quoted, without what a terminal might obey.
fn shown(text: &str) -> String {
    format!("'{}'", line::printable(text, 40))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WHOLE: &str = "\u{feff}---\r
# A comment
name: saas-landing
description: |
  Pages that sell software.
  And: nothing else.
triggers:
- \"landing page\"
- key: value
  more: x
'od':
    mode: prototype
    inputs: [a, {b: c}]
    critique:   # about the panel

        policy: \"required\"  # or opt-in
        weights:
          critic: 1
    after: >-
      policy: opt-out
version: 1
---

# Make a landing page

Be bold.
---
Not front matter.
";

    #[test]
    fn a_skill_says_its_name_its_policy_and_its_prompt() {
        let skill = Skill::parse(WHOLE).unwrap();
        let expected = Skill {
            name: Some("saas-landing".to_owned()),
            description: Some("Pages that sell software.\nAnd: nothing else.".to_owned()),
            policy: Some(SkillPolicy::Required),
            prompt: "# Make a landing page\n\nBe bold.\n---\nNot front matter.".to_owned(),
        };
        assert_eq!(skill, expected);
    }

    #[test]
    fn what_is_not_there_is_not_invented() {
        assert_eq!(
            Skill::parse("Just do it.\n").unwrap(),
            Skill { prompt: "Just do it.".to_owned(), ..Skill::default() }
        );
        assert_eq!(Skill::parse("").unwrap(), Skill::default());
        assert_eq!(Skill::parse("---\n---\n").unwrap(), Skill::default());
        for without in
            ["name: x", "od:", "od:\n  mode: x", "od:\n  critique:\nname: x", "critique:\n  policy: nonsense"]
        {
            let skill = Skill::parse(&format!("---\n{without}\n---\nBody")).unwrap();
            assert_eq!(skill.policy, None, "{without}");
        }
    }

    #[test]
    fn values_are_read_as_yaml_reads_them() {
        for (given, read) in [
            ("plain", "plain"),
            ("two words # and a comment", "two words"),
            ("a#b", "a#b"),
            ("'it''s'", "it's"),
            ("\"a \\\"b\\\" # c\" # d", "a \"b\" # c"),
            ("one\n  two\n   three", "one two three"),
            (">\n  one\n\n  two", "one  two"),
            ("", ""),
            ("http://example.org", "http://example.org"),
        ] {
            let skill = Skill::parse(&format!("---\ndescription: {given}\nname: x\n---\n")).unwrap();
            assert_eq!(
                (skill.description.as_deref(), skill.name.as_deref()),
                (Some(read), Some("x")),
                "{given}"
            );
        }
    }

    #[test]
    fn both_words_of_every_policy_are_read() {
        for policy in SkillPolicy::ALL {
            for word in [policy.as_str(), policy.alias()] {
                let skill = Skill::parse(&format!("---\nod:\n critique:\n  policy: {word}\n---\n")).unwrap();
                assert_eq!(skill.policy, Some(*policy), "{word}");
            }
        }
    }

    #[test]
    fn mistakes_have_a_line() {
        for (front, message) in [
            (
                "od:\n  critique:\n    policy: sometimes",
                "line 4: od.critique.policy 'sometimes' is none of required (always), opt-in (on-demand), opt-out (off)",
            ),
            (
                "od:\n  critique:\n    policy:",
                "line 4: od.critique.policy '' is none of required (always), opt-in (on-demand), opt-out (off)",
            ),
            (
                "od: { critique: { policy: off } }",
                "line 2: od must be a map; write its keys on lines of their own, indented",
            ),
            (
                "od:\n  critique: off",
                "line 3: od.critique must be a map; write its keys on lines of their own, indented",
            ),
            (
                "od:\n  critique:\n    policy: [off]",
                "line 4: od.critique.policy must be a text on one line; '[off]' is none",
            ),
            ("od:\n  critique:\n\t\tpolicy: off", "line 4: indent with spaces, not with tabs"),
            ("od:\n  critique:\n    policy: off\nod:\n  critique:\n", "line 5: od is there twice"),
            (
                "od:\n  critique:\n    policy: off\n    policy: always",
                "line 5: od.critique.policy is there twice",
            ),
            ("od:\n  - critique", "line 3: '- critique' is not 'key: value'"),
            ("name: 'x", "line 2: name must be a text on one line; ''x' is none"),
            ("nonsense", "line 2: 'nonsense' is not 'key: value'"),
            ("name: x\n\u{1b}[31mred", "line 3: '[31mred' is not 'key: value'"),
        ] {
            assert_eq!(
                Skill::parse(&format!("---\n{front}\n---\n")).unwrap_err().to_string(),
                message,
                "{front}"
            );
        }
        assert_eq!(
            Skill::parse("---\nname: x\n").unwrap_err().to_string(),
            "line 1: the front matter is never closed; end it with a line of three dashes"
        );
    }

    fn pieces() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "---\n",
            "...\n",
            "od:",
            "critique:",
            "policy:",
            " required",
            " off",
            "name:",
            "description:",
            "\n",
            "\n  ",
            "\n    ",
            "\t",
            "- ",
            "|",
            ">",
            "'",
            "\"",
            "\\",
            "#",
            " #",
            ": ",
            "{",
            "[",
            "\r\n",
            "\u{feff}",
            "\u{0}",
            "é",
            "x",
        ]);
        prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader(text in ".*", pieces in pieces()) {
            for text in [&text, &pieces, &format!("---\n{text}"), &format!("---\n{pieces}\n---\n{text}")] {
                match Skill::parse(text) {
                    Ok(_) => {}
                    Err(error) => {
                        prop_assert!(error.line >= 1 && error.line <= text.lines().count());
                        prop_assert!(!error.what.is_empty() && !error.what.contains('\n'));
                    }
                }
            }
        }

        #[test]
        fn a_policy_is_never_lost(before in "[a-z]{1,8}", after in "[a-z]{1,8}", depth in 1usize..6, policy in 0usize..3) {
            let policy = SkillPolicy::ALL[policy];
            let (one, two) = (" ".repeat(depth), " ".repeat(depth * 2));
            prop_assume!(![&before, &after].iter().any(|key| ["name", "od", "description"].contains(&key.as_str())));
            let text = format!(
                "---\n{before}:\n{one}- {after}: 1\n\nod:\n{one}{after}: x\n{one}critique:\n{two}{before}: [\n{two} 1]\n{two}policy: {policy}\n{after}: y\n---\n"
            );
            prop_assert_eq!(Skill::parse(&text).unwrap().policy, Some(policy));
        }
    }
}
