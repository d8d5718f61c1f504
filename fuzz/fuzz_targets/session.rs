//! Fuzzes protocol sessions.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tengen_properties::session(bytes));
