//! `tengen choices`: what the moves are worth that engines choose, in the same positions.
//!
//! A match tells two engines apart by results, which are mostly chance. Here every engine chooses
//! a move in the same positions of real games, and each move chosen is valued once by a long
//! search after it. The mean expected results are compared position by position: 1,700 of them
//! tell about as much as 350 games, in a tenth of the time. The judge shares the tastes of the
//! engines that are related to it, so what wins here is still to be proved in a match.

mod ask;
mod judge;
mod positions;
mod report;

use std::io::Write;
use std::path::PathBuf;

use anyhow::ensure;

use super::contender::{Contender, Delay, ExtraInfo, Handling, engine_names};
use super::game::Terms;
use ask::Asked;
use judge::Judge;
pub use positions::ReadGames;
use report::Report;
use tengen::engine::StopSwitch;
use tengen_cli::setup::{BoardArgs, stop_on_interrupt};
use tengen_rules::game::Game;

/// Time for a move where nodes are to decide.
const TURN: u64 = 600_000;
/// How much longer than the engines the judge searches unless told otherwise: less tells little
/// about moves that the engines themselves got wrong.
const JUDGE_FACTOR: u64 = 8;

/// Arguments of `tengen choices`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// An engine: NAME=COMMAND with its arguments, or level:NAME or bot:NAME; the others are
    /// compared with the first
    #[arg(short, long = "engine", required = true, value_name = "NAME=COMMAND")]
    engines: Vec<Contender>,
    /// Games from which the positions are drawn, one of each game, in any form of game files that
    /// convert reads
    #[arg(long, required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    #[command(flatten)]
    board: BoardArgs,
    /// Positions
    #[arg(long, default_value_t = 1_700)]
    count: usize,
    /// Base of the random numbers that draw the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Nodes for a move (INFO max_node)
    #[arg(long, required_unless_present = "turn")]
    nodes: Option<u64>,
    /// Time for a move in ms; without it nodes decide alone
    #[arg(long, value_name = "MS")]
    turn: Option<u64>,
    /// Nodes of the search that values a move; eight times --nodes unless given, needed without
    #[arg(long)]
    judge_nodes: Option<u64>,
    /// File of values, of which those by this build are not searched again; new ones are added
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    /// Another INFO line, for all engines or for one
    #[arg(long, value_name = "[NAME:]KEY=VALUE")]
    info: Vec<ExtraInfo>,
    /// Wait before every request
    #[arg(long, value_name = "[NAME:]MS")]
    pause: Vec<Delay>,
    /// Memory that the engines are told they may use, in MiB
    #[arg(long, default_value_t = 350, value_name = "MIB",
          value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    memory: u64,
    /// Positions at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    concurrency: u16,
}

impl Args {
    fn terms(&self) -> Terms {
        Terms {
            rule: self.board.rule,
            size: self.board.size(),
            turn: self.turn.unwrap_or(TURN),
            game: 0,
            increment: 0,
            tolerance: self.turn.unwrap_or(TURN),
            nodes: self.nodes.unwrap_or_default(),
            memory: self.memory,
            max_moves: 0,
        }
    }

    /// The positions to choose from.
    fn draw(&self, read: ReadGames<'_>) -> anyhow::Result<Vec<Game>> {
        positions::draw(&self.games, self.board.rule, self.board.size(), self.seed, read)
    }

    /// # Errors
    /// When two engines have one name, or an option names none of them, or asks for nothing.
    fn check(&self) -> anyhow::Result<()> {
        engine_names(&self.engines, &self.info, &self.pause, &[])?;
        ensure!(self.count > 0, "--count 0: no position to compare anything by");
        ensure!(self.nodes != Some(0), "--nodes 0: no engine can choose without a look");
        ensure!(
            self.nodes.or(self.judge_nodes).is_some(),
            "--turn alone does not say how long the judge searches: --judge-nodes does"
        );
        ensure!(self.judge_nodes != Some(0), "--judge-nodes 0: a value needs a search");
        Ok(())
    }
}

/// Asks every engine, values what they chose, and writes the comparison to `out`; what goes on
/// is said on `progress`.
///
/// # Errors
/// When an argument makes no sense, a file cannot be used, or an engine cannot be started.
pub fn run(
    args: &Args,
    read: ReadGames<'_>,
    out: &mut dyn Write,
    progress: &mut dyn Write,
) -> anyhow::Result<()> {
    args.check()?;
    let drawn = args.draw(read)?;
    compare(args, drawn, &stop_on_interrupt()?, out, progress)
}

