//! Tests that are written and that no runner finds any more: their name, their mark, their class or their file is off the pattern,
//! or the line that listed them is gone. A test that moves to another tier has another file, and is found there.

use jury_core::severity::Severity;

use super::super::Side;
use super::super::detect::{Detector, DiffEvidence};
use super::super::model::{Dialect, FileChange, Program, Test, Unit, UnitKind, is_test_file};
use super::{Look, at_line, said};

/// A function of the new version with the body of a test.
fn shadow<'a>(look: &'a Look<'_>, test: &Test) -> Option<(&'a FileChange<'a>, &'a Unit)> {
    let old = look.change.files.get(test.file)?;
    let body = said(&old.old.program, old.old.program.units.get(test.unit)?);
    if body.is_empty() {
        return None;
    }
    look.shadow(old.path, &test.name, &body)
}

/// Whether a test that is lost is there and not found.
pub(super) fn runs_no_more(look: &Look<'_>, test: &Test) -> bool {
    shadow(look, test).is_some()
}

pub(super) fn tests(look: &Look<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    for test in &look.change.pairs.lost {
        if let Some((file, unit)) = shadow(look, test) {
            let text =
                format!("no runner finds the test “{}” any more: it is an ordinary function", test.name);
            found.push(at_line(
                Detector::TestsUncollected,
                Severity::Serious,
                file,
                Side::New,
                unit.line,
                text,
            ));
        }
    }
    for file in &look.change.files {
        found.extend(renamed(file));
        found.extend(classes(look, file));
        found.extend(listed(look, file));
        found.extend(tagged(file));
        found.extend(unlisted(file));
    }
    found
}

/// The name of the file is off the pattern.
fn renamed(file: &FileChange<'_>) -> Option<DiffEvidence> {
    let (old, new) = (file.file.old_path.as_deref()?, file.file.new_path.as_deref()?);
    let had_tests =
        file.old.program.units.iter().any(|unit| unit.kind == UnitKind::Test) || is_test_file(old);
    let fits = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        match Dialect::of(path) {
            Some(Dialect::Python) => {
                (name.starts_with("test_") || name.ends_with("_test.py") || name == "conftest.py")
                    && !path.contains("/_")
            }
            Some(Dialect::Go) => name.ends_with("_test.go") && !name.starts_with(['_', '.']),
            Some(Dialect::Script) => {
                name.contains(".test.")
                    || name.contains(".spec.")
                    || path.contains("__tests__/")
                    || path.contains("test/")
                    || path.contains("tests/")
            }
            Some(Dialect::Ruby) => {
                name.ends_with("_spec.rb") || name.ends_with("_test.rb") || name.starts_with("test_")
            }
            Some(Dialect::Php) => name.ends_with("Test.php") || name.ends_with("Tests.php"),
            Some(Dialect::Java | Dialect::Kotlin) => {
                ["Test.", "Tests.", "IT.", "TestCase.", "Spec."].iter().any(|end| name.contains(end))
                    || name.starts_with("Test")
            }
            _ => {
                !path.ends_with(".bak")
                    && !path.ends_with(".disabled")
                    && !path.ends_with(".off")
                    && !path.ends_with(".skip")
                    && !path.ends_with(".txt")
            }
        }
    };
    let off = Dialect::of(new).is_none() && Dialect::of(old).is_some();
    (had_tests && old != new && fits(old) && (off || !fits(new))).then(|| {
        at_line(
            Detector::TestsUncollected,
            Severity::Serious,
            file,
            Side::New,
            0,
            format!("no runner finds the tests of {old} under the new name"),
        )
    })
}

