//! Reports of tests as XML, as JUnit writes them: the counts of every suite, and what stands in it whatever the counts say.

use std::ops::Range;

use jury_core::judge::TestSummary;
use memchr::{memchr, memmem};

use super::nothing;

/// What a text says in XML.
#[derive(Debug, Default)]
pub(super) struct Reports {
    pub(super) summary: Option<TestSummary>,
    pub(super) trouble: Option<String>,
    /// Where each report stands in the text, in bytes.
    pub(super) spans: Vec<Range<usize>>,
}

/// A suite that is open.
#[derive(Debug, Default)]
struct Suite {
    /// The tests, failures and skips that its head counts.
    said: (Option<u64>, u64, u64),
    cases: u64,
    bad: u64,
    skipped: u64,
    /// The tests that say of themselves that they failed, and that they did not run.
    marked: (u64, u64),
    has_suites: bool,
    /// `testsuites` holds suites and no tests.
    is_outer: bool,
}

/// The reports in this text.
pub(super) fn read(text: &str) -> Reports {
    let mut reports = Reports::default();
    let Some(first) = memmem::find(text.as_bytes(), b"<testsuite") else { return reports };
    let mut sum = nothing("JUnit XML");
    let mut open: Vec<Suite> = Vec::new();
    let mut begun = first;
    let mut at = text.find("<!--").map_or(first, |comment| comment.min(first));
    // Up to here stands a comment, and so many had passed before it. What failed in it is believed.
    let (mut commented, mut passed, mut may_comment) = (0, 0, true);
    while let Some(found) = text.as_bytes().get(at..).and_then(|rest| memchr(b'<', rest)) {
        let begin = at + found;
        let rest = text.get(begin..).unwrap_or_default();
        at = begin + 1;
        // What a test printed is no part of the report.
        if let Some(end) = closing(rest).filter(|_| !open.is_empty()) {
            let Some(length) = memmem::find(rest.as_bytes(), end.as_bytes()) else { break };
            at = begin + length + end.len();
            continue;
        }
        if begin >= commented && may_comment && rest.starts_with("<!--") {
            match memmem::find(rest.as_bytes(), b"-->") {
                Some(length) => (commented, passed) = (begin + length, sum.passed),
                // No comment ends from here on.
                None => may_comment = false,
            }
        }
        if open.is_empty() && !rest.starts_with("<testsuite") {
            continue;
        }
        let Some(tag) = Tag::of(rest) else { continue };
        if open.is_empty() && tag.attributes.is_empty() && !begins_line(text.get(..begin).unwrap_or_default())
        {
            continue;
        }
        at = begin + tag.length;
        match (tag.name, tag.closes) {
            ("testsuite" | "testsuites", false) => {
                if let Some(outer) = open.last_mut() {
                    outer.has_suites = true;
                } else {
                    begun = begin;
                }
                open.push(Suite::of(&tag));
                if tag.is_empty {
                    close(&mut open, &mut sum);
                }
            }
            ("testsuite" | "testsuites", true) => close(&mut open, &mut sum),
            ("testcase", false) => {
                count(&mut open, |suite| &mut suite.cases);
                match tag.value("status").or_else(|| tag.value("result")).unwrap_or_default() {
                    "failed" | "failure" | "fail" | "error" | "errored" | "broken" => {
                        count(&mut open, |suite| &mut suite.marked.0);
                    }
                    "notrun" | "skipped" | "disabled" | "ignored" | "suppressed" => {
                        count(&mut open, |suite| &mut suite.marked.1);
                    }
                    _ => {}
                }
            }
            ("failure" | "error", false) => count(&mut open, |suite| &mut suite.bad),
            ("skipped", false) => count(&mut open, |suite| &mut suite.skipped),
            _ => continue,
        }
        if open.is_empty() && tag.name.starts_with("testsuite") {
            reports.spans.push(begun..at);
            if begun < commented {
                sum.passed = passed;
            }
        }
        if !tag.ended {
            break;
        }
    }
    if !open.is_empty() {
        reports.trouble = Some("the report of the tests in XML does not end".to_owned());
        reports.spans.push(begun..text.len());
    }
    while !open.is_empty() {
        close(&mut open, &mut sum);
    }
    reports.summary = (!reports.spans.is_empty()).then_some(sum);
    reports
}

/// The heads of other reports in XML, of .NET, `NUnit` and `xUnit`. What passed is not read from them.
const OTHERS: &[&str] = &["<Counters ", "<test-run ", "<test-results ", "<assembly "];

/// The longest head of such a report that is read.
const LONGEST_HEAD_BYTES: usize = 4096;

/// So many of each are looked at.
const MOST_HEADS: usize = 1000;

/// Another report than `JUnit`'s counts a failure.
pub(super) fn others(text: &str) -> Option<String> {
    let counts = ["failed", "failures", "errors", "error", "timeout", "aborted"];
    OTHERS.iter().find_map(|head| {
        memmem::find_iter(text.as_bytes(), head.as_bytes()).take(MOST_HEADS).find_map(|begin| {
            let own = text.get(begin + 1..).filter(|_| begins_line(text.get(..begin).unwrap_or_default()))?;
            let end = own.bytes().take(LONGEST_HEAD_BYTES).position(|byte| byte == b'>')?;
            let mut words = own.get(..end)?.split_whitespace();
            let bad = words.find_map(|word| {
                let (name, value) = word.split_once('=')?;
                let number: u64 = value.trim_matches(['"', '\'', '/']).parse().ok()?;
                (counts.contains(&name) && number > 0).then_some((name, number))
            });
            bad.map(|(name, number)| format!("a report in XML counts {name}: {number}"))
        })
    })
}

