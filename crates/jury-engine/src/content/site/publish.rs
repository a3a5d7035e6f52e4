//! The second phase of a run, one tool at a time: what each is given is in the log, and what it makes of that is the same
//! in whichever process it runs.

use std::sync::Arc;

use jury_agents::api::Secret;
use jury_agents::fetch::{FetchLimits, fetch};
use jury_core::artifact::Digest;
use jury_core::content::brand::SiteBrand;
use jury_core::content::event::{self, ContentEvent, LeftOutPost};
use jury_core::content::{Draft, Page, Tool};
use jury_core::outcome::FailedCause;
use jury_core::unit::Bytes;
use jury_text::site::{
    BUILD_FILE, Post, SiteFiles, SiteSettings, assemble_site_files, pieces_of, post_folders, validate_code,
};

use super::preview_server::PreviewServer;
use super::{SiteError, SiteFolder, Target, VerifyResult, create_repo, deploy, git, push_files, verify};
use crate::content::{ApprovedPost, ApprovedPosts, NotPublished, PublishStep, PublishWith};

/// The address of a daemon that nobody moved.
const USUAL: &str = "http://127.0.0.1:7878";
/// The most problems that are named.
const NAMED: usize = 3;

/// Where sites are served, and what they are made with beside what a run knows.
#[derive(Debug, Clone, Default)]
pub struct Publishing {
    /// The address of the daemon that serves them: `http://127.0.0.1:7878`. Without one, a release is shown on this machine
    /// for as long as it is compared.
    pub origin: Option<String>,
    /// What opens the daemon's door.
    pub token: Option<Secret>,
    /// The language of the copy; English when empty.
    pub lang: String,
}

/// Who does the steps of the second phase.
pub fn publish_with(publishing: Publishing) -> PublishWith {
    let publishing = Arc::new(publishing);
    Arc::new(move |step| {
        let publishing = Arc::clone(&publishing);
        Box::pin(async move { publishing.carry_out(step).await })
    })
}

/// A step that did not work out, with what a person has to do.
fn not(detail: impl Into<String>) -> NotPublished {
    NotPublished { cause: FailedCause::OrchestratorInternal, detail: detail.into() }
}

impl From<SiteError> for NotPublished {
    fn from(error: SiteError) -> Self {
        let cause = match error {
            SiteError::NoGit { .. } => FailedCause::SpawnFailed,
            SiteError::Git { .. } => FailedCause::CliExitNonzero,
            SiteError::Io { .. }
            | SiteError::Busy { .. }
            | SiteError::NoSite { .. }
            | SiteError::NoRepo { .. }
            | SiteError::Changed { .. }
            | SiteError::Foreign { .. }
            | SiteError::NoRelease { .. }
            | SiteError::NothingBefore { .. }
            | SiteError::Damaged { .. } => FailedCause::OrchestratorInternal,
        };
        Self { cause, detail: error.to_string() }
    }
}

