//! Boards as SVG.

use std::fmt::Write;

use tengen_rules::types::{BoardSize, Notation};

/// The empty board with the names of its rows and columns. The distance between lines is 1, and the
/// upper left cell is the origin. A style sheet sets colors and fonts for the classes `wood`,
/// `grid`, `star` and `name`.
pub fn empty_board(size: BoardSize) -> String {
    let (width, height) = (i32::from(size.width()), i32::from(size.height()));
    let (right, bottom) = (width - 1, height - 1);
    let notation = Notation::new(size);
    let mut out = format!(
        "<svg viewBox=\"-1.3 -0.7 {}.2 {}.1\" role=\"img\">\
         <rect class=\"wood\" x=\"-0.6\" y=\"-0.6\" width=\"{width}.2\" height=\"{height}.2\"/>",
        width + 1,
        height + 1
    );
    for x in 0..width {
        let name = Notation::column_name(x.into());
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "<line class=\"grid\" x1=\"{x}\" x2=\"{x}\" y1=\"0\" y2=\"{bottom}\"/>\
             <text class=\"name\" x=\"{x}\" y=\"{bottom}.95\">{name}</text>"
        );
    }
    for y in 0..height {
        let number = notation.row_number(y.into());
        let _ = write!(
            out,
            "<line class=\"grid\" x1=\"0\" x2=\"{right}\" y1=\"{y}\" y2=\"{y}\"/>\
             <text class=\"name\" x=\"-0.95\" y=\"{y}\">{number}</text>"
        );
    }
    for point in size.points().filter(|&point| size.is_star(point)) {
        let (x, y) = (point.x(), point.y());
        let _ = write!(out, "<circle class=\"star\" cx=\"{x}\" cy=\"{y}\" r=\"0.1\"/>");
    }
    out + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_board_has_lines_names_and_stars() {
        let svg = empty_board(BoardSize::new(15, 9).unwrap());
        let count = |text: &str| svg.matches(text).count();
        assert_eq!((count("<line "), count("<text ")), (24, 24), "{svg}");
        assert_eq!(count("<circle "), 5, "{svg}");
        assert!(svg.contains("viewBox=\"-1.3 -0.7 16.2 10.1\""), "{svg}");
        assert!(svg.contains(">o</text>") && svg.contains("y=\"8.95\""), "{svg}");
    }
}
