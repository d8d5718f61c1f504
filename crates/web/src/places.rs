//! The places of connections.
//!
//! Any program on this machine can connect, also one of another user. So a connection is a stranger
//! until one of its requests shows the cookie or a token. Strangers have a few places of their own:
//! where all are taken, the stranger that has waited longest makes room for the next. They cannot
//! take the places of known connections, nor keep the owner from connecting.

use std::collections::VecDeque;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::sleep;

/// Maximum number of known connections. A browser opens six.
const KNOWN: usize = 64;
/// Maximum number of strangers: enough that the owner's first request is read even while another
/// program opens thousands of connections per second.
const STRANGERS: usize = 128;
/// Time for a stranger to show the cookie or a token.
const STRANGER_TIME: Duration = Duration::from_secs(2);

/// The standing of a connection: whether it has shown the cookie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Stranger,
    Known,
    /// A stranger that has to make room for another.
    Dismissed,
}

/// All connections.
pub(crate) struct Places {
    known: Arc<Semaphore>,
    /// Oldest first.
    strangers: Mutex<VecDeque<Arc<Place>>>,
}

/// The place of one connection.
pub(crate) struct Place {
    standing: watch::Sender<Standing>,
    /// Held by a known connection.
    permit: Mutex<Option<OwnedSemaphorePermit>>,
}

impl Places {
    /// No connections.
    pub(crate) fn new() -> Places {
        Places { known: Arc::new(Semaphore::new(KNOWN)), strangers: Mutex::default() }
    }

    fn strangers(&self) -> MutexGuard<'_, VecDeque<Arc<Place>>> {
        self.strangers.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// A place for a new connection. Dismisses the oldest stranger if there are too many.
    pub(crate) fn enter(&self) -> Arc<Place> {
        let standing = watch::Sender::new(Standing::Stranger);
        let place = Arc::new(Place { standing, permit: Mutex::default() });
        let mut strangers = self.strangers();
        strangers.push_back(Arc::clone(&place));
        if strangers.len() > STRANGERS
            && let Some(oldest) = strangers.pop_front()
        {
            oldest.standing.send_replace(Standing::Dismissed);
        }
        place
    }

    /// Gives the connection, which has shown the cookie or a token, a place among the known ones.
    /// False if all of them are taken.
    pub(crate) fn recognize(&self, place: &Arc<Place>) -> bool {
        if *place.standing.borrow() == Standing::Known {
            return true;
        }
        let Ok(permit) = Arc::clone(&self.known).try_acquire_owned() else { return false };
        self.remove_stranger(place);
        *place.permit.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(permit);
        place.standing.send_replace(Standing::Known);
        true
    }

    /// Serves a connection to its end; that of a stranger only for `STRANGER_TIME`, or until it is
    /// dismissed.
    pub(crate) async fn hold(&self, place: &Arc<Place>, connection: impl Future) {
        let mut standing = place.standing.subscribe();
        let mut connection = std::pin::pin!(connection);
        let is_known = tokio::select! {
            biased;
            _ = connection.as_mut() => false,
            changed = standing.wait_for(|&it| it != Standing::Stranger) => {
                changed.is_ok_and(|it| *it == Standing::Known)
            }
            () = sleep(STRANGER_TIME) => false,
        };
        if is_known {
            connection.await;
        }
        self.remove_stranger(place);
    }

    fn remove_stranger(&self, place: &Arc<Place>) {
        self.strangers().retain(|it| !Arc::ptr_eq(it, place));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standings(places: &[Arc<Place>]) -> Vec<Standing> {
        places.iter().map(|place| *place.standing.borrow()).collect()
    }

    #[test]
    fn oldest_stranger_makes_room() {
        let places = Places::new();
        let all: Vec<_> = (0..STRANGERS).map(|_| places.enter()).collect();
        assert!(places.recognize(&all[0]) && places.recognize(&all[0]));
        assert_eq!(places.known.available_permits(), KNOWN - 1, "one place, not two");
        places.enter();
        assert_eq!(standings(&all[..2]), [Standing::Known, Standing::Stranger]);
        places.enter();
        assert_eq!(
            standings(&all[..3]),
            [Standing::Known, Standing::Dismissed, Standing::Stranger]
        );
        assert_eq!(places.strangers().len(), STRANGERS);
    }
}
