//! The door: who may come in. Every request passes here before anything reads it.
//!
//! A page in a browser can make requests in its user's name to any address, and a name that leads to this
//! machine can be anybody's. So the Host must be one of ours, an Origin must be the same as the Host, and where
//! a token is set, it must be shown.

use std::collections::BTreeSet;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, COOKIE, HOST, LOCATION, ORIGIN, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::error::ApiError;
use crate::login;
use crate::server::Shared;

/// The shortest token that is one.
const SHORTEST_TOKEN_BYTES: usize = 16;

/// The cookie in which a browser shows the token: it cannot set headers on a stream.
const COOKIE_NAME: &str = "jury_token";

/// A secret that opens the door. It is kept as its digest, so that comparing takes the same time whatever was
/// shown, and never printed.
#[derive(Clone)]
pub struct AccessToken([u8; 32]);

impl std::fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token")
    }
}

/// Why a token is none.
#[derive(Debug, Error)]
pub enum TokenError {
    /// Anybody could guess it.
    #[error(
        "the token is shorter than {SHORTEST_TOKEN_BYTES} characters; make one with 'openssl rand -hex 32'"
    )]
    Short,
    /// Others may read the file.
    #[error("the token file {0} can be read by others; run 'chmod 600' on it")]
    Open(String),
    /// The file cannot be read.
    #[error("cannot read the token file {0}: {1}")]
    Unreadable(String, std::io::Error),
}

impl AccessToken {
    /// A token from its text.
    pub fn new(text: &str) -> Result<Self, TokenError> {
        let text = text.trim();
        if text.len() < SHORTEST_TOKEN_BYTES {
            Err(TokenError::Short)
        } else {
            Ok(Self(Sha256::digest(text).into()))
        }
    }

    /// A token from a file that only its owner may read.
    pub fn read(path: &Path) -> Result<Self, TokenError> {
        use std::os::unix::fs::PermissionsExt as _;
        let shown = || path.display().to_string();
        let unreadable = |error| TokenError::Unreadable(shown(), error);
        let mode = std::fs::metadata(path).map_err(unreadable)?.permissions().mode();
        if mode & 0o077 != 0 {
            return Err(TokenError::Open(shown()));
        }
        Self::new(&std::fs::read_to_string(path).map_err(unreadable)?)
    }

    /// Whether this is the secret. Takes as long for a wrong one as for a right one.
    fn is(&self, shown: &str) -> bool {
        let shown: [u8; 32] = Sha256::digest(shown.trim()).into();
        let difference = self.0.iter().zip(shown).fold(0_u8, |all, (ours, theirs)| all | (ours ^ theirs));
        std::hint::black_box(difference) == 0
    }
}

/// The rules of the door.
#[derive(Debug, Clone)]
pub struct AccessRules {
    token: Option<AccessToken>,
    /// Names and addresses, without ports.
    hosts: BTreeSet<String>,
    /// Listening everywhere, it goes by every address: a page that was led here by a name of its own cannot
    /// make a browser say one.
    any_address: bool,
}

impl AccessRules {
    /// The rules for an address: its own name, the names of the loopback, and those that are given.
    pub fn new(address: SocketAddr, token: Option<AccessToken>, names: &[String]) -> Self {
        let mut hosts: BTreeSet<String> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
        hosts.extend(["localhost".to_owned(), "127.0.0.1".to_owned(), "[::1]".to_owned()]);
        if !address.ip().is_unspecified() {
            hosts.insert(host_of(address.ip()));
        }
        Self { token, hosts, any_address: address.ip().is_unspecified() }
    }

    fn goes_by(&self, host: &str) -> bool {
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        self.hosts.contains(host) || (self.any_address && bare.parse::<IpAddr>().is_ok())
    }

    /// Gives a browser that opens the page with `?token=TOKEN` the cookie to show from then on, and sends it to
    /// the same address without the token. A wrong token is no token.
    fn welcome(&self, request: &Request) -> Option<Response> {
        let token = self.token.as_ref()?;
        let path = request.uri().path();
        let shown = request.uri().query()?.split('&').find_map(|pair| pair.strip_prefix("token="))?;
        let is_page = request.method() == Method::GET && login::leads_to_the_page(path);
        // A cookie holds what has no meaning in one; a token from a generator of tokens is that.
        let plain = shown.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
        if !is_page || !plain || !token.is(shown) {
            return None;
        }
        let host = only(request.headers(), HOST.as_str()).and_then(|host| split_port(&host))?;
        if !self.goes_by(&host) {
            return None;
        }
        let cookie = format!("{COOKIE_NAME}={shown}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000");
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::SEE_OTHER;
        response.headers_mut().insert(LOCATION, HeaderValue::from_str(path).ok()?);
        response.headers_mut().insert(SET_COOKIE, HeaderValue::from_str(&cookie).ok()?);
        Some(response)
    }

