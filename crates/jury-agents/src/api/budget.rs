//! What calls may cost together. A call is charged what it may cost before it is made, and what it did cost
//! afterwards; of two calls at once that only one can afford, one is refused.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jury_core::event::Usage;

use super::error::ApiError;

/// Money and tokens that calls share. Clones are one budget.
#[derive(Debug, Clone)]
pub struct Budget {
    max_cost_usd: Option<f64>,
    max_tokens: Option<u64>,
    ledger: Arc<Mutex<Ledger>>,
}

#[derive(Debug, Default)]
struct Ledger {
    spent: Usage,
    reserved: Usage,
}

impl Budget {
    /// A budget; nothing is spent yet. What is absent has no limit.
    pub fn new(max_cost_usd: Option<f64>, max_tokens: Option<u64>) -> Self {
        Self { max_cost_usd, max_tokens, ledger: Arc::default() }
    }

    /// What was spent so far.
    pub fn spent(&self) -> Usage {
        self.lock().spent
    }

    /// What calls under way may still cost.
    pub fn reserved(&self) -> Usage {
        self.lock().reserved
    }

    pub(super) fn is_in_money(&self) -> bool {
        self.max_cost_usd.is_some()
    }

    /// Sets aside what a call may cost.
    pub(super) fn reserve(&self, estimate: Usage) -> Result<Reservation, ApiError> {
        let mut ledger = self.lock();
        let taken = ledger.spent.plus(ledger.reserved);
        if let Some(most) = self.max_tokens {
            let left = most.saturating_sub(tokens(taken));
            if tokens(estimate) > left {
                return Err(ApiError::Budget {
                    needed: format!("{} tokens", tokens(estimate)),
                    left: format!("{left} tokens"),
                });
            }
        }
        if let Some(most) = self.max_cost_usd {
            let left = (most - cost(taken)).max(0.0);
            // Sums of prices are not exact; a millionth of a dollar is nobody's money.
            if cost(estimate) > left + 1e-6 {
                return Err(ApiError::Budget {
                    needed: format!("${:.4}", cost(estimate)),
                    left: format!("${left:.4}"),
                });
            }
        }
        ledger.reserved = ledger.reserved.plus(estimate);
        Ok(Reservation { budget: self.clone(), estimate, used: Usage::default() })
    }

    fn lock(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a call under way may cost. Dropping it settles it.
#[derive(Debug)]
pub(super) struct Reservation {
    budget: Budget,
    estimate: Usage,
    /// What is known so far of what the call did cost.
    used: Usage,
}

impl Reservation {
    pub(super) fn note(&mut self, used: Usage) {
        self.used = used;
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut ledger = self.budget.lock();
        let (reserved, estimate) = (ledger.reserved, self.estimate);
        ledger.reserved = Usage {
            input_tokens: reserved.input_tokens.saturating_sub(estimate.input_tokens),
            output_tokens: reserved.output_tokens.saturating_sub(estimate.output_tokens),
            cost_usd: reserved.cost_usd.map(|cost| (cost - estimate.cost_usd.unwrap_or(0.0)).max(0.0)),
        };
        ledger.spent = ledger.spent.plus(self.used);
    }
}

fn tokens(usage: Usage) -> u64 {
    usage.input_tokens.saturating_add(usage.output_tokens)
}

fn cost(usage: Usage) -> f64 {
    usage.cost_usd.unwrap_or(0.0)
}
