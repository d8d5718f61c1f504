//! Matches between shell scripts that play legal moves, play illegal moves, hang or crash.

use std::time::Duration;

use super::engine_spec::{EngineSettings, EngineSpec};
use super::fixtures::game_settings;
use super::game::GameSettings;
use super::match_file::MatchGame;
use super::opening_book::OpeningBook;
use super::pairing::Pairings;
use super::schedule::MatchPlan;
use super::score::PairingScore;
use tengen::engine::StopSwitch;
use tengen_rules::types::{BoardSize, Rule};

/// An engine that runs the command `$1` for every move.
const SCRIPT: &str = r#"
n=0
while read -r word rest; do
  case $word in
    START) n=0; echo MESSAGE hello; echo OK ;;
    INFO) case $rest in "time_left "[-0]*) exit ;; esac ;;
    BEGIN|TURN|DONE) eval "$1"; n=$((n+1)) ;;
    END) exit ;;
  esac
done"#;

/// Plays a row of stones, and so wins against `LOSER`.
const WINNER: &str = "echo $n,0";
/// Never plays two adjacent stones.
const LOSER: &str = "echo $((2 * n)),9";

/// An engine that runs this script.
fn script(name: &str, text: &str) -> EngineSpec {
    let command = ["sh", "-c", text].map(str::to_string);
    EngineSpec { name: name.to_string(), command: command.to_vec(), built_in: None }
}

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
        openings: OpeningBook::empty_board(size, Rule::Freestyle),
        swap2: false,
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

/// The explanation must be complete however the end of the process, the end of its output and that of
/// its standard error follow each other, and although a child keeps the output open.
#[test]
fn crashes_are_recorded_with_status_signal_and_output() {
    let folder = tempfile::tempdir().unwrap();
    let flood = "i=0; while [ $i -lt 300 ]; do echo MESSAGE $i; i=$((i+1)); done";
    let trace = "i=0; while [ $i -lt 20 ]; do echo frame $i; i=$((i+1)); done >&2; echo why >&2";
    let child = format!("sleep 300 & echo $! > '{}'", folder.path().join("pid").display());
    let cases = [
        (format!("{trace}; exit 3"), Some(3), None),
        (format!("{trace}; exec >&-; exit 4"), Some(4), None),
        (format!("{trace}; {flood}; kill -9 $$"), None, Some(9)),
        (format!("{child}; {trace}; kill -11 $$"), None, Some(11)),
        (format!("exec <&-; {trace}; exit 5"), Some(5), None),
    ];
    for (on_move, status, signal) in &cases {
        let records = play(&plan(on_move, LOSER, 8));
        assert_eq!(records.len(), 8);
        for record in &records {
            assert_eq!(
                (record.reason.as_str(), record.offender.as_deref()),
                ("crash", Some("first"))
            );
            assert_eq!((record.exit_status, record.signal), (*status, *signal), "{on_move}");
            let lines = &record.last_lines;
            assert_eq!(lines.last().map(String::as_str), Some("why"), "{on_move}");
            assert!(lines.len() <= 36 && lines.contains(&"frame 0".to_string()), "{lines:?}");
        }
    }
}

/// The pipe of such an engine fills up; a blocking write to it would never return.
#[test]
fn engines_that_do_not_read_fail() {
    let deaf = "while echo OK && echo 99,99; do :; done";
    let mut plan = MatchPlan {
        engines: vec![script("deaf", deaf), spec("second", LOSER)],
        ..plan("", "", 150)
    };
    // Fills a pipe of 64 KiB in a few games.
    plan.settings[0].info = vec![format!("x {}", "y".repeat(40_000))];
    let records = play(&plan);
    assert_eq!(records.len(), 150);
    let count = |reason: &str| records.iter().filter(|it| it.reason == reason).count();
    assert!(count("unread") > 0, "{} off the board", count("off-board"));
    assert_eq!(count("unread") + count("off-board"), 150);
    assert!(records.iter().all(|it| it.offender.as_deref() == Some("deaf")));
}

#[test]
fn engines_that_close_their_input_fail() {
    // Closed before the answer: requests sent earlier would only be lost in the pipe.
    let closed = "read -r l; exec <&-; echo OK; sleep 300";
    let plan = MatchPlan {
        engines: vec![script("closed", closed), spec("second", LOSER)],
        ..plan("", "", 1)
    };
    // The failure is noticed before the 20 seconds of the move.
    let began = std::time::Instant::now();
    assert_eq!(play(&plan)[0].reason, "crash");
    assert!(began.elapsed() < Duration::from_secs(15));
}

