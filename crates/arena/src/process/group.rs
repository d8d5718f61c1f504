//! The processes of an engine: starting and ending them.

use std::io;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

#[cfg(unix)]
use process_wrap::std::ProcessGroup as UnixGroup;
use process_wrap::std::{ChildWrapper, CommandWrap};
#[cfg(windows)]
use process_wrap::std::{CreationFlags, JobObject};
#[cfg(windows)]
use windows::Win32::System::Threading::CREATE_NEW_PROCESS_GROUP;

/// Time that a killed process has to end.
const REAP_TIMEOUT: Duration = Duration::from_secs(1);

/// An environment variable that identifies the processes of an engine on Linux, even if they have
/// another session, group or parent.
const MARK: &str = "TENGEN_ENGINE";

/// Number of searches for processes of an engine: a process that forks during a search can be
/// missed.
#[cfg(target_os = "linux")]
const SEARCHES: usize = 5;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It exited with this status.
    Status(i32),
    /// This signal ended it.
    #[cfg_attr(not(unix), expect(dead_code, reason = "only Unix has signals"))]
    Signal(i32),
}

/// The engines of this program.
struct Running {
    /// Processes that were started and not yet reaped, so their numbers are not reused.
    pids: Vec<u32>,
    /// Number of processes that are being started.
    starting: usize,
}

static RUNNING: Mutex<Running> = Mutex::new(Running { pids: Vec::new(), starting: 0 });

fn running<T>(change: impl FnOnce(&mut Running) -> T) -> T {
    change(&mut RUNNING.lock().unwrap_or_else(PoisonError::into_inner))
}

/// A process and its descendants.
pub(super) struct ProcessGroup {
    child: Box<dyn ChildWrapper>,
    #[cfg_attr(not(target_os = "linux"), expect(dead_code))]
    mark: String,
    is_killed: bool,
}

impl ProcessGroup {
    /// Starts the command as the leader of a new process group (on Windows a job), so that Ctrl-C in
    /// the terminal does not reach the engine, and its children can be ended with it.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub(super) fn spawn(mut command: Command) -> io::Result<ProcessGroup> {
        let mark = new_mark();
        command.env(MARK, &mark);
        #[cfg(target_os = "linux")]
        parent_death::end_with_this_program(&mut command);
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(UnixGroup::leader());
        #[cfg(windows)]
        command.wrap(CreationFlags(CREATE_NEW_PROCESS_GROUP)).wrap(JobObject);
        running(|engines| engines.starting += 1);
        #[cfg(target_os = "linux")]
        adopted::adopt_orphans();
        #[cfg(target_os = "linux")]
        let child = parent_death::spawn(command);
        #[cfg(not(target_os = "linux"))]
        let child = command.spawn();
        running(|engines| {
            engines.starting -= 1;
            engines.pids.extend(child.as_ref().map(|child| child.id()));
        });
        Ok(ProcessGroup { child: child?, mark, is_killed: false })
    }

    /// Standard input, on the first call.
    pub(super) fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.child.stdin().take()
    }

    /// Standard output, on the first call.
    pub(super) fn take_stdout(&mut self) -> Option<ChildStdout> {
        self.child.stdout().take()
    }

    /// Standard error, on the first call.
    pub(super) fn take_stderr(&mut self) -> Option<ChildStderr> {
        self.child.stderr().take()
    }

    /// How the process ended; `None` while it runs. Does not reap it, so no other process or group
    /// can get its number.
    #[cfg(unix)]
    pub(super) fn exit(&mut self) -> Option<Exit> {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

        let pid = Pid::from_raw(i32::try_from(self.child.id()).ok()?)?;
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(pid), options).ok()??;
        let signal = status.terminating_signal().map(Exit::Signal);
        signal.or_else(|| status.exit_status().map(Exit::Status))
    }

    /// How the process ended; `None` while it runs.
    #[cfg(not(unix))]
    pub(super) fn exit(&mut self) -> Option<Exit> {
        let status = self.child.try_wait().ok()??;
        status.code().map(Exit::Status)
    }

    /// Waits at most this long for the process to end.
    pub(super) fn wait(&mut self, timeout: Duration) -> Option<Exit> {
        let asked = Instant::now();
        loop {
            match self.exit() {
                None if asked.elapsed() < timeout => thread::sleep(Duration::from_millis(2)),
                exit => return exit,
            }
        }
    }

    /// Kills the process and its descendants, even if the process itself has already ended.
    pub(super) fn kill(&mut self) {
        if std::mem::replace(&mut self.is_killed, true) {
            return;
        }
        #[cfg(target_os = "linux")]
        let mark = format!("{MARK}={}", self.mark);
        // Descendants are found by their parents, so kill them first.
        #[cfg(target_os = "linux")]
        descendants::kill(Some(self.child.id()), &mark);
        // Fails if no process of the group is left.
        let _ = self.child.start_kill();
        #[cfg(target_os = "linux")]
        descendants::kill(None, &mark);
        running(|engines| engines.pids.retain(|&pid| pid != self.child.id()));
        // Reaps the process. A plain wait could block on Windows, where it waits for a message of the
        // job that an earlier `try_wait` may have taken.
        let started = Instant::now();
        while started.elapsed() < REAP_TIMEOUT && matches!(self.child.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(1));
        }
        #[cfg(target_os = "linux")]
        adopted::end();
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Kills all engines of this program without waiting for them, before it exits during a match.
pub fn kill_all() {
    #[cfg(target_os = "linux")]
    descendants::kill(None, &format!("{MARK}={}-", program_mark()));
    #[cfg(target_os = "linux")]
    adopted::kill();
    #[cfg(unix)]
    for pid in running(|engines| std::mem::take(&mut engines.pids)) {
        use rustix::process::{Pid, Signal, kill_process_group};
        if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
            // Fails if no process of the group is left.
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }
}

