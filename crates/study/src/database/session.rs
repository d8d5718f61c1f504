//! Analyses the positions of a database with several threads.
//!
//! All decisions depend only on the database, so that the next session continues an interrupted
//! one. Findings are written in small batches: a crash loses only those of the last seconds.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::num::NonZeroU32;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::analyst::{Analyst, Effort, Finding};
use super::graph::{Graph, NodeIndex};
use super::schedule::{Growth, Task};
use super::values::{own_provenance, write_values};
use tengen::engine::{Options, STACK_BYTES, StopSwitch};
use tengen_rules::board::Board;
use tengen_store::{Error, Key, Record, Store};

/// Maximum number of findings per batch.
const BATCH: usize = 64;
/// Time after which findings are written.
const WRITE_AFTER: Duration = Duration::from_secs(5);
/// Time that a session waits at its end for another program that writes.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// Time between the attempts to write at the end.
const PAUSE: Duration = Duration::from_millis(100);

/// Options of a session.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Limits of the analysis of a position.
    pub effort: Effort,
    /// How the tree grows; `None` analyses only positions of the database.
    pub growth: Option<Growth>,
    /// The part of the positions that this session analyses.
    pub part: Part,
    /// Maximum number of positions to analyse.
    pub positions: u64,
    /// Time after which no further position is started.
    pub deadline: Option<Instant>,
    /// Number of threads; each analyses a different position.
    pub threads: usize,
    /// Options of each thread's engine.
    pub options: Options,
    /// The time of results, in seconds since 1970.
    pub now: fn() -> u32,
}

/// One of several disjoint parts of all positions. The parts are the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    number: u32,
    of: NonZeroU32,
}

impl Part {
    /// All positions.
    pub const WHOLE: Part = Part { number: 0, of: NonZeroU32::MIN };

    /// Whether the part contains a position.
    pub fn has(self, key: &Key) -> bool {
        // FNV-1a.
        let hash = key.as_bytes().iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        (hash ^ hash >> 32) % u64::from(self.of.get()) == u64::from(self.number)
    }
}

impl std::str::FromStr for Part {
    type Err = String;

    /// `K/N`, the part K of N, from 1.
    fn from_str(text: &str) -> Result<Part, String> {
        let parse = |(number, of): (&str, &str)| {
            let number = number.parse::<u32>().ok()?.checked_sub(1)?;
            let of = of.parse::<NonZeroU32>().ok()?;
            (number < of.get()).then_some(Part { number, of })
        };
        let expected = || format!("invalid part {text:?} (expected K/N with K from 1 to N)");
        text.split_once('/').and_then(parse).ok_or_else(expected)
    }
}

/// The progress of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "The answer of `tengen study analyze --json` and `grow --json`")]
pub struct SessionCounts {
    /// Positions that were analysed and written.
    pub analysed: u64,
    /// Of these, positions whose result the solver proved.
    pub solved: u64,
    /// Positions that were proved by the positions after them.
    pub proved_by_moves: u64,
    /// Positions that were added.
    pub added: u64,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Positions that remain to be analysed. Growing may add more.
    pub left: u64,
    /// Findings that contradict a proof of the database, so that one of the two is wrong.
    pub proofs_conflicts: u64,
}

/// A function that is called during a session, and may end it.
pub type Progress<'a> = dyn FnMut(&SessionCounts) -> ControlFlow<()> + 'a;

/// Analyses positions below `roots` until none is left, a limit is reached or `stop` is pressed.
/// The graph needs all positions of the rule and board: those before the roots get new values, and
/// a missing one would be added as new.
///
/// `progress` is called after every finding, where `Break` presses `stop`. While another program
/// writes, findings stay in memory; at the end the session waits up to 30 seconds for it and calls
/// `progress` meanwhile, where `Break` ends the wait.
///
/// # Errors
/// When the store cannot be written. Findings that were written before remain. [`Error::Busy`] after
/// the wait at the end.
pub fn run(
    store: &mut Store,
    graph: &mut Graph,
    roots: &[NodeIndex],
    plan: &Plan,
    stop: &StopSwitch,
    progress: &mut Progress<'_>,
) -> Result<SessionCounts, Error> {
    let mut session = Session::new(store, graph, roots, plan);
    session.refresh()?;
    thread::scope(|scope| {
        let (done, findings) = channel();
        let mut workers = Vec::new();
        for number in 0..plan.threads.max(1) {
            let (give, jobs) = channel();
            let (done, stop) = (done.clone(), stop.clone());
            let analyst = || Analyst::new(plan.options.clone(), plan.effort, plan.now);
            // The search is recursive and needs a large stack.
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            let work = move || work(number, &analyst, &jobs, &done, &stop);
            builder.spawn_scoped(scope, work).expect("the system starts a thread");
            workers.push(give);
        }
        let result = session.run(&workers, &findings, stop, progress);
        if result.is_err() {
            // Ends the running searches.
            stop.press();
        }
        drop(workers);
        result
    })?;
    session.counts.left = session.tasks().len() as u64;
    Ok(session.counts)
}

