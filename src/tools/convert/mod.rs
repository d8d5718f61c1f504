//! `tengen convert`: games from one text form to another.

mod read;
mod write;

use std::fs;
use std::io::{Read, Write};
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::ValueEnum;

use crate::tools::MoveList;
use crate::types::BoardSize;

/// A text form of games. Input is recognised by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// One game a line: x,y x,y ...
    Moves,
    /// One game a line: h8i9j8
    Notation,
    /// One JSON object a line, with "size" and "moves"
    Jsonl,
    /// A game file of Piskvork, one game
    Psq,
    /// The board after the last move of one game
    Diagram,
}

/// Arguments of `tengen convert`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// File with moves, notation, JSON lines (those of match too) or a Piskvork game; without
    /// it standard input
    file: Option<PathBuf>,
    /// Form to write
    #[arg(long, value_enum, default_value_t = Form::Moves)]
    to: Form,
    /// Board size where the input does not tell it: N or WxH
    #[arg(long, default_value_t = BoardSize::square(15).expect("15 is a size"))]
    size: BoardSize,
    /// Take only this game, counted from 1
    #[arg(long, value_name = "N")]
    game: Option<usize>,
}

/// A game as far as the text forms know it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct GameText {
    size: BoardSize,
    moves: MoveList,
    /// Names of the players, black first, where they are known.
    players: Option<[String; 2]>,
    /// Milliseconds of each move from the end backwards, where they are known: an opening has
    /// none.
    times: Vec<u64>,
}

/// Reads, picks and prints the games.
///
/// # Errors
/// When the input cannot be read, a game does not fit its board, a form for one game is asked
/// for several, or `out` cannot be written.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut text = String::new();
    match &args.file {
        Some(path) => {
            text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        }
        None => drop(std::io::stdin().read_to_string(&mut text)?),
    }
    convert(args, &text, out)
}

fn convert(args: &Args, text: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut games = read::games(text, args.size)?;
    if let Some(number) = args.game {
        ensure!(
            (1..=games.len()).contains(&number),
            "there is no game {number}: the input holds {}",
            games.len()
        );
        games = vec![games.swap_remove(number - 1)];
    }
    if matches!(args.to, Form::Psq | Form::Diagram) {
        ensure!(
            games.len() == 1,
            "this form holds one game and the input {}: choose one with --game",
            games.len()
        );
    }
    for game in &games {
        match args.to {
            Form::Moves => write::moves(game, out)?,
            Form::Notation => write::notation(game, out)?,
            Form::Jsonl => write::json(game, out)?,
            Form::Psq => write::piskvork(game, out)?,
            Form::Diagram => write::diagram(game, out)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converted(to: Form, game: Option<usize>, text: &str) -> anyhow::Result<String> {
        let args = Args { file: None, to, size: BoardSize::square(15).unwrap(), game };
        let mut out = Vec::new();
        convert(&args, text, &mut out)?;
        Ok(String::from_utf8(out).unwrap())
    }

    const PSQ: &str = "Piskvorky 20x20, 11:11, 0\n8,8,0\n9,10,120\n1,20,35\nme\nyou\n-1\n";

    #[test]
    fn every_form_keeps_the_moves() {
        let moves = "7,7 8,9 0,19\n";
        assert_eq!(converted(Form::Moves, None, PSQ).unwrap(), moves);
        assert_eq!(converted(Form::Notation, None, PSQ).unwrap(), "h13i11a1\n");
        let json = converted(Form::Jsonl, None, PSQ).unwrap();
        assert_eq!(
            json,
            "{\"size\":\"20x20\",\"moves\":\"7,7 8,9 0,19\",\"black\":\"me\",\"white\":\"you\",\
             \"times_ms\":[0,120,35]}\n"
        );
        assert_eq!(converted(Form::Psq, None, PSQ).unwrap(), PSQ);
        assert_eq!(converted(Form::Psq, None, &json).unwrap(), PSQ);
        let carriage_returns = PSQ.replace('\n', "\r\n");
        assert_eq!(converted(Form::Moves, None, &carriage_returns).unwrap(), moves);
    }

    #[test]
    fn several_games_and_comments() {
        let text = "# openings\n7,7 8,8 # eval\n\n1,1\n";
        assert_eq!(converted(Form::Notation, None, text).unwrap(), "h8i7\nb14\n");
        assert_eq!(converted(Form::Moves, Some(2), "h8i7\nb14\n").unwrap(), "1,1\n");
        assert!(converted(Form::Psq, None, text).is_err());
        assert!(converted(Form::Psq, Some(3), text).is_err());
        let diagram = converted(Form::Diagram, Some(1), text).unwrap();
        assert_eq!(diagram.lines().nth(8), Some(". . . . . . . . O . . . . . ."));
    }

    #[test]
    fn match_records_bring_their_board() {
        let text = "{\"match\":{\"engines\":[],\"terms\":{\"size\":\"20x20\"}}}\n\
                    {\"game\":0,\"black\":\"a\",\"white\":\"b\",\"moves\":\"19,19 3,3\",\
                    \"opening\":1,\"times_ms\":[7]}\n";
        assert_eq!(
            converted(Form::Psq, None, text).unwrap(),
            "Piskvorky 20x20, 11:11, 0\n20,20,0\n4,4,7\na\nb\n-1\n"
        );
        let list = "{\"size\":15,\"moves\":[\"7,7\",\"8,8\"]}";
        assert_eq!(converted(Form::Moves, None, list).unwrap(), "7,7 8,8\n");
    }

    #[test]
    fn faults_are_named() {
        let fault = |text| format!("{:#}", converted(Form::Moves, None, text).unwrap_err());
        assert_eq!(fault("7,7\n7,15"), "line 2: 7,15 lies outside the 15x15 board");
        assert_eq!(fault("7,7 7,7"), "line 1: 7,7 is played twice");
        assert!(fault("7,7\nhello").starts_with("line 2: "));
        assert!(fault("{\"size\":15}\n{}").starts_with("line 1: "), "{}", fault("{\"size\":15}"));
        assert_eq!(fault("  \n"), "there is no game in it");
    }
}
