//! Checks that no longer run, or that can no longer fail: steps and scripts of builds that lose their command, their exit status or
//! their trigger. A step that uploads, caches, measures or cleans up may fail as it likes.

use jury_core::severity::Severity;

use super::super::Side;
use super::super::detect::{Detector, DiffEvidence};
use super::super::model::TextLine;
use super::super::path::FileKind;
use super::{FileChange, Look, at_line};

/// Programs that check.
const CHECKS: &[&str] = &[
    "pytest",
    "unittest",
    "tox",
    "nox",
    "jest",
    "vitest",
    "mocha",
    "ava ",
    "cargo test",
    "cargo nextest",
    "cargo clippy",
    "cargo fmt",
    "go test",
    "go vet",
    "golangci-lint",
    "staticcheck",
    "npm test",
    "npm t ",
    "npm run test",
    "npm run lint",
    "npm run typecheck",
    "npm run check",
    "npm run build",
    "yarn test",
    "yarn lint",
    "yarn run test",
    "pnpm test",
    "pnpm lint",
    "pnpm run",
    "pnpm -r",
    "bun test",
    "mvn ",
    "mvnw",
    "gradle ",
    "gradlew",
    "ctest",
    "rspec",
    "rake test",
    "rake spec",
    "rails test",
    "phpunit",
    "pest",
    "phpstan",
    "psalm",
    "eslint",
    "tsc",
    "mypy",
    "pyright",
    "ruff",
    "flake8",
    "pylint",
    "black --check",
    "rubocop",
    "bats",
    "shellcheck",
    "dotnet test",
    "dotnet build",
    "make test",
    "make check",
    "make lint",
    "just test",
    "playwright test",
    "cypress run",
    "prettier --check",
    "biome",
    "deno test",
    "detekt",
    "ktlint",
    "checkstyle",
    "spotbugs",
    "sbt test",
    "swift test",
    "bandit",
    "cargo audit",
    "npm audit",
    "run_tests",
    "runtests",
    "run-tests",
    "cargo check",
    "clang-tidy",
    "cppcheck",
    "meson test",
    "node --test",
    "test.sh",
    "tests.sh",
    "check.sh",
    "lint.sh",
];

pub(super) fn checks(line: &str) -> Option<&'static str> {
    let lower = line.to_lowercase();
    let trimmed = lower.trim_start_matches(['#', ' ', '-', '@', '\t']);
    if trimmed.starts_with("echo ")
        || trimmed.starts_with("name:")
        || trimmed.starts_with("uses:")
        || lower.trim_start().starts_with('#')
        || lower.trim_start().starts_with("//")
        || trimmed.starts_with("pip install")
        || trimmed.starts_with("run: pip install")
        || trimmed.starts_with("run: echo")
    {
        return None;
    }
    CHECKS.iter().copied().find(|check| {
        trimmed.match_indices(check).any(|(at, _)| {
            let before = trimmed.get(..at).and_then(|text| text.chars().next_back());
            let after = trimmed.get(at + check.len()..).and_then(|text| text.chars().next());
            !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '@'))
                && !after.is_some_and(|c| c.is_alphanumeric() || c == '_')
        })
    })
}

/// Whether the file runs checks: a pipeline, a script, a makefile, a manifest with scripts.
fn runs_checks(file: &FileChange<'_>) -> bool {
    let path = file.path.to_lowercase();
    let name = path.rsplit('/').next().unwrap_or(&path);
    let yaml = name.ends_with(".yml") || name.ends_with(".yaml");
    (yaml
        && (path.contains(".github/")
            || path.contains(".gitlab")
            || path.contains("ci")
            || path.contains("pipeline")
            || path.contains("workflows")
            || name.starts_with('.')
            || name.contains("taskfile")
            || path.contains(".circleci")
            || name.contains("action")))
        || matches!(
            name,
            "package.json"
                | "composer.json"
                | "makefile"
                | "gnumakefile"
                | "justfile"
                | "tox.ini"
                | "noxfile.py"
                | "rakefile"
                | "jenkinsfile"
                | "dockerfile"
                | "build.gradle"
                | "build.gradle.kts"
                | "pyproject.toml"
                | "deno.json"
                | "lefthook.yml"
        )
        || name.ends_with(".mk")
        || [".sh", ".bash", ".ps1", ".bat", ".cmd"].iter().any(|end| name.ends_with(end))
        || path.starts_with(".husky/")
        || path.contains("hooks/")
        || path.starts_with("ci/")
        || path.starts_with("scripts/")
        || path.starts_with("bin/")
        || name.starts_with("pre-commit")
        || name.starts_with("pre-push")
}

