//! Publishing with real git, real files and real processes that die.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use jury_agents::fetch::{FetchLimits, fetch};
use jury_core::artifact::Digest;
use jury_core::content::{IdeaId, Page};
use jury_core::id::RunId;
use jury_engine::content::site::{
    KEPT, PushResult, SiteError, SiteFolder, Target, create_repo, deploy, push_files, releases, rollback,
    served, verify,
};
use jury_text::site::{BUILD_FILE, Build, Post, SiteFiles, SiteSettings, assemble_site_files, design_brand};

fn idea() -> IdeaId {
    "acme".parse().unwrap()
}

/// The files of a site whose headline is this, with so many posts.
fn files(headline: &str, posts: u8, base_url: &str) -> SiteFiles {
    let mut page = Page { name: "Acme".to_owned(), title: "Acme counts".to_owned(), ..Page::default() };
    headline.clone_into(&mut page.hero.headline);
    let posts = (0..posts).map(|number| Post {
        slug: format!("post-{number}"),
        title: format!("Post {number}"),
        search_title: None,
        description: String::new(),
        markdown: "Words.".to_owned(),
        date: jiff::civil::date(2026, 1, 1),
    });
    let settings =
        SiteSettings { base_url: base_url.to_owned(), lang: "en".to_owned(), posts: posts.collect() };
    assemble_site_files(&page, &design_brand(None, "acme").0, &settings)
}

fn of(headline: &str) -> SiteFiles {
    files(headline, 1, "https://acme.example/")
}

fn push(site: &SiteFolder, files: &SiteFiles, remote: Option<&str>) -> Result<PushResult, SiteError> {
    push_files(site, files, RunId(uuid::Uuid::nil()), Digest::of(b"content"), remote)
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=Somebody", "-c", "user.email=somebody@example.com"]);
    let output = command.args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn site() -> (tempfile::TempDir, SiteFolder) {
    let dir = tempfile::tempdir().unwrap();
    let site = SiteFolder::new(dir.path(), &idea());
    (dir, site)
}

#[test]
fn a_data_directory_may_be_named_from_where_we_are() {
    let dir = tempfile::tempdir().unwrap();
    let here = std::env::current_dir().unwrap();
    let up: PathBuf = here.components().skip(1).map(|_| "..").collect();
    let below: PathBuf = dir.path().components().skip(1).collect();
    let site = SiteFolder::new(&up.join(&below), &idea());
    assert!(site.repo().is_relative());
    create_repo(&site).unwrap();
    git(dir.path(), &["init", "-q", "--bare", "-b", "main", "bare.git"]);
    let remote = up.join(&below).join("bare.git");
    assert!(push(&site, &of("One"), remote.to_str()).unwrap().pushed);
    deploy(&site, &of("One"), &Target::Local).unwrap();
    assert!(is_whole(&site.current()));
}

#[test]
fn a_build_is_one_commit_and_the_same_build_is_none() {
    let (_dir, site) = site();
    assert!(!create_repo(&site).unwrap().existed);
    assert!(create_repo(&site).unwrap().existed, "it is used again");
    let first = push(&site, &of("One"), None).unwrap();
    assert!(first.committed && !first.pushed);
    assert_eq!(first.changed, 11);
    let again = push(&site, &of("One"), None).unwrap();
    assert_eq!(again, PushResult { committed: false, changed: 0, ..first });
    assert_eq!(git(&site.repo(), &["rev-list", "--count", "HEAD"]), "1");
    assert_eq!(git(&site.repo(), &["status", "--porcelain"]), "");
    assert_eq!(git(&site.repo(), &["log", "-1", "--format=%an <%ae>"]), "jury <jury@localhost>");
    let message = git(&site.repo(), &["log", "-1", "--format=%B"]);
    assert!(message.contains("Run: 00000000") && message.contains("Content: ed7002b4"), "{message}");
    assert_eq!(fs::read(site.repo().join("index.html")).unwrap(), of("One")["index.html"]);
}

#[test]
fn what_is_not_ours_stays() {
    let (_dir, site) = site();
    create_repo(&site).unwrap();
    let repo = site.repo();
    fs::write(repo.join("CNAME"), "acme.example\n").unwrap();
    git(&repo, &["add", "CNAME"]);
    git(&repo, &["commit", "-qm", "Name it"]);
    push(&site, &files("One", 2, "https://acme.example/"), None).unwrap();
    fs::create_dir_all(repo.join("blog/by-hand")).unwrap();
    fs::write(repo.join("blog/by-hand/index.html"), "mine").unwrap();
    git(&repo, &["add", "."]);
    git(&repo, &["commit", "-qm", "Write by hand"]);
    fs::write(repo.join("staged.txt"), "not yet").unwrap();
    git(&repo, &["add", "staged.txt"]);
    push(&site, &files("Two", 0, "https://acme.example/"), None).unwrap();
    assert!(!repo.join("blog/post-0").exists() && !repo.join("feed.xml").exists(), "what was ours is gone");
    assert_eq!(fs::read_to_string(repo.join("blog/by-hand/index.html")).unwrap(), "mine");
    assert_eq!(fs::read_to_string(repo.join("CNAME")).unwrap(), "acme.example\n");
    assert_eq!(
        git(&repo, &["status", "--porcelain"]),
        "A  staged.txt",
        "what somebody staged is still only staged"
    );
    assert_eq!(git(&repo, &["rev-list", "--count", "HEAD"]), "4");
}

#[test]
fn a_change_of_somebody_else_is_not_overwritten() {
    let (_dir, site) = site();
    create_repo(&site).unwrap();
    push(&site, &of("One"), None).unwrap();
    let index = site.repo().join("index.html");
    fs::write(&index, "edited").unwrap();
    let error = push(&site, &of("Two"), None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "changed by somebody else since the last build: index.html; undo that with git, or take it into the page, and run again"
    );
    assert_eq!(fs::read_to_string(&index).unwrap(), "edited");
    git(&site.repo(), &["commit", "-qam", "Edit it"]);
    assert!(matches!(push(&site, &of("Two"), None), Err(SiteError::Changed { .. })), "committed or not");
    git(&site.repo(), &["revert", "--no-edit", "HEAD"]);
    assert!(push(&site, &of("Two"), None).unwrap().committed);
    assert_eq!(git(&site.repo(), &["rev-list", "--count", "HEAD"]), "4", "no commit is lost");
}

#[test]
fn a_file_of_somebody_else_is_not_taken_over_and_a_link_is_not_followed() {
    let (dir, site) = site();
    create_repo(&site).unwrap();
    fs::write(site.repo().join("robots.txt"), "User-agent: *\n").unwrap();
    let error = push(&site, &of("One"), None).unwrap_err();
    assert!(matches!(&error, SiteError::Foreign { paths } if paths == &["robots.txt"]), "{error}");
    fs::remove_file(site.repo().join("robots.txt")).unwrap();
    let elsewhere = dir.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, site.repo().join("blog")).unwrap();
    assert!(push(&site, &of("One"), None).is_err());
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0, "nothing is written outside");
}

