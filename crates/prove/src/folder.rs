//! The folder of a claim: its plan, certificates, and the moves of proofs.
//!
//! | file | content |
//! |---|---|
//! | `plan.txt` | the root and the positions that were split |
//! | `NAME.proof` | the certificate of a position; it counts if its head is that of the position and its checksum matches |
//! | `NAME.moves` | the quiet moves of the proof, and where its threats begin; written before the certificate |
//! | `NAME.open` | the number of nodes that did not suffice to prove a position |
//!
//! `NAME` lists the black stones, a hyphen, and the white stones. A long name is cut and ends with a
//! hash.

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tengen_cli::atomic_file;
use tengen_verify::{ALL, Claim, GIVEN, Refusal, Verifier, certificate, check, claim_and_body};

use crate::archive::{Archive, Certificate, Win};
use crate::images::Image;
use crate::plan::{
    Division, Job, Plan, describe, file_name, parse_cell, parse_stones, sides, stones,
    without_stone,
};
use crate::proof::Proof;
use crate::search::{Effort, Search, Work};
use crate::state::State;
use crate::transfer::CHEAP_NODES;

/// The first line of a file of moves.
const MOVES_TITLE: &str = "tengen prove moves 1";
/// The move in a position that is won by threats.
const THREATS: &str = "threats";

/// Most nodes to repair the certificate of a sibling. The search uses the positions again that a
/// failed transfer has proved.
const TRANSPLANT_NODES: u64 = 1_000_000;

/// Why a folder cannot be used.
#[derive(Debug)]
pub enum FolderError {
    /// A file cannot be read or written.
    Io(PathBuf, io::Error),
    /// A file has an invalid content.
    Invalid(PathBuf, String),
    /// The folder belongs to another claim: its own one, and the expected one.
    OtherPlan(PathBuf, String, String),
}

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FolderError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            FolderError::Invalid(path, what) => write!(f, "{}: {what}", path.display()),
            FolderError::OtherPlan(path, own, expected) => {
                let path = path.display();
                write!(
                    f,
                    "{path}: the folder belongs to another claim: {own} (expected {expected})"
                )
            }
        }
    }
}

impl std::error::Error for FolderError {}

/// What is known of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Its certificate is in the folder. The leaves of the proof, if known.
    Proved(Option<u64>),
    /// This number of nodes did not suffice.
    Open(u64),
    /// Not tried.
    Untried,
}

/// The end of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobResult {
    /// Proved: the leaves of the proof, the bytes of the certificate, and the work.
    Proved {
        /// Positions won by threats.
        leaves: u64,
        /// Bytes of the certificate.
        bytes: usize,
        /// The work of the search.
        work: Work,
    },
    /// The nodes did not suffice, or the position is refuted.
    Open(Work),
    /// The checker refuses the proof. A fault of this program.
    Faulty(String),
    /// Stopped from outside; nothing was written.
    Interrupted,
}

