//! `jury feedback` and `jury patterns`: what users of the scripts before them rely on, and what those got wrong.

mod backfilling;
mod collecting;
mod hostile;
mod judging;
mod parallel;
mod patterns;
mod stage;
