//! Text encodings of files.

mod guess;

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use encoding_rs::DecoderResult;

use super::text::{line_of, with_plain_lines};
use super::{Place, RecordError};
use guess::{MIN_VALID, are_few, guess};

/// The text encoding of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding(&'static encoding_rs::Encoding);

impl Default for Encoding {
    /// UTF-8.
    fn default() -> Encoding {
        Encoding(encoding_rs::UTF_8)
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

/// Names that the WHATWG Encoding Standard lacks, without spaces and punctuation.
const ALIASES: [(&str, &str); 6] = [
    ("932", "shift_jis"),
    ("936", "gbk"),
    ("949", "euc-kr"),
    ("950", "big5"),
    ("uhc", "euc-kr"),
    ("utf16", "utf-16le"),
];

/// Prefixes of Windows code page numbers.
const BEFORE_NUMBERS: [&str; 6] = ["cp", "ms", "windows", "win", "codepage", ""];

impl FromStr for Encoding {
    type Err = ParseEncodingError;

    /// Accepts the names of the WHATWG Encoding Standard, such as `gbk`, `shift_jis`, `cp1251`,
    /// `big5` or `utf-8`, Windows code page numbers, and other spellings such as `euc_kr` and
    /// `latin-1`.
    fn from_str(text: &str) -> Result<Encoding, ParseEncodingError> {
        let name = text.trim().to_ascii_lowercase();
        let compact = name.replace(['-', '_', ' ', '.', ':'], "");
        let number = BEFORE_NUMBERS.iter().find_map(|start| compact.strip_prefix(start));
        let number = number
            .filter(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()));
        let alias = ALIASES
            .iter()
            .find(|(alias, _)| *alias == compact || Some(*alias) == number)
            .map(|&(_, name)| name.to_string());
        let spellings = [
            Some(name.clone()),
            alias,
            number.map(|number| format!("windows-{number}")),
            Some(name.replace(['_', ' '], "-")),
            Some(name.replace(['-', ' '], "_")),
            Some(compact.clone()),
            // `iso88591`, `euckr`, `koi8r` and the like.
            compact.strip_prefix("iso8859").map(|part| format!("iso-8859-{part}")),
            compact.strip_prefix("euc").map(|part| format!("euc-{part}")),
            compact.strip_prefix("koi8").map(|part| format!("koi8-{part}")),
            compact.strip_prefix("iso2022").map(|part| format!("iso-2022-{part}")),
            compact.strip_prefix("utf16").map(|part| format!("utf-16{part}")),
        ];
        let known = |name: String| encoding_rs::Encoding::for_label(name.as_bytes());
        let found = spellings.into_iter().flatten().find_map(known);
        found.map(Encoding).ok_or_else(|| ParseEncodingError { text: text.to_string() })
    }
}

/// An unknown encoding name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseEncodingError {
    text: String,
}

impl fmt::Display for ParseEncodingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = &self.text;
        write!(f, "unknown encoding {text:?}: expected one such as utf-8, gbk, shift_jis or cp1251")
    }
}

impl std::error::Error for ParseEncodingError {}

/// How the encoding of a file was determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// By a byte order mark, the caller or the file, or because the bytes are valid UTF-8.
    Sure,
    /// As before, but a few characters are invalid, the first at this position.
    Damaged { encoding: Encoding, first: Place },
    /// Guessed from the bytes.
    Guess(Encoding),
    /// Guessed from the bytes, which contradict the encoding that the file states.
    Corrected { stated: Encoding, guess: Encoding },
}

impl Source {
    /// The encoding, if it was guessed.
    pub(super) fn guess(self) -> Option<Encoding> {
        match self {
            Source::Sure | Source::Damaged { .. } => None,
            Source::Guess(guess) | Source::Corrected { guess, .. } => Some(guess),
        }
    }

    /// The remark for the user, if the encoding was guessed or characters are invalid.
    pub(super) fn remark(self) -> Option<String> {
        match self {
            Source::Sure => None,
            Source::Damaged { encoding, first } => {
                let lost = "invalid characters become \u{fffd}";
                let text = format!("the text is not valid {encoding}; {lost}");
                Some(RecordError::new(text).at(first).to_string())
            }
            Source::Guess(encoding) => {
                Some(format!("the file does not state its encoding; guessed {encoding}"))
            }
            Source::Corrected { stated, guess } => {
                Some(format!("the file states {stated}, which its text is not; guessed {guess}"))
            }
        }
    }
}

