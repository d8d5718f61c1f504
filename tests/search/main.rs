//! Searches: tactics that must be found at any budget, and results that threads and tables must not
//! change.

mod tactics;
mod threads;