#[test]
fn hooks_and_the_surroundings_of_git_have_no_say() {
    let (dir, site) = site();
    create_repo(&site).unwrap();
    let hook = site.repo().join(".git/hooks/pre-commit");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, format!("#!/bin/sh\ntouch {}/ran\nexit 1\n", dir.path().display())).unwrap();
    fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    fs::write(site.repo().join(".gitignore"), "*.css\n").unwrap();
    assert!(push(&site, &of("One"), None).unwrap().committed);
    assert!(!dir.path().join("ran").exists());
    assert!(git(&site.repo(), &["ls-files"]).contains("styles.css"), "ignored or not, it is ours");
}

#[test]
fn a_remote_gets_it_and_is_never_forced() {
    let (dir, site) = site();
    let bare = dir.path().join("bare.git");
    git(dir.path(), &["init", "-q", "--bare", "-b", "main", "bare.git"]);
    create_repo(&site).unwrap();
    let remote = bare.to_str().unwrap();
    let pushed = push(&site, &of("One"), Some(remote)).unwrap();
    assert!(pushed.pushed);
    assert_eq!(git(&bare, &["rev-parse", "main"]), pushed.commit);
    // Somebody else pushes in between.
    git(dir.path(), &["clone", "-q", "bare.git", "other"]);
    let other = dir.path().join("other");
    fs::write(other.join("more.txt"), "more").unwrap();
    git(&other, &["add", "."]);
    git(&other, &["commit", "-qm", "More"]);
    git(&other, &["push", "-q"]);
    let theirs = git(&bare, &["rev-parse", "main"]);
    let error = push(&site, &of("Two"), Some(remote)).unwrap_err().to_string();
    assert!(error.starts_with("git push: ! [rejected]") && error.ends_with("and push again"), "{error}");
    assert_eq!(error.lines().count(), 1);
    assert_eq!(git(&bare, &["rev-parse", "main"]), theirs);
    git(&site.repo(), &["pull", "-q", "--no-rebase", "--no-edit", remote, "main"]);
    assert!(push(&site, &of("Two"), Some(remote)).unwrap().pushed, "what was committed is pushed now");
    assert!(deploy(&site, &of("Two"), &Target::GitRemote { remote: remote.to_owned() }).is_ok());
    for wrong in ["--upload-pack=touch x", "", "/nowhere/at/all.git", "ext::sh -c true"] {
        let error = push(&site, &of("Two"), Some(wrong)).unwrap_err();
        assert!(
            matches!(error, SiteError::Git { .. }) && error.to_string().lines().count() == 1,
            "{wrong}: {error}"
        );
    }
}

