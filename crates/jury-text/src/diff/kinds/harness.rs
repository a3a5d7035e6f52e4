//! Runners that are made to say yes: hooks that rewrite outcomes, `TestMain` that runs nothing, programs that end with success before
//! there is a result, matchers that are replaced. Hooks that add a mark, and matchers that can fail, are honest.

use jury_core::severity::Severity;

use super::super::detect::{Detector, DiffEvidence};
use super::super::model::{Dialect, Kind, Program, Statement, UnitKind};
use super::clock::is_setup;
use super::{Look, at, outer};

pub(super) fn patched(look: &Look<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    for file in look.change.files.iter() {
        let Some(dialect) = file.dialect.filter(|dialect| !matches!(dialect, Dialect::Settings)) else {
            continue;
        };
        let program = &file.new.program;
        let setup = is_setup(file.path);
        for (index, statement) in file.added() {
            if look.change.moved_here(statement) {
                continue;
            }
            let why = if let Some(why) = ends(dialect, file.test || setup, file.path, program, statement) {
                why
            } else if let Some(why) = hooked(program, index, statement) {
                why
            } else if (setup || file.test) && replaces(statement) {
                "what tests assert with is replaced"
            } else if setup && swaps(program, index, statement) {
                "every test runs with a part of the product replaced"
            } else {
                continue;
            };
            found.push(at(Detector::HarnessPatched, Severity::Serious, file, statement, why));
        }
        // `TestMain` has to run something.
        for unit in program.units.iter().filter(|unit| unit.name == "TestMain" && dialect == Dialect::Go) {
            let body = program.body(unit);
            let runs = body.iter().any(|own| own.text.contains(".Run()"));
            let passes_on =
                body.iter().any(|own| own.text.contains("os.Exit(") && !own.text.contains("os.Exit(0)"));
            let fixed = body.iter().any(|own| own.text.contains("os.Exit(0)"));
            let changed = program.head(unit).into_iter().chain(body).find(|own| own.changed);
            let kept = body.iter().any(|own| own.text == "m.Run()") && !fixed;
            if let Some(statement) = changed.filter(|_| !passes_on && (!runs || fixed)) {
                let _ = kept;
                found.push(at(
                    Detector::HarnessPatched,
                    Severity::Serious,
                    file,
                    statement,
                    "`TestMain` does not pass on how the tests went",
                ));
            }
        }
    }
    found
}

/// The program ends with success.
fn ends(
    dialect: Dialect,
    in_tests: bool,
    path: &str,
    program: &Program,
    statement: &Statement,
) -> Option<&'static str> {
    let text = statement.text.as_str();
    let hard = [
        "os._exit(0)",
        "exit!(0)",
        "exit!(true)",
        ".halt(0)",
        "quick_exit(0)",
        "_exit(0)",
        "_Exit(0)",
        "Environment.FailFast(",
    ];
    let soft = [
        "sys.exit(0)",
        "process.exit(0)",
        "System.exit(0)",
        "os.Exit(0)",
        "process::exit(0)",
        "exit(0)",
        "Environment.Exit(0)",
        "exitProcess(0)",
        "process.exitCode=0",
        "process.reallyExit(0)",
        "sys.exit()",
        "exit(EXIT_SUCCESS)",
        "at_exit",
    ];
    let registered = text.contains("atexit.register(")
        || text.contains("at_exit")
        || text.contains("register_shutdown_function")
        || text.contains("addShutdownHook")
        || text.contains("process.on(\"exit\"");
    let is_hard = hard.iter().any(|mark| text.contains(mark));
    let is_soft = soft.iter().any(|mark| text.contains(mark)) && !registered;
    if dialect == Dialect::Shell
        || !["xit", "halt", "FailFast", "shutdown"].iter().any(|word| text.contains(word))
    {
        return None;
    }
    if is_hard {
        return Some("the program ends with success, whatever happened");
    }
    let in_exit = outer(
        program,
        program.statements.iter().position(|own| std::ptr::eq(own, statement)).unwrap_or_default(),
    )
    .any(|head| {
        head.text.contains("atexit")
            || head.text.contains("at_exit")
            || head.text.contains("process.on(\"exit\"")
            || head.text.contains("ShutdownHook")
    });
    if (registered || in_exit)
        && (is_soft || soft.iter().any(|mark| text.contains(mark)) && text.contains("0"))
    {
        return Some("the program ends with success, whatever happened");
    }
    if is_soft && in_tests {
        // A helper program that a test starts has a `main`.
        let main = program.owner(statement).is_some_and(|unit| unit.name == "main");
        return (!main || dialect == Dialect::C).then_some("the run of the tests ends here with success");
    }
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let entry = ["main", "cli", "index", "cmd", "app", "server", "bin", "run", "__main__", "manage"]
        .iter()
        .any(|word| name.starts_with(word))
        || path.contains("/bin/")
        || path.contains("cmd/")
        || path.contains("scripts/");
    let imported = statement.unit.is_none()
        && !entry
        && is_soft
        && program.units.iter().any(|unit| unit.kind == UnitKind::Function);
    imported.then_some("whoever loads this file ends with success")
}

