//! Transfers the certificate of a sibling: of the same position with the last reply on another cell.
//!
//! The body of the sibling is followed on both boards at once. Its bytes are kept where they hold;
//! zones are computed again, and replies without a proof get one from the solver or a search. This is
//! much cheaper than to prove and write all leaves again, since most replies are far from most lines.

use tengen_verify::{self as verify, ALL, Cells, Claim, NULL, SAME, Summary};

use crate::archive::{Certificate, Win};
use crate::keys::{Key, KeyMap, key_of, stone_key};
use crate::moves::is_legal_move;
use crate::proof::{Draft, Proof};
use crate::search::Search;
use crate::state::{State, checked_board, checked_color, engine_color};
use crate::transfer::RepairLimits;

/// Where an or-node is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Outside passes, after quiet moves only.
    Quiet,
    /// Outside passes, after a threat.
    Threats,
    /// Below a pass.
    Below,
}

/// The summaries of a node on both boards; the second one if its proof is written.
type Summaries = (Summary, Option<Summary>);

struct Transplant<'s, 'a> {
    search: &'s mut Search<'a>,
    /// The body of the sibling, and the offset of its next byte.
    bytes: &'s [u8],
    at: usize,
    /// The board of the sibling.
    board: verify::Board,
    key: Key,
    /// Offsets of the sibling's nodes outside passes where they come first: all of them, or `None`
    /// if those that were read suffice.
    all: Option<&'s KeyMap<usize>>,
    read: KeyMap<usize>,
    draft: &'s mut Draft,
    limits: RepairLimits,
}

impl<'s, 'a> Transplant<'s, 'a> {
    /// Starts at the first byte of the root.
    fn new(
        search: &'s mut Search<'a>,
        certificate: &'s Certificate,
        draft: &'s mut Draft,
        limits: RepairLimits,
    ) -> Transplant<'s, 'a> {
        Transplant {
            search,
            bytes: &certificate.body,
            at: 0,
            board: checked_board(&certificate.claim),
            key: certificate.key(),
            all: None,
            read: KeyMap::default(),
            draft,
            limits,
        }
    }

    /// The same at another position of the certificate. `None` if it has no proof of it.
    fn at(
        search: &'s mut Search<'a>,
        certificate: &'s Certificate,
        position: &Claim,
        draft: &'s mut Draft,
        limits: RepairLimits,
    ) -> Option<Transplant<'s, 'a>> {
        let all = offsets(search, certificate);
        let key = key_of(&position.black, &position.white);
        let at = *all.get(&key)?;
        let board = checked_board(position);
        let walk = Transplant::new(search, certificate, draft, limits);
        Some(Transplant { at, board, key, all: Some(all), ..walk })
    }
}

/// The proof of a position by that of a sibling: a position of a certificate with the last reply on
/// another cell. `None` if a part cannot be repaired.
pub(crate) fn transplant(
    search: &mut Search<'_>,
    state: &mut State,
    certificate: &Certificate,
    sibling: &Claim,
    limits: RepairLimits,
) -> Option<Proof> {
    let mut draft = Draft::default();
    let mut walk = match *sibling == certificate.claim {
        true => Transplant::new(search, certificate, &mut draft, limits),
        false => Transplant::at(search, certificate, sibling, &mut draft, limits)?,
    };
    let (_, written) = walk.or_node(state, Place::Quiet, true)?;
    written.map(|_| draft.proof)
}

/// Copies the archived proof of a position to a draft. Returns whether it is complete.
pub(crate) fn copy(search: &mut Search<'_>, state: &mut State, draft: &mut Draft) -> bool {
    let claim = state.claim();
    let attacks = claim.to_move() == claim.attacker;
    let Some(source) = search.source(state.key) else { return false };
    let limits = RepairLimits { nodes: 0, quiet: false };
    let Some(mut walk) = Transplant::at(search, &source, &claim, draft, limits) else {
        return false;
    };
    let summaries = match attacks {
        true => walk.or_node(state, Place::Quiet, true),
        false => walk.and_node(state, Place::Quiet, true),
    };
    summaries.is_some_and(|(_, written)| written.is_some())
}

/// The offsets of the positions of a certificate outside passes, where they come first.
fn offsets<'c>(search: &mut Search<'_>, certificate: &'c Certificate) -> &'c KeyMap<usize> {
    certificate.offsets.get_or_init(|| {
        let mut draft = Draft::default();
        let limits = RepairLimits { nodes: 0, quiet: false };
        let mut walk = Transplant::new(search, certificate, &mut draft, limits);
        // Not compared with another position, so it is read only.
        let mut state = State::new(&certificate.claim);
        walk.or_node(&mut state, Place::Quiet, false);
        walk.read
    })
}

