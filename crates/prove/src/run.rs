//! Does the jobs of a plan, on several threads.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tengen::engine::STACK_BYTES;
use tengen_verify::Claim;

use crate::archive::{Archive, Certificate};
use crate::folder::{Folder, FolderError, JobResult, Status};
use crate::images::Image;
use crate::plan::{Job, distance, sides, without_stone};
use crate::search::Effort;

/// Steps to the nearest stone from which a reply counts as far. Proofs for far replies hold for
/// most other replies too.
const FAR: u8 = 4;

/// Proofs of other positions that are tried.
const SIBLINGS: usize = 6;

/// Which jobs to do, and how.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions {
    /// Nodes of solver and engine for each job.
    pub nodes: u64,
    /// Do each `parts`-th job, from this one, counted from 0.
    pub part: usize,
    /// Number of parts.
    pub parts: usize,
    /// Threads.
    pub threads: usize,
    /// Limits of the questions in each node.
    pub effort: Effort,
}

/// A job that ended.
#[derive(Clone, Debug)]
pub struct JobEnd {
    /// Its index in the list of jobs.
    pub index: usize,
    /// What came out.
    pub result: JobResult,
    /// The time it took.
    pub elapsed: Duration,
}

/// What the threads share.
struct Shared {
    /// The jobs to do, the next one last.
    rest: Vec<usize>,
    /// The proofs.
    archive: Arc<Archive>,
    /// For each position before a reply: the proved replies with their costs. Each stone of the
    /// defender's counts as the last reply once.
    proved: HashMap<Claim, Vec<(u64, u8, Arc<Certificate>)>>,
}

impl Shared {
    fn add(&mut self, folder: &Folder, job: &Job, leaves: u64) -> Result<(), FolderError> {
        let images = job.reply.as_ref().map_or(Vec::new(), |(_, before)| Image::of(before));
        let archive = Arc::make_mut(&mut self.archive);
        let Some(source) = folder.archive(&job.claim, &images, archive)? else {
            return Ok(());
        };
        for (reply, before) in replies_to(&source.claim) {
            let weight = if distance(&before, reply) >= FAR { 1 } else { 3 };
            let proved = self.proved.entry(before).or_default();
            proved.push((weight * leaves, reply, source.clone()));
        }
        Ok(())
    }

    /// The proofs that are most likely to hold of positions that differ in one stone of the
    /// defender's, first those that differ in the stone farthest from the others.
    fn siblings(&self, job: &Job) -> Vec<Arc<Certificate>> {
        let mut groups: Vec<(u8, Vec<_>)> = replies_to(&job.claim)
            .filter_map(|(reply, before)| {
                let proved = self.proved.get(&before)?;
                Some((distance(&before, reply), proved.iter().collect()))
            })
            .collect();
        groups.sort_by_key(|&(distance, _)| u8::MAX - distance);
        let most = SIBLINGS / groups.len().max(1);
        for (_, group) in &mut groups {
            group.sort_unstable_by_key(|&&(cost, reply, _)| (cost, reply));
            group.truncate(most);
        }
        groups.into_iter().flat_map(|(_, group)| group).map(|(.., it)| it.clone()).collect()
    }
}

/// The stones of the defender's, and the positions before each of them if it was the last reply.
fn replies_to(claim: &Claim) -> impl Iterator<Item = (u8, Claim)> + '_ {
    let (_, replies) = sides(claim);
    replies.iter().map(|&reply| (reply, without_stone(claim, reply)))
}

/// Does the jobs that are not proved, unless as many nodes did not suffice before. With one thread
/// the certificates depend on the jobs done before only, not on time. `ended` is called after each
/// job, on the calling thread. Returns when all are done or `stop` returns true.
///
/// # Errors
/// If a file cannot be read or written. The other jobs in hand are stopped.
pub fn run(
    folder: &Folder,
    jobs: &[Job],
    options: &RunOptions,
    stop: &(dyn Fn() -> bool + Sync),
    ended: &mut dyn FnMut(JobEnd),
) -> Result<(), FolderError> {
    let mut shared = Shared { rest: Vec::new(), archive: Arc::default(), proved: HashMap::new() };
    for (index, job) in jobs.iter().enumerate() {
        match folder.status(job, &mut Vec::new())? {
            Status::Proved(leaves) => shared.add(folder, job, leaves.unwrap_or(u64::MAX / 4))?,
            Status::Open(nodes) if nodes >= options.nodes => {}
            _ if index % options.parts == options.part => shared.rest.push(index),
            _ => {}
        }
    }
    shared.rest.reverse();
    let shared = Mutex::new(shared);
    let has_failed = AtomicBool::new(false);
    let stop = || has_failed.load(Ordering::Relaxed) || stop();
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        for _ in 0..options.threads {
            let (shared, stop, sender) = (&shared, &stop, sender.clone());
            let work = move || work(folder, jobs, options, shared, stop, &sender);
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            thread.spawn_scoped(scope, work).expect("a thread");
        }
        drop(sender);
        for end in receiver {
            ended(end.inspect_err(|_| has_failed.store(true, Ordering::Relaxed))?);
        }
        Ok(())
    })
}

fn work(
    folder: &Folder,
    jobs: &[Job],
    options: &RunOptions,
    shared: &Mutex<Shared>,
    stop: &(dyn Fn() -> bool + Sync),
    sender: &Sender<Result<JobEnd, FolderError>>,
) {
    loop {
        let (index, archive, siblings) = {
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(index) = shared.rest.pop().filter(|_| !stop()) else { return };
            (index, shared.archive.clone(), shared.siblings(&jobs[index]))
        };
        let begun = Instant::now();
        let RunOptions { effort, nodes, .. } = *options;
        let result = folder.run(&jobs[index], &archive, &siblings, effort, nodes, &|| stop());
        drop(archive);
        let result = result.and_then(|result| {
            if let JobResult::Proved { leaves, .. } = result {
                let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
                shared.add(folder, &jobs[index], leaves)?;
            }
            Ok(JobEnd { index, result, elapsed: begun.elapsed() })
        });
        let failed = result.is_err();
        if sender.send(result).is_err() || failed {
            return;
        }
    }
}
