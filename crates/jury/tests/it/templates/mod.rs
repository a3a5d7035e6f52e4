//! Templates, labels and calibration as people and scripts use them. The rows of the contract that the scripts before us
//! had are held here, with records written for this project.

mod ab;
mod calibration;
mod guardrails;
mod refinement;
mod reports;
mod scoring;
mod selection;
mod stage;
