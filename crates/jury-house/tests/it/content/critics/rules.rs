//! Every rule, broken and kept.
