//! Whoever publishes here: the second phase with the files of a site, its repository and its releases.
//!
//! A site is a function of the saved page, the brand in the log and the address in the log, so every step makes the files
//! anew and holds them against the digest that was written down. Nothing is kept between two steps.

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use jury_agents::fetch::{FetchLimits, Fetched, fetch};
use jury_core::artifact::Digest;
use jury_core::content::event::{Assembled, Branded, Deployed, Pushed, RepoCreated, Validated, Verified};
use jury_core::content::{Brand, ContentEvent, Draft, IdeaId, Page, Tool};
use jury_core::outcome::FailedCause;
use jury_core::unit::Bytes;
use jury_house::site::{
    BUILD_FILE, SiteFiles, SiteSettings, assemble_site_files, design_brand, validate_code,
};
use tokio::task::spawn_blocking;

use super::desk::{NotPublished, PublishStep, PublishWith};
use super::site::{Site, SiteError, Target, create_repo, deploy, push_files, verify};

/// Fetches an address.
pub type FetchWith =
    Arc<dyn Fn(String) -> Pin<Box<dyn Future<Output = Result<Fetched, String>> + Send>> + Send + Sync>;

/// Whoever publishes here.
#[derive(Clone)]
pub struct Publisher {
    /// The address of the daemon that serves releases, such as `http://127.0.0.1:7456`. A site is below it, at `/s/<idea>/`.
    pub address: String,
    /// How what is served is looked at.
    pub fetch: FetchWith,
}

impl std::fmt::Debug for Publisher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Publisher").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Publisher {
    /// A daemon serves releases at this address, and what is served is fetched over HTTP.
    pub fn over_http(address: &str, limits: FetchLimits) -> Self {
        let fetch: FetchWith = Arc::new(move |url| {
            let limits = limits.clone();
            Box::pin(async move { fetch(&url, &limits).await.map_err(|error| error.to_string()) })
        });
        Self { address: address.trim_end_matches('/').to_owned(), fetch }
    }

    /// No daemon runs: releases are looked at in their folders, as it would serve them at this address.
    pub fn on_disk(address: &str, data_dir: PathBuf) -> Self {
        let address = address.trim_end_matches('/').to_owned();
        let below = format!("{address}/s/");
        let fetch: FetchWith = Arc::new(move |url| {
            let (below, data_dir) = (below.clone(), data_dir.clone());
            Box::pin(async move {
                let rest = url.strip_prefix(&below).ok_or_else(|| format!("it is not below {below}"))?;
                let (slug, path) = rest.split_once('/').ok_or("there is no site of that name")?;
                let slug: IdeaId = slug.parse().map_err(|_| "there is no site of that name".to_owned())?;
                let path = if path.is_empty() { "index.html" } else { path };
                let place = Site::new(&data_dir, &slug).current().join(path);
                let read = tokio::fs::read(&place).await;
                let body = read.map_err(|error| format!("{}: {error}", place.display()))?;
                Ok(Fetched { status: 200, content_type: None, body })
            })
        });
        Self { address, fetch }
    }

    /// As a desk has it.
    pub fn publish(self) -> PublishWith {
        Arc::new(move |step| {
            let publisher = self.clone();
            Box::pin(async move { publisher.step(step).await })
        })
    }

    async fn step(&self, step: PublishStep) -> Result<ContentEvent, NotPublished> {
        let Draft::Page(page) = &step.draft else {
            return Err(broken("only a page can become a site"));
        };
        let work = Work {
            site: Site::new(&step.dir, &step.request.idea),
            base_url: self.base_url(&step),
            page: (**page).clone(),
            local: format!("/s/{}/", step.request.idea),
            step,
        };
        if work.step.tool == Tool::Verify {
            return self.verify(&work).await;
        }
        let done = spawn_blocking(move || work.done()).await;
        done.unwrap_or_else(|error| Err(broken(&format!("the program broke: {error}"))))
    }

    /// The address that the files name as theirs: the one in the log, once it is there.
    fn base_url(&self, step: &PublishStep) -> String {
        let known = step.studio.site.assembled.as_ref().map(|site| site.base_url.clone());
        known
            .or_else(|| step.request.base_url.clone())
            .unwrap_or_else(|| format!("{}/s/{}/", self.address, step.request.idea))
    }

    async fn verify(&self, work: &Work) -> Result<ContentEvent, NotPublished> {
        let files = work.files()?;
        let found = verify(&work.base_url, &files, |url| (self.fetch)(url)).await;
        if found.is_live() {
            let fetched = u32::try_from(found.checked).unwrap_or(u32::MAX);
            return Ok(ContentEvent::Verified(Verified { fetched }));
        }
        let problems: Vec<String> = found.problems.iter().take(5).map(ToString::to_string).collect();
        let more = found.problems.len().saturating_sub(problems.len());
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        Err(broken(&format!("what is served is not what was made: {}{more}", problems.join("; "))))
    }
}

