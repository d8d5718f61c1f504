//! Matches between shell scripts that play legal moves, play illegal moves, hang or crash.

use std::time::Duration;

use super::engine_spec::{EngineSettings, EngineSpec};
use super::fixtures::game_settings;
use super::game::GameSettings;
use super::match_file::MatchGame;
use super::opening_book::OpeningBook;
use super::pairing::Pairings;
use super::schedule::MatchPlan;
use tengen::engine::StopSwitch;
use tengen_rules::types::BoardSize;

/// An engine that runs the command `$1` for every move.
const SCRIPT: &str = r#"
n=0
while read -r word rest; do
  case $word in
    START) n=0; echo MESSAGE hello; echo OK ;;
    INFO) [ "$rest" != "time_left 0" ] || exit ;;
    BEGIN|TURN|DONE) eval "$1"; n=$((n+1)) ;;
    END) exit ;;
  esac
done"#;

/// Plays a row of stones, and so wins against `LOSER`.
const WINNER: &str = "echo $n,0";
/// Never plays two adjacent stones.
const LOSER: &str = "echo $((2 * n)),9";

fn spec(name: &str, on_move: &str) -> EngineSpec {
    let command = ["sh", "-c", SCRIPT, "engine", on_move].map(str::to_string);
    EngineSpec { name: name.to_string(), command: command.to_vec(), built_in: None }
}

fn plan(first: &str, second: &str, games: usize) -> MatchPlan {
    let size = BoardSize::square(20).unwrap();
    MatchPlan {
        engines: vec![spec("first", first), spec("second", second)],
        settings: vec![EngineSettings::default(); 2],
        pairings: Pairings::round_robin(2),
        seed: 0,
        game_settings: game_settings(size),
        openings: OpeningBook::empty_board(size),
        games: (0..games).collect(),
        concurrency: 1,
        fresh: false,
    }
}

fn play(plan: &MatchPlan) -> Vec<MatchGame> {
    let mut records = Vec::new();
    let stop = StopSwitch::new();
    plan.play(&stop, |record| {
        records.push(record);
        Ok(())
    })
    .unwrap();
    records.sort_by_key(|record| record.game);
    records
}

#[test]
fn colours_alternate_and_processes_are_reused() {
    for fresh in [false, true] {
        let records = play(&MatchPlan { fresh, ..plan(WINNER, LOSER, 4) });
        let results: Vec<_> =
            records.iter().map(|it| (it.black.as_str(), it.result.as_str())).collect();
        let pair = [("first", "black"), ("second", "white")];
        assert_eq!(results, [pair, pair].concat());
        assert!(records.iter().all(|it| it.reason == "five" && it.offender.is_none()));
        assert_eq!(records[0].moves, "0,0 0,9 1,0 2,9 2,0 4,9 3,0 6,9 4,0");
        assert_eq!(records[0].times_ms.len(), 9);
    }
}

#[test]
fn round_robin_of_three_engines_plays_all_pairings() {
    let mut plan = plan(WINNER, LOSER, 12);
    plan.engines.push(spec("third", LOSER));
    plan.settings.push(EngineSettings::default());
    plan.pairings = Pairings::round_robin(3);
    plan.game_settings.max_moves = 12;
    let records = play(&plan);
    let met = |game: usize| (records[game].black.as_str(), records[game].white.as_str());
    assert_eq!(
        (0..6).map(met).collect::<Vec<_>>(),
        [
            ("first", "second"),
            ("second", "first"),
            ("first", "third"),
            ("third", "first"),
            ("second", "third"),
            ("third", "second"),
        ]
    );
    assert_eq!(met(6), ("first", "second"));
    assert!(records.iter().filter(|it| it.reason == "five").count() >= 6);
}

#[test]
fn parallel_games_are_played_exactly_once() {
    let records = play(&MatchPlan { concurrency: 3, ..plan(WINNER, LOSER, 7) });
    let numbers: Vec<usize> = records.iter().map(|record| record.game).collect();
    assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6]);
}

