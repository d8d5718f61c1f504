//! Runs the solver on a position, or on many positions in parallel.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use anyhow::Context;

use super::args::Args;
use super::source::{Entry, Positions};
use tengen::engine::{STACK_BYTES, StopSwitch};
use tengen::solver::{Judged, Solver};
use tengen_rules::game::Game;
use tengen_study::solve::{Answer, Search};

/// Runs the solver.
#[derive(Clone, Copy)]
pub(super) struct Runner<'a> {
    pub(super) args: &'a Args,
    pub(super) stop: &'a StopSwitch,
}

impl Runner<'_> {
    /// Calls `show` with position and answer from index `first` on, in order, until interrupted.
    pub(super) fn answers(
        self,
        positions: &Positions,
        first: usize,
        mut show: impl FnMut(&Entry, Answer) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let next = AtomicUsize::new(first);
        let work = |sender: mpsc::Sender<_>| {
            while !self.stop.is_pressed() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(entry) = positions.get(number) else { break };
                let answer = self.answer(&entry.game, |_| {}).with_context(|| entry.place.clone());
                let failed = answer.is_err();
                // The receiver is gone after a failure of `show`.
                if sender.send((number, entry, answer)).is_err() || failed {
                    next.store(positions.len(), Ordering::Relaxed);
                }
            }
        };
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..self.args.threads {
                let (sender, work) = (sender.clone(), &work);
                let thread = thread::Builder::new().stack_size(STACK_BYTES);
                thread
                    .spawn_scoped(scope, move || work(sender))
                    .context("cannot start a thread")?;
            }
            drop(sender);
            // Answers that are ready before earlier ones.
            let mut waiting = BTreeMap::new();
            let mut due = first;
            for (number, entry, answer) in receiver {
                waiting.insert(number, (entry, answer));
                while let Some((entry, answer)) = waiting.remove(&due) {
                    show(&entry, answer?)?;
                    due += 1;
                }
            }
            Ok(())
        })
    }

    /// The answer about a game; `done` is called for each move that is judged.
    pub(super) fn answer(self, game: &Game, done: impl FnMut(&Judged)) -> anyhow::Result<Answer> {
        let Runner { args, stop } = self;
        let question = args.question(game)?;
        let mut solver = Solver::with_networks(args.memory << 20, args.network.networks());
        let search = Search { limits: args.limits(), stop: &|| stop.is_pressed() };
        Ok(question.ask(game, args.kind, &mut solver, &search, done))
    }
}