#[test]
fn a_build_that_was_cut_off_is_finished_by_the_next() {
    let (_dir, site) = site();
    create_repo(&site).unwrap();
    push(&site, &of("One"), None).unwrap();
    // As a process leaves it that dies after it has written some of its files.
    fs::write(site.folder().join("pending.json"), &of("Two")[BUILD_FILE]).unwrap();
    fs::write(site.repo().join("index.html"), &of("Two")["index.html"]).unwrap();
    assert!(push(&site, &of("Three"), None).unwrap().committed);
    assert_eq!(fs::read(site.repo().join("index.html")).unwrap(), of("Three")["index.html"]);
    assert!(!site.folder().join("pending.json").exists());
}

#[test]
fn a_repository_that_was_cut_off_is_finished_and_a_lock_that_was_left_is_named() {
    let (_dir, site) = site();
    fs::create_dir_all(site.repo().join(".git")).unwrap();
    assert!(create_repo(&site).unwrap().existed);
    let lock = site.repo().join(".git/index.lock");
    fs::write(&lock, "").unwrap();
    let error = push(&site, &of("One"), None).unwrap_err().to_string();
    assert!(error.contains("index.lock") && error.contains("remove that file"), "{error}");
    fs::remove_file(&lock).unwrap();
    assert!(push(&site, &of("One"), None).unwrap().committed);
}

#[test]
fn a_release_is_switched_to_and_back() {
    let (_dir, site) = site();
    assert_eq!(served(&site).unwrap(), None);
    let one = deploy(&site, &of("One"), &Target::Local).unwrap().release.unwrap();
    let two = deploy(&site, &of("Two"), &Target::Local).unwrap();
    assert_eq!(two.before.as_ref(), Some(&one));
    let page = |site: &SiteFolder| fs::read(site.current().join("index.html")).unwrap();
    assert_eq!(page(&site), of("Two")["index.html"]);
    let back = rollback(&site, None).unwrap();
    assert_eq!(back.release, Some(one.clone()));
    assert_eq!(page(&site), of("One")["index.html"]);
    assert!(rollback(&site, None).is_err(), "there is nothing before the first");
    let beginning: String = two.release.iter().flat_map(|release| release.chars().take(8)).collect();
    rollback(&site, Some(&beginning)).unwrap();
    assert_eq!(served(&site).unwrap(), two.release);
    let error = rollback(&site, Some("../../etc")).unwrap_err().to_string();
    assert!(error.starts_with("no release '../../etc' of 'acme'; there are "), "{error}");
    // The same files are the same release.
    assert_eq!(deploy(&site, &of("One"), &Target::Local).unwrap().release, Some(one));
    assert_eq!(releases(&site).unwrap().len(), 2);
}

#[test]
fn the_last_releases_are_kept_and_a_damaged_one_is_not_served_again() {
    let (_dir, site) = site();
    let names: Vec<String> = (0..7)
        .map(|n| deploy(&site, &of(&format!("Number {n}")), &Target::Local).unwrap().release.unwrap())
        .collect();
    assert_eq!(releases(&site).unwrap(), names[7 - KEPT..]);
    assert_eq!(fs::read_dir(site.releases()).unwrap().count(), KEPT);
    fs::write(site.releases().join(&names[5]).join("index.html"), "broken").unwrap();
    assert!(matches!(rollback(&site, None), Err(SiteError::Damaged { .. })));
    assert_eq!(served(&site).unwrap().as_ref(), Some(&names[6]));
    let mended = deploy(&site, &of("Number 5"), &Target::Local).unwrap().release.unwrap();
    assert_eq!(
        fs::read(site.current().join("index.html")).unwrap(),
        of("Number 5")["index.html"],
        "{mended}"
    );
}

#[test]
fn what_is_no_site_is_not_published() {
    let (_dir, site) = site();
    let mut broken = of("One");
    broken.insert("index.html".to_owned(), b"other".to_vec());
    assert!(matches!(deploy(&site, &broken, &Target::Local), Err(SiteError::NoSite { .. })));
    create_repo(&site).unwrap();
    assert!(matches!(push(&site, &broken, None), Err(SiteError::NoSite { .. })));
    assert!(matches!(deploy(&site, &SiteFiles::new(), &Target::Local), Err(SiteError::NoSite { .. })));
    fs::create_dir_all(SiteFolder::new(site.folder(), &idea()).repo().join("something")).unwrap();
    assert!(matches!(create_repo(&SiteFolder::new(site.folder(), &idea())), Err(SiteError::NoRepo { .. })));
}

