//! Bytes to lines.

/// Longest line that is kept, in bytes; what follows up to the line end is discarded.
///
/// No manager sends a line near this length: it bounds what an endless line costs.
pub(super) const LONGEST_LINE: usize = 4096;

/// Cuts a byte stream into lines ended by LF, CR LF or CR.
#[derive(Debug, Default)]
pub(super) struct Lines {
    kept: Vec<u8>,
    after_carriage_return: bool,
    after_first_line: bool,
}

impl Lines {
    /// Takes the next bytes and hands every finished line to `each`, an empty one too.
    pub(super) fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(&str)) {
        let mut rest = bytes;
        while let Some(first) = rest.first() {
            // A line feed right after a carriage return belongs to it.
            let line_feed = *first == b'\n';
            if std::mem::take(&mut self.after_carriage_return) && line_feed {
                rest = rest.get(1..).unwrap_or_default();
                continue;
            }
            let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let (text, tail) = rest.split_at(end.unwrap_or(rest.len()));
            let room = LONGEST_LINE.saturating_sub(self.kept.len()).min(text.len());
            self.kept.extend(text.iter().take(room));
            if let Some((terminator, tail)) = tail.split_first() {
                self.after_carriage_return = *terminator == b'\r';
                self.finish(&mut each);
                rest = tail;
            } else {
                rest = tail;
            }
        }
    }

    /// Hands over the last line when the stream ended without a line end.
    pub(super) fn end(&mut self, mut each: impl FnMut(&str)) {
        if !self.kept.is_empty() {
            self.finish(&mut each);
        }
    }

    fn finish(&mut self, each: &mut impl FnMut(&str)) {
        let text = String::from_utf8_lossy(&self.kept);
        let mut line: &str = &text;
        if !std::mem::replace(&mut self.after_first_line, true) {
            line = line.strip_prefix('\u{FEFF}').unwrap_or(line);
        }
        each(line.trim_matches(|symbol: char| symbol.is_whitespace() || symbol == '\0'));
        self.kept.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(chunks: &[&[u8]]) -> Vec<String> {
        let mut lines = Lines::default();
        let mut found = Vec::new();
        for chunk in chunks {
            lines.feed(chunk, |line| found.push(line.to_owned()));
        }
        lines.end(|line| found.push(line.to_owned()));
        found
    }

    #[test]
    fn every_kind_of_line_end() {
        assert_eq!(split(&[b"a\nb\r\nc\rd"]), ["a", "b", "c", "d"]);
        assert_eq!(split(&[b"a\r", b"\nb\n\n", b"c\r\n"]), ["a", "b", "", "c"]);
        assert_eq!(split(&[b"ST", b"ART", b" 15", b"\n"]), ["START 15"]);
        assert!(split(&[b""]).is_empty());
    }

    #[test]
    fn noise_around_and_inside_a_line() {
        assert_eq!(split(&[b"\xEF\xBB\xBFSTART 15\n"]), ["START 15"]);
        assert_eq!(split(&[b" \tBEGIN \0\0\n"]), ["BEGIN"]);
        assert_eq!(split(&[b"\xFF\xFE\x00\x80\n"]), ["\u{FFFD}\u{FFFD}\0\u{FFFD}"]);
    }

    #[test]
    fn an_endless_line_is_cut() {
        let long = vec![b'A'; 3 * LONGEST_LINE];
        let lines = split(&[&long, &long, b"\nEND"]);
        assert_eq!(lines.iter().map(String::len).collect::<Vec<_>>(), [LONGEST_LINE, 3]);
    }
}
