//! Comparisons that hold for everything: equality that is always true, a hash that is constant, a matcher that cannot fail.

use jury_core::severity::Severity;

use super::super::detect::{Detector, DiffEvidence};
use super::super::model::{Statement, UnitKind};
use super::{Look, at};

pub(super) fn comparisons(look: &Look<'_>) -> Vec<DiffEvidence> {
    let names = [
        "__eq__",
        "equals",
        "Equals",
        "Equal",
        "eq",
        "==",
        "operator==",
        "operator",
        "eql?",
        "equal?",
        "isEqual",
        "__contains__",
        "compareTo",
        "__hash__",
        "hashCode",
        "asymmetricMatch",
        "valueOf",
        "partial_cmp",
        "Compare",
        "__lt__",
        "__ne__",
        "===",
        "isEqualTo",
        "matches",
    ];
    let mut found = Vec::new();
    for file in &look.change.files {
        let program = &file.new.program;
        for unit in program.units.iter().filter(|unit| unit.kind == UnitKind::Function) {
            let head = program.head(unit).map_or("", |head| head.text.as_str());
            let compares = names.contains(&unit.name.as_str())
                || head.contains("operator==")
                || head.starts_with("def ==");
            let body = program.body(unit);
            let truth = matches!(body, [only] if is_truth(only));
            let Some(only) =
                body.first().filter(|own| compares && truth && own.changed && !look.change.moved_here(own))
            else {
                continue;
            };
            found.push(at(
                Detector::Forged,
                Severity::Serious,
                file,
                only,
                format!("`{}` says yes to everything", unit.name),
            ));
        }
        // A subject that is equal to all: `class Any: __eq__ = lambda …: True`
        for (_, statement) in file.added() {
            let text = statement.text.as_str();
            let short = text.starts_with("__eq__=") && text.contains("True")
                || text.starts_with("def ==(") && text.ends_with("true")
                || text.contains("__eq__=lambda")
                || text.contains("operator==(") && text.contains("return true");
            if short && !look.change.moved_here(statement) {
                found.push(at(
                    Detector::Forged,
                    Severity::Serious,
                    file,
                    statement,
                    "equality says yes to everything",
                ));
            }
        }
    }
    found
}

fn is_truth(statement: &Statement) -> bool {
    // Of one type is not the same.
    if statement.text.starts_with("return isinstance(") && !statement.text.contains(" and ") {
        return true;
    }
    matches!(
        statement.text.as_str(),
        "return True"
            | "return true"
            | "true"
            | "return 0"
            | "return 1"
            | "Some(Ordering::Equal)"
            | "return{pass:true}"
            | "return{pass:true,message:()=>\"\"}"
    )
}
