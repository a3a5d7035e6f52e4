//! Errors as the API tells them: `{error: {code, message, hint}}`.

use axum::http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use jury_engine::SchedulerError;
use jury_store::StoreError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::answer::json;
use crate::library::LibraryError;

/// What went wrong, for a program and for a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    /// The error with its code.
    pub(crate) error: ErrorDetail,
}

/// The code of an error, and words for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ErrorDetail {
    /// A word for programs.
    pub(crate) code: String,
    /// What happened, in one line.
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) hint: String,
}

/// An answer that says no.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    detail: ErrorDetail,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, code: &str, message: impl Into<String>, hint: &str) -> Self {
        let detail = ErrorDetail { code: code.to_owned(), message: message.into(), hint: hint.to_owned() };
        Self { status, detail }
    }

    /// Whether a token would help.
    pub(crate) fn is_unauthorized(&self) -> bool {
        self.status == StatusCode::UNAUTHORIZED
    }

    /// The request makes no sense as it is.
    pub(crate) fn bad_request(message: impl Into<String>, hint: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_request", message, hint)
    }

    /// There is nothing of that name.
    pub(crate) fn not_found(code: &str, message: impl Into<String>, hint: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, code, message, hint)
    }

    /// The daemon's own fault.
    pub(crate) fn internal() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "the daemon broke on this request",
            "see its log, and report it",
        )
    }

    /// Another method would do. Which ones, the router says.
    pub(crate) fn method() -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method_not_allowed",
            "this address does not take that method",
            "see GET /api/openapi.json",
        )
    }

    pub(crate) fn no_such_project(id: &str) -> Self {
        Self::not_found(
            "no_such_project",
            format!("there is no project '{id}'"),
            "GET /api/projects lists them",
        )
    }

    pub(crate) fn no_such_run(id: &str) -> Self {
        Self::not_found(
            "no_such_run",
            format!("there is no run '{id}' in this project"),
            "GET /api/projects/{id}/critique lists them",
        )
    }

    pub(crate) fn no_such_idea(id: &str) -> Self {
        Self::not_found(
            "no_such_idea",
            format!("there is no idea '{id}'"),
            "GET /api/content-pipeline lists them; each is a folder with its documents",
        )
    }

    pub(crate) fn no_content_run(id: &str) -> Self {
        Self::not_found(
            "no_such_run",
            format!("there is no run '{id}' of this idea"),
            "GET /api/content-pipeline lists them",
        )
    }

    /// Somebody else was faster, or it is not as the caller believes.
    pub(crate) fn conflict(code: &str, message: impl Into<String>, hint: &str) -> Self {
        Self::new(StatusCode::CONFLICT, code, message, hint)
    }

    /// The body did not come in time.
    pub(crate) fn slow() -> Self {
        Self::new(
            StatusCode::REQUEST_TIMEOUT,
            "too_slow",
            "the body did not come in time",
            "send it again, all at once",
        )
    }

    pub(crate) fn busy() -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "busy",
            "too many requests at once",
            "try again in a second",
        )
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = json(self.status, &ErrorBody { error: self.detail });
        let headers = response.headers_mut();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        // What the store says names files; that is for whoever runs the daemon and not for its callers.
        tracing::error!(target: "jury::store", kind = error.kind(), error = %error, "the store failed");
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "store_unavailable",
            format!("the data directory cannot be used at the moment ({})", error.kind()),
            "see the log of the daemon",
        )
    }
}

impl From<LibraryError> for ApiError {
    fn from(error: LibraryError) -> Self {
        match error {
            LibraryError::NoSuchIdea(idea) => Self::no_such_idea(idea.as_str()),
            LibraryError::Unusable(what) => Self::bad_request(what, "change that and send it again"),
            LibraryError::BadDraft(what) => Self::new(
                StatusCode::BAD_REQUEST,
                "bad_draft",
                format!("draft: {what}"),
                "mend that line and send it again",
            ),
            LibraryError::Broken(what) => {
                tracing::error!(target: "jury::content", error = %what, "a file of the content pipeline cannot be used");
                Self::new(
                    StatusCode::INTERNAL_SERVER_ERROR,
                    "broken_file",
                    what,
                    "mend that file of the daemon's; it is read again with the next request",
                )
            }
        }
    }
}

impl From<SchedulerError> for ApiError {
    fn from(error: SchedulerError) -> Self {
        let message = error.to_string();
        match error {
            SchedulerError::Request(bad) => Self::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "unusable_request",
                bad.to_string(),
                "change that part and send it again",
            ),
            SchedulerError::NoSuchRun(run) => Self::no_such_run(&run.to_string()),
            SchedulerError::NotKept(_) => {
                Self::new(StatusCode::CONFLICT, "request_not_kept", message, "POST a new run instead")
            }
            SchedulerError::Closing => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "closing", message, "try again in a moment")
            }
            SchedulerError::NotResumed(_) => {
                Self::new(StatusCode::CONFLICT, "not_resumed", message, "look at how the run stands")
            }
            SchedulerError::Broke(what) => {
                tracing::error!(error = %what, "a request broke the program");
                Self::new(
                    StatusCode::INTERNAL_SERVER_ERROR,
                    "internal",
                    "the daemon broke on this request",
                    "see its log, and report it",
                )
            }
            SchedulerError::Store(error) => error.into(),
        }
    }
}
