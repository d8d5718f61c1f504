use std::path::Path;

use super::super::training_game::TrainingGame;
use super::super::training_game::tests::{game, write_shard};
use super::*;
use tengen_rules::types::BoardSize;

fn size() -> BoardSize {
    BoardSize::square(15).unwrap()
}

/// Games whose winner is the side with the straight three, and a score for each position.
fn games(winner: &str, shift: i32) -> Vec<TrainingGame> {
    let one = |number: i32| {
        let (x, y) = (3 + number % 7 + shift, 4 + number / 10);
        let at = |dx: i32, dy: i32| format!("{},{}", x + dx, y + dy);
        // Black gets a row of three, white three unconnected stones.
        let moves = [at(0, 0), at(0, 4), at(1, 0), at(3, 3), at(2, 0), at(-2, 2)];
        let more = [at(4, 4), at(-3, -3)];
        let (moves, more) = (moves.join(" "), more.join(" "));
        let text = format!("{winner} 2 {moves} {more} | 60 -80 150 -200 300 -400");
        game(Rule::Freestyle, size(), &text)
    };
    (0..60).map(one).collect()
}

fn write_games(path: &Path) {
    write_shard(path, Rule::Freestyle, size(), &games("black", 0));
}

fn args(folder: &Path, name: &str) -> Args {
    Args {
        files: vec![folder.join("games.tgs")],
        held_out: Vec::new(),
        out: folder.join(name),
        force: false,
        start: "random".to_string(),
        lambda: 0.97,
        game_share: 1.0,
        epochs: 30,
        patience: 99,
        last: false,
        rate: 0.01,
        damping: 1e-8,
        seed: 3,
        threads: Some(1),
    }
}

fn trained(args: &Args) -> (Vec<u8>, String) {
    let mut out = Vec::new();
    train(args, &StopSwitch::new(), &mut out).unwrap();
    (std::fs::read(&args.out).unwrap(), String::from_utf8(out).unwrap())
}

fn refused(args: &Args) -> String {
    format!("{:#}", train(args, &StopSwitch::new(), &mut Vec::new()).unwrap_err())
}

#[test]
fn training_is_deterministic_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    write_games(&folder.path().join("games.tgs"));
    let (first, output) = trained(&args(folder.path(), "a.net"));
    let two = Args { threads: Some(3), ..args(folder.path(), "b.net") };
    assert_eq!(trained(&two).0, first);
    let other = Args { seed: 4, ..args(folder.path(), "c.net") };
    assert_ne!(trained(&other).0, first);
    let losses: Vec<f64> = output
        .lines()
        .filter_map(|line| line.split("games: value ").nth(1))
        .map(|rest| rest.split(',').next().unwrap().parse().unwrap())
        .collect();
    assert_eq!(losses.len(), 31, "{output}");
    assert!(losses[30] < losses[0] - 0.02, "{output}");
    assert!(NetworkFile::read(&first).is_ok());
    assert!(!folder.path().join("a.net.state").exists());
}

#[test]
fn training_without_positions_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.tgs");
    write_games(&games);
    let whole = Args { held_out: vec![games.clone()], ..args(folder.path(), "a.net") };
    let left = Args { game_share: 0.0, ..args(folder.path(), "a.net") };
    for nothing in [whole, left] {
        let error = refused(&nothing);
        assert!(error.starts_with("no positions to train on"), "{error}");
    }
    let before = std::fs::read(&games).unwrap();
    let over = Args { force: true, ..args(folder.path(), "games.tgs") };
    assert!(refused(&over).contains("would overwrite the data in"));
    assert_eq!(std::fs::read(&games).unwrap(), before);
}

#[test]
fn state_overwrites_neither_data_nor_start() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.tgs");
    write_games(&games);
    let state = folder.path().join("a.net.state");
    std::fs::copy(&games, &state).unwrap();
    let args = || Args { force: true, ..args(folder.path(), "a.net") };
    let data = Args { files: vec![state.clone()], ..args() };
    assert!(refused(&data).contains("would overwrite the data in"));
    let start = Args { start: state.display().to_string(), ..args() };
    assert!(refused(&start).contains("would overwrite the network in"));
    assert_eq!(std::fs::read(&state).unwrap(), std::fs::read(&games).unwrap());
}

