//! Options that a person wants in every game: a file with one option of `tengen play` on each line.
//! Its language holds for `analyze` and `review`, too.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Command;
use tengen_cli::atomic_file;

/// The file, if the environment has a folder for it: `tengen.conf` in `$TENGEN_CONFIG`, or in the
/// folder `tengen` of the user's configuration files.
pub fn path() -> Option<PathBuf> {
    let folder = |name: &str| {
        let value = std::env::var_os(name).filter(|value| !value.is_empty());
        value.map(PathBuf::from)
    };
    let own = || folder("XDG_CONFIG_HOME").or_else(|| Some(folder("HOME")?.join(".config")));
    let usual = || if cfg!(windows) { folder("APPDATA") } else { own() };
    let configured = folder("TENGEN_CONFIG").or_else(|| Some(usual()?.join("tengen")));
    configured.map(|folder| folder.join("tengen.conf"))
}

/// The command line with the options of the file. Options that are on the command line, or that
/// `tools` does not accept together with one of them, are not taken from the file. `play` takes all
/// others, `analyze` and `review` take the language.
///
/// # Errors
/// When the file cannot be read, or a line is not an option.
pub fn with_preferences(
    words: Vec<OsString>,
    path: Option<&Path>,
    tools: &Command,
) -> anyhow::Result<Vec<OsString>> {
    let takes: fn(&str) -> bool = match words.get(1).and_then(|tool| tool.to_str()) {
        Some("play") => |_| true,
        Some("analyze" | "review") => |option| option == "--lang",
        _ => return Ok(words),
    };
    // A faulty file must not hide the help.
    if words.iter().any(|word| word == "-h" || word == "--help") {
        return Ok(words);
    }
    let Some(path) = path.filter(|path| path.is_file()) else { return Ok(words) };
    let name = || path.display().to_string();
    let text = read(path)?;
    let play = tools.find_subcommand("play").context("the tool play")?;
    let texts = words[2..].iter().filter_map(|word| word.to_str());
    let given: Vec<&str> = texts.map(canonical).collect();
    let is_replaced = |option: &str| {
        given.iter().any(|&word| word == canonical(option) || are_exclusive(play, option, word))
    };
    let mut all: Vec<OsString> = words[..2].to_vec();
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        ensure!(
            line.starts_with("--"),
            "{}:{number}: {line:?}: expected an option of tengen play, such as --level club",
            name()
        );
        let (option, value) = line
            .split_once([' ', '='])
            .map_or((line, None), |(option, value)| (option, Some(value)));
        if takes(option) && !is_replaced(option) {
            // The rule of the loaded game comes first.
            let is_default = option == "--rule" && given.contains(&"--load");
            all.push(if is_default { "--usual-rule" } else { option }.into());
            all.extend(value.map(|value| value.trim().into()));
        }
    }
    all.extend_from_slice(&words[2..]);
    Ok(all)
}

/// Whether `play` accepts only one of these options.
fn are_exclusive(play: &Command, one: &str, other: &str) -> bool {
    let arg = |option: &str| {
        let name = option.strip_prefix("--")?;
        play.get_arguments().find(|arg| arg.get_long() == Some(name))
    };
    let (Some(one), Some(other)) = (arg(one), arg(other)) else { return false };
    let excludes = |one, other| play.get_arg_conflicts_with(one).contains(&other);
    excludes(one, other) || excludes(other, one)
}

/// The text of the file, without the byte order mark that some editors of Windows write.
fn read(path: &Path) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Ok(text.trim_start_matches('\u{feff}').to_string())
}

/// Keeps an option with a value in the file, and replaces an earlier value. Other lines stay.
///
/// # Errors
/// When the file or its folder cannot be read or written.
pub fn keep(path: &Path, option: &str, value: &str) -> anyhow::Result<()> {
    let name = || path.display().to_string();
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let text = match path.exists() {
        true => read(path)?,
        false => "# Options of every game of tengen play, one on a line.\n".to_string(),
    };
    let others = text.lines().filter(|line| canonical(line.trim()) != canonical(option));
    let mut kept: String = others.flat_map(|line| [line, "\n"]).collect();
    kept += &format!("{option} {value}\n");
    atomic_file::write(path, kept.as_bytes()).with_context(name)
}

