//! A review as a self-contained HTML file: style sheet, script and data are inline.

use std::fmt::Write;

use super::{Grade, MoveReview, Review, ReviewDocument, text};
use crate::svg::empty_board;
use tengen_rules::openings::RenjuOpening;
use tengen_rules::types::Color;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");
const SCRIPT: &str = include_str!("page/script.js");

/// Width and height of the graph, in its own units.
const GRAPH: (f64, f64) = (600.0, 140.0);

/// The page. `title` names the game, for example by its players or its file.
pub fn html(review: &Review, title: &str) -> String {
    let heading = escape(title);
    // `<` could end the script element; all other characters are allowed.
    let data = serde_json::to_string(&ReviewDocument::from(review))
        .unwrap_or_else(|_| unreachable!("plain values only"));
    let data = data.replace('<', "\\u003c");
    PAGE.replace("{{title}}", &heading)
        .replace("{{style}}", STYLE)
        .replace("{{summary}}", &summary(review))
        .replace("{{graph}}", &graph(review))
        .replace("{{board}}", &empty_board(review.game.size()))
        .replace("{{worst}}", &worst(review))
        .replace("{{moves}}", &moves(review))
        .replace("{{script}}", SCRIPT)
        .replace("{{data}}", &data)
}

fn escape(text: &str) -> String {
    // A brace could look like a placeholder of the page.
    let text = text.replace('&', "&amp;").replace('{', "&#123;");
    text.replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn summary(review: &Review) -> String {
    let mut out = format!("<p>{}", escape(&review.heading()));
    if let Some(opening) = RenjuOpening::of(&review.game) {
        let _ = write!(out, "</p><p>opening {opening}");
    }
    out += "</p><table class=\"accuracy\"><tr><th></th><th>accuracy</th>\
            <th>inaccuracies</th><th>mistakes</th><th>blunders</th></tr>";
    for color in Color::ALL {
        let Some(accuracy) = review.accuracy[color] else { continue };
        let _ = write!(out, "<tr><th>{}</th><td>{:.0} %</td>", color.name(), accuracy * 100.0);
        for grade in [Grade::Inaccuracy, Grade::Mistake, Grade::Blunder] {
            let own = review.moves.iter().filter(|it| it.color == color && it.grade == Some(grade));
            let _ = write!(out, "<td>{}</td>", own.count());
        }
        out += "</tr>";
    }
    out += "</table>";
    if let Some(number) = review.losing_move() {
        let _ = write!(
            out,
            "<p>Move <a href=\"#{number}\">{number}</a> lost the game: every position after it is \
             a forced loss.</p>"
        );
    }
    out
}

/// Black's win rate by move, as a curve with a mark for every mistake.
fn graph(review: &Review) -> String {
    let (width, height) = GRAPH;
    let rates = review.black_win_rates();
    let last = (rates.len() - 1).max(1) as f64;
    let place = |index: usize| (index as f64 / last * width, (1.0 - rates[index]) * height);
    let mut curve = String::new();
    for index in 0..rates.len() {
        let (x, y) = place(index);
        let _ = write!(curve, "{x:.1},{y:.1} ");
    }
    let mut out = format!(
        "<svg id=\"graph\" viewBox=\"0 -6 {width} {}\" role=\"img\" \
         aria-label=\"black's chance to win, by move\">\
         <rect class=\"white\" x=\"0\" y=\"0\" width=\"{width}\" height=\"{height}\"/>\
         <polygon class=\"black\" points=\"0,{height} {curve}{width},{height}\"/>\
         <line class=\"even\" x1=\"0\" x2=\"{width}\" y1=\"{half}\" y2=\"{half}\"/>\
         <polyline class=\"curve\" points=\"{curve}\"/>",
        height + 12.0,
        half = height / 2.0
    );
    if review.given > 0 {
        let (x, _) = place(review.given);
        let _ = write!(
            out,
            "<rect class=\"given\" x=\"0\" y=\"0\" width=\"{x:.1}\" height=\"{height}\">\
             <title>given moves, not graded</title></rect>"
        );
    }
    for it in review.worst_moves() {
        let (x, y) = place(it.number);
        let _ = write!(
            out,
            "<circle class=\"{}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"><title>{}</title></circle>",
            grade(it),
            escape(&text::sentence(it, review.game.notation()))
        );
    }
    out += "<line id=\"now\" y1=\"-6\" y2=\"146\"/></svg>";
    out
}

fn worst(review: &Review) -> String {
    let worst = review.worst_moves();
    if worst.is_empty() {
        return "<p>No move gave away more than a little.</p>".to_string();
    }
    let mut out = "<ol>".to_string();
    for it in worst {
        let sentence = escape(text::sentence(it, review.game.notation()).trim_start());
        let _ = write!(
            out,
            "<li class=\"{}\"><a href=\"#{}\">{sentence}</a></li>",
            grade(it),
            it.number
        );
    }
    out += "</ol>";
    out
}

/// The grade of a move, or `given`.
fn grade(it: &MoveReview) -> &'static str {
    it.grade.map_or("given", Grade::name)
}

fn moves(review: &Review) -> String {
    let notation = review.game.notation();
    review.moves.iter().fold(String::new(), |mut out, it| {
        let _ = write!(
            out,
            "<a href=\"#{0}\" class=\"move {1} {2}\" title=\"{3}\">{0}. {4}</a> ",
            it.number,
            it.color.name(),
            grade(it),
            grade(it),
            notation.name(it.at)
        );
        out
    })
}