/// A folder with a plan.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Opens the folder of a plan, and creates it if needed. Returns the plan of the folder, which
    /// may have splits.
    ///
    /// # Errors
    /// If the folder cannot be used or belongs to another root.
    pub fn create(path: &Path, plan: &Plan) -> Result<(Folder, Plan), FolderError> {
        let folder = Folder { path: path.to_path_buf() };
        fs::create_dir_all(path).map_err(|error| FolderError::Io(path.to_path_buf(), error))?;
        match folder.read_plan()? {
            Some(own) if own.root == plan.root => Ok((folder, own)),
            Some(own) => {
                let (own, expected) = (describe(&own.root), describe(&plan.root));
                Err(FolderError::OtherPlan(path.to_path_buf(), own, expected))
            }
            None => {
                folder.write_plan(plan)?;
                Ok((folder, plan.clone()))
            }
        }
    }

    /// Opens a folder with its plan.
    ///
    /// # Errors
    /// If the folder has no valid plan.
    pub fn open(path: &Path) -> Result<(Folder, Plan), FolderError> {
        let folder = Folder { path: path.to_path_buf() };
        match folder.read_plan()? {
            Some(plan) => Ok((folder, plan)),
            None => {
                let what = "no such file: the folder has no plan of `tengen prove`".to_string();
                Err(FolderError::Invalid(folder.plan_path(), what))
            }
        }
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn plan_path(&self) -> PathBuf {
        self.path.join("plan.txt")
    }

    fn read_plan(&self) -> Result<Option<Plan>, FolderError> {
        let path = self.plan_path();
        let Some(text) = read(&path)? else { return Ok(None) };
        let text = String::from_utf8_lossy(&text);
        text.parse().map(Some).map_err(|error| FolderError::Invalid(path, format!("{error}")))
    }

    /// Replaces the plan.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_plan(&self, plan: &Plan) -> Result<(), FolderError> {
        write(&self.plan_path(), plan.to_string().as_bytes())
    }

    fn file(&self, claim: &Claim, extension: &str) -> PathBuf {
        self.path.join(format!("{}.{extension}", file_name(claim)))
    }

    /// The certificate of a position, or else of a mirror image: later splits change which of the
    /// images is a job. `invalid` receives files `NAME.proof` that are damaged or prove another claim.
    fn certificate(
        &self,
        claim: &Claim,
        invalid: &mut Vec<FolderError>,
    ) -> Result<Option<Certificate>, FolderError> {
        let mut images: Vec<Claim> = Vec::with_capacity(8);
        for image in claim.images() {
            if images.contains(&image) {
                continue;
            }
            let path = self.file(&image, "proof");
            if path.is_file()
                && let Some(bytes) = read(&path)?
            {
                match proof_of(&image, &bytes, &path)? {
                    Ok(body) => return Ok(Some(Certificate::new(image, body.to_vec()))),
                    Err(reason) => invalid.push(FolderError::Invalid(path, reason)),
                }
            }
            images.push(image);
        }
        Ok(None)
    }

    /// What is known of a job. `invalid` receives the files that have the name of its certificate,
    /// but are damaged or belong to another claim.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn status(&self, job: &Job, invalid: &mut Vec<FolderError>) -> Result<Status, FolderError> {
        if let Some(own) = self.certificate(&job.claim, invalid)? {
            let moves = self.read_moves(&own.claim)?;
            return Ok(Status::Proved(moves.map(|moves| moves.leaves)));
        }
        let image = job.claim.images().find(|image| self.file(image, "open").is_file());
        let path = self.file(image.as_ref().unwrap_or(&job.claim), "open");
        Ok(match read(&path)? {
            Some(text) => match String::from_utf8_lossy(&text).trim().parse() {
                Ok(nodes) => Status::Open(nodes),
                Err(_) => return Err(FolderError::Invalid(path, "expected a number".into())),
            },
            None => Status::Untried,
        })
    }

    /// Adds the proof of a position and its displaced `images` to an archive, and returns its
    /// certificate, which may be that of a mirror image. `None` if the folder lacks one of its files.
    ///
    /// # Errors
    /// If a file cannot be read or is invalid.
    pub fn archive(
        &self,
        claim: &Claim,
        images: &[Image],
        archive: &mut Archive,
    ) -> Result<Option<Arc<Certificate>>, FolderError> {
        let Some(own) = self.certificate(claim, &mut Vec::new())? else { return Ok(None) };
        let Some(moves) = self.read_moves(&own.claim)? else { return Ok(None) };
        if own.claim == *claim {
            archive.add_images(images, &moves.positions);
        }
        let source = Arc::new(own);
        archive.add(&source, &moves.positions);
        Ok(Some(source))
    }

    fn read_moves(&self, claim: &Claim) -> Result<Option<Moves>, FolderError> {
        let path = self.file(claim, "moves");
        let Some(text) = read(&path)? else { return Ok(None) };
        match Moves::parse(&String::from_utf8_lossy(&text), claim) {
            Some(moves) => Ok(Some(moves)),
            None => Err(FolderError::Invalid(path, format!("not a file of {MOVES_TITLE:?}"))),
        }
    }

    /// Does a job: searches at most `nodes` nodes, checks the certificate and writes it. `siblings`
    /// are proofs of positions that differ in one stone of the defender's, the most useful ones first.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn run(
        &self,
        job: &Job,
        archive: &Archive,
        siblings: &[Arc<Certificate>],
        effort: Effort,
        nodes: u64,
        stop: &dyn Fn() -> bool,
    ) -> Result<JobResult, FolderError> {
        let mut state = State::new(&job.claim);
        let mut search = Search::new(effort, archive, stop);
        // First without quiet moves; then the best sibling with them.
        let cheap = siblings.iter().map(|sibling| (sibling, CHEAP_NODES, false));
        let most = TRANSPLANT_NODES.min(nodes / 4);
        let whole = siblings.first().map(|sibling| (sibling, most, true));
        for (sibling, most, quiet) in cheap.chain(whole) {
            if let Some(proof) = search.transplant(&mut state, sibling, most, quiet)
                && !stop()
                && let Ok(result) = self.keep(job, proof, search.work())?
            {
                return Ok(result);
            }
        }
        let sibling = siblings.first().map(|sibling| &sibling.claim);
        let Some(proof) = search.proof(&mut state, sibling, nodes) else {
            if stop() {
                return Ok(JobResult::Interrupted);
            }
            write(&self.file(&job.claim, "open"), format!("{nodes}\n").as_bytes())?;
            return Ok(JobResult::Open(search.work()));
        };
        Ok(match self.keep(job, proof, search.work())? {
            Ok(result) => result,
            Err(refusal) => JobResult::Faulty(format!("the checker refuses the proof: {refusal}")),
        })
    }

    /// Checks the proof of a job and writes its files.
    fn keep(
        &self,
        job: &Job,
        proof: Proof,
        work: Work,
    ) -> Result<Result<JobResult, Refusal>, FolderError> {
        let bytes = certificate(&job.claim, &proof.body);
        if let Err(refusal) = check(&bytes, false) {
            return Ok(Err(refusal));
        }
        let leaves = proof.leaves();
        let moves = Moves { leaves, positions: proof.positions };
        write(&self.file(&job.claim, "moves"), moves.text().as_bytes())?;
        write(&self.file(&job.claim, "proof"), &bytes)?;
        remove(&self.file(&job.claim, "open"))?;
        Ok(Ok(JobResult::Proved { leaves, bytes: bytes.len(), work }))
    }

    /// The positions with a quiet move that the certificates of the folder prove, and these moves.
    /// If the root is proved with the defender to move, the attacker's moves to it are among them.
    /// `invalid` receives the files that [`Folder::status`] finds invalid.
    ///
    /// # Errors
    /// If a file cannot be read or is invalid.
    pub fn quiet_moves(
        &self,
        jobs: &[Job],
        divisions: &[Division],
        invalid: &mut Vec<FolderError>,
    ) -> Result<Vec<(Claim, u8)>, FolderError> {
        let (mut moves, mut proved) = (Vec::new(), HashSet::new());
        for Job { claim, .. } in jobs {
            let Some(own) = self.certificate(claim, invalid)? else { continue };
            proved.insert(claim.canonical());
            let positions = self.read_moves(&own.claim)?.map(|moves| moves.positions);
            moves.extend(positions.into_iter().flatten().filter_map(|(claim, win)| match win {
                Win::Move(cell) => Some((claim, cell)),
                Win::Threats => None,
            }));
        }
        // The deepest ones first.
        for division in divisions.iter().rev() {
            if is_proved(division, &proved) {
                proved.insert(division.claim.canonical());
            }
        }
        let complete = divisions.iter().filter(|division| is_proved(division, &proved));
        for Division { claim, cell, .. } in complete {
            match cell {
                Some(cell) => moves.push((claim.clone(), *cell)),
                None => moves.extend(moves_to(claim)),
            }
        }
        Ok(moves)
    }

    /// Writes the certificates of divided positions whose replies are all proved. Returns the number
    /// of those that are not complete.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn join(&self, jobs: &[Job], divisions: &[Division]) -> Result<usize, FolderError> {
        let mut proved = HashSet::new();
        for Job { claim, .. } in jobs {
            if self.certificate(claim, &mut Vec::new())?.is_some() {
                proved.insert(claim.canonical());
            }
        }
        let mut missing = 0;
        // The deepest ones first.
        for division in divisions.iter().rev() {
            if !is_proved(division, &proved) {
                missing += 1;
                continue;
            }
            let Division { claim, cell, after } = division;
            let mut body: Vec<u8> = cell.iter().copied().collect();
            body.push(ALL);
            body.extend(after.iter().map(|_| GIVEN));
            let bytes = certificate(claim, &body);
            if let Err(refusal) = check(&bytes, false) {
                let what = format!("the checker refuses the certificate: {refusal}");
                return Err(FolderError::Invalid(self.file(claim, "proof"), what));
            }
            write(&self.file(claim, "proof"), &bytes)?;
            proved.insert(claim.canonical());
        }
        Ok(missing)
    }
}

