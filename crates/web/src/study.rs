//! The database of positions of `--study`, which the page's explorer shows and changes.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Context;
use serde::Deserialize;
use serde_json::Value;

use tengen_page_api::{RequestError, SearchTask, analyse, parse};
use tengen_rules::board::Board;
use tengen_store::{Error, Options, Store};
use tengen_study::PositionInput;
use tengen_study::database::{Edit, ShownPosition, edit, keep_search, now, remove};

/// A database. Its requests are answered one after the other.
pub(crate) struct Study {
    store: Mutex<Store>,
    name: String,
}

/// A request about a position of the database.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionRequest {
    position: PositionInput,
}

/// A request to change texts of a position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EditRequest {
    position: PositionInput,
    edit: Edit,
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

    /// The position and the moves from it.
    ///
    /// # Errors
    /// If the request is invalid, or the database cannot be read.
    pub(crate) fn show(&self, body: &[u8]) -> Result<Value, RequestError> {
        let PositionRequest { position } = parse(body)?;
        let game = position.game()?;
        shown(&self.store(), game.board())
    }

    /// Changes texts of the position, or adds it. Returns the position after the change.
    ///
    /// # Errors
    /// If the request is invalid, or the database cannot be read or written.
    pub(crate) fn edit(&self, body: &[u8]) -> Result<Value, RequestError> {
        let EditRequest { position, edit: changes } = parse(body)?;
        let game = position.game()?;
        let mut store = self.store();
        edit(&mut store, game.board(), changes, now()).map_err(refused)?;
        shown(&store, game.board())
    }

    /// Deletes the position. Returns what is still known of it.
    ///
    /// # Errors
    /// If the request is invalid, or the database cannot be read or written.
    pub(crate) fn delete(&self, body: &[u8]) -> Result<Value, RequestError> {
        let PositionRequest { position } = parse(body)?;
        let game = position.game()?;
        let mut store = self.store();
        remove(&mut store, game.board(), now()).map_err(refused)?;
        shown(&store, game.board())
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
        let study = Arc::clone(self);
        analyse(body, move |game, found| {
            keep_search(&mut study.store(), game.board(), found, now()).map_err(refused)?;
            Ok(())
        })
    }

    /// The store. A request that crashed has not changed it: its batch was rolled back.
    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The position of a board, and the moves from it.
fn shown(store: &Store, board: &Board) -> Result<Value, RequestError> {
    let shown = store.snapshot().and_then(|reader| ShownPosition::read(&reader, board));
    serde_json::to_value(shown.map_err(refused)?).map_err(RequestError::new)
}

fn refused(error: Error) -> RequestError {
    RequestError::new(error)
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
        let body = body.to_string();
        match path {
            "study" => study.show(body.as_bytes()),
            "study-edit" => study.edit(body.as_bytes()),
            _ => study.delete(body.as_bytes()),
        }
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
            ("study", &changes, "unknown field"),
            ("study-delete", &changes, "unknown field"),
        ] {
            let reason = ask(&study, path, body).unwrap_err().to_string();
            assert!(reason.contains(named), "{path}: {reason}");
        }
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
