//! `tengen choices`: compares the moves of engines in the same positions.
//!
//! Every engine chooses a move in the same positions of real games. A long search after each move
//! gives its expected result, and the means are compared position by position. Results of games are
//! mostly chance: 1,700 positions distinguish engines about as well as 350 games, in a tenth of the
//! time. The judge overrates engines that are related to it, so confirm a difference in a match.

mod judge;
mod positions;
mod query;
mod report;

use std::io::Write;
use std::path::PathBuf;

use anyhow::ensure;

use super::adjudication::Adjudication;
use super::engine_spec::{DelayOption, EngineSettings, EngineSpec, InfoOption, engine_names};
use super::game::GameSettings;
use judge::{DECIDED, MoveJudge};
use positions::Drawn;
pub use positions::ReadGames;
use query::{ChoiceQuery, MoveChoice};
use report::ChoicesReport;
use tengen::engine::StopSwitch;
use tengen_cli::args::BoardArgs;
use tengen_cli::interrupt::stop_on_interrupt;
use tengen_cli::selection::Selection;
use tengen_cli::units;
use tengen_record::Encoding;
use tengen_rules::game::Game;
use tengen_rules::types::counted;

/// Default time for a move in milliseconds: long enough that nodes decide.
const DEFAULT_TURN_MS: u64 = 600_000;
/// Default nodes of the judge, as a multiple of those of the engines. A shorter search would repeat
/// the mistakes of the engines.
const JUDGE_FACTOR: u64 = 8;

/// How the games are read. (`--game` would leave one position.)
#[derive(clap::Args, Clone, Debug, Default)]
struct ChoiceSelection {
    /// Encoding of the games; default: the encoding that a file declares, else UTF-8, else a guess,
    /// which a note reports
    #[arg(long)]
    encoding: Option<Encoding>,
    /// Skip games that cannot be read, list them, and end with status 1
    #[arg(long)]
    skip_bad: bool,
}

/// Arguments of `tengen choices`.
#[derive(clap::Args, Debug)]
#[command(
    mut_arg("rule", |arg| arg.help("Rule: freestyle, standard, renju, caro or caro-overline; \
        default: the rule that all games of --games state, else freestyle")),
    mut_arg("size", |arg| arg.help("Board size: N or WxH; default: the size that all games of \
        --games state, else 15"))
)]
pub struct Args {
    /// Engine: NAME=COMMAND with arguments, or level:NAME or bot:NAME; the first is the reference
    #[arg(short, long = "engine", required = true, value_name = "NAME=COMMAND")]
    engines: Vec<EngineSpec>,
    /// Game file in any format that `tengen convert` reads, or a folder of them; one position is drawn
    /// from each game
    #[arg(long, visible_alias = "files", required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    #[command(flatten)]
    selection: ChoiceSelection,
    #[command(flatten)]
    board: BoardArgs,
    /// Number of positions
    #[arg(long, default_value_t = 1_700, value_parser = units::whole::<usize>(1..=u64::MAX))]
    count: usize,
    /// Seed for drawing the positions
    #[arg(long, default_value_t = 1, value_parser = units::whole::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Nodes for a move (INFO max_node), such as 50000, 500k or 1e6
    #[arg(long, required_unless_present = "turn", value_parser = units::positive_count)]
    nodes: Option<u64>,
    /// Time for a move: ms, or with units as 2s; by default only nodes limit a move
    #[arg(long, value_name = "TIME", value_parser = units::positive_milliseconds)]
    turn: Option<u64>,
    /// Nodes of the search that values a move; default: eight times --nodes
    #[arg(long, value_parser = units::positive_count)]
    judge_nodes: Option<u64>,
    /// File of move values: values of this build are reused, new ones are appended
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    /// Additional INFO line, for all engines or for one; can be repeated
    #[arg(long, value_name = "[NAME:]KEY=VALUE")]
    info: Vec<InfoOption>,
    /// Pause before every request
    #[arg(long, value_name = "[NAME:]TIME")]
    pause: Vec<DelayOption>,
    /// Memory limit that is sent to the engines, in MiB
    #[arg(long, default_value_t = 350, value_name = "MIB",
          value_parser = units::whole::<u64>(1..=1_048_576))]
    memory: u64,
    /// Number of positions searched in parallel
    #[arg(long, default_value_t = 1, value_parser = units::whole::<u16>(1..=512))]
    concurrency: u16,
}

