use std::path::Path;

use clap::Parser;

use super::*;

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    args: Args,
}

/// The output for a text with these options, and the notes.
fn converted(options: &str, text: &str) -> anyhow::Result<(String, String)> {
    let arguments = std::iter::once("convert").chain(options.split_whitespace());
    let args = Command::try_parse_from(arguments)?.args;
    let (mut out, mut notes) = (Vec::new(), Vec::new());
    let input = &args.input;
    let mut games = Vec::new();
    input.visit_bytes(text.as_bytes(), Path::new("-"), &mut notes, &mut |number, record| {
        games.push((record, number));
    })?;
    let mut conversion = Conversion::new(&args, MAX_LINE_MOVES)?;
    let game =
        |(record, number)| FileGame { record, path: PathBuf::from("-"), number, overall: number };
    games.into_iter().map(game).try_for_each(|it| conversion.add(it))?;
    conversion.finish(&mut out, &mut notes)?;
    Ok((String::from_utf8(out)?, String::from_utf8(notes)?))
}

fn out(options: &str, text: &str) -> String {
    converted(options, text).unwrap().0
}

#[test]
fn games_are_selected_by_result_and_length() {
    let text = "{\"rule\":\"freestyle\",\"moves\":\"7,7\",\"result\":\"draw\"}\n\
                {\"rule\":\"freestyle\",\"moves\":\"7,7 0,0 8,7 2,0 9,7 4,0 10,7 6,0 11,7\"}\n\
                {\"rule\":\"freestyle\",\"moves\":\"7,7 8,8\"}\n";
    assert_eq!(out("--result draw", text), "7,7\n");
    // The board says it.
    assert!(out("--result Black", text).ends_with(" 11,7\n"));
    assert_eq!(out("--result unknown", text), "7,7 8,8\n");
    assert_eq!(out("--min-moves 2 --max-moves 8", text), "7,7 8,8\n");
    assert_eq!(out("--max-moves 1 --result draw", text), "7,7\n");
    let error = converted("--result white", text).unwrap_err().to_string();
    assert_eq!(error, "no game has the requested result and number of moves");
}

#[test]
fn folders_stand_for_their_files() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("b.txt", "b2\n"), ("a.txt", "h8i9\n"), (".hidden", "?")] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let arguments = ["convert", folder.path().to_str().unwrap(), "--to", "notation"];
    let run_all = || {
        let (args, mut out) = (Command::try_parse_from(arguments).unwrap().args, Vec::new());
        run(&args, &mut out, &mut Vec::new()).map(|()| String::from_utf8(out).unwrap())
    };
    assert_eq!(run_all().unwrap(), "h8i9\nb2\n");
    for name in ["a.txt", "b.txt"] {
        std::fs::remove_file(folder.path().join(name)).unwrap();
    }
    assert!(run_all().unwrap_err().to_string().ends_with(": no files in the folder"));
}

#[test]
fn convert_selects_one_game_or_all() {
    let text = "h8i9 # one\nb2\n";
    assert_eq!(out("", text), "7,7 8,6\n1,13\n");
    assert_eq!(out("--game 2 --to notation", text), "b2\n");
    assert_eq!(out("--rows top --game 1", text), "7,7 8,8\n");
    assert_eq!(out("--game 2-9 --to notation", text), "b2\n");
    assert_eq!(out("--game 1- --to notation", text), "h8i9\nb2\n");
    let error = |options| converted(options, text).unwrap_err().to_string();
    assert_eq!(error("--game 3"), "no game 3: the input holds 2");
    assert_eq!(
        error("--to psq"),
        "psq holds one game, not 2: choose one with --game, or write to a folder: --out FOLDER/"
    );
    let tree = "(;SZ[15];B[hh](;W[ii])(;W[hi]))";
    let lines = converted("--to psq --game 1 --every-line", tree).unwrap_err().to_string();
    assert_eq!(lines, "psq holds one game, not 2: write to a folder: --out FOLDER/");
    assert!(error("--to pgn").contains("expected one of moves, notation, jsonl, psq"));
    assert!(!error("--to rif").contains("lib, rif"));
}

