//! `tengen merge`: combines the parts of a match that were played separately.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};

use super::match_file::{MatchGame, MatchHeader, difference, has_no_header, lines_of, parse_each};
use super::pairing::Pairings;
use super::sprt_args::SprtArgs;
use super::standings::Standings;
use super::statistics::{Sprt, SprtDecision};
use tengen_cli::atomic_file;
use tengen_cli::overwrite::OverwriteArgs;
use tengen_cli::printable::printable;
use tengen_cli::selection::count_skipped;
use tengen_rules::types::counted;

/// Arguments of `tengen merge`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Match files (--record) of one match with the same engines and settings; identical copies of a
    /// game are counted once, different games with one number are refused
    #[arg(required = true, value_name = "RECORD")]
    records: Vec<PathBuf>,
    #[command(flatten)]
    test: SprtArgs,
    /// Write all games to this match file, in the order of their numbers
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    overwrite: OverwriteArgs,
    /// Skip damaged lines and games with the number of an earlier one, list them, and end with
    /// status 1
    #[arg(long)]
    skip_bad: bool,
    /// Also count complete pairs after a missing one, for pairs that will never be played
    #[arg(long)]
    gaps: bool,
    /// Print the summary as a JSON object
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Whether the command writes a file.
    pub fn writes_file(&self) -> bool {
        self.out.is_some()
    }
}

/// Reads the match files, checks that they are parts of one match, and prints its score.
///
/// Pairs count in the order of their numbers, from the first pair of the earliest part up to the first
/// missing one: the pairs that end first are short ones and would bias a test.
///
/// # Errors
/// When a file is not a match file, belongs to another match, or has another game with the number of
/// an earlier one.
pub fn run(args: &Args, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    let sprt = args.test.sprt();
    if let Some(path) = &args.out {
        args.overwrite.check(path)?;
    }
    let Parts { mut headers, games } = Parts::read(args, notes)?;
    let first_pair = headers.iter().map(|(header, _)| header.first_pair()).min();
    let (header, _) = headers.first_mut().context("no finished games")?;
    let records: Vec<MatchGame> = games.into_values().map(|(record, _)| record).collect();
    let names: Vec<String> = header.engines.iter().map(|(name, _)| name.clone()).collect();
    let gauntlet = header.terms.get("pairing").is_some_and(|pairing| pairing == "gauntlet");
    ensure!(names.len() >= 2, "the match file names fewer than two engines");
    let pairings =
        if gauntlet { Pairings::gauntlet(names.len()) } else { Pairings::round_robin(names.len()) };
    ensure!(
        sprt.is_none() || pairings.list().len() == 1,
        "--sprt compares two engines, got {}",
        names.len()
    );
    let earliest = records.first().map_or(0, |record| record.game / 2);
    let first_pair = first_pair.map_or(earliest, |pair| pair.min(earliest));
    if first_pair > 0 && !args.gaps {
        writeln!(notes, "counting begins with pair {first_pair}: earlier pairs are missing")?;
    }
    if let Some(path) = &args.out {
        header.set_first_pair(first_pair);
        atomic_file::write(path, lines_of(header, &records)?.as_bytes())
            .with_context(|| path.display().to_string())?;
    }
    let start = (!args.gaps).then_some(first_pair);
    let merged = count(&records, &Standings::new(&names, &pairings), sprt.as_ref(), start);
    if merged.uncounted > 0 {
        writeln!(
            notes,
            "pair {} is incomplete: not counted from there on: {} (see --gaps)",
            merged.first_missing,
            counted(merged.uncounted, "game")
        )?;
    }
    if args.json {
        let summary = merged.standings.summary(sprt.as_ref());
        writeln!(out, "{}", serde_json::to_string(&summary)?)?;
    } else {
        // The names come from a file.
        write!(out, "{}", printable(&merged.standings.to_string()))?;
    }
    if let (Some(sprt), Some(score)) = (sprt, merged.standings.single()) {
        if !args.json {
            writeln!(out, "{}", score.sprt_line(&sprt))?;
        }
        if merged.after_decision > 0 {
            let after = counted(merged.after_decision, "game");
            writeln!(notes, "not counted after the decision: {after}")?;
        }
    }
    Ok(())
}

