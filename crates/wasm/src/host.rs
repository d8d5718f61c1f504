//! The boundary between the module and its worker: imports and exports.
//!
//! A text for the module is written to memory from [`allocate`], which the called function frees.
//! Answers are lines of JSON that the module passes to the imported function `say` during the call.
//!
//! Imports from the module `page`:
//!
//! * `now() -> f64`: the clock in milliseconds (imported by `tengen::moment`);
//! * `random(address, length)`: fills memory with random bytes;
//! * `say(address, length)`: receives a line of JSON.

#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed};
use std::cell::RefCell;
use std::panic;

use serde_json::{Value, json};
use tengen_page_api::RequestError;

use crate::{Instance, Request, SWITCHES};

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    safe fn random(address: *mut u8, length: usize);
    safe fn say(address: *const u8, length: usize);
}

thread_local! {
    static INSTANCE: RefCell<Option<Instance>> = const { RefCell::new(None) };
}

fn say_json(value: &Value) {
    let line = value.to_string();
    say(line.as_ptr(), line.len());
}

/// The source of random numbers of `getrandom`, which the flag `getrandom_backend="custom"` selects.
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(
    address: *mut u8,
    length: usize,
) -> Result<(), getrandom::Error> {
    random(address, length);
    Ok(())
}

/// Calls `action` with the instance and passes its answer to `say`.
fn with_instance(action: impl FnOnce(&mut Instance) -> Value) {
    INSTANCE.with_borrow_mut(|instance| match instance {
        Some(instance) => say_json(&action(instance)),
        None => say_json(&json!({ "error": "the engine was not started" })),
    });
}

/// Memory for a text of the caller.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(length: usize) -> *mut u8 {
    Box::leak(vec![0; length].into_boxed_slice()).as_mut_ptr()
}

/// Memory for the stack of a helper, or for its thread-local storage. It is never freed.
#[unsafe(no_mangle)]
pub extern "C" fn allocate_aligned(length: usize) -> *mut u8 {
    let layout = Layout::from_size_align(length.max(1), 64).expect("a valid layout");
    // SAFETY: the layout is not empty.
    let memory = unsafe { alloc_zeroed(layout) };
    assert!(!memory.is_null(), "out of memory");
    memory
}

/// Makes the memory grow now, so that it does not grow during a search.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(mebibytes: usize) {
    let mut memory = Vec::<u8>::new();
    // With less memory, the tables of the engine are smaller.
    let _ = memory.try_reserve_exact(mebibytes << 20);
    std::hint::black_box(&memory);
}

/// Makes this thread a search thread of the instance.
#[cfg(target_feature = "atomics")]
#[unsafe(no_mangle)]
pub extern "C" fn help() {
    tengen::engine::helper_pool::serve()
}

/// The text of the caller.
///
/// # Safety
/// The memory must come from [`allocate`] with the same length, and must not be used again.
unsafe fn taken(address: *mut u8, length: usize) -> Box<[u8]> {
    // SAFETY: guaranteed by the caller.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(address, length)) }
}

/// A first line, and everything after it.
fn split(text: &[u8]) -> (&str, &[u8]) {
    let end = text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
    let name = std::str::from_utf8(&text[..end]).unwrap_or_default();
    (name, text.get(end + 1..).unwrap_or_default())
}

/// Makes the instance. A panic passes `{"panic": reason}` to `say` before the module traps.
#[unsafe(no_mangle)]
pub extern "C" fn start(threads: usize, mebibytes: usize) {
    panic::set_hook(Box::new(|info| say_json(&json!({ "panic": info.to_string() }))));
    INSTANCE.set(Some(Instance::new(threads, (mebibytes as u64) << 20)));
}

/// Number of stop switches.
#[unsafe(no_mangle)]
pub extern "C" fn switch_count() -> usize {
    SWITCHES
}

/// The address of the byte that stops the request of this number when it is set to 1.
#[unsafe(no_mangle)]
pub extern "C" fn stop_address(number: usize) -> *const u8 {
    INSTANCE.with_borrow(|instance| match instance {
        Some(instance) => instance.stop_switch(number).address().cast(),
        None => std::ptr::null(),
    })
}

/// Adds a network or proofs of openings. The text is `network RULE` or `proofs NAME`, a line feed,
/// and the file.
///
/// # Safety
/// The text must be in memory from [`allocate`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn add(address: *mut u8, length: usize) {
    // SAFETY: guaranteed by the caller.
    let text = unsafe { taken(address, length) };
    let (head, file) = split(&text);
    with_instance(|instance| {
        let added = match head.split_once(' ') {
            Some(("network", rule)) => instance.add_network(rule, file),
            Some(("proofs", name)) => instance.add_proofs(name, file),
            _ => Err(RequestError::new(format!("unknown kind of file {head:?}"))),
        };
        match added {
            Ok(()) => json!({ "done": head }),
            Err(error) => error.json(),
        }
    });
}

/// Answers a request. The text is its name, a line feed, and its body.
///
/// # Safety
/// The text must be in memory from [`allocate`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ask(number: usize, address: *mut u8, length: usize, is_stopped: u32) {
    // SAFETY: guaranteed by the caller.
    let text = unsafe { taken(address, length) };
    let (name, body) = split(&text);
    let request = Request { number, name, body, is_stopped: is_stopped != 0 };
    with_instance(|instance| instance.answer(request, |update| say_json(&update)));
}

/// Searches the positions of `tengen bench`.
#[unsafe(no_mangle)]
pub extern "C" fn bench(depth: u32) {
    with_instance(|instance| instance.bench(depth));
}

/// Compares the kernels of the network.
#[cfg(feature = "compare")]
#[unsafe(no_mangle)]
pub extern "C" fn compare_kernels() {
    with_instance(|instance| instance.compare_kernels());
}
