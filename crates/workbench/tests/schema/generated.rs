//! Compares the committed schemas with those generated from the types.
//!
//! `BLESS=1 cargo test -p tengen-workbench --test schema` regenerates the files.

use std::fs;
use std::path::Path;

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};

use tengen_arena::{MatchLine, MatchSummary};
use tengen_record::GameLine;
use tengen_study::analysis::Analysis;
use tengen_study::certificate::CertificateCheck;
use tengen_study::database::{
    DatabaseCheck, DatabaseRepair, DatabaseStats, ExportCounts, ImportCounts, Pruned,
    SessionCounts, ShownPosition, StoredPosition,
};
use tengen_study::feature_file::FeatureFile;
use tengen_study::forbidden::Forbidden;
use tengen_study::judge::Verdict;
use tengen_study::levels::Players;
use tengen_study::puzzles::Puzzle;
use tengen_study::review::ReviewDocument;
use tengen_study::solve::Solution;

/// Schemas of what the tools write: an object has the fields that are listed and no others.
#[derive(Clone)]
struct Closed;

impl Transform for Closed {
    fn transform(&mut self, schema: &mut Schema) {
        if schema.get("properties").is_some() && schema.get("additionalProperties").is_none() {
            schema.insert("additionalProperties".to_string(), false.into());
        }
        // The standard does not define Rust's number types as formats.
        schema.remove("format");
        if let Some(text) = schema.get("description").and_then(|it| it.as_str()) {
            let line = text.replace('\n', " ");
            schema.insert("description".to_string(), line.into());
        }
        transform_subschemas(self, schema);
    }
}

fn generated<T: JsonSchema>() -> String {
    let settings = SchemaSettings::draft2020_12().for_serialize().with_transform(Closed);
    let schema = settings.into_generator().into_root_schema_for::<T>();
    serde_json::to_string_pretty(&schema).expect("a schema") + "\n"
}

#[test]
fn committed_schemas_are_those_of_the_types() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas");
    let schemas = [
        ("analyze", generated::<Analysis>()),
        ("features", generated::<FeatureFile<'static>>()),
        ("forbidden", generated::<Forbidden>()),
        ("games", generated::<GameLine<'static>>()),
        ("judge", generated::<Verdict>()),
        ("levels", generated::<Players>()),
        ("match", generated::<MatchLine>()),
        ("match-summary", generated::<MatchSummary>()),
        ("puzzles", generated::<Puzzle>()),
        ("review", generated::<ReviewDocument>()),
        ("solve", generated::<Solution>()),
        ("study-analyze", generated::<SessionCounts>()),
        ("study-check", generated::<DatabaseCheck>()),
        ("study-export", generated::<ExportCounts>()),
        ("study-import", generated::<ImportCounts>()),
        ("study-position", generated::<StoredPosition>()),
        ("study-prune", generated::<Pruned>()),
        ("study-repair", generated::<DatabaseRepair>()),
        ("study-show", generated::<ShownPosition>()),
        ("study-stats", generated::<DatabaseStats>()),
        ("verify", generated::<CertificateCheck>()),
    ];
    let bless = std::env::var_os("BLESS").is_some();
    for (name, text) in schemas {
        let path = folder.join(format!("{name}.schema.json"));
        if bless {
            fs::write(&path, text).expect("a schema that can be written");
            continue;
        }
        let committed = fs::read_to_string(&path).expect("a committed schema");
        // Git may have checked the file out with the line ends of Windows.
        let same = committed.replace("\r\n", "\n") == text;
        assert!(same, "{name}.schema.json differs from its type: run with BLESS=1");
    }
}
