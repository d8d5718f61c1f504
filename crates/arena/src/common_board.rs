//! The rule and board of a match or comparison that its games state.

use tengen_cli::args::BoardArgs;
use tengen_record::GameRecord;

/// `requested`, completed by the rule and the size that all `games` state.
pub(super) fn completed<'a>(
    requested: BoardArgs,
    games: impl Iterator<Item = &'a GameRecord> + Clone,
) -> BoardArgs {
    let stated = |game: &GameRecord| game.rule.filter(|_| !game.has_default_rule);
    let rule = requested.rule.or_else(|| common(games.clone().map(stated)).flatten());
    let size = requested.size.or_else(|| common(games.map(|game| game.size)));
    BoardArgs { rule, size }
}

/// A note that names the rule and the size of `board` that were not requested and are not the default.
pub(super) fn note(requested: BoardArgs, board: BoardArgs) -> Option<String> {
    let (rule, size) = (board.rule(), board.size());
    let rule = (rule != requested.rule()).then(|| rule.to_string());
    let size = (size != requested.size()).then(|| size.to_string());
    let stated: Vec<String> = rule.into_iter().chain(size).collect();
    (!stated.is_empty()).then(|| format!("{}, as all games state", stated.join(" on ")))
}

/// The value of all items, if it is the same.
fn common<T: PartialEq>(mut values: impl Iterator<Item = T>) -> Option<T> {
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_record::{Format, ReadOptions, read, write};
    use tengen_rules::types::{BoardSize, Rule};

    #[test]
    fn only_what_all_games_state_completes_the_request() {
        let terms = |requested: BoardArgs, file: &str| {
            let games = read(file.as_bytes(), &ReadOptions::default()).unwrap().list;
            let board = completed(requested, games.iter());
            (board.rule(), board.size().to_string(), note(requested, board))
        };
        let (renju, standard) =
            ("(;GM[4]SZ[20]RU[renju];B[hh])", "(;GM[4]SZ[15]RU[standard];B[hh])");
        let open = BoardArgs { rule: None, size: None };
        let stated = terms(open, &renju.repeat(2));
        let expected = Some("renju on 20x20, as all games state".to_string());
        assert_eq!(stated, (Rule::Renju, "20x20".to_string(), expected));
        let default = (Rule::Freestyle, "15x15".to_string(), None);
        assert_eq!(terms(open, &format!("{renju}{standard}")), default);
        // A note does not name what was requested.
        let standard_rule = BoardArgs { rule: Some(Rule::Standard), size: None };
        let size_note = Some("20x20, as all games state".to_string());
        assert_eq!(terms(standard_rule, renju), (Rule::Standard, "20x20".to_string(), size_note));
        let fixed = BoardArgs { rule: Some(Rule::Caro), size: BoardSize::square(15).ok() };
        assert_eq!(terms(fixed, renju), (Rule::Caro, "15x15".to_string(), None));
        let without_rule = format!("{standard}(;GM[4]SZ[15];B[hh])");
        assert_eq!(terms(open, &without_rule), default);
    }

    #[test]
    fn default_rule_of_a_format_is_not_stated() {
        let rule = |format: Format, bytes: &[u8]| {
            let reading = ReadOptions { format: Some(format), ..ReadOptions::default() };
            let games = read(bytes, &reading).unwrap().list;
            assert_eq!(games[0].rule, Some(Rule::Renju));
            completed(BoardArgs { rule: None, size: None }, games.iter()).rule()
        };
        let game = read(b"(;GM[4]SZ[15]RU[renju];B[hh];W[ii])", &ReadOptions::default()).unwrap();
        let mut lib = Vec::new();
        write(&game.list, Format::Lib, &mut lib).unwrap();
        assert_eq!(rule(Format::Lib, &lib), Rule::Freestyle);
        let rif = |name: &str| {
            format!(
                "<database><rules><rule id=\"1\" name=\"{name}\"/></rules><games>\
                 <game id=\"1\" rule=\"1\"><move>h8 i9</move></game></games></database>"
            )
        };
        assert_eq!(rule(Format::Rif, rif("unknown").as_bytes()), Rule::Freestyle);
        assert_eq!(rule(Format::Rif, rif("Renju").as_bytes()), Rule::Renju);
    }
}
