//! Connections: taken one by one, bounded in number, in time and in size before a request is there.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;
use tower::ServiceExt as _;

use crate::server::Shared;

/// The most bytes of a request's head, and of what is read ahead.
const HEAD: usize = 32 * 1024;

/// The most headers of a request.
const HEADERS: usize = 64;

/// How long to wait after the system refused a connection: it is out of files, and will be for a moment.
const OUT_OF_FILES: Duration = Duration::from_millis(100);

/// Takes connections until the server closes.
pub(crate) async fn accept(shared: &Shared, listener: TcpListener, router: Router, tasks: &TaskTracker) {
    let seats = Arc::new(Semaphore::new(shared.limits.connections));
    loop {
        let seat = tokio::select! {
            () = shared.closing.cancelled() => return,
            seat = Arc::clone(&seats).acquire_owned() => seat,
        };
        let Ok(seat) = seat else { return };
        let stream = tokio::select! {
            () = shared.closing.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, _)) = stream else {
            tokio::time::sleep(OUT_OF_FILES).await;
            continue;
        };
        let talk = talk(Arc::clone(shared), stream, router.clone());
        tasks.spawn(async move {
            talk.await;
            drop(seat);
        });
    }
}

/// Answers the requests of one connection.
async fn talk(shared: Shared, stream: TcpStream, router: Router) {
    // Events are small and are wanted at once.
    stream.set_nodelay(true).ok();
    let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
        let router = router.clone();
        async move {
            let answer: Result<_, Infallible> = router.oneshot(request.map(axum::body::Body::new)).await;
            answer
        }
    });
    let mut server = http1::Builder::new();
    server
        .timer(TokioTimer::new())
        .header_read_timeout(shared.limits.head)
        .max_buf_size(HEAD)
        .max_headers(HEADERS)
        .half_close(false);
    let connection = server.serve_connection(TokioIo::new(stream), service);
    let mut connection = std::pin::pin!(connection);
    // What goes wrong with a connection is the client's affair: it went away, or does not speak HTTP.
    tokio::select! {
        _ = connection.as_mut() => return,
        () = shared.closing.cancelled() => connection.as_mut().graceful_shutdown(),
    }
    // One that does not take its answer keeps nobody from ending.
    tokio::time::timeout(shared.limits.linger, connection).await.ok();
}
