//! A review as a self-contained HTML file: style sheet, script and data are inline.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{Grade, MoveReview, Review, ReviewDocument, text};
use crate::svg::empty_board;
use crate::wording;
use tengen_rules::types::Color;
use tengen_words::{Words, say};

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");
const SCRIPT: &str = include_str!("page/script.js");

/// Width and height of the graph, in its own units.
const GRAPH: (f64, f64) = (600.0, 140.0);

/// The page. `title` names the game, for example by its players or its file.
pub fn html(review: &Review, title: &str, words: &Words) -> String {
    let heading = escape(title);
    // `<` could end the script element; all other characters are allowed.
    let data = serde_json::to_string(&document(review, words))
        .unwrap_or_else(|_| unreachable!("plain values only"));
    let data = data.replace('<', "\\u003c");
    with_words(PAGE, words)
        .replace("{{lang}}", words.language().code())
        .replace("{{title}}", &heading)
        .replace("{{style}}", STYLE)
        .replace("{{summary}}", &summary(review, words))
        .replace("{{graph}}", &graph(review, words))
        .replace("{{board}}", &empty_board(review.game.size()))
        .replace("{{worst}}", &worst(review, words))
        .replace("{{moves}}", &moves(review, words))
        .replace("{{script}}", SCRIPT)
        .replace("{{words}}", &script_words(words))
        .replace("{{data}}", &data)
}

/// The page with the texts of its `{{word KEY}}`.
fn with_words(page: &str, words: &Words) -> String {
    let mut parts = page.split("{{word ");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |text, part| {
        let (key, rest) = part.split_once("}}").unwrap_or((part, ""));
        text + &escape(words.text(key)) + rest
    })
}

/// The words of the script, as JSON.
fn script_words(words: &Words) -> String {
    let mut all = BTreeMap::new();
    for key in ["html.chance", "html.lost", "html.better-line"] {
        all.insert(key.to_string(), words.text(key));
    }
    for color in Color::ALL {
        all.insert(format!("color.{}", color.name()), wording::color(words, color));
    }
    for name in Grade::ALL.map(Grade::name).into_iter().chain(["given"]) {
        all.insert(format!("grade.{name}"), words.name("grade", name, name));
    }
    let json = serde_json::to_string(&all).unwrap_or_else(|_| unreachable!("texts only"));
    json.replace('<', "\\u003c")
}

/// The data of the script, with the comments in the language of the page.
fn document(review: &Review, words: &Words) -> ReviewDocument {
    let mut document = ReviewDocument::from(review);
    let notation = review.game.notation();
    for (entry, it) in document.moves.iter_mut().zip(&review.moves) {
        entry.comment = text::reason(it, notation, words);
    }
    document
}

fn escape(text: &str) -> String {
    // A brace could look like a placeholder of the page.
    let text = text.replace('&', "&amp;").replace('{', "&#123;");
    text.replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn summary(review: &Review, words: &Words) -> String {
    let mut out = format!("<p>{}", escape(&review.heading(words)));
    if let Some(opening) = text::opening(review, words) {
        let _ = write!(out, "</p><p>{}", escape(&opening));
    }
    out += "</p><table class=\"accuracy\"><tr><th></th>";
    let of_grade = |grade: Grade, english| words.name("grade", grade.name(), english);
    for head in [
        words.text("review.accuracy"),
        of_grade(Grade::Inaccuracy, "inaccuracies"),
        of_grade(Grade::Mistake, "mistakes"),
        of_grade(Grade::Blunder, "blunders"),
    ] {
        let _ = write!(out, "<th>{head}</th>");
    }
    out += "</tr>";
    for color in Color::ALL {
        let Some(accuracy) = review.accuracy[color] else { continue };
        let _ = write!(
            out,
            "<tr><th>{}</th><td>{:.0} %</td>",
            wording::color(words, color),
            accuracy * 100.0
        );
        for grade in [Grade::Inaccuracy, Grade::Mistake, Grade::Blunder] {
            let own = review.moves.iter().filter(|it| it.color == color && it.grade == Some(grade));
            let _ = write!(out, "<td>{}</td>", own.count());
        }
        out += "</tr>";
    }
    out += "</table>";
    if let Some(number) = review.losing_move() {
        let link = format!("<a href=\"#{number}\">{number}</a>");
        let _ = write!(out, "<p>{}</p>", say!(words, "html.losing-move", link = link));
    }
    out
}

/// Black's win rate by move, as a curve with a mark for every mistake.
fn graph(review: &Review, words: &Words) -> String {
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
         aria-label=\"{label}\">\
         <rect class=\"white\" x=\"0\" y=\"0\" width=\"{width}\" height=\"{height}\"/>\
         <polygon class=\"black\" points=\"0,{height} {curve}{width},{height}\"/>\
         <line class=\"even\" x1=\"0\" x2=\"{width}\" y1=\"{half}\" y2=\"{half}\"/>\
         <polyline class=\"curve\" points=\"{curve}\"/>",
        height + 12.0,
        half = height / 2.0,
        label = words.text("html.graph-label")
    );
    if review.given > 0 {
        let (x, _) = place(review.given);
        let _ = write!(
            out,
            "<rect class=\"given\" x=\"0\" y=\"0\" width=\"{x:.1}\" height=\"{height}\">\
             <title>{}</title></rect>",
            words.text("review.not-graded")
        );
    }
    for it in review.worst_moves() {
        let (x, y) = place(it.number);
        let _ = write!(
            out,
            "<circle class=\"{}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"><title>{}</title></circle>",
            grade(it),
            escape(&text::sentence(it, review.game.notation(), words))
        );
    }
    out += "<line id=\"now\" y1=\"-6\" y2=\"146\"/></svg>";
    out
}

fn worst(review: &Review, words: &Words) -> String {
    let worst = review.worst_moves();
    if worst.is_empty() {
        return format!("<p>{}</p>", words.text("html.none"));
    }
    let mut out = "<ol>".to_string();
    for it in worst {
        let sentence = escape(text::sentence(it, review.game.notation(), words).trim_start());
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

fn moves(review: &Review, words: &Words) -> String {
    let notation = review.game.notation();
    review.moves.iter().fold(String::new(), |mut out, it| {
        let _ = write!(
            out,
            "<a href=\"#{0}\" class=\"move {1} {2}\" title=\"{3}\">{0}. {4}</a> ",
            it.number,
            it.color.name(),
            grade(it),
            text::grade(it, words),
            notation.name(it.at)
        );
        out
    })
}
