//! Search threads that the embedder starts, for WebAssembly with shared memory, where the standard
//! library cannot start threads.

#![allow(unsafe_code)]

use std::collections::VecDeque;
use std::mem;
use std::sync::mpsc::channel;
use std::sync::{Condvar, Mutex, MutexGuard};

use super::StopSwitch;

type Job<'a> = Box<dyn FnOnce() + Send + 'a>;

struct Pool {
    jobs: VecDeque<Job<'static>>,
    /// Threads that wait for a job that is not theirs yet.
    idle: usize,
}

static POOL: Mutex<Pool> = Mutex::new(Pool { jobs: VecDeque::new(), idle: 0 });
static NEW_JOB: Condvar = Condvar::new();

fn pool() -> MutexGuard<'static, Pool> {
    POOL.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Makes this thread a search thread. The embedder calls it on each thread that it starts.
pub fn serve() -> ! {
    let mut pool = pool();
    pool.idle += 1;
    loop {
        if let Some(job) = pool.jobs.pop_front() {
            drop(pool);
            job();
            pool = self::pool();
            pool.idle += 1;
        } else {
            pool = NEW_JOB.wait(pool).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }
}

/// Passes a job to an idle thread. False if there is none.
///
/// # Safety
/// The caller must not return before the job has ended.
unsafe fn pass_on(job: Job<'_>) -> bool {
    let mut pool = pool();
    if pool.idle == 0 {
        return false;
    }
    pool.idle -= 1;
    // SAFETY: the caller waits for the job, so that what it borrows lives as long.
    pool.jobs.push_back(unsafe { mem::transmute::<Job<'_>, Job<'static>>(job) });
    NEW_JOB.notify_one();
    true
}

/// Runs `main` on this thread and jobs on idle threads; the jobs without one do not run. Presses
/// `finished` when `main` ends, then waits for the jobs. Returns all results.
pub(super) fn run<T: Send>(
    jobs: impl Iterator<Item = impl FnOnce() -> T + Send>,
    main: impl FnOnce() -> T,
    finished: &StopSwitch,
) -> (T, Vec<T>) {
    let (sender, receiver) = channel();
    let mut running = 0;
    for job in jobs {
        let sender = sender.clone();
        let job = Box::new(move || drop(sender.send(job())));
        // SAFETY: the results of all jobs are received below. A panic aborts on this target.
        running += usize::from(unsafe { pass_on(job) });
    }
    let result = main();
    finished.press();
    (result, receiver.iter().take(running).collect())
}
