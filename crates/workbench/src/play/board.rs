//! The board as text.

use crate::drawing::row;
use tengen_rules::board::{Cell, winning_row};
use tengen_rules::game::{Ending, Game};
use tengen_rules::threat::Foul;
use tengen_rules::types::{Color, Notation, Point};
use tengen_study::wording;
use tengen_words::{Words, say};

/// The style of the drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// Whether to use colours.
    pub(super) color: bool,
    /// Columns of the output; `None` for those of the window, if there is one.
    pub(super) columns: Option<usize>,
}

/// A game and its marks, to be drawn.
pub(super) struct View<'a> {
    pub(super) game: &'a Game,
    /// Whether stones show the numbers of their moves.
    pub(super) numbers: bool,
    /// Whether black's forbidden points are marked.
    pub(super) fouls: bool,
    /// Fifth moves offered in an opening.
    pub(super) offers: &'a [Point],
}

/// The style of one cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Paint {
    Plain,
    Faint,
    Black,
    White,
    Win,
    Warning,
}

impl Paint {
    /// The sequence that turns the style on (ECMA-48, select graphic rendition).
    const fn code(self) -> &'static str {
        match self {
            Paint::Plain => "",
            Paint::Faint => "\x1b[2m",
            Paint::Black => "\x1b[1;36m",
            Paint::White => "\x1b[1;33m",
            Paint::Win => "\x1b[1;30;42m",
            Paint::Warning => "\x1b[1;31m",
        }
    }
}

/// Columns left of the cells: two digits.
const MARGIN: usize = 2;
/// Columns of a cell with a number of one or two digits.
const NUMBERED: usize = 4;

/// The letter that marks a foul of this kind.
pub(super) const fn foul_mark(foul: Foul) -> char {
    match foul {
        Foul::DoubleThree => '3',
        Foul::DoubleFour => '4',
        Foul::Overline => '6',
    }
}

/// Draws the board with row numbers, column letters and a legend. In a window that is too narrow the
/// cells have no blanks between them.
pub(super) fn draw(view: &View<'_>, style: Style, words: &Words) -> String {
    let board = view.game.board();
    let size = board.size();
    let width = usize::from(size.width());
    let fits =
        |cell: usize| style.columns.is_none_or(|columns| MARGIN + 1 + width * cell <= columns);
    let stones = view.game.history().len();
    let numbered = NUMBERED + usize::from(stones >= 100) + usize::from(stones >= 1000);
    let cell_columns = match view.numbers {
        true if fits(numbered) => numbered,
        _ if fits(2) => 2,
        _ => 1,
    };
    let picture = Picture::new(view, cell_columns == numbered);
    let notation = Notation::new(size);
    let mut text = String::new();
    for y in 0..size.height() {
        text += &format!("{:>MARGIN$}", notation.row_number(y.into()));
        let points = (0..size.width()).map(|x| Point::new(x, y));
        text += &row(points, cell_columns, picture.last, |point| {
            let (symbol, paint) = picture.cell(point);
            (symbol.len(), painted(&symbol, paint, style.color))
        });
        text.push('\n');
    }
    text += &column_names(size.width().into(), cell_columns);
    text += &picture.legend(view, cell_columns, words);
    text
}

/// The letters of the columns. Columns past z have two; without room for both next to each other, the
/// second stands below the first.
fn column_names(width: i64, cell_columns: usize) -> String {
    let names: Vec<String> = (0..width).map(Notation::column_name).collect();
    let is_split = |name: &String| name.len() > 1 && name.len() >= cell_columns;
    let line = |letters: &dyn Fn(&String) -> String| {
        let cells = names.iter().map(|name| format!("{:>cell_columns$}", letters(name)));
        format!("{}{}", " ".repeat(MARGIN), cells.collect::<String>()).trim_end().to_string() + "\n"
    };
    let second = |name: &String| name[name.len() - 1..].to_string();
    if !names.iter().any(is_split) {
        return line(&|name| name.clone());
    }
    let first = |name: &String| name[..name.len() - 1].to_string();
    line(&first) + &line(&second)
}

