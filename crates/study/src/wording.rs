//! Names and results in the words of a language. In English they are those of the Rust types.

use tengen::players::PlayerName;
use tengen_record::{GameResult, reasons};
use tengen_rules::game::{Ending, Offence};
use tengen_rules::openings::RenjuOpening;
use tengen_rules::threat::{Foul, ThreatKind};
use tengen_rules::types::{BoardSize, Color, Rule};
use tengen_words::{Language, Words, say};

/// The name of a colour.
pub fn color(words: &Words, color: Color) -> &str {
    words.name("color", color.name(), color.name())
}

/// The name of a rule.
pub fn rule(words: &Words, rule: Rule) -> &str {
    words.name("rule", rule.name(), rule.name())
}

/// The name of a foul.
pub fn foul(words: &Words, foul: Foul) -> &str {
    words.name("foul", foul.name(), foul.name())
}

/// The name of a kind of threat.
pub fn threat(words: &Words, kind: ThreatKind) -> &str {
    named(words, kind, kind.name())
}

/// The name of a kind of threat, as the object of "the stone makes".
pub fn made(words: &Words, kind: ThreatKind) -> &str {
    named(words, kind, kind.made())
}

fn named<'a>(words: &'a Words, kind: ThreatKind, english: &'a str) -> &'a str {
    words.name(if kind.is_foul() { "foul" } else { "name" }, kind.name(), english)
}

/// The name of a player: `level:club` in English, else the name of the level.
pub fn player(words: &Words, player: PlayerName) -> String {
    let name = player.to_string();
    let (kind, own) = name.split_once(':').unwrap_or(("level", &name));
    match (words.find("player.bot"), kind) {
        (Some(bot), "bot") => words.fill_text(bot, &[("name", &own)]),
        _ => words.name("level", own, &name).to_string(),
    }
}

/// The name of an opening of renju, with its code.
pub fn opening(words: &Words, opening: &RenjuOpening) -> String {
    let RenjuOpening { code, japanese, .. } = *opening;
    match words.language() {
        Language::Japanese => format!("{code} {japanese}"),
        Language::SimplifiedChinese => format!("{code} {}", opening.chinese),
        Language::TraditionalChinese => format!("{code} {}", opening.traditional_chinese),
        Language::Korean => format!("{code} {}", opening.korean),
        Language::Russian => format!("{code} {} {japanese}", opening.russian),
        Language::English | Language::Vietnamese | Language::Czech => opening.to_string(),
    }
}

/// The reason why a move is not allowed, without the move.
pub fn offence(words: &Words, offence: Offence) -> String {
    let text = words.find(&format!("error.offence.{}", offence.name()));
    text.map_or_else(|| offence.to_string(), str::to_string)
}

/// The reason why the move `written` cannot be played on a board of this size.
pub fn refused(words: &Words, offence: Offence, written: &str, size: BoardSize) -> String {
    let (key, foul) = match offence {
        Offence::Foul(kind) => ("foul.at", foul(words, kind)),
        Offence::OffBoard => ("error.off-board", ""),
        _ => ("error.at", ""),
    };
    let Some(text) = words.find(key) else { return offence.of_move(written, size) };
    let error = self::offence(words, offence);
    let values: [(&str, &dyn std::fmt::Display); 6] = [
        ("at", &written),
        ("foul", &foul),
        ("name", &written),
        ("size", &size),
        ("place", &written),
        ("error", &error),
    ];
    words.fill_text(text, &values)
}

/// How a game ended on the board.
pub fn ending(words: &Words, ending: Ending) -> String {
    result(words, ending.into(), Some(ending.reason()))
}