/// The class is no suite any more, or a test has a shape that is not run.
fn classes(look: &Look<'_>, file: &FileChange<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    let python = file.dialect == Some(Dialect::Python);
    for (old, new) in &look.change.pairs.kept {
        let same = look.change.files.get(new.file).is_some_and(|own| std::ptr::eq(own, file));
        if !same {
            continue;
        }
        let (Some(was), Some(is)) = (
            look.change.files.get(old.file).and_then(|own| own.old.program.units.get(old.unit)),
            file.new.program.units.get(new.unit),
        ) else {
            continue;
        };
        let class = |program: &Program, unit: &Unit| {
            let class = program.around(unit.parent).find(|unit| unit.kind == UnitKind::Class)?;
            Some((
                class.name.clone(),
                program.head(class).map_or(String::new(), |head| head.text.clone()),
                class.line,
            ))
        };
        if python
            && let (Some((was, _, _)), Some((is, head, line))) =
                (class(&file.old.program, was), class(&file.new.program, is))
            && was.starts_with("Test")
            && !is.starts_with("Test")
            && !head.contains("TestCase")
        {
            found.push(at_line(
                Detector::TestsUncollected,
                Severity::Serious,
                file,
                Side::New,
                line,
                format!("the class {was} is called {is}, and no runner finds its tests"),
            ));
            break;
        }
        let heads = (file.old.program.head(was), file.new.program.head(is));
        if matches!(file.dialect, Some(Dialect::Java | Dialect::CSharp | Dialect::Kotlin))
            && let (Some(was), Some(is)) = heads
            && is.tokens.iter().any(|token| token.is("private") || token.is("static"))
            && !was.tokens.iter().any(|token| token.is("private") || token.is("static"))
        {
            found.push(at_line(
                Detector::TestsUncollected,
                Severity::Serious,
                file,
                Side::New,
                is.line,
                format!("the test “{}” is private or static, and is not run", new.name),
            ));
        }
    }
    let suites = file.new.program.units.iter().filter(|unit| {
        unit.kind == UnitKind::Class
            && matches!(file.dialect, Some(Dialect::Java | Dialect::Kotlin | Dialect::CSharp))
    });
    for unit in suites {
        let old =
            file.old.program.units.iter().find(|old| old.kind == UnitKind::Class && old.name == unit.name);
        let (Some(was), Some(is)) =
            (old.and_then(|old| file.old.program.head(old)), file.new.program.head(unit))
        else {
            continue;
        };
        let has = |own: &super::Statement, word: &str| own.tokens.iter().any(|token| token.is(word));
        let has_tests = file
            .new
            .program
            .units
            .iter()
            .any(|own| own.kind == UnitKind::Test && unit.body.contains(&own.head));
        let nested = has(was, "Nested") && !has(is, "Nested")
            || has(is, "abstract") && !has(was, "abstract")
            || has(is, "private") && !has(was, "private");
        if has_tests && nested {
            found.push(at_line(
                Detector::TestsUncollected,
                Severity::Serious,
                file,
                Side::New,
                is.line,
                format!("no runner finds the tests of the class {} any more", unit.name),
            ));
        }
    }
    if python {
        for (_, statement) in file.added() {
            let off =
                statement.text.starts_with("__test__=False") || statement.text.starts_with("collect_ignore");
            if off && !look.change.moved_here(statement) {
                found.push(super::at(
                    Detector::TestsUncollected,
                    Severity::Serious,
                    file,
                    statement,
                    "the runner is told to pass over these tests",
                ));
            }
        }
    }
    found
}