#[test]
fn extension_of_the_output_selects_the_format() {
    let format = |options: &str| {
        let arguments = std::iter::once("convert").chain(options.split_whitespace());
        Command::try_parse_from(arguments).unwrap().args.format()
    };
    for (name, expected) in [
        ("x.psq", Format::Psq),
        ("X.SGF", Format::Sgf),
        ("x.json", Format::JsonLines),
        ("x.txt", Format::Moves),
        ("x.rif", Format::Moves),
        ("x", Format::Moves),
    ] {
        assert_eq!(format(&format!("-o {name}")), expected, "{name}");
    }
    assert_eq!(format("-o x.psq --to sgf"), Format::Sgf);
    let folder = tempfile::tempdir().unwrap();
    let [games, out] = ["games.txt", "x.psq"].map(|name| folder.path().join(name));
    std::fs::write(&games, "h8 i9").unwrap();
    let paths = [&games, &out].map(|path| path.to_str().unwrap());
    let arguments = ["convert", paths[0], "--out", paths[1]];
    let args = Command::try_parse_from(arguments).unwrap().args;
    run(&args, &mut Vec::new(), &mut Vec::new()).unwrap();
    assert!(std::fs::read_to_string(&out).unwrap().starts_with("Piskvorky 15x15"));
}

#[test]
fn games_are_written_to_the_files_of_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let [games, out] = ["games.txt", "new/"].map(|name| folder.path().join(name));
    std::fs::write(&games, "h8 i9\na1\n").unwrap();
    let paths = [&games, &out].map(|path| path.to_str().unwrap());
    let convert = |options: &[&str]| {
        let fixed = ["convert", paths[0], "--to", "psq", "--out", paths[1]];
        let args = Command::try_parse_from([&fixed[..], options].concat()).unwrap().args;
        run(&args, &mut Vec::new(), &mut Vec::new()).map_err(|error| error.to_string())
    };
    convert(&[]).unwrap();
    let read = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    assert!(read("1.psq").contains("9,7,"), "{}", read("1.psq"));
    assert!(read("2.psq").contains("1,15,"), "{}", read("2.psq"));
    assert!(convert(&[]).unwrap_err().contains("1.psq: the file already exists"));
    convert(&["--force"]).unwrap();
}

#[test]
fn skip_bad_leaves_out_bad_games() {
    let text = "h8i9\nh8h8\nh8g7\n";
    let error = |options: &str| format!("{:#}", converted(options, text).unwrap_err());
    let refused = "game 2, line 2: h8 is played twice (--skip-bad takes the other games)";
    assert_eq!(error(""), refused);
    assert_eq!(out("--game 1", text), "7,7 8,6\n");
    assert_eq!(out("--game 3", text), "7,7 6,8\n");
    assert!(error("--game 2").starts_with("game 2, line 2: h8 is played twice"));
    let (moves, notes) = converted("--skip-bad", text).unwrap();
    assert_eq!(moves, "7,7 8,6\n7,7 6,8\n");
    let said = "-: skipped game 2: line 2: h8 is played twice\n-: skipped 1 of 3 games\n";
    assert_eq!(notes, said);
    assert!(tengen_cli::selection::has_skipped());
}

#[test]
fn skip_bad_leaves_out_games_that_the_format_cannot_hold() {
    let text = "(;GM[4]SZ[15];B[hh])(;GM[4]SZ[15];B[hh];W[];B[gg])(;GM[4]SZ[15];B[ii])";
    let error = converted("", text).unwrap_err().to_string();
    let reason = "game 2: the game passes after move 1, which a list of moves cannot hold";
    assert_eq!(error, format!("-: {reason} (--skip-bad takes the other games)"));
    let (moves, notes) = converted("--skip-bad", text).unwrap();
    assert_eq!(moves, "7,7\n\n8,8\n");
    assert!(notes.starts_with(&format!("-: skipped {reason}\n")), "{notes}");
    assert!(notes.contains("skipped 1 game that moves cannot hold"), "{notes}");
    let only = converted("--game 2 --skip-bad", text).unwrap_err().to_string();
    assert_eq!(only, "moves cannot hold any of the games");
}

