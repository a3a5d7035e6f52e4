//! What the machines of all workflows have in common: what happened goes in, and facts and things to do come out.
//!
//! A machine decides and does nothing. It knows no clock and no agent; whoever drives it appends its events to the log, in
//! order, and then has its effects carried out.

/// What a machine wants, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Output<Event, Effect> {
    /// Append this to the log.
    Event(Event),
    /// Carry this effect out, once all events before it are in the log.
    Effect(Effect),
}

/// Collects what a machine wants.
pub type Outbox<Event, Effect> = Vec<Output<Event, Effect>>;
