//! Files that decide which checks run and what their failure means: settings of test runners, of coverage, of linters and type
//! checkers, pipelines, and the parts of build files that call them.

use super::code::{numbers, value, words};
use super::path::last_ending;

/// How much of a file is about checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deciding {
    /// All of it.
    Whole,
    /// Some sections or targets.
    Part,
    /// Nothing.
    None,
}

/// Programs that check, and what they are set up by: a file that is called after one is about checks as a whole.
const TOOLS: &[&str] = &[
    "pytest",
    "tox",
    "nox",
    "noxfile",
    "coverage",
    "coveragerc",
    "jest",
    "vitest",
    "karma",
    "mocha",
    "mocharc",
    "ava",
    "jasmine",
    "cypress",
    "playwright",
    "wdio",
    "nyc",
    "nycrc",
    "c8",
    "c8rc",
    "codecov",
    "coveralls",
    "phpunit",
    "pest",
    "behat",
    "codeception",
    "infection",
    "rspec",
    "simplecov",
    "nextest",
    "tarpaulin",
    "testng",
    "runsettings",
    "ctest",
    "ctestconfig",
    "ctestcustom",
    "junit",
    "lcovrc",
    "slather",
    "excoveralls",
    "coverlet",
    "stryker",
    "mutmut",
    "eslint",
    "eslintrc",
    "eslintignore",
    "tslint",
    "biome",
    "oxlintrc",
    "stylelint",
    "stylelintrc",
    "flake8",
    "pylintrc",
    "pylint",
    "mypy",
    "pyrightconfig",
    "ruff",
    "bandit",
    "golangci",
    "staticcheck",
    "clippy",
    "phpstan",
    "psalm",
    "phpcs",
    "rubocop",
    "standardrb",
    "sorbet",
    "steep",
    "detekt",
    "checkstyle",
    "pmd",
    "spotbugs",
    "ktlint",
    "swiftlint",
    "credo",
    "dialyzer",
    "shellcheckrc",
    "hadolint",
    "lefthook",
    "husky",
    "lintstagedrc",
    "commitlint",
    "globalconfig",
    "editorconfig",
    "clang",
    "cppcheck",
    "shunit2",
    "bats",
    "kover",
    "jacoco",
];

/// Services that run the checks.
const SERVICES: &[&str] = &[
    "jenkinsfile",
    "azure-pipelines",
    "appveyor",
    "bitbucket-pipelines",
    "cloudbuild",
    "buildspec",
    "wercker",
    "codefresh",
    "semaphore",
];

/// Build files in which some lines are about checks.
const BUILDS: &[&str] = &[
    "package.json",
    "pyproject.toml",
    "setup.cfg",
    "cargo.toml",
    "makefile",
    "gnumakefile",
    "justfile",
    "rakefile",
    "gemfile",
    "composer.json",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "cmakelists.txt",
    "meson.build",
    "mix.exs",
    "build.sbt",
    "deno.json",
    "deno.jsonc",
    "taskfile.yml",
    "taskfile.yaml",
    "directory.build.props",
    "project.clj",
    "build.zig",
    "package.swift",
    "turbo.json",
    "nx.json",
    "angular.json",
    "vite.config.ts",
    "vite.config.js",
    "dockerfile",
    "procfile",
    "run_tests.sh",
    "run-tests.sh",
];

/// Words of lines and sections that are about checks.
const CHECKS: &[&str] = &[
    "test",
    "tests",
    "pretest",
    "posttest",
    "testing",
    "unittest",
    "doctest",
    "doctests",
    "spec",
    "specs",
    "check",
    "checks",
    "lint",
    "lints",
    "linter",
    "linting",
    "typecheck",
    "coverage",
    "cov",
    "cover",
    "ci",
    "verify",
    "threshold",
    "thresholds",
    "fail_under",
    "addopts",
    "testpaths",
    "harness",
    "strict",
    "junit",
    "usejunitplatform",
    "surefire",
    "failsafe",
    "skiptests",
    "maven.test.skip",
    "treatwarningsaserrors",
    "nowarn",
    "werror",
    "wall",
    "warnings",
    "warningsaserrors",
    "warningsnotaserrors",
    "nullable",
    "analysismode",
    "add_test",
    "enable_testing",
    "gtest_discover_tests",
    "set_tests_properties",
    "ctest",
    "ignorefailures",
    "allwarningsaserrors",
    "filterwarnings",
    "verification",
    "rules",
    "wextra",
    "pedantic",
    "deny",
    "forbid",
];

