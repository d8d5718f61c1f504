//! Tests of the output files, with independent readers.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;

use clap::Parser;
use serde_json::Value;

use super::*;
use tengen_study::features::planes;

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    args: Args,
}

/// The arguments for a file with this text.
fn called(
    folder: &tempfile::TempDir,
    text: &str,
    out: &str,
    options: &str,
) -> anyhow::Result<Args> {
    let input = folder.path().join("games.txt");
    fs::write(&input, text)?;
    let out = folder.path().join(out);
    let fixed = ["features", input.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let arguments = fixed.into_iter().chain(options.split_whitespace());
    Ok(Command::try_parse_from(arguments)?.args)
}

/// Runs the tool on a text and returns its output.
fn written(
    folder: &tempfile::TempDir,
    text: &str,
    out: &str,
    options: &str,
) -> anyhow::Result<Vec<u8>> {
    let args = called(folder, text, out, options)?;
    let games = games(&args, &mut Vec::new())?;
    write_features(&args, &games, &StopSwitch::new(), &mut Vec::new())?;
    Ok(fs::read(folder.path().join(out))?)
}

#[test]
fn interrupted_run_keeps_its_labels_and_is_continued() {
    let folder = tempfile::tempdir().unwrap();
    let stop = StopSwitch::new();
    stop.press();
    let text = "h8 i9 j8\n";
    let args = called(&folder, text, "f.json", "--labels 300").unwrap();
    let games = games(&args, &mut Vec::new()).unwrap();
    let run = |stop: &StopSwitch| {
        let mut notes = Vec::new();
        write_features(&args, &games, stop, &mut notes).unwrap();
        String::from_utf8(notes).unwrap()
    };
    assert_eq!(run(&stop), "labelled 0 of 4 positions; the same command continues\n");
    assert!(!args.out.exists());
    // A label that the engine would not give shows that the journal is used.
    let mut labels = Labels::open(&args, &games, 300).unwrap();
    labels.journal.append::<KnownLabel>(&(0.25, Some("3,4".to_string()))).unwrap();
    drop(labels);
    assert_eq!(run(&StopSwitch::new()), "");
    assert!(!args.out.with_added_extension("part").exists());
    let values = |bytes: &[u8]| {
        let found: Value = serde_json::from_slice(bytes).unwrap();
        let list = found["positions"].as_array().unwrap().clone();
        list.iter().map(|it| (it["value"].clone(), it["best"].clone())).collect::<Vec<_>>()
    };
    let continued = values(&fs::read(&args.out).unwrap());
    let whole = values(&written(&folder, text, "g.json", "--labels 300").unwrap());
    assert_eq!(continued[0], (0.25.into(), (4 * 15 + 3).into()));
    assert_eq!(continued[1..], whole[1..]);
    // Other options need --force.
    Labels::open(&args, &games, 300).unwrap();
    let error = Labels::open(&args, &games, 301).map(drop).unwrap_err().to_string();
    assert!(error.contains("f.json.part: the saved progress belongs to other games"), "{error}");
}

#[test]
fn variations_are_written_once_on_request() {
    let folder = tempfile::tempdir().unwrap();
    // A transposition and a mirrored reply: eight nodes on six positions.
    let tree = "(;GM[4]SZ[15]RE[B+R];B[hh](;W[ii];B[jj];W[kk])(;W[kk];B[jj];W[ii])(;W[gi]))";
    let stones = |options: &str| {
        let bytes = written(&folder, tree, "f.json", options).unwrap();
        let found: Value = serde_json::from_slice(&bytes).unwrap();
        let list = found["positions"].as_array().unwrap().clone();
        let of = |it: &Value| (it["stones"].as_u64().unwrap(), it["result"].as_f64());
        list.iter().map(of).collect::<Vec<_>>()
    };
    let main = [(0, Some(1.0)), (1, Some(-1.0)), (2, Some(1.0)), (3, Some(-1.0)), (4, Some(1.0))];
    assert_eq!(stones(""), main);
    // A variation has no result.
    let all = [&main[..], &[(2, None), (3, None)]].concat();
    assert_eq!(stones("--variations"), all);
    let args = called(&folder, tree, "g.json", "").unwrap();
    let mut notes = Vec::new();
    run(&args, &mut notes).unwrap();
    let notes = String::from_utf8(notes).unwrap();
    assert!(notes.contains("--variations adds 4 moves of variations"), "{notes}");
}

/// Description and content of an array in NumPy's format.
fn array(bytes: &[u8]) -> (String, &[u8]) {
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!((10 + length) % 64, 0);
    let (text, content) = bytes[10..].split_at(length);
    let text = std::str::from_utf8(text).unwrap();
    assert!(text.ends_with('\n'));
    (text.trim_end().to_string(), content)
}

fn described(kind: &str, shape: &str) -> String {
    format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}")
}

