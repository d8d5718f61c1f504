//! Options that a person wants in every game: a file with one option of `tengen play` on each line.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

/// The file of the options of `tengen play`, if the environment has a folder for it: `play.conf` in
/// `$TENGEN_CONFIG`, or in the folder `tengen` of the user's configuration files.
pub fn path() -> Option<PathBuf> {
    let folder = |name: &str| {
        let value = std::env::var_os(name).filter(|value| !value.is_empty());
        value.map(PathBuf::from)
    };
    let own = || folder("XDG_CONFIG_HOME").or_else(|| Some(folder("HOME")?.join(".config")));
    let usual = || if cfg!(windows) { folder("APPDATA") } else { own() };
    let configured = folder("TENGEN_CONFIG").or_else(|| Some(usual()?.join("tengen")));
    configured.map(|folder| folder.join("play.conf"))
}

/// The command line with the options of the file. Options that are on the command line are not taken
/// from the file. Other tools than `play` have no such file.
///
/// # Errors
/// When the file cannot be read, or a line is not an option.
pub fn with_preferences(
    words: Vec<OsString>,
    path: Option<&Path>,
) -> anyhow::Result<Vec<OsString>> {
    let is_play = words.get(1).is_some_and(|tool| tool == "play");
    let Some(path) = path.filter(|path| is_play && path.is_file()) else { return Ok(words) };
    let name = || path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(name)?;
    let given = |option: &str| {
        let mut texts = words.iter().filter_map(|word| word.to_str());
        texts.any(|word| canonical(word.split('=').next().unwrap_or_default()) == canonical(option))
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
        if !given(option) {
            all.push(option.into());
            all.extend(value.map(|value| value.trim().into()));
        }
    }
    all.extend_from_slice(&words[2..]);
    Ok(all)
}

/// The name of an option that has two.
fn canonical(option: &str) -> &str {
    if option == "--opponent" { "--level" } else { option }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(file: &str, words: &[&str]) -> anyhow::Result<Vec<String>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("play.conf");
        std::fs::write(&path, file)?;
        let words = words.iter().map(OsString::from).collect();
        let all = with_preferences(words, Some(&path))?;
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
        let other = ["tengen", "analyze", "--moves", "h8"];
        assert_eq!(merged(file, &other).unwrap(), other);
        assert_eq!(merged("", &["tengen"]).unwrap(), ["tengen"]);
    }

    #[test]
    fn other_lines_are_refused_with_their_place() {
        let error = merged("--level club\nclub\n", &["tengen", "play"]).unwrap_err().to_string();
        assert!(error.contains("play.conf:2: \"club\": expected an option"), "{error}");
        let words = vec![OsString::from("tengen"), OsString::from("play")];
        let missing = Path::new("no-such-file");
        assert_eq!(with_preferences(words.clone(), Some(missing)).unwrap(), words);
        assert_eq!(with_preferences(words.clone(), None).unwrap(), words);
    }
}