#[test]
fn text_after_a_move_is_ignored() {
    let records = play(&plan("echo \"$n, 0 my best, depth 3\"", LOSER, 2));
    assert!(records.iter().all(|it| it.reason == "five"), "{records:?}");
    assert_eq!(records[0].moves, "0,0 0,9 1,0 2,9 2,0 4,9 3,0 6,9 4,0");
}

#[test]
fn carriage_return_ends_a_line() {
    let text = SCRIPT.replace("echo OK", r"printf 'OK\r'");
    let mut plan = plan(WINNER, LOSER, 2);
    plan.engines[0].command[2] = text;
    plan.engines[0].command[4] = r"printf '%s\r' $n,0".to_string();
    let records = play(&plan);
    assert!(records.iter().all(|it| it.reason == "five"), "{records:?}");
}

/// Plays rows like [`SCRIPT`]; `$1`, `$2` and `$3` answer `SWAP2BOARD` with 0, 3 and 5 stones.
const SWAP2_SCRIPT: &str = r#"
n=0
while read -r word rest; do
  case $word in
    START) n=0; echo OK ;;
    SWAP2BOARD)
      count=0
      while read -r line && [ "$line" != DONE ]; do count=$((count+1)); done
      case $count in 0) echo "$1" ;; 3) echo "$2" ;; 5) echo "$3" ;; esac ;;
    TURN|DONE) echo "$n,$4"; n=$((n+1)) ;;
    END) exit ;;
  esac
done"#;

fn swap2_plan(first: [&str; 4], second: [&str; 4], games: usize) -> MatchPlan {
    let engine = |name: &str, answers: [&str; 4]| {
        let command = ["sh", "-c", SWAP2_SCRIPT, "engine"].into_iter().chain(answers);
        let command = command.map(str::to_string).collect();
        EngineSpec { name: name.to_string(), command, built_in: None }
    };
    let engines = vec![engine("first", first), engine("second", second)];
    MatchPlan { engines, swap2: true, ..plan("", "", games) }
}

#[test]
fn swap2_settles_the_colours() {
    let stones = "10,10 12,10 14,10";
    let opener = |last: &'static str| [stones, "", last, "0"];
    let game = |plan: &MatchPlan| play(plan).remove(0);
    let colors = |game: &MatchGame| (game.black.clone(), game.white.clone(), game.opening);
    let named = |black: &str, white: &str, opening| (black.to_string(), white.to_string(), opening);

    let swapped = game(&swap2_plan(opener(""), ["", "SWAP", "", "5"], 1));
    assert_eq!(colors(&swapped), named("second", "first", 3));
    assert!(swapped.moves.starts_with("10,10 12,10 14,10 0,0 0,5 1,0"), "{}", swapped.moves);
    assert_eq!((swapped.result.as_str(), swapped.reason.as_str()), ("white", "five"));
    assert_eq!((swapped.opener.as_deref(), swapped.opening_times_ms.len()), (Some("first"), 2));

    let stayed = game(&swap2_plan(opener(""), ["", "7,7", "", "5"], 1));
    assert_eq!(colors(&stayed), named("first", "second", 3));
    assert!(stayed.moves.starts_with("10,10 12,10 14,10 7,7 0,0 0,5"), "{}", stayed.moves);
    assert_eq!((stayed.opening_times_ms.len(), stayed.times_ms.len() + 3), (1, 13));

    let extended = ["", "7,7 3,12", "", "5"];
    let took_black = game(&swap2_plan(opener("SWAP"), extended, 1));
    assert_eq!(colors(&took_black), named("first", "second", 5));
    assert!(took_black.moves.starts_with("10,10 12,10 14,10 7,7 3,12 0,5 0,0"));
    let took_white = game(&swap2_plan(opener("9,3"), extended, 1));
    assert_eq!(colors(&took_white), named("second", "first", 5));
    assert!(took_white.moves.starts_with("10,10 12,10 14,10 7,7 3,12 9,3 0,5 0,0"));

    let both = |row| [stones, "SWAP", "", row];
    let pair = play(&swap2_plan(both("0"), both("5"), 2));
    let openers: Vec<_> = pair.iter().map(|it| it.opener.as_deref()).collect();
    assert_eq!(openers, [Some("first"), Some("second")]);
}