impl Deciding {
    pub(super) fn of(path: &str) -> Self {
        let lower = path.to_ascii_lowercase();
        let name = lower.rsplit('/').next().unwrap_or(&lower);
        let stem = name.trim_start_matches('.').split(['.', '_']).next().unwrap_or(name);
        let tool = name.trim_start_matches('.').split(['.', '-', '_']).next().unwrap_or(name);
        if is_pipeline(path) {
            return Self::Whole;
        }
        if [
            "conftest.py",
            "sitecustomize.py",
            ".rspec",
            "spec_helper.rb",
            "rails_helper.rb",
            "test_helper.rb",
            "test_helper.exs",
            ".lintstagedrc",
            "setuptests.ts",
            "setuptests.js",
        ]
        .contains(&name)
            || name.starts_with("tsconfig") && last_ending(name) == "json"
            || lower.contains(".husky/")
            || lower.contains(".githooks/")
            || name == ".pre-commit-config.yaml"
            || name == "sonar-project.properties"
            || name == ".editorconfig"
            || name.ends_with(".runsettings")
            || name == "xunit.runner.json"
        {
            return Self::Whole;
        }
        if BUILDS.contains(&name)
            || ["csproj", "fsproj", "vbproj", "gradle", "bazel", "mk"].contains(&last_ending(name).as_str())
        {
            return Self::Part;
        }
        // A source file may have the name of a tool; its settings are no program, or say that they are settings.
        let ending = last_ending(name);
        let set_up = [
            "ini",
            "cfg",
            "toml",
            "json",
            "jsonc",
            "json5",
            "yml",
            "yaml",
            "xml",
            "dist",
            "neon",
            "properties",
            "conf",
            "plist",
            "cmake",
        ]
        .contains(&ending.as_str())
            || name.contains(".config.")
            || name.contains(".setup.")
            || name.contains(".conf.")
            || name.starts_with('.')
            || name == "noxfile.py";
        if set_up && (TOOLS.contains(&stem) || TOOLS.contains(&tool)) { Self::Whole } else { Self::None }
    }

    /// The line is about checks, under the heading that it stands under.
    pub(super) fn covers(self, text: &str, heading: &str) -> bool {
        match self {
            Self::Whole => true,
            Self::None => false,
            Self::Part => !is_dependency(text) && (says_check(text) || says_check(heading)),
        }
    }
}

/// A file of a service that runs the checks.
pub(super) fn is_pipeline(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or(&lower);
    let folder = [
        ".github/workflows/",
        ".github/actions/",
        ".circleci/",
        ".buildkite/",
        ".woodpecker/",
        ".forgejo/workflows/",
        ".gitea/workflows/",
    ];
    let dotted = [
        ".gitlab-ci.yml",
        ".gitlab-ci.yaml",
        ".travis.yml",
        ".drone.yml",
        ".cirrus.yml",
        ".woodpecker.yml",
        ".appveyor.yml",
    ];
    folder.iter().any(|folder| lower.starts_with(folder) || lower.contains(&format!("/{folder}")))
        || dotted.contains(&name)
        || SERVICES.iter().any(|service| name.starts_with(service))
}

fn says_check(text: &str) -> bool {
    let lower = text.to_lowercase();
    words(&lower).any(|word| {
        let word = word.trim_matches('_');
        CHECKS.contains(&word)
            || TOOLS.contains(&word)
            || word
                .split('_')
                .any(|part| ["test", "tests", "coverage", "lint", "check", "warnings"].contains(&part))
    })
}

/// The version of something that is used: `"jest": "^29"`, `pytest>=8`, `testImplementation("…:1.2")`.
fn is_dependency(text: &str) -> bool {
    let text = text.trim().trim_end_matches(',');
    let value = text
        .split_once([':', '='])
        .map_or("", |(_, value)| value)
        .trim()
        .trim_matches(['"', '\'', '{', '}', ' ']);
    let version = value.trim_start_matches(['^', '~', '>', '<', '=', 'v', ' ']);
    let numbered = version.starts_with(|c: char| c.is_ascii_digit()) && version.contains('.')
        || value.starts_with("workspace:")
        || value.starts_with("version")
        || value.starts_with("path =");
    let pinned = [">=", "==", "~=", "<="].iter().any(|mark| text.contains(mark))
        && !text.contains(" = ")
        && text.starts_with(['"', '\'']);
    let declared = [
        "implementation(",
        "testImplementation",
        "api(",
        "androidTestImplementation",
        "testRuntimeOnly",
        "gem ",
        "<artifactId>",
        "<groupId>",
        "<version>",
        "<PackageReference",
        "<PackageVersion",
        "id(",
        "alias(",
        "pod ",
    ]
    .iter()
    .any(|mark| text.starts_with(mark));
    numbered || pinned || declared
}