/// The attacker's moves that lead to a position, and the positions before them.
fn moves_to(claim: &Claim) -> impl Iterator<Item = (Claim, u8)> {
    let (own, _) = sides(claim);
    own.iter().map(|&cell| (without_stone(claim, cell), cell))
}

/// Whether the replies to a divided position are among the proved positions, which are canonical.
fn is_proved(division: &Division, proved: &HashSet<Claim>) -> bool {
    division.after.iter().all(|claim| proved.contains(&claim.canonical()))
}

/// The body of the certificate of a claim, or the reason for its refusal. The proof is checked only
/// if it rests on other certificates of the folder, which then have to be there.
fn proof_of<'b>(
    claim: &Claim,
    bytes: &'b [u8],
    path: &Path,
) -> Result<Result<&'b [u8], String>, FolderError> {
    let invalid = |reason: &dyn fmt::Display| Ok(Err(format!("invalid certificate: {reason}")));
    let (own, body) = match claim_and_body(bytes) {
        Ok(parts) => parts,
        Err(refusal) => return invalid(&refusal),
    };
    if own != *claim {
        let (own, expected) = (describe(&own), describe(claim));
        return invalid(&format!("it proves another claim: {own} (expected {expected})"));
    }
    if body.contains(&GIVEN) {
        let outcome = Verifier::new(false).verify(path);
        let outcome = outcome.map_err(|error| FolderError::Io(path.to_path_buf(), error))?;
        if let Err(refusal) = outcome {
            return invalid(&refusal);
        }
    }
    Ok(Ok(body))
}