#[test]
fn existing_files_are_replaced_with_force_only() {
    let folder = tempfile::tempdir().unwrap();
    let (game, out) = (folder.path().join("game.txt"), folder.path().join("out.sgf"));
    std::fs::write(&game, "h8 i9\n").unwrap();
    std::fs::write(&out, "kept").unwrap();
    let convert = |options: &[&str]| {
        let files = [game.to_str().unwrap(), "-o", out.to_str().unwrap(), "--to", "sgf"];
        let arguments = ["convert"].iter().chain(&files).chain(options);
        let args = Command::try_parse_from(arguments).unwrap().args;
        run(&args, &mut Vec::new(), &mut Vec::new()).map_err(|error| error.to_string())
    };
    assert!(
        convert(&[])
            .unwrap_err()
            .ends_with("out.sgf: the file already exists (--force replaces it)")
    );
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "kept");
    convert(&["--force"]).unwrap();
    assert!(std::fs::read_to_string(&out).unwrap().contains("B[hh]"));
}

#[test]
fn every_line_limits_the_number_of_moves() {
    let tree = "(;GM[4]SZ[15];B[hh](;W[hi];B[aa])(;W[ig]))";
    let games = tengen_record::read(tree.as_bytes(), &Default::default()).unwrap().list;
    let args = Command::try_parse_from(["convert", "--every-line"]).unwrap().args;
    let converted = |most_moves| {
        let mut conversion = Conversion::new(&args, most_moves).unwrap();
        games.iter().try_for_each(|game| conversion.add_record(game.clone()))?;
        anyhow::Ok(conversion.games)
    };
    assert_eq!(converted(5).unwrap(), 2);
    let error = converted(4).unwrap_err().to_string();
    assert_eq!(error, "--every-line: too many moves in all lines together (at most 4)");
}

#[test]
fn every_line_limits_the_length_of_the_text() {
    let tree = "(;GM[4]SZ[15]C[a comment that each line repeats];B[hh](;W[hi])(;W[ig]))";
    let game = tengen_record::read(tree.as_bytes(), &Default::default()).unwrap().list.remove(0);
    let arguments = ["convert", "--every-line", "--to", "jsonl"];
    let args = Command::try_parse_from(arguments).unwrap().args;
    let converted = |most_bytes| {
        let conversion = Conversion::new(&args, MAX_LINE_MOVES).unwrap();
        let mut conversion = Conversion { most_bytes, ..conversion };
        conversion.add_record(game.clone()).map(|()| conversion.text.len())
    };
    let length = converted(MAX_LINE_BYTES).unwrap();
    assert_eq!(converted(length).unwrap(), length);
    let error = converted(length - 1).unwrap_err().to_string();
    let most = format!("(at most {} bytes)", length - 1);
    assert_eq!(error, format!("--every-line: too much text in all lines together {most}"));
}

#[test]
fn every_line_is_selected_by_its_own_result_and_length() {
    let tree = "(;GM[4]SZ[15]RE[B+R];B[hh](;W[ii])(;W[jj];B[aa];W[bb]))";
    assert_eq!(out("--every-line --min-moves 3", tree), "7,7 9,9 0,0 1,1\n");
    assert_eq!(out("--every-line --max-moves 3", tree), "7,7 8,8\n");
    assert_eq!(out("--every-line --result black", tree), "7,7 8,8\n");
    assert_eq!(out("--every-line --result unknown", tree), "7,7 9,9 0,0 1,1\n");
}