/// A setting that leaves something out, or forgives it.
pub(super) fn leaves_out(path: &str, text: &str) -> bool {
    let lower = text.to_lowercase();
    let forgives = [
        "|| true",
        "|| :",
        "|| exit 0",
        "|| echo",
        "set +e",
        "--no-verify",
        " -k ",
        "--lf",
        "continue-on-error: true",
        "continueonerror: true",
        "allow_failure: true",
        "if: false",
        "--exit-zero",
        "--passwithnotests",
        "--if-present",
        "--deselect",
        "--ignore",
        "--no-fail",
    ];
    if forgives.iter().any(|mark| lower.contains(mark)) {
        return true;
    }
    if is_pipeline(path) {
        return lower.contains("paths-ignore") || lower.contains("branches-ignore");
    }
    let named = [
        "ignore",
        "exclude",
        "omit",
        "skip",
        "deselect",
        "passwithnotests",
        "allowfailure",
        "norecurse",
        "nowarn",
        "suppress",
        "disable",
    ];
    let packed = |text: &str| text.replace(['-', '_'], "");
    let off = lower.trim_end_matches([',', ';', ' ']).ends_with("false")
        || lower.contains(": off")
        || lower.contains("\"off\"");
    let checks = [
        "strict",
        "check",
        "threshold",
        "werror",
        "coverage",
        "noimplicit",
        "enabled",
        "test",
        "harness",
        "rule",
        "warn",
        "unused",
        "all",
    ];
    words(&lower).any(|word| named.iter().any(|own| packed(word).contains(own)))
        || off
            && (checks.iter().any(|word| packed(&lower).contains(word))
                || lower.contains('\'')
                || lower.contains("\"off\""))
}

/// The same setting with a smaller number: a bar that sinks.
pub(super) fn sinks(was: &str, is: &str) -> bool {
    let parted = |text: &str| {
        text.trim()
            .trim_end_matches(',')
            .chars()
            .filter(|c| !c.is_ascii_digit() && *c != '.')
            .collect::<String>()
    };
    let (old, new) = (numbers(was), numbers(is));
    let lower = was.to_lowercase();
    let bar = [
        "cov",
        "threshold",
        "fail",
        "under",
        "min",
        "lines",
        "branches",
        "functions",
        "statements",
        "msi",
        "target",
        "level",
    ]
    .iter()
    .any(|word| lower.contains(word));
    bar && parted(was) == parted(is)
        && old.len() == new.len()
        && old
            .iter()
            .zip(&new)
            .any(|(old, new)| value(old).zip(value(new)).is_some_and(|(old, new)| new < old))
}

/// The prompt speaks of what this file is about.
pub(super) fn is_asked(path: &str, prompt: &str) -> bool {
    let prompt = prompt.to_lowercase();
    let said: Vec<&str> = words(&prompt).collect();
    let lower = path.to_lowercase();
    let name = lower.rsplit('/').next().unwrap_or(&lower);
    let topics: &[&str] = if is_pipeline(path) {
        &[
            "ci",
            "workflow",
            "workflows",
            "pipeline",
            "pipelines",
            "actions",
            "job",
            "jobs",
            "jenkins",
            "travis",
            "circleci",
            "deploy",
            "release",
            "cache",
            "matrix",
        ]
    } else if name.contains("cov") || name.contains("nyc") || name.contains("c8") {
        &["coverage", "covered", "cover", "threshold"]
    } else {
        &[
            "config",
            "configuration",
            "settings",
            "setup",
            "script",
            "scripts",
            "target",
            "build",
            "lint",
            "linter",
            "warnings",
            "strict",
            "coverage",
            "runner",
            "flags",
            "compiler",
            "analyzers",
        ]
    };
    let own = words(name).flat_map(|word| word.split('_')).filter(|word| {
        word.len() > 2
            && ![
                "json", "toml", "yml", "yaml", "xml", "config", "dist", "ini", "test", "tests", "build",
                "package", "txt",
            ]
            .contains(word)
    });
    let made = name.contains("makefile") && said.contains(&"make")
        || name == "package.json" && said.iter().any(|word| ["npm", "yarn", "pnpm"].contains(word));
    prompt.contains(name) || made || own.chain(topics.iter().copied()).any(|topic| said.contains(&topic))
}
