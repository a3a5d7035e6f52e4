//! Where the Redis is: read once, so that a mistake in it is found before anything begins.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use super::link;

/// Where a Redis is. It may hold a password; what is shown does not.
#[derive(Clone)]
pub struct MirrorAddress {
    pub(super) client: redis::Client,
    shown: String,
}

/// Why something is no address of a Redis.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("not the address of a Redis ({0}); write redis://[user:password@]host[:port][/database]")]
pub struct MirrorAddressError(String);

impl FromStr for MirrorAddress {
    type Err = MirrorAddressError;

    fn from_str(url: &str) -> Result<Self, MirrorAddressError> {
        let trouble = |error: redis::RedisError| MirrorAddressError(in_one_line(&error));
        let client = redis::Client::open(url).map_err(trouble)?;
        let info = client.get_connection_info();
        let shown = format!("redis://{}/{}", info.addr(), info.redis_settings().db());
        Ok(Self { client, shown })
    }
}

impl MirrorAddress {
    /// Looks whether it answers, and waits no longer than this.
    pub async fn ping(&self, patience: Duration) -> Result<(), String> {
        let asked = async {
            let mut link = link::connect(self).await?;
            redis::cmd("PING").exec_async(&mut link).await
        };
        match tokio::time::timeout(patience, asked).await {
            Ok(answer) => answer.map_err(|error| in_one_line(&error)),
            Err(_) => Err(format!("no answer in {} ms", patience.as_millis())),
        }
    }
}

/// What went wrong, for a line of its own.
pub(super) fn in_one_line(error: &redis::RedisError) -> String {
    error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

impl fmt::Display for MirrorAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for MirrorAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_has_no_password() {
        let address: MirrorAddress = "redis://me:secret@cache.example:6380/2".parse().unwrap();
        assert_eq!(address.to_string(), "redis://cache.example:6380/2");
        assert_eq!(format!("{address:?}"), "redis://cache.example:6380/2");
    }

    #[test]
    fn what_is_no_address_is_said_so() {
        for wrong in [
            "",
            "localhost:6379",
            "http://localhost",
            "redis://",
            "redis://h:port",
            "redis://h/x",
            "rediss://h",
        ] {
            let said =
                wrong.parse::<MirrorAddress>().map(|address| address.to_string()).unwrap_err().to_string();
            assert!(said.starts_with("not the address of a Redis ("), "{wrong}: {said}");
            assert!(!said.contains('\n'));
        }
    }
}
