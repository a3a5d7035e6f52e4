//! A connection to the Redis, with bounds on how long it may be silent.

use std::time::Duration;

use redis::AsyncConnectionConfig;
use redis::aio::MultiplexedConnection;

use super::address::MirrorAddress;

/// How long it may take to connect.
const CONNECTING: Duration = Duration::from_secs(2);
/// How long an answer may take. One that hangs is as good as gone.
const ANSWERING: Duration = Duration::from_secs(2);

/// Connects to a Redis.
pub(super) async fn connect(address: &MirrorAddress) -> redis::RedisResult<MultiplexedConnection> {
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(Some(CONNECTING))
        .set_response_timeout(Some(ANSWERING));
    address.client.get_multiplexed_async_connection_with_config(&config).await
}
