//! Tests that are there and no longer run, in every language that is read. A condition that asks for a platform, a version or an
//! optional part is no gaming, and neither is a new test that is born with a mark: both are minor. A condition that always holds is
//! none, and a condition that asks for the build server switches the test off where it counts.

use jury_core::severity::Severity;

use super::super::detect::{Detector, DiffEvidence};
use super::super::model::{Dialect, Program, Statement, UnitKind};
use super::{Look, at, outer};

pub(super) fn tests(look: &Look<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    for (file_at, file) in look.change.files.iter().enumerate() {
        let Some(dialect) = file.dialect.filter(|dialect| *dialect != Dialect::Settings) else { continue };
        let program = &file.new.program;
        let has_tests = file.test || program.units.iter().any(|unit| unit.kind == UnitKind::Test);
        if !has_tests {
            continue;
        }
        let known: Vec<&str> = file.old.program.statements.iter().map(|own| own.text.as_str()).collect();
        for (index, statement) in file.added() {
            let Some(mark) = mark(dialect, program, index, statement) else { continue };
            if known.contains(&statement.text.as_str()) || look.change.moved_here(statement) {
                continue;
            }
            // The mark was there, and something else on the line changed.
            let before = known.iter().filter(|text| holds(text, mark)).count();
            let now = program.statements.iter().filter(|own| holds(&own.text, mark)).count();
            if now <= before {
                continue;
            }
            // The test that a mark above or on a head belongs to.
            let unit = program.units.iter().position(|unit| {
                unit.head == index
                    || (unit.head > index
                        && unit.head <= index + 4
                        && statement.tokens.first().is_some_and(|first| first.is("@")))
            });
            let was_there = match unit {
                Some(unit) if program.units.get(unit).is_some_and(|own| own.kind == UnitKind::Test) => {
                    look.kept(file_at, unit).is_some()
                }
                Some(_) => {
                    file.file.old_path.is_some() && {
                        let name = unit
                            .and_then(|unit| program.units.get(unit))
                            .map_or("", |unit| unit.name.as_str());
                        file.old.program.units.iter().any(|old| old.name == name)
                    }
                }
                None => look.was_there(file_at, statement),
            };
            let gate = gate(dialect, program, index, statement);
            let focus = mark.contains("only")
                || mark.contains("focus")
                || mark.starts_with("fit")
                || mark.starts_with("fdesc")
                || mark.starts_with("fcon")
                || matches!(mark, "FIt(" | "FDescribe(");
            let severity = match gate {
                Gate::Platform => Severity::Minor,
                Gate::None | Gate::Always if was_there || focus => Severity::Serious,
                Gate::Server if was_there => Severity::Serious,
                Gate::Unknown if was_there => Severity::Serious,
                Gate::None | Gate::Always | Gate::Server | Gate::Unknown => Severity::Minor,
            };
            // A test that is expected to panic with a text checks that text.
            let text = if focus {
                format!("`{mark}` keeps all other tests from running")
            } else {
                format!("`{mark}` keeps tests from running")
            };
            found.push(at(Detector::TestsSkipped, severity, file, statement, text));
        }
    }
    found
}

