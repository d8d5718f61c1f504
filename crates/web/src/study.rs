//! The database of positions of `--study`, which the page's explorer shows and changes.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use serde::Deserialize;
use serde_json::Value;

use tengen_page_api::{Handler, RequestError, SearchTask, endpoint, parse};
use tengen_store::{Error, Options, Store};
use tengen_study::PositionInput;
use tengen_study::analysis::BestMoves;
use tengen_study::database::{Edit, ShownPosition, edit, keep_search, remove};

/// A database. Its requests are answered one after the other.
pub(crate) struct Study {
    store: Mutex<Store>,
    name: String,
}

/// A request about a position of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// Show the position and the moves from it.
    Show,
    /// Change texts of the position, or add it.
    Edit,
    /// Delete the position.
    Delete,
}

impl Question {
    /// The question of a path below `/api/`.
    pub(crate) fn of(path: &str) -> Option<Question> {
        match path {
            "study" => Some(Question::Show),
            "study-edit" => Some(Question::Edit),
            "study-delete" => Some(Question::Delete),
            _ => None,
        }
    }
}

/// The path of the analysis whose result the database keeps.
pub(crate) const ANALYSE: &str = "study-analyse";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnyQuestion {
    position: PositionInput,
    #[serde(default)]
    edit: Edit,
}

/// The position of a request for an analysis.
#[derive(Deserialize)]
struct AnalysedPosition {
    position: PositionInput,
}

impl Study {
    /// Opens a database, which is created if it does not exist. Warnings are written to `notes`.
    ///
    /// # Errors
    /// If the file is not a database, or cannot be read or written.
    pub(crate) fn open(path: &Path, notes: &mut dyn std::io::Write) -> anyhow::Result<Study> {
        let store = Store::open_or_create(path, &Options::default())?;
        if let Some(drive) = store.network_drive() {
            writeln!(
                notes,
                "{}: on a network drive ({drive}), where locks do not hold: let only one program \
                 use the file at a time",
                path.display()
            )?;
        }
        let name = path.file_name().context("--study: expected the name of a file")?;
        Ok(Study { store: Mutex::new(store), name: name.to_string_lossy().into_owned() })
    }

    /// Answers a question with the position as it is afterwards.
    ///
    /// # Errors
    /// If the request is invalid, or the database cannot be read or written.
    pub(crate) fn answer(&self, question: Question, body: &[u8]) -> Result<Value, RequestError> {
        let AnyQuestion { position, edit: changes } = parse(body)?;
        let board = position.game()?.board().clone();
        let mut store = self.store();
        match question {
            Question::Show if changes == Edit::default() => {}
            Question::Edit => edit(&mut store, &board, changes, now()).map_err(refused)?,
            Question::Delete if changes == Edit::default() => {
                remove(&mut store, &board, now()).map_err(refused)?;
            }
            Question::Show | Question::Delete => {
                return Err(RequestError::new("edit: only study-edit changes texts"));
            }
        }
        let shown = store.snapshot().and_then(|reader| ShownPosition::read(&reader, &board));
        serde_json::to_value(shown.map_err(refused)?).map_err(RequestError::new)
    }

    /// The name of the file.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// A search for the best moves as that of `analyse`, whose result the database keeps.
    ///
    /// # Errors
    /// If the request is invalid.
    pub(crate) fn analyse(self: &Arc<Self>, body: &[u8]) -> Result<SearchTask, RequestError> {
        let Some(Handler::Search(analyse)) = endpoint("analyse").map(|it| it.handler) else {
            unreachable!("analyse is a search");
        };
        let task = analyse(body)?;
        let AnalysedPosition { position } = parse(body)?;
        let board = position.game()?.board().clone();
        let study = Arc::clone(self);
        Ok(task.then(move |found| {
            let best: BestMoves =
                serde_json::from_value(found.clone()).map_err(RequestError::new)?;
            keep_search(&mut study.store(), &board, &best, now()).map_err(refused)?;
            Ok(found)
        }))
    }