impl Args {
    fn game_settings(&self, board: BoardArgs) -> GameSettings {
        GameSettings {
            rule: board.rule(),
            size: board.size(),
            turn: self.turn.unwrap_or(DEFAULT_TURN_MS),
            game: 0,
            increment: 0,
            tolerance: self.turn.unwrap_or(DEFAULT_TURN_MS),
            nodes: self.nodes.unwrap_or_default(),
            memory: self.memory,
            max_moves: 0,
            adjudication: Adjudication::default(),
        }
    }

    /// The candidate positions.
    fn draw(&self, read: ReadGames<'_>, notes: &mut dyn Write) -> anyhow::Result<Drawn> {
        let selection = Selection {
            encoding: self.selection.encoding,
            skip_bad: self.selection.skip_bad,
            game: None,
        };
        positions::draw(&self.games, self.board, self.seed, &selection, read, notes)
    }

    /// # Errors
    /// When two engines have the same name, an option names an unknown engine, or a value is invalid.
    fn check(&self) -> anyhow::Result<()> {
        engine_names(&self.engines, &self.info, &self.pause, &[], &[])?;
        ensure!(self.count > 0, "--count 0: expected at least one position");
        ensure!(self.nodes != Some(0), "--nodes 0: expected at least one node");
        ensure!(
            self.nodes.or(self.judge_nodes).is_some(),
            "--turn without --nodes requires --judge-nodes"
        );
        ensure!(self.judge_nodes != Some(0), "--judge-nodes 0: expected at least one node");
        Ok(())
    }
}

/// Requests the moves of every engine, evaluates them, and writes the comparison to `out` and
/// progress to `progress`.
///
/// # Errors
/// When an argument is invalid, a file cannot be read or written, or an engine cannot be started.
pub fn run(
    args: &Args,
    read: ReadGames<'_>,
    out: &mut dyn Write,
    progress: &mut dyn Write,
) -> anyhow::Result<()> {
    args.check()?;
    let drawn = args.draw(read, progress)?;
    compare(args, drawn, &stop_on_interrupt()?, out, progress)
}

fn compare(
    args: &Args,
    drawn: Drawn,
    stop: &StopSwitch,
    out: &mut dyn Write,
    progress: &mut dyn Write,
) -> anyhow::Result<()> {
    let game_settings = args.game_settings(drawn.board);
    let judge_nodes =
        args.judge_nodes.unwrap_or(args.nodes.unwrap_or_default().saturating_mul(JUDGE_FACTOR));
    let threads = usize::from(args.concurrency);
    let mut judge = MoveJudge::open(
        game_settings.rule,
        game_settings.size,
        judge_nodes,
        args.known.as_deref(),
    )?;
    let count = drawn.positions.len();
    let (positions, decided) = judge.undecided(drawn.positions, args.count, threads, stop)?;
    let decided_reason = format!("decided (expected result above {DECIDED} for one side)");
    let reasons = [
        (drawn.of_other_boards, "with another rule or board"),
        (drawn.over, "finished where the position was drawn"),
        (decided, decided_reason.as_str()),
    ];
    writeln!(progress, "used {} of {}", positions.len(), counted(count, "position"))?;
    for (games, reason) in reasons.into_iter().filter(|(games, _)| *games > 0) {
        writeln!(progress, "skipped {games}: {reason}")?;
    }
    ensure!(stop.is_pressed() || !positions.is_empty(), "no undecided positions in these games");

    let mut answers = Vec::new();
    for engine in &args.engines {
        writeln!(
            progress,
            "{}: choosing moves in {}",
            engine.name,
            counted(positions.len(), "position")
        )?;
        let settings = EngineSettings::of(&engine.name, &args.info, &args.pause, &[]);
        let query =
            ChoiceQuery { engine, settings: &settings, game_settings: &game_settings, stop };
        answers.push(query.choose_all(&positions, threads)?);
    }
    let (positions, answers) = answered(positions, &answers);
    writeln!(progress, "valuing the moves")?;
    let values = judge.values(&positions, &answers, threads, stop)?;
    let (positions, answers, values) = valued(positions, answers, values);
    if stop.is_pressed() {
        writeln!(progress, "interrupted: valued {}", counted(positions.len(), "position"))?;
        if positions.is_empty() {
            return Ok(());
        }
    }
    let names = args.engines.iter().map(|engine| engine.name.as_str());
    let report = ChoicesReport::new(names, &answers, &values);
    writeln!(
        out,
        "{} {}, {}, moves valued by {}",
        game_settings.rule,
        game_settings.size,
        counted(positions.len(), "position"),
        counted(judge_nodes, "node"),
    )?;
    write!(out, "{report}")?;
    Ok(())
}

