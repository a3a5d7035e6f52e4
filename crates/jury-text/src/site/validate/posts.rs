//! Articles beside the page: each is there whole and word for word, is listed, leads back, and nothing else is there.

use std::collections::BTreeMap;

use super::super::assemble::{Post, addressed};
use super::super::escape::normal;
use super::super::post::pieces;
use super::{Pages, Validation, links, seen, some};

const LIST: &str = "blog/index.html";

pub(super) fn check(pages: &Pages<'_>, posts: &[Post], found: &mut Validation) {
    let posts = addressed(posts);
    let list = pages.get(LIST).map(|dom| links::leading(LIST, dom)).unwrap_or_default();
    for (slug, post) in &posts {
        let (folder, path) = (format!("blog/{slug}/"), format!("blog/{slug}/index.html"));
        let Some(dom) = pages.get(path.as_str()) else {
            found.error(&path, None, "posts", "approved and not there: assemble the site again");
            continue;
        };
        let there = seen(dom).main;
        let mut wanted: BTreeMap<String, usize> = BTreeMap::new();
        for piece in pieces(&post.markdown) {
            *wanted.entry(piece.text).or_default() += 1;
        }
        for said in [&post.title, &post.description] {
            wanted.entry(normal(said)).or_insert(1);
        }
        for (said, times) in wanted.iter().filter(|(said, _)| !said.is_empty()) {
            let is = there.get(said).copied().unwrap_or_default();
            // A description that the text begins with is not said twice.
            let told = *said == normal(&post.description) && there.keys().any(|piece| piece.contains(said));
            if is < *times && !told {
                let text = format!("approved {times} times and there {is}: {}", some(said));
                found.error(&path, None, "copy", text);
            }
        }
        if !list.contains(&folder) {
            found.error(LIST, None, "posts", format!("it does not lead to {folder}"));
        }
        let back = links::leading(&path, dom);
        if !back.iter().any(|to| to == "blog/") || !back.iter().any(String::is_empty) {
            found.error(&path, None, "posts", "it does not lead back to the list and to the front page");
        }
    }
    let known = |path: &str| {
        let slug = path.strip_prefix("blog/").and_then(|rest| rest.strip_suffix("/index.html"));
        path == LIST && !posts.is_empty() || posts.iter().any(|(own, _)| Some(own.as_str()) == slug)
    };
    for path in pages.keys().filter(|path| path.starts_with("blog/") && !known(path)) {
        found.error(path, None, "posts", "nobody has approved it: assemble the site again");
    }
    if !posts.is_empty()
        && let Some(front) = pages.get("index.html")
        && !links::leading("index.html", front).iter().any(|to| to == "blog/")
    {
        found.error("index.html", None, "posts", "it does not lead to the articles");
    }
}