/// A step of one site.
struct Work {
    site: Site,
    base_url: String,
    local: String,
    page: Page,
    step: PublishStep,
}

impl Work {
    fn done(&self) -> Result<ContentEvent, NotPublished> {
        let step = &self.step;
        Ok(match step.tool {
            Tool::DesignBrand => {
                let foundation = &step.request.foundation;
                let design = foundation.get("design").or_else(|| foundation.get("brand"));
                let (brand, notes) = design_brand(design, step.request.idea.as_str());
                ContentEvent::Branded(Branded {
                    brand,
                    notes: notes.iter().map(ToString::to_string).collect(),
                })
            }
            Tool::AssembleSiteFiles => {
                let files = self.assemble()?;
                ContentEvent::Assembled(Assembled {
                    sha256: digest(&files),
                    files: u32::try_from(files.len()).unwrap_or(u32::MAX),
                    bytes: Bytes(files.values().map(|bytes| bytes.len() as u64).sum()),
                    base_url: self.base_url.clone(),
                })
            }
            Tool::ValidateCode => {
                let found = validate_code(&self.files()?, &self.page, &self.brand()?);
                if !found.passes() {
                    let flaws: Vec<String> = found.errors.iter().take(5).map(ToString::to_string).collect();
                    return Err(broken(&format!("the files cannot be published: {}", flaws.join("; "))));
                }
                ContentEvent::Validated(Validated {
                    sentences: u32::try_from(self.page.copy().len()).unwrap_or(u32::MAX),
                    warnings: found.warnings.iter().map(ToString::to_string).collect(),
                })
            }
            Tool::CreateRepo => {
                let repo = create_repo(&self.site).map_err(|error| failed(&error))?;
                ContentEvent::RepoCreated(RepoCreated {
                    site: self.site.slug().to_string(),
                    created: !repo.existed,
                })
            }
            Tool::PushFiles => {
                let (files, remote) = (self.files()?, step.request.remote.as_deref());
                let content = Digest::of(&step.draft.bytes());
                let pushed = push_files(&self.site, &files, step.run, content, remote);
                let pushed = pushed.map_err(|error| failed(&error))?;
                let changed =
                    if pushed.committed { u32::try_from(files.len()).unwrap_or(u32::MAX) } else { 0 };
                let remote = remote.filter(|_| pushed.pushed).map(ToOwned::to_owned);
                ContentEvent::Pushed(Pushed { commit: pushed.commit, changed, remote })
            }
            Tool::Deploy => {
                let deployed = deploy(&self.site, &self.files()?, &Target::Local);
                let deployed = deployed.map_err(|error| failed(&error))?;
                ContentEvent::Deployed(Deployed {
                    site: self.site.slug().to_string(),
                    release: deployed.release.unwrap_or_default(),
                    previous: deployed.before,
                    url: step.request.base_url.clone().unwrap_or_else(|| self.local.clone()),
                })
            }
            tool @ (Tool::Verify
            | Tool::GenerateDraft
            | Tool::RunCritiques
            | Tool::EditorDecision
            | Tool::SummarizeRound
            | Tool::ReviseDraft
            | Tool::SaveContent) => return Err(broken(&format!("{tool} publishes nothing"))),
        })
    }

    fn brand(&self) -> Result<Brand, NotPublished> {
        let branded = self.step.studio.site.branded.as_ref();
        Ok(branded.ok_or_else(|| broken("there is no brand yet"))?.brand.clone())
    }

    fn assemble(&self) -> Result<SiteFiles, NotPublished> {
        let settings = SiteSettings { base_url: self.base_url.clone(), ..SiteSettings::default() };
        Ok(assemble_site_files(&self.page, &self.brand()?, &settings))
    }

    /// The files that were assembled: the same, or nothing is published.
    fn files(&self) -> Result<SiteFiles, NotPublished> {
        let files = self.assemble()?;
        let known = self.step.studio.site.assembled.as_ref().map(|site| site.sha256);
        if known == Some(digest(&files)) {
            return Ok(files);
        }
        Err(broken(
            "the files come out otherwise than before: this is another version of jury; start another run",
        ))
    }
}

/// What all files together are. The list of them names every other with its digest.
fn digest(files: &SiteFiles) -> Digest {
    Digest::of(files.get(BUILD_FILE).map_or(&[][..], Vec::as_slice))
}

fn broken(detail: &str) -> NotPublished {
    NotPublished { cause: FailedCause::OrchestratorInternal, detail: detail.to_owned() }
}

fn failed(error: &SiteError) -> NotPublished {
    broken(&error.to_string())
}