    /// The store. A request that crashed has not changed it: its batch was rolled back.
    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn refused(error: Error) -> RequestError {
    RequestError::new(error)
}

/// The current time in seconds since 1970.
fn now() -> u32 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH);
    time.ok().and_then(|time| u32::try_from(time.as_secs()).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tengen::engine::{Networks, StopSwitch};
    use tengen_page_api::{EngineSlot, ProgressSender};

    use super::*;

    fn study() -> (tempfile::TempDir, Arc<Study>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.tdb");
        let study = Study::open(&path, &mut Vec::new()).unwrap();
        assert_eq!(study.name(), "x.tdb");
        (folder, Arc::new(study))
    }

    fn position(moves: &[&str]) -> Value {
        json!({ "rule": "renju", "size": 15, "moves": moves })
    }

    fn ask(study: &Study, path: &str, body: &Value) -> Result<Value, RequestError> {
        study.answer(Question::of(path).unwrap(), body.to_string().as_bytes())
    }

    #[test]
    fn positions_are_added_shown_and_deleted() {
        let (_folder, study) = study();
        let after = json!({ "position": position(&["h8", "i9"]), "edit": { "label": "main" } });
        let shown = ask(&study, "study-edit", &after).unwrap();
        assert_eq!((&shown["known"], &shown["position"]["label"]), (&true.into(), &"main".into()));
        let before = json!({ "position": position(&["h8"]) });
        let shown = ask(&study, "study", &before).unwrap();
        assert_eq!(shown["known"], false);
        let moves = shown["moves"].as_array().unwrap();
        let own = moves.iter().find(|it| it["at"] == "8,6").unwrap();
        assert_eq!((moves.len(), &own["label"]), (4, &"main".into()), "the symmetric moves, too");
        let gone = json!({ "position": position(&["h8", "i9"]) });
        assert_eq!(ask(&study, "study-delete", &gone).unwrap()["known"], false);
        assert_eq!(ask(&study, "study", &before).unwrap()["moves"], json!([]));
    }

    #[test]
    fn invalid_requests_are_refused() {
        let (_folder, study) = study();
        let long = json!({ "position": position(&[]), "edit": { "label": "x".repeat(65) } });
        let edit = json!({ "position": position(&[]), "edit": { "score": 3 } });
        let moves = json!({ "position": position(&["h8", "h8"]) });
        let changes = json!({ "position": position(&[]), "edit": { "label": "x" } });
        for (path, body, named) in [
            ("study-edit", &long, "64"),
            ("study-edit", &edit, "unknown field"),
            ("study", &moves, "move 2 (h8)"),
            ("study", &changes, "study-edit"),
            ("study-delete", &changes, "study-edit"),
        ] {
            let reason = ask(&study, path, body).unwrap_err().to_string();
            assert!(reason.contains(named), "{path}: {reason}");
        }
        assert_eq!(Question::of("study-analyse"), None);
    }

    #[test]
    fn analysis_is_kept() {
        let (_folder, study) = study();
        let body = json!({ "position": position(&["h8", "i9"]), "lines": 2, "nodes": 2000 });
        let task = study.analyse(body.to_string().as_bytes()).unwrap();
        let mut slot = EngineSlot::new(1, 16 << 20, Networks::default());
        let found = task.run(&mut slot, &ProgressSender::new(drop, StopSwitch::new())).unwrap();
        let shown = ask(&study, "study", &json!({ "position": position(&["h8", "i9"]) })).unwrap();
        let evaluation = &shown["position"]["evaluation"];
        assert_eq!(evaluation["score"], found["lines"][0]["score"], "{shown}");
        assert_eq!(evaluation["moves"][1]["at"], found["lines"][1]["move"], "{shown}");
        assert_eq!(evaluation["nodes"], found["nodes"]);
    }
}