#[test]
fn lost_features_are_noted_once() {
    let text = "(;GM[4]SZ[15]RU[renju]XY[1];B[hh]C[x])(;GM[4]SZ[15];B[hh]C[y])";
    let (moves, notes) = converted("", text).unwrap();
    assert_eq!(moves, "7,7\n\n7,7\n");
    assert_eq!(notes, "moves cannot hold the rule, comments, other properties\n");
    assert_eq!(converted("--to sgf", text).unwrap().1, "");
}

#[test]
fn symmetries_transform_and_dedup_merges() {
    let text = "0,0 1,0\n";
    let turned = |options| out(options, text);
    assert_eq!(turned("--rotate 90"), "14,0 14,1\n");
    assert_eq!(turned("--rotate 180"), "14,14 13,14\n");
    assert_eq!(turned("--rotate 270"), "0,14 0,13\n");
    assert_eq!(turned("--flip horizontal"), "14,0 13,0\n");
    assert_eq!(turned("--flip vertical"), "0,14 1,14\n");
    assert_eq!(turned("--flip diagonal"), "0,0 0,1\n");
    assert_eq!(turned("--rotate 90 --flip horizontal"), "0,0 0,1\n");
    let images = ["0,0 1,0", "14,0 14,1", "0,14 0,13", "7,7 8,8", "14,14 13,14"].join("\n");
    assert_eq!(out("--canonical --dedup", &images).lines().count(), 2);
    assert_eq!(out("--dedup", &images).lines().count(), 5);
    assert_eq!(out("--dedup", "7,7\n7,7 8,8\n7,7\n").lines().count(), 2);
    let mixed = "{\"moves\":\"7,7\",\"rule\":\"renju\"}\n{\"moves\":\"7,7\",\"rule\":\"caro\"}";
    assert_eq!(out("--dedup", mixed), "7,7\n\n7,7\n");
    let set_up = |black, white| format!("(;GM[4]SZ[15];AB[{black}]AW[{white}]PL[B];B[aa])");
    let collection = [set_up("hh", "ii"), set_up("cc", "dd"), set_up("hh", "ii")].concat();
    assert_eq!(out("--dedup --to sgf", &collection).matches("GM[4]").count(), 2);
}

#[test]
fn symmetries_transform_evaluations() {
    let note = "C[good\nTengen: score +5, win rate 51 % for black, line a2 c1]";
    let game = format!("(;GM[4]SZ[9:12]{note};B[ab]C[a2 is best])");
    let turned = out("--rotate 90 --to sgf", &game);
    assert!(
        turned.contains("C[good\nTengen: score +5, win rate 51 % for black, line b9 a7]"),
        "{turned}"
    );
    assert!(turned.contains("C[a2 is best]"), "{turned}");
    assert_eq!(out("--rotate 270 --to sgf", &turned), out("--to sgf", &game));
    let first = out("--canonical --to sgf", &out("--rotate 180 --to sgf", &game));
    assert_eq!(first, out("--canonical --to sgf", &game));
}

#[test]
fn every_line_writes_variations_as_games() {
    let tree = "(;GM[4]SZ[15]RU[caro];B[hh](;W[ii](;B[aa])(;B[bb]))(;W[jj]C[end]))";
    assert_eq!(out("", tree), "7,7 8,8 0,0\n");
    assert_eq!(out("--every-line", tree), "7,7 8,8 0,0\n7,7 8,8 1,1\n7,7 9,9\n");
    let third = out("--every-line --game 1 --to jsonl", tree);
    assert!(third.ends_with(
        "{\"size\":\"15x15\",\"rule\":\"caro\",\"moves\":\"7,7 9,9\",\"comments\":{\"2\":\"end\"}}\n"
    ), "{third}");
}

#[test]
fn rule_option_wins_over_the_file() {
    assert!(out("--rule renju --to sgf", "h8").contains("RU[renju]"));
    let with_rule = "{\"moves\":\"7,7\",\"rule\":\"caro\"}";
    let (text, notes) = converted("--rule renju --to sgf", with_rule).unwrap();
    assert!(text.contains("RU[renju]"), "{text}");
    assert_eq!(notes, "-: the rule is set to renju; the file states caro\n");
}