const CHILD: &str = "JURY_TEST_PUBLISHES";

/// Publishes in turns until it is killed: the child of the test below, and nothing when it is called by itself.
#[test]
fn publishes_for_ever_when_told_to() {
    let Some(dir) = std::env::var_os(CHILD) else { return };
    let site = SiteFolder::new(Path::new(&dir), &idea());
    let builds = [of("One"), of("Two"), files("Three", 9, "https://acme.example/")];
    for files in builds.iter().cycle() {
        deploy(&site, files, &Target::Local).unwrap();
        let mut out = std::io::stderr();
        writeln!(out, "published").unwrap();
    }
}

fn is_whole(release: &Path) -> bool {
    let list = fs::read(release.join(BUILD_FILE)).unwrap();
    let build = Build::read(&list).unwrap();
    build.files.iter().all(|file| Digest::of(&fs::read(release.join(&file.path)).unwrap()) == file.sha256)
}

#[test]
fn killed_at_any_point_a_whole_release_is_served() {
    let (dir, site) = site();
    deploy(&site, &of("One"), &Target::Local).unwrap();
    for round in 0..12u32 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "site::publishes_for_ever_when_told_to", "--nocapture"])
            .env(CHILD, dir.path())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        lines.find(|line| line.as_ref().is_ok_and(|line| line == "published")).unwrap().unwrap();
        // Look on for a while that is another one each time; whatever is served in the meantime is whole.
        for _ in 0..=round * 3 {
            let release = site.folder().join(fs::read_link(site.current()).unwrap());
            assert!(is_whole(&release), "round {round}: {}", release.display());
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let release: PathBuf = site.folder().join(fs::read_link(site.current()).unwrap());
        assert!(is_whole(&release), "round {round}: {}", release.display());
        // Whoever comes next is not held up by what was left.
        deploy(&site, &of(&format!("After {round}")), &Target::Local).unwrap();
        assert!(is_whole(&site.current()));
    }
    let left = fs::read_dir(site.releases())
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with('.'));
    assert_eq!(left.count(), 0, "what was left half done is cleared away");
}

/// A server of the files in a folder, for as many requests as it gets.
fn serve(folder: PathBuf) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let first = lines.next().unwrap().unwrap();
            for line in lines.by_ref() {
                if line.unwrap().is_empty() {
                    break;
                }
            }
            let path = first.split(' ').nth(1).unwrap().trim_start_matches("/s/acme/").to_owned();
            let path =
                if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path };
            let (status, body) = match fs::read(folder.join(path)) {
                Ok(body) => ("200 OK", body),
                Err(_) => ("404 Not Found", Vec::new()),
            };
            let head =
                format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
            stream.write_all(head.as_bytes()).unwrap();
            stream.write_all(&body).unwrap();
        }
    });
    format!("http://{address}/s/acme/")
}

#[tokio::test]
async fn what_is_served_is_compared_byte_by_byte() {
    let (_dir, site) = site();
    let base = serve(site.current());
    let files = files("One", 2, &base);
    deploy(&site, &files, &Target::Local).unwrap();
    let limits = FetchLimits { allow_hosts: vec!["127.0.0.1".to_owned()], ..FetchLimits::default() };
    let fetched = |url: String| {
        let limits = limits.clone();
        async move { fetch(&url, &limits).await }
    };
    let live = verify(&base, &files, fetched).await;
    assert!(live.is_live(), "{:?}", live.problems);
    assert_eq!(live.checked, files.len() + 4, "every file, and every address of the sitemap");
    // An older release, a missing file, another site, and nobody at all.
    let (_other_dir, other) = self::site();
    let mut newer = files.clone();
    newer.insert("robots.txt".to_owned(), b"new".to_vec());
    let problems = verify(&base, &newer, fetched).await.problems;
    assert_eq!(problems.len(), 1);
    assert!(problems[0].to_string().contains("robots.txt: other bytes"), "{}", problems[0]);
    fs::remove_file(site.current().join("styles.css")).unwrap();
    let problems = verify(&base, &files, fetched).await.problems;
    assert_eq!(problems[0].to_string(), format!("{base}styles.css: status 404 and not 200"));
    assert!(!verify(&serve(other.current()), &files, fetched).await.is_live());
    assert!(!verify(&base, &SiteFiles::new(), fetched).await.is_live(), "nothing fetched is nothing proven");
    let strict =
        verify(&base, &files, |url: String| async move { fetch(&url, &FetchLimits::default()).await }).await;
    assert_eq!(strict.problems.len(), strict.checked, "a private address is not asked unless it is named");
}
