//! Settings of runners, linters and compilers that ask for less: tests that are passed over, thresholds that fell, rules that are off.
//! A setting that is split into two, and a path that holds no tests, are honest.

use jury_core::severity::Severity;

use super::super::Side;
use super::super::detect::{Detector, DiffEvidence};
use super::super::path::{FileKind, is_manifest};
use super::{FileChange, Look, at_line};

pub(super) fn narrowed(look: &Look<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    for file in look.change.files.iter().filter(|file| is_settings(file) && file.file.new_path.is_some()) {
        found.extend(super::thresholds::lowered(file));
        // Pipelines have kinds of their own.
        if !is_pipeline(file.path) {
            found.extend(switches(look, file));
        }
    }
    found
}

fn is_pipeline(path: &str) -> bool {
    (path.ends_with(".yml") || path.ends_with(".yaml"))
        && (path.contains(".github/") || path.contains("-ci.") || path.contains(".circleci"))
}

fn is_settings(file: &FileChange<'_>) -> bool {
    let path = file.path.to_lowercase();
    let name = path.rsplit('/').next().unwrap_or(&path);
    if name != "cmakelists.txt"
        && matches!(file.kind, FileKind::Document | FileKind::Lock | FileKind::Vendored)
    {
        return false;
    }
    is_manifest(file.path)
        || [
            "config",
            "setup.cfg",
            "tox.ini",
            "pytest.ini",
            ".coveragerc",
            ".rspec",
            ".simplecov",
            "phpunit.xml",
            "phpunit.xml.dist",
            "pom.xml",
            "cmakelists.txt",
            "nextest.toml",
            "makefile",
            "conftest.py",
            "codecov",
            ".eslintrc",
            ".rubocop",
            "phpstan",
            "psalm",
            "detekt",
            ".golangci",
            "clippy.toml",
            ".flake8",
            ".pylintrc",
            "mypy.ini",
            "ruff.toml",
            "runsettings",
            ".mocharc",
            "karma",
            "justfile",
            "rakefile",
            "jest",
            "vitest",
            "playwright",
            "cypress",
            "spec_helper",
            "test_helper",
            "detekt",
            "sonar",
            ".stylelintrc",
            "biome",
            "checkstyle",
            "package.json",
        ]
        .iter()
        .any(|word| name.contains(word))
        || [
            ".csproj",
            ".props",
            ".targets",
            ".runsettings",
            ".gradle",
            ".gradle.kts",
            ".neon",
            ".cmake",
            ".ruleset",
        ]
        .iter()
        .any(|end| name.ends_with(end))
        || (name.ends_with(".yml") || name.ends_with(".yaml"))
            && (path.contains("github") || path.contains("ci"))
        || name.starts_with('.')
            && (name.ends_with(".json")
                || name.ends_with(".yml")
                || name.ends_with(".toml")
                || name.ends_with("rc"))
}

/// Words of settings by which tests are passed over or rules are off, in lower case and without space or quotes.
const OFF: &[&str] = &[
    "testpathignorepatterns",
    "testignore",
    "modulepathignorepatterns",
    "collect_ignore",
    "--ignore=",
    "--deselect",
    "norecursedirs",
    "-k\"not",
    "-knot",
    "-mnot",
    "-m\"not",
    "skiptests>true",
    "<skip>true",
    "testfailureignore>true",
    "ignorefailures=true",
    "ignorefailures.set(true",
    "excludetestsmatching",
    "passwithnotests",
    "dangerouslyignoreunhandlederrors",
    "default-filter",
    "autotests=false",
    "harness=false",
    "doctest=false",
    "test=false",
    "will_fail",
    "disabledtrue",
    "propertiesdisabled",
    "compileremove",
    "treatwarningsaserrors>false",
    "treatwarningsaserrors=false",
    "warningsaserrors=false",
    "allwarningsaserrors=false",
    "<exclude>",
    "failonrisky=\"false",
    "failonwarning=\"false",
    "failonrisky=false",
    "excludegroups",
    "<excludes>",
    "enabled=false",
    "onlyif{false}",
    "onlyif(false)",
    "useJUnitPlatform{exclude",
    "strict:false",
    "strict=false",
    "noimplicitany:false",
    "strictnullchecks:false",
    "nouncheckedindexedaccess:false",
    "checkjs:false",
    "skiplibcheck:true",
    "noemitonerror:false",
    "ignore_errors=true",
    "ignore_missing_imports=true",
    "disallow_untyped_defs=false",
    "check_untyped_defs=false",
    "warn_unused_ignores=false",
    "follow_imports=skip",
    "noimplicitreturns:false",
    "nounusedlocals:false",
    "exactoptionalpropertytypes:false",
    "ignore_failures",
    "xfail_strict=false",
    "nullable>disable",
    "--tag~",
    "filter_run_excluding",
    "failifnotests",
    "abortonfail",
    "abortonerror=false",
    "abortonerrorfalse",
    "warningsaserrors>false",
    "maxissues:",
    "checkfailed=false",
    "continueonfailure",
    "allowonly:true",
    "forbidonly:false",
    "faildonwarnings=false",
    "fail_on_error:false",
    "allow_failures",
    "ignorebuilderrors:true",
    "ignoreduringbuilds:true",
    "reportunusedignores",
    "detekt{ignorefailures=true",
    "updatesnapshots:\"all",
    "updatesnapshot",
    "snapshotformat",
    "ci:false",
    "-werror-",
    "stoponfailure",
    "istestproject>false",
    "fail_ci_if_error:false",
    "informational:true",
    "isignorefailures=true",
    "ignorefailures:true",
    "testnamepattern",
];

