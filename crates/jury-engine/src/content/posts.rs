//! The articles of an idea that belong on its site: what was reviewed and approved, and nothing else. Which ones they are is
//! written down when the files are made, so that every later step has the same.

use jury_core::artifact::Digest;
use jury_core::content::event::{LeftOutPost, SitePost};
use jury_core::content::{ContentState, ContentStatus, Form};
use jury_core::outcome::FailedCause;
use jury_store::RunRow;
use jury_text::site::Post;

use super::worker::{Stuck, Trouble, Worker};

/// The most runs of an idea that are looked at, the newest first.
const MOST_RUNS: u32 = 2_000;
/// The most articles of a site.
const MOST_POSTS: usize = 200;

/// An approved article with the run that it comes of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovedPost {
    /// Its run, and which of its drafts.
    pub origin: SitePost,
    /// What becomes a page.
    pub post: Post,
}

/// The articles of a site, the oldest first, and those that are none of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ApprovedPosts {
    /// What is there.
    pub posts: Vec<ApprovedPost>,
    /// What is approved and not there, and why.
    pub left_out: Vec<LeftOutPost>,
}

impl Worker<'_> {
    /// The articles of the site of this run: those that were assembled, or else those that are approved now.
    pub(super) async fn posts(&self) -> Result<ApprovedPosts, Stuck> {
        let Some(assembled) = &self.state.site.assembled else {
            return self.approved().await;
        };
        let mut found = ApprovedPosts::default();
        for origin in &assembled.posts {
            let changed = || {
                let detail = format!(
                    "the article of run {} is not as it was assembled; restore it or start a new run",
                    origin.run_id
                );
                Trouble::new(FailedCause::OrchestratorInternal, detail)
            };
            let row = self.store.run(origin.run_id).await?.ok_or_else(changed)?;
            let post = self.post(&row, origin).await?.ok_or_else(changed)?;
            found.posts.push(ApprovedPost { origin: origin.clone(), post });
        }
        Ok(found)
    }

    async fn approved(&self) -> Result<ApprovedPosts, Stuck> {
        let own = self.store.run(self.run).await?.map(|row| row.project);
        let rows = self.store.content_runs(Some(&self.request.idea), None, MOST_RUNS).await?;
        let mut ended: Vec<(jiff::Timestamp, RunRow)> = rows
            .into_iter()
            .filter(|row| own.as_ref() == Some(&row.project))
            .filter_map(|row| row.ended_at.map(|ended| (ended, row)))
            .collect();
        ended.sort_by_key(|(ended, row)| (*ended, row.run.0));
        let mut found = ApprovedPosts::default();
        for (ended, row) in ended.iter().rev() {
            let state = self.store.state::<ContentState>(row.run).await?;
            let form = state.started.as_ref().map(|started| started.recipe.form);
            if state.status() != ContentStatus::Approved || !matches!(form, Some(Form::Article | Form::Post))
            {
                continue;
            }
            let Some(saved) = &state.saved else { continue };
            let date = ended.to_zoned(jiff::tz::TimeZone::UTC).date();
            let origin = SitePost { run_id: row.run, round: saved.round, sha256: saved.draft.sha256, date };
            let mut leave = |why: &str| {
                found.left_out.push(LeftOutPost { run_id: row.run, why: why.to_owned() });
            };
            match self.post(row, &origin).await? {
                None => leave("its draft is gone or not the one that was approved"),
                Some(post) if found.posts.iter().any(|newer| newer.post.title == post.title) => {
                    leave("a newer one has the same title");
                }
                Some(_) if found.posts.len() >= MOST_POSTS => leave("the site has as many as it can"),
                Some(post) => found.posts.push(ApprovedPost { origin, post }),
            }
        }
        // The oldest first: it keeps its address.
        found.posts.reverse();
        Ok(found)
    }

    /// The article of a run, if its draft is there and the one that is meant.
    async fn post(&self, row: &RunRow, origin: &SitePost) -> Result<Option<Post>, Stuck> {
        let body = self.store.read_round(row.artifact, origin.round).await?;
        let body = body.filter(|body| Digest::of(body) == origin.sha256);
        let text = body.and_then(|body| String::from_utf8(body).ok());
        Ok(text.and_then(|text| Post::of(&text, origin.date)))
    }
}