/// A position for a thread.
struct Job {
    node: NodeIndex,
    board: Board,
}

/// The finding of a thread; `None` if it was stopped or crashed.
struct Done {
    worker: usize,
    node: NodeIndex,
    finding: Option<Finding>,
}

fn work(
    worker: usize,
    new_analyst: &dyn Fn() -> Analyst,
    jobs: &Receiver<Job>,
    done: &Sender<Done>,
    stop: &StopSwitch,
) {
    let mut analyst = new_analyst();
    while let Ok(Job { node, board }) = jobs.recv() {
        // After a crash the session continues without an analysis of the position.
        let analysed = catch_unwind(AssertUnwindSafe(|| analyst.analyse(&board, stop)));
        let finding = analysed.unwrap_or_else(|_| {
            analyst = new_analyst();
            None
        });
        if done.send(Done { worker, node, finding }).is_err() {
            return;
        }
    }
}

struct Session<'a> {
    store: &'a mut Store,
    graph: &'a mut Graph,
    roots: &'a [NodeIndex],
    plan: &'a Plan,
    counts: SessionCounts,
    /// Tasks of this round.
    queue: VecDeque<Task>,
    /// Positions that were given to a thread, finished or not.
    given: HashSet<NodeIndex>,
    /// Findings that have not been written.
    findings: HashMap<NodeIndex, Finding>,
    /// Nodes whose values changed, or that are new.
    changed: BTreeSet<NodeIndex>,
    /// Added positions that have not been written.
    new: HashSet<NodeIndex>,
    /// Positions that another program deleted. They are neither written nor followed.
    deleted: HashSet<NodeIndex>,
    /// The last attempt to write.
    tried: Instant,
    /// Whether another program was writing at the last attempt.
    is_busy: bool,
}

