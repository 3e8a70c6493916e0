#![no_main]
#[path = "../drivers.rs"]
#[allow(dead_code, reason = "each target has its own driver")]
mod drivers;
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drivers::query(bytes));
