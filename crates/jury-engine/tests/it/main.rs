//! Whole runs with a real store and real child processes.

mod bench_of_agents;
mod endings;
mod misbehaviour;