    /// Lets a request in or says why not.
    fn check(&self, method: &Method, path: &str, headers: &HeaderMap) -> Result<(), ApiError> {
        let host = only(headers, HOST.as_str()).and_then(|host| split_port(&host));
        let Some(host) = host.filter(|host| self.goes_by(host)) else {
            return Err(ApiError::new(
                StatusCode::MISDIRECTED_REQUEST,
                "wrong_host",
                "this daemon does not go by that name",
                "use its address, or allow the name with --allow-host",
            ));
        };
        let origin = only(headers, ORIGIN.as_str()).and_then(|origin| {
            let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"))?;
            split_port(rest)
        });
        let foreign =
            headers.contains_key(ORIGIN) && (origin.as_deref() != Some(host.as_str()) || !same_port(headers));
        let cross_site = headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site");
        if foreign || (cross_site && *method != Method::GET && *method != Method::HEAD) {
            return Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "cross_site",
                "requests from other sites are not taken",
                "ask from the daemon's own page, or without a browser",
            ));
        }
        match &self.token {
            Some(token) if path != "/api/health" && !shows(token, headers) => Err(ApiError::new(
                StatusCode::UNAUTHORIZED,
                "unauthorized",
                "this daemon asks for its token",
                "send 'authorization: Bearer TOKEN'",
            )),
            Some(_) | None => Ok(()),
        }
    }
}

/// The middleware that lets a request in or refuses it.
pub(crate) async fn check(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    if let Some(welcome) = shared.access.welcome(&request) {
        return welcome;
    }
    match shared.access.check(request.method(), request.uri().path(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(error) if error.is_unauthorized() => login::answer(&request, error),
        Err(error) => error.into_response(),
    }
}

/// A header that is there once.
fn only(headers: &HeaderMap, name: &str) -> Option<String> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?.to_ascii_lowercase();
    values.next().is_none().then_some(value)
}

/// The host of `host:port`; none if it is neither.
fn split_port(text: &str) -> Option<String> {
    let (host, port) = if text.starts_with('[') {
        let end = text.find(']')? + 1;
        (text.get(..end)?, text.get(end..)?)
    } else {
        text.split_once(':')
            .map_or((text, ""), |(host, _)| (host, text.get(host.len()..).unwrap_or_default()))
    };
    let port_fits = port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
    port_fits.then(|| host.to_owned())
}

/// Whether Origin and Host name the same port. Another port of this machine is another site.
fn same_port(headers: &HeaderMap) -> bool {
    let port = |text: &str, default: &str| {
        text.rsplit_once(':')
            .map(|(_, port)| port)
            .filter(|port| port.parse::<u16>().is_ok())
            .unwrap_or(default)
            .to_owned()
    };
    let (Some(host), Some(origin)) = (only(headers, "host"), only(headers, "origin")) else { return false };
    let (scheme_port, rest) = match origin.strip_prefix("https://") {
        Some(rest) => ("443", rest.to_owned()),
        None => ("80", origin.strip_prefix("http://").unwrap_or(&origin).to_owned()),
    };
    port(&host, scheme_port) == port(&rest, scheme_port)
}

fn host_of(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    }
}

