//! The content pipeline at the edge: what reads and writes files, starts programs and asks over the network.

pub mod site;
