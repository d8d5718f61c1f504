//! Adds icon and version information to the program for Windows.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=tengen.ico");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    if variable("CARGO_CFG_TARGET_OS") != "windows" || variable("CARGO_CFG_TARGET_ENV") != "gnu" {
        return;
    }
    let folder = variable("OUT_DIR");
    let (script, object) =
        (Path::new(&folder).join("board.rc"), Path::new(&folder).join("board.o"));
    let version = variable("CARGO_PKG_VERSION");
    fs::write(&script, resources(&version)).expect("the folder of the build is writable");
    let compiled = ["x86_64-w64-mingw32-windres", "windres"].iter().any(|tool| {
        let mut command = Command::new(tool);
        command.arg("--include-dir").arg(variable("CARGO_MANIFEST_DIR"));
        command.args([&script, &object]).status().is_ok_and(|status| status.success())
    });
    if compiled {
        println!("cargo:rustc-link-arg-bins={}", object.display());
    } else {
        println!("cargo:warning=windres is missing: no icon and no version information");
    }
}

/// The script of the resource compiler.
fn resources(version: &str) -> String {
    let numbers: Vec<&str> = version.split(['.', '-']).take(3).collect();
    let numbers = format!("{},0", numbers.join(","));
    let values = [
        ("FileDescription", "Tengen - Gomoku and Renju"),
        ("FileVersion", version),
        ("InternalName", "tengen-board"),
        ("OriginalFilename", "tengen-board.exe"),
        ("ProductName", "Tengen"),
        ("ProductVersion", version),
    ];
    let values: String =
        values.iter().map(|(name, value)| format!("VALUE \"{name}\", \"{value}\"\n")).collect();
    format!(
        "1 ICON \"tengen.ico\"\n\
         1 VERSIONINFO\nFILEVERSION {numbers}\nPRODUCTVERSION {numbers}\n\
         FILEOS 0x40004\nFILETYPE 1\nBEGIN\nBLOCK \"StringFileInfo\"\nBEGIN\n\
         BLOCK \"040904b0\"\nBEGIN\n{values}END\nEND\n\
         BLOCK \"VarFileInfo\"\nBEGIN\nVALUE \"Translation\", 0x409, 1200\nEND\nEND\n"
    )
}
