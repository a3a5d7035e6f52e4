//! Changes: read, searched, packed.

mod blinded;
mod hostile;
mod labelled;
mod pack;
mod read;
mod unjudged;