#[test]
fn npy_holds_all_positions_of_all_games() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = written(&folder, "h8 i9 j8\na1\n", "f.npy", "--rule renju").unwrap();
    let (text, content) = array(&bytes);
    assert_eq!(text, described("|u1", "6, 7, 15, 15,"));
    let mut expected = Vec::new();
    let size = BoardSize::square(15).unwrap();
    for moves in ["", "h8", "h8 i9", "h8 i9 j8", "", "a1"] {
        let mut game = Game::new(size, Rule::Renju);
        for at in game.notation().parse_all(moves).unwrap() {
            game.play(at);
        }
        expected.extend(planes(&game, &Plane::DEFAULT, Symmetry::IDENTITY));
    }
    assert_eq!(content, expected);
}

#[test]
fn symmetries_apply_to_all_board_sizes() {
    let folder = tempfile::tempdir().unwrap();
    for (size, turns, shape) in [
        ("1", "all", "8, 2, 1, 1,"),
        ("36", "all", "16, 2, 36, 36,"),
        ("9x2", "all", "8, 2, 2, 9,"),
        ("9x2", "6", "2, 2, 9, 2,"),
    ] {
        let options = format!("--size {size} --symmetry {turns} --planes own,last1");
        let bytes = written(&folder, "a1", "f.npy", &options).unwrap();
        assert_eq!(array(&bytes).0, described("|u1", shape), "{size}");
    }
    // The clockwise rotation takes a1 from the lower left to the upper left.
    let options = "--size 9x2 --symmetry 6 --planes opponent";
    let bytes = written(&folder, "a1", "f.npy", options).unwrap();
    assert_eq!(array(&bytes).1.iter().position(|&value| value == 1), Some(18));
}

/// The arrays of an archive by name.
fn archive(bytes: Vec<u8>) -> BTreeMap<String, Vec<u8>> {
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let mut arrays = BTreeMap::new();
    for index in 0..zip.len() {
        let mut entry = zip.by_index(index).unwrap();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).unwrap();
        arrays.insert(entry.name().unwrap().trim_end_matches(".npy").to_string(), content);
    }
    arrays
}

const GAME: &str = "{\"size\":\"9x9\",\"rule\":\"renju\",\"moves\":\"4,4 0,0 4,5 8,0 4,3 8,8\",\"result\":\"black\"}";