/// The content of the match files.
struct Parts<'a> {
    headers: Vec<(MatchHeader, &'a PathBuf)>,
    /// The games by their numbers, each with the first file that holds it.
    games: BTreeMap<usize, (MatchGame, &'a PathBuf)>,
}

impl<'a> Parts<'a> {
    /// Reads the match files and checks that they are parts of one match.
    fn read(args: &'a Args, notes: &mut dyn Write) -> anyhow::Result<Parts<'a>> {
        let mut headers: Vec<(MatchHeader, &PathBuf)> = Vec::new();
        let mut games: BTreeMap<usize, (MatchGame, &PathBuf)> = BTreeMap::new();
        for path in &args.records {
            let name = || path.display().to_string();
            let bytes = std::fs::read(path).with_context(name)?;
            if has_no_header(&bytes) {
                writeln!(notes, "{}: no finished games", name())?;
                continue;
            }
            let (part, damaged) = parse_each(&bytes).with_context(name)?;
            for error in &damaged {
                ensure!(args.skip_bad, "{}: {error:#} (see --skip-bad)", name());
                writeln!(notes, "{}: skipped {error:#}", name())?;
            }
            count_skipped(damaged.len());
            // Every two headers: a field missing in one may differ between two others.
            for (other, whose) in &headers {
                let difference = difference(other, &part.header);
                ensure!(
                    difference.is_empty(),
                    "{}: not a part of the match in {} ({difference})",
                    name(),
                    whose.display(),
                );
            }
            headers.push((part.header, path));
            if part.is_cut {
                writeln!(notes, "{}: ignored an incomplete last line", name())?;
            }
            let mut copies = 0;
            for record in part.records {
                let number = record.game + 1;
                match games.get(&record.game) {
                    None => drop(games.insert(record.game, (record, path))),
                    Some((known, _)) if *known == record => copies += 1,
                    Some((_, other)) if args.skip_bad => {
                        let other = other.display();
                        writeln!(
                            notes,
                            "{}: skipped game {number}, which differs from game {number} in {other}",
                            name()
                        )?;
                        count_skipped(1);
                    }
                    Some((_, other)) => bail!(
                        "{}: game {number} differs from game {number} in {} (--skip-bad skips it)",
                        name(),
                        other.display()
                    ),
                }
            }
            if copies > 0 {
                writeln!(notes, "{}: ignored {}", name(), counted(copies, "duplicate game"))?;
            }
        }
        Ok(Parts { headers, games })
    }
}

/// The score of the games that count.
struct MergedCount {
    standings: Standings,
    /// The incomplete pair at which counting ended.
    first_missing: usize,
    /// Games from that pair on.
    uncounted: usize,
    /// Games after the decision of the test.
    after_decision: usize,
}

/// Counts complete pairs in the order of their numbers, from pair `start` up to the first missing one;
/// without `start` all complete pairs.
fn count(
    records: &[MatchGame],
    empty: &Standings,
    sprt: Option<&Sprt>,
    start: Option<usize>,
) -> MergedCount {
    let mut counted =
        MergedCount { standings: empty.clone(), first_missing: 0, uncounted: 0, after_decision: 0 };
    let mut rest = records;
    let mut expected = start;
    while let Some((first, others)) = rest.split_first() {
        let pair = first.game / 2;
        let second = others.first().filter(|second| second.game / 2 == pair);
        if let Some(expected) = expected
            && (pair != expected || second.is_none())
        {
            (counted.first_missing, counted.uncounted) = (expected, rest.len());
            break;
        }
        let decided =
            sprt.is_some_and(|sprt| sprt.decide(&counted.standings.pairs()) != SprtDecision::Open);
        if decided {
            counted.after_decision = rest.len();
            break;
        }
        rest = &others[usize::from(second.is_some())..];
        if let Some(second) = second {
            counted.standings.add(first);
            counted.standings.add(second);
        }
        expected = expected.map(|_| pair + 1);
    }
    counted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::EngineBuild;
    use crate::fixtures::{finished, header};
    use crate::match_file::parse;
    use tempfile::TempDir;

    /// Writes the record of a part of a match.
    fn file(
        folder: &TempDir,
        name: &str,
        header: &MatchHeader,
        games: &[(usize, &str)],
    ) -> PathBuf {
        let records: Vec<MatchGame> =
            games.iter().map(|&(g, result)| finished(g, result)).collect();
        let path = folder.path().join(name);
        std::fs::write(&path, lines_of(header, &records).unwrap()).unwrap();
        path
    }

    fn args(records: &[&PathBuf]) -> Args {
        Args {
            records: records.iter().map(|&path| path.clone()).collect(),
            test: SprtArgs { sprt: None, alpha: 0.05, beta: 0.05 },
            out: None,
            overwrite: OverwriteArgs::default(),
            skip_bad: false,
            gaps: false,
            json: false,
        }
    }

    fn merged(
        records: &[&PathBuf],
        sprt: Option<(f64, f64)>,
        gaps: bool,
    ) -> anyhow::Result<(String, String)> {
        let test = SprtArgs { sprt, alpha: 0.05, beta: 0.05 };
        let args = Args { test, gaps, ..args(records) };
        let (mut out, mut notes) = (Vec::new(), Vec::new());
        run(&args, &mut out, &mut notes)?;
        Ok((String::from_utf8(out).unwrap(), String::from_utf8(notes).unwrap()))
    }

    #[test]
    fn parts_are_merged_into_one_match() {
        let folder = tempfile::tempdir().unwrap();
        let second = file(&folder, "2", &header("1"), &[(5, "draw"), (4, "black")]);
        let first = file(
            &folder,
            "1",
            &header("1"),
            &[(0, "black"), (1, "white"), (3, "draw"), (2, "draw")],
        );
        let (out, notes) = merged(&[&second, &first], Some((0.0, 50.0)), false).unwrap();
        assert!(out.starts_with("a against b, 6 games: +3 =3 -0"), "{out}");
        assert!(out.contains("pairs 3 (0, 1/2, 1, 3/2, 2 points: 0 0 1 1 1)"), "{out}");
        assert!(out.contains("SPRT [0, 50]: LLR"), "{out}");
        assert_eq!(notes, "");
        let unbegun = folder.path().join("unbegun");
        std::fs::write(&unbegun, "").unwrap();
        let (same, notes) = merged(&[&second, &unbegun, &first], Some((0.0, 50.0)), false).unwrap();
        assert_eq!(same, out);
        assert!(notes.ends_with("unbegun: no finished games\n"), "{notes}");
        let (twice, notes) = merged(&[&first, &second, &first], None, false).unwrap();
        assert!(twice.starts_with("a against b, 6 games: +3 =3 -0"), "{twice}");
        assert!(notes.ends_with("1: ignored 4 duplicate games\n"), "{notes}");
        let other = file(&folder, "3", &header("2"), &[(6, "draw")]);
        let fault = merged(&[&first, &other], None, false).unwrap_err().to_string();
        assert!(
            fault.contains("not a part of the match") && fault.contains("value of turn"),
            "{fault}"
        );
    }

    #[test]
    fn parts_of_other_builds_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let part = |name: &str, commit: &str, game: usize| {
            let build = EngineBuild { commit: Some(commit.to_string()), ..EngineBuild::default() };
            let header = MatchHeader { builds: vec![build.clone(), build], ..header("1") };
            file(&folder, name, &header, &[(game, "draw"), (game + 1, "draw")])
        };
        let (first, second) = (part("1", "aaaa", 0), part("2", "aaaa", 2));
        let (out, _) = merged(&[&first, &second], None, false).unwrap();
        assert!(out.starts_with("a against b, 4 games"), "{out}");
        let other = part("3", "bbbb", 2);
        let fault = merged(&[&first, &other], None, false).unwrap_err().to_string();
        assert!(fault.ends_with("(another build of a)"), "{fault}");
        // A part without builds does not hide a difference between the others.
        let unknown = file(&folder, "4", &header("1"), &[(4, "draw"), (5, "draw")]);
        let (out, _) = merged(&[&unknown, &first, &second], None, false).unwrap();
        assert!(out.starts_with("a against b, 6 games"), "{out}");
        let fault = merged(&[&unknown, &first, &other], None, false).unwrap_err().to_string();
        assert!(fault.ends_with("(another build of a)"), "{fault}");
    }

    #[test]
    fn complete_pairs_count_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let games = [(0, "black"), (1, "white"), (2, "black"), (4, "black"), (5, "white")];
        let part = file(&folder, "1", &header("1"), &games);
        let (out, notes) = merged(&[&part], None, false).unwrap();
        assert!(out.starts_with("a against b, 2 games: +2 =0 -0"), "{out}");
        assert_eq!(
            notes,
            "pair 1 is incomplete: not counted from there on: 3 games (see --gaps)\n"
        );
        let (out, notes) = merged(&[&part], None, true).unwrap();
        assert!(out.starts_with("a against b, 4 games: +4 =0 -0"), "{out}");
        assert_eq!(notes, "");
    }

    #[test]
    fn counting_begins_with_the_first_pair_of_the_earliest_part() {
        let folder = tempfile::tempdir().unwrap();
        let won = |games: std::ops::Range<usize>| -> Vec<(usize, &str)> {
            games.map(|game| (game, if game % 2 == 0 { "black" } else { "white" })).collect()
        };
        // Pair 0 is still being played.
        let whole = file(&folder, "1", &header("1"), &won(2..62));
        let (out, notes) = merged(&[&whole], Some((0.0, 100.0)), false).unwrap();
        assert!(out.starts_with("a against b, 0 games"), "{out}");
        let missing = "pair 0 is incomplete: not counted from there on: 60 games (see --gaps)\n";
        assert_eq!(notes, missing);
        // Parts that begin with pairs 2 and 4.
        let part = |name: &str, first_pair: usize, games| {
            let mut header = header("1");
            header.set_first_pair(first_pair);
            file(&folder, name, &header, &won(games))
        };
        let (second, third) = (part("2", 2, 4..8), part("3", 4, 8..10));
        let (out, notes) = merged(&[&third, &second], None, false).unwrap();
        assert!(out.starts_with("a against b, 6 games"), "{out}");
        assert_eq!(notes, "counting begins with pair 2: earlier pairs are missing\n");
        let begun = part("4", 2, 6..8);
        let (out, notes) = merged(&[&third, &begun], None, false).unwrap();
        assert!(out.starts_with("a against b, 0 games"), "{out}");
        assert!(notes.contains("pair 2 is incomplete: not counted from there on: 4 games"));
        // The merged file begins with the earliest part.
        let out = folder.path().join("merged");
        let args = Args { out: Some(out.clone()), ..args(&[&third, &second]) };
        run(&args, &mut Vec::new(), &mut Vec::new()).unwrap();
        assert_eq!(parse(&std::fs::read(out).unwrap()).unwrap().header.first_pair(), 2);
    }

    #[test]
    fn games_after_the_decision_do_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let games: Vec<(usize, &str)> =
            (0..400).map(|game| (game, if game % 2 == 0 { "black" } else { "white" })).collect();
        let part = file(&folder, "1", &header("1"), &games);
        let (out, notes) = merged(&[&part], Some((0.0, 100.0)), false).unwrap();
        assert!(out.contains("H1 accepted"), "{out}");
        assert!(notes.contains("not counted after the decision: "), "{notes}");
        // 400 more games, all lost, do not change the earlier decision.
        let lost: Vec<(usize, &str)> =
            (400..800).map(|game| (game, if game % 2 == 0 { "white" } else { "black" })).collect();
        let more = file(&folder, "2", &header("1"), &lost);
        assert_eq!(merged(&[&part, &more], Some((0.0, 100.0)), false).unwrap().0, out);
    }

    #[test]
    fn incomplete_last_lines_are_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let part = file(&folder, "1", &header("1"), &[(0, "black"), (1, "white")]);
        let mut text = std::fs::read_to_string(&part).unwrap();
        text.push_str("{\"game\":2,");
        std::fs::write(&part, text).unwrap();
        let (out, notes) = merged(&[&part], None, false).unwrap();
        assert!(out.starts_with("a against b, 2 games"), "{out}");
        assert!(notes.contains("incomplete last line"), "{notes}");
        std::fs::write(&part, "hello\n").unwrap();
        let fault = format!("{:#}", merged(&[&part], None, false).unwrap_err());
        assert!(fault.ends_with("1: not a match file"), "{fault}");
    }

    #[test]
    fn existing_files_are_replaced_with_force_only() {
        let folder = tempfile::tempdir().unwrap();
        let part = file(&folder, "1", &header("1"), &[(0, "black"), (1, "white")]);
        let before = std::fs::read_to_string(&part).unwrap();
        let merge = |force| {
            let overwrite = OverwriteArgs { force };
            let args = Args { out: Some(part.clone()), overwrite, ..args(&[&part]) };
            run(&args, &mut Vec::new(), &mut Vec::new())
        };
        let fault = merge(false).unwrap_err().to_string();
        assert!(fault.ends_with("1: the file already exists (--force replaces it)"), "{fault}");
        merge(true).unwrap();
        assert_eq!(std::fs::read_to_string(&part).unwrap(), before);
    }

    /// The output and the notes of a merge of one record.
    fn merged_part(part: &std::path::Path, skip_bad: bool) -> anyhow::Result<(String, String)> {
        let args = Args { skip_bad, ..args(&[&part.to_path_buf()]) };
        let (mut out, mut notes) = (Vec::new(), Vec::new());
        run(&args, &mut out, &mut notes)?;
        Ok((String::from_utf8(out)?, String::from_utf8(notes)?))
    }

    #[test]
    fn different_games_with_one_number_can_be_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let games = [(0, "black"), (1, "white"), (1, "white"), (1, "black"), (0, "black")];
        let part = file(&folder, "1", &header("1"), &games);
        let merge = |skip_bad| merged_part(&part, skip_bad);
        let path = part.display();
        let fault = merge(false).unwrap_err().to_string();
        assert_eq!(
            fault,
            format!("{path}: game 2 differs from game 2 in {path} (--skip-bad skips it)")
        );
        let (out, notes) = merge(true).unwrap();
        assert!(out.starts_with("a against b, 2 games: +2 =0 -0"), "{out}");
        let left_out = format!("{path}: skipped game 2, which differs from game 2 in {path}\n");
        assert_eq!(notes, format!("{left_out}{path}: ignored 2 duplicate games\n"));
    }

    #[test]
    fn damaged_lines_can_be_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let part = file(&folder, "1", &header("1"), &[(0, "black"), (1, "white")]);
        let text = std::fs::read_to_string(&part).unwrap();
        let (head, games) = text.split_once('\n').unwrap();
        let damaged = format!("{head}\n{{\"game\":7\n{games}\u{0}\u{0}\n");
        std::fs::write(&part, damaged).unwrap();
        let merge = |skip_bad| merged_part(&part, skip_bad);
        let fault = format!("{:#}", merge(false).unwrap_err());
        assert!(fault.contains("1: line 2: ") && fault.ends_with(" (see --skip-bad)"), "{fault}");
        let (out, notes) = merge(true).unwrap();
        assert!(out.starts_with("a against b, 2 games"), "{out}");
        assert_eq!(notes.matches(": skipped line ").count(), 2, "{notes}");
    }
}
