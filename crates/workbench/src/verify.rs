//! `tengen verify`: checks certificates of won positions.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

use tengen_prove::{engine_color, engine_rule, point_of};
use tengen_rules::types::{BoardSize, counted};
use tengen_study::Cell;
use tengen_study::Named;
use tengen_study::certificate::{CertificateCheck, ProvedClaim};
use tengen_verify::{Checked, Claim, Outcome, Verifier, certificates};

/// Arguments of `tengen verify`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Certificates, or folders whose files *.proof are checked
    #[arg(required = true, value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    /// Also play every reply outside the zones, so that the result does not rest on the zone lemma;
    /// slow
    #[arg(long)]
    every_reply: bool,
    /// Print a JSON line for each file
    #[arg(long)]
    json: bool,
}

/// Checks the files, prints a line for each, and returns whether all are accepted. Files that cannot
/// be read and folders without certificates are named in `notes`, and the others are checked.
///
/// # Errors
/// If a file or folder cannot be read, a folder has no certificates, or `out` cannot be written.
pub fn run(args: &Args, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<bool> {
    let mut verifier = Verifier::new(args.every_reply);
    let (mut accepted, mut files, mut skipped) = (0, 0, 0);
    for path in &args.paths {
        let paths = match files_of(path) {
            Ok(paths) => paths,
            Err(error) => {
                skipped += 1;
                writeln!(notes, "{error:#}")?;
                continue;
            }
        };
        for file in paths {
            let name = file.display().to_string();
            let outcome = match verifier.verify(&file) {
                Ok(outcome) => outcome,
                Err(error) => {
                    skipped += 1;
                    writeln!(notes, "{name}: {error}")?;
                    continue;
                }
            };
            files += 1;
            accepted += outcome.is_ok() as usize;
            if args.json {
                let check = check(name, &outcome, args.every_reply)?;
                writeln!(out, "{}", serde_json::to_string(&check)?)?;
            } else {
                writeln!(out, "{name}: {}", text(&outcome, args.every_reply))?;
            }
            // Large certificates take minutes.
            out.flush()?;
        }
    }
    if files > 1 && !args.json {
        writeln!(out, "{accepted} of {files} certificates accepted")?;
    }
    if skipped > 0 {
        out.flush()?;
        bail!("{} not checked", counted(skipped, "path"));
    }
    Ok(accepted == files)
}

/// The file, or the certificates of the folder.
fn files_of(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let name = path.display();
    let files = certificates(path).with_context(|| name.to_string())?;
    ensure!(!files.is_empty(), "{name}: the folder has no files *.proof");
    Ok(files)
}

fn text(outcome: &Outcome, every_reply: bool) -> String {
    let checked = match outcome {
        Ok(checked) => checked,
        Err(refusal) => return format!("refused: {refusal}"),
    };
    let Checked { claim, moves, replies, covered, given, played, .. } = checked;
    let stones = |cells: &[u8]| match cells {
        [] => "none".to_string(),
        _ => cells.iter().map(|&cell| claim.name(cell)).collect::<Vec<_>>().join(" "),
    };
    let (size, rule) = (claim.size, claim.rule.name());
    let (winner, side) = (claim.attacker.name(), claim.to_move().name());
    let (black, white) = (stones(&claim.black), stones(&claim.white));
    let mut text = format!("accepted: {rule} {size}x{size}, {winner} wins");
    text += &format!("; black {black}; white {white}; {side} to move; {}", counted(*moves, "move"));
    text += &format!(", {}, {covered} covered by zones", counted(*replies, "reply"));
    if !given.is_empty() {
        text += &format!(", {} proved by other files", given.len());
    }
    if every_reply {
        text += &format!("; {} played outside the zones", counted(*played, "reply"));
    }
    text
}

/// The result as it is printed in JSON.
fn check(file: String, outcome: &Outcome, every_reply: bool) -> anyhow::Result<CertificateCheck> {
    Ok(match outcome {
        Ok(checked) => {
            let proved = Some(proved(checked, every_reply)?);
            CertificateCheck { file, proved, refused: None, at: None }
        }
        Err(refusal) => {
            let refused = Some(refusal.reason.clone());
            CertificateCheck { file, proved: None, refused, at: refusal.at }
        }
    })
}

fn proved(checked: &Checked, every_reply: bool) -> anyhow::Result<ProvedClaim> {
    let Claim { rule, size, attacker, black, white } = &checked.claim;
    let board = BoardSize::square((*size).into())?;
    let cells = |cells: &[u8]| -> Vec<Cell> {
        cells.iter().map(|&cell| point_of(board, cell).into()).collect()
    };
    Ok(ProvedClaim {
        rule: Named(engine_rule(*rule)),
        size: *size,
        winner: Named(engine_color(*attacker)),
        side_to_move: Named(engine_color(checked.claim.to_move())),
        black: cells(black),
        white: cells(white),
        moves: checked.moves,
        replies: checked.replies,
        covered: checked.covered,
        given: checked.given.len() as u64,
        played: every_reply.then_some(checked.played),
    })
}