/// The name of the option of a word or a line; one name for an option that has two.
fn canonical(text: &str) -> &str {
    match text.split([' ', '=']).next().unwrap_or_default() {
        "--opponent" => "--level",
        option => option,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Args as _;

    fn tools() -> Command {
        Command::new("tengen").subcommand(crate::play::Args::augment_args(Command::new("play")))
    }

    fn merged(file: &str, words: &[&str]) -> anyhow::Result<Vec<String>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("tengen.conf");
        std::fs::write(&path, file)?;
        let words = words.iter().map(OsString::from).collect();
        let all = with_preferences(words, Some(&path), &tools())?;
        Ok(all.into_iter().map(|word| word.into_string().expect("text")).collect())
    }

    #[test]
    fn options_of_the_file_come_before_those_of_the_command_line() {
        let file = "# my games\n\n--level club\n--rule=renju\n--time 500 ms\n";
        let all = merged(file, &["tengen", "play", "--size", "15"]).unwrap();
        let expected = "tengen play --level club --rule renju --time 500 ms --size 15"
            .replace("500 ms", "500_ms");
        assert_eq!(all.join(" ").replace("500 ms", "500_ms"), expected);
        let all = merged(file, &["tengen", "play", "--rule", "caro", "--level=master"]).unwrap();
        assert_eq!(all[2..].join(" "), "--time 500 ms --rule caro --level=master");
        let all = merged("--level club", &["tengen", "play", "--opponent", "master"]).unwrap();
        assert_eq!(all[2..].join(" "), "--opponent master");
        let all = merged("\u{feff}--level club\r\n", &["tengen", "play"]).unwrap();
        assert_eq!(all[2..].join(" "), "--level club");
        let other = ["tengen", "analyze", "--moves", "h8"];
        assert_eq!(merged(file, &other).unwrap(), other);
        let all = merged("--level club\n--lang ja\n", &["tengen", "review", "a.sgf"]).unwrap();
        assert_eq!(all[2..].join(" "), "--lang ja a.sgf");
        assert_eq!(merged("", &["tengen"]).unwrap(), ["tengen"]);
    }

    #[test]
    fn other_lines_are_refused_with_their_place() {
        let error = merged("--level club\nclub\n", &["tengen", "play"]).unwrap_err().to_string();
        assert!(error.contains("tengen.conf:2: \"club\": expected an option"), "{error}");
        let words = vec![OsString::from("tengen"), OsString::from("play")];
        for help in ["-h", "--help"] {
            assert_eq!(merged("club", &["tengen", "play", help]).unwrap().len(), 3);
        }
        let missing = Path::new("no-such-file");
        assert_eq!(with_preferences(words.clone(), Some(missing), &tools()).unwrap(), words);
        assert_eq!(with_preferences(words.clone(), None, &tools()).unwrap(), words);
    }

    #[test]
    fn options_that_exclude_given_ones_are_left_out() {
        let file = "--size 20\n--opening swap2\n--rule renju\n--time 1s";
        for (given, expected) in [
            ("--color white", "--size 20 --opening swap2 --rule renju --time 1s"),
            ("--diagram=a.txt", "--rule renju --time 1s"),
            ("--side=white", "--size 20 --rule renju --time 1s"),
            ("--moves h8", "--size 20 --rule renju --time 1s"),
            ("--load a.sgf", "--size 20 --usual-rule renju --time 1s"),
            ("--load a.sgf --rule caro", "--size 20 --time 1s"),
        ] {
            let words: Vec<&str> = ["tengen", "play"].into_iter().chain(given.split(' ')).collect();
            let all = merged(file, &words).unwrap();
            assert_eq!(all[2..].join(" "), format!("{expected} {given}"));
        }
    }

    #[test]
    fn kept_options_replace_earlier_values() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/tengen.conf");
        let read = || std::fs::read_to_string(&path).unwrap();
        keep(&path, "--level", "level:club").unwrap();
        assert!(read().ends_with(".\n--level level:club\n"), "{}", read());
        std::fs::write(&path, "# mine\n--opponent=novice\n--time 1s").unwrap();
        keep(&path, "--level", "level:master").unwrap();
        assert_eq!(read(), "# mine\n--time 1s\n--level level:master\n");
        let words = ["tengen", "play"].map(OsString::from).to_vec();
        assert_eq!(with_preferences(words, Some(&path), &tools()).unwrap().len(), 6);
        std::fs::write(&path, "\u{feff}--level club\r\n--time 1s\r\n").unwrap();
        keep(&path, "--level", "level:master").unwrap();
        assert_eq!(read(), "--time 1s\n--level level:master\n");
        let blocked = folder.path().join("new/tengen.conf/tengen.conf");
        assert!(keep(&blocked, "--level", "level:club").is_err());
    }
}
