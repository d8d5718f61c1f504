//! Tests of `tengen study`: files in and out, refusals, interrupted work.

use std::path::PathBuf;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A temporary folder with files.
struct WorkFolder {
    folder: TempDir,
}

impl WorkFolder {
    fn new(files: &[(&str, &[u8])]) -> WorkFolder {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, bytes) in files {
            std::fs::write(folder.path().join(name), bytes).expect("a file");
        }
        WorkFolder { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, arguments: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
        command.arg("study").args(arguments.split(' ').map(|word| word.replace('_', " ")));
        command.current_dir(self.folder.path()).output().expect("the workbench starts")
    }

    /// The standard output of a successful run.
    fn out(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments}: {output:?}");
        String::from_utf8(output.stdout).expect("text")
    }

    /// The message of a refused run.
    fn refusal(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {output:?}");
        String::from_utf8(output.stderr).expect("text")
    }
}

const TREE: &[u8] = b"(;GM[4]SZ[15]RU[renju]C[start];B[hh]LB[ig:A](;W[hg]C[direct];B[he])\
    (;W[ig]C[indirect\nTengen: result loss in 30, proved];B[gg]))";
const GAMES: &[u8] = b"(;GM[4]SZ[15]RU[renju]RE[B+];B[hh];W[hg];B[he])\
    (;GM[4]SZ[15]RU[renju]RE[W+];B[hh];W[hg];B[ih])";