/// A text that identifies this run of the program.
fn program_mark() -> &'static str {
    static PROGRAM: OnceLock<String> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        format!("{}-{}", std::process::id(), now.as_nanos())
    })
}

/// A unique mark for a new engine.
fn new_mark() -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}", program_mark(), NUMBER.fetch_add(1, Ordering::Relaxed))
}

/// Ends engines whose program was killed, and so could not end them.
#[cfg(target_os = "linux")]
mod parent_death {
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::Command;
    use std::sync::mpsc::{Sender, channel};
    use std::sync::{Mutex, OnceLock, PoisonError};
    use std::thread;

    use process_wrap::std::{ChildWrapper, CommandWrap};
    use rustix::io::Errno;
    use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};

    type Started = io::Result<Box<dyn ChildWrapper>>;

    /// A command to start, and where its process goes.
    type Request = (CommandWrap, Sender<Started>);

    /// Lets the system kill the process when the thread that started it ends.
    #[expect(unsafe_code, reason = "pre_exec is unsafe")]
    pub(super) fn end_with_this_program(command: &mut Command) {
        let program = getpid();
        let in_process = move || {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            // The program may have ended before.
            if getppid() == Some(program) { Ok(()) } else { Err(Errno::SRCH.into()) }
        };
        // SAFETY: between fork and exec the closure makes two system calls. It does not allocate,
        // take a lock or panic.
        unsafe {
            command.pre_exec(in_process);
        }
    }

    /// Starts a command on a thread that ends with the program.
    pub(super) fn spawn(command: CommandWrap) -> Started {
        static REQUESTS: OnceLock<Mutex<Sender<Request>>> = OnceLock::new();
        let requests = REQUESTS.get_or_init(|| {
            let (sender, requests) = channel::<Request>();
            thread::spawn(move || {
                for (mut command, started) in requests {
                    // The other side waits for the answer.
                    let _ = started.send(command.spawn());
                }
            });
            Mutex::new(sender)
        });
        let (sender, started) = channel();
        let sent = requests.lock().unwrap_or_else(PoisonError::into_inner).send((command, sender));
        let gone = || io::Error::other("the thread that starts processes has ended");
        sent.map_err(|_| gone())?;
        started.recv().map_err(|_| gone())?
    }
}

/// Finds the processes that an engine started, by their parents and by the environment that they
/// inherit.
#[cfg(target_os = "linux")]
mod descendants {
    use std::collections::{HashMap, HashSet};
    use std::fs;

    use rustix::process::{Pid, Signal, getpid, kill_process};

    use super::SEARCHES;
    use super::proc_stat::{Process, processes};

    /// Kills the descendants of `root`, and the processes whose environment has the entry `mark`.
    /// If `mark` ends with a dash, it is a prefix of the entry.
    pub(super) fn kill(root: Option<u32>, mark: &str) {
        for _ in 0..SEARCHES {
            let found = find(root, mark);
            if found.is_empty() {
                return;
            }
            for pid in found {
                if let Some(pid) = Pid::from_raw(pid) {
                    // Fails if the process has ended.
                    let _ = kill_process(pid, Signal::KILL);
                }
            }
        }
    }

