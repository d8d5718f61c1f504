//! Fuzzes RenLib libraries.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tengen_properties::renlib(bytes));