impl Transplant<'_, '_> {
    fn next(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    /// Follows the proof of a position with the attacker to move. `live` if it is to be written for
    /// `state`, which otherwise is another position and not used. `None` if the body is invalid.
    fn or_node(&mut self, state: &mut State, place: Place, live: bool) -> Option<Summaries> {
        let mark = self.draft.mark();
        if place != Place::Below {
            self.read.entry(self.key).or_insert(self.at);
        }
        let cell = self.next()?;
        if usize::from(cell) >= self.board.area() || !self.board.is_empty(cell.into()) {
            return None;
        }
        let color = checked_color(state.attacker);
        let is_quiet =
            place == Place::Quiet && self.search.archived_win(self.key) == Some(Win::Move(cell));
        let below = match place {
            Place::Quiet if !is_quiet => Place::Threats,
            other => other,
        };
        let own = self.board.judged(cell.into(), color).ok()?;
        let new = match live && state.board.is_empty(cell.into()) {
            true => state.board.judged(cell.into(), color).ok()?,
            false => None,
        };
        let holds = live && is_legal_move(state, cell);
        let (mut old_summary, mut new_summary) = (Summary::default(), None);
        if self.board.would_be_five(cell.into(), color) {
            if holds {
                self.draft.proof.body.push(cell);
                new_summary = Some(Summary::default());
            }
        } else {
            self.board.place(cell.into(), color);
            self.key ^= stone_key(cell, engine_color(color));
            if holds {
                if place == Place::Quiet {
                    let win = if is_quiet { Win::Move(cell) } else { Win::Threats };
                    self.draft.proof.positions.push((state.claim(), win));
                }
                self.draft.proof.body.push(cell);
                state.play(cell);
            }
            let after = self.and_node(state, below, holds);
            if holds {
                state.undo();
            }
            self.key ^= stone_key(cell, engine_color(color));
            self.board.remove(cell.into());
            (old_summary, new_summary) = after?;
        }
        old_summary.add_move(cell.into(), own.as_ref());
        if let Some(summary) = &mut new_summary {
            summary.add_move(cell.into(), new.as_ref());
        } else if live {
            self.draft.cut(mark);
            new_summary = self.repair(state, place);
        }
        Some((old_summary, new_summary))
    }

    /// A new proof for a position with the attacker to move.
    fn repair(&mut self, state: &mut State, place: Place) -> Option<Summary> {
        self.search.repair(state, self.draft, place == Place::Below, self.limits)
    }

    fn and_node(&mut self, state: &mut State, place: Place, live: bool) -> Option<Summaries> {
        if place == Place::Below {
            return self.expanded(state, place, live);
        }
        let read = *self.read.entry(self.key).or_insert(self.at);
        let first = self.all.and_then(|all| all.get(&self.key)).copied().unwrap_or(read);
        let is_written = live && self.draft.written.contains(state.key);
        if is_written {
            self.draft.proof.body.push(SAME);
        }
        let is_same = self.bytes.get(self.at) == Some(&SAME);
        let mut written = is_written.then(Summary::default);
        if !is_same {
            let (_, summary) = self.expanded(state, place, live && !is_written)?;
            written = written.or(summary);
        } else {
            self.at += 1;
            if live && !is_written && first + 1 < self.at {
                // The sibling proved the position earlier, where this proof had another one.
                let at = std::mem::replace(&mut self.at, first);
                let summaries = self.expanded(state, place, true);
                self.at = at;
                written = summaries?.1;
            }
        }
        if written.is_some() {
            self.draft.written.insert(state.key);
        }
        Some((Summary::default(), written))
    }

    /// Follows an and-node with its replies.
    fn expanded(&mut self, state: &mut State, place: Place, mut live: bool) -> Option<Summaries> {
        let tag = self.next()?;
        if live {
            self.draft.proof.body.push(tag);
        }
        let (mut own, mut new) = (Summary::default(), Summary::default());
        let mut zones: Option<(Cells, Cells)> = None;
        match tag {
            NULL => {
                state.position.pass();
                let null = self.or_node(state, Place::Below, live);
                state.position.pass();
                let (old_null, new_null) = null?;
                own = old_null;
                let own_zone = own.zone(&self.board).ok()?;
                own.raise();
                let new_zone = new_null.and_then(|null| null.zone(&state.board).ok());
                live &= new_zone.is_some();
                if let Some(null) = new_null {
                    new = null;
                    new.raise();
                }
                zones = Some((own_zone, new_zone.unwrap_or_default()));
            }
            ALL => {}
            _ => return None,
        }
        let defender = checked_color(state.defender());
        for cell in 0..self.board.area() {
            let reply = cell as u8;
            let in_zones = zones.as_ref().map(|(own, new)| (own.has(cell), new.has(cell)));
            let (in_own, in_new) = in_zones.unwrap_or((true, true));
            let mut in_own = in_own && self.board.is_empty(cell);
            if in_own
                && let Some(judgement) = self.board.judged(cell, defender).ok()?
                && judgement.is_foul
            {
                own.add_foul(&judgement);
                in_own = false;
            }
            let mut in_new = live && in_new && state.board.is_empty(cell);
            if in_new && state.board.would_be_five(cell, defender) {
                (live, in_new) = (false, false);
            }
            if in_new
                && let Some(judgement) = state.board.judged(cell, defender).ok()?
                && judgement.is_foul
            {
                new.add_foul(&judgement);
                in_new = false;
            }
            let mut summary = None;
            if in_new {
                state.play(reply);
            }
            if in_own {
                self.board.place(cell, defender);
                self.key ^= stone_key(reply, engine_color(defender));
                let after = self.or_node(state, place, in_new);
                if let Some((after, _)) = &after
                    && place == Place::Below
                {
                    own.add_reply(&self.board, cell, after);
                }
                self.key ^= stone_key(reply, engine_color(defender));
                self.board.remove(cell);
                match after {
                    Some((_, after)) => summary = after,
                    None => {
                        if in_new {
                            state.undo();
                        }
                        return None;
                    }
                }
            } else if in_new {
                summary = self.repair(state, place);
            }
            if in_new {
                if let Some(after) = &summary
                    && place == Place::Below
                {
                    new.add_reply(&state.board, cell, after);
                }
                state.undo();
                live &= summary.is_some();
            }
        }
        Some((own, live.then_some(new)))
    }
}
