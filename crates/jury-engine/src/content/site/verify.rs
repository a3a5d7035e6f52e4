//! Whether what was published is what is served: every file and every address of the sitemap is fetched and compared.

use std::collections::BTreeSet;
use std::fmt;

use jury_agents::fetch::Fetched;
use jury_core::artifact::Digest;
use jury_text::site::{BUILD_FILE, Build, SiteFiles, sitemap_urls};

/// Something that is not served as it was built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServingProblem {
    /// The address that was fetched.
    pub url: String,
    /// What is wrong with it.
    pub text: String,
}

impl fmt::Display for ServingProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.url, self.text)
    }
}

/// The addresses that were fetched, and what is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct VerifyResult {
    /// How many addresses were fetched.
    pub checked: usize,
    /// What is wrong with them.
    pub problems: Vec<ServingProblem>,
}

impl VerifyResult {
    /// Whether the site is live, word for word. Nothing fetched is nothing proven.
    pub fn is_live(&self) -> bool {
        self.checked > 0 && self.problems.is_empty()
    }
}

/// Fetches every file of a site below the address where it is served, and every address of its sitemap, and compares the
/// bytes. The address that the files name as theirs may be another one, before a name or a proxy leads here.
///
/// `fetch` is [`jury_agents::fetch::fetch`] with whatever the place needs.
pub async fn verify<F, R, E>(served_at: &str, files: &SiteFiles, fetch: F) -> VerifyResult
where
    F: Fn(String) -> R,
    R: Future<Output = Result<Fetched, E>>,
    E: fmt::Display,
{
    let base = format!("{}/", served_at.trim_end_matches('/'));
    let named = files.get(BUILD_FILE).and_then(|list| Build::read(list)).map(|build| build.base_url);
    let named = named.unwrap_or_else(|| base.clone());
    let mut found = VerifyResult::default();
    let mut addresses: BTreeSet<(String, &str)> =
        files.keys().map(|path| (format!("{base}{path}"), path.as_str())).collect();
    let sitemap = files.get("sitemap.xml").map(|bytes| sitemap_urls(bytes)).unwrap_or_default();
    if sitemap.is_empty() {
        found.problems.push(ServingProblem {
            url: format!("{base}sitemap.xml"),
            text: "it lists no address".to_owned(),
        });
    }
    for url in sitemap {
        let path = url.strip_prefix(&named).map(|path| {
            if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path.to_owned() }
        });
        match path.and_then(|path| files.get_key_value(&path)) {
            Some((path, _)) => {
                let rest = url.strip_prefix(&named).unwrap_or_default();
                addresses.insert((format!("{base}{rest}"), path));
            }
            None => {
                found
                    .problems
                    .push(ServingProblem { url, text: "is in the sitemap and not in the site".to_owned() });
            }
        }
    }
    for (url, path) in addresses {
        found.checked += 1;
        let wanted = files.get(path).map_or(&[][..], Vec::as_slice);
        let problem = match fetch(url.clone()).await {
            Err(error) => Some(error.to_string()),
            Ok(fetched) if fetched.status != 200 => Some(format!("status {} and not 200", fetched.status)),
            Ok(fetched) if Digest::of(&fetched.body) != Digest::of(wanted) => Some(format!(
                "other bytes than {path} has: is an earlier release served, or is something in between?"
            )),
            Ok(_) => None,
        };
        found.problems.extend(problem.map(|text| ServingProblem { url, text }));
    }
    found
}
