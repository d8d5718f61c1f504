//! The command line: how it is parsed, and hints where a user has made a mistake.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::Path;

use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command};

use tengen_rules::moves::MoveText;

/// Maximum number of tools that a hint lists.
const MAX_TOOLS: usize = 4;

/// The command with the settings that apply to all tools: negative numbers are values, and names in
/// a list of values may be written in capitals.
pub fn prepared(command: Command) -> Command {
    // Flags have the values true and false.
    let has_names =
        |arg: &Arg| arg.get_action().takes_values() && !arg.get_possible_values().is_empty();
    command
        .allow_negative_numbers(true)
        .mut_args(|arg| if has_names(&arg) { arg.ignore_case(true) } else { arg })
        .mut_subcommands(prepared)
}

/// The error with hints that apply. clap offers to pass an unknown option as a value after `--`, which
/// is never what was meant here. Instead, the tools that have the option are named.
pub fn explained(mut error: clap::Error, command: &Command) -> clap::Error {
    if error.kind() != clap::error::ErrorKind::UnknownArgument {
        return error;
    }
    if let Some(ContextValue::StyledStrs(mut tips)) = error.remove(ContextKind::Suggested) {
        tips.retain(|tip| !tip.to_string().contains("as a value, use"));
        if !tips.is_empty() {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
        }
    }
    let has_hint = [ContextKind::Suggested, ContextKind::SuggestedArg];
    let has_hint = has_hint.iter().any(|&kind| error.get(kind).is_some());
    let unknown = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(name)) if !has_hint => name.clone(),
        _ => return error,
    };
    if let Some(hint) = other_tools(&unknown, command) {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![hint.into()]));
    }
    error
}

/// The tools that have the option `name`, if there are few.
fn other_tools(name: &str, command: &Command) -> Option<String> {
    let long = name.strip_prefix("--")?.split('=').next()?;
    let has_option = |tool: &&Command| {
        !tool.is_hide_set() && tool.get_arguments().any(|arg| arg.get_long() == Some(long))
    };
    let tools: Vec<String> = command
        .get_subcommands()
        .filter(has_option)
        .map(|tool| format!("'tengen {}'", tool.get_name()))
        .collect();
    let (last, others) = tools.split_last()?;
    let list = match others {
        [] => last.clone(),
        _ if tools.len() > MAX_TOOLS => return None,
        _ => format!("{} and {last}", others.join(", ")),
    };
    Some(format!("'--{long}' is an option of {list}"))
}

/// A hint for words that were taken for files, but are moves.
pub fn moves_hint(error: &anyhow::Error, words: &[OsString], command: &Command) -> Option<String> {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    if !causes.any(|cause| cause.kind() == ErrorKind::NotFound) {
        return None;
    }
    let words = words.iter().map(|word| word.to_str().unwrap_or_default());
    let mut words = words.skip(1);
    let tool = command.find_subcommand(words.next()?)?;
    let is_move = |word: &&str| {
        let moves = word.parse::<MoveText>();
        moves.is_ok_and(|moves| !moves.0.is_empty()) && !Path::new(word).exists()
    };
    // Values of options stand after an option.
    let moves: Vec<&str> =
        words.take_while(|word| !word.starts_with('-')).filter(is_move).collect();
    if moves.is_empty() || !error.to_string().starts_with(moves[0]) {
        return None;
    }
    let moves = moves.join(" ");
    Some(match tool.get_arguments().any(|arg| arg.get_long() == Some("moves")) {
        true => format!("to give moves: --moves \"{moves}\""),
        false => format!("to give moves: echo {moves} | tengen {} -", tool.get_name()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;
    use clap::{Parser, Subcommand, ValueEnum};

    #[derive(Debug, Parser)]
    struct Tools {
        #[command(subcommand)]
        tool: Tool,
    }

    #[derive(Debug, Subcommand)]
    enum Tool {
        Analyze {
            files: Vec<String>,
            #[arg(long)]
            moves: Option<String>,
            #[arg(long, value_enum)]
            rows: Option<Rows>,
            #[arg(long)]
            depth: Option<i32>,
        },
        Convert {
            files: Vec<String>,
            #[arg(long)]
            every_line: bool,
        },
    }

    #[derive(Clone, Debug, PartialEq, ValueEnum)]
    enum Rows {
        Bottom,
        Top,
    }

    fn command() -> Command {
        use clap::CommandFactory;
        prepared(Tools::command())
    }

    fn error(words: &[&str]) -> String {
        let words = ["tengen"].iter().chain(words);
        let error = command().try_get_matches_from(words).unwrap_err();
        explained(error, &command()).to_string()
    }

    #[test]
    fn unknown_options_get_hints_that_apply() {
        let foreign = error(&["analyze", "--every-line"]);
        assert!(
            foreign.contains("tip: '--every-line' is an option of 'tengen convert'"),
            "{foreign}"
        );
        let unknown = error(&["analyze", "--xyzzy"]);
        assert!(unknown.contains("'--xyzzy'") && !unknown.contains("tip:"), "{unknown}");
        let similar = error(&["analyze", "--move", "h8"]);
        assert!(similar.contains("'--moves'") && !similar.contains("as a value"), "{similar}");
        assert!(error(&["analize"]).contains("'analyze'"));
    }

    #[test]
    fn capitals_and_negative_numbers_are_values() {
        let matches = |words: &[&str]| command().try_get_matches_from(words).unwrap();
        matches(&["tengen", "analyze", "--rows", "TOP"]);
        matches(&["tengen", "analyze", "--depth", "-1"]);
    }

    #[test]
    fn moves_in_place_of_files_get_a_hint() {
        let hint = |words: &[&str], missing: &str| {
            let words: Vec<OsString> = ["tengen"].iter().chain(words).map(Into::into).collect();
            let failed: io::Result<()> = Err(ErrorKind::NotFound.into());
            let error = failed.with_context(|| missing.to_string()).unwrap_err();
            moves_hint(&error, &words, &command())
        };
        let analyze = hint(&["analyze", "h8", "i9"], "h8").unwrap();
        assert_eq!(analyze, "to give moves: --moves \"h8 i9\"");
        let convert = hint(&["convert", "h8i9"], "h8i9").unwrap();
        assert_eq!(convert, "to give moves: echo h8i9 | tengen convert -");
        assert_eq!(hint(&["analyze", "game.sgf"], "game.sgf"), None);
        assert_eq!(hint(&["analyze", "game.sgf", "--rule", "h8"], "game.sgf"), None);
    }
}