#[test]
fn swap2_faults_lose_with_the_reason() {
    let good = ["10,10 12,10 14,10", "SWAP", "SWAP", "0"];
    let lost = |first, second| {
        let game = play(&swap2_plan(first, second, 1)).remove(0);
        let mut score = PairingScore::new("first", "second");
        score.add(&game);
        let offender = game.offender.unwrap();
        let other = usize::from(offender == "first");
        assert_eq!(score.stats(other).moves(), 0, "moves of the other engine");
        (game.reason, offender, game.opening)
    };
    let by = |reason: &str, name: &str, opening| (reason.to_string(), name.to_string(), opening);
    assert_eq!(lost(["UNKNOWN command", "", "", ""], good), by("no-swap2", "first", 0));
    assert_eq!(lost(["SWAP", "", "", ""], good), by("no-swap2", "first", 0));
    assert_eq!(lost(["7,7", "", "", ""], good), by("no-swap2", "first", 0));
    assert_eq!(lost(["7,7 7,7 8,8", "", "", ""], good), by("occupied", "first", 1));
    assert_eq!(lost(good, ["", "10,10", "", ""]), by("occupied", "second", 3));
    assert_eq!(lost(good, ["", "1,1 2,20", "", ""]), by("off-board", "second", 4));
    let sixth = ["10,10 12,10 14,10", "", "1,1", "0"];
    assert_eq!(lost(sixth, ["", "1,1 2,2", "", ""]), by("occupied", "first", 5));
    assert_eq!(lost(good, ["", "1,1 2,2 3,3", "", ""]), by("no-swap2", "second", 3));
}

#[test]
fn players_of_this_program_play_swap2() {
    let mut plan = MatchPlan {
        engines: vec!["level:novice".parse().unwrap(), "bot:one-ply".parse().unwrap()],
        swap2: true,
        ..plan("", "", 2)
    };
    plan.game_settings.turn = 200;
    plan.game_settings.tolerance = 60_000;
    let records = play(&plan);
    assert_eq!(records.len(), 2);
    assert!(records.iter().all(|it| it.offender.is_none() && it.opening >= 3), "{records:?}");
}

#[test]
fn scores_decide_games_early() {
    let mut plan = plan(
        "echo MESSAGE depth 3 ev -900 n 5; echo $n,0",
        "echo MESSAGE Eval 3; echo $((2 * n)),9",
        1,
    );
    assert_eq!(play(&plan)[0].reason, "five", "never by default");
    plan.game_settings.adjudication.resign = "2,900".parse().ok();
    let resigned = &play(&plan)[0];
    assert_eq!((resigned.reason.as_str(), resigned.result.as_str()), ("adjudicated", "white"));
    assert_eq!((resigned.times_ms.len(), &resigned.offender), (3, &None));
    plan.game_settings.adjudication.resign = None;
    plan.game_settings.adjudication.draw = "2,900,5".parse().ok();
    let drawn = &play(&plan)[0];
    assert_eq!((drawn.reason.as_str(), drawn.result.as_str()), ("adjudicated", "draw"));
    assert_eq!(drawn.times_ms.len(), 5);
}

#[test]
fn limits_of_one_engine_are_sent_to_it_only() {
    // Plays off the board unless it received this number of nodes.
    let checks = |nodes: &str, row: &str| {
        let text = SCRIPT
            .replace("INFO) ", &format!("INFO) [ \"$rest\" != \"max_node {nodes}\" ] || sent=1; "));
        let on_move = format!("[ -n \"$sent\" ] && echo $n,{row} || echo 99,99");
        let command = ["sh", "-c", &text, "engine", &on_move];
        command.map(str::to_string).to_vec()
    };
    let mut plan = plan(WINNER, LOSER, 1);
    plan.game_settings.nodes = 700;
    plan.engines[0].command = checks("50", "0");
    assert_eq!(play(&plan)[0].reason, "off-board");
    plan.settings[0].limits.nodes = Some(50);
    assert_eq!(play(&plan)[0].reason, "five");
    plan.engines[1].command = checks("700", "5");
    assert_eq!(play(&plan)[0].reason, "five");
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
    // With a game clock shorter than the first move, the script exits at its second move.
    plan.game_settings = GameSettings {
        turn: 20_000,
        game: 700,
        tolerance: 20_000,
        max_moves: 3,
        ..plan.game_settings
    };
    assert_eq!(play(&plan)[0].reason, "max-moves");
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
    let mut cases = vec![("leaves", WINNER, ""), ("crashes", "exit 1", "")];
    // A new session and a new parent: only Linux finds it.
    if cfg!(target_os = "linux") {
        cases.push(("leaves-session", WINNER, "setsid"));
        cases.push(("crashes-session", "exit 1", "setsid"));
    }
    for (name, on_move, wrapper) in cases {
        let file = folder.path().join(name);
        let sleeper = format!("echo $$ > \"{}\"; exec sleep 300 > /dev/null 2>&1", file.display());
        let helper = format!(
            "{wrapper} sh -c '{sleeper}' & while [ ! -s \"{}\" ]; do :; done; ",
            file.display()
        );
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