impl Publishing {
    async fn carry_out(&self, step: PublishStep) -> Result<ContentEvent, NotPublished> {
        let page = match &step.draft {
            Draft::Page(page) => (**page).clone(),
            Draft::Text(_) => {
                return Err(not("only a page becomes a site; use a recipe with form = \"page\""));
            }
        };
        let site = SiteFolder::new(&step.dir, &step.request.idea);
        match step.tool {
            Tool::AssembleSiteFiles => {
                let ApprovedPosts { posts, left_out } = self.sound(&step, &page)?;
                let files = self.files(&step, &page, &posts)?;
                let bytes = files.values().map(Vec::len).sum::<usize>() as u64;
                Ok(ContentEvent::Assembled(event::Assembled {
                    sha256: digest(&files),
                    files: u32::try_from(files.len()).unwrap_or(u32::MAX),
                    bytes: Bytes(bytes),
                    base_url: self.base_url(&step),
                    posts: posts.into_iter().map(|own| own.origin).collect(),
                    left_out,
                }))
            }
            Tool::ValidateCode => {
                let files = self.assembled(&step, &page)?;
                let posts = posts(&step.posts.posts);
                let found = validate_code(&files, &page, look(&step)?, &posts);
                if !found.passes() {
                    let first: Vec<String> =
                        found.errors.iter().take(NAMED).map(ToString::to_string).collect();
                    let errors = jury_core::line::counted(found.errors.len(), "error", "errors");
                    return Err(not(format!("the site has {errors}: {}", first.join("; "))));
                }
                Ok(ContentEvent::Validated(event::Validated {
                    sentences: u32::try_from(page.copy().len() + posts.iter().map(pieces_of).sum::<usize>())
                        .unwrap_or(u32::MAX),
                    warnings: found.warnings.iter().map(ToString::to_string).collect(),
                }))
            }
            Tool::CreateRepo => {
                let repo = blocking(move || create_repo(&site)).await?;
                let site = step.request.idea.to_string();
                Ok(ContentEvent::RepoCreated(event::RepoCreated { site, created: !repo.existed }))
            }
            Tool::PushFiles => {
                let files = self.assembled(&step, &page)?;
                let (run, content, remote) =
                    (step.run, Digest::of(&step.draft.bytes()), step.request.remote.clone());
                let to = remote.clone();
                let pushed = blocking(move || push_files(&site, &files, run, content, to.as_deref())).await?;
                Ok(ContentEvent::Pushed(event::Pushed {
                    commit: pushed.commit,
                    changed: pushed.changed,
                    remote: remote.map(|remote| git::without_password(&remote)),
                }))
            }
            Tool::Deploy => {
                let files = self.assembled(&step, &page)?;
                let deployed = blocking(move || deploy(&site, &files, &Target::Local)).await?;
                let idea = &step.request.idea;
                Ok(ContentEvent::Deployed(event::Deployed {
                    site: idea.to_string(),
                    release: deployed.release.unwrap_or_default(),
                    previous: deployed.before,
                    url: format!("/s/{idea}/"),
                }))
            }
            Tool::Verify => {
                let files = self.assembled(&step, &page)?;
                let verified = self.look_at(&step, &site, &files).await?;
                if !verified.is_live() {
                    let count = verified.problems.len();
                    let first: Vec<String> =
                        verified.problems.iter().take(NAMED).map(ToString::to_string).collect();
                    return Err(not(format!(
                        "{count} addresses are not as they were built: {}",
                        first.join("; ")
                    )));
                }
                let fetched = u32::try_from(verified.checked).unwrap_or(u32::MAX);
                Ok(ContentEvent::Verified(event::Verified { fetched }))
            }
            Tool::DesignBrand
            | Tool::GenerateDraft
            | Tool::RunCritiques
            | Tool::EditorDecision
            | Tool::SummarizeRound
            | Tool::ReviseDraft
            | Tool::SaveContent => Err(not(format!("{} is no step of those who publish", step.tool))),
        }
    }

    /// The address that the site names as its own.
    fn base_url(&self, step: &PublishStep) -> String {
        let origin = self.origin.as_deref().unwrap_or(USUAL).trim_end_matches('/');
        let here = || format!("{origin}/s/{}/", step.request.idea);
        step.request.base_url.clone().unwrap_or_else(here)
    }

    /// The articles that can stand on the site. One that the checks of the site do not let through is left out and named:
    /// it was approved in another run, and nobody could mend it in this one.
    fn sound(&self, step: &PublishStep, page: &Page) -> Result<ApprovedPosts, NotPublished> {
        let ApprovedPosts { posts: mut kept, mut left_out } = step.posts.clone();
        loop {
            let files = self.files(step, page, &kept)?;
            let beside = posts(&kept);
            let found = validate_code(&files, page, look(step)?, &beside);
            let before = kept.len();
            let mut folders = post_folders(&beside).into_iter();
            kept.retain(|own| {
                let path = folders.next().map(|folder| format!("blog/{folder}/index.html"));
                let flaw = found.errors.iter().find(|flaw| Some(&flaw.file) == path.as_ref());
                left_out.extend(flaw.map(|flaw| LeftOutPost {
                    run_id: own.origin.run_id,
                    why: format!("it does not pass the checks of the site: {flaw}"),
                }));
                flaw.is_none()
            });
            // What led to one that is gone now leads nowhere.
            if kept.len() == before {
                return Ok(ApprovedPosts { posts: kept, left_out });
            }
        }
    }