/// Minimum number of non-ASCII characters for each invalid one, where the encoding is UTF-8 or stated
/// by the caller. Few texts in other encodings pass as UTF-8: 0.3 % of those of four characters.
const MIN_VALID_OF_SURE: usize = 4;

/// Decodes the text of a file that is not a game file. Returns a remark for the user if the encoding,
/// unless it is requested, had to be guessed, or if a few characters are invalid.
///
/// # Errors
/// When the bytes are invalid in the requested encoding.
pub fn decode(
    bytes: &[u8],
    requested: Option<Encoding>,
) -> Result<(Cow<'_, str>, Option<String>), RecordError> {
    let (text, source) = text_of(bytes, requested, None)?;
    Ok((text, source.remark()))
}

/// Decodes a file. The encoding is that of the byte order mark, else the requested one, else the
/// one that the file declares, unless the bytes are UTF-8 beyond doubt, else UTF-8 if the bytes are
/// valid, else a guess. A few invalid characters, as where a program cut a long comment, do not
/// matter.
///
/// # Errors
/// When the bytes are invalid in the requested encoding.
pub(super) fn text_of(
    bytes: &[u8],
    requested: Option<Encoding>,
    declared: Option<Encoding>,
) -> Result<(Cow<'_, str>, Source), RecordError> {
    let marked = encoding_rs::Encoding::for_bom(bytes);
    let start = marked.map_or(0, |(_, length)| length);
    let bytes = &bytes[start..];
    if let Some(found) = marked.and_then(|(table, _)| Encoding(table).text(bytes)) {
        return Ok(found);
    }
    if let Some(encoding) = requested {
        return match encoding.text(bytes) {
            Some(found) => Ok(found),
            None => Ok((encoding.decode(bytes, start)?, Source::Sure)),
        };
    }
    if let Some(stated) = declared {
        // Many programs write UTF-8 and leave the declaration of another program as it was.
        if let Some(text) = std::str::from_utf8(bytes).ok().filter(|text| stated.is_not(text)) {
            let guess = Encoding::default();
            return Ok((text.into(), Source::Corrected { stated, guess }));
        }
        if let Ok(text) = stated.decode(bytes, 0) {
            return Ok((text, Source::Sure));
        }
    }
    if let Some(encoding) = detect_utf16(bytes) {
        return Ok((encoding.decode_lossy(bytes), Source::Guess(encoding)));
    }
    let damaged = || declared.and_then(|encoding| encoding.damaged_text(bytes, MIN_VALID));
    if let Some(found) = Encoding::default().text(bytes).or_else(damaged) {
        return Ok(found);
    }
    let guess = guess(bytes);
    let source = match declared {
        Some(stated) => Source::Corrected { stated, guess },
        None => Source::Guess(guess),
    };
    Ok((guess.decode_lossy(bytes), source))
}

/// The likely text of the first bytes of a file, to detect its format. `requested` is the encoding that
/// the caller states.
pub(super) fn start(bytes: &[u8], requested: Option<Encoding>) -> Cow<'_, str> {
    let marked = encoding_rs::Encoding::for_bom(bytes);
    let unmarked = || {
        let stated = requested.or_else(|| detect_utf16(bytes));
        // The last character may be cut.
        let is_invalid = std::str::from_utf8(bytes).is_err_and(|it| it.error_len().is_some())
            && Encoding::default().text(bytes).is_none();
        let guessed = || if is_invalid { guess(bytes) } else { Encoding::default() };
        (stated.unwrap_or_else(guessed).0, 0)
    };
    let (table, length) = marked.unwrap_or_else(unmarked);
    table.decode_without_bom_handling(&bytes[length..]).0
}

/// Number of bytes to examine for UTF-16.
const UTF16_BYTES: usize = 1024;

/// Detects UTF-16 without a byte order mark: every second byte of ASCII text is zero.
fn detect_utf16(bytes: &[u8]) -> Option<Encoding> {
    let start = &bytes[..bytes.len().min(UTF16_BYTES)];
    let zeros =
        |offset: usize| start.iter().skip(offset).step_by(2).filter(|&&byte| byte == 0).count() * 2;
    let (even, odd) = (zeros(0), zeros(1));
    let is_most = |zeros: usize, others: usize| zeros * 10 > start.len() * 7 && others == 0;
    match () {
        () if start.len() < 4 => None,
        () if is_most(odd, even) => Some(Encoding(encoding_rs::UTF_16LE)),
        () if is_most(even, odd) => Some(Encoding(encoding_rs::UTF_16BE)),
        () => None,
    }
}

