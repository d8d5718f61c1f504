//! Guesses the encoding of bytes. Player names are too short for the language statistics of the
//! crate `chardetng` alone, so typical words and typical encodings of game files are considered as
//! well.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding as Table, GB18030, GBK, IBM866, ISO_2022_JP, ISO_8859_5, KOI8_R,
    KOI8_U, SHIFT_JIS, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, X_MAC_CYRILLIC,
};

use super::Encoding;
use crate::diagram::is_symbol;

/// Maximum number of bytes to examine.
const MAX_BYTES: usize = 1 << 20;

/// East Asian multi-byte encodings.
const EASTERN: [&Table; 5] = [GB18030, BIG5, SHIFT_JIS, EUC_KR, EUC_JP];
/// Cyrillic encodings.
const CYRILLIC: [&Table; 6] = [WINDOWS_1251, KOI8_R, KOI8_U, IBM866, ISO_8859_5, X_MAC_CYRILLIC];

/// Cyrillic encodings that are rare in game files.
const RARE_CYRILLIC: [&Table; 3] = [IBM866, ISO_8859_5, X_MAC_CYRILLIC];

/// Characters that are common in game files and names.
const FAMILIAR: &str = "黑白胜负和局棋手五子连珠先后开必好变杀活冲四三禁比赛第届中国王李张刘陈杨赵周吴徐孙\
     勝負連開變殺沖賽黃張劉陳楊趙吳黒の番先後戦名人目村田山本川藤岡井木部寛茂\
     흑백승패김이박최정강조윤장임한오서신권황안송류전홍고문양손배허유남심노하성차주우구민진지나\
     원천방공현변여추도소석선설마연표명기왕철수영호준재상동경미희은혜목대회결국무부사삼렬룰돌";

/// The score of a character that is common in an encoding.
const COMMON: f64 = 1.0;
/// The bonus for the encoding that the statistics guess.
const GUESSED: f64 = 0.3;
/// The malus for an encoding that is rare in game files.
const RARE: f64 = 0.4;
/// Minimum number of non-ASCII characters for each invalid one.
pub(super) const MIN_VALID: usize = 20;
/// From this score on, a multi-byte encoding is more likely than unusual Western letters.
const LIKELY: f64 = 0.8;

/// Minimum share of the symbols of boards among the characters of a drawing that are not ASCII.
const DRAWN: f64 = 0.7;

/// Guesses the encoding of bytes that are not UTF-8.
pub(super) fn guess(bytes: &[u8]) -> Encoding {
    let bytes = &bytes[..bytes.len().min(MAX_BYTES)];
    // The statistics are about words.
    if let Some(table) = of_drawing(bytes) {
        return Encoding(table);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    let statistics = detector.guess(None, Utf8Detection::Deny);
    let statistics = if statistics == GBK { GB18030 } else { statistics };
    Encoding(match statistics {
        it if it == ISO_2022_JP => it,
        it if EASTERN.contains(&it) => best_east_asian(bytes, it).map_or(it, |(best, _)| best),
        it if CYRILLIC.contains(&it) => match best_east_asian(bytes, it) {
            // Both Cyrillic and East Asian letters consist of high bytes only.
            Some((best, score)) if score > COMMON => best,
            _ if is_hangul(bytes) => EUC_KR,
            Some((best, score)) if score > LIKELY && RARE_CYRILLIC.contains(&it) => best,
            _ if it == KOI8_U => KOI8_R,
            _ => it,
        },
        it => western(bytes, it),
    })
}

/// The East Asian encoding in which most characters are the symbols of drawn boards: frames, discs.
fn of_drawing(bytes: &[u8]) -> Option<&'static Table> {
    let mut best = None;
    for table in EASTERN {
        let text = table.decode_without_bom_handling(bytes).0;
        let foreign = text.chars().filter(|symbol| !symbol.is_ascii()).count();
        let symbols = text.chars().filter(|symbol| is_symbol(*symbol)).count();
        let share = symbols as f64 / foreign.max(1) as f64;
        // The symbols of one encoding are those of another in part.
        if symbols > 1 && share >= DRAWN && best.is_none_or(|(_, highest)| share > highest) {
            best = Some((table, share));
        }
    }
    best.map(|(table, _)| table)
}