fn compare(
    args: &Args,
    drawn: Vec<Game>,
    stop: &StopSwitch,
    out: &mut dyn Write,
    progress: &mut dyn Write,
) -> anyhow::Result<()> {
    let terms = args.terms();
    let judge_nodes =
        args.judge_nodes.unwrap_or(args.nodes.unwrap_or_default().saturating_mul(JUDGE_FACTOR));
    let threads = usize::from(args.concurrency);
    let mut judge = Judge::open(terms.rule, terms.size, judge_nodes, args.known.as_deref())?;
    let positions = judge.undecided(drawn, args.count, threads, stop)?;
    ensure!(
        stop.is_pressed() || !positions.is_empty(),
        "no position of these games is open enough to be worth a choice"
    );

    let mut answers = Vec::new();
    for engine in &args.engines {
        writeln!(progress, "{} chooses in {} positions", engine.name, positions.len())?;
        let handling = Handling::of(&engine.name, &args.info, &args.pause, &[]);
        let asked = Asked { engine, handling: &handling, terms: &terms, stop };
        answers.push(asked.choose_all(&positions, threads)?);
    }
    writeln!(progress, "the moves chosen are valued")?;
    let values = judge.values(&positions, &answers, threads, stop)?;
    if stop.is_pressed() {
        return Ok(());
    }
    let names = args.engines.iter().map(|engine| engine.name.as_str());
    let report = Report::new(names, &answers, &values);
    writeln!(
        out,
        "{} {}, {} positions, moves valued by {judge_nodes} nodes",
        terms.rule,
        terms.size,
        positions.len(),
    )?;
    write!(out, "{report}")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;
    use tengen_testkit::Folder;

    fn args(games: PathBuf, engines: &[&str]) -> Args {
        Args {
            engines: engines.iter().map(|engine| engine.parse().unwrap()).collect(),
            games: vec![games],
            board: BoardArgs { rule: tengen_rules::types::Rule::Freestyle, size: None },
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

    fn said(args: &Args) -> anyhow::Result<String> {
        let mut out = Vec::new();
        let mut read = |path: &std::path::Path, size| {
            let reading = tengen_record::Reading { size: Some(size), ..Default::default() };
            let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
            Ok(tengen_record::read(&bytes, &reading)?.list)
        };
        let drawn = args.draw(&mut read)?;
        compare(args, drawn, &StopSwitch::new(), &mut out, &mut Vec::new())?;
        Ok(String::from_utf8(out)?)
    }

    /// Games that are over before they are decided: level openings.
    fn games(folder: &Folder) -> PathBuf {
        let path = folder.file("games.txt");
        let openings = include_str!("../../../../scripts/openings/freestyle15.txt");
        let lines = openings.lines().filter(|line| !line.starts_with('#')).take(16);
        std::fs::write(&path, lines.map(|line| format!("{line}\n")).collect::<String>()).unwrap();
        path
    }

    #[test]
    fn an_engine_is_as_good_as_itself_and_better_than_chance() {
        let folder = Folder::new("choices");
        let mut args = args(games(&folder), &["a=level:full", "b=level:full", "bot:random"]);
        args.known = Some(folder.file("known.jsonl"));
        let text = said(&args).unwrap();
        let line = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap();
        // Of the 16 positions at most 12 that the judge finds open.
        let count = text.strip_prefix("freestyle 15x15, ").unwrap().split(' ').next().unwrap();
        assert!((1..=12).contains(&count.parse::<usize>().unwrap()), "{text}");
        assert!(text.contains(" positions, moves valued by 1500 nodes\n"), "{text}");
        assert!(line("b:").contains("+0 +- 0, 0 other moves"), "{text}");
        let lost = line("bot:random:").split("a: ").nth(1).unwrap();
        assert!(lost.starts_with('-'), "{text}");
        // What is known need not be searched again, and says the same; only times differ.
        let known = || std::fs::read_to_string(args.known.as_ref().unwrap()).unwrap();
        let before = known();
        let again = said(&args).unwrap();
        let lost_again = again.lines().find(|line| line.starts_with("bot:random:")).unwrap();
        assert_eq!(lost_again.split("a: ").nth(1), Some(lost));
        assert_eq!(known(), before);
    }

    #[test]
    fn senseless_arguments_are_refused() {
        let folder = Folder::new("choices-refused");
        let good = || args(games(&folder), &["a=level:full", "bot:random"]);
        let refused = |args: Args| {
            format!("{:#}", args.check().and_then(|()| said(&args).map(drop)).unwrap_err())
        };
        let info = vec!["c:max_node=5".parse().unwrap()];
        assert_eq!(refused(Args { info, ..good() }), "--info c: no engine is called so");
        let engines = vec!["a=level:full".parse().unwrap(), "a=bot:random".parse().unwrap()];
        assert_eq!(refused(Args { engines, ..good() }), "two engines are called a");
        assert!(refused(Args { count: 0, ..good() }).starts_with("--count 0"));
        assert!(refused(Args { judge_nodes: Some(0), ..good() }).starts_with("--judge-nodes 0"));
        let gone = Args { games: vec![folder.file("none.txt")], ..good() };
        assert!(refused(gone).contains("none.txt"));
        let larger = folder.file("larger.sgf");
        std::fs::write(&larger, "(;GM[4]SZ[20];B[hh];W[ii])").unwrap();
        let larger = Args { games: vec![larger], ..good() };
        assert!(refused(larger).contains("no game of freestyle on a 15x15 board"));
        let known = folder.file("known.jsonl");
        std::fs::write(&known, "{}\nnonsense\n").unwrap();
        let text = refused(Args { known: Some(known), ..good() });
        assert!(text.contains("known.jsonl: line 1"), "{text}");
    }
}