impl Encoding {
    /// Guesses the encoding of bytes that are not UTF-8.
    pub(super) fn guessed(bytes: &[u8]) -> Encoding {
        guess(bytes)
    }

    /// Whether a text that is valid UTF-8 and declares this encoding is UTF-8 beyond doubt. Two
    /// bytes may be a character in both encodings by chance.
    fn is_not(self, text: &str) -> bool {
        let count = |test: fn(&char) -> bool| text.chars().filter(test).count();
        let ascii = |text: &str| text.chars().filter(char::is_ascii).count();
        match () {
            () if self == Encoding::default() => false,
            // A declaration in UTF-16 would not have been found.
            () if self.0 == encoding_rs::UTF_16LE || self.0 == encoding_rs::UTF_16BE => true,
            () if self.0.is_single_byte() => {
                // `é` would be `Ã©`.
                count(|symbol| ('\u{80}'..'\u{180}').contains(symbol)) > 0
                    || count(|symbol| !symbol.is_ascii()) > 1
            }
            // A lone character of three bytes would take in the letter or sign behind it.
            () => match count(|symbol| symbol.len_utf8() > 2) {
                0 => false,
                1 => count(char::is_ascii) > ascii(&self.decode_lossy(text.as_bytes())),
                _ => true,
            },
        }
    }