#[test]
fn npz_holds_labels_of_games_and_engine() {
    let folder = tempfile::tempdir().unwrap();
    let arrays = archive(written(&folder, GAME, "f.npz", "--labels 500").unwrap());
    let names = "best black_to_move game planes played result stones symmetry value";
    assert_eq!(arrays.keys().cloned().collect::<Vec<_>>().join(" "), names);
    let integers = |name: &str| -> Vec<i64> {
        let (text, content) = array(&arrays[name]);
        assert_eq!(text, described("<i8", "7,"));
        content.chunks_exact(8).map(|part| i64::from_le_bytes(part.try_into().unwrap())).collect()
    };
    let floats = |name: &str| -> Vec<f32> {
        let (text, content) = array(&arrays[name]);
        assert_eq!(text, described("<f4", "7,"));
        content.chunks_exact(4).map(|part| f32::from_le_bytes(part.try_into().unwrap())).collect()
    };
    assert_eq!(integers("played"), [40, 0, 49, 8, 31, 80, -1]);
    assert_eq!(integers("stones"), [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(integers("black_to_move"), [1, 0, 1, 0, 1, 0, 1]);
    assert_eq!(floats("result"), [1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0]);
    assert_eq!(integers("game"), [1; 7]);
    assert_eq!(integers("symmetry"), [0; 7]);
    // Black has an open three in the end and wins.
    assert_eq!(floats("value")[6], 1.0);
    assert!([22, 58].contains(&integers("best")[6]), "{:?}", integers("best"));
}

#[test]
fn losing_foul_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let moves = "9,7 0,14 9,8 2,14 7,6 4,14 8,6 6,14 9,6";
    let game = format!("{{\"rule\":\"renju\",\"moves\":\"{moves}\"}}");
    let json = written(&folder, &game, "f.json", "--planes own").unwrap();
    let json: Value = serde_json::from_slice(&json).unwrap();
    let positions = json["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 9);
    assert_eq!((&positions[8]["played"], &positions[7]["played"]), (&Value::Null, &216.into()));
    // White won, by the moves only.
    assert_eq!((&positions[8]["result"], &positions[7]["result"]), (&(-1.0).into(), &1.0.into()));
}

#[test]
fn result_on_the_board_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let results = |moves: &str| -> Vec<Value> {
        let json = written(&folder, moves, "f.json", "--planes own").unwrap();
        let json: Value = serde_json::from_slice(&json).unwrap();
        json["positions"].as_array().unwrap().iter().map(|it| it["result"].clone()).collect()
    };
    assert_eq!(results("a1 a2 b1 b2 c1 c2 d1 d2 e1")[7..], [Value::from(-1.0), 1.0.into()]);
    assert_eq!(results("a1 a2 b1")[2..], [Value::Null, Value::Null]);
}

#[test]
fn pass_at_the_end_changes_the_side_to_move() {
    let folder = tempfile::tempdir().unwrap();
    let game = "(;GM[4]SZ[15]RE[B+R];B[hh];W[ii];B[hi];W[])";
    for options in ["", "--variations"] {
        let bytes = written(&folder, game, "f.json", options).unwrap();
        let found: Value = serde_json::from_slice(&bytes).unwrap();
        let last = found["positions"].as_array().unwrap().last().unwrap();
        assert_eq!((&last["to_move"], &last["result"]), (&"black".into(), &1.0.into()), "{last}");
    }
}

#[test]
fn unknown_results_are_noted() {
    let folder = tempfile::tempdir().unwrap();
    let notes = |text: &str, out: &str| {
        let mut notes = Vec::new();
        run(&called(&folder, text, out, "").unwrap(), &mut notes).unwrap();
        String::from_utf8(notes).unwrap()
    };
    let text = "(;GM[4]SZ[15];B[hh];W[ii])(;GM[4]SZ[15]RE[0];B[hh])(;GM[4]SZ[15]RE[Void];B[hh])";
    let said = "no result is known for 5 of 7 positions: null in .json, NaN in .npz\n";
    assert_eq!(notes(text, "f.json"), said);
    assert_eq!(notes(text, "f.npy"), "");
    assert_eq!(notes("(;GM[4]SZ[15]RE[B+];B[hh])", "g.json"), "");
}

#[test]
fn json_equals_the_arrays() {
    let folder = tempfile::tempdir().unwrap();
    let options = "--labels 200 --symmetry all --planes own,opponent,foul,own-makes-open-three";
    let json = written(&folder, GAME, "f.json", options).unwrap();
    let json: Value = serde_json::from_slice(&json).unwrap();
    let arrays = archive(written(&folder, GAME, "f.npz", options).unwrap());
    assert_eq!(json["planes"][3], "own-makes-open-three");
    let positions = json["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 7 * 8);
    let flat: Vec<u8> = positions
        .iter()
        .flat_map(|position| position["planes"].as_array().unwrap())
        .flat_map(|plane| plane.as_array().unwrap())
        .flat_map(|row| row.as_array().unwrap())
        .map(|value| value.as_u64().unwrap() as u8)
        .collect();
    assert_eq!(flat, array(&arrays["planes"]).1);
    let best = array(&arrays["best"]).1.chunks_exact(8);
    for (position, best) in positions.iter().zip(best) {
        assert_eq!(
            position["best"].as_i64().unwrap(),
            i64::from_le_bytes(best.try_into().unwrap())
        );
        // The best move is a legal cell.
        let at = position["best"].as_u64().unwrap() as usize;
        assert_eq!(position["planes"][0][at / 9][at % 9], 0);
    }
    let set_up = "(;GM[4]SZ[5]AB[aa]AW[bb][cc]PL[W])";
    let json = written(&folder, set_up, "f.json", "--planes own").unwrap();
    let json: Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["positions"][0]["to_move"], "white");
    assert_eq!(json["positions"][0]["planes"][0][1][1], 1);
    assert_eq!(json["positions"][0]["played"], Value::Null);
}

#[test]
fn unsuitable_games_leave_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |text, out, options| {
        let error = written(&folder, text, out, options).unwrap_err();
        // Only the input file.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        format!("{error:#}")
    };
    let sizes = "{\"size\":\"9x9\",\"moves\":\"\"}\n{\"size\":\"8x9\",\"moves\":\"1,1\"}";
    assert_eq!(
        refused(sizes, "f.npy", ""),
        "game 2 is on 8x9, game 1 on 9x9: an array needs boards of one size"
    );
    assert!(refused("a1", "f.txt", "").ends_with("a name with extension .npy, .npz or .json"));
    assert!(refused("a1", "f.npy", "--labels 9").contains("cannot hold labels"));
    assert!(refused("a1", "f.npz", "--labels 9 --size 4").contains("needs 5x5 or larger"));
    assert!(refused("a1", "f.npy", "--planes own,red").contains("unknown plane \"red\""));
    assert!(refused("a1", "f.npy", "--symmetry 8").contains("expected 0 to 7, or all"));
    let twice = "(;GM[4]SZ[15];B[aa];B[bb])";
    let error = refused(twice, "f.npy", "");
    assert!(error.ends_with("game 1 (see --skip-bad): move 2 is by black out of turn"), "{error}");
}