#[test]
fn show_names_the_opening_of_renju() {
    let work =
        WorkFolder::new(&[("tree.sgf", TREE), ("board.txt", b"X....\n..X..\n.OX..\n.O...\n.....")]);
    work.out("import a.tdb tree.sgf");
    let text = work.out("show a.tdb --moves h8_h9_i9_a1");
    assert!(text.contains("to move\nopening D4 Kagetsu 花月\n"), "{text}");
    let json = work.out("show a.tdb --moves h8_h9_i9 --json");
    assert!(
        json.contains(r#""opening":{"code":"D4","names":{"romaji":"Kagetsu","ja":"花月""#),
        "{json}"
    );
    // The order of stones in a diagram is unknown.
    let board = work.out("show a.tdb --rule renju --diagram board.txt");
    assert!(board.contains("to move\n") && !board.contains("opening"), "{board}");
}

#[test]
fn diagrams_have_the_side_to_move_of_their_stones() {
    let board = b"  a b c\n3 + + +\n2 + X +\n1 + + +\n";
    let work = WorkFolder::new(&[
        ("tree.sgf", b"(;GM[4]SZ[3]RU[freestyle];B[bb];W[aa])"),
        ("board.txt", board),
    ]);
    work.out("import a.tdb tree.sgf");
    let shown = work.out("show a.tdb --diagram board.txt");
    assert!(shown.contains("1 stone, white to move\n"), "{shown}");
    let tree = work.out("export a.tdb --diagram board.txt");
    assert!(tree.contains(";B[bb]") && tree.contains(";W[aa]"), "{tree}");
}

#[test]
fn control_characters_of_texts_are_escaped() {
    let tree = b"(;GM[4]SZ[15];B[hh]LB[ig:\x1bc]C[a\x1b[2J\\];W[hg])";
    let work = WorkFolder::new(&[("tree.sgf", tree)]);
    work.out("import a.tdb tree.sgf");
    for command in ["show a.tdb --moves h8", "query a.tdb"] {
        let text = work.out(command);
        assert!(text.contains("a\\u{1b}[2J"), "{text:?}");
        assert!(!text.contains('\u{1b}'), "{text:?}");
    }
}

#[test]
fn show_marks_what_the_embedded_proofs_decide() {
    const LINE: &[u8] = b"(;GM[4]SZ[15]RU[freestyle];B[hh];W[hg];B[ig];W[aa])";
    let work = WorkFolder::new(&[("line.sgf", LINE)]);
    work.out("import a.tdb line.sgf");
    let opening = work.out("show a.tdb --moves h8_h9_i9");
    assert!(opening.contains("\nproved   "), "{opening}");
    let reply = opening.lines().find(|line| line.starts_with("a15 ")).expect("the reply");
    assert!(reply.contains("proved loss"), "{opening}");
    let after = work.out("show a.tdb --moves h8_h9_i9_a15");
    assert!(after.contains("\nproved   black wins, best "), "{after}");
    let json = work.out("show a.tdb --moves h8_h9_i9_a15 --json");
    assert!(json.contains(r#""proved":{"winner":"black","best":""#), "{json}");
    let other = work.out("show a.tdb --moves a1");
    assert!(!other.contains("proved"), "{other}");
}

#[test]
fn import_leaves_out_unreadable_files_and_reads_folders() {
    let work = WorkFolder::new(&[("games.sgf", GAMES), ("b.sgf", b"(;GM[4]SZ[15];B[h8])")]);
    std::fs::create_dir(work.path("games")).unwrap();
    std::fs::write(work.path("games/c.sgf"), b"(;GM[4]SZ[15]RE[B+];B[hh])").unwrap();
    std::fs::write(work.path("games/d.sgf"), b"(;GM[4]SZ[15]RE[W+];B[hh])").unwrap();
    let folder = work.out("import folder.tdb games");
    assert!(folder.contains("read 2 games with ") && folder.contains("results of 2\n"), "{folder}");
    let output = work.run("import a.tdb games.sgf b.sgf none.sgf games --skip-bad");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(notes.contains("skipped b.sgf: ") && notes.contains("[h8]"), "{notes}");
    assert!(notes.contains("skipped none.sgf: "), "{notes}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("read 4 games with ") && text.contains("results of 4\n"), "{text}");
    // Without the option a bad file is an error, and a missing one leaves no database behind.
    assert!(work.refusal("import a.tdb games b.sgf").contains("b.sgf: "));
    // A single file is not left out.
    for arguments in ["games none.sgf", "none.sgf --skip-bad"] {
        work.refusal(&format!("import new.tdb {arguments}"));
        assert!(!work.path("new.tdb").exists(), "{arguments}");
    }
}

#[test]
fn games_of_overlapping_selections_are_counted_once() {
    let work = WorkFolder::new(&[("games.sgf", GAMES)]);
    work.out("import a.tdb games.sgf --game 1");
    let whole = work.out("import a.tdb games.sgf");
    assert!(whole.contains("counted the results of 1; 1 counted before\n"), "{whole}");
    work.out("import b.tdb games.sgf --no-games");
    let later = work.out("import b.tdb games.sgf");
    assert!(later.contains("counted the results of 2\n"), "{later}");
}

#[test]
fn merged_games_are_not_counted_again() {
    let work = WorkFolder::new(&[("games.sgf", GAMES)]);
    work.out("import a.tdb games.sgf");
    work.out("merge all.tdb a.tdb");
    let again = work.out("import all.tdb games.sgf");
    assert!(again.contains("counted the results of 0; 2 counted before\n"), "{again}");
    let shown = work.out("show all.tdb --moves h8_h9");
    assert!(shown.contains("games    2: black won 1, white won 1\n"), "{shown}");
}

#[test]
fn pruned_games_are_counted_again_if_all_are_pruned() {
    let work = WorkFolder::new(&[("games.sgf", GAMES)]);
    work.out("import a.tdb games.sgf");
    let pruned = work.run("prune a.tdb --below h8_h9 --part games");
    let notes = String::from_utf8(pruned.stderr).unwrap();
    assert!(notes.starts_with("imports do not count the games again"), "{notes}");
    let again = work.out("import a.tdb games.sgf --again");
    assert!(again.contains("counted the results of 0; 2 counted before\n"), "{again}");
    for part in [" --part games", ""] {
        let pruned = work.run(&format!("prune a.tdb --all{part}"));
        assert!(pruned.status.success() && pruned.stderr.is_empty(), "{pruned:?}");
        let again = work.out("import a.tdb games.sgf");
        assert!(again.contains("counted the results of 2\n"), "{again}");
        let shown = work.out("show a.tdb --moves h8_h9");
        assert!(shown.contains("games    2: black won 1, white won 1\n"), "{shown}");
    }
}

#[test]
fn prune_beside_a_damaged_record_reports_old_values() {
    let work = WorkFolder::new(&[("tree.sgf", TREE), ("games.sgf", GAMES)]);
    work.out("import a.tdb tree.sgf games.sgf");
    let mut bytes = std::fs::read(work.path("a.tdb")).unwrap();
    let at = find(&bytes, b"indirect");
    bytes[at] ^= 1;
    std::fs::write(work.path("a.tdb"), bytes).unwrap();
    let refused = work.refusal("prune a.tdb --stones 3");
    // The note about the imports is not lost.
    assert!(refused.starts_with("imports do not count the games again"), "{refused}");
    let old = " positions deleted, but the values that depend on them were not updated (";
    assert!(refused.contains(old) && refused.contains("a.tdb: damaged"), "{refused}");
}

#[test]
fn existing_files_are_not_replaced() {
    let work = WorkFolder::new(&[("tree.sgf", TREE), ("notes.txt", b"notes")]);
    work.out("import a.tdb tree.sgf");
    for arguments in ["book a.tdb notes.txt", "export a.tdb --to sgf --out notes.txt"] {
        let error = work.refusal(arguments);
        assert!(error.contains("notes.txt: the file already exists (--force"), "{error}");
    }
    work.refusal("repair a.tdb notes.txt");
    work.refusal("split a.tdb notes.txt");
    assert_eq!(std::fs::read(work.path("notes.txt")).unwrap(), b"notes");
}

#[test]
fn trees_survive_import_and_export_in_every_format() {
    let work = WorkFolder::new(&[("tree.sgf", TREE)]);
    work.out("import a.tdb tree.sgf");
    let first = work.out("export a.tdb --to jsonl");
    assert_eq!(first.lines().count(), 6);
    assert!(first.contains("\"evidence\":\"claimed\""), "a file proves nothing: {first}");
    for format in ["sgf", "lib", "jsonl"] {
        work.out(&format!("export a.tdb --to {format} --out copy.{format}"));
        work.out(&format!("import {format}.tdb copy.{format} --source tree.sgf"));
        let again = work.out(&format!("export {format}.tdb --to jsonl"));
        // The times of the imports may differ by seconds.
        let timeless = |text: &str| {
            let lines =
                text.lines().map(|line| line.split("\"time\":").next().unwrap().to_string());
            lines.collect::<Vec<String>>()
        };
        assert_eq!(timeless(&again), timeless(&first), "{format}");
    }
}

#[test]
fn databases_are_not_game_files() {
    let work = WorkFolder::new(&[("games.sgf", GAMES)]);
    work.out("import a.tdb games.sgf");
    work.out("export a.tdb --rule renju --to db --out a.db");
    for tool in ["convert", "analyze", "review", "judge", "solve"] {
        for (file, hint) in [("a.tdb", "tengen study export"), ("a.db", "tengen study import")] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
            let output = command.args([tool, file]).current_dir(work.folder.path()).output();
            let output = output.expect("the workbench starts");
            let error = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{tool} {file}: {error}");
            assert!(error.contains("a database of positions") && error.contains(hint), "{error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    }
    std::fs::write(work.folder.path().join("other.db"), b"SQLite format 3\0").unwrap();
    let refused = work.refusal("import b.tdb other.db");
    assert!(refused.contains("an SQLite database, but not one of tengen study"), "{refused}");
}

#[test]
fn games_are_counted_once() {
    let work = WorkFolder::new(&[("games.sgf", GAMES)]);
    let counted = work.out("import a.tdb games.sgf");
    assert!(
        counted.starts_with("read 2 games with 8 nodes, counted the results of 2\n"),
        "{counted}"
    );
    let again = work.run("import a.tdb games.sgf");
    let notes = String::from_utf8(again.stderr).unwrap();
    assert_eq!(notes, "games.sgf: imported before; skipped (--again reads it again)\n");
    let shown = work.out("show a.tdb --moves h8_h9");
    assert!(shown.contains("games    2: black won 1, white won 1\n"), "{shown}");
    // The same file as JSON, with another rule, is another source.
    work.out("import a.tdb games.sgf --rule standard");
    let refused = work.refusal("show a.tdb --moves h8");
    assert_eq!(
        refused,
        "tengen: the database holds standard 15x15, renju 15x15: choose with --rule and --size\n"
    );
}

#[test]
fn bad_games_are_named_and_can_be_skipped() {
    let work = WorkFolder::new(&[("games.txt", b"h8i9\nh8h8\nh8g7\n")]);
    let refused = work.refusal("import a.tdb games.txt");
    assert!(refused.contains("games.txt: game 2, line 2: h8 is played twice"), "{refused}");
    let skipped = work.run("import a.tdb games.txt --skip-bad");
    assert_eq!(skipped.status.code(), Some(1), "not all was imported");
    let out = String::from_utf8(skipped.stdout).unwrap();
    assert!(out.starts_with("read 2 games"), "{out}");
    let line = work.out("export a.tdb --to jsonl").lines().next().unwrap().to_string();
    std::fs::write(work.path("lines.jsonl"), format!("{line}\n{{\"rule\":1}}\n{line}\n")).unwrap();
    let refused = work.refusal("import b.tdb lines.jsonl");
    assert!(refused.contains("lines.jsonl") && refused.contains("line 2"), "{refused}");
    assert_eq!(work.run("import b.tdb lines.jsonl --skip-bad").status.code(), Some(1));
    std::fs::write(work.path("lines.jsonl"), format!("{{\"rule\":1}}\n{line}\n")).unwrap();
    let refused = work.refusal("import c.tdb lines.jsonl");
    assert!(refused.contains("line 1: "), "{refused}");
}

#[test]
fn json_lines_are_read_in_other_encodings_and_keep_all_data() {
    let work = WorkFolder::new(&[("tree.sgf", TREE)]);
    work.out("import a.tdb tree.sgf");
    let lines = work.out("export a.tdb --to jsonl");
    let marked = format!("\u{feff}{lines}");
    let single = marked.lines().next().unwrap();
    let utf16: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (name, bytes) in [("utf16", &utf16[..]), ("lines", marked.as_bytes())] {
        std::fs::write(work.path(&format!("{name}.jsonl")), bytes).unwrap();
        work.out(&format!("import {name}.tdb {name}.jsonl"));
        assert_eq!(work.out(&format!("export {name}.tdb --to jsonl")), lines, "{name}");
    }
    // The option is for game files beside it.
    let text = lines.replace("\"start\"", "\"黑棋胜\"");
    assert_ne!(text, lines);
    std::fs::write(work.path("utf8.jsonl"), &text).unwrap();
    work.out("import utf8.tdb utf8.jsonl --encoding gbk");
    assert_eq!(work.out("export utf8.tdb --to jsonl"), text);
    std::fs::write(work.path("single.jsonl"), single).unwrap();
    work.out("import single.tdb single.jsonl");
    let again = work.out("export single.tdb --to jsonl");
    assert_eq!(again.trim_end(), single.trim_start_matches('\u{feff}'));
}

#[test]
fn mistakes_in_json_lines_are_not_left_out_silently() {
    let work = WorkFolder::new(&[("tree.sgf", TREE)]);
    work.out("import a.tdb tree.sgf");
    let lines = work.out("export a.tdb --to jsonl");
    for (wrong, reason) in [
        ("\"later\":1,\"side_to_move\"", "unknown field `later`, expected one of `rule`"),
        (
            "\"texts\":[{\"at\":\"200,200\",\"text\":\"A\"}],\"side_to_move\"",
            "outside the largest board (36x36)",
        ),
    ] {
        let text = lines.replace("\"side_to_move\"", wrong);
        std::fs::write(work.path("lines.jsonl"), text).unwrap();
        let refused = work.refusal("import b.tdb lines.jsonl");
        assert!(refused.contains("lines.jsonl: ") && refused.contains("line 1: "), "{refused}");
        assert!(refused.contains(reason), "{refused}");
    }
    // As `jq .` and `jq -s .` print them.
    let first = lines.lines().next().unwrap();
    for text in [first.replacen(",\"", ",\n  \"", 1), format!("[{first}]")] {
        std::fs::write(work.path("lines.jsonl"), text).unwrap();
        let refused = work.refusal("import b.tdb lines.jsonl");
        assert!(refused.contains("lines.jsonl: positions of a database must be"), "{refused}");
    }
}

#[test]
fn queries_find_holes_in_a_repertoire() {
    let work = WorkFolder::new(&[("games.sgf", GAMES), ("tree.sgf", TREE)]);
    work.out("import a.tdb games.sgf tree.sgf");
    let best =
        "(;GM[4]SZ[15]RU[renju];B[hh];W[hg]C[Tengen: score +20, win rate 52 % for black, line a1])";
    std::fs::write(work.path("best.sgf"), best).unwrap();
    work.out("import a.tdb best.sgf --no-games");
    let found = work.out("query a.tdb --unplayed");
    // After the first move, no game played the win that the tree claims.
    assert!(found.contains("h8; score +M31; best g9; 2 games"), "{found}");
    assert!(found.contains("h8 h9; score 20; best a1") && found.ends_with("\n2 positions\n"));
    let played = best.replace("line a1", "line h11");
    std::fs::write(work.path("best.sgf"), played).unwrap();
    work.out("import b.tdb games.sgf");
    work.out("import b.tdb best.sgf --no-games");
    assert_eq!(work.out("query b.tdb --unplayed"), "0 positions\n");
    // The last positions of the lines have no answer.
    let found = work.out("query a.tdb --unanswered");
    assert!(found.ends_with("\n3 positions\n"), "{found}");
    assert_eq!(work.out("query a.tdb --unanswered --to-move black"), "0 positions\n");
    assert_eq!(work.out("query a.tdb --text DIRECT --stones 2 --limit 1").lines().count(), 2);
}

#[test]
fn pruning_needs_a_condition_and_can_be_tried() {
    let work = WorkFolder::new(&[("tree.sgf", TREE)]);
    work.out("import a.tdb tree.sgf");
    let refused = work.refusal("prune a.tdb");
    assert!(refused.contains("--all selects every position"), "{refused}");
    assert_eq!(work.out("prune a.tdb --below h8_h9 --dry-run"), "2 positions would be deleted\n");
    work.out("analyze a.tdb --nodes 200 --solver-nodes 0 --threads 1");
    assert!(work.out("show a.tdb --moves h8").contains("\ntree     +M31, 1 ply deep"));
    assert_eq!(work.out("prune a.tdb --result loss --part result"), "1 position changed\n");
    let shown = work.out("show a.tdb --moves h8");
    assert!(shown.contains("\ntree     ") && !shown.contains("+M"), "{shown}");
    assert_eq!(work.out("prune a.tdb --below h8_h9"), "2 positions deleted\n");
    let stats = work.out("stats a.tdb");
    assert!(stats.starts_with("renju 15x15: 4 positions") && !stats.contains("claimed"), "{stats}");
    assert_eq!(work.out("prune a.tdb --all"), "4 positions deleted\n");
    assert!(work.out("compact a.tdb").ends_with("bytes now\n"));
}

#[test]
fn foreign_and_damaged_files_are_refused_and_repaired() {
    let work = WorkFolder::new(&[("tree.sgf", TREE), ("text.tdb", b"no database at all")]);
    work.out("import a.tdb tree.sgf");
    assert!(work.refusal("stats text.tdb").contains("text.tdb: not a database of positions"));
    assert!(work.refusal("stats missing.tdb").contains("missing.tdb: no such file"));
    assert!(work.refusal("analyze missing.tdb").contains("missing.tdb: no such file"));
    let refused = work.refusal("import b.tdb a.tdb");
    assert!(refused.contains("tengen study merge adds databases"), "{refused}");
    assert!(work.refusal("merge a.tdb a.tdb").contains("the database that receives the positions"));
    assert_eq!(work.out("check a.tdb"), "6 positions intact\n");
    // A byte of a record.
    let mut bytes = std::fs::read(work.path("a.tdb")).unwrap();
    let at = find(&bytes, b"indirect");
    bytes[at] ^= 1;
    std::fs::write(work.path("a.tdb"), bytes).unwrap();
    let refused = work.refusal("check a.tdb");
    assert!(refused.contains("a.tdb: damaged; tengen study repair"), "{refused}");
    let repaired = work.out("repair a.tdb new.tdb");
    assert_eq!(repaired, "5 positions copied\n1 row in 1 page could not be read\n");
    assert_eq!(work.out("check new.tdb"), "5 positions intact\n");
    assert!(work.refusal("repair a.tdb new.tdb").contains("new.tdb: the file already exists"));
    // A file without its last page.
    let bytes = std::fs::read(work.path("new.tdb")).unwrap();
    std::fs::write(work.path("cut.tdb"), &bytes[..bytes.len() - 4096]).unwrap();
    assert!(work.refusal("stats cut.tdb").contains("cut.tdb: truncated at byte"));
    let repaired = work.out("repair cut.tdb rest.tdb");
    assert!(repaired.ends_with("\n1 page missing at the end of the file\n"), "{repaired}");
}

#[test]
fn refused_commands_write_no_file() {
    let work = WorkFolder::new(&[("tree.sgf", TREE)]);
    work.out("import a.tdb tree.sgf");
    let bytes = std::fs::read(work.path("a.tdb")).unwrap();
    let refused = work.refusal("export a.tdb --out ./a.tdb");
    assert_eq!(refused, "tengen: ./a.tdb: the database itself; --out would replace it\n");
    assert!(std::fs::read(work.path("a.tdb")).unwrap() == bytes, "the database is unchanged");
    let refused = work.refusal("import folder/new.tdb tree.sgf");
    assert_eq!(refused, "tengen: folder: no such file or folder\n");
    for arguments in ["import new.tdb tree.sgf none.sgf", "merge new.tdb a.tdb none.tdb"] {
        assert!(work.refusal(arguments).contains("none."), "{arguments}");
        assert!(!work.path("new.tdb").exists(), "{arguments}");
    }
    assert!(work.refusal("grow a.tdb --size 4").contains("4x4"));
    assert!(work.out("stats a.tdb").starts_with("renju 15x15: 6 positions"));
}

fn find(bytes: &[u8], part: &[u8]) -> usize {
    bytes.windows(part.len()).position(|window| window == part).expect("the text")
}

#[test]
fn sessions_in_parts_analyse_nothing_twice() {
    let work = WorkFolder::new(&[("tree.sgf", TREE)]);
    let analyse = "--nodes 300 --solver-nodes 100 --threads 2 --memory 8 --json";
    let counts = |arguments: &str| -> serde_json::Value {
        serde_json::from_str(&work.out(&format!("{arguments} {analyse}"))).unwrap()
    };
    for part in ["one.tdb", "two.tdb"] {
        work.out(&format!("import {part} tree.sgf"));
    }
    let first = counts("analyze one.tdb --part 1/2");
    let second = counts("analyze two.tdb --part 2/2");
    assert_eq!(first["analysed"].as_u64().unwrap() + second["analysed"].as_u64().unwrap(), 6);
    assert_eq!((&first["left"], &second["left"]), (&0.into(), &0.into()));
    work.out("merge all.tdb one.tdb two.tdb");
    assert_eq!(counts("analyze all.tdb")["analysed"], 0);
    let shown = work.out("show all.tdb --moves h8");
    assert!(shown.contains("\ntree     ") && shown.contains("\nsearch   "), "{shown}");
    // Growing continues from what is there.
    let grown = counts("grow all.tdb --moves h8_h9 --positions 2");
    assert_eq!((&grown["analysed"], &grown["added"]), (&2.into(), &2.into()));
}

/// A line of JSON for a position that was searched.
fn searched(stones: &str, side: &str, score: i32, nodes: u64) -> String {
    format!(
        "{{\"rule\":\"freestyle\",\"width\":15,\"height\":15,{stones},\"side_to_move\":\"{side}\",\
         \"evaluation\":{{\"score\":{score},\"bound\":\"exact\",\"depth\":9,\"nodes\":{nodes}}}}}\n"
    )
}

#[test]
fn tree_values_follow_imports_merges_and_splits() {
    let after = |point: &str, score, nodes| {
        let stones = format!("\"black\":[\"7,7\"],\"white\":[\"{point}\"]");
        searched(&stones, "black", score, nodes)
    };
    let root = searched("\"black\":[\"7,7\"],\"white\":[]", "white", 5, 1);
    let first = root + &after("6,6", -300, 100);
    let (better, other) = (after("6,6", 200, 100_000), after("7,6", 100, 100_000));
    let work = WorkFolder::new(&[
        ("first.jsonl", first.as_bytes()),
        ("better.jsonl", better.as_bytes()),
        ("other.jsonl", other.as_bytes()),
    ]);
    let tree = |database: &str| {
        let shown = work.out(&format!("show {database} --moves h8"));
        let line = shown.lines().find(|line| line.starts_with("tree "));
        line.unwrap_or_default().to_string()
    };
    work.out("import a.tdb first.jsonl");
    assert_eq!(tree("a.tdb"), "tree     300, 1 ply deep, best g9");
    work.out("import b.tdb better.jsonl other.jsonl");
    work.out("merge a.tdb b.tdb");
    assert_eq!(tree("a.tdb"), "tree     -100, 1 ply deep, best h9");
    work.out("split a.tdb d.tdb --moves h8_g9");
    assert_eq!(tree("d.tdb"), "tree     -200, 1 ply deep, best g9");
    work.out("import d.tdb other.jsonl");
    assert_eq!(tree("d.tdb"), tree("a.tdb"));
}

#[test]
fn growing_reaches_positions_without_a_line_to_them() {
    let root = searched(
        "\"black\":[\"7,7\",\"8,7\",\"9,7\"],\"white\":[\"6,7\",\"0,12\",\"0,10\"]",
        "black",
        50,
        5_000_000,
    );
    // Black's best move is a four; the position after the only answer is known.
    let root = root.replace("5000000}", "5000000,\"moves\":[{\"at\":\"10,7\",\"score\":50}]}");
    let last = searched(
        "\"black\":[\"7,7\",\"8,7\",\"9,7\",\"10,7\"],\
         \"white\":[\"6,7\",\"0,12\",\"0,10\",\"11,7\"]",
        "black",
        -700,
        5_000_000,
    );
    let work = WorkFolder::new(&[("lines.jsonl", (root + &last).as_bytes())]);
    work.out("import a.tdb lines.jsonl");
    let line = "--moves h8_g8_i8_a3_j8_a5";
    let grown = work.out(&format!(
        "grow a.tdb {line} --breadth 1 --plies 2 --nodes 2000 --solver-nodes 0 --threads 1 --json"
    ));
    let grown: serde_json::Value = serde_json::from_str(&grown).unwrap();
    assert_eq!((&grown["analysed"], &grown["added"]), (&1.into(), &1.into()));
    let shown = work.out(&format!("show a.tdb {line}"));
    assert!(shown.contains("\ntree     -700, 2 plies deep, best k8\n"), "{shown}");
}

#[test]
fn analyses_update_the_positions_before_them() {
    let work = WorkFolder::new(&[("game.sgf", b"(;GM[4]SZ[15];B[hh];W[ig];B[ii])")]);
    work.out("import a.tdb game.sgf");
    work.out("analyze a.tdb --moves h8_i9 --nodes 300 --solver-nodes 0 --threads 1");
    let shown = work.out("show a.tdb");
    assert!(shown.contains("\ntree     "), "{shown}");
}

#[test]
fn ends_of_games_without_searches_give_no_tree_values() {
    let won = b"(;GM[4]SZ[15];B[hh];W[aa];B[ih];W[ac];B[jh];W[ae];B[kh];W[ag];B[lh])";
    let work = WorkFolder::new(&[("won.sgf", won)]);
    work.out("import a.tdb won.sgf");
    // Nothing is left to analyse.
    for line in ["h8_a15_i8_a13_j8_a11_k8_a9_l8", "h8_a15_i8_a13_j8_a11_k8_a9"] {
        work.out(&format!("analyze a.tdb --moves {line}"));
        let shown = work.out("show a.tdb");
        assert!(!shown.contains("\ntree     "), "{shown}");
    }
}

#[test]
fn added_positions_have_the_value_of_the_positions_after_them() {
    let after = searched("\"black\":[\"7,7\"],\"white\":[\"6,6\"]", "black", 300, 100);
    let work = WorkFolder::new(&[("after.jsonl", after.as_bytes())]);
    work.out("import a.tdb after.jsonl");
    work.out("label a.tdb main --moves h8 --add");
    let shown = work.out("show a.tdb --moves h8");
    assert!(shown.contains("\ntree     -300, 1 ply deep"), "{shown}");
}

#[test]
fn added_positions_have_no_value_without_searches() {
    let claimed = "{\"rule\":\"freestyle\",\"width\":15,\"height\":15,\"black\":[\"7,7\"],\
                   \"white\":[\"6,6\"],\"side_to_move\":\"black\",\
                   \"result\":{\"value\":\"loss\",\"evidence\":\"claimed\",\"plies\":6}}";
    let work = WorkFolder::new(&[("claimed.jsonl", claimed.as_bytes())]);
    work.out("import a.tdb claimed.jsonl");
    work.out("label a.tdb main --moves h8 --add");
    let shown = work.out("show a.tdb --moves h8");
    assert!(shown.contains("main") && !shown.contains("\ntree     "), "{shown}");
}
