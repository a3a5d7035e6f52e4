//! Any bytes are read as a draft or refused with a reason; a page that was read is written and read again as the same page,
//! and is corrected once and not twice.
#![no_main]

use jury_core::content::{ContentIssue, Draft, Form};
use jury_core::severity::Severity;
use jury_text::content::read::draft;
use jury_text::content::repair::repair;

const RULES: [(&str, &str); 9] = [
    ("seo.title-long", ""),
    ("seo.description-length", ""),
    ("seo.generic-link", ""),
    ("seo.heading-jump", ""),
    ("copy.em-dash", ""),
    ("copy.exclamation", ""),
    ("copy.repeated-word", ""),
    ("copy.intensifier", "very"),
    ("behaviour.long-list", ""),
];

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let lines = input.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count() + 1;
    let critic = "critic".parse().expect("a name");
    let issues = RULES.map(|(rule, quote)| {
        ContentIssue::measured(&critic, rule, rule, Severity::Minor, String::new(), String::new())
            .quoting(quote)
    });
    let issues: Vec<&ContentIssue> = issues.iter().collect();
    for form in [Form::Page, Form::Article, Form::Post] {
        let (read, remarks) = match draft(input, form) {
            Ok(read) => read,
            Err(reason) => {
                assert!(!reason.to_string().is_empty());
                continue;
            }
        };
        for remark in remarks {
            assert!((1..=lines).contains(&(remark.line as usize)), "{remark:?} of {lines}");
        }
        let is_json = input.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
        if let Draft::Page(_) = &read
            && !is_json
        {
            let written = read.markdown();
            let (again, _) = draft(written.as_bytes(), form).expect("what was written can be read");
            assert_eq!(again, read, "{written}");
        }
        let once = repair(&read, &issues, &[]);
        let twice = repair(&once.draft, &issues, &[]);
        assert_eq!(twice.draft, once.draft);
        assert!(twice.done.is_empty());
    }
});