#[test]
fn failures_and_illegal_moves_lose_with_the_reason() {
    let cases = [
        ("echo 5,5", "occupied"),
        ("echo 20,0", "off-board"),
        ("echo going; exit 3", "crash"),
        ("kill -9 $$", "crash"),
    ];
    for (on_move, reason) in cases {
        let records = play(&plan(on_move, LOSER, 2));
        for record in &records {
            assert_eq!(record.reason, reason, "{on_move}");
            assert_eq!(record.offender.as_deref(), Some("first"), "{on_move}");
            let second = if record.black == "second" { "black" } else { "white" };
            assert_eq!(record.result, second, "{on_move}");
        }
        // After a crash the next game has a new process.
        assert_eq!(records.len(), 2);
    }
}

#[test]
fn silent_engines_lose_on_time() {
    let mut plan = plan("sleep 1000", LOSER, 2);
    plan.game_settings.turn = 30;
    plan.game_settings.tolerance = 20;
    // Play only one game, in which the opponent never has to move: on a busy machine it might exceed
    // the same limit.
    plan.games = vec![0];
    let records = play(&plan);
    assert_eq!(records[0].reason, "timeout");
    assert_eq!(records[0].result, "white");
    assert_eq!(records[0].last_lines.last().map(String::as_str), Some("OK"));
}

#[test]
fn first_move_gets_its_extra_time() {
    let slow_start = "[ -n \"$warm\" ] || sleep 0.8; warm=1; echo $n,0";
    let mut plan = plan(slow_start, LOSER, 1);
    plan.game_settings.turn = 100;
    plan.game_settings.max_moves = 1;
    let strict = play(&plan);
    assert_eq!((strict[0].reason.as_str(), strict[0].result.as_str()), ("timeout", "white"));
    plan.settings[0].first_move = Duration::from_secs(20);
    let forgiving = play(&plan);
    assert_eq!(forgiving[0].reason, "max-moves");
    assert!(forgiving[0].times_ms[0] >= 800, "the record keeps the time that was used");
    // With a game clock shorter than the first move, the script exits when the clock is empty.
    plan.game_settings = GameSettings {
        turn: 20_000,
        game: 700,
        tolerance: 20_000,
        max_moves: 0,
        ..plan.game_settings
    };
    assert_eq!(play(&plan)[0].reason, "five");
    plan.settings[0].first_move = Duration::ZERO;
    assert_eq!(play(&plan)[0].reason, "crash");
}

#[test]
fn pauses_are_not_charged_to_a_clock() {
    let mut plan = plan(WINNER, LOSER, 1);
    plan.settings[1].pause = Duration::from_millis(60);
    let began = std::time::Instant::now();
    let records = play(&plan);
    // START, the INFO lines, and four moves of the loser.
    assert!(began.elapsed() >= 6 * plan.settings[1].pause);
    let times: Vec<u64> = records[0].times_ms.iter().copied().skip(1).step_by(2).collect();
    assert_eq!(times.len(), 4);
    assert!(times.iter().min() < Some(&60), "{times:?}");
}

#[test]
fn refused_start_loses_and_missing_program_ends_the_match() {
    let mut refused = plan(WINNER, LOSER, 1);
    refused.engines[0].command[2] = "while read -r l; do echo ERROR size; done".to_string();
    let records = play(&refused);
    assert_eq!((records[0].reason.as_str(), records[0].result.as_str()), ("start", "white"));
    let mut missing = plan(WINNER, LOSER, 1);
    missing.engines[1].command[0] = "no-such-engine-anywhere".to_string();
    let stop = StopSwitch::new();
    let error = missing.play(&stop, |_| Ok(())).unwrap_err();
    assert!(format!("{error:#}").contains("no-such-engine-anywhere"));
}

