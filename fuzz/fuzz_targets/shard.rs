//! Fuzzes shards of self-play.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tengen_properties::shard(bytes));
