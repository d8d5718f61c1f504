//! Games and labels as text lines, the format of earlier versions.

use anyhow::{Context, bail, ensure};

use super::data_file::DataFile;
use super::play::has_choice;
use super::training_game::{SampleSource, SearchVerdict, TrainingGame, TreeSample, score};
use tengen_rules::position::Position;
use tengen_rules::types::{BoardSize, Color, Point, Rule};

/// Depth of cutoffs, which text does not contain.
const UNKNOWN_DEPTH: u32 = 1;

/// Reads a file of games, `result opening moves | scores`, of labelled positions, `search moves |
/// score best`, or of cutoffs, `search moves | best`. All start with a line `# rule=R size=S ...`.
/// Damaged lines are reported and skipped.
///
/// # Errors
/// When the first line is missing or invalid.
pub(super) fn read(text: &str) -> anyhow::Result<DataFile> {
    let mut lines = text.lines();
    let header = lines.next().context("an empty file")?;
    let field = |name: &str| {
        header
            .split_ascii_whitespace()
            .find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
            .with_context(|| format!("{name} is missing in the first line"))
    };
    let (rule, size) = (field("rule")?.parse()?, field("size")?.parse()?);
    let mut input = DataFile { rule, size, header: None, games: Vec::new(), faults: Vec::new() };
    let starts_with_number = |line: &str| line.starts_with(|first: char| first.is_ascii_digit());
    let labels = lines.clone().next().is_some_and(starts_with_number);
    for (index, line) in lines.enumerate() {
        let game = if labels { label(rule, size, line) } else { game(rule, size, line) };
        match game {
            // Labels of one search form one game.
            Ok((Some(number), mut game)) => match input.games.last_mut() {
                Some((last, search)) if *last == number => search.samples.append(&mut game.samples),
                _ => input.games.push((number, game)),
            },
            Ok((None, game)) => input.games.push((index as u64, game)),
            Err(error) => input.faults.push(format!("line {}: {error:#}", index + 2)),
        }
    }
    Ok(input)
}

fn game(rule: Rule, size: BoardSize, line: &str) -> anyhow::Result<(Option<u64>, TrainingGame)> {
    let (moves, scores) = line.split_once('|').context("no scores")?;
    let mut words = moves.split_ascii_whitespace();
    let winner = match words.next() {
        Some("black") => Some(Color::Black),
        Some("white") => Some(Color::White),
        Some("draw") => None,
        other => bail!("unknown result {other:?}"),
    };
    let opening = words.next().context("no opening")?.parse()?;
    let moves = words.map(str::parse).collect::<Result<Vec<Point>, _>>()?;
    ensure_on_board(size, &moves)?;
    let verdict =
        |word: &str| Ok(SearchVerdict { score: Some(score(word.parse()?)?), forced: false });
    let verdicts =
        scores.split_ascii_whitespace().map(verdict).collect::<anyhow::Result<Vec<_>>>()?;
    let mut record = TrainingGame { opening, moves, winner, verdicts, samples: Vec::new() };
    record.check()?;
    let mut position = Position::new(size, rule);
    let mut stones = record.moves.iter();
    stones.by_ref().take(opening).for_each(|&point| position.play(point));
    for verdict in &mut record.verdicts {
        verdict.forced = !has_choice(&position);
        if let Some(&point) = stones.next() {
            position.play(point);
        }
    }
    Ok((None, record))
}

fn label(rule: Rule, size: BoardSize, line: &str) -> anyhow::Result<(Option<u64>, TrainingGame)> {
    let (stones, label) = line.split_once('|').context("no label")?;
    let mut words = stones.split_ascii_whitespace();
    let number = words.next().context("no number")?.parse()?;
    let further = words.map(str::parse).collect::<Result<Vec<Point>, _>>()?;
    let words: Vec<&str> = label.split_ascii_whitespace().collect();
    let (worth, best) = match words[..] {
        [value, best] => (Some(score(value.parse()?)?), best.parse()?),
        [best] => (None, best.parse()?),
        _ => bail!("no best move"),
    };
    ensure_on_board(size, further.iter().chain([&best]))?;
    let source = SampleSource::Cutoff(UNKNOWN_DEPTH);
    let sample = TreeSample { shared: 0, further, source, best };
    let mut record = TrainingGame { samples: vec![sample], ..TrainingGame::default() };
    record.check()?;
    if worth.is_some() {
        let mut position = Position::new(size, rule);
        let sample = &mut record.samples[0];
        sample.further.iter().for_each(|&point| position.play(point));
        sample.source =
            SampleSource::Label(SearchVerdict { score: worth, forced: !has_choice(&position) });
    }
    Ok((Some(number), record))
}

fn ensure_on_board<'a>(
    size: BoardSize,
    points: impl IntoIterator<Item = &'a Point>,
) -> anyhow::Result<()> {
    for &point in points {
        ensure!(size.contains(point), "{point} is off the board");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::types::Score;

    #[test]
    fn damaged_lines_are_reported_and_skipped() {
        let game = "black 4 7,7 8,8 6,8 8,6 8,7 6,7 9,7 | 10 -20 30";
        let text = format!("# rule=renju size=15x15\n{game}\nblack 4 7,7\n{game} 7\n");
        let input = read(&text).unwrap();
        assert_eq!((input.rule, input.size.to_string().as_str()), (Rule::Renju, "15x15"));
        let numbers: Vec<u64> = input.games.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [0, 2]);
        assert_eq!(input.faults, ["line 3: no scores"]);
        let (first, second) = (&input.games[0].1, &input.games[1].1);
        assert_eq!((first.opening, first.moves.len(), first.verdicts.len()), (4, 7, 3));
        assert_eq!((first.winner, second.verdicts.len()), (Some(Color::Black), 4));
        for bad in [
            "black 4 7,7 8,8 6,8 8,6 8,7 6,7 7,7 | 10 -20 30",
            "black 4 7,7 8,8 6,8 8,6 8,7 6,7 9,19 | 10 -20 30",
            "black 9 7,7 8,8 | 1",
            "purple 0 7,7 | 1",
            "black 0 7,7 | 99999999",
        ] {
            let input = read(&format!("# rule=renju size=15x15\n{bad}\n")).unwrap();
            assert_eq!((input.games.len(), input.faults.len()), (0, 1), "{bad}");
        }
    }

    #[test]
    fn labels_of_one_search_form_one_game() {
        let text = "# rule=standard size=15x15 nodes=9 every=20 seed=1\n\
                    5 7,7 8,8 | -20 9,9\n5 7,7 | 8,8\n6 | 3 7,7\n6 7,7 | 3 7,7\n6 7,7 |\n\
                    6 7,7 | -99999999 8,8\n";
        let input = read(text).unwrap();
        let faults = [
            "line 5: 7,7 is occupied in a sample",
            "line 6: no best move",
            "line 7: score out of range: -99999999",
        ];
        assert_eq!(input.faults, faults);
        let samples: Vec<(u64, usize)> =
            input.games.iter().map(|(number, game)| (*number, game.samples.len())).collect();
        assert_eq!(samples, [(5, 2), (6, 1)]);
        let sample = &input.games[0].1.samples[0];
        let verdict = SearchVerdict { score: Some(Score::raw(-20)), forced: false };
        assert_eq!((sample.source, sample.best), (SampleSource::Label(verdict), Point::new(9, 9)));
        let sample = &input.games[0].1.samples[1];
        assert_eq!((sample.source, sample.best), (SampleSource::Cutoff(1), Point::new(8, 8)));
    }
}