/// A hook of the runner that changes how tests went, or which there are.
fn hooked(program: &Program, index: usize, statement: &Statement) -> Option<&'static str> {
    let hooks = [
        "pytest_runtest_makereport",
        "pytest_runtest_logreport",
        "pytest_collection_modifyitems",
        "pytest_runtest_call",
        "pytest_sessionfinish",
        "pytest_runtest_protocol",
        "pytest_pyfunc_call",
        "pytest_ignore_collect",
        "pytest_assertrepr_compare",
        "pytest_terminal_summary",
        "pytest_exception_interact",
        "pytest_report_teststatus",
        "pytest_collection_finish",
        "pytest_deselected",
    ];
    let owner = program.owner(statement)?;
    let hook = hooks.contains(&owner.name.as_str());
    let text = statement.text.as_str();
    let rewrites = [
        "outcome=",
        "exitstatus=",
        ".outcome",
        "items[:]=",
        "items.clear()",
        "del items",
        "force_result",
        "force_exception",
        "pytest.mark.skip",
        "pytest.mark.xfail",
        "session.testsfailed",
        "testsfailed=",
        "wasxfail",
        "excinfo=",
        "return True",
        "shouldfail",
        "items=",
        "passed",
        "sections=",
        "longrepr=",
        "pytest_deselected",
        "return[]",
    ];
    let widens = hook
        && statement.opens
        && statement.tokens.first().is_some_and(|first| first.is("if"))
        && statement.tokens.iter().any(|token| token.is("or"));
    if widens {
        return Some("a hook of the runner passes over more than before");
    }
    if hook && rewrites.iter().any(|mark| text.contains(mark)) {
        let slow = program.body(owner).iter().any(|own| {
            own.text.contains("\"slow\"")
                || own.text.contains("--run")
                || own.text.contains("getoption")
                || own.text.contains("integration")
        });
        return (!slow || text.contains("outcome") || text.contains("exitstatus"))
            .then_some("a hook of the runner rewrites how tests went, or which there are");
    }
    let forgives = [
        "set_exception(nil",
        "@exception=nil",
        "exception=nil",
        "errors=[]",
        ".state=\"passed\"",
        "state=\"pass\"",
        "result.state=",
        "err=null",
        "currentTest.state",
        "examples.clear",
        "failures.clear",
        "assertionCalls",
        "@exception",
        "status=:passed",
        "execution_result",
    ];
    if text.contains(".exit_code=0")
        || text.contains("failure_exit_code=0")
        || text.contains("failure_exit_code 0")
    {
        return Some("a hook of the runner rewrites how tests went");
    }
    if !forgives.iter().any(|mark| text.contains(mark)) {
        return None;
    }
    let spec_hooks = outer(program, index).any(|head| {
        let text = head.text.as_str();
        (text.starts_with("afterEach(")
            || text.contains("config.after")
            || text.contains("config.around")
            || text.contains("after(:each")
            || text.contains("onTestFinished(")
            || text.contains("around(:each"))
            && head.opens
    });
    spec_hooks.then_some("a hook of the runner rewrites how tests went")
}

