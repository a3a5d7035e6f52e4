//! Where everything leads: to a file of the site, to a part of a page that is there, or openly elsewhere.

use super::super::assemble::SiteFiles;
use super::super::dom::Dom;
use super::super::escape::is_safe;
use super::{Pages, Validation, some};

/// The address that a page says it has, with a slash at its end.
pub(super) fn canonical(dom: &Dom) -> Option<String> {
    let id = dom.all("link").find(|id| dom.attribute(*id, "rel") == Some("canonical"))?;
    dom.attribute(id, "href").filter(|address| address.ends_with('/')).map(str::to_owned)
}

/// The file that a path of the site shows.
pub(super) fn file_of(path: &str) -> String {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path.to_owned() }
}

pub(super) fn check(files: &SiteFiles, pages: &Pages<'_>, base: &str, found: &mut Validation) {
    let rest = base.split_once("://").map_or("", |(_, rest)| rest);
    let root = rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/");
    for (path, dom) in pages {
        for id in dom.within(0) {
            let (attribute, is_loaded) = match dom.name(id) {
                Some("a") => ("href", false),
                Some("link") => {
                    ("href", !matches!(dom.attribute(id, "rel"), Some("canonical" | "alternate")))
                }
                Some("img" | "source" | "video" | "audio") => ("src", true),
                Some("form") => ("action", true),
                _ => continue,
            };
            let Some(address) = dom.attribute(id, attribute) else { continue };
            let line = Some(dom.line(id));
            if !is_safe(address) {
                found.error(
                    path,
                    line,
                    "links",
                    format!("'{}' is no address that a page may name", some(address)),
                );
                continue;
            }
            let in_site = address.strip_prefix(base).filter(|_| !base.is_empty()).map(str::to_owned);
            let local = if in_site.is_some() || has_scheme(address) {
                in_site
            } else {
                let local = joined(path, address, root);
                if local.is_none() {
                    found.error(path, line, "links", format!("'{}' leads out of the site", some(address)));
                    continue;
                }
                local
            };
            let Some(local) = local else {
                if is_loaded {
                    let text = format!("'{}' is loaded from elsewhere", some(address));
                    found.error(path, line, "loads", text);
                }
                continue;
            };
            let file = if address.starts_with('#') { (*path).to_owned() } else { file_of(&local) };
            if !files.contains_key(&file) {
                found.error(
                    path,
                    line,
                    "links",
                    format!("'{}' leads to nothing: {file} is not there", some(address)),
                );
                continue;
            }
            let part = address.split_once('#').map(|(_, part)| part).filter(|part| !part.is_empty());
            if let (Some(part), Some(target)) = (part, pages.get(file.as_str())) {
                let there = target.within(0).into_iter().any(|id| target.attribute(id, "id") == Some(part));
                if !there && part != "top" {
                    found.error(
                        path,
                        line,
                        "links",
                        format!("'{}' leads to no part of {file}", some(address)),
                    );
                }
            }
        }
    }
}

/// Where the links of a page lead in the site, as paths from its root.
pub(super) fn leading(path: &str, dom: &Dom) -> Vec<String> {
    let links = dom.all("a").filter_map(|id| dom.attribute(id, "href"));
    links.filter(|address| !has_scheme(address)).filter_map(|address| joined(path, address, "/")).collect()
}

fn has_scheme(address: &str) -> bool {
    address.split(['/', '?', '#']).next().is_some_and(|start| start.contains(':'))
}

/// The path in the site, from the page that names it. None when it leads out.
fn joined(from: &str, address: &str, root: &str) -> Option<String> {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let mut parts: Vec<&str> = Vec::new();
    let rest = if path.starts_with('/') {
        path.strip_prefix(root)?
    } else {
        parts.extend(from.split('/').rev().skip(1).collect::<Vec<_>>().into_iter().rev());
        path
    };
    let folder = rest.is_empty() || rest.ends_with('/') || rest.ends_with("..") || rest == ".";
    for part in rest.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            _ => parts.push(part),
        }
    }
    let joined = parts.join("/");
    Some(if folder && !joined.is_empty() { format!("{joined}/") } else { joined })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_joined_as_browsers_join_them() {
        let cases = [
            ("index.html", "styles.css", Some("styles.css")),
            ("index.html", "./", Some("")),
            ("blog/a/index.html", "../../styles.css", Some("styles.css")),
            ("blog/a/index.html", "../", Some("blog/")),
            ("blog/a/index.html", "../b/", Some("blog/b/")),
            ("404.html", "/s/acme/", Some("")),
            ("404.html", "/s/acme/styles.css?x#y", Some("styles.css")),
            ("404.html", "/elsewhere", None),
            ("index.html", "../secret", None),
        ];
        for (from, address, wanted) in cases {
            assert_eq!(joined(from, address, "/s/acme/").as_deref(), wanted, "{from} {address}");
        }
        assert_eq!(file_of(""), "index.html");
        assert_eq!(file_of("blog/?page=2"), "blog/index.html");
    }
}
