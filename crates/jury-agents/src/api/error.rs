//! What keeps a model's service from being asked: things that a person has to put right. What the service
//! itself does wrong is the end of a session, not one of these.

use std::path::PathBuf;

use thiserror::Error;

/// A call that cannot be made.
#[derive(Debug, Error)]
pub enum ApiError {
    /// There is no data for this vendor.
    #[error("no vendor '{id}'; there are {known}")]
    UnknownVendor {
        /// What was asked for.
        id: String,
        /// The vendors that are known.
        known: String,
    },
    /// The data of a vendor cannot be read.
    #[error("vendor '{id}': {problem}; correct its file")]
    VendorFile {
        /// The id of the vendor.
        id: String,
        /// What is wrong with the file.
        problem: String,
    },
    /// The key is not there.
    #[error("no key for {vendor}: set {variable}, or name a file that holds the key")]
    NoKey {
        /// The vendor that needs the key.
        vendor: String,
        /// Where it is looked for.
        variable: String,
    },
    /// The key is there and cannot be sent.
    #[error("the key for {vendor} has characters that a header cannot carry; copy it again")]
    BadKey {
        /// The vendor that needs the key.
        vendor: String,
    },
    /// The file of a key cannot be used.
    #[error("key file {}: {problem}", .path.display())]
    KeyFile {
        /// The path of the key file.
        path: PathBuf,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// The address of the service cannot be used.
    #[error("address '{url}': {problem}")]
    Address {
        /// Which, without user and password.
        url: String,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// The name leads into a network where services of one's own are.
    #[error("{host} is a private address; add it to allow_hosts if it is meant")]
    Private {
        /// The host that is private.
        host: String,
    },
    /// The service sends us elsewhere.
    #[error(
        "{host} answers with a redirect ({status}) to {to}; redirects are not followed, correct the base URL"
    )]
    Redirect {
        /// The host that redirects.
        host: String,
        /// The HTTP status of the redirect.
        status: u16,
        /// The address it redirects to.
        to: String,
    },
    /// The call would cost more than is left.
    #[error("the call may cost {needed}, and {left} of the budget is left; raise the budget or ask for less")]
    Budget {
        /// What the call may cost.
        needed: String,
        /// What is left of the budget.
        left: String,
    },
    /// A budget in money, and nobody knows the price.
    #[error(
        "no price for the model '{model}' of {vendor}, and the budget is in dollars; add its price to the vendor's file, or set a budget in tokens"
    )]
    NoPrice {
        /// The vendor without a price.
        vendor: String,
        /// The model without a price.
        model: String,
    },
    /// The HTTP client cannot be made.
    #[error("cannot set up HTTP: {problem}")]
    Setup {
        /// What is wrong, for a person.
        problem: String,
    },
}

impl ApiError {
    /// The label of this error in logs and metrics.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::UnknownVendor { .. } => "unknown_vendor",
            Self::VendorFile { .. } => "vendor_file",
            Self::NoKey { .. } => "no_key",
            Self::BadKey { .. } => "bad_key",
            Self::KeyFile { .. } => "key_file",
            Self::Address { .. } => "address",
            Self::Private { .. } => "private_address",
            Self::Redirect { .. } => "redirect",
            Self::Budget { .. } => "budget",
            Self::NoPrice { .. } => "no_price",
            Self::Setup { .. } => "setup",
        }
    }
}
