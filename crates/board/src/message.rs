//! A message to the user.

/// Shows a message in a window and waits until it is closed. Returns false if no window can be shown.
#[cfg(windows)]
#[allow(unsafe_code)]
pub(crate) fn show(text: &str) -> bool {
    use std::ffi::c_void;
    use std::ptr::null_mut;

    #[link(name = "user32")]
    unsafe extern "system" {
        fn MessageBoxW(owner: *mut c_void, text: *const u16, title: *const u16, kind: u32) -> i32;
    }
    let wide = |text: &str| text.encode_utf16().chain([0]).collect::<Vec<u16>>();
    let (text, title) = (wide(text), wide("Tengen"));
    // SAFETY: both texts end with 0 and live during the call; a null owner is allowed.
    unsafe { MessageBoxW(null_mut(), text.as_ptr(), title.as_ptr(), 0) != 0 }
}

/// Prints the message.
#[cfg(not(windows))]
pub(crate) fn show(text: &str) -> bool {
    use std::io::Write;

    // A closed output changes nothing.
    let _ = writeln!(std::io::stdout(), "{text}");
    false
}
