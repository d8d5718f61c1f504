//! Whole runs in a folder: repeated, continued, interrupted, refused.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::shards::{begin, check_shards};
use super::*;
use crate::data_file::DataFile;
use crate::manifest::ManifestEntry;
use crate::training_game::tests::example;
use tengen_cli::append_file::open_alone;
use tengen_cli::network::NetworkArgs;
use tengen_cli::progress::progress_bar;
use tengen_rules::types::{BoardSize, Rule};

pub(super) fn args(out: Option<&Path>) -> Args {
    Args {
        rule: Rule::Freestyle,
        size: BoardSize::square(15).unwrap(),
        first: 3,
        games: 5,
        nodes: 200,
        seed: 1,
        balance: 500,
        tree_starts: 50,
        labels: 2,
        label_nodes: 200,
        cutoffs: 2,
        out: out.map(Path::to_path_buf),
        shard_games: 3,
        threads: Some(2),
        time: None,
        openings_only: out.is_none(),
        network: NetworkArgs::default(),
    }
}

pub(super) const BUILD: ProgramVersion<'_> = ProgramVersion { signature: 42, commit: "aaaa" };

fn play(args: &Args) -> String {
    let mut out = Vec::new();
    play_all(args, BUILD, &Interrupts::default(), &mut out, &mut Vec::new()).unwrap();
    String::from_utf8(out).unwrap()
}

fn refused(args: &Args, version: ProgramVersion<'_>) -> String {
    let (mut out, mut notes) = (Vec::new(), Vec::new());
    let result = play_all(args, version, &Interrupts::default(), &mut out, &mut notes);
    format!("{:#}", result.unwrap_err())
}

const NAMES: [&str; 2] = ["freestyle-15x15-seed1-0000003.tgs", "freestyle-15x15-seed1-0000006.tgs"];

#[test]
fn games_depend_only_on_their_number() {
    let folder = tempfile::tempdir().unwrap();
    let (all, part) = (folder.path().join("all"), folder.path().join("part"));
    play(&args(Some(&all)));
    play(&Args { first: 6, games: 2, threads: Some(1), ..args(Some(&part)) });
    let bytes = |folder: &Path, name: &str| std::fs::read(folder.join(name)).unwrap();
    assert_eq!(bytes(&all, NAMES[1]), bytes(&part, NAMES[1]));
    let lines = std::fs::read_to_string(all.join("manifest.jsonl")).unwrap();
    let files: Vec<String> = lines
        .lines()
        .map(|line| serde_json::from_str::<ManifestEntry>(line).unwrap().file)
        .collect();
    // Each shard is listed before its first block and after its last.
    assert_eq!(files, [NAMES[0], NAMES[0], NAMES[1], NAMES[1]]);
    let games = DataFile::read(&all.join(NAMES[0])).unwrap().games;
    assert_eq!(games.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [3, 4, 5]);

    // The shards are complete; only the entry that a full disk truncated is added again.
    let torn = lines.trim_end().len() - 9;
    std::fs::write(all.join("manifest.jsonl"), &lines[..torn]).unwrap();
    assert!(play(&args(Some(&all))).starts_with("played 0 games"));
    let games = |name| ManifestEntry::find(&all.join(name)).unwrap().unwrap().counts.games;
    assert_eq!(NAMES.map(games), [3, 2]);

    // The missing games are played again.
    let whole = bytes(&all, NAMES[0]);
    std::fs::write(all.join(NAMES[0]), &whole[..whole.len() - 1]).unwrap();
    assert!(play(&args(Some(&all))).starts_with("played 3 games"));
    assert_eq!(bytes(&all, NAMES[0]), whole);
}

#[test]
fn invalid_arguments_are_rejected_before_work_starts() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |args: &Args| refused(args, BUILD);
    let late = Args { first: u64::MAX, ..args(Some(folder.path())) };
    assert!(refused(&late).contains("18446744073709551615"));
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    assert!(refused(&args(Some(&file))).contains("cannot create"));
    play(&Args { games: 1, ..args(Some(folder.path())) });
    let other = Args { games: 1, nodes: 300, ..args(Some(folder.path())) };
    assert!(refused(&other).contains("different header: nodes is 200, expected 300"));
    // Before the signature is known.
    let error = check_shards(&other, folder.path(), 4, None).unwrap_err().to_string();
    assert!(error.ends_with("different header: nodes is 200, expected 300"), "{error}");
    let same = Args { nodes: 200, ..other };
    assert!(check_shards(&same, folder.path(), 4, None).is_ok());
    assert!(check_shards(&same, folder.path(), 4, Some(BUILD.signature)).is_ok());
    let error = check_shards(&same, folder.path(), 4, Some(43)).unwrap_err().to_string();
    assert!(error.ends_with("signature is 42, expected 43"), "{error}");
}

#[test]
fn more_games_continue_a_shorter_run() {
    let folder = tempfile::tempdir().unwrap();
    let (at_once, in_parts) = (folder.path().join("once"), folder.path().join("parts"));
    play(&args(Some(&at_once)));
    // Blocks are filled up, so that the shards are equal byte for byte.
    for games in [1, 2, 5] {
        play(&Args { games, ..args(Some(&in_parts)) });
    }
    for name in NAMES {
        let bytes = |folder: &Path| std::fs::read(folder.join(name)).unwrap();
        assert_eq!(bytes(&at_once), bytes(&in_parts), "{name}");
        assert!(ManifestEntry::find(&in_parts.join(name)).unwrap().is_some());
    }
    // Fewer games are there already.
    let fewer = play(&Args { games: 2, ..args(Some(&in_parts)) });
    assert!(fewer.ends_with("; nothing was left to do\n"), "{fewer}");
}

