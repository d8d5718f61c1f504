//! Fuzzes files of Piskvork and Yixin-Board.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tengen_properties::piskvork(bytes));