/// The positions that every engine answered, with the answers by engine and position; an interruption
/// leaves others.
fn answered(
    positions: Vec<Game>,
    answers: &[Vec<Option<MoveChoice>>],
) -> (Vec<Game>, Vec<Vec<MoveChoice>>) {
    let is_answered = |index: usize| answers.iter().all(|of| of[index].is_some());
    let kept: Vec<usize> = (0..positions.len()).filter(|&index| is_answered(index)).collect();
    (
        kept.iter().map(|&index| positions[index].clone()).collect(),
        answers.iter().map(|of| kept.iter().filter_map(|&index| of[index]).collect()).collect(),
    )
}

/// The moves of each engine and their values, by position.
type Answered = (Vec<Game>, Vec<Vec<MoveChoice>>, Vec<Vec<Option<f64>>>);

/// The positions in which the move of every engine has a value; after an interruption others are
/// missing.
fn valued(
    positions: Vec<Game>,
    answers: Vec<Vec<MoveChoice>>,
    values: Vec<Vec<Option<f64>>>,
) -> Answered {
    let is_valued = |index: usize| {
        let of_position = answers.iter().zip(&values);
        let mut moves = of_position.map(|(answers, values)| (answers[index].point, values[index]));
        moves.clone().any(|(point, _)| point.is_some())
            && moves.all(|(point, value)| point.is_none() || value.is_some())
    };
    let kept: Vec<usize> = (0..positions.len()).filter(|&index| is_valued(index)).collect();
    (
        kept.iter().map(|&index| positions[index].clone()).collect(),
        answers.iter().map(|of| kept.iter().map(|&index| of[index]).collect()).collect(),
        values.iter().map(|of| kept.iter().map(|&index| of[index]).collect()).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;
    use tempfile::TempDir;
    use tengen_rules::types::BoardSize;

    fn args(games: PathBuf, engines: &[&str]) -> Args {
        Args {
            engines: engines.iter().map(|engine| engine.parse().unwrap()).collect(),
            games: vec![games],
            selection: ChoiceSelection::default(),
            board: BoardArgs { rule: None, size: None },
            count: 12,
            seed: 1,
            nodes: Some(300),
            turn: None,
            judge_nodes: Some(1_500),
            known: None,
            info: Vec::new(),
            pause: Vec::new(),
            memory: 80,
            concurrency: 2,
        }
    }

    fn output(args: &Args) -> anyhow::Result<String> {
        let mut out = Vec::new();
        let mut read = |path: &std::path::Path, size, _: &Selection| {
            let reading = tengen_record::ReadOptions { size: Some(size), ..Default::default() };
            let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
            Ok((1..).zip(tengen_record::read(&bytes, &reading)?.list).collect())
        };
        let drawn = args.draw(&mut read, &mut Vec::new())?;
        compare(args, drawn, &StopSwitch::new(), &mut out, &mut Vec::new())?;
        Ok(String::from_utf8(out)?)
    }

    /// Balanced openings, as games that end undecided.
    fn games(folder: &TempDir) -> PathBuf {
        let path = folder.path().join("games.txt");
        let openings = include_str!("../../../../scripts/openings/freestyle15.txt");
        let lines = openings.lines().filter(|line| !line.starts_with('#')).take(16);
        std::fs::write(&path, lines.map(|line| format!("{line}\n")).collect::<String>()).unwrap();
        path
    }

    #[test]
    fn engines_equal_themselves_and_beat_random_moves() {
        let folder = tempfile::tempdir().unwrap();
        let mut args = args(games(&folder), &["a=level:full", "b=level:full", "bot:random"]);
        args.known = Some(folder.path().join("known.jsonl"));
        let text = output(&args).unwrap();
        let line = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap();
        // The positions that the judge finds undecided, at most 12 of 16.
        let count = text.strip_prefix("freestyle 15x15, ").unwrap().split(' ').next().unwrap();
        assert!((1..=12).contains(&count.parse::<usize>().unwrap()), "{text}");
        assert!(text.contains(" positions, moves valued by 1500 nodes\n"), "{text}");
        assert!(line("b:").contains("+0 +- 0, 0 other moves"), "{text}");
        let lost = line("bot:random:").split("a: ").nth(1).unwrap();
        assert!(lost.starts_with('-'), "{text}");
        // Stored values are not searched again and give the same result; only times differ.
        let known = || std::fs::read_to_string(args.known.as_ref().unwrap()).unwrap();
        let before = known();
        let again = output(&args).unwrap();
        let lost_again = again.lines().find(|line| line.starts_with("bot:random:")).unwrap();
        assert_eq!(lost_again.split("a: ").nth(1), Some(lost));
        assert_eq!(known(), before);
    }

    #[test]
    fn invalid_arguments_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let good = || args(games(&folder), &["a=level:full", "bot:random"]);
        let refused = |args: Args| {
            format!("{:#}", args.check().and_then(|()| output(&args).map(drop)).unwrap_err())
        };
        let info = vec!["c:max_node=5".parse().unwrap()];
        assert_eq!(refused(Args { info, ..good() }), "--info c: unknown engine");
        let engines = vec!["a=level:full".parse().unwrap(), "a=bot:random".parse().unwrap()];
        assert!(refused(Args { engines, ..good() }).starts_with("duplicate engine name a ("));
        assert!(refused(Args { count: 0, ..good() }).starts_with("--count 0"));
        assert!(refused(Args { judge_nodes: Some(0), ..good() }).starts_with("--judge-nodes 0"));
        let gone = Args { games: vec![folder.path().join("none.txt")], ..good() };
        assert!(refused(gone).contains("none.txt"));
        let larger = folder.path().join("larger.sgf");
        std::fs::write(&larger, "(;GM[4]SZ[20];B[hh];W[ii])").unwrap();
        let board = BoardArgs { rule: None, size: BoardSize::square(15).ok() };
        let larger = Args { games: vec![larger], board, ..good() };
        assert!(refused(larger).contains("no freestyle games on a 15x15 board"));
        let known = folder.path().join("known.jsonl");
        std::fs::write(&known, "{}\nnonsense\n").unwrap();
        let text = refused(Args { known: Some(known), ..good() });
        assert!(text.contains("known.jsonl: line 1"), "{text}");
    }

    fn position() -> Game {
        Game::new("15".parse().unwrap(), tengen_rules::types::Rule::Freestyle)
    }

    #[test]
    fn positions_that_an_engine_did_not_answer_do_not_count() {
        let moved = MoveChoice { point: "7,7".parse().ok(), ..MoveChoice::default() };
        // Without a legal move in the second position.
        let failed = MoveChoice::default();
        let answers =
            [vec![Some(moved), Some(moved), Some(moved)], vec![Some(moved), Some(failed), None]];
        let (positions, answers) = answered(vec![position(), position(), position()], &answers);
        assert_eq!(positions.len(), 2);
        assert_eq!(answers, [[moved, moved], [moved, failed]]);
    }

    #[test]
    fn positions_without_a_value_for_each_move_do_not_count() {
        let moved = MoveChoice { point: "7,7".parse().ok(), ..MoveChoice::default() };
        let none = MoveChoice::default();
        let positions = vec![position(), position(), position(), position()];
        let answers = vec![vec![moved, moved, none, moved], vec![moved, moved, none, none]];
        let values =
            vec![vec![Some(0.5), Some(0.5), None, Some(0.25)], vec![Some(0.5), None, None, None]];
        let (positions, answers, values) = valued(positions, answers, values);
        assert_eq!((positions.len(), answers[1].len()), (2, 2));
        assert_eq!(values, [[Some(0.5), Some(0.25)], [Some(0.5), None]]);
    }
}
