//! Tests that become rows of one table: their values stand together in a row, and one assertion compares what the rows give
//! to the code with what they expect.

use std::collections::BTreeSet;

use super::super::code::{numbers, words};
use super::super::path::Language;
use super::super::side::{Row, Sides};
use super::equal::{compared, is_literal};
use super::statement::{Statement, statements};

/// The tables of a change, and the assertions over them.
#[derive(Debug, Default)]
pub(super) struct Tables {
    /// The values of each row.
    rows: Vec<Vec<String>>,
    /// The words of what is compared with a name of the table.
    calls: Vec<BTreeSet<String>>,
}

impl Tables {
    /// Learns what was added to a test.
    pub(super) fn learn(&mut self, file: &Sides<'_>, added: &[&Row]) {
        for statement in statements(added) {
            for group in groups(&statement.text) {
                let values = values(&group);
                if values.len() > 1 {
                    self.rows.push(values);
                }
            }
            if let Some(compared) = compared(file.language, &statement.text) {
                let [one, other] = &compared.sides;
                for (name, call) in [(one, other), (other, one)] {
                    if is_name(name) && !is_name(call) && !call.contains(name.as_str()) {
                        self.calls.push(words(call).map(str::to_owned).collect());
                    }
                }
            }
        }
    }

    /// There is an assertion over a table.
    pub(super) fn is_used(&self) -> bool {
        !self.rows.is_empty() && !self.calls.is_empty()
    }

    /// What this assertion compares is a row of a table, and what it calls is called over the table.
    pub(super) fn hold(&self, language: Language, was: &Statement<'_>) -> bool {
        let Some(compared) = compared(language, &was.text) else { return false };
        let values: Vec<String> = compared.sides.iter().flat_map(|side| values(side)).collect();
        let called: BTreeSet<&str> = compared
            .sides
            .iter()
            .filter(|side| !is_literal(side))
            .flat_map(|side| identifiers(side))
            .collect();
        let row = |row: &Vec<String>| values.iter().all(|value| row.contains(value));
        let call = |call: &BTreeSet<String>| called.iter().all(|word| call.contains(*word));
        values.len() > 1 && !called.is_empty() && self.rows.iter().any(row) && self.calls.iter().any(call)
    }
}

/// `cost`, `c.want`, `want[i]`
fn is_name(side: &str) -> bool {
    !is_literal(side) && side.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '[' | ']'))
}

fn identifiers(side: &str) -> Vec<&str> {
    // What stands in texts names nothing.
    side.split(['"', '\'', '`'])
        .step_by(2)
        .flat_map(words)
        .filter(|word| word.starts_with(|c: char| !c.is_ascii_digit()))
        .collect()
}

/// The texts and numbers of a piece of code.
fn values(text: &str) -> Vec<String> {
    let texts = text.split(['"', '\'', '`']).skip(1).step_by(2).map(str::to_owned);
    let code: String = text.split(['"', '\'', '`']).step_by(2).collect::<Vec<_>>().join(" ");
    texts.chain(numbers(&code)).collect()
}

/// What stands in the innermost brackets, and in the others around it.
fn groups(text: &str) -> Vec<String> {
    let mut open: Vec<String> = Vec::new();
    let mut found = Vec::new();
    for character in text.chars() {
        match character {
            '(' | '[' | '{' => open.push(String::new()),
            ')' | ']' | '}' => found.extend(open.pop()),
            _ => {}
        }
        for group in &mut open {
            group.push(character);
        }
    }
    // A list of rows is no row.
    found.retain(|group| !group.contains("),") && !group.contains("},") && !group.contains("],"));
    found
}
