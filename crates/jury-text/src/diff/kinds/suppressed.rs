//! Warnings of linters and compilers that are switched off. One rule at one place, with a reason, is how these marks are meant; a whole
//! file, all rules, or a type that is called anything is a thing to explain.

use jury_core::severity::Severity;

use super::super::Side;
use super::super::detect::{Detector, DiffEvidence};
use super::super::model::Dialect;
use super::super::path::FileKind;
use super::{Look, at_line};

/// Marks, and whether one alone is too much.
const MARKS: &[(&str, bool)] = &[
    ("@ts-nocheck", true),
    ("@ts-ignore", true),
    ("@ts-expect-error", false),
    ("eslint-disable-next-line", false),
    ("eslint-disable-line", false),
    ("eslint-disable", true),
    ("tslint:disable", true),
    ("biome-ignore", false),
    ("flake8: noqa", true),
    ("ruff: noqa", true),
    ("mypy: ignore-errors", true),
    ("type: ignore", false),
    ("noqa", false),
    ("pylint: disable", false),
    ("pylint: skip-file", true),
    ("pyright: ignore", false),
    ("pragma: no cover", false),
    ("nosec", false),
    ("nolint", false),
    ("lint:ignore", false),
    ("lint:file-ignore", true),
    ("istanbul ignore file", true),
    ("istanbul ignore", false),
    ("c8 ignore", false),
    ("v8 ignore", false),
    ("NOLINT", false),
    ("NOSONAR", false),
    ("LCOV_EXCL", false),
    ("GCOV_EXCL", false),
    ("rubocop:disable", false),
    (":nocov:", false),
    ("phpstan-ignore", false),
    ("psalm-suppress", false),
    ("@codeCoverageIgnore", false),
    ("phpcs:disable", true),
    ("phpcs:ignore", false),
    ("shellcheck disable", false),
    ("cppcheck-suppress", false),
    ("clang-format off", false),
    ("sonar-disable", true),
    ("@phpstan-ignore", false),
    ("deno-lint-ignore-file", true),
    ("deno-lint-ignore", false),
    ("swiftlint:disable", true),
    ("noinspection", false),
    ("yamllint disable", false),
    ("hadolint ignore", false),
];

pub(super) fn warnings(look: &Look<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    for file in look.change.files.iter().filter(|file| {
        file.dialect.is_some()
            && !matches!(file.kind, FileKind::Generated | FileKind::Vendored | FileKind::Document)
    }) {
        let Some(dialect) = file.dialect else { continue };
        let old: Vec<&str> = file.old.lines.iter().map(|line| line.text.trim()).collect();
        for line in file.new.changed() {
            let text = line.text.as_str();
            if old.contains(&text.trim()) {
                continue;
            }
            let Some((mark, blanket)) = mark(dialect, text) else { continue };
            // It moved, or its line changed otherwise.
            let count = |lines: &[super::super::model::TextLine]| {
                lines.iter().filter(|line| line.text.contains(mark)).count()
            };
            if count(&file.new.lines) <= count(&file.old.lines) {
                continue;
            }
            let behind = text.split_once(mark).map_or("", |(_, behind)| behind);
            let named = names_rule(mark, behind);
            let reasoned = reason(behind) || line.number > 1 && is_reason(file.new.line(line.number - 1));
            let expects = mark == "@ts-expect-error" && file.test;
            let wide = (blanket && !(named && mark == "eslint-disable" && reasoned))
                || (!named && !matches!(mark, "pragma: no cover" | "@ts-expect-error" | ":nocov:"));
            let coverage = [
                "no cover",
                "istanbul",
                "c8 ignore",
                "v8 ignore",
                "LCOV_EXCL",
                "nocov",
                "codeCoverage",
                "ExcludeFromCodeCoverage",
                "coverage(off)",
            ]
            .iter()
            .any(|word| mark.contains(word));
            // A function or a class that is not measured; a line that cannot be reached in a test is another thing.
            let head = |text: &str| {
                ["def ", "function", "class ", "fn ", "func ", "=> {", "public ", "void "]
                    .iter()
                    .any(|word| text.contains(word))
            };
            let covers = coverage && (blanket || head(text) || head(file.new.line(line.number + 1)));
            let single = [
                "phpstan-ignore",
                "psalm-suppress",
                "shellcheck disable",
                "cppcheck-suppress",
                "noinspection",
                "biome-ignore",
                "deno-lint-ignore",
            ]
            .contains(&mark);
            let grave = (wide && !coverage && !single || covers) && !reasoned && !expects;
            let severity = if grave && !file.test { Severity::Serious } else { Severity::Minor };
            found.push(at_line(
                Detector::Suppressed,
                severity,
                file,
                Side::New,
                line.number,
                format!("`{mark}` keeps a warning from being heard"),
            ));
        }
    }
    found
}

