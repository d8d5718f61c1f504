//! Stopping a search from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A switch that stops a running search within a few milliseconds. Clones share one switch.
///
/// A search that begins with a pressed switch ends immediately: the engine returns a legal move, the
/// solver [`Verdict::Unknown`](crate::Verdict::Unknown) unless the result needs no search. The switch
/// stays pressed until [`StopSwitch::release`].
///
/// ```
/// use std::thread;
/// use tengen::{BoardSize, Engine, Game, Limits, Rule, Silent, StopSwitch};
///
/// let game = Game::new(BoardSize::square(15)?, Rule::Freestyle);
/// let stop = StopSwitch::new();
/// let search = {
///     let (game, stop) = (game.clone(), stop.clone());
///     thread::spawn(move || {
///         let mut engine = Engine::default();
///         engine.analyze_with(&game, Limits::unlimited(), 1, &stop, &mut Silent)
///     })
/// };
/// stop.press();
/// let report = search.join().expect("the search does not panic");
/// assert!(report.best().is_some());
/// # Ok::<(), tengen::SizeError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct StopSwitch(Arc<AtomicBool>);

impl StopSwitch {
    /// A switch that is not pressed.
    pub fn new() -> StopSwitch {
        StopSwitch::default()
    }

    /// Requests the search to stop.
    pub fn press(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Resets the switch for the next search.
    pub fn release(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// The address of the switch, for code outside of Rust that shares its memory: a byte that is 1
    /// while the switch is pressed.
    pub fn address(&self) -> *const AtomicBool {
        Arc::as_ptr(&self.0)
    }

    /// Whether the search should stop.
    #[inline]
    pub fn is_pressed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
