//! `tengen merge`: the records of one match, played in parts on many machines, as one.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};

use super::TestArgs;
use super::pairing::Pairings;
use super::record::{Header, Record, difference, is_unbegun, lines_of, parse};
use super::standings::Standings;
use super::statistics::{Decision, Sprt};
use tengen_cli::whole::write_whole;

/// Arguments of `tengen merge`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Records of one match: the same engines and terms, no game twice
    #[arg(required = true, value_name = "RECORD")]
    records: Vec<PathBuf>,
    #[command(flatten)]
    test: TestArgs,
    /// Write all games to this file, in order of number, as one record
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Count complete pairs behind a missing one too: for pairs that will never be played
    #[arg(long)]
    gaps: bool,
}

impl Args {
    /// Whether a file is made, and not only standard output written.
    pub fn makes_file(&self) -> bool {
        self.out.is_some()
    }
}

/// Reads the records, checks that they are parts of one match, and prints its score.
///
/// Pairs count in the order of their numbers, up to the first one that is missing: those that
/// ended first are the short ones, and would bias a test.
///
/// # Errors
/// When a file is no record, belongs to another match, or holds a game that another file holds.
pub fn run(args: &Args, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    let sprt = args.test.sprt()?;
    let mut headers: Vec<(Header, &PathBuf)> = Vec::new();
    let mut games: BTreeMap<usize, (Record, &PathBuf)> = BTreeMap::new();
    for path in &args.records {
        let name = || path.display().to_string();
        let bytes = std::fs::read(path).with_context(name)?;
        if is_unbegun(&bytes) {
            writeln!(notes, "{}: no game of it has ended", name())?;
            continue;
        }
        let part = parse(&bytes).with_context(name)?;
        // Each with each: what one header does not know, two others may contradict in.
        for (other, whose) in &headers {
            let difference = difference(other, &part.header);
            ensure!(
                difference.is_empty(),
                "{}: it is no part of the match in {} ({difference})",
                name(),
                whose.display(),
            );
        }
        headers.push((part.header, path));
        if part.is_cut {
            writeln!(notes, "{}: the last line is cut off and left out", name())?;
        }
        for record in part.records {
            if let Some((_, other)) = games.get(&record.game) {
                bail!("{}: game {} is also in {}", name(), record.game, other.display());
            }
            games.insert(record.game, (record, path));
        }
    }
    let (header, _) = headers.first().context("there is no record")?;
    let records: Vec<Record> = games.into_values().map(|(record, _)| record).collect();
    let names: Vec<String> = header.engines.iter().map(|(name, _)| name.clone()).collect();
    let gauntlet = header.terms.get("pairing").is_some_and(|pairing| pairing == "gauntlet");
    ensure!(names.len() >= 2, "the record names fewer than two engines");
    let pairings =
        if gauntlet { Pairings::gauntlet(names.len()) } else { Pairings::round_robin(names.len()) };
    ensure!(
        sprt.is_none() || pairings.list().len() == 1,
        "--sprt compares two engines and the match has {}",
        names.len()
    );
    if let Some(path) = &args.out {
        write_whole(path, lines_of(header, &records)?.as_bytes())
            .with_context(|| path.display().to_string())?;
    }
    let counted = count(&records, &Standings::new(&names, &pairings), sprt.as_ref(), args.gaps);
    if counted.left_out > 0 {
        writeln!(
            notes,
            "pair {} is not complete: {} games from there on are not counted",
            counted.first_missing, counted.left_out
        )?;
    }
    write!(out, "{}", counted.standings)?;
    if let (Some(sprt), Some(tally)) = (sprt, counted.standings.single()) {
        writeln!(out, "{}", tally.sprt_line(&sprt))?;
        if counted.behind_decision > 0 {
            writeln!(notes, "{} games are behind the decision", counted.behind_decision)?;
        }
    }
    Ok(())
}

/// What counts of a match.
struct Counted {
    standings: Standings,
    /// The pair at which the count ended for want of a game.
    first_missing: usize,
    /// Games not counted for that reason.
    left_out: usize,
    /// Games not counted because the test was decided.
    behind_decision: usize,
}

