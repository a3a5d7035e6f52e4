//! `jury checks`, and the document that is made of the same table.

use std::collections::BTreeSet;

use crate::harness::{Context, repository};

#[test]
fn every_check_is_listed_once() {
    let cx = Context::new();
    let json = cx.jury().args(["checks", "--json"]).output().unwrap();
    let checks: Vec<serde_json::Value> = serde_json::from_slice(&json.stdout).unwrap();
    let ids: BTreeSet<&str> = checks.iter().map(|check| check["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), checks.len());
    for id in ["a11y/contrast", "dead-link", "tests-deleted", "seo.h1-count"] {
        assert!(ids.contains(id), "{id}: {ids:?}");
    }
    let human = cx.show(cx.jury().args(["checks"]));
    assert!(human.starts_with("exit: 0"), "{human}");
    for id in &ids {
        assert!(human.contains(id), "{id}: {human}");
    }
    let some = cx.show(cx.jury().args(["checks", "copy/*"]));
    assert!(some.contains("copy/links") && !some.contains("a11y/"), "{some}");
    let none = cx.show(cx.jury().args(["checks", "copy/lnks"]));
    assert!(none.starts_with("exit: 2") && none.contains("the nearest are copy/links"), "{none}");
}

#[test]
fn the_document_of_the_checks_is_the_table() {
    let cx = Context::new();
    let made = cx.jury().args(["checks", "--markdown"]).output().unwrap();
    let made = String::from_utf8(made.stdout).unwrap();
    let place = repository().join("docs/checks.md");
    if std::env::var_os("JURY_UPDATE").is_some() {
        std::fs::write(&place, &made).unwrap();
    }
    let kept = std::fs::read_to_string(&place).unwrap_or_default();
    assert!(kept == made, "docs/checks.md is not what 'jury checks --markdown' prints: run 'make update'");
}

#[test]
fn every_check_says_what_it_is_about() {
    let cx = Context::new();
    let json = cx.jury().args(["checks", "--json"]).output().unwrap();
    let checks: Vec<serde_json::Value> = serde_json::from_slice(&json.stdout).unwrap();
    let mut silent = Vec::new();
    for check in &checks {
        let of_pages = check["subject"] == "page";
        for field in
            ["title", "measures", "exposure"].into_iter().filter(|field| of_pages || *field != "exposure")
        {
            if check[field].as_str().unwrap().trim().is_empty() {
                silent.push(format!("{} has no {field}", check["id"].as_str().unwrap()));
            }
        }
        if of_pages && check["sources"].as_array().unwrap().is_empty() {
            silent.push(format!("{} names no source", check["id"].as_str().unwrap()));
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}
