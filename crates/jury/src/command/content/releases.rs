//! `jury content releases` and `rollback`: what of a site is kept, and what is served.

use jury_core::content::IdeaId;
use jury_engine::content::site::{self, SiteError, SiteFolder};
use serde_json::json;

use super::pretty;
use crate::cli::{ContentPageArgs, ContentReleasesArgs, ContentRollbackArgs, Global};
use crate::output::Output;
use crate::refusal::Refusal;

/// How much of a release's name is shown to people; enough to name it by.
const SHOWN: usize = 12;

async fn find(name: &str, global: &Global) -> Result<SiteFolder, Refusal> {
    let slug: IdeaId =
        name.parse().map_err(|error: jury_core::id::IdError| Refusal::usage(error.to_string()))?;
    let store = crate::command::open_to_read(global).await?;
    Ok(SiteFolder::new(store.dir(), &slug))
}

fn refusal(error: &SiteError) -> Refusal {
    match error {
        SiteError::NoRelease { .. } | SiteError::NothingBefore { .. } => Refusal::usage(error.to_string()),
        SiteError::Io { .. }
        | SiteError::Busy { .. }
        | SiteError::NoSite { .. }
        | SiteError::NoRepo { .. }
        | SiteError::Changed { .. }
        | SiteError::Foreign { .. }
        | SiteError::NoGit { .. }
        | SiteError::Git { .. }
        | SiteError::Damaged { .. } => Refusal::inconclusive(error.to_string()),
    }
}

fn short(release: &str) -> String {
    release.chars().take(SHOWN).collect()
}

/// The releases that are kept.
pub(super) async fn releases(
    args: ContentReleasesArgs,
    global: &Global,
    _output: Output,
) -> Result<u8, Refusal> {
    let place = find(&args.site, global).await?;
    let all = site::releases(&place).map_err(|error| refusal(&error))?;
    let now = site::served(&place).map_err(|error| refusal(&error))?;
    if all.is_empty() {
        return Err(Refusal::usage(format!(
            "no site '{}' is published; 'jury content run website --idea DIR' publishes one",
            args.site
        )));
    }
    if args.json {
        Output::result(&pretty(&json!({ "site": args.site, "releases": all, "served": now })));
        return Ok(0);
    }
    for release in &all {
        let mark = if now.as_ref() == Some(release) { "  served" } else { "" };
        Output::result(&format!("{}{mark}", short(release)));
    }
    Ok(0)
}

/// Serves an earlier release again.
pub(super) async fn rollback(
    args: ContentRollbackArgs,
    global: &Global,
    _output: Output,
) -> Result<u8, Refusal> {
    let place = find(&args.site, global).await?;
    let done = site::rollback(&place, args.to.as_deref()).map_err(|error| refusal(&error))?;
    let release = done.release.unwrap_or_default();
    let before = done.before.map(|before| format!(", and no longer {}", short(&before))).unwrap_or_default();
    Output::result(&format!("{} is served{before}", short(&release)));
    Ok(0)
}

/// The page that is served, as one file.
pub(super) async fn page(args: ContentPageArgs, global: &Global) -> Result<u8, Refusal> {
    let place = find(&args.site, global).await?;
    let read = |name: &str| {
        std::fs::read_to_string(place.current().join(name)).map_err(|error| {
            let site = place.slug();
            Refusal::usage(format!(
                "there is no page of a site '{site}': {error}; see 'jury content releases {site}'"
            ))
        })
    };
    let page = jury_text::site::single_file(&read("index.html")?, &read("styles.css")?);
    let page = page.ok_or_else(|| {
        Refusal::inconclusive(format!("the page of '{}' was changed; publish it again", place.slug()))
    })?;
    Output::file(&page);
    Ok(0)
}