/// Counts complete pairs in the order of their numbers, from the lowest one there is.
fn count(records: &[Record], empty: &Standings, sprt: Option<&Sprt>, gaps: bool) -> Counted {
    let mut counted =
        Counted { standings: empty.clone(), first_missing: 0, left_out: 0, behind_decision: 0 };
    let mut rest = records;
    let mut expected = records.first().map_or(0, |record| record.game / 2);
    while let Some((first, others)) = rest.split_first() {
        let pair = first.game / 2;
        let second = others.first().filter(|second| second.game / 2 == pair);
        if !gaps && (pair != expected || second.is_none()) {
            (counted.first_missing, counted.left_out) = (expected, rest.len());
            break;
        }
        let decided =
            sprt.is_some_and(|sprt| sprt.decide(&counted.standings.pairs()) != Decision::Open);
        if decided {
            counted.behind_decision = rest.len();
            break;
        }
        rest = &others[usize::from(second.is_some())..];
        if let Some(second) = second {
            counted.standings.add(first);
            counted.standings.add(second);
        }
        expected = pair + 1;
    }
    counted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Build;
    use crate::fixtures::{finished, header};
    use tengen_testkit::Folder;

    /// Writes the record of a part of a match.
    fn file(folder: &Folder, name: &str, header: &Header, games: &[(usize, &str)]) -> PathBuf {
        let records: Vec<Record> = games.iter().map(|&(g, result)| finished(g, result)).collect();
        let path = folder.file(name);
        std::fs::write(&path, lines_of(header, &records).unwrap()).unwrap();
        path
    }

    fn merged(
        records: &[&PathBuf],
        sprt: Option<(f64, f64)>,
        gaps: bool,
    ) -> anyhow::Result<(String, String)> {
        let test = TestArgs { sprt, alpha: 0.05, beta: 0.05 };
        let records = records.iter().map(|&path| path.clone()).collect();
        let args = Args { records, test, out: None, gaps };
        let (mut out, mut notes) = (Vec::new(), Vec::new());
        run(&args, &mut out, &mut notes)?;
        Ok((String::from_utf8(out).unwrap(), String::from_utf8(notes).unwrap()))
    }

    #[test]
    fn parts_become_one_match() {
        let folder = Folder::new("merge");
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
        let unbegun = folder.file("unbegun");
        std::fs::write(&unbegun, "").unwrap();
        let (same, notes) = merged(&[&second, &unbegun, &first], Some((0.0, 50.0)), false).unwrap();
        assert_eq!(same, out);
        assert!(notes.ends_with("unbegun: no game of it has ended\n"), "{notes}");
        let twice = merged(&[&first, &second, &first], None, false).unwrap_err().to_string();
        assert!(twice.contains("game 0 is also in"), "{twice}");
        let other = file(&folder, "3", &header("2"), &[(6, "draw")]);
        let fault = merged(&[&first, &other], None, false).unwrap_err().to_string();
        assert!(
            fault.contains("no part of the match") && fault.contains("value of turn"),
            "{fault}"
        );
    }

    #[test]
    fn parts_of_other_builds_are_refused() {
        let folder = Folder::new("merge-builds");
        let part = |name: &str, commit: &str, game: usize| {
            let build = Build { commit: Some(commit.to_string()), ..Build::default() };
            let header = Header { builds: vec![build.clone(), build], ..header("1") };
            file(&folder, name, &header, &[(game, "draw"), (game + 1, "draw")])
        };
        let (first, second) = (part("1", "aaaa", 0), part("2", "aaaa", 2));
        let (out, _) = merged(&[&first, &second], None, false).unwrap();
        assert!(out.starts_with("a against b, 4 games"), "{out}");
        let other = part("3", "bbbb", 2);
        let fault = merged(&[&first, &other], None, false).unwrap_err().to_string();
        assert!(fault.ends_with("(another build of a)"), "{fault}");
        // One machine was too slow to hear who plays; that hides no difference of the others.
        let unknown = file(&folder, "4", &header("1"), &[(4, "draw"), (5, "draw")]);
        let (out, _) = merged(&[&unknown, &first, &second], None, false).unwrap();
        assert!(out.starts_with("a against b, 6 games"), "{out}");
        let fault = merged(&[&unknown, &first, &other], None, false).unwrap_err().to_string();
        assert!(fault.ends_with("(another build of a)"), "{fault}");
    }

    #[test]
    fn pairs_count_in_order_and_whole() {
        let folder = Folder::new("merge-gaps");
        let games = [(0, "black"), (1, "white"), (2, "black"), (4, "black"), (5, "white")];
        let part = file(&folder, "1", &header("1"), &games);
        let (out, notes) = merged(&[&part], None, false).unwrap();
        assert!(out.starts_with("a against b, 2 games: +2 =0 -0"), "{out}");
        assert_eq!(notes, "pair 1 is not complete: 3 games from there on are not counted\n");
        let (out, notes) = merged(&[&part], None, true).unwrap();
        assert!(out.starts_with("a against b, 4 games: +4 =0 -0"), "{out}");
        assert_eq!(notes, "");
    }

    #[test]
    fn nothing_counts_behind_the_decision() {
        let folder = Folder::new("merge-sprt");
        let games: Vec<(usize, &str)> =
            (0..400).map(|game| (game, if game % 2 == 0 { "black" } else { "white" })).collect();
        let part = file(&folder, "1", &header("1"), &games);
        let (out, notes) = merged(&[&part], Some((0.0, 100.0)), false).unwrap();
        assert!(out.contains("H1 accepted"), "{out}");
        assert!(notes.ends_with("games are behind the decision\n"), "{notes}");
        // Another half of the games, all lost, does not change what was decided before it.
        let lost: Vec<(usize, &str)> =
            (400..800).map(|game| (game, if game % 2 == 0 { "white" } else { "black" })).collect();
        let more = file(&folder, "2", &header("1"), &lost);
        assert_eq!(merged(&[&part, &more], Some((0.0, 100.0)), false).unwrap().0, out);
    }

    #[test]
    fn a_cut_last_line_is_left_out() {
        let folder = Folder::new("merge-cut");
        let part = file(&folder, "1", &header("1"), &[(0, "black"), (1, "white")]);
        let mut text = std::fs::read_to_string(&part).unwrap();
        text.push_str("{\"game\":2,");
        std::fs::write(&part, text).unwrap();
        let (out, notes) = merged(&[&part], None, false).unwrap();
        assert!(out.starts_with("a against b, 2 games"), "{out}");
        assert!(notes.contains("cut off"), "{notes}");
        std::fs::write(&part, "hello\n").unwrap();
        assert!(format!("{:#}", merged(&[&part], None, false).unwrap_err()).contains("match file"));
    }
}
