//! `tengen levels`: the players of this program, from first steps to full strength.

use std::io::Write;

use tengen_cli::printable::wrapped;
use tengen_study::levels::{Overlooks, players};

/// The width of the output.
const COLUMNS: usize = 80;

/// Arguments of `tengen levels`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Print one JSON line
    #[arg(long)]
    json: bool,
}

/// Prints the levels with Elo and parameters, and the textbook players.
///
/// # Errors
/// If `out` cannot be written.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let list = players();
    if args.json {
        serde_json::to_writer(&mut *out, &list)?;
        writeln!(out)?;
        return Ok(());
    }
    writeln!(out, "                   Elo               overlooks, percent          reads ahead")?;
    writeln!(out, "level        freestyle renju   five  straight  four  three       nodes  plies")?;
    for level in &list.levels {
        let elo = |elo: Option<i32>| elo.map_or("-".to_string(), |elo| elo.to_string());
        write!(out, "{:<12} {:>9} {:>5}", level.name, elo(level.freestyle), elo(level.renju))?;
        match &level.overlooks {
            Some(Overlooks { five, straight_four, four, three }) => {
                write!(out, " {five:>6} {straight_four:>9} {four:>5} {three:>6}")?;
                let (nodes, depth) = (level.nodes.unwrap_or(0), level.depth.unwrap_or(0));
                writeln!(out, " {nodes:>11} {depth:>6}")?;
            }
            None => writeln!(out, "  the full search, limited by time and nodes")?,
        }
    }
    writeln!(
        out,
        "\nfive, straight, four, three: lines where one more stone makes a five, a straight\n\
         four, a four, an open three\n"
    )?;
    for bot in &list.bots {
        let text = format!("{:<14} {}", bot.name, bot.about);
        writeln!(out, "{}", wrapped(&text, COLUMNS))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen::players::LEVELS;

    #[test]
    fn run_lists_all_levels() {
        let mut out = Vec::new();
        run(&Args { json: false }, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        for level in &LEVELS {
            assert!(text.lines().any(|line| line.starts_with(level.name)), "{}", level.name);
        }
        assert!(text.lines().all(|line| line.chars().count() <= COLUMNS), "{text}");
        let mut out = Vec::new();
        run(&Args { json: true }, &mut out).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(json["levels"].as_array().unwrap().len(), LEVELS.len());
        assert_eq!(json["levels"][0]["freestyle"], 0);
        assert!(json["levels"][LEVELS.len() - 1]["freestyle"].is_null());
        assert_eq!(json["bots"][1]["name"], "bot:one-ply");
    }
}