fn switches(look: &Look<'_>, file: &FileChange<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    let packed = |text: &str| -> String {
        text.to_lowercase().chars().filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\'')).collect()
    };
    let plain_marks: Vec<String> =
        OFF.iter().map(|mark| mark.to_lowercase().chars().filter(|c| !matches!(c, '"')).collect()).collect();
    let old: Vec<String> = file.old.lines.iter().map(|line| packed(&line.text)).collect();
    let others: Vec<String> = look
        .change
        .files
        .iter()
        .filter(|other| !std::ptr::eq(*other, file))
        .flat_map(|other| other.new.changed())
        .map(|line| packed(&line.text))
        .collect();
    for line in file.new.changed() {
        let text = packed(&line.text);
        if text.is_empty()
            || old.contains(&text)
            || text.starts_with('#') && !text.starts_with("#[")
            || text.starts_with("//")
        {
            continue;
        }
        let mut why = None;
        if let Some(mark) = plain_marks.iter().find(|mark| text.contains(mark.as_str())) {
            let longer = !old.iter().any(|own| own.contains(mark.as_str()))
                || old.iter().any(|own| own.contains(mark.as_str()) && own.len() < text.len());
            if longer {
                why = Some(format!("`{mark}` lets the runner pass over something"));
            }
        }
        // Rules of linters.
        let rule_off = [
            ":off",
            ":0,",
            ":[off",
            "=allow",
            "severity:none",
            "severity=none",
            "enabled:false",
            "level=allow",
            ":allow",
        ]
        .iter()
        .any(|mark| text.contains(mark) || text.ends_with(mark.trim_end_matches(',')) && mark.ends_with(','));
        let lint_file = [
            "eslint",
            "rubocop",
            "clippy",
            "cargo.toml",
            "biome",
            "golangci",
            "editorconfig",
            "stylelint",
            "detekt",
            "ruff",
            "pylint",
            "flake8",
            "pyproject",
            "tslint",
            "package.json",
            "phpcs",
            "checkstyle",
            ".ruleset",
            "globalconfig",
            "setup.cfg",
            "tox.ini",
            "lint",
            "swiftlint",
            "ktlint",
        ]
        .iter()
        .any(|word| file.path.to_lowercase().contains(word));
        if rule_off && lint_file && why.is_none() {
            why = Some("a rule is switched off".to_owned());
        }
        let ignores = [
            "ignore=",
            "ignore:",
            "extend-ignore=",
            "disable=",
            "disable:",
            "per-file-ignores",
            "ignoreerrors:",
            "excludepaths",
            "exclude=",
            "exclude:",
            "nowarn>",
            "exclude-rules",
            "exclude_also",
            "exclude_lines",
            "omit=",
            "omit:",
            "coveragepathignorepatterns",
            "ignorepatterns",
            "suppress",
            "baseline",
            "include:",
            "testmatch:",
            "testpaths",
            "python_files",
            "spec:",
            "omit",
            "exclusions",
            "disabled",
        ]
        .iter()
        .find(|mark| {
            text.starts_with(**mark)
                || text.starts_with(&format!("{{{mark}"))
                || text.trim_start_matches('-').starts_with(**mark)
        });
        if let Some(mark) = ignores.filter(|_| why.is_none()) {
            let before = file
                .old
                .changed()
                .map(|own| packed(&own.text))
                .find(|own| own.starts_with(mark.trim_end_matches([':', '='])));
            let narrows = matches!(*mark, "include:" | "testmatch:" | "testpaths" | "python_files" | "spec:");
            let is_runner = [
                "jest",
                "vitest",
                "playwright",
                "pytest",
                "conftest",
                "tox",
                "setup.cfg",
                "pyproject",
                "mocharc",
                "tsconfig",
                "phpunit",
                "coveragerc",
                "codecov",
                "eslint",
                "mypy",
                "flake8",
                "pylint",
                "ruff",
                "golangci",
                "rubocop",
                "phpstan",
                "nextest",
                "karma",
                "detekt",
                "sonar",
                "csproj",
                "cypress",
            ]
            .iter()
            .any(|word| file.path.to_lowercase().contains(word));
            let files = [
                "node_modules",
                "dist",
                "build",
                "vendor",
                ".git",
                "target",
                "coverage",
                "e2e",
                "migrations",
                "generated",
                ".venv",
            ];
            let harmless = files.iter().any(|word| text.contains(word))
                && !text.contains("test")
                && !text.contains("spec")
                && !text.contains("src");
            let longer = before.as_ref().is_none_or(|before| before.len() < text.len());
            let grew = if narrows { before.is_some() && !longer } else { longer };
            if is_runner && grew && !harmless && file.file.old_path.is_some() {
                why = Some("the runner is told to look at less".to_owned());
            }
        }
        // An entry of a list of what is ignored.
        if why.is_none()
            && (text.starts_with('-')
                || text.starts_with('!')
                || text.ends_with(',')
                || text.starts_with("**")
                || text.contains('/'))
        {
            let above = file
                .new
                .lines
                .iter()
                .rev()
                .filter(|own| own.number < line.number)
                .take(8)
                .map(|own| packed(&own.text))
                .find(|own| {
                    own.ends_with(':') || own.ends_with('[') || own.ends_with(":[") || own.ends_with('=')
                });
            let list = above.is_some_and(|above| {
                ["ignore", "exclude", "disable", "omit", "skip", "deselect", "nowarn"]
                    .iter()
                    .any(|word| above.contains(word))
            });
            let said = text.trim_matches(['-', ',', '[', ']']);
            let tests = ["test", "spec", "src/", "**/*"].iter().any(|word| said.contains(word));
            let code = said.len() <= 8
                && said.chars().any(|c| c.is_ascii_digit())
                && said.starts_with(char::is_alphabetic);
            if list && (tests || code) && !said.contains("e2e") && !said.contains("fixture") {
                why = Some("the runner is told to pass over more".to_owned());
            }
        }
        let Some(why) = why else { continue };
        // A test that is new is meant to fail; one that is there is not.
        if text.contains("will_fail") {
            let name =
                text.split('(').nth(1).unwrap_or_default().split("properties").next().unwrap_or_default();
            if !name.is_empty() && !old.iter().any(|own| own.contains(name)) {
                continue;
            }
        }
        // What is passed over here runs elsewhere.
        let pattern = text
            .split([':', '='])
            .next_back()
            .unwrap_or_default()
            .trim_matches(['[', ']', ',', '*', '/', '{', '}'])
            .to_owned();
        let elsewhere =
            file.new.changed().filter(|own| own.number != line.number).map(|own| packed(&own.text));
        let core: String =
            pattern.chars().filter(|c| c.is_alphanumeric() || matches!(c, '/' | '_')).collect();
        let split = core.len() > 2
            && (others
                .iter()
                .cloned()
                .chain(elsewhere)
                .any(|own| own.contains(&core) && !own.contains("exclude") && !own.contains("ignore")))
            || pattern.contains("fixture")
            || pattern.contains("e2e")
            || pattern.contains("integration") && others.iter().any(|own| own.contains("integration"));
        let severity =
            if split || pattern.contains("node_modules") { Severity::Minor } else { Severity::Serious };
        found.push(at_line(Detector::RunnerNarrowed, severity, file, Side::New, line.number, why));
    }
    // What was strict is not any more.
    for line in file.old.changed() {
        let text = packed(&line.text);
        let strict = [
            "strict:true",
            "strict=true",
            "xfail_strict=true",
            "--strict",
            "-werror",
            "warningsaserrors>true",
            "allwarningsaserrors=true",
            "failonrisky=true",
            "failonwarning=true",
            "disallow_untyped_defs=true",
            "noimplicitany:true",
            "strictnullchecks:true",
            "forbidonly:true",
            "forbidonly:!!process.env.ci",
            "deny(warnings)",
            "rustflags:-dwarnings",
            "=deny",
            "=forbid",
            "error_on_warning",
            "filterwarnings",
            "nullable>enable",
            "-race",
            "ignorefailures=false",
            "--strict-markers",
            "--max-warnings=0",
            "--max-warnings0",
            "-dwarnings",
            "-d warnings",
            "abortonerror=true",
        ]
        .iter()
        .find(|mark| text.contains(**mark));
        let Some(mark) = strict else { continue };
        let back = file.new.lines.iter().any(|own| packed(&own.text).contains(*mark))
            || others.iter().any(|own| own.contains(*mark));
        let stronger =
            *mark == "=deny" && file.new.lines.iter().any(|own| packed(&own.text).contains("=forbid"));
        if !back && !stronger {
            found.push(at_line(
                Detector::RunnerNarrowed,
                Severity::Serious,
                file,
                Side::Old,
                line.number,
                format!("`{mark}` was asked for, and is not any more"),
            ));
        }
    }
    found
}
