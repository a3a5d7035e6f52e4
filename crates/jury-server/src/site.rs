//! Published sites: `/s/{slug}/…` shows the files of the release that is current. They run nothing, whatever is in them.
//!
//! Addresses of a site are made of plain names; whatever else somebody asks for is not there. Nothing is decoded, so that
//! nothing can be hidden in an encoding.

use std::io;
use std::path::Path;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH, LOCATION,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use jury_core::artifact::Digest;
use jury_core::content::IdeaId;
use jury_engine::content::site::SiteFolder;

use crate::error::ApiError;
use crate::server::Shared;

/// A site shows what it has, runs no script, sends no form, and is framed by nobody else.
const POLICY: &str = "default-src 'self'; script-src 'none'; object-src 'none'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'self'";

/// The longest path of a file in a site.
const LONGEST_PATH_BYTES: usize = 512;

/// Whatever stands behind `/s/`.
pub(crate) async fn site(State(shared): State<Shared>, request: Request) -> Response {
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return ApiError::method().into_response();
    }
    answer(shared.store.dir(), request.method(), request.uri().path(), request.headers()).await
}

async fn answer(data: &Path, method: &Method, path: &str, asked: &HeaderMap) -> Response {
    let rest = path.strip_prefix("/s/").unwrap_or_default();
    let (slug, inner) = rest.split_once('/').map_or((rest, None), |(slug, inner)| (slug, Some(inner)));
    let Some(site) = slug.parse::<IdeaId>().ok().map(|slug| SiteFolder::new(data, &slug)) else {
        return no_site();
    };
    // The link is read once: an answer is of one release, whatever is published in the meantime.
    let Ok(release) = tokio::fs::read_link(site.current()).await else { return no_site() };
    let release = site.folder().join(release);
    let Some(inner) = inner else { return moved(&format!("/s/{slug}/")) };
    if let Some(name) = file_name(inner) {
        if let Ok(bytes) = read(&release, &name).await {
            return file(StatusCode::OK, &name, bytes, method, asked);
        }
        if !inner.ends_with('/') && read(&release, &format!("{inner}/index.html")).await.is_ok() {
            return moved(&format!("/s/{slug}/{inner}/"));
        }
    }
    match read(&release, "404.html").await {
        Ok(bytes) => file(StatusCode::NOT_FOUND, "404.html", bytes, method, asked),
        Err(_) => no_site(),
    }
}

/// The file that an address of a site shows; none when it cannot be one.
fn file_name(inner: &str) -> Option<String> {
    let name = if inner.is_empty() || inner.ends_with('/') {
        format!("{inner}index.html")
    } else {
        inner.to_owned()
    };
    let plain = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'))
    };
    (name.len() <= LONGEST_PATH_BYTES && name.split('/').all(plain)).then_some(name)
}

/// A file of a release. What is a link is none: a release has files and folders.
async fn read(release: &Path, name: &str) -> io::Result<Vec<u8>> {
    let mut path = release.to_owned();
    for part in name.split('/') {
        path.push(part);
        if tokio::fs::symlink_metadata(&path).await?.is_symlink() {
            return Err(io::ErrorKind::NotFound.into());
        }
    }
    tokio::fs::read(&path).await
}

fn file(status: StatusCode, name: &str, bytes: Vec<u8>, method: &Method, asked: &HeaderMap) -> Response {
    let tag = format!("\"{}\"", Digest::of(&bytes));
    let known = asked.get(IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let has_it = status == StatusCode::OK
        && known.is_some_and(|known| known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag));
    let length = bytes.len();
    let is_sent = !has_it && method != Method::HEAD;
    let mut response = Response::new(if is_sent { Body::from(bytes) } else { Body::empty() });
    *response.status_mut() = if has_it { StatusCode::NOT_MODIFIED } else { status };
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(mime(name)));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    // A site is asked for each time and sent when it has changed: the next release shows at once.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if method == Method::HEAD && !has_it {
        headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(ETAG, tag);
    }
    response
}

fn mime(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("xml") => "application/xml; charset=utf-8",
        Some("txt") => "text/plain; charset=utf-8",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

fn moved(address: &str) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::PERMANENT_REDIRECT;
    if let Ok(address) = HeaderValue::from_str(address) {
        response.headers_mut().insert(LOCATION, address);
    }
    response
}

