//! `tengen genfens`: openings in the words of OpenBench's workers, which call
//! `./name "genfens N seed S book None" "quit"` and read `info string genfens POSITION`
//! (AndyGrant/OpenBench, Client/genfens.py).

use std::io::Write;
use std::str::FromStr;

use anyhow::{Context, anyhow, bail, ensure};

use super::play::{self, Terms};
use tengen::engine::StopSwitch;
use tengen_cli::setup::size_for_engines;
use tengen_rules::moves::MoveList;
use tengen_rules::types::{BoardSize, Rule};

/// Arguments of `tengen genfens`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// N seed S book None [rule RULE] [size SIZE] [nodes N] [balance N]
    #[arg(required = true, value_name = "WORDS")]
    words: Vec<String>,
}

/// How many openings, and of which kind.
#[derive(Debug)]
struct Order {
    count: u64,
    terms: Terms,
}

impl Order {
    fn parse(words: &[String]) -> anyhow::Result<Order> {
        let (first, pairs) = words.split_first().context("the number of openings is missing")?;
        let mut order = Order {
            count: value("N", first)?,
            terms: Terms {
                rule: Rule::Freestyle,
                size: BoardSize::square(15).expect("15 is a size"),
                seed: 1,
                nodes: 50_000,
                balance: 150,
                tree_starts: 0,
                labels: 0,
                label_nodes: 0,
                cutoffs: 0,
            },
        };
        let terms = &mut order.terms;
        for pair in pairs.chunks(2) {
            let [key, text] = pair else { bail!("{} lacks its value", pair[0]) };
            match key.as_str() {
                "seed" => terms.seed = value(key, text)?,
                "rule" => terms.rule = value(key, text)?,
                "size" => terms.size = size_for_engines(text)?,
                "nodes" => {
                    terms.nodes = value(key, text)?;
                    ensure!(terms.nodes > 0, "nodes 0: nothing would be known of an opening");
                }
                "balance" => {
                    terms.balance = value(key, text)?;
                    ensure!(terms.balance >= 0, "balance {text}: no opening is so level");
                }
                "book" => ensure!(
                    text.eq_ignore_ascii_case("none"),
                    "book {text}: openings are drawn, not taken from a book; say None"
                ),
                _ => bail!("{key:?} is none of seed, book, rule, size, nodes, balance"),
            }
        }
        Ok(order)
    }
}

fn value<T: FromStr>(key: &str, text: &str) -> anyhow::Result<T> {
    text.parse().map_err(|_| anyhow!("{key} {text:?} is no such value"))
}

/// Prints level openings, a line each, the same for the same words.
///
/// # Errors
/// When the words are not understood, or `out` cannot be written.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let Order { count, terms } = Order::parse(&args.words)?;
    for number in 0..count {
        let Some(opening) = play::opening(&terms, number, &StopSwitch::new()) else { break };
        let moves: MoveList = opening.board().moves().collect();
        writeln!(out, "info string genfens {moves}")?;
        out.flush()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_record::{Reading, read};

    fn printed(words: &str) -> anyhow::Result<String> {
        let words = words.split_whitespace().map(str::to_string).collect();
        let mut out = Vec::new();
        run(&Args { words }, &mut out)?;
        Ok(String::from_utf8(out)?)
    }

    #[test]
    fn workers_get_openings_that_a_match_can_read() {
        let words = "3 seed 7 book None rule renju nodes 300 balance 5000";
        let text = printed(words).unwrap();
        assert_eq!(text, printed(words).unwrap());
        assert_ne!(text, printed(&words.replace("seed 7", "seed 8")).unwrap());
        assert_eq!(text.lines().count(), 3);
        for line in text.lines() {
            let position = line.strip_prefix("info string genfens ").unwrap();
            let games = read(position.as_bytes(), &Reading::default()).unwrap().list;
            assert!((2..=8).contains(&games[0].moves().unwrap().len()), "{line}");
        }
    }

    #[test]
    fn what_is_not_understood_is_named() {
        let fault = |words| printed(words).unwrap_err().to_string();
        assert_eq!(fault("x"), "N \"x\" is no such value");
        assert_eq!(fault("1 seed"), "seed lacks its value");
        assert_eq!(
            fault("1 moves 3"),
            "\"moves\" is none of seed, book, rule, size, nodes, balance"
        );
        assert!(fault("1 book UHO.epd").starts_with("book UHO.epd: openings are drawn"));
        assert!(fault("1 size 4").contains("4x4"));
        assert!(fault("1 nodes 0").contains("nodes 0"));
    }
}
