//! Which addresses may be spoken to: public ones, and those that are allowed by name.

use std::collections::BTreeSet;
use std::error::Error;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::error::ApiError;

/// Hosts that may be private.
#[derive(Debug, Clone, Default)]
pub(crate) struct Allowed(Arc<BTreeSet<String>>);

impl Allowed {
    pub(crate) fn new<'a>(hosts: impl IntoIterator<Item = &'a String>) -> Self {
        Self(Arc::new(hosts.into_iter().map(|host| plain(host)).collect()))
    }

    fn contains(&self, host: &str) -> bool {
        self.0.contains(&plain(host))
    }

    /// The address to ask, or why not. Names are checked again when they are resolved.
    pub(crate) fn check(&self, text: &str) -> Result<Url, ApiError> {
        let shown = text.rsplit_once('@').map_or(text, |(_, after)| after).to_owned();
        let bad = |problem: &str| ApiError::Address { url: shown.clone(), problem: problem.to_owned() };
        let url = Url::parse(text).map_err(|error| bad(&format!("{error}; give a whole URL")))?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(bad("holds a user or a password; keys come from the environment or a file"));
        }
        let host = url.host_str().ok_or_else(|| bad("has no host"))?.to_owned();
        let allowed = self.contains(&host);
        match url.scheme() {
            "https" => {}
            "http" if allowed => {}
            "http" => return Err(bad("is not encrypted; use https, or add its host to allow_hosts")),
            _ => return Err(bad("is neither https nor http")),
        }
        let literal = plain(&host).parse::<IpAddr>().ok();
        if !allowed && literal.is_some_and(|address| !is_public(address)) {
            return Err(ApiError::Private { host });
        }
        Ok(url)
    }
}

/// A host as it is compared: lower case, no brackets, no dot at the end.
fn plain(host: &str) -> String {
    host.trim_matches(['[', ']']).trim_end_matches('.').to_ascii_lowercase()
}

/// A name that leads to a private address.
#[derive(Debug, thiserror::Error)]
#[error("{0} leads to a private address")]
pub(crate) struct PrivateName(pub(crate) String);

/// Finds this in the causes of an error.
pub(crate) fn private_name<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a PrivateName> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        cause = error.source();
    }
    None
}

impl Resolve for Allowed {
    /// What is checked here is what is connected to: there is no second look-up in between.
    fn resolve(&self, name: Name) -> Resolving {
        let allowed = self.contains(name.as_str());
        Box::pin(async move {
            let host = name.as_str();
            let found: Vec<SocketAddr> = tokio::net::lookup_host((host, 0)).await?.collect();
            if !allowed && found.iter().any(|address| !is_public(address.ip())) {
                return Err(PrivateName(host.to_owned()).into());
            }
            let addresses: Addrs = Box::new(found.into_iter());
            Ok(addresses)
        })
    }
}

/// Whether an address belongs to the public network.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let reserved = matches!(
        (a, b, c),
        (0 | 240.., ..) | (100, 64..=127, _) | (192, 0, 0) | (192, 88, 99) | (198, 18 | 19, _)
    );
    !(reserved
        || address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation())
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    let [first, second, third, .., seventh, eighth] = segments;
    let embedded =
        |high: u16, low: u16| is_public_v4(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)));
    match segments {
        // Addresses of the old network in new clothes: mapped, compatible, translated, tunnelled.
        [0, 0, 0, 0, 0, 0xffff | 0, ..] => embedded(seventh, eighth),
        [0x64, 0xff9b, 0, 0, 0, 0, ..] => embedded(seventh, eighth),
        [0x2002, ..] => embedded(second, third),
        // Only 2000::/3 is given out; of it, not the parts for documentation, benchmarks and tunnels.
        [0x2001, ..] => second >= 0x200 && second != 0xdb8,
        _ => first & 0xe000 == 0x2000 && first & 0xfff0 != 0x3ff0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_addresses_are_told_from_public_ones() {
        for private in [
            "127.0.0.1",
            "127.8.8.8",
            "10.0.0.1",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "0.0.0.0",
            "100.64.0.1",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "192.0.2.1",
            "::1",
            "::",
            "fe80::1",
            "fc00::1",
            "fd12::1",
            "ff02::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::127.0.0.1",
            "64:ff9b::a00:1",
            "2002:7f00:1::",
            "2001:db8::1",
            "2001::1",
            "3fff::1",
        ] {
            assert!(!is_public(private.parse().unwrap()), "{private}");
        }
        for public in [
            "1.1.1.1",
            "8.8.8.8",
            "172.32.0.1",
            "100.128.0.1",
            "2606:4700::1111",
            "2001:4860::8888",
            "::ffff:8.8.8.8",
        ] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
    }

    #[test]
    fn addresses_are_checked_before_anything_is_sent() {
        let none = Allowed::default();
        let local = Allowed::new(&["localhost".to_owned(), "::1".to_owned()]);
        assert!(none.check("https://api.example.com/v1").is_ok());
        assert_eq!(none.check("http://api.example.com/v1").unwrap_err().kind(), "address");
        assert_eq!(none.check("https://169.254.169.254/").unwrap_err().kind(), "private_address");
        assert_eq!(none.check("https://[::1]:1/").unwrap_err().kind(), "private_address");
        assert_eq!(none.check("https://2130706433/").unwrap_err().kind(), "private_address");
        assert!(local.check("http://LOCALHOST:8080/v1").is_ok());
        assert!(local.check("http://[::1]:8080/v1").is_ok());
        assert_eq!(local.check("http://127.0.0.1/").unwrap_err().kind(), "address");
        assert_eq!(local.check("file:///etc/passwd").unwrap_err().kind(), "address");
        let error = none.check("https://user:hunter2@example.com/").unwrap_err().to_string();
        assert!(!error.contains("hunter2") && error.contains("example.com"), "{error}");
    }
}