    /// These processes, without `root` and those that have ended.
    fn find(root: Option<u32>, mark: &str) -> HashSet<i32> {
        let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
        let mut found: HashSet<i32> = HashSet::new();
        let root = root.and_then(|root| i32::try_from(root).ok());
        let mut new: Vec<i32> = root.into_iter().collect();
        for Process { pid, parent, .. } in processes().filter(|process| !process.has_ended) {
            children.entry(parent).or_default().push(pid);
            let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            if environment.split(|&byte| byte == 0).any(|entry| is_marked(entry, mark)) {
                new.push(pid);
            }
        }
        while let Some(pid) = new.pop() {
            if found.insert(pid) {
                new.extend(children.remove(&pid).into_iter().flatten());
            }
        }
        found.retain(|&pid| Some(pid) != root && pid != getpid().as_raw_nonzero().get());
        found
    }

    fn is_marked(entry: &[u8], mark: &str) -> bool {
        match mark.ends_with('-') {
            true => entry.starts_with(mark.as_bytes()),
            false => entry == mark.as_bytes(),
        }
    }
}

/// Processes that lost their parent: the system makes this program their parent, although they may
/// have no mark. They belong to an engine, but it is unknown to which one.
#[cfg(target_os = "linux")]
mod adopted {
    use std::sync::Once;
    use std::thread;
    use std::time::{Duration, Instant};

    use rustix::process::{
        Pid, Signal, WaitOptions, getpgrp, getpid, kill_process, set_child_subreaper, waitpid,
    };

    use super::{REAP_TIMEOUT, Running, proc_stat, running};

    /// Makes this program the parent of the orphans of its engines.
    pub(super) fn adopt_orphans() {
        static ADOPT: Once = Once::new();
        // Without it, only marked processes are found.
        ADOPT.call_once(|| {
            let _ = set_child_subreaper(Some(getpid()));
        });
    }

    /// Reaps orphans that have ended. If no engine is left, kills the others.
    pub(super) fn end() {
        let began = Instant::now();
        while began.elapsed() < REAP_TIMEOUT && running(|engines| end_once(engines)) {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Kills all orphans, before the program exits.
    pub(super) fn kill() {
        running(|engines| orphans(engines).for_each(|orphan| kill_one(orphan.pid)));
    }

    /// Whether a killed orphan has not ended yet. While a process is being started, it looks like an
    /// orphan.
    fn end_once(engines: &Running) -> bool {
        if engines.starting > 0 {
            return false;
        }
        let mut is_waiting = false;
        for orphan in orphans(engines) {
            if orphan.has_ended {
                // Fails if it was reaped elsewhere.
                let _ =
                    Pid::from_raw(orphan.pid).map(|pid| waitpid(Some(pid), WaitOptions::NOHANG));
            } else if engines.pids.is_empty() {
                kill_one(orphan.pid);
                is_waiting = true;
            }
        }
        is_waiting
    }

    fn kill_one(pid: i32) {
        if let Some(pid) = Pid::from_raw(pid) {
            // Fails if the process has ended.
            let _ = kill_process(pid, Signal::KILL);
        }
    }

    /// A process that this program did not start, but whose parent it is.
    struct Orphan {
        pid: i32,
        has_ended: bool,
    }

    /// The orphans. Every engine has a process group of its own, so that other programs that this one
    /// started, which share its group, are left out.
    fn orphans(engines: &Running) -> impl Iterator<Item = Orphan> {
        let (own, group) = (getpid().as_raw_nonzero().get(), getpgrp().as_raw_nonzero().get());
        let processes = proc_stat::processes();
        let others = processes.filter(move |it| it.parent == own && it.group != group);
        others.filter_map(|it| {
            let is_engine = u32::try_from(it.pid).is_ok_and(|pid| engines.pids.contains(&pid));
            (!is_engine).then_some(Orphan { pid: it.pid, has_ended: it.has_ended })
        })
    }
}

/// The processes of the system.
#[cfg(target_os = "linux")]
mod proc_stat {
    use std::fs;

    /// A process.
    pub(super) struct Process {
        pub(super) pid: i32,
        pub(super) parent: i32,
        /// Its process group.
        pub(super) group: i32,
        /// Whether its parent has not waited for its end yet.
        pub(super) has_ended: bool,
    }

    /// All processes.
    pub(super) fn processes() -> impl Iterator<Item = Process> {
        fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(|entry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
            // The preceding name may contain spaces and brackets.
            let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
            let has_ended = matches!(fields.next()?, "Z" | "X");
            let (parent, group) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
            Some(Process { pid, parent, group, has_ended })
        })
    }
}
