//! Operations on files that fail in a child process: a library is loaded into it that replaces some
//! functions of the system's C library.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The operation that fails, counted from 1, on files of one folder.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    /// No operation fails. Syncs still do nothing, which saves time.
    None,
    /// A write, change of length, sync or rename. A failed write has written half of its bytes, as on
    /// a disk that becomes full.
    Write(usize),
    /// As `Write`, but the process is killed.
    Kill(usize),
    /// An opening, a read or a request of the state.
    Read(usize),
    /// No operation fails, but reads and writes transfer few bytes or are interrupted by signals.
    ShortTransfers,
}

impl Fault {
    /// Lets the operation fail in a program that is started afterwards, on files of `folder`, which is
    /// an absolute path without links. Then the file `mark` appears.
    ///
    /// # Panics
    /// Without a C compiler.
    pub fn prepare(self, program: &mut Command, folder: &Path, mark: &Path) {
        program.env("LD_PRELOAD", library()).env("FAIL_FOLDER", folder).env("FAIL_MARK", mark);
        match self {
            Fault::None => program,
            Fault::Write(number) => program.env("FAIL_WRITE_AT", number.to_string()),
            Fault::Kill(number) => {
                program.env("FAIL_WRITE_AT", number.to_string()).env("FAIL_BY_KILL", "1")
            }
            Fault::Read(number) => program.env("FAIL_READ_AT", number.to_string()),
            Fault::ShortTransfers => program.env("SHORT_TRANSFERS", "1"),
        };
    }
}

/// The library, compiled once by each process next to its program.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let program = std::env::current_exe().expect("the path of the test");
        let path = program.with_file_name("tengen-faults.so");
        let draft = path.with_extension(format!("{}.so", std::process::id()));
        let mut compiler = Command::new(std::env::var("CC").unwrap_or("cc".to_string()));
        compiler.args(["-shared", "-fPIC", "-O1", "-x", "c", "-", "-o"]).arg(&draft);
        let mut compiler = compiler.stdin(Stdio::piped()).spawn().expect("a C compiler");
        let source = include_bytes!("shim.c");
        let written = compiler.stdin.take().expect("a pipe").write_all(source);
        written.expect("the compiler reads the source");
        assert!(compiler.wait().expect("a C compiler").success());
        std::fs::rename(&draft, &path).expect("a library next to the test");
        path
    })
}