fn holds(text: &str, mark: &str) -> bool {
    text.contains(mark)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gate {
    None,
    Always,
    Platform,
    /// It asks whether a build server runs it.
    Server,
    Unknown,
}

/// What has to hold for the mark to count.
fn gate(dialect: Dialect, program: &Program, at: usize, statement: &Statement) -> Gate {
    let text = statement.text.as_str();
    let named = [
        "skipif",
        "skipIf",
        "skipUnless",
        "SkipUnless",
        "SkipWhen",
        "SkipIf",
        "cfg_attr",
        "DisabledOn",
        "DisabledIf",
        "EnabledOn",
        "EnabledIf",
        "runIf",
        "assume",
        "Assume",
        "importorskip",
        "Requires",
        "skip_unless",
        "skip_if",
        "DisabledForJre",
        "skip(process",
        "skip(!",
        ".skip(browserName",
        ".skip(is",
    ];
    let own = named.iter().any(|name| text.contains(name));
    let guard = outer(program, at).take(1).find(|head| {
        head.tokens.first().is_some_and(|first| {
            first.is("if") || first.is("unless") || first.is("elif") || first.is("switch")
        })
    });
    let same_line =
        statement.tokens.iter().skip(1).any(|token| token.is("if") || token.is("unless") || token.is("&&"));
    let guarded = guard.map(|head| head.text.as_str());
    if !own && guarded.is_none() && !same_line {
        return Gate::None;
    }
    let condition = format!("{} {}", if own || same_line { text } else { "" }, guarded.unwrap_or_default());
    let lower = condition.to_lowercase();
    let constant = [
        "(true",
        "(1,",
        "(1)",
        "if true",
        "if(true)",
        "(false)",
        "(false,",
        "if 1",
        "\"true\"",
        "(1==1",
        "not false",
        "||true",
        "or true",
    ];
    if constant.iter().any(|word| lower.contains(word)) {
        return Gate::Always;
    }
    let server = ["\"ci\"", ".ci)", ".ci ", "env.ci", "github_actions", "$ci", "env:ci"];
    if server.iter().any(|word| lower.contains(word)) {
        return Gate::Server;
    }
    let platform = [
        "platform",
        "win32",
        "windows",
        "linux",
        "darwin",
        "macos",
        "version",
        "goos",
        "goarch",
        "os.name",
        "sys.",
        "arch",
        "browser",
        "webkit",
        "firefox",
        "have_",
        "has_",
        "import",
        "find_spec",
        "which",
        "lookpath",
        "exists",
        "shutil",
        "cuda",
        "gpu",
        "avx",
        "docker",
        "installed",
        "available",
        "testing.short",
        "short()",
        "requires",
        "os.",
        "jre",
        "runtimeinformation",
        "php_version",
        "extension",
        "ruby",
        "respond_to",
        "command -v",
        "command",
        "cfg_attr",
        "feature",
        "network",
        "credential",
        "api_key",
        "token",
        "url",
        "getenv",
        "environ",
        "env.",
        "supports",
        "getuid",
        "root",
        "node",
    ];
    if platform.iter().any(|word| lower.contains(word)) {
        return Gate::Platform;
    }
    let _ = dialect;
    Gate::Unknown
}

fn mark(dialect: Dialect, program: &Program, at: usize, statement: &Statement) -> Option<&'static str> {
    let text = statement.text.as_str();
    let any = |marks: &'static [&'static str]| marks.iter().copied().find(|mark| text.contains(mark));
    let begins = |marks: &'static [&'static str]| marks.iter().copied().find(|mark| text.starts_with(mark));
    match dialect {
        Dialect::Rust => any(&["#[ignore", ",ignore)]", ",ignore=", "#[cfg(any())]", "#[cfg(not(test))]"])
            .or_else(|| any(&["#[should_panic]"]))
            .filter(|_| statement.opens || text.contains("ignore")),
        Dialect::Python => any(&[
            "@pytest.mark.skip",
            "@pytest.mark.xfail",
            "@unittest.skip",
            "@unittest.expectedFailure",
            "@skip",
            "@expectedFailure",
            "pytest.skip(",
            "pytest.xfail(",
            "pytest.mark.skip",
            "pytest.mark.xfail",
            ".skipTest(",
            "raise unittest.SkipTest",
            "raise SkipTest",
            "importorskip(",
        ]),
        Dialect::Script => {
            let modified = begins(&[
                "it.skip",
                "test.skip",
                "describe.skip",
                "xit(",
                "xtest(",
                "xdescribe(",
                "it.only",
                "test.only",
                "describe.only",
                "fit(",
                "fdescribe(",
                "test.todo",
                "it.todo",
                "test.fixme",
                "it.fails",
                "test.fails",
                "test.failing",
                "it.failing",
                "test.fail(",
                "it.skipIf",
                "test.skipIf",
                "it.runIf",
                "test.runIf",
                "describe.skipIf",
                "describe.runIf",
                "describe.todo",
                "context.skip",
                "context.only",
                "suite.skip",
                "suite.only",
                "xcontext(",
                "describe.fixme",
            ]);
            modified
                .or_else(|| {
                    begins(&["this.skip(", "ctx.skip(", "context.skip(", "t.skip(", "t.todo(", "pending("])
                })
                .or_else(|| {
                    any(&["{skip:true", ",skip:true", "{todo:true", "{only:true"])
                        .filter(|_| statement.opens || text.contains("test(") || text.contains("it("))
                })
        }
        Dialect::Go => any(&[
            "t.Skip",
            "t.SkipNow",
            "b.Skip",
            "tb.Skip",
            ".T().Skip",
            "s.T().Skip",
            "PIt(",
            "XIt(",
            "FIt(",
            "PDescribe(",
            "FDescribe(",
        ])
        .map(|mark| if mark.contains("Skip") { "t.Skip" } else { mark }),
        Dialect::Java | Dialect::Kotlin => any(&[
            "@Disabled",
            "@Ignore",
            "@Ignored",
            "enabled=false",
            "assumeTrue(",
            "assumeFalse(",
            "Assumptions.abort(",
            "throw new SkipException",
            "assumeThat(",
            "TestAbortedException",
            "expected=AssertionError",
            "expected=Throwable",
            "expected=Exception.class",
            "expected=Error.class",
        ])
        .or_else(|| begins(&["xtest(", "xit(", "xshould(", "xdescribe(", "xcontext("]))
        .or_else(|| any(&[".config(enabled=false)"]))
        .or_else(|| {
            let bang = statement.opens
                && statement.tokens.iter().any(|token| token.is_value() && token.text.starts_with('!'));
            (bang && dialect == Dialect::Kotlin).then_some("!")
        }),
        Dialect::C | Dialect::Cpp => any(&[
            "DISABLED_",
            "GTEST_SKIP(",
            "TEST_IGNORE",
            "TEST_PASS",
            "[!mayfail]",
            "[!shouldfail]",
            "[.]",
            "SKIP(",
            "doctest::skip",
            "boost::unit_test::disabled",
            "[!hide]",
        ]),
        Dialect::CSharp => any(&[
            "Skip=",
            "[Ignore",
            "[Explicit",
            "Assert.Ignore(",
            "Assert.Inconclusive(",
            "Assert.Skip(",
            "Assume.That(",
            "Skip.If(",
        ]),
        Dialect::Ruby => {
            let metadata = any(&[
                "skip:true",
                ":skip",
                "pending:true",
                "focus:true",
                ":focus",
                "skip:\"",
                "pending:\"",
                "skip=>",
            ])
            .filter(|_| statement.opens);
            metadata.or_else(|| {
                let first = statement.tokens.first()?;
                let marks = [
                    ("skip", "skip"),
                    ("pending", "pending"),
                    ("xit", "xit"),
                    ("xdescribe", "xdescribe"),
                    ("xcontext", "xcontext"),
                    ("fit", "fit("),
                    ("fdescribe", "fdescribe("),
                    ("fcontext", "fcontext"),
                    ("xspecify", "xit"),
                ];
                let called = !statement.tokens.get(1).is_some_and(|next| next.is("=") || next.is("."));
                marks.iter().find(|(word, _)| first.is(word) && called).map(|(_, mark)| *mark)
            })
        }
        Dialect::Php => any(&[
            "markTestSkipped(",
            "markTestIncomplete(",
            "->skip(",
            "->todo(",
            "->only(",
            "@group skip",
            "expectNotToPerformAssertions(",
            "#[DoesNotPerformAssertions]",
            "$this->skip(",
        ]),
        Dialect::Shell => {
            let first = statement.tokens.first()?;
            let in_test = program.around(statement.unit).any(|unit| unit.kind == UnitKind::Test);
            let _ = at;
            if first.is("skip") && in_test { Some("skip") } else { None }
        }
        Dialect::Settings => None,
    }
}
