//! `tengen judge`: the winner of a move sequence, or why it is illegal.

use std::io::Write;

use anyhow::{Context, ensure};

use crate::sources::SourceArgs;
use tengen_record::replay::IllegalMove;
use tengen_record::{GameRecord, SetUp};
use tengen_rules::game::Game;
use tengen_rules::types::{Coordinates, Rule};
use tengen_study::judge::{Outcome, Verdict, judge, judge_from};
use tengen_study::positions::variations_note;

/// Arguments of `tengen judge`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    source: SourceArgs,
}

/// Prints a verdict as one JSON line for each game of the files, or for `--moves` or `--diagram`.
///
/// # Errors
/// If a file is invalid, or `out` cannot be written.
pub fn run(args: &Args, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    for verdict in verdicts(&args.source, notes)? {
        writeln!(out, "{}", serde_json::to_string(&verdict)?)?;
    }
    Ok(())
}

fn verdicts(source: &SourceArgs, notes: &mut dyn Write) -> anyhow::Result<Vec<Verdict>> {
    let position = &source.position;
    let rule = position.board.rule();
    let is_drawn = position.diagram.is_some();
    ensure!(
        position.side.is_none() || is_drawn,
        "--side needs --diagram (with moves, the sides alternate)"
    );
    if !source.files.is_empty() {
        let mut verdicts = Vec::new();
        for game in source.game_files().each(notes)? {
            let name = || game.path.display().to_string();
            let verdict = of_record(&game.record, rule);
            let verdict = position.selection.sound(game.number, verdict, &game.path, notes);
            let Some(verdict) = verdict.with_context(name)? else { continue };
            if let Some(note) = variations_note(&game.record) {
                writeln!(notes, "{}, game {}: {note}; the main line is used", name(), game.number)?;
            }
            verdicts.push(Verdict { origin: game.origin(), ..verdict });
        }
        return Ok(verdicts);
    }
    if is_drawn {
        let game = position.drawn(&mut std::io::stdin().lock(), notes)?;
        return Ok(vec![judge_from(position.with_side(game), [])]);
    }
    let size = position.board.size();
    let moves: Vec<Coordinates> = position.moves.on(size).map(|(_, at)| at).collect();
    Ok(vec![judge(rule, size, &moves)])
}