fn painted(symbol: &str, paint: Paint, color: bool) -> String {
    if color && paint != Paint::Plain {
        format!("{}{symbol}\x1b[0m", paint.code())
    } else {
        symbol.to_string()
    }
}

/// The contents of the cells.
struct Picture<'a> {
    game: &'a Game,
    numbers: bool,
    last: Option<Point>,
    winning: Vec<Point>,
    fouls: Vec<(Point, Foul)>,
    offers: &'a [Point],
}

impl<'a> Picture<'a> {
    fn new(view: &View<'a>, numbers: bool) -> Picture<'a> {
        let game = view.game;
        // Stones that were set up have no order.
        let last = game.moves().next().and_then(|_| game.history().last().copied());
        let winning = match (game.ending(), last) {
            (Some(Ending::Five(_)), Some(stone)) => {
                winning_row(game.board(), stone.point, stone.color)
            }
            _ => Vec::new(),
        };
        let fouls = if view.fouls { game.fouls() } else { Vec::new() };
        let last = last.map(|stone| stone.point);
        Picture { game, numbers, last, winning, fouls, offers: view.offers }
    }

    fn cell(&self, point: Point) -> (String, Paint) {
        let stone = |mark: char, color: Color, paint: Paint| {
            let paint = if self.winning.contains(&point) { Paint::Win } else { paint };
            (self.numbered(point, mark, color), paint)
        };
        let mark = |symbol: char, paint: Paint| (symbol.to_string(), paint);
        match self.game.board().cell(point) {
            Cell::Black => stone('X', Color::Black, Paint::Black),
            Cell::White => stone('O', Color::White, Paint::White),
            Cell::Wall => mark('#', Paint::Plain),
            Cell::Empty => {
                if let Some(offer) = self.offers.iter().position(|&offer| offer == point) {
                    // An opening offers at most ten.
                    return mark(char::from(b'A' + offer as u8), Paint::Warning);
                }
                match self.fouls.iter().find(|foul| foul.0 == point) {
                    Some(&(_, foul)) => mark(foul_mark(foul), Paint::Warning),
                    None if self.game.size().is_star(point) => mark('+', Paint::Faint),
                    None => mark('.', Paint::Faint),
                }
            }
        }
    }

    fn numbered(&self, point: Point, mark: char, color: Color) -> String {
        let history = self.game.history();
        let set_up = history.len() - self.game.moves().count();
        let mut moves = history[set_up..].iter();
        match moves.position(|stone| stone.point == point && stone.color == color) {
            Some(index) if self.numbers => format!("{mark}{}", index + 1),
            _ => mark.to_string(),
        }
    }

    fn legend(&self, view: &View<'_>, cell_columns: usize, words: &Words) -> String {
        let mut text = String::new();
        let kinds = [Foul::DoubleThree, Foul::DoubleFour, Foul::Overline];
        let shown = kinds.iter().filter(|kind| self.fouls.iter().any(|foul| foul.1 == **kind));
        let names: Vec<String> =
            shown.map(|&it| format!("{} {}", foul_mark(it), wording::foul(words, it))).collect();
        if !names.is_empty() {
            text += &say!(words, "play.legend", fouls = names.join(", "));
            text.push('\n');
        }
        if cell_columns == 1
            && let Some(last) = self.last
        {
            text += &say!(words, "play.last", at = self.game.notation().name(last));
            text.push('\n');
        }
        if view.numbers && !self.numbers {
            text += words.text("play.narrow");
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::types::{BoardSize, Rule};

    fn draw(view: &View<'_>, style: Style) -> String {
        super::draw(view, style, Words::english())
    }

    const WIDE: Style = Style { color: false, columns: None };

    fn game(rule: Rule, side: i64, moves: &str) -> Game {
        let mut game = Game::new(BoardSize::square(side).unwrap(), rule);
        for at in moves.split_whitespace() {
            game.play(game.cell(at).unwrap());
        }
        game
    }

    fn view(game: &Game) -> View<'_> {
        View { game, numbers: false, fouls: false, offers: &[] }
    }

    #[test]
    fn draw_numbers_rows_from_the_bottom_and_marks_the_last_stone() {
        let game = game(Rule::Freestyle, 5, "a1 e5 c3");
        let text =
            " 5 . . . . O\n 4 . . . . .\n 3 . .(X). .\n 2 . . . . .\n 1 X . . . .\n   a b c d e\n";
        assert_eq!(draw(&view(&game), WIDE), text);
        let narrow = draw(&view(&game), Style { columns: Some(10), ..WIDE });
        assert_eq!(narrow, " 5....O\n 4.....\n 3..X..\n 2.....\n 1X....\n  abcde\nlast: c3\n");
    }

    #[test]
    fn wide_boards_have_the_letters_of_a_column_below_each_other() {
        let game = Game::new(BoardSize::new(28, 2).unwrap(), Rule::Freestyle);
        for columns in [Some(31), None] {
            let text = draw(&view(&game), Style { columns, ..WIDE });
            let lines: Vec<&str> = text.lines().collect();
            let column = |line: &str, letter: char| line.rfind(letter).unwrap();
            assert_eq!(column(lines[2], 'a'), column(lines[3], 'b'), "{text}");
            assert!(lines[2].trim() == if columns.is_some() { "aa" } else { "a a" }, "{text}");
        }
        let narrow = Game::new(BoardSize::new(26, 2).unwrap(), Rule::Freestyle);
        assert_eq!(draw(&view(&narrow), WIDE).lines().count(), 3);
    }

    #[test]
    fn draw_shows_move_numbers_if_they_fit() {
        let game = game(Rule::Freestyle, 5, "a1 e5 e1");
        let numbered = View { numbers: true, ..view(&game) };
        let text = draw(&numbered, WIDE);
        assert!(text.contains(" 5   .   .   .   .  O2\n"), "{text}");
        assert!(text.contains(" 1  X1   .   .   . (X3)\n"), "{text}");
        let narrow = draw(&numbered, Style { columns: Some(14), ..WIDE });
        assert!(narrow.contains("too narrow for numbers"), "{narrow}");
    }

    #[test]
    fn draw_aligns_three_digit_numbers() {
        let cells = |y: u8| (0..11).map(move |x| Point::new(x, y));
        let game = Game::replay(
            BoardSize::square(11).unwrap(),
            Rule::Standard,
            // Rows in an order that makes no five.
            [0, 2, 1, 3, 4, 6, 5, 7, 8, 10].into_iter().flat_map(cells),
        );
        assert_eq!(game.history().len(), 110);
        let text = draw(&View { numbers: true, ..view(&game) }, WIDE);
        assert!(text.contains("X101"), "{text}");
        let rows: Vec<usize> = text.lines().map(|row| row.trim_end_matches(')').len()).collect();
        assert!(rows.iter().all(|&columns| columns == 2 + 11 * 5), "{text}");
    }

    #[test]
    fn draw_marks_fouls_and_star_points() {
        let moves = "h8 a15 i8 c15 j9 e15 j10 g15";
        let game = game(Rule::Renju, 15, moves);
        let fouls: Vec<_> = game.fouls();
        assert_eq!(fouls.len(), 1, "{fouls:?}");
        let text = draw(&View { fouls: true, ..view(&game) }, WIDE);
        assert!(text.contains(" X X 3 "), "{text}");
        assert!(text.ends_with("forbidden to black: 3 double-three\n"), "{text}");
        assert_eq!(text.matches('+').count(), 4, "{text}");
    }

    #[test]
    fn draw_colours_the_winning_row() {
        let game = game(Rule::Freestyle, 9, "a1 a9 b1 b9 c1 c9 d1 d9 e1");
        let text = draw(&view(&game), Style { color: true, ..WIDE });
        assert_eq!(text.matches(Paint::Win.code()).count(), 5, "{text}");
        assert!(!draw(&view(&game), WIDE).contains('\x1b'));
    }
}
