//! One number is printed one way: a composite with one decimal, a contrast that was measured with two, in everything that
//! people read.

use crate::harness::Context;

/// Everything that looks like a number, with what stands before and after it.
fn numbers(text: &str) -> Vec<(&str, &str, &str)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(begin) = text[from..].find(|c: char| c.is_ascii_digit()).map(|at| from + at) {
        let length =
            text[begin..].find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len() - begin);
        let number = text[begin..begin + length].trim_end_matches('.');
        found.push((&text[..begin], number, &text[begin + number.len()..]));
        from = begin + length;
    }
    found
}

fn decimals(number: &str) -> usize {
    number.split_once('.').map_or(0, |(_, behind)| behind.len())
}

/// What is printed in another way than the rest.
fn odd_ones(text: &str) -> Vec<String> {
    let mut odd = Vec::new();
    for (before, number, after) in numbers(text) {
        let near = || before.chars().rev().take(30).collect::<Vec<_>>().into_iter().rev().collect::<String>();
        let wanted = ["3", "4.5", "7", "21"].contains(&number);
        if after.starts_with(":1") && !after.starts_with(":1]") && !wanted && decimals(number) != 2 {
            odd.push(format!("{}{number}:1", near()));
        }
        let word = before.trim_end_matches(['*', ' ', '|']).to_lowercase();
        if (word.ends_with("composite") || word.ends_with("score"))
            && number.contains('.')
            && decimals(number) != 1
        {
            odd.push(format!("{}{number}", near()));
        }
    }
    odd
}

#[test]
fn one_number_is_printed_one_way_in_one_output() {
    let cx = Context::new();
    cx.example("landing.html");
    // Text that fails, a fill that fails, and an edge that fails: every place where a contrast is told.
    let page = std::fs::read_to_string(cx.path("landing.html")).unwrap();
    cx.write("pale.html", page.replace("</head>", "<style>p{color:#8a8a8a}a{color:#777}</style></head>"));
    let mut seen = 0;
    for (page, args) in [
        ("landing.html", &["run", "landing.html"][..]),
        ("pale.html", &["run", "pale.html"]),
        ("landing.html", &["run", "landing.html", "--format", "markdown"]),
        ("landing.html", &["run", "landing.html", "--format", "github"]),
        ("landing.html", &["run", "landing.html", "--format", "junit"]),
        ("pale.html", &["check", "pale.html"]),
        ("pale.html", &["check", "pale.html", "--format", "markdown"]),
        ("landing.html", &["replay", "last"]),
    ] {
        let shown = cx.show(cx.jury().args(args));
        assert!(shown.lines().count() > 2, "{args:?} of {page}: {shown}");
        seen += numbers(&shown).len();
        assert_eq!(odd_ones(&shown), Vec::<String>::new(), "{args:?}: {shown}");
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn the_test_itself_finds_what_it_looks_for() {
    let shown = "lowest ratio 2.8:1, text contrast 2.88:1, needs 4.5:1; composite 8.57 and Composite 8.5";
    assert_eq!(odd_ones(shown).len(), 2, "{:?}", odd_ones(shown));
}