#[test]
fn openings_and_move_limits_are_respected() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openings.txt");
    std::fs::write(&file, "7,7 8,8 6,6\n").unwrap();
    let mut plan = plan(LOSER, "echo $((2 * n)),14", 2);
    plan.openings =
        OpeningBook::read(&file, plan.game_settings.size, plan.game_settings.rule, None).unwrap();
    plan.game_settings.max_moves = 6;
    let records = play(&plan);
    assert!(records.iter().all(|it| it.reason == "max-moves" && it.result == "draw"));
    // White has the fourth move, and colours change.
    let [one, other] = &records[..] else { panic!("{records:?}") };
    assert_eq!((one.moves.as_str(), one.white.as_str()), ("7,7 8,8 6,6 0,14 0,9 2,14", "second"));
    assert_eq!((other.moves.as_str(), other.white.as_str()), ("7,7 8,8 6,6 0,9 0,14 2,9", "first"));
}

#[test]
fn stopped_matches_abandon_games() {
    let stop = StopSwitch::new();
    stop.press();
    plan(WINNER, LOSER, 4).play(&stop, |_| panic!("no game is to be played")).unwrap();
    let stop = StopSwitch::new();
    let mut played = 0;
    let plan = plan(WINNER, LOSER, 1000);
    plan.play(&stop, |_| {
        played += 1;
        anyhow::bail!("disk full")
    })
    .unwrap_err();
    assert_eq!(played, 1);
}

/// A wrapper script may end or crash before its engine, which would then use the CPU during later
/// games.
#[test]
fn child_processes_end_with_their_engine() {
    let folder = tempfile::tempdir().unwrap();
    for (name, on_move) in [("leaves", WINNER), ("crashes", "exit 1")] {
        let file = folder.path().join(name);
        let helper = format!("sleep 300 > /dev/null 2>&1 & echo $! > '{}'; ", file.display());
        let first = spec(name, &format!("[ $n != 0 ] || {{ {helper} }}; {on_move}"));
        let plan = MatchPlan { engines: vec![first, spec("second", LOSER)], ..plan("", "", 1) };
        play(&plan);
        let process = std::fs::read_to_string(&file).unwrap();
        let is_there = || {
            let process = process.trim();
            let signalled = std::process::Command::new("kill").args(["-0", process]).output();
            // On Linux an ended process stays a zombie until its parent waits for it.
            let state = std::fs::read_to_string(format!("/proc/{process}/stat"));
            let has_ended = state.is_ok_and(|state| state.contains(") Z "));
            signalled.unwrap().status.success() && !has_ended
        };
        // A killed process may take a moment to end.
        let timeout = (0..500).take_while(|_| is_there());
        timeout.for_each(|_| std::thread::sleep(Duration::from_millis(10)));
        assert!(!is_there(), "{name}: process {process} is still running");
    }
}

#[test]
fn built_in_players_repeat_their_games() {
    let named = |text: &str| text.parse::<EngineSpec>().unwrap();
    let plan = MatchPlan {
        engines: vec![named("level:novice"), named("bot:random")],
        concurrency: 2,
        ..plan(WINNER, LOSER, 4)
    };
    let records = play(&plan);
    let won = |it: &&MatchGame| (it.black == "level:novice") == (it.result == "black");
    assert_eq!(records.iter().filter(won).count(), 4);
    // The moves depend only on the seed and the number of the game.
    let moves =
        |records: &[MatchGame]| records.iter().map(|it| it.moves.clone()).collect::<Vec<_>>();
    assert_eq!(moves(&play(&plan)), moves(&records));
    assert_eq!(moves(&play(&MatchPlan { games: vec![2], ..plan })), moves(&records[2..3]));
    let other = play(&MatchPlan {
        engines: vec![named("level:novice"), named("bot:random")],
        seed: 8,
        ..self::plan(WINNER, LOSER, 1)
    });
    assert_ne!(moves(&other), moves(&records[..1]));
}

#[test]
fn engines_play_against_built_in_players() {
    let records = play(&MatchPlan {
        engines: vec![spec("row", WINNER), "bot:one-ply".parse().unwrap()],
        ..plan(WINNER, LOSER, 2)
    });
    // The built-in player stops the row and wins.
    assert!(records.iter().all(|it| it.offender.is_some() || it.result != "draw"), "{records:?}");
    assert!(records.iter().all(|it| (it.black == "row") != (it.result == "black")), "{records:?}");
}