/// The functions that tests assert with.
fn replaces(statement: &Statement) -> bool {
    let text = statement.text.as_str();
    let names = [
        "expect=",
        "global.expect=",
        "globalThis.expect=",
        "global.it=",
        "globalThis.it=",
        "globalThis.test=",
        "global.test=",
        "assert.equal=",
        "assert.strictEqual=",
        "assert.deepEqual=",
        "assert.deepStrictEqual=",
        "TestCase.assertEqual=",
        "unittest.TestCase.assert",
        "pytest.raises=",
        "chai.assert=",
        "global.describe=",
        "globalThis.describe=",
        "unittest.TestCase.run=",
        "unittest.TestCase.fail",
    ];
    let begins = names.iter().any(|name| text.starts_with(name));
    let extended = text.starts_with("expect.extend(")
        && ["toBe", "toEqual", "toStrictEqual", "toThrow", "toMatchObject", "toContain", "toHaveLength"]
            .iter()
            .any(|name| statement.tokens.iter().any(|token| token.is(name)));
    let redefined = [
        "def assert_equal",
        "def assert_eq",
        "assert_equal()",
        "assert_output()",
        "assert_success()",
        "#define EXPECT_EQ",
        "#define ASSERT_EQ",
        "#define assert(",
        "#define CHECK(",
        "#define REQUIRE(",
        "#define TEST_ASSERT",
        "#define NDEBUG",
        "macro_rules!assert_eq",
        "macro_rules! assert",
    ]
    .iter()
    .any(|name| text.starts_with(name));
    begins
        || extended
        || (redefined
            && statement.tokens.first().is_some_and(|first| first.kind == Kind::Directive || statement.opens))
}

/// A fixture of all tests that replaces something of the product.
fn swaps(program: &Program, index: usize, statement: &Statement) -> bool {
    let text = statement.text.as_str();
    let sets = text.contains("monkeypatch.setattr(")
        || text.contains("mock.patch(")
        || text.contains("mocker.patch(")
        || text.starts_with("with patch(")
        || text.starts_with("with mock.patch")
        || text.starts_with("jest.mock(\"..")
        || text.starts_with("jest.mock(\"@/")
        || text.starts_with("vi.mock(\"..")
        || text.starts_with("jest.mock(\"./")
        || text.starts_with("vi.mock(\"./")
        || text.starts_with("vi.mock(\"@/")
        || text.contains("allow_any_instance_of(")
        || text.starts_with("jest.spyOn(") && text.contains("mockRe")
        || text.starts_with("vi.spyOn(") && text.contains("mockRe")
        || text.contains("patch.object(");
    // `shop.stock.Stock = Other` on the first level: a module that was imported has another class for all.
    let module = statement
        .tokens
        .first()
        .filter(|first| first.kind == Kind::Word)
        .map_or("", |first| first.text.as_str());
    let dotted = statement.tokens.get(1).is_some_and(|next| next.is("."));
    let assigns = statement.tokens.iter().take(8).any(|token| token.is("="));
    let imported = program.statements.iter().any(|own| {
        (own.text.starts_with("import ") || own.text.starts_with("from "))
            && own.tokens.iter().any(|token| token.is(module))
    });
    if dotted
        && assigns
        && imported
        && statement.depth == 0
        && !matches!(module, "os" | "sys" | "process" | "warnings" | "matplotlib" | "settings" | "logging")
    {
        return true;
    }
    let outside = [
        "time",
        "sleep",
        "requests",
        "environ",
        "random",
        "datetime",
        "urllib",
        "socket",
        "fetch",
        "axios",
        "stdin",
        "stdout",
        "getenv",
        "boto",
        "smtplib",
        "uuid",
        "console",
        "Date",
        "localStorage",
        "http",
        "network",
        "home",
        "cwd",
        "tmp",
        "matchMedia",
        "ResizeObserver",
        "open",
    ];
    let collaborator = outside.iter().any(|word| text.to_lowercase().contains(&word.to_lowercase()));
    let unit = program.owner(statement);
    let automatic = unit.is_none_or(|unit| {
        unit.marks.contains("autouse=True")
            || unit.name.starts_with("pytest_")
            || unit.name.starts_with("setUp")
    }) || outer(program, index).any(|head| {
        head.text.starts_with("beforeEach(")
            || head.text.starts_with("beforeAll(")
            || head.text.contains("config.before")
    });
    let assigned = unit.is_some_and(|unit| unit.marks.contains("autouse=True")) && text.contains(".=");
    (sets || assigned) && automatic && !collaborator
}