#[test]
fn refused_runs_do_not_change_the_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let list = || std::fs::read_to_string(folder.path().join("manifest.jsonl")).unwrap();
    play(&Args { games: 2, ..args(Some(folder.path())) });
    let (before, path) = (list(), folder.path().join(NAMES[0]));
    let writer = open_alone(&path).unwrap();
    let error = refused(&args(Some(folder.path())), BUILD);
    assert!(error.contains(NAMES[0]), "{error}");
    assert_eq!(list(), before, "{error}");
    drop(writer);
    play(&args(Some(folder.path())));
    assert_eq!(ManifestEntry::find(&path).unwrap().unwrap().counts.games, 3);
}

#[test]
fn finished_games_are_kept_without_gaps() {
    let folder = tempfile::tempdir().unwrap();
    let args = args(Some(folder.path()));
    let interrupts = Interrupts::default();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).stack_size(STACK_BYTES).build();
    let run = SelfplayRun {
        args: &args,
        version: BUILD,
        interrupts: &interrupts,
        pool: pool.unwrap(),
        settings: args.settings(),
        started: Instant::now(),
    };
    let bar = progress_bar(4, "games");
    let all = run.play_games(0..4, &bar).unwrap();
    assert_eq!(all.len(), 4);
    // Stopped as soon as a game is finished: the games before it are finished as well.
    bar.reset();
    let some = thread::scope(|scope| {
        scope.spawn(|| {
            while bar.position() == 0 {
                thread::yield_now();
            }
            interrupts.press();
        });
        run.play_games(0..4, &bar).unwrap()
    });
    assert!(!some.is_empty());
    assert_eq!(some[..], all[..some.len()]);
    interrupts.press();
    assert!(interrupts.hurry.is_pressed());
    assert!(run.play_games(0..4, &bar).unwrap().is_empty());
}

#[test]
fn shards_of_another_build_are_not_continued() {
    let folder = tempfile::tempdir().unwrap();
    let args = args(Some(folder.path()));
    let path = folder.path().join(NAMES[0]);
    let header = args.header(3, 3, BUILD.signature);
    // The first run, then a run that continued it, each leave a block that is not listed.
    for listed in 0..2 {
        let mut writer = begin(&path, &header, BUILD.commit, &Networks::embedded()).unwrap();
        writer.write(&[example()]).unwrap();
        let error = refused(&args, ProgramVersion { commit: "bbbb", ..BUILD });
        assert!(
            error.ends_with("started by commit aaaa, but this program is commit bbbb"),
            "{error}"
        );
        let entry = ManifestEntry::find(&path).unwrap().unwrap();
        assert_eq!((entry.counts.games, entry.commit.as_str()), (listed, BUILD.commit));
    }
    assert!(play(&args).starts_with("played 3 games"));
    assert_eq!(ManifestEntry::find(&path).unwrap().unwrap().counts.games, 3);
    // For a complete shard the build does not matter.
    play_all(
        &args,
        ProgramVersion { commit: "bbbb", ..BUILD },
        &Interrupts::default(),
        &mut Vec::new(),
        &mut Vec::new(),
    )
    .unwrap();
    assert_eq!(ManifestEntry::last(&path).unwrap().unwrap().commit, BUILD.commit);
}

#[test]
fn stop_keeps_finished_games() {
    let folder = tempfile::tempdir().unwrap();
    let args = args(Some(folder.path()));
    let interrupts = Interrupts::default();
    let second = folder.path().join(NAMES[1]);
    thread::scope(|scope| {
        scope.spawn(|| {
            let deadline = Instant::now() + Duration::from_secs(60);
            while !second.exists() && Instant::now() < deadline {
                thread::sleep(Duration::from_millis(1));
            }
            interrupts.press();
        });
        play_all(&args, BUILD, &interrupts, &mut Vec::new(), &mut Vec::new()).unwrap();
    });
    let games =
        |name| ManifestEntry::find(&folder.path().join(name)).unwrap().unwrap().counts.games;
    let [first, begun] = NAMES.map(games);
    assert!(first == 3 && begun <= 2, "{first} {begun}");
    assert!(play(&args).starts_with(&format!("played {} games", 2 - begun)));

    // After a stop before the start, no shard is created.
    let folder = tempfile::tempdir().unwrap();
    let mut out = Vec::new();
    play_all(
        &Args { out: Some(folder.path().into()), ..args },
        BUILD,
        &interrupts,
        &mut out,
        &mut Vec::new(),
    )
    .unwrap();
    assert!(out.starts_with(b"played 0 games"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn openings_are_printed_one_per_line() {
    let text = play(&Args { games: 2, ..args(None) });
    assert_eq!(text.lines().count(), 2);
    let stones = text.lines().map(|line| line.split(' ').count());
    assert!(stones.into_iter().all(|stones| (1..=8).contains(&stones)), "{text}");
}