impl<'a> Session<'a> {
    fn new(
        store: &'a mut Store,
        graph: &'a mut Graph,
        roots: &'a [NodeIndex],
        plan: &'a Plan,
    ) -> Session<'a> {
        Session {
            store,
            graph,
            roots,
            plan,
            counts: SessionCounts::default(),
            queue: VecDeque::new(),
            given: HashSet::new(),
            findings: HashMap::new(),
            changed: BTreeSet::new(),
            new: HashSet::new(),
            deleted: HashSet::new(),
            tried: Instant::now(),
            is_busy: false,
        }
    }

    /// Updates the values below the roots, since positions may have been added after the last
    /// session. Findings give new values to the positions before the roots; games and claims alone
    /// do not.
    fn refresh(&mut self) -> Result<(), Error> {
        let before = self.graph.proofs;
        self.changed = self.graph.update_below(self.roots);
        self.counts.proved_by_moves += self.graph.proofs - before;
        self.write_if_free()
    }

    /// The remaining tasks of this part, the most useful first.
    fn tasks(&self) -> Vec<Task> {
        let Plan { effort, growth, part, .. } = self.plan;
        let mut tasks = self.graph.tasks(self.roots, effort, growth.as_ref());
        tasks.retain(|task| match *task {
            Task::Analyse(node) => {
                part.has(&self.graph.node(node).key)
                    && !self.given.contains(&node)
                    && !self.deleted.contains(&node)
            }
            Task::Add(parent, _) => !self.deleted.contains(&parent),
        });
        tasks
    }

    fn run(
        &mut self,
        workers: &[Sender<Job>],
        findings: &Receiver<Done>,
        stop: &StopSwitch,
        progress: &mut Progress<'_>,
    ) -> Result<(), Error> {
        let mut idle: Vec<usize> = (0..workers.len()).rev().collect();
        let mut begun = 0;
        loop {
            while !idle.is_empty() && begun < self.plan.positions {
                let Some(job) = self.next_job(stop)? else { break };
                begun += 1;
                let worker = idle.pop().expect("an idle thread");
                workers[worker].send(job).expect("the thread waits for positions");
            }
            let received = if idle.len() < workers.len() { findings.recv().ok() } else { None };
            let Some(Done { worker, node, finding }) = received else {
                return self.write_last(progress);
            };
            idle.push(worker);
            if let Some(finding) = finding {
                self.add_finding(node, finding);
                if progress(&self.counts).is_break() {
                    stop.press();
                }
            }
            let is_full = self.findings.len() >= BATCH && !self.is_busy;
            if is_full || self.tried.elapsed() >= WRITE_AFTER {
                self.write_if_free()?;
            }
        }
    }

    fn is_over(&self, stop: &StopSwitch) -> bool {
        stop.is_pressed() || self.plan.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The next position to analyse, unless the session is over. Also adds positions, which may
    /// belong to another part.
    fn next_job(&mut self, stop: &StopSwitch) -> Result<Option<Job>, Error> {
        while !self.is_over(stop) {
            let Some(task) = self.queue.pop_front() else {
                let tasks = self.tasks();
                self.counts.left = tasks.len() as u64;
                // Rounds are short because values change with every finding.
                let round = self.plan.threads.max(tasks.len() / 50).min(256);
                self.queue = tasks.into_iter().take(round).collect();
                if self.queue.is_empty() {
                    return Ok(None);
                }
                continue;
            };
            let (Task::Analyse(known) | Task::Add(known, _)) = task;
            if !self.exists(known)? {
                self.deleted.insert(known);
                continue;
            }
            let node = match task {
                Task::Analyse(node) => node,
                Task::Add(parent, point) => {
                    let known = self.graph.nodes().len();
                    let child = self.graph.add_child(parent, point);
                    if self.graph.nodes().len() > known {
                        self.counts.added += 1;
                        self.changed.insert(child);
                        self.new.insert(child);
                    }
                    child
                }
            };
            let key = &self.graph.node(node).key;
            let needs_analysis = self.graph.node(node).needs_analysis(&self.plan.effort);
            if needs_analysis && self.plan.part.has(key) && !self.given.contains(&node) {
                let board = key.board();
                self.given.insert(node);
                return Ok(Some(Job { node, board }));
            }
        }
        Ok(None)
    }

    /// Whether the store has a position, or this session adds it.
    fn exists(&self, node: NodeIndex) -> Result<bool, Error> {
        let key = &self.graph.node(node).key;
        Ok(self.new.contains(&node) || self.store.reader().contains_key(key)?)
    }

    fn add_finding(&mut self, node: NodeIndex, finding: Finding) {
        self.counts.analysed += 1;
        self.counts.nodes += finding.nodes;
        self.counts.solved += u64::from(finding.result.is_some());
        self.counts.left = self.counts.left.saturating_sub(1);
        let known = self.graph.node_mut(node);
        let mut record = Record::default();
        record.result.clone_from(&finding.result);
        record.evaluation.clone_from(&finding.evaluation);
        known.add_record(&record);
        let before = self.graph.proofs;
        self.changed.extend(self.graph.update_from([node]));
        self.counts.proved_by_moves += self.graph.proofs - before;
        self.findings.insert(node, finding);
    }

    /// Writes findings and values, unless another program is writing.
    fn write_if_free(&mut self) -> Result<(), Error> {
        match self.write() {
            Err(Error::Busy { .. }) => Ok(()),
            result => result,
        }
    }

    /// Writes findings and values at the end of the session. Waits for other programs, also after
    /// Ctrl-C: they may have been writing for a long time, and so the findings may be many.
    fn write_last(&mut self, progress: &mut Progress<'_>) -> Result<(), Error> {
        let begun = Instant::now();
        loop {
            let result = self.write();
            let Err(Error::Busy { path, .. }) = result else { return result };
            let waited = begun.elapsed();
            if progress(&self.counts).is_break() || waited >= LONGEST_WAIT {
                return Err(Error::Busy { path, waited });
            }
            thread::sleep(PAUSE);
        }
    }

    /// Writes findings and values. If another program is writing, they are kept.
    fn write(&mut self) -> Result<(), Error> {
        self.changed.extend(self.findings.keys());
        self.tried = Instant::now();
        if self.changed.is_empty() {
            return Ok(());
        }
        let provenance = own_provenance((self.plan.now)());
        // Without a wait, since the workers wait for this thread.
        let batch = self.store.try_batch();
        self.is_busy = matches!(batch, Err(Error::Busy { .. }));
        let mut batch = batch?;
        let mut conflicts = 0;
        for index in std::mem::take(&mut self.changed) {
            let node = self.graph.node(index);
            let finding = self.findings.remove(&index).unwrap_or_default();
            // Another program may have deleted the position.
            if self.new.remove(&index) || batch.reader().contains_key(&node.key)? {
                conflicts += write_values(&mut batch, node, finding, &provenance)?;
            }
        }
        batch.commit()?;
        self.counts.proofs_conflicts += conflicts;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