    fn files(
        &self,
        step: &PublishStep,
        page: &Page,
        beside: &[ApprovedPost],
    ) -> Result<SiteFiles, NotPublished> {
        // What was assembled once keeps its address, wherever the run is taken up again.
        let assembled = step.state.site.assembled.as_ref().map(|assembled| assembled.base_url.clone());
        let settings = SiteSettings {
            base_url: assembled.unwrap_or_else(|| self.base_url(step)),
            lang: self.lang.clone(),
            posts: posts(beside),
        };
        Ok(assemble_site_files(page, look(step)?, &settings))
    }

    /// The files, which have to be those that were assembled in this run.
    fn assembled(&self, step: &PublishStep, page: &Page) -> Result<SiteFiles, NotPublished> {
        let files = self.files(step, page, &step.posts.posts)?;
        if step.state.site.assembled.as_ref().map(|assembled| assembled.sha256) == Some(digest(&files)) {
            return Ok(files);
        }
        Err(not(
            "these are not the files that the run assembled: another version of jury, or other articles; start a new run",
        ))
    }

    async fn look_at(
        &self,
        step: &PublishStep,
        site: &SiteFolder,
        files: &SiteFiles,
    ) -> Result<VerifyResult, NotPublished> {
        let path = format!("/s/{}/", step.request.idea);
        let mut limits = FetchLimits { token: self.token.clone(), ..FetchLimits::default() };
        if let Some(origin) = &self.origin {
            let rest = origin.split_once("://").map_or(origin.as_str(), |(_, rest)| rest);
            let host = rest.split('/').next().unwrap_or_default();
            let host =
                if host.ends_with(']') { host } else { host.rsplit_once(':').map_or(host, |(host, _)| host) };
            limits.allow_hosts = vec![host.to_owned()];
            let served_at = format!("{}{path}", origin.trim_end_matches('/'));
            return Ok(verify(&served_at, files, |url: String| get(url, limits.clone())).await);
        }
        let preview = PreviewServer::open(site.current(), &path).await?;
        limits.token = None;
        limits.allow_hosts = vec!["127.0.0.1".to_owned()];
        let served_at = preview.address().to_owned();
        tokio::select! {
            verified = verify(&served_at, files, |url: String| get(url, limits.clone())) => Ok(verified),
            error = preview.show() => Err(error.into()),
        }
    }
}

async fn get(
    url: String,
    limits: FetchLimits,
) -> Result<jury_agents::fetch::Fetched, jury_agents::fetch::FetchError> {
    fetch(&url, &limits).await
}

fn posts(approved: &[ApprovedPost]) -> Vec<Post> {
    approved.iter().map(|own| own.post.clone()).collect()
}

/// The look that this run decided on.
fn look(step: &PublishStep) -> Result<&SiteBrand, NotPublished> {
    let branded = step.state.site.branded.as_ref();
    branded
        .map(|branded| &branded.brand)
        .ok_or_else(|| not("the look is not decided yet; call design_brand first"))
}

/// What all files together are: the list of them names every file with its digest.
fn digest(files: &SiteFiles) -> Digest {
    Digest::of(files.get(BUILD_FILE).map_or(&[], Vec::as_slice))
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, SiteError> + Send + 'static,
) -> Result<T, NotPublished> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done.map_err(NotPublished::from),
        Err(_) => Err(not("a step of the publication broke the program; see the log, and report it")),
    }
}