pub(super) fn disabled(look: &Look<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    for file in look.change.files.iter().filter(|file| runs_checks(file) && file.kind != FileKind::Document) {
        found.extend(forgiven(look, file));
        found.extend(gone(look, file));
        found.extend(super::scripts::strictness(file));
        found.extend(super::triggers::narrowed(file));
    }
    found.extend(super::hooks::bypassed(look));
    found
}

pub(super) const DISABLED: Detector = Detector::CheckDisabled;

/// Lines that let a check fail without anybody hearing of it.
fn forgiven(look: &Look<'_>, file: &FileChange<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    let old: Vec<&str> = file.old.lines.iter().map(|line| line.text.trim()).collect();
    for line in file.new.changed() {
        let text = line.text.trim();
        if old.contains(&text) || text.starts_with('#') && !text.starts_with("#!") || text.is_empty() {
            continue;
        }
        let packed: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let never = [
            "|| true",
            "||true",
            "|| :",
            "|| exit 0",
            "; exit 0",
            "; true",
            "|| echo",
            "|| /bin/true",
            "&& exit 0",
            "|| printf",
            "|| ver>nul",
            "|| exit /b 0",
            "|| return 0",
            "|| (exit 0)",
            "--passWithNoTests",
            "--pass-with-no-tests",
            "--updateSnapshot",
            "-u --ci",
            "--exit-zero",
            "--no-fail-on-empty",
            "|| rc=0",
            "--failure-exit-code 0",
            "-Dmaven.test.failure.ignore",
            "-DskipTests",
            "-Dmaven.test.skip",
            "--suppress-tests-exit",
            "--force-exit-zero",
            "--soft-fail",
        ];
        let check = checks(text).or_else(|| text.contains("\"test").then_some("test"));
        let hit = never.iter().find(|mark| packed.contains(*mark));
        if let (Some(mark), Some(_)) = (hit, check) {
            // The status is looked at later.
            let later = file
                .new
                .lines
                .iter()
                .filter(|own| own.number > line.number && own.number < line.number + 6)
                .any(|own| {
                    own.text.contains("$?") || own.text.contains("status") || own.text.contains("rc=")
                });
            let keeps = mark.contains("echo") && packed.contains("exit 1");
            if !keeps && !(later && mark.contains('|')) {
                found.push(at_line(
                    DISABLED,
                    Severity::Serious,
                    file,
                    Side::New,
                    line.number,
                    format!("`{mark}`: the check can no longer fail"),
                ));
            }
            continue;
        }
        // `-` in front of a command of a makefile.
        let recipe = line.text.starts_with('\t') && text.trim_start_matches('@').starts_with('-');
        if recipe && check.is_some() && file.path.to_lowercase().contains("makefile") {
            found.push(at_line(
                DISABLED,
                Severity::Serious,
                file,
                Side::New,
                line.number,
                "the `-` in front lets the check fail unheard",
            ));
            continue;
        }
        let lower = packed.to_lowercase();
        let key = lower.trim_start_matches("- ").to_owned();
        let tolerant = [
            "continue-on-error: true",
            "allow_failure: true",
            "continueonerror: true",
            "allow-failure: true",
            "soft_fail: true",
            "continue-on-error: ${{",
        ]
        .iter()
        .find(|mark| key.starts_with(**mark));
        let never_runs = [
            "if: false",
            "if: ${{ false",
            "when: never",
            "when: manual",
            "if: \"false\"",
            "if: 'false'",
            "enabled: false",
            "if: github.event_name == 'never'",
            "condition: false",
            "if: always() && false",
            "only: []",
            "rules: []",
        ]
        .iter()
        .find(|mark| key.starts_with(**mark));
        if let Some(mark) = tolerant.or(never_runs) {
            let (step, _) = block(file, line);
            let head = step.to_lowercase();
            let checking = checks(&step).is_some()
                || step.lines().any(|line| checks(line).is_some())
                || head
                    .lines()
                    .filter(|line| line.contains("name:") || line.trim_end().ends_with(':'))
                    .any(|line| ["test", "lint", "check", "type"].iter().any(|word| line.contains(word)));
            let harmless = [
                "upload",
                "codecov",
                "coveralls",
                "cache",
                "benchmark",
                "deploy",
                "release",
                "notify",
                "comment",
                "publish",
                "sarif",
                "experimental",
                "nightly",
            ]
            .iter()
            .any(|word| head.contains(word));
            let experimental = key.contains("${{ matrix") || key.contains("experimental");
            let severity =
                if checking && !harmless && !experimental { Severity::Serious } else { Severity::Minor };
            found.push(at_line(
                DISABLED,
                severity,
                file,
                Side::New,
                line.number,
                format!("`{mark}`: the check can no longer stop anything"),
            ));
        }
    }
    let _ = look;
    found
}

