//! Changes: read, searched, packed.

mod hostile;
mod labelled;
mod pack;
mod read;
