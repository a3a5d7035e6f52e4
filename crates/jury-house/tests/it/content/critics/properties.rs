//! What holds for any draft.
