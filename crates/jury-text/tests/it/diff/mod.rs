//! Changes: read, searched, packed.

mod blinded;
mod compared;
mod hostile;
mod labelled;
mod pack;
mod read;