/// Whether the request shows the token: as a bearer, or in the cookie of a browser.
fn shows(token: &AccessToken, headers: &HeaderMap) -> bool {
    let bearer = headers
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .is_some_and(|(_, shown)| token.is(shown));
    bearer
        || headers
            .get_all(COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .any(|(name, shown)| name == COOKIE_NAME && token.is(shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(token: Option<&str>) -> AccessRules {
        AccessRules::new(
            "127.0.0.1:7878".parse().unwrap(),
            token.map(|text| AccessToken::new(text).unwrap()),
            &["jury.lan".to_owned()],
        )
    }

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in pairs {
            map.append(*name, value.parse().unwrap());
        }
        map
    }

    fn status(access: &AccessRules, method: &Method, pairs: &[(&'static str, &str)]) -> u16 {
        access
            .check(method, "/api/projects", &headers(pairs))
            .map_or_else(|error| error.into_response().status().as_u16(), |()| 200)
    }

    #[test]
    fn only_our_names_are_answered() {
        let access = access(None);
        for host in ["localhost:7878", "127.0.0.1:7878", "[::1]:7878", "localhost", "JURY.lan", "jury.lan:80"]
        {
            assert_eq!(status(&access, &Method::GET, &[("host", host)]), 200, "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:7878",
            "127.0.0.1.evil.example",
            "localhost:x",
            "localhost:7878:1",
            "127.0.0.2",
            "[::2]:7878",
            "[::1",
            "",
        ] {
            assert_eq!(status(&access, &Method::GET, &[("host", host)]), 421, "{host}");
        }
        assert_eq!(status(&access, &Method::GET, &[]), 421);
        assert_eq!(status(&access, &Method::GET, &[("host", "localhost"), ("host", "evil.example")]), 421);
    }

    #[test]
    fn listening_everywhere_it_goes_by_every_address_and_by_no_other_name() {
        let access = AccessRules::new("0.0.0.0:80".parse().unwrap(), None, &[]);
        for host in ["192.0.2.7", "192.0.2.7:80", "[2001:db8::1]:80", "localhost"] {
            assert_eq!(status(&access, &Method::GET, &[("host", host)]), 200, "{host}");
        }
        for host in ["evil.example", "192.0.2.7.evil.example", "192.0.2.999"] {
            assert_eq!(status(&access, &Method::GET, &[("host", host)]), 421, "{host}");
        }
    }

    #[test]
    fn other_sites_are_not_answered() {
        let access = access(None);
        let from = |origin| status(&access, &Method::POST, &[("host", "localhost:7878"), ("origin", origin)]);
        assert_eq!(from("http://localhost:7878"), 200);
        for origin in [
            "http://evil.example",
            "null",
            "http://localhost:9999",
            "http://localhost",
            "https://localhost:78780",
            "file://",
            "localhost:7878",
            "http://127.0.0.1:7878",
        ] {
            assert_eq!(from(origin), 403, "{origin}");
        }
        let fetch = [("host", "localhost:7878"), ("sec-fetch-site", "cross-site")];
        assert_eq!(status(&access, &Method::POST, &fetch), 403);
        assert_eq!(status(&access, &Method::GET, &fetch), 200);
    }

    #[test]
    fn a_token_must_be_shown_where_there_is_one() {
        let access = access(Some("0123456789abcdef"));
        let host = ("host", "localhost");
        assert_eq!(status(&access, &Method::GET, &[host]), 401);
        assert_eq!(status(&access, &Method::GET, &[host, ("authorization", "Bearer 0123456789abcdef")]), 200);
        assert_eq!(
            status(&access, &Method::GET, &[host, ("cookie", "a=b; jury_token=0123456789abcdef")]),
            200
        );
        for shown in [
            "Bearer 0123456789abcdeF",
            "Bearer ",
            "Bearer 0123456789abcdef0",
            "Basic 0123456789abcdef",
            "0123456789abcdef",
        ] {
            assert_eq!(status(&access, &Method::GET, &[host, ("authorization", shown)]), 401, "{shown}");
        }
        assert!(access.check(&Method::GET, "/api/health", &headers(&[host])).is_ok());
        assert!(access.check(&Method::GET, "/api/health/../projects", &headers(&[host])).is_err());
    }

    #[test]
    fn a_browser_is_let_in_by_the_link_and_keeps_the_token_out_of_its_address() {
        let access = access(Some("0123456789abcdef"));
        let ask = |method: Method, uri: &str, host: &str| {
            let request = axum::http::Request::builder().method(method).uri(uri).header("host", host);
            access.welcome(&request.body(Body::empty()).unwrap())
        };
        let welcome = ask(Method::GET, "/p/x?a=b&token=0123456789abcdef", "localhost").unwrap();
        assert_eq!(welcome.status(), 303);
        assert_eq!(welcome.headers()["location"], "/p/x");
        let cookie = welcome.headers()["set-cookie"].to_str().unwrap();
        assert!(
            cookie.starts_with("jury_token=0123456789abcdef; Path=/; HttpOnly; SameSite=Strict"),
            "{cookie}"
        );
        let link = "/?token=0123456789abcdef";
        for (method, uri, host) in [
            (Method::GET, "/?token=0123456789abcdeX", "localhost"),
            (Method::GET, "/api/projects?token=0123456789abcdef", "localhost"),
            (Method::POST, link, "localhost"),
            (Method::GET, link, "evil.example"),
            (Method::GET, "/", "localhost"),
        ] {
            assert!(ask(method.clone(), uri, host).is_none(), "{method} {uri} {host}");
        }
    }

    #[test]
    fn a_token_is_long_enough_and_read_only_from_a_private_file() {
        use std::os::unix::fs::PermissionsExt as _;
        assert!(matches!(AccessToken::new("short"), Err(TokenError::Short)));
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("token");
        std::fs::write(&path, "0123456789abcdef\n").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        assert!(matches!(AccessToken::read(&path), Err(TokenError::Open(_))));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        assert!(AccessToken::read(&path).unwrap().is("0123456789abcdef"));
        assert!(matches!(AccessToken::read(&dir.path().join("none")), Err(TokenError::Unreadable(..))));
    }
}