#[test]
fn stopped_training_continues() {
    let folder = tempfile::tempdir().unwrap();
    write_games(&folder.path().join("games.tgs"));
    let start_file = folder.path().join("start.net");
    let write_start = |seed| {
        let sides = export::sides(&Weights::random(1, seed).rows());
        let file = NetworkFile { rule: Rule::Freestyle, sides };
        std::fs::write(&start_file, file.write()).unwrap();
    };
    write_start(3);
    let begun_from = start_file.display().to_string();
    let args = |name| Args { start: begun_from.clone(), ..args(folder.path(), name) };
    let (whole, _) = trained(&args("a.net"));

    // The state that a stop after two passes leaves.
    let cut = args("b.net");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let (rule, samples) = load(&cut, &pool, &mut Vec::new()).unwrap();
    let held_out = HeldOutSamples::of(&samples);
    let run = TrainingRun { args: &cut, samples: &samples, held_out: &held_out, pool: &pool };
    let weights = start(&cut, rule).unwrap();
    let number = run.number(&weights);
    let mut progress = run.begin(weights);
    for _ in 0..2 {
        run.pass(&mut progress, &StopSwitch::new()).unwrap();
    }
    progress.save(&folder.path().join("b.net.state"), number).unwrap();
    let other = Args { rate: 0.02, ..cut.clone() };
    assert!(refused(&other).contains("state of another run: different data, options or start"));
    write_start(4);
    assert!(refused(&cut).contains("state of another run: different data, options or start"));
    write_start(3);
    let (bytes, output) = trained(&cut);
    assert!(output.contains("continuing after pass 2"), "{output}");
    assert_eq!(bytes, whole);
}

#[test]
fn last_option_writes_the_last_network() {
    let folder = tempfile::tempdir().unwrap();
    write_games(&folder.path().join("games.tgs"));
    let (good, _) = trained(&args(folder.path(), "a.net"));
    // Training on opposite results increases the loss on the original games.
    let start = folder.path().join("a.net").display().to_string();
    let (turned, held_out) =
        (folder.path().join("turned.tgs"), vec![folder.path().join("games.tgs")]);
    write_shard(&turned, Rule::Freestyle, size(), &games("white", 1));
    let args = Args { files: vec![turned], held_out, start, ..args(folder.path(), "b.net") };
    let (best, _) = trained(&args);
    let (last, _) = trained(&Args { last: true, force: true, ..args });
    assert_eq!(best, good);
    assert_ne!(last, good);
}

#[test]
fn held_out_files_are_not_trained_on() {
    let folder = tempfile::tempdir().unwrap();
    write_games(&folder.path().join("games.tgs"));
    let other = folder.path().join("other.tgs");
    let text = "white 2 7,7 8,8 6,8 8,6 8,7 6,7 9,7 10,7 | 1 2 3 4 5 6";
    write_shard(&other, Rule::Freestyle, size(), &[game(Rule::Freestyle, size(), text)]);
    let args = Args { held_out: vec![other.clone()], ..args(folder.path(), "a.net") };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let (_, samples) = load(&args, &pool, &mut Vec::new()).unwrap();
    let held_out = samples.select(|sample| sample.held_out).len();
    assert!((1..=6).contains(&held_out), "{held_out}");
    // A position in both files is held out, with the target from the held-out file.
    let both = Args { held_out: vec![args.files[0].clone()], files: vec![other], ..args };
    let (_, samples) = load(&both, &pool, &mut Vec::new()).unwrap();
    assert!(samples.select(|sample| sample.held_out).len() > held_out);
    let twice = Args { files: both.held_out.clone(), ..both };
    let (_, samples) = load(&twice, &pool, &mut Vec::new()).unwrap();
    assert_eq!(samples.select(|sample| !sample.held_out), Vec::<u32>::new());
}

#[test]
fn invalid_arguments_are_rejected_before_work_starts() {
    let folder = tempfile::tempdir().unwrap();
    write_games(&folder.path().join("games.tgs"));
    let good = args(folder.path(), "a.net");
    std::fs::write(&good.out, "precious").unwrap();
    assert!(refused(&good).ends_with("a.net: the file already exists (--force replaces it)"));
    assert_eq!(std::fs::read(&good.out).unwrap(), b"precious");
    let nowhere = Args { out: folder.path().join("none/a.net"), ..good.clone() };
    assert!(refused(&nowhere).contains("cannot write"));
    let good = args(folder.path(), "b.net");
    let foreign = Args { start: good.files[0].display().to_string(), ..good.clone() };
    assert!(refused(&foreign).contains("not a network file"));
    let renju = folder.path().join("renju.tgs");
    write_shard(&renju, Rule::Renju, size(), &[]);
    let mixed = Args { files: vec![good.files[0].clone(), renju], ..good.clone() };
    assert!(refused(&mixed).contains("renju games, expected freestyle"));
    for bad in ["nan", "2", "-0.1", "x"] {
        assert!(share()(bad).is_err(), "{bad}");
    }
    for bad in ["nan", "inf", "0", "1", "-0.1"] {
        assert!(rate()(bad).is_err(), "{bad}");
    }
    for bad in ["nan", "inf", "0", "-1e-4", "2"] {
        assert!(damping()(bad).is_err(), "{bad}");
    }
}

#[test]
fn rate_rises_and_falls() {
    assert_eq!(rate_at(0.0), 0.0);
    assert!((rate_at(WARM_UP) - 1.0).abs() < 0.01);
    assert!(rate_at(0.5) < rate_at(0.4) && rate_at(1.0) < 0.006);
}