fn no_site() -> Response {
    ApiError::not_found(
        "no_site",
        "no site is published at this address",
        "publish one with 'jury content run website'",
    )
    .into_response()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    /// A data directory with one site, and something beside it that nobody may see.
    fn published() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let site = dir.path().join("sites/acme");
        let release = site.join("releases/one");
        fs::create_dir_all(release.join("blog/first")).unwrap();
        fs::create_dir_all(site.join("repo/.git")).unwrap();
        for (name, text) in [
            ("index.html", "<h1>Acme</h1>"),
            ("404.html", "<h1>Nothing</h1>"),
            ("styles.css", "h1 {}"),
            ("feed.xml", "<feed/>"),
            ("blog/first/index.html", "<h1>First</h1>"),
            (".hidden", "secret"),
        ] {
            fs::write(release.join(name), text).unwrap();
        }
        fs::write(dir.path().join("secret.txt"), "secret").unwrap();
        fs::write(site.join("repo/secret.txt"), "secret").unwrap();
        symlink(dir.path().join("secret.txt"), release.join("link.txt")).unwrap();
        symlink(dir.path(), release.join("out")).unwrap();
        symlink("releases/one", site.join("current")).unwrap();
        dir
    }

    async fn get(dir: &Path, path: &str) -> (u16, Response) {
        let response = answer(dir, &Method::GET, path, &HeaderMap::new()).await;
        (response.status().as_u16(), response)
    }

    async fn text(response: Response) -> String {
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    #[tokio::test]
    async fn a_site_is_shown_and_runs_nothing() {
        let dir = published();
        for (path, mime, body) in [
            ("/s/acme/", "text/html; charset=utf-8", "<h1>Acme</h1>"),
            ("/s/acme/index.html", "text/html; charset=utf-8", "<h1>Acme</h1>"),
            ("/s/acme/styles.css", "text/css; charset=utf-8", "h1 {}"),
            ("/s/acme/feed.xml", "application/xml; charset=utf-8", "<feed/>"),
            ("/s/acme/blog/first/", "text/html; charset=utf-8", "<h1>First</h1>"),
        ] {
            let (status, response) = get(dir.path(), path).await;
            assert_eq!(status, 200, "{path}");
            assert_eq!(response.headers()[CONTENT_TYPE], mime, "{path}");
            let policy = response.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap();
            assert!(policy.contains("default-src 'self'; script-src 'none'"), "{policy}");
            assert_eq!(text(response).await, body, "{path}");
        }
    }

    #[tokio::test]
    async fn folders_get_their_slash_and_what_is_not_there_gets_the_sites_own_page() {
        let dir = published();
        for (path, to) in [("/s/acme", "/s/acme/"), ("/s/acme/blog/first", "/s/acme/blog/first/")] {
            let (status, response) = get(dir.path(), path).await;
            assert_eq!((status, response.headers()[LOCATION].to_str().unwrap()), (308, to));
        }
        for path in ["/s/acme/nothing", "/s/acme/a/b/c/", "/s/acme/blog/"] {
            let (status, response) = get(dir.path(), path).await;
            assert_eq!(status, 404, "{path}");
            assert_eq!(text(response).await, "<h1>Nothing</h1>", "{path}");
        }
        for path in ["/s/", "/s/other/", "/s/.git/", "/s/..%2facme/", "/s//"] {
            let (status, response) = get(dir.path(), path).await;
            assert_eq!(status, 404, "{path}");
            assert!(text(response).await.contains("no_site"), "{path}");
        }
    }

    #[tokio::test]
    async fn no_address_leads_out_of_the_release() {
        let dir = published();
        for path in [
            "/s/acme/../../secret.txt",
            "/s/acme/..%2f..%2fsecret.txt",
            "/s/acme/%2e%2e/%2e%2e/secret.txt",
            "/s/acme/..\\..\\secret.txt",
            "/s/acme/.hidden",
            "/s/acme/link.txt",
            "/s/acme/out/secret.txt",
            "/s/acme//etc/passwd",
            "/s/acme/blog/../../../../repo/secret.txt",
            "/s/../secret.txt",
            "/s/acme/\u{0}",
        ] {
            let (status, response) = get(dir.path(), path).await;
            assert_eq!(status, 404, "{path}");
            assert!(!text(response).await.contains("secret"), "{path}");
        }
        let long = format!("/s/acme/{}", "a/".repeat(5000));
        assert_eq!(get(dir.path(), &long).await.0, 404);
    }

    #[tokio::test]
    async fn what_a_reader_has_is_not_sent_again_and_a_look_at_the_head_has_no_body() {
        let dir = published();
        let (_, response) = get(dir.path(), "/s/acme/").await;
        let tag = response.headers()[ETAG].clone();
        let mut asked = HeaderMap::new();
        asked.insert(IF_NONE_MATCH, tag);
        assert_eq!(answer(dir.path(), &Method::GET, "/s/acme/", &asked).await.status(), 304);
        let head = answer(dir.path(), &Method::HEAD, "/s/acme/", &HeaderMap::new()).await;
        assert_eq!((head.status().as_u16(), head.headers()[CONTENT_LENGTH].to_str().unwrap()), (200, "13"));
        assert_eq!(text(head).await, "");
        // Another release is another answer, at once.
        let site = dir.path().join("sites/acme");
        fs::create_dir_all(site.join("releases/two")).unwrap();
        fs::write(site.join("releases/two/index.html"), "<h1>New</h1>").unwrap();
        fs::remove_file(site.join("current")).unwrap();
        symlink("releases/two", site.join("current")).unwrap();
        assert_eq!(answer(dir.path(), &Method::GET, "/s/acme/", &asked).await.status(), 200);
    }
}