/// A result with its reason: one of the words of [`Ending::reason`] and [`reasons`], or another text.
pub fn result(words: &Words, result: GameResult, reason: Option<&str>) -> String {
    let winner = match result {
        GameResult::Win(winner) => color(words, winner),
        GameResult::Draw | GameResult::Void => "",
    };
    let Some(reason) = reason else {
        return match result {
            GameResult::Win(_) => say!(words, "end.wins", winner = winner),
            GameResult::Draw => words.text("end.draw").to_string(),
            GameResult::Void => words.text("end.void").to_string(),
        };
    };
    let has_sentence = match result {
        GameResult::Win(_) => {
            let of_black = ["double-three", "double-four", "overline"];
            [&of_black[..], &["five", reasons::RESIGNATION, reasons::TIMEOUT]]
                .concat()
                .contains(&reason)
        }
        GameResult::Draw => reason == "full",
        GameResult::Void => false,
    };
    if let Some(sentence) = words.find(&format!("end.{reason}")).filter(|_| has_sentence) {
        return words.fill_text(sentence, &[("winner", &winner)]);
    }
    let reason = words.name("error.offence", reason, reason);
    match result {
        GameResult::Win(_) => say!(words, "end.by", winner = winner, reason = reason),
        GameResult::Draw => say!(words, "end.draw-by", reason = reason),
        GameResult::Void => format!("{}: {reason}", words.text("end.void")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_names_are_those_of_the_types() {
        let words = Words::english();
        for kind in [ThreatKind::StraightFour, ThreatKind::Foul(Foul::DoubleThree)] {
            assert_eq!((threat(words, kind), made(words, kind)), (kind.name(), kind.made()));
        }
        for name in ["level:club", "bot:one-ply"] {
            assert_eq!(player(words, name.parse().unwrap()), name);
        }
        let size = "15".parse().unwrap();
        for it in [Offence::OffBoard, Offence::Occupied, Offence::Foul(Foul::Overline)] {
            assert_eq!(refused(words, it, "q16", size), it.of_move("q16", size));
            assert_eq!(offence(words, it), it.to_string());
        }
        for it in [Ending::Five(Color::White), Ending::Full, Foul::DoubleFour.into()] {
            assert_eq!(ending(words, it), it.to_string());
        }
        assert_eq!(result(words, GameResult::Void, None), "void");
        assert_eq!(result(words, GameResult::Win(Color::Black), None), "black wins");
    }

    #[test]
    fn names_and_results_are_translated() {
        let czech = Words::of(Language::Czech);
        assert_eq!(player(czech, "club".parse().unwrap()), "Pokročilý");
        assert_eq!(player(czech, "bot:one-ply".parse().unwrap()), "Bot: one-ply");
        assert_eq!(threat(czech, ThreatKind::OpenThree), "otevřená trojka");
        assert_eq!(made(czech, ThreatKind::Foul(Foul::DoubleThree)), "dvojitá trojka");
        let japanese = Words::of(Language::Japanese);
        let won = GameResult::Win(Color::White);
        assert_eq!(result(japanese, won, Some("double-three")), "白の勝ち: 黒の三三禁");
        assert_eq!(result(japanese, won, Some("off-board")), "白の勝ち: 盤の外です");
        // Texts that a file contains are not keys.
        assert_eq!(result(japanese, won, Some("you-win")), "白の勝ち: you-win");
        assert_eq!(result(japanese, GameResult::Draw, Some("full")), "満局引き分け");
        let size = "15".parse().unwrap();
        assert_eq!(refused(japanese, Offence::Occupied, "h8", size), "h8: すでに石があります");
        let overline = Offence::Foul(Foul::Overline);
        assert_eq!(refused(japanese, overline, "h8", size), "h8 は禁点: 長連");
    }

    #[test]
    fn openings_have_the_names_of_the_language() {
        let game = tengen_testkit::game(Rule::Renju, "h8 h9 i9");
        let kagetsu = RenjuOpening::of(&game).unwrap();
        let names = Language::ALL.map(|language| opening(Words::of(language), kagetsu));
        let expected = [
            "D4 Kagetsu 花月",
            "D4 花月",
            "D4 花月",
            "D4 花月",
            "D4 화월",
            "D4 Kagetsu 花月",
            "D4 Kagetsu 花月",
            "D4 Кагэцу 花月",
        ];
        assert_eq!(names, expected);
    }
}
