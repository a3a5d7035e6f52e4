//! What is left of a request's body when its answer is there. A request that is refused early has not been read; if the
//! connection were closed on a client that is still sending, it would see a broken connection and not the answer.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_LENGTH, EXPECT};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use bytes::Bytes;
use hyper::body::{Body as _, Frame, SizeHint};

use crate::server::Shared;

/// A body that can be read on after whoever had it let go of it.
#[derive(Clone)]
struct SharedBody(Arc<Mutex<Body>>);

impl hyper::body::Body for SharedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let mut body = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Pin::new(&mut *body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).size_hint()
    }
}

/// The middleware: lets a client finish what it says, within bounds, before it gets its answer.
pub(crate) async fn hear_out(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let worth_it = worth_hearing(request.headers(), shared.limits.body);
    let (parts, body) = request.into_parts();
    let rest = SharedBody(Arc::new(Mutex::new(body)));
    let response = next.run(Request::from_parts(parts, Body::new(rest.clone()))).await;
    if worth_it && response.status() != StatusCode::REQUEST_TIMEOUT && !rest.is_end_stream() {
        let whole = axum::body::to_bytes(Body::new(rest), shared.limits.body);
        tokio::time::timeout(shared.limits.linger, whole).await.ok();
    }
    response
}

/// Whether the rest can be expected to come. One that asks before it sends hears no; one that is too long is not
/// taken either way.
fn worth_hearing(headers: &HeaderMap, limit: usize) -> bool {
    let announced = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    !headers.contains_key(EXPECT) && announced.is_none_or(|length| length <= limit as u64)
}