#[test]
fn passes_and_moves_after_the_end_are_accepted() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["a1 a2 b1 b2 c1 c2 d1 d2 e1 e2", "(;GM[4]SZ[15];B[aa];W[])"] {
        assert!(written(&folder, game, "f.npy", "").is_ok(), "{game}");
    }
}

#[test]
fn existing_files_are_replaced_with_force_only() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("f.json"), "kept").unwrap();
    let args = |options| called(&folder, "h8\n", "f.json", options).unwrap();
    let error = run(&args(""), &mut Vec::new()).unwrap_err().to_string();
    assert!(error.ends_with("f.json: the file already exists (--force replaces it)"), "{error}");
    assert_eq!(fs::read_to_string(folder.path().join("f.json")).unwrap(), "kept");
    run(&args("--force"), &mut Vec::new()).unwrap();
    assert!(fs::read_to_string(folder.path().join("f.json")).unwrap().starts_with("{\"planes\""));
}

#[test]
fn game_numbers_count_bad_games_and_continue_in_the_next_file() {
    let folder = tempfile::tempdir().unwrap();
    let second = folder.path().join("more.txt");
    fs::write(&second, "a1\n").unwrap();
    for (options, expected) in
        [("", [1, 1, 3, 3, 4, 4].as_slice()), (" --variations", &[1, 1, 3, 4])]
    {
        let options = format!("--skip-bad --force{options}");
        let mut args = called(&folder, "h8\ni9 i9\nj9\n", "f.json", &options).unwrap();
        args.input = args.input.with_files(&[folder.path().join("games.txt"), second.clone()]);
        let games = games(&args, &mut Vec::new()).unwrap();
        let numbers: Vec<usize> = games.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [1, 3, 4]);
        write_features(&args, &games, &StopSwitch::new(), &mut Vec::new()).unwrap();
        let text = fs::read(folder.path().join("f.json")).unwrap();
        let written: Value = serde_json::from_slice(&text).unwrap();
        let rows = written["positions"].as_array().unwrap();
        let numbers: Vec<u64> = rows.iter().map(|row| row["game"].as_u64().unwrap()).collect();
        assert_eq!(numbers, expected);
    }
}
