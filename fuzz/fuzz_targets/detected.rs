//! Fuzzes files whose format is detected.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tengen_properties::detected(bytes));
