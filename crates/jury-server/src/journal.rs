//! The journal: one structured log line per thing that a person who runs the server wants to know of.
