//! The files of the page, embedded in the program.

use hyper::body::Bytes;
use hyper::{Response, StatusCode};

use crate::response::{Body, complete, text};

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const JSON: &str = "application/json";
const SVG: &str = "image/svg+xml";

/// Path, content type and content of a file.
type Asset = (&'static str, &'static str, &'static str);

macro_rules! asset {
    ($kind:expr, $name:literal) => {
        (concat!("/", $name), $kind, include_str!(concat!("../page/", $name)))
    };
}

pub(crate) static ASSETS: &[Asset] = &[
    ("/", HTML, include_str!("../page/index.html")),
    asset!(SCRIPT, "address.js"),
    asset!(SCRIPT, "analysis.js"),
    asset!(CSS, "board.css"),
    asset!(SCRIPT, "board.js"),
    asset!(SCRIPT, "clock.js"),
    asset!(SCRIPT, "dialogs.js"),
    asset!(SCRIPT, "dom.js"),
    asset!(SCRIPT, "engine.js"),
    asset!(SCRIPT, "files.js"),
    asset!(SCRIPT, "graph.js"),
    asset!(SVG, "icon.svg"),
    asset!(SCRIPT, "keys.js"),
    asset!(CSS, "layout.css"),
    asset!(SCRIPT, "main.js"),
    asset!(SCRIPT, "marks.js"),
    asset!(SCRIPT, "moves.js"),
    asset!(SCRIPT, "names.js"),
    asset!(SCRIPT, "notation.js"),
    asset!(SCRIPT, "opening.js"),
    asset!(SCRIPT, "panel-analyse.js"),
    asset!(SCRIPT, "panel-files.js"),
    asset!(SCRIPT, "panel-play.js"),
    asset!(SCRIPT, "panel-review.js"),
    asset!(CSS, "panels.css"),
    asset!(SCRIPT, "picture.js"),
    asset!(SCRIPT, "play.js"),
    asset!(SCRIPT, "review.js"),
    asset!(SCRIPT, "session.js"),
    asset!(SCRIPT, "settings.js"),
    asset!(SCRIPT, "status.js"),
    asset!(CSS, "theme.css"),
    asset!(SCRIPT, "transport.js"),
    asset!(SCRIPT, "tree.js"),
    asset!(SCRIPT, "view.js"),
    asset!(SCRIPT, "words.js"),
    asset!(JSON, "languages/cs.json"),
    asset!(JSON, "languages/en.json"),
    asset!(JSON, "languages/ja.json"),
    asset!(JSON, "languages/ko.json"),
    asset!(JSON, "languages/ru.json"),
    asset!(JSON, "languages/vi.json"),
    asset!(JSON, "languages/zh-Hans.json"),
    asset!(JSON, "languages/zh-Hant.json"),
];

/// Responds with the file at a path.
pub(crate) fn serve(path: &str) -> Response<Body> {
    match ASSETS.iter().find(|(name, ..)| *name == path) {
        Some((_, kind, content)) => {
            complete(StatusCode::OK, kind, Bytes::from_static(content.as_bytes()))
        }
        None => text(StatusCode::NOT_FOUND, "not found\n"),
    }
}