/// The content of a file of moves.
struct Moves {
    leaves: u64,
    positions: Vec<(Claim, Win)>,
}

impl Moves {
    fn text(&self) -> String {
        let mut text = format!("{MOVES_TITLE}\nleaves {}\n", self.leaves);
        for (claim, win) in &self.positions {
            let cell = match win {
                Win::Threats => THREATS.to_string(),
                Win::Move(cell) => claim.name(*cell),
            };
            text += &format!("{}: {cell}\n", stones(claim));
        }
        text
    }

    fn parse(text: &str, like: &Claim) -> Option<Moves> {
        let mut lines = text.lines();
        if lines.next()? != MOVES_TITLE {
            return None;
        }
        let leaves = lines.next()?.strip_prefix("leaves ")?.parse().ok()?;
        let positions = lines
            .map(|line| {
                let (position, cell) = line.split_once(": ")?;
                let win = match cell {
                    THREATS => Win::Threats,
                    cell => Win::Move(parse_cell(cell, like.size)?),
                };
                Some((parse_stones(position, like)?, win))
            })
            .collect::<Option<_>>()?;
        Some(Moves { leaves, positions })
    }
}

/// The content of a file; `None` if it does not exist.
fn read(path: &Path) -> Result<Option<Vec<u8>>, FolderError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(FolderError::Io(path.to_path_buf(), error)),
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), FolderError> {
    atomic_file::write(path, bytes).map_err(|error| FolderError::Io(path.to_path_buf(), error))
}

fn remove(path: &Path) -> Result<(), FolderError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(FolderError::Io(path.to_path_buf(), error))
        }
        _ => Ok(()),
    }
}

/// The proof of a position without a folder, for tests and tools.
///
/// # Errors
/// If the position is not proved within the limits.
pub fn prove(claim: &Claim, effort: Effort, nodes: u64) -> Result<Proof, JobResult> {
    let archive = Archive::default();
    let mut state = State::new(claim);
    let mut search = Search::new(effort, &archive, &|| false);
    let proof = search.proof(&mut state, None, nodes);
    proof.ok_or_else(|| JobResult::Open(search.work()))
}
