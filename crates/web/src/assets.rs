//! The files of the page, embedded in the program.

use hyper::body::Bytes;
use hyper::{Response, StatusCode};
use include_dir::{Dir, File, include_dir};
use tengen_words::{Language, page_file};

use crate::response::{Body, complete, text};

pub(crate) static PAGE: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/page");

/// Responds with the file at the path of a URL.
pub(crate) fn serve(path: &str) -> Response<Body> {
    let name = match path.strip_prefix('/') {
        Some("") => "index.html",
        Some(name) => name,
        None => return not_found(),
    };
    match file(name) {
        Some(bytes) => complete(StatusCode::OK, content_type(name), Bytes::from_static(bytes)),
        None => not_found(),
    }
}

fn not_found() -> Response<Body> {
    text(StatusCode::NOT_FOUND, "not found\n")
}

/// The file with exactly this name: `main.js/` is equal to `main.js` as a path only.
fn file(name: &str) -> Option<&'static [u8]> {
    if let Some(language) = name.strip_prefix("languages/") {
        let code = language.strip_suffix(".json")?;
        let language = Language::ALL.into_iter().find(|it| it.code() == code)?;
        return Some(page_file(language).as_bytes());
    }
    let file = PAGE.get_file(name).filter(|file| file.path().to_str() == Some(name));
    file.map(File::contents)
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.') {
        Some((_, "html")) => "text/html; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "json")) => "application/json",
        Some((_, "svg")) => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_file_has_a_content_type() {
        let files =
            PAGE.files().map(|file| file.path().to_str().expect("a UTF-8 name").to_string());
        let languages = Language::ALL.map(|language| format!("languages/{language}.json"));
        for name in files.chain(languages) {
            assert_ne!(content_type(&name), "application/octet-stream", "{name}");
            assert_eq!(serve(&format!("/{name}")).status(), StatusCode::OK, "{name}");
        }
    }

    #[test]
    fn serve_requires_the_exact_path() {
        assert_eq!(serve("/").status(), StatusCode::OK);
        for path in [
            "",
            "main.js",
            "//main.js",
            "/./main.js",
            "/main.js/",
            "/languages",
            "/x.js",
            "/languages/xx.json",
        ] {
            assert_eq!(serve(path).status(), StatusCode::NOT_FOUND, "{path}");
        }
    }
}