/// How what begins here ends, when it is text or a comment.
fn closing(rest: &str) -> Option<&'static str> {
    if rest.starts_with("<![CDATA[") { Some("]]>") } else { rest.starts_with("<!--").then_some("-->") }
}

/// Nothing but a tag stands before it on its line: words may name a tag as well.
fn begins_line(before: &str) -> bool {
    before.trim_end_matches([' ', '\t']).ends_with(['\n', '\r', '>']) || before.is_empty()
}

fn count(open: &mut [Suite], what: fn(&mut Suite) -> &mut u64) {
    if let Some(suite) = open.last_mut() {
        let number = what(suite);
        *number = number.saturating_add(1);
    }
}

fn close(open: &mut Vec<Suite>, sum: &mut TestSummary) {
    let Some(suite) = open.pop() else { return };
    let (total, said_bad, said_skipped) = suite.said;
    let total = total.unwrap_or(suite.cases);
    let bad = suite.bad.max(said_bad).max(suite.marked.0);
    sum.failed = sum.failed.saturating_add(bad);
    // A suite of suites adds their tests up, so they are counted there.
    if !suite.has_suites && !suite.is_outer {
        let skipped = said_skipped.max(suite.skipped).max(suite.marked.1);
        sum.passed = sum.passed.saturating_add(total.saturating_sub(bad).saturating_sub(skipped));
    }
}

impl Suite {
    fn of(tag: &Tag<'_>) -> Self {
        let number = |name: &str| tag.value(name).and_then(|value| value.trim().parse::<u64>().ok());
        let sum =
            |one: &str, other: &str| number(one).unwrap_or(0).saturating_add(number(other).unwrap_or(0));
        // A count that cannot be read is not none.
        let unread = ["failures", "errors"].iter().filter(|name| {
            number(name).is_none() && tag.value(name).is_some_and(|value| !value.trim().is_empty())
        });
        let bad = sum("failures", "errors").saturating_add(u64::from(unread.count() > 0));
        let said = (number("tests"), bad, sum("skipped", "disabled"));
        Self { said, is_outer: tag.name == "testsuites", ..Self::default() }
    }
}

/// A tag of a report.
struct Tag<'a> {
    name: &'a str,
    /// `</name>`
    closes: bool,
    /// `<name/>`
    is_empty: bool,
    /// It has its `>`.
    ended: bool,
    attributes: Vec<(&'a str, &'a str)>,
    /// In bytes, with both brackets.
    length: usize,
}

impl<'a> Tag<'a> {
    /// The tag that begins with this text; only those of reports are read.
    fn of(rest: &'a str) -> Option<Self> {
        let inner = rest.strip_prefix('<')?;
        let (closes, inner) = inner.strip_prefix('/').map_or((false, inner), |inner| (true, inner));
        let length = inner.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(inner.len());
        // `<j:failure>`: the name of a space stands in front of it.
        let local = inner.get(length..).and_then(|rest| rest.strip_prefix(':'));
        Self::named(rest, closes, local.unwrap_or(inner))
    }

    /// The tag whose name begins here; `rest` is all of it.
    fn named(rest: &'a str, closes: bool, inner: &'a str) -> Option<Self> {
        let length = inner.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(inner.len());
        let name = inner.get(..length)?;
        if !["testsuite", "testsuites", "testcase", "failure", "error", "skipped"].contains(&name) {
            return None;
        }
        let mut tag = Self { name, closes, is_empty: false, ended: false, attributes: Vec::new(), length: 0 };
        let mut left = inner.get(length..)?;
        loop {
            left = left.trim_start();
            if let Some(behind) = left.strip_prefix('>') {
                (tag.ended, left) = (true, behind);
                break;
            }
            if let Some(behind) = left.strip_prefix('/') {
                (tag.is_empty, left) = (behind.starts_with('>'), behind);
                continue;
            }
            // The value is in quotes of either kind, and may hold a bracket.
            let end = left.find(['=', '>', '/', '<']).unwrap_or(left.len());
            let Some(value) = left.get(end..).and_then(|behind| behind.strip_prefix('=')) else {
                left = left.get(end..).unwrap_or_default();
                if left.is_empty() || left.starts_with('<') {
                    break;
                }
                continue;
            };
            let name = left.get(..end).unwrap_or_default().trim();
            let value = value.trim_start();
            let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
                left = value;
                continue;
            };
            let Some((value, behind)) = value.get(1..).and_then(|value| value.split_once(quote)) else {
                left = "";
                break;
            };
            tag.attributes.push((name, value));
            left = behind;
        }
        tag.length = rest.len() - left.len();
        Some(tag)
    }

    fn value(&self, name: &str) -> Option<&'a str> {
        self.attributes.iter().find(|(own, _)| *own == name).map(|(_, value)| *value)
    }
}
