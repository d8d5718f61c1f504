//! `tengen genfens`: openings in the format of OpenBench's workers, which call
//! `./name "genfens N seed S book None" "quit"` and read `info string genfens POSITION`
//! (AndyGrant/OpenBench, Client/genfens.py).

use std::io::Write;
use std::str::FromStr;

use anyhow::{Context, anyhow, bail, ensure};

use super::play::{self, SelfplaySettings};
use tengen::engine::{Networks, StopSwitch};
use tengen_cli::args::size_for_engines;
use tengen_rules::moves::MoveList;
use tengen_rules::types::{BoardSize, Rule, UnknownName};

/// Arguments of `tengen genfens`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// N seed S book None [rule RULE] [size SIZE] [nodes N] [balance N]
    #[arg(required = true, value_name = "WORDS")]
    words: Vec<String>,
}

/// The number of openings and their settings.
#[derive(Debug)]
struct OpeningRequest {
    count: u64,
    settings: SelfplaySettings,
}

impl OpeningRequest {
    fn parse(words: &[String]) -> anyhow::Result<OpeningRequest> {
        let (first, pairs) = words.split_first().context("the number of openings is missing")?;
        let mut request = OpeningRequest {
            count: value("N", first)?,
            settings: SelfplaySettings {
                rule: Rule::Freestyle,
                size: BoardSize::square(15).expect("15 is a valid size"),
                seed: 1,
                nodes: 50_000,
                balance: 150,
                tree_starts: 0,
                labels: 0,
                label_nodes: 0,
                cutoffs: 0,
                networks: Networks::embedded(),
            },
        };
        let settings = &mut request.settings;
        for pair in pairs.chunks(2) {
            let [key, text] = pair else { bail!("{} has no value", pair[0]) };
            match key.as_str() {
                "seed" => settings.seed = value(key, text)?,
                "rule" => {
                    settings.rule = text
                        .parse()
                        .map_err(|error: UnknownName| anyhow!("rule {text:?}: {error}"))?
                }
                "size" => settings.size = size_for_engines(text)?,
                "nodes" => {
                    settings.nodes = value(key, text)?;
                    ensure!(settings.nodes > 0, "nodes 0: expected at least one node");
                }
                "balance" => {
                    settings.balance = value(key, text)?;
                    ensure!(settings.balance >= 0, "balance {text}: expected 0 or more");
                }
                "book" => ensure!(
                    text.eq_ignore_ascii_case("none"),
                    "book {text}: expected None, openings are drawn at random"
                ),
                _ => {
                    bail!("unknown key {key:?} (expected seed, book, rule, size, nodes or balance)")
                }
            }
        }
        Ok(request)
    }
}

fn value<T: FromStr>(key: &str, text: &str) -> anyhow::Result<T> {
    text.parse().map_err(|_| anyhow!("{key} {text:?}: expected a whole number"))
}

/// Prints balanced openings, one per line. The same words give the same openings. Openings that are
/// proved to be won by a side are left out; `notes` receives their number.
///
/// # Errors
/// When the words are invalid, or `out` cannot be written.
pub fn run(args: &Args, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    let OpeningRequest { count, settings } = OpeningRequest::parse(&args.words)?;
    let mut left_out = 0;
    for number in 0..count {
        let opening = play::match_opening(&settings, number, &StopSwitch::new());
        let Some(opening) = opening else { break };
        let moves: MoveList = opening.position.board().moves().collect();
        left_out += opening.left_out;
        writeln!(out, "info string genfens {moves}")?;
        out.flush()?;
    }
    if let Some(note) = play::note_on_left_out(left_out) {
        writeln!(notes, "{note}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_record::{ReadOptions, read};

    fn printed(words: &str) -> anyhow::Result<String> {
        let words = words.split_whitespace().map(str::to_string).collect();
        let mut out = Vec::new();
        run(&Args { words }, &mut out, &mut Vec::new())?;
        Ok(String::from_utf8(out)?)
    }

    #[test]
    fn openings_can_be_read_and_repeated() {
        let words = "3 seed 7 book None rule renju nodes 300 balance 5000";
        let text = printed(words).unwrap();
        assert_eq!(text, printed(words).unwrap());
        assert_ne!(text, printed(&words.replace("seed 7", "seed 8")).unwrap());
        assert_eq!(text.lines().count(), 3);
        for line in text.lines() {
            let position = line.strip_prefix("info string genfens ").unwrap();
            let games = read(position.as_bytes(), &ReadOptions::default()).unwrap().list;
            assert!((2..=8).contains(&games[0].moves().unwrap().len()), "{line}");
        }
    }

    #[test]
    fn invalid_words_are_reported() {
        let fault = |words| printed(words).unwrap_err().to_string();
        assert_eq!(fault("x"), "N \"x\": expected a whole number");
        assert_eq!(fault("1 seed"), "seed has no value");
        assert_eq!(
            fault("1 moves 3"),
            "unknown key \"moves\" (expected seed, book, rule, size, nodes or balance)"
        );
        assert!(fault("1 book UHO.epd").starts_with("book UHO.epd: expected None"));
        assert!(fault("1 size 4").contains("4x4"));
        assert!(fault("1 nodes 0").contains("nodes 0"));
    }
}