/// The line that lists a test, or the module of tests, is gone, and the tests are still there.
fn listed(look: &Look<'_>, file: &FileChange<'_>) -> Vec<DiffEvidence> {
    let lists = [
        "RUN_TEST",
        "tcase_add_test",
        "add_test",
        "suite_add_tcase",
        "UNITY_TEST",
        "cmocka_unit_test",
        "gtest_discover_tests",
        "target_sources",
        "MU_RUN_TEST",
        "mu_run_test",
        "test_case_list",
        "CU_add_test",
        "REGISTER_TEST",
        "run_test",
    ];
    let mut found = Vec::new();
    for statement in file.old.program.statements.iter().filter(|own| own.changed) {
        let first = statement.tokens.first().map_or("", |first| first.text.as_str());
        let module = file.dialect == Some(Dialect::Rust)
            && (statement.text.ends_with("mod tests")
                || statement.text.ends_with("mod test")
                || (first == "mod" && statement.text.contains("test") && file.test))
            && !statement.opens;
        let listing = lists.contains(&first);
        if !(module || listing) || look.change.comes_back(&statement.text) {
            continue;
        }
        let name = statement
            .tokens
            .iter()
            .skip(1)
            .find(|token| token.text.len() > 2 && token.text != "tests")
            .map_or("", |token| token.text.as_str());
        let back = file.new.program.statements.iter().any(|own| {
            own.changed && lists.iter().any(|list| own.text.starts_with(list)) && own.text.contains(name)
        });
        let gone = look.change.pairs.lost.iter().any(|test| test.name == name)
            || look.change.files.iter().any(|other| {
                other.file.new_path.is_none() && (other.old_path.contains(name) || module && other.test)
            });
        let inline = module && file.new.program.units.iter().any(|unit| unit.kind == UnitKind::Group);
        let moved =
            module
                && look.change.files.iter().any(|other| {
                    other.test && other.file.old_path.is_none() && other.path.starts_with("tests/")
                });
        if !back && !gone && !inline && !moved {
            found.push(at_line(
                Detector::TestsUncollected,
                Severity::Serious,
                file,
                Side::Old,
                statement.line,
                "the line that lists these tests is gone, and they do not run",
            ));
        }
    }
    found
}

/// Functions of a test in C that the list of tests named, and names no more.
fn unlisted(file: &FileChange<'_>) -> Vec<DiffEvidence> {
    if !file.test || !file.is_whole() || !matches!(file.dialect, Some(Dialect::C | Dialect::Cpp)) {
        return Vec::new();
    }
    let named = |program: &Program, name: &str| {
        program.statements.iter().filter(|own| own.heads.is_none() && own.tokens.len() > 1).any(|own| {
            // A declaration in front of the definition lists nothing.
            let declares = own.tokens.last().is_some_and(|last| last.is(")"))
                && own.tokens.first().is_some_and(|first| first.is("static") || first.is("void"));
            !declares && own.tokens.iter().any(|token| token.is(name))
        })
    };
    let functions =
        file.new.program.units.iter().filter(|unit| matches!(unit.kind, UnitKind::Function | UnitKind::Test));
    functions
        .filter(|unit| {
            !unit.name.contains('.')
                && named(&file.old.program, &unit.name)
                && !named(&file.new.program, &unit.name)
        })
        .map(|unit| {
            at_line(
                Detector::TestsUncollected,
                Severity::Serious,
                file,
                Side::New,
                unit.line,
                format!("nothing lists “{}” any more, and it is not run", unit.name),
            )
        })
        .collect()
}

/// A build tag keeps a file of tests from being compiled.
fn tagged(file: &FileChange<'_>) -> Option<DiffEvidence> {
    if file.dialect != Some(Dialect::Go) || !file.path.ends_with("_test.go") || file.file.old_path.is_none() {
        return None;
    }
    let platforms = ["linux", "windows", "darwin", "unix", "amd64", "arm64", "race", "cgo", "go1"];
    let (comment, line, _) = file.new.program.comments.iter().find(|(comment, _, new)| {
        *new && (comment.text.starts_with("go:build") || comment.text.starts_with("+build"))
    })?;
    let old = file.old.program.comments.iter().any(|(own, _, _)| own.text == comment.text);
    let platform = platforms.iter().any(|word| comment.text.contains(word));
    let severity = if platform { Severity::Minor } else { Severity::Serious };
    (!old).then(|| {
        at_line(
            Detector::TestsUncollected,
            severity,
            file,
            Side::New,
            *line,
            "a build tag keeps these tests from being compiled",
        )
    })
}
