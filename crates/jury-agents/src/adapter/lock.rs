//! The lock: how an agent program is kept from tools, a shell, MCP servers and hooks while it reviews.
//!
//! A page is text of others, and who can be talked into a command by it must not have one to run. So an adapter says
//! with which arguments, variables and files its program has none of these, or why that cannot be done; and one that
//! cannot be locked is called only by a user who allows its tools.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Adapter, AdapterError, ConfigFile};

/// How a program is kept from tools. Everything in it is added to the call, unless tools are allowed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Lock {
    /// The arguments that are added.
    pub args: Vec<String>,
    /// The variables that are added.
    pub env: BTreeMap<String, String>,
    /// Files in the private folder `{private}`.
    pub files: Vec<ConfigFile>,
    /// Why it is not whole while the program reads the settings of its user: at another service it has a home of its
    /// own, and then it is.
    pub own_home: Option<String>,
    /// Why there is none.
    pub none: Option<String>,
}

/// What is said of an adapter whose file says nothing.
const UNSAID: &str = "its adapter file has no [lock]";

impl Adapter {
    /// Why this program cannot be kept from tools, if it cannot: at a service of somebody else's it has an empty home,
    /// at its own it reads what its user has set up.
    pub fn unlocked(&self, elsewhere: bool) -> Option<&str> {
        let Some(lock) = &self.lock else { return Some(UNSAID) };
        lock.none.as_deref().or_else(|| lock.own_home.as_deref().filter(|_| !elsewhere))
    }

    /// What locks a call, which is nothing where tools are allowed.
    pub(super) fn lock_for(&self, allowed: bool, elsewhere: bool) -> Result<Option<&Lock>, AdapterError> {
        if allowed {
            return Ok(None);
        }
        match self.unlocked(elsewhere) {
            None => Ok(self.lock.as_ref()),
            Some(why) => Err(AdapterError::Unlocked { id: self.id.clone(), why: why.to_owned() }),
        }
    }
}
