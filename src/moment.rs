//! The clock of searches: that of the standard library, or the embedder's where the target has
//! none.
//!
//! On WebAssembly without an operating system the standard library's `Instant::now` panics. There
//! the module that embeds the engine provides the function `now` of the import module `page`.

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
pub use imported::Instant;

// Compiled for tests, too, which set the clock themselves.
#[cfg(any(test, all(target_arch = "wasm32", target_os = "unknown")))]
mod imported {
    #![allow(unsafe_code)]

    use std::ops::{Add, Sub};
    use std::time::Duration;

    #[cfg(not(test))]
    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        /// Milliseconds since a fixed time before the program started. All threads must measure
        /// from the same time.
        safe fn now() -> f64;
    }

    #[cfg(test)]
    thread_local! {
        /// The time that `now` returns in tests.
        static NOW: std::cell::Cell<f64> = const { std::cell::Cell::new(0.0) };
    }

    #[cfg(test)]
    fn now() -> f64 {
        NOW.get()
    }

    /// Added to the clock, so that times before the start of the program can be represented.
    const OFFSET: Duration = Duration::from_secs(24 * 3600);

    /// A measurement of the clock, with the methods of `std::time::Instant` that the engine uses.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Instant(Duration);

    impl Instant {
        /// The current time.
        pub fn now() -> Instant {
            // A clock that returns no number counts as one that stands still.
            let elapsed = Duration::try_from_secs_f64(now() / 1e3).unwrap_or_default();
            Instant(OFFSET.saturating_add(elapsed))
        }

        /// Time since this measurement.
        pub fn elapsed(&self) -> Duration {
            Instant::now().saturating_duration_since(*self)
        }

        /// Time since `earlier`; zero if it is later.
        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// The time after `duration`, if it can be represented.
        pub fn checked_add(&self, duration: Duration) -> Option<Instant> {
            self.0.checked_add(duration).map(Instant)
        }

        /// The time before `duration`, if it can be represented.
        pub fn checked_sub(&self, duration: Duration) -> Option<Instant> {
            self.0.checked_sub(duration).map(Instant)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, duration: Duration) -> Instant {
            Instant(self.0 + duration)
        }
    }

    impl Sub<Duration> for Instant {
        type Output = Instant;

        fn sub(self, duration: Duration) -> Instant {
            Instant(self.0 - duration)
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Instant) -> Duration {
            self.saturating_duration_since(earlier)
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn instants_follow_the_clock() {
            NOW.set(1_000.5);
            let start = Instant::now();
            NOW.set(1_250.75);
            assert_eq!(start.elapsed(), Duration::from_micros(250_250));
            assert_eq!(Instant::now() - start, Duration::from_micros(250_250));
            assert_eq!(start - Instant::now(), Duration::ZERO);
            assert_eq!(start + Duration::from_micros(250_250), Instant::now());
            let later = start + Duration::from_secs(1);
            assert!(later > Instant::now() && later - Duration::from_secs(1) == start);
            assert_eq!(start.checked_add(Duration::MAX), None);
            assert_eq!(
                start.checked_sub(Duration::from_secs(3600)).map(|it| it < start),
                Some(true)
            );
        }

        #[test]
        fn invalid_clocks_stand_still() {
            for time in [f64::NAN, f64::INFINITY, -1.0] {
                NOW.set(time);
                assert_eq!(Instant::now(), Instant(OFFSET));
            }
        }
    }
}