/// The verdict on the main line, under `rule` if the record has none.
fn of_record(record: &GameRecord, rule: Rule) -> anyhow::Result<Verdict> {
    let start = Game::from_board(&record.start(rule));
    let mut turn = start.side_to_move();
    let mut moves = Vec::new();
    let mut is_changed = false;
    for node in record.main_line() {
        is_changed |= record.note(node).is_some_and(|note| {
            let only_side = SetUp { side: note.set_up.side, ..SetUp::default() };
            note.set_up != only_side
        });
        let Some(play) = record.play_of(node) else { continue };
        if is_changed {
            // Stones after the end cannot change the verdict.
            let verdict = judge_from(start.clone(), moves.iter().copied());
            ensure!(
                verdict.result.0 != Outcome::None,
                "stones are set up after move {}",
                moves.len()
            );
            return Ok(verdict);
        }
        let (number, color) = (moves.len() + 1, play.color.name());
        ensure!(play.color == turn, "move {number} is {color}'s, out of turn");
        moves.push(play.at.map(Coordinates::from));
        turn = turn.opponent();
    }
    let verdict = judge_from(start.clone(), moves.iter().copied());
    // A record cannot hold an illegal last move as a move; it states it.
    let illegal = IllegalMove::stated(record, turn).filter(|_| verdict.result.0 == Outcome::None);
    let Some(illegal) = illegal else { return Ok(verdict) };
    moves.push(Some(illegal.at));
    Ok(judge_from(start, moves))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_cli::args::PositionArgs;
    use tengen_cli::selection::GameNumbers;

    fn judged(position: PositionArgs, files: &[&std::path::Path]) -> anyhow::Result<String> {
        let files = files.iter().map(|path| path.to_path_buf()).collect();
        let args = Args { source: SourceArgs { files, position } };
        let mut out = Vec::new();
        run(&args, &mut out, &mut Vec::new())?;
        Ok(String::from_utf8(out)?)
    }

    fn moves(moves: &str) -> PositionArgs {
        let mut position = PositionArgs::from_moves(Rule::Freestyle, "15", moves);
        (position.board.rule, position.board.size) = (None, None);
        position
    }

    #[test]
    fn run_prints_json_in_the_documented_order() {
        let text = judged(moves("0,0 0,1 1,0 1,1 2,0 2,1 3,0 3,1 4,0"), &[]).unwrap();
        assert_eq!(
            text,
            "{\"ply\":9,\"result\":\"black\",\"reason\":\"five\",\"winner\":\"black\"}\n"
        );
    }

    #[test]
    fn side_needs_a_diagram() {
        let side = PositionArgs { side: Some(tengen_rules::types::Color::Black), ..moves("h8 i9") };
        let error = judged(side, &[]).unwrap_err().to_string();
        assert!(error.starts_with("--side needs --diagram"), "{error}");
    }

    #[test]
    fn games_of_files_and_diagrams_are_judged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.sgf");
        // An unclaimed double-three, a game in progress, and a game with a pass.
        let foul = "B[jh];W[ao];B[ji];W[co];B[hg];W[eo];B[ig];W[go];B[jg];W[aa]";
        let games = format!("(;SZ[15]RU[renju];{foul})(;SZ[15];B[hh])(;SZ[15];B[hh];W[];B[ii])");
        std::fs::write(&path, games).unwrap();
        let text = judged(moves(""), &[&path]).unwrap();
        let lines: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 3);
        assert_eq!((&lines[0]["ply"], &lines[0]["reason"]), (&9.into(), &"double-three".into()));
        assert_eq!(
            (&lines[0]["result"], &lines[0]["winner"]),
            (&"illegal".into(), &"white".into())
        );
        assert_eq!((&lines[1]["result"], &lines[1]["game"]), (&"none".into(), &2.into()));
        assert_eq!(lines[2]["ply"], 3);
        let mut third = moves("");
        third.selection.game = Some(GameNumbers::one(3));
        assert_eq!(
            judged(third, &[&path]).unwrap(),
            text.lines().last().unwrap().to_owned() + "\n"
        );
        let drawing = folder.path().join("board.txt");
        std::fs::write(&drawing, "  a b c d e\n2 X X X X(X)\n1 O O O O .\n").unwrap();
        let drawn = PositionArgs { diagram: Some(drawing), ..moves("") };
        let expected =
            "{\"ply\":0,\"result\":\"black\",\"reason\":\"five\",\"winner\":\"black\"}\n";
        assert_eq!(judged(drawn, &[]).unwrap(), expected);
    }

    #[test]
    fn late_stones_are_refused_and_stated_illegal_moves_are_judged() {
        let folder = tempfile::tempdir().unwrap();
        let judged = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            judged(moves(""), &[&path])
        };
        let late = judged("late.sgf", "(;GM[4]SZ[15];B[aa];AB[hh][ih][jh][kh][lh];W[bb])");
        let error = format!("{:#}", late.unwrap_err());
        assert!(error.contains("stones are set up after move 1"), "{error}");
        let five = "B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea]";
        let over = format!("(;GM[4]SZ[15];{five};AB[hh];W[oo])");
        assert!(judged("over.sgf", &over).unwrap().contains(r#""ply":9,"result":"black""#));
        let side = judged("side.sgf", "(;GM[4]SZ[15];B[hh];PL[B])").unwrap();
        assert!(side.contains(r#""ply":1,"result":"none""#), "{side}");
        let turn = judged("turn.sgf", "(;GM[4]SZ[15];B[hh];PL[B];B[jj])").unwrap_err();
        assert!(format!("{turn:#}").contains("move 2 is black's, out of turn"), "{turn:#}");
        for (name, text, ply, reason) in [
            (
                "a.jsonl",
                r#"{"moves":"7,7 7,7","reason":"occupied","result":"black"}"#,
                2,
                "occupied",
            ),
            ("b.jsonl", r#"{"moves":"7,7 8,8 15,0","reason":"off-board"}"#, 3, "off-board"),
        ] {
            let line = judged(name, text).unwrap();
            let verdict: serde_json::Value = serde_json::from_str(&line).unwrap();
            assert_eq!((&verdict["ply"], &verdict["reason"]), (&ply.into(), &reason.into()));
            assert_eq!(verdict["result"], "illegal");
        }
        // The board decides where the game is over before.
        let five = "0,0 0,1 1,0 1,1 2,0 2,1 3,0 3,1 4,0";
        let over = format!(r#"{{"moves":"{five} 0,0","reason":"occupied"}}"#);
        assert!(judged("c.jsonl", &over).unwrap().contains(r#""reason":"five""#));
    }
}