/// Guesses the encoding of bytes that the statistics classify as Western, or as a language that is
/// unlikely in game files.
fn western(bytes: &[u8], statistics: &'static Table) -> &'static Table {
    if is_japanese(bytes) {
        return SHIFT_JIS;
    }
    if has_lone_letters(bytes) {
        let of_both = [WINDOWS_1250, WINDOWS_1252]
            .map(|it| it.decode_without_bom_handling_and_without_replacement(bytes));
        return match statistics.name() {
            _ if of_both[0].is_some() && of_both[0] == of_both[1] => WINDOWS_1252,
            "windows-1250" | "ISO-8859-2" | "windows-1252" | "windows-1254" | "windows-1258" => {
                statistics
            }
            // Czech names are far more frequent in game files than Baltic ones.
            "windows-1257" => WINDOWS_1250,
            _ => WINDOWS_1252,
        };
    }
    match best_east_asian(bytes, statistics) {
        Some((best, score)) if score >= LIKELY => best,
        _ if is_cyrillic(bytes) => WINDOWS_1251,
        _ => statistics,
    }
}

/// Whether bytes are Shift_JIS although ASCII letters follow high bytes, as the second halves of its
/// characters may be letters. In Western encodings they would be mostly signs, such as dashes.
fn is_japanese(bytes: &[u8]) -> bool {
    let is_sign = |byte: &u8| matches!(byte, 0x80..=0x89 | 0x8b | 0x91..=0x99 | 0x9b);
    let high = bytes.iter().filter(|byte| **byte >= 0x80).count();
    let signs = bytes.iter().filter(|byte| is_sign(byte)).count();
    let text = SHIFT_JIS.decode_without_bom_handling_and_without_replacement(bytes);
    let Some(text) = text.filter(|_| signs * 3 >= high) else { return false };
    let symbols: Vec<char> = text.chars().collect();
    let foreign = symbols.iter().filter(|symbol| !symbol.is_ascii()).count();
    // A sign between Western letters would be a single character.
    let pairs = symbols.windows(2).filter(|pair| pair.iter().all(|it| !it.is_ascii())).count();
    let score = average_score(bytes, SHIFT_JIS);
    pairs * 2 >= foreign && score.is_some_and(|score| score >= LIKELY)
}

/// Maximum number of high bytes between two ASCII letters of a Western word, as in Grüße.
const MAX_RUN: usize = 3;

/// Whether all characters are Korean syllables of EUC-KR, some of them common in game files.
fn is_hangul(bytes: &[u8]) -> bool {
    let text = EUC_KR.decode_without_bom_handling_and_without_replacement(bytes);
    let Some(text) = text else { return false };
    let foreign = || text.chars().filter(|symbol| !symbol.is_ascii());
    foreign().all(|symbol| ('가'..='힣').contains(&symbol))
        && foreign().count() > 1
        && foreign().any(|symbol| FAMILIAR.contains(symbol))
}

/// Whether a high byte is next to an ASCII letter, as in Western names.
fn has_lone_letters(bytes: &[u8]) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic();
    let beside = |run: &[u8]| run.len() % 2 == 1 || !run.iter().all(|byte| *byte >= 0x80);
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] < 0x80 {
            at += 1;
            continue;
        }
        let length = bytes[at..].iter().take_while(|byte| **byte >= 0x80).count();
        let before = at.checked_sub(1).and_then(|it| bytes.get(it)).is_some_and(is_letter);
        let behind = bytes.get(at + length).is_some_and(is_letter);
        let run = &bytes[at..at + length];
        if ((before || behind) && beside(run)) || (before && behind && length <= MAX_RUN) {
            return true;
        }
        at += length;
    }
    false
}

/// Whether all high bytes are letters in windows-1251.
fn is_cyrillic(bytes: &[u8]) -> bool {
    bytes
        .iter()
        .filter(|byte| **byte >= 0x80)
        .all(|byte| *byte >= 0xc0 || [0xa8, 0xb8].contains(byte))
}

/// The best East Asian encoding and its score.
fn best_east_asian(bytes: &[u8], statistics: &'static Table) -> Option<(&'static Table, f64)> {
    let mut best: Option<(&Table, f64)> = None;
    for table in EASTERN {
        let Some(mut score) = average_score(bytes, table) else { continue };
        score += if table == statistics { GUESSED } else { 0.0 };
        // Japanese texts without kana are rare, and so is this encoding.
        let has_kana =
            bytes.windows(2).any(|pair| matches!(pair[0], 0xa4 | 0xa5) && pair[1] > 0xa0);
        score -= if table == EUC_JP && !has_kana { RARE } else { 0.0 };
        if best.is_none_or(|(_, highest)| score > highest) {
            best = Some((table, score));
        }
    }
    best
}

/// The average score of the non-ASCII characters in this encoding; `None` if the bytes are invalid
/// in it. A few invalid characters do not matter: programs cut long comments within one.
fn average_score(bytes: &[u8], table: &'static Table) -> Option<f64> {
    let text = table.decode_without_bom_handling(bytes).0;
    let foreign = || text.chars().filter(|symbol| !symbol.is_ascii());
    let is_invalid = |symbol: &char| *symbol == char::REPLACEMENT_CHARACTER;
    if !are_few(foreign().filter(is_invalid).count(), foreign().count(), MIN_VALID) {
        return None;
    }
    let (mut sum, mut count) = (0.0, 0.0);
    for symbol in foreign().filter(|symbol| !is_invalid(symbol)) {
        let mut buffer = [0; 4];
        let (code, _, _) = table.encode(symbol.encode_utf8(&mut buffer));
        let familiar = if FAMILIAR.contains(symbol) { 0.5 } else { 0.0 };
        sum += commonness(table, &code) + familiar;
        count += 1.0;
    }
    (count > 0.0).then(|| sum / count)
}

