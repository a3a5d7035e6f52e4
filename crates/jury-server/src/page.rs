//! The page: files that are built from `web/` and live in the program. What stands behind `/p/` is the page's own
//! business.

use std::borrow::Cow;

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use jury_core::report::html::Bundle;
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::error::ApiError;

/// The page runs its own scripts and nothing else; pages under review are shown in frames that run none.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' data:; frame-src 'self'; font-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
struct Dist;

/// What HTML reports are made with, if the page was built. It is carried by reports and served nowhere.
pub fn report_bundle() -> Option<Bundle> {
    let text = |name: &str| -> Option<Cow<'static, str>> {
        match Dist::get(name)?.data {
            Cow::Borrowed(bytes) => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
            Cow::Owned(bytes) => String::from_utf8(bytes).ok().map(Cow::Owned),
        }
    };
    Some(Bundle {
        script: text("report/report.js")?,
        style: text("report/report.css")?,
        words: text("report/words.json")?,
    })
}

/// Whatever no address of the API is.
pub(crate) async fn page(request: Request) -> Response {
    let path = request.uri().path();
    let is_file = path.starts_with("/assets/");
    if !is_file && path != "/" && path != "/p" && !path.starts_with("/p/") {
        return nothing_here();
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return ApiError::method().into_response();
    }
    match path.strip_prefix('/') {
        Some(name) if name.starts_with("assets/") => {
            // A debug build reads folders, in which names can lead elsewhere.
            let file = if name.contains("..") { None } else { Dist::get(name) };
            file.map_or_else(nothing_here, |file| answer(&file, mime(name), request.headers()))
        }
        _ => match Dist::get("index.html") {
            Some(file) => answer(&file, "text/html; charset=utf-8", request.headers()),
            None => nothing_here(),
        },
    }
}

/// The file, or word that the browser has it already. It asks each time, because names do not change with contents.
fn answer(file: &EmbeddedFile, mime: &'static str, asked: &HeaderMap) -> Response {
    let hash = file.metadata.sha256_hash();
    let head = hash.first_chunk().map_or(0, |head| u128::from_be_bytes(*head));
    let tag = format!("\"{head:032x}\"");
    let known = asked.get(IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let has_it = known.is_some_and(|known| known.split(',').any(|one| one.trim() == tag));
    let body = if has_it { Body::empty() } else { Body::from(file.data.clone().into_owned()) };
    let mut response = Response::new(body);
    if has_it {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(mime));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(ETAG, tag);
    }
    response
}

fn mime(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

fn nothing_here() -> Response {
    ApiError::not_found("not_found", "there is nothing at this address", "see GET /api/openapi.json")
        .into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn get(path: &str, tag: Option<&str>) -> Response {
        let mut request = Request::new(Body::empty());
        *request.uri_mut() = path.parse().unwrap();
        if let Some(tag) = tag {
            request.headers_mut().insert(IF_NONE_MATCH, tag.parse().unwrap());
        }
        page(request).await
    }

    fn header(response: &Response, name: &str) -> String {
        response.headers().get(name).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default()
    }

    #[tokio::test]
    async fn every_address_of_the_page_gets_the_page() {
        for path in ["/", "/p", "/p/default", "/p/default/run/0198c0de?round=2", "/p/no/where"] {
            let response = get(path, None).await;
            assert_eq!(response.status(), 200, "{path}");
            assert_eq!(header(&response, "content-type"), "text/html; charset=utf-8", "{path}");
            assert!(header(&response, "content-security-policy").contains("script-src 'self';"), "{path}");
        }
    }

    #[tokio::test]
    async fn what_is_not_there_is_not_the_page() {
        for path in [
            "/api",
            "/api/nothing",
            "/metrics",
            "/assets/nothing.js",
            "/assets/../index.html",
            "/nowhere",
            "/../etc/passwd",
            "/pages",
        ] {
            assert_eq!(get(path, None).await.status(), 404, "{path}");
        }
    }

    #[tokio::test]
    async fn files_have_their_type_and_are_sent_once() {
        for (path, mime) in [
            ("/assets/main.js", "text/javascript; charset=utf-8"),
            ("/assets/main.css", "text/css; charset=utf-8"),
            ("/assets/locales/en.json", "application/json"),
            ("/assets/icon.svg", "image/svg+xml"),
        ] {
            let response = get(path, None).await;
            assert_eq!(response.status(), 200, "{path}");
            assert_eq!(header(&response, "content-type"), mime, "{path}");
            let tag = header(&response, "etag");
            assert_eq!(get(path, Some(&tag)).await.status(), 304, "{path}");
            assert_eq!(get(path, Some("\"other\"")).await.status(), 200, "{path}");
        }
    }

    #[tokio::test]
    async fn what_reports_carry_cannot_end_its_own_element_and_is_not_served() {
        let bundle = report_bundle().unwrap();
        let (script, style) = (bundle.script.to_lowercase(), bundle.style.to_lowercase());
        assert!(!script.contains("</script") && !script.contains("<!--"), "the script ends early");
        assert!(!script.contains('\r') && !style.contains("</style"), "the style ends early");
        for address in ["http:", "https:", "url(", "@import"] {
            assert!(!style.contains(address), "the style names {address}");
        }
        for path in ["/report/report.js", "/assets/report.js", "/assets/../report/report.js"] {
            assert_eq!(get(path, None).await.status(), 404, "{path}");
        }
    }

    #[tokio::test]
    async fn only_reading_is_possible() {
        let mut request = Request::new(Body::empty());
        *request.method_mut() = Method::POST;
        assert_eq!(page(request).await.status(), 405);
    }
}
