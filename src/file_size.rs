//! The system's limit on the size of files (`ulimit -f`).

/// Lets a write beyond the limit fail with an error. By default the system ends the program without a
/// message (`SIGXFSZ`). Programs started by this one keep the default.
pub fn report_limit_as_error() {
    #[cfg(unix)]
    #[expect(unsafe_code, reason = "the standard library has no signals")]
    // SAFETY: the structure is valid when zeroed, and the handler does nothing.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        // A started program would inherit an ignored signal, but not a handler.
        action.sa_sigaction = do_nothing as extern "C" fn(libc::c_int) as libc::sighandler_t;
        action.sa_flags = libc::SA_RESTART;
        // Fails for invalid signals only.
        libc::sigaction(libc::SIGXFSZ, &raw const action, std::ptr::null_mut());
    }
}

#[cfg(unix)]
extern "C" fn do_nothing(_: libc::c_int) {}