/// The step or job around a line of YAML, and where it begins.
fn block(file: &FileChange<'_>, line: &TextLine) -> (String, u64) {
    let indent = |text: &str| text.len() - text.trim_start().len();
    let lines = &file.new.lines;
    let at = lines.iter().position(|own| own.number == line.number).unwrap_or_default();
    let own_item = line.text.trim_start().starts_with("- ");
    let mine = indent(&line.text) + if own_item { 2 } else { 0 };
    // Up to the line that is less indented, or the dash of the list.
    let mut start = at;
    while start > 0 && !own_item {
        start -= 1;
        let Some(above) = lines.get(start).filter(|above| !above.text.trim().is_empty()) else { continue };
        if indent(&above.text) < mine {
            break;
        }
    }
    let mut end = at + 1;
    while let Some(below) = lines.get(end) {
        let empty = below.text.trim().is_empty();
        let dash = below.text.trim_start().starts_with("- ") && indent(&below.text) + 2 <= mine;
        if !empty && (indent(&below.text) < mine || dash) {
            break;
        }
        end += 1;
    }
    let text: Vec<&str> =
        lines.get(start..end).unwrap_or_default().iter().map(|own| own.text.as_str()).collect();
    (text.join("\n"), lines.get(start).map_or(0, |own| own.number))
}

/// Commands that check and are gone.
fn gone(look: &Look<'_>, file: &FileChange<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    for line in file.old.changed() {
        let Some(check) = checks(&line.text) else { continue };
        let manifest = file.path.ends_with("package.json")
            || file.path.ends_with("composer.json")
            || file.path.ends_with(".toml");
        // A dependency with the name of a program is no command.
        if manifest
            && (line.text.contains("\"^")
                || line.text.contains("\"~")
                || line.text.contains(">=")
                || line.text.contains("==")
                || !line.text.contains(' '))
        {
            continue;
        }
        let word = check.trim();
        let tool = word.split_whitespace().last().unwrap_or(word);
        let lives = |text: &str| {
            let lower = text.to_lowercase();
            let quiet = lower.trim_start().starts_with('#')
                || lower.trim_start_matches(['\t', ' ', '@', '-']).starts_with("echo ")
                || lower.contains(": \"echo ");
            !quiet
                && (lower.contains(word)
                    || checks(text).is_some_and(|other| other == check || same_purpose(other, check)))
        };
        let back = look.change.files.iter().filter(|other| runs_checks(other)).any(|other| {
            let lines: Vec<&TextLine> = if std::ptr::eq(other, file) {
                other.new.lines.iter().collect()
            } else {
                other.new.changed().collect()
            };
            lines.iter().any(|own| {
                lives(&own.text)
                    || (tool.len() > 4
                        && own.changed
                        && own.text.to_lowercase().contains(tool)
                        && checks(&own.text).is_some())
            })
        });
        if back {
            continue;
        }
        let asleep = file
            .new
            .changed()
            .any(|own| own.text.trim_start().starts_with(['#']) && own.text.to_lowercase().contains(word));
        let asked = ["remove", "drop", "delete", "replace", "migrate", "switch"]
            .iter()
            .any(|verb| look.prompt.to_lowercase().contains(verb))
            && look.prompt.to_lowercase().contains(tool);
        let severity = if asked { Severity::Minor } else { Severity::Serious };
        let text = if asleep {
            format!("`{word}` is commented out, and is run no more")
        } else {
            format!("`{word}` was run here, and is run no more")
        };
        found.push(at_line(DISABLED, severity, file, Side::Old, line.number, text));
    }
    found
}

/// Programs that do the same.
fn same_purpose(one: &str, other: &str) -> bool {
    let groups: [&[&str]; 8] = [
        &["pytest", "unittest", "tox", "nox"],
        &[
            "jest",
            "vitest",
            "mocha",
            "npm test",
            "yarn test",
            "pnpm test",
            "npm run test",
            "bun test",
            "node --test",
            "npm t ",
            "pnpm run",
            "pnpm -r",
            "yarn run test",
        ],
        &["cargo test", "cargo nextest"],
        &["eslint", "biome", "npm run lint", "yarn lint", "pnpm lint", "prettier --check"],
        &["ruff", "flake8", "pylint", "black --check"],
        &["mypy", "pyright"],
        &["mvn ", "mvnw", "gradle ", "gradlew"],
        &["make test", "make check", "ctest", "meson test", "just test"],
    ];
    groups.iter().any(|group| group.contains(&one) && group.contains(&other))
}