fn mark(dialect: Dialect, text: &str) -> Option<(&'static str, bool)> {
    let code = text.trim();
    match dialect {
        Dialect::Rust => {
            let all = code.starts_with("#![allow(");
            if all || code.starts_with("#[allow(") {
                return Some(if all { ("#![allow(", true) } else { ("#[allow(", false) });
            }
            if code.contains("coverage(off)") {
                return Some(("coverage(off)", false));
            }
        }
        Dialect::Java if code.contains("@SuppressWarnings(\"all\")") => {
            return Some(("@SuppressWarnings(\"all\")", true));
        }
        Dialect::Java if code.starts_with("@SuppressWarnings(") => {
            return Some(("@SuppressWarnings(", false));
        }
        Dialect::Kotlin if code.starts_with("@Suppress(") || code.starts_with("@file:Suppress(") => {
            return Some(if code.starts_with("@file") {
                ("@file:Suppress(", true)
            } else {
                ("@Suppress(", false)
            });
        }
        Dialect::CSharp => {
            if code.starts_with("#pragma warning disable") {
                return Some(("#pragma warning disable", false));
            }
            if code.starts_with("#nullable disable") {
                return Some(("#nullable disable", true));
            }
            if code.contains("[SuppressMessage(") || code.contains("[ExcludeFromCodeCoverage") {
                return Some(if code.contains("Exclude") {
                    ("[ExcludeFromCodeCoverage", false)
                } else {
                    ("[SuppressMessage(", false)
                });
            }
        }
        Dialect::C | Dialect::Cpp
            if code.starts_with("#pragma GCC diagnostic ignored")
                || code.starts_with("#pragma clang diagnostic ignored")
                || code.starts_with("#pragma warning(disable")
                || code.starts_with("#pragma warning( disable") =>
        {
            return Some(("#pragma", false));
        }
        Dialect::Script => {
            for cast in ["as any", "as unknown as", ": any"] {
                if code.contains(cast) && !code.starts_with("//") && !code.starts_with('*') {
                    let behind = code.split_once(cast).map_or("", |(_, behind)| behind);
                    if !behind.starts_with(|c: char| c.is_alphanumeric()) && cast != ": any" {
                        return Some((cast, false)).filter(|_| !code.contains("eslint"));
                    }
                }
            }
        }
        Dialect::Java
        | Dialect::Kotlin
        | Dialect::C
        | Dialect::Cpp
        | Dialect::Python
        | Dialect::Go
        | Dialect::Ruby
        | Dialect::Php
        | Dialect::Shell
        | Dialect::Settings => {}
    }
    let comment = ["//", "#", "/*", "*", "<!--", "--"].iter().any(|open| code.contains(open));
    MARKS.iter().find(|(mark, _)| comment && code.contains(mark)).copied()
}

/// Which rule is meant.
fn names_rule(mark: &str, behind: &str) -> bool {
    let behind = behind.trim_start();
    match mark {
        "as any" | "as unknown as" => true,
        "type: ignore" | "pyright: ignore" => behind.starts_with('['),
        "noqa" | "nolint" => behind.starts_with([':', '(']) || behind.starts_with("lint:"),
        "NOLINT" => behind.starts_with(['(', 'N', 'B', 'E']),
        "NOSONAR" | "LCOV_EXCL" | "GCOV_EXCL" | "nosec" => false,
        "#[allow("
        | "#![allow("
        | "@SuppressWarnings("
        | "@Suppress("
        | "@file:Suppress("
        | "#pragma"
        | "[SuppressMessage("
        | "[ExcludeFromCodeCoverage"
        | "#nullable disable" => {
            !behind.contains("all")
                && !behind.contains("warnings")
                && !behind.contains("clippy::all")
                && !behind.contains("-Wall")
        }
        _ => {
            behind.trim_start_matches([':', '=', ' ']).starts_with(|c: char| c.is_alphanumeric() || c == '@')
        }
    }
}

/// Words behind the mark, or behind a dash.
fn reason(behind: &str) -> bool {
    let said = behind
        .split_once("--")
        .or_else(|| behind.split_once(" - "))
        .or_else(|| behind.split_once('#'))
        .or_else(|| behind.split_once("//"))
        .map_or(behind, |(_, said)| said);
    said.split_whitespace()
        .filter(|word| {
            word.len() > 1 && word.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '.' | ',' | '-'))
        })
        .count()
        >= 3
}

fn is_reason(above: &str) -> bool {
    let text = above.trim();
    ["//", "#", "*", "/*"].iter().any(|open| text.starts_with(open)) && text.split_whitespace().count() >= 5
}
