//! What cargo knows about the workspace and its dependencies.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

use super::tree;

/// A package of the workspace or of somebody else.
#[derive(Debug)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) licence: String,
    /// What its manifest asks for: the name and the kind, `normal`, `dev` or `build`.
    pub(super) asks_for: Vec<(String, String)>,
}

/// The packages, and who is ours.
#[derive(Debug)]
pub(super) struct Metadata {
    packages: BTreeMap<String, Package>,
    members: BTreeSet<String>,
    /// What a package is linked with, leaving tests and build scripts out.
    links: BTreeMap<String, Vec<String>>,
}

impl Metadata {
    pub(super) fn members(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|(id, _)| self.members.contains(*id)).map(|(_, package)| package)
    }

    pub(super) fn others(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|(id, _)| !self.members.contains(*id)).map(|(_, package)| package)
    }

    /// Everything that becomes part of the program.
    pub(super) fn linked(&self) -> Vec<&Package> {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut waiting: Vec<&str> = self
            .packages
            .iter()
            .filter(|(id, package)| self.members.contains(*id) && package.name == "jury")
            .map(|(id, _)| id.as_str())
            .collect();
        while let Some(id) = waiting.pop() {
            if seen.insert(id) {
                waiting.extend(self.links.get(id).into_iter().flatten().map(String::as_str));
            }
        }
        seen.into_iter().filter_map(|id| self.packages.get(id)).collect()
    }
}

/// Asks cargo, without the network and without touching the lock file. Only what this machine's builds use is
/// asked for: the rest need not be downloaded.
pub(super) fn metadata() -> Metadata {
    let host = run(&["-vV"]);
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).expect("cargo knows its host");
    let text =
        run(&["metadata", "--format-version", "1", "--offline", "--locked", "--filter-platform", host]);
    let document: Value = serde_json::from_str(&text).expect("cargo metadata prints JSON");
    let members =
        list(&document, "workspace_members").filter_map(Value::as_str).map(ToOwned::to_owned).collect();
    let packages = list(&document, "packages").map(|package| (word(package, "id"), read(package))).collect();
    let links = list(document.get("resolve").unwrap_or(&Value::Null), "nodes")
        .map(|node| {
            let linked = list(node, "deps").filter(|dependency| {
                list(dependency, "dep_kinds").any(|kind| kind.get("kind").is_none_or(Value::is_null))
            });
            (word(node, "id"), linked.map(|dependency| word(dependency, "pkg")).collect())
        })
        .collect();
    Metadata { packages, members, links }
}

fn read(package: &Value) -> Package {
    let asks_for = list(package, "dependencies")
        .map(|dependency| {
            let kind = dependency.get("kind").and_then(Value::as_str).unwrap_or("normal");
            (word(dependency, "name"), kind.to_owned())
        })
        .collect();
    Package {
        name: word(package, "name"),
        version: word(package, "version"),
        licence: word(package, "license"),
        asks_for,
    }
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn word(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn run(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(tree::root())
        .output()
        .expect("cargo can be started");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {} fails: {complaint}", arguments.join(" "));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