    /// Decodes bytes that start at byte `at` of a file.
    ///
    /// # Errors
    /// When the bytes are invalid in this encoding.
    pub(super) fn decode(self, bytes: &[u8], at: usize) -> Result<Cow<'_, str>, RecordError> {
        let invalid = || RecordError::new(format!("the text is not valid {self}"));
        if self == Encoding::default() {
            let text = std::str::from_utf8(bytes)
                .map_err(|error| invalid().at_byte(at + error.valid_up_to()))?;
            return Ok(text.into());
        }
        let text = self.0.decode_without_bom_handling_and_without_replacement(bytes);
        text.ok_or_else(|| invalid().at_byte(at))
    }

    /// Decodes bytes and replaces invalid ones with U+FFFD.
    pub(super) fn decode_lossy(self, bytes: &[u8]) -> Cow<'_, str> {
        self.0.decode_without_bom_handling(bytes).0
    }

    /// Whether few of the bytes are invalid in this encoding, which is UTF-8 or stated by the caller.
    pub(super) fn is_mostly_valid(self, bytes: &[u8]) -> bool {
        self.text(bytes).is_some()
    }

    /// Decodes bytes in this encoding, which is UTF-8 or stated by the caller. `None` if more than a
    /// few are invalid.
    fn text(self, bytes: &[u8]) -> Option<(Cow<'_, str>, Source)> {
        let valid = self.decode(bytes, 0).ok().map(|text| (text, Source::Sure));
        valid.or_else(|| self.damaged_text(bytes, MIN_VALID_OF_SURE))
    }

    /// Decodes bytes that are invalid in this encoding. `None` if there are less than `min_valid`
    /// non-ASCII characters for each invalid one.
    fn damaged_text(self, bytes: &[u8], min_valid: usize) -> Option<(Cow<'_, str>, Source)> {
        let (text, invalid, first) = self.decode_counting(bytes);
        // In UTF-16, ASCII characters are evidence of the encoding, too.
        let is_evidence = |symbol: &char| !symbol.is_ascii() || !self.0.is_ascii_compatible();
        if !are_few(invalid, text.chars().filter(is_evidence).count(), min_valid) {
            return None;
        }
        let before = with_plain_lines(&text[..first?]);
        let first = Place::Line(line_of(&before, before.len()));
        Some((text.into(), Source::Damaged { encoding: self, first }))
    }

    /// Decodes bytes, replaces invalid ones with U+FFFD, and returns their number and where in the
    /// text the first is. The bytes may encode U+FFFD itself, which is valid.
    fn decode_counting(self, bytes: &[u8]) -> (String, usize, Option<usize>) {
        let mut decoder = self.0.new_decoder_without_bom_handling();
        let (mut text, mut invalid, mut first) = (String::new(), 0, None);
        let mut rest = bytes;
        loop {
            let length = decoder.max_utf8_buffer_length_without_replacement(rest.len());
            text.reserve(length.unwrap_or(rest.len()));
            let (result, read) =
                decoder.decode_to_string_without_replacement(rest, &mut text, true);
            rest = &rest[read..];
            match result {
                DecoderResult::InputEmpty => return (text, invalid, first),
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(..) => {
                    invalid += 1;
                    first.get_or_insert(text.len());
                    text.push(char::REPLACEMENT_CHARACTER);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoding_names_are_parsed_in_many_spellings() {
        for (name, expected) in [
            ("euc_kr", "EUC-KR"),
            ("EUCKR", "EUC-KR"),
            ("cp949", "EUC-KR"),
            ("uhc", "EUC-KR"),
            ("latin-1", "windows-1252"),
            ("Latin 1", "windows-1252"),
            ("iso88591", "windows-1252"),
            ("ISO_8859-2", "ISO-8859-2"),
            ("sjis", "Shift_JIS"),
            ("shift-jis", "Shift_JIS"),
            ("Windows-31J", "Shift_JIS"),
            ("ms932", "Shift_JIS"),
            ("cp936", "GBK"),
            ("GB2312", "GBK"),
            ("gb_18030", "gb18030"),
            ("gb-18030", "gb18030"),
            ("big-5", "Big5"),
            ("cp950", "Big5"),
            ("win1251", "windows-1251"),
            ("Windows 1251", "windows-1251"),
            ("1251", "windows-1251"),
            ("cp-1250", "windows-1250"),
            ("windows_1258", "windows-1258"),
            ("koi8r", "KOI8-R"),
            ("KOI8_R", "KOI8-R"),
            ("euc_jp", "EUC-JP"),
            ("UTF8", "UTF-8"),
            ("utf_8", "UTF-8"),
            ("utf16", "UTF-16LE"),
            ("UTF-16BE", "UTF-16BE"),
            ("utf_16_be", "UTF-16BE"),
            ("iso2022jp", "ISO-2022-JP"),
        ] {
            let found: Result<Encoding, _> = name.parse();
            assert_eq!(found.map(|it| it.to_string()), Ok(expected.to_string()), "{name}");
        }
        for name in ["", "klingon", "cp", "cp99999", "-"] {
            assert!(name.parse::<Encoding>().is_err(), "{name}");
        }
    }

    #[test]
    fn byte_order_mark_overrides_requested_encoding() {
        let requested = Some("gbk".parse().unwrap());
        let little: Vec<u8> = "\u{feff}h8 棋".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = "\u{feff}h8 棋".encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [&little[..], &big, "\u{feff}h8 棋".as_bytes()] {
            let (text, source) = text_of(bytes, requested, None).unwrap();
            assert_eq!((text.as_ref(), source), ("h8 棋", Source::Sure));
        }
        // Without a byte order mark UTF-16 is detected by its zero bytes.
        for (bytes, name) in [(&little[2..], "UTF-16LE"), (&big[2..], "UTF-16BE")] {
            let text = &bytes[..bytes.len() - 2];
            let (text, source) = text_of(text, None, None).unwrap();
            assert_eq!((text.as_ref(), source), ("h8 ", Source::Guess(name.parse().unwrap())));
        }
    }

    #[test]
    fn wrong_declared_encoding_is_ignored() {
        let gbk = [0xb0, 0xd7, 0xbb, 0xa8];
        let (text, source) = text_of(&gbk, None, Some(Encoding::default())).unwrap();
        assert_eq!(text, "白花");
        assert_eq!(
            source.remark().unwrap(),
            "the file states UTF-8, which its text is not; guessed gb18030"
        );
        assert!(text_of(&gbk, Some(Encoding::default()), None).is_err());
    }

    #[test]
    fn utf_8_overrides_another_declared_encoding() {
        let utf_8 = Encoding::default();
        for (name, text) in [
            ("gb2312", "杯[李世石]"),
            ("big5", "弈棋"),
            ("gb2312", "李]"),
            ("euc-kr", "흑승"),
            ("windows-1251", "Иванов"),
            ("iso-8859-1", "Müller"),
            ("windows-1250", "Novák"),
            ("utf-16", "h8"),
        ] {
            let stated: Encoding = name.parse().unwrap();
            let corrected = Source::Corrected { stated, guess: utf_8 };
            let found = text_of(text.as_bytes(), None, Some(stated)).unwrap();
            assert_eq!((found.0.as_ref(), found.1), (text, corrected), "{name}");
            let found = text_of(text.as_bytes(), Some(utf_8), Some(stated)).unwrap();
            assert_eq!(found.1, Source::Sure, "{name}");
            // As declared.
            let (bytes, _, _) = stated.0.encode(text);
            assert_eq!(text_of(&bytes, None, Some(stated)).unwrap().0, text, "{name}");
        }
        // The bytes of `模` and of `模模` are valid UTF-8 too.
        for bytes in [&b"h8"[..], b"\xc4\xa3", b"\xc4\xa3\xc4\xa3"] {
            let gbk = Some("gb2312".parse().unwrap());
            assert_eq!(text_of(bytes, None, gbk).unwrap().1, Source::Sure);
        }
    }

    /// The remark on a text with one invalid character in its second line.
    const DAMAGED: &str =
        "line 2: the text is not valid ENCODING; invalid characters become \u{fffd}";

    #[test]
    fn cut_character_does_not_change_the_encoding() {
        let text = "黒の勝ち、第三十期名人戦。白番の手が弱い\r\nCUT]";
        for name in ["UTF-8", "Shift_JIS", "EUC-JP", "gb18030"] {
            let encoding: Encoding = name.parse().unwrap();
            let (bytes, _, _) = encoding.0.encode(text);
            let at = bytes.len() - "CUT]".len();
            let bytes = [&bytes[..at], b"\xff", &bytes[at..]].concat();
            for (requested, declared) in [(Some(encoding), None), (None, Some(encoding))] {
                let (read, source) = text_of(&bytes, requested, declared).unwrap();
                assert_eq!(read, text.replace("CUT", "\u{fffd}CUT"), "{name}");
                assert_eq!(source.remark().unwrap(), DAMAGED.replace("ENCODING", name));
                assert_eq!(source.guess(), None);
            }
        }
    }

    #[test]
    fn encoded_replacement_character_is_valid() {
        for name in ["UTF-8", "gb18030"] {
            let encoding: Encoding = name.parse().unwrap();
            let (bytes, _, _) = encoding.0.encode("黒の\u{fffd}勝ち\n\u{fffd}");
            let bytes = [&bytes, &b"\xff"[..]].concat();
            let (text, source) = text_of(&bytes, Some(encoding), None).unwrap();
            assert_eq!(text, "黒の\u{fffd}勝ち\n\u{fffd}\u{fffd}");
            assert_eq!(source.remark().unwrap(), DAMAGED.replace("ENCODING", name));
        }
    }

    #[test]
    fn utf_8_with_few_invalid_characters_is_not_guessed() {
        let euc_kr = Some("euc-kr".parse().unwrap());
        for text in ["Сушков выиграл\n", "张三李四\n"] {
            let bytes = [text.as_bytes(), b"B[\xd0]"].concat();
            let damaged = format!("{text}B[\u{fffd}]");
            // It may state a wrong encoding.
            for declared in [None, euc_kr] {
                let (read, source) = text_of(&bytes, None, declared).unwrap();
                assert_eq!(read, damaged);
                assert_eq!(source.remark().unwrap(), DAMAGED.replace("ENCODING", "UTF-8"));
            }
            assert_eq!(start(&bytes, None), damaged);
            // A byte order mark decides, as for valid bytes.
            let marked = [b"\xef\xbb\xbf", &bytes[..]].concat();
            assert_eq!(text_of(&marked, euc_kr, None).unwrap().0, damaged);
        }
    }

    #[test]
    fn wrong_byte_order_mark_is_ignored() {
        let marked = b"\xef\xbb\xbf\xb0\xd7\xbb\xa8";
        assert_eq!(text_of(marked, None, None).unwrap().0, "白花");
        let error = text_of(marked, Some(Encoding::default()), None).unwrap_err();
        assert_eq!(error.to_string(), "byte 3: the text is not valid UTF-8");
    }

    #[test]
    fn utf_16_may_be_cut_inside_a_character() {
        let bytes: Vec<u8> = "\u{feff}h8i9".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let cut = &bytes[..bytes.len() - 1];
        for bytes in [cut, &cut[2..]] {
            assert_eq!(text_of(bytes, None, None).unwrap().0, "h8i\u{fffd}");
        }
    }
}
