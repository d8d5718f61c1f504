//! The text that `tengen selfplay` writes, read back.

use anyhow::{Context, bail, ensure};

use crate::types::{BoardSize, Color, Point, Rule, Score};

/// A file of self-play games, or of what was drawn from them.
pub(super) struct GameFile<'a> {
    pub(super) rule: Rule,
    pub(super) size: BoardSize,
    /// The lines after the header.
    pub(super) lines: std::str::Lines<'a>,
}

/// One game.
pub(super) struct SelfplayGame {
    pub(super) winner: Option<Color>,
    /// Number of moves that were given.
    pub(super) opening: usize,
    pub(super) moves: Vec<Point>,
    /// Of the moves after the opening, for their mover.
    pub(super) scores: Vec<Score>,
}

impl GameFile<'_> {
    /// Reads the header, `# rule=R size=S ...`.
    pub(super) fn parse(text: &str) -> anyhow::Result<GameFile<'_>> {
        let mut lines = text.lines();
        let header = lines.next().context("an empty file")?;
        let field = |name: &str| {
            header
                .split_ascii_whitespace()
                .find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
                .with_context(|| format!("the header lacks {name}"))
        };
        Ok(GameFile { rule: field("rule")?.parse()?, size: field("size")?.parse()?, lines })
    }

    /// The games, line by line.
    pub(super) fn games(&self) -> impl Iterator<Item = anyhow::Result<SelfplayGame>> {
        self.lines
            .clone()
            .map(|line| SelfplayGame::parse(line).with_context(|| format!("in the game {line:?}")))
    }
}

impl SelfplayGame {
    fn parse(line: &str) -> anyhow::Result<SelfplayGame> {
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
        let score = |word: &str| word.parse().map(Score::raw);
        let scores = scores.split_ascii_whitespace().map(score).collect::<Result<Vec<_>, _>>()?;
        ensure!(moves.len() <= opening + scores.len(), "moves without a score");
        Ok(SelfplayGame { winner, opening, moves, scores })
    }
}
