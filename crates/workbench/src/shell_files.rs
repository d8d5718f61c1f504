//! `tengen completions` and `tengen man`: files for shells, made from the command line's definition.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Command;
use clap_complete::Shell;
use tengen_cli::overwrite::OverwriteArgs;

/// The shell to complete for.
#[derive(clap::Args, Clone, Debug)]
pub struct CompletionArgs {
    /// bash, zsh, fish, powershell or elvish
    shell: Shell,
}

/// Where the manual pages go.
#[derive(clap::Args, Clone, Debug)]
pub struct ManArgs {
    /// Folder for the pages; created if missing. Earlier pages of this program are replaced
    folder: PathBuf,
    #[command(flatten)]
    overwrite: OverwriteArgs,
}

/// Prints the completion script of `command`.
///
/// # Errors
/// When `out` cannot be written.
pub fn completions(
    args: &CompletionArgs,
    mut command: Command,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "tengen", &mut script);
    out.write_all(&script)
}

/// Writes `tengen.1` and a page for each tool and each of its subcommands.
///
/// # Errors
/// When the folder or a page cannot be written, or another file has the name of a page.
pub fn man(args: &ManArgs, command: Command) -> anyhow::Result<()> {
    std::fs::create_dir_all(&args.folder).with_context(|| args.folder.display().to_string())?;
    write_pages(args, "tengen", command)
}

fn write_pages(args: &ManArgs, name: &str, command: Command) -> anyhow::Result<()> {
    for tool in command.get_subcommands().filter(|tool| !tool.is_hide_set()) {
        let name = format!("{name}-{}", tool.get_name());
        // The name in the page's title has a static lifetime in clap.
        let page = tool.clone().name(Box::leak(name.clone().into_boxed_str()) as &'static str);
        write_pages(args, &name, page)?;
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    let path = args.folder.join(format!("{name}.1"));
    let title = format!(".TH {name} ");
    if !std::fs::read_to_string(&path).is_ok_and(|earlier| earlier.contains(&title)) {
        args.overwrite.check(&path)?;
    }
    std::fs::write(&path, page).with_context(|| path.display().to_string())
}