/// Whether there are at least `min_valid` of `count` characters for each of the `invalid` ones.
pub(super) fn are_few(invalid: usize, count: usize, min_valid: usize) -> bool {
    invalid * min_valid <= count
}

/// How common a character is, judged by its code: the standards order characters by frequency.
fn commonness(table: &'static Table, code: &[u8]) -> f64 {
    let (lead, trail) = (code[0], code.get(1).copied());
    let Some(trail) = trail else { return -0.5 };
    match table {
        it if it == GB18030 => match (lead, trail) {
            (0xb0..=0xd7, 0xa1..) | (0xa1 | 0xa3, _) => COMMON,
            (0xd8..=0xf7, 0xa1..) => 0.5,
            (0xa4 | 0xa5, 0xa1..) => 0.3,
            _ => -1.0,
        },
        it if it == BIG5 => match lead {
            0xa1..=0xa3 => 0.8,
            0xa4..=0xc6 => 0.9,
            _ => 0.2,
        },
        it if it == SHIFT_JIS => match (lead, trail) {
            (0x82, 0x9f..) | (0x83, ..=0x96) | (0x88..=0x97, _) => COMMON,
            (0x81, _) => 0.8,
            _ => 0.3,
        },
        it if it == EUC_KR => match lead {
            0xb0..=0xc8 if trail >= 0xa1 => 0.6,
            0xa1..=0xaf if trail >= 0xa1 => 0.5,
            0xca.. if trail >= 0xa1 => 0.2,
            _ => -0.5,
        },
        _ => match lead {
            0xa4 | 0xa5 => COMMON,
            0xb0..=0xcf => 0.8,
            0xa1 => 0.8,
            _ => 0.3,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game with a player of this name, encoded with `table`.
    fn game(table: &'static Table, name: &str) -> Vec<u8> {
        let (bytes, _, unmappable) = table.encode(name);
        assert!(!unmappable, "{name}");
        [b"(;GM[4]SZ[15]PB[", &bytes[..], b"]PW[x];B[hh];W[hg])\n"].concat()
    }

    #[test]
    fn encoding_is_guessed_from_short_names() {
        for (table, names) in [
            (
                GB18030,
                &[
                    "中国",
                    "白好",
                    "棋",
                    "曹冬",
                    "梅凡 祝澍 丁晓",
                    "黑胜",
                    "第一届五子棋比赛",
                    "好棋，白必胜",
                    "白花",
                    "张三",
                    "必胜",
                    "黑棋",
                    "朱建锋",
                    "李明",
                    "王小虎",
                ][..],
            ),
            (
                SHIFT_JIS,
                &[
                    "中村茂",
                    "白番",
                    "黒の勝ち",
                    "第30期名人戦 表ソ能",
                    "岡部寛",
                    "なかむら",
                    "河村典彦",
                    "藤田雄大",
                ],
            ),
            (EUC_JP, &["黒の勝ち"]),
            (EUC_KR, &["흑승", "김철수", "오목 대회 결승", "한국", "렌주", "흑 필승 좋은 수"]),
            (BIG5, &["許功蓋", "林皇羽", "白勝", "五子棋比賽 黑必勝", "中國", "花月"]),
            (WINDOWS_1251, &["ход", "Никонов", "белые выиграли", "Сушков Владимир", "Чёрные"]),
            (KOI8_R, &["Никонов Константин"]),
            (WINDOWS_1250, &["Černý Dvořák", "Luboš Krejčí", "Žižka", "Řehoř"]),
            (WINDOWS_1252, &["René", "Soosõrv", "Göran", "“good” – don’t", "Grüße"]),
        ] {
            for name in names {
                let bytes = game(table, name);
                let found = guess(&bytes);
                let text = found.0.decode_without_bom_handling(&bytes).0.into_owned();
                assert!(text.contains(&format!("PB[{name}]")), "{name}: {found} {text}");
            }
        }
    }

    #[test]
    fn vietnamese_is_guessed_from_names() {
        let title = b"Tr\xe2\xf2n chung k\xea\xect gia\xd2i c\xf5\xcc caro Vi\xea\xf2t Nam";
        for name in [
            &b"Nguy\xea\xden V\xe3n \xd0\xfd\xecc"[..],
            b"Tr\xe2\xecn",
            b"\xd0\xe3\xf2ng Qu\xf4\xecc Hu\xccng",
            title,
        ] {
            let bytes = [b"(;GM[4]PB[", name, b"];B[hh])"].concat();
            assert_eq!(guess(&bytes).0.name(), "windows-1258", "{name:x?}");
        }
    }

    #[test]
    fn characters_that_are_cut_do_not_matter() {
        let (text, _, _) = GB18030.encode("此处应该先冲四，白棋防守错误，黑必胜，双方下成和棋");
        let comments = [&text[..], b"]C[", &text[..text.len() - 1], b"]"].concat();
        assert_eq!(guess(&comments), Encoding(GB18030));
    }
}
