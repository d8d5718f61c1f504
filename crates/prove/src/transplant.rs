//! Transfers the certificate of a sibling: of the same position with the last reply on another cell.
//!
//! The body of the sibling is followed on both boards at once. Its bytes are kept where they hold;
//! zones are computed again, and replies without a proof get one from the solver or a search. This is
//! much cheaper than to prove and write all leaves again, since most replies are far from most lines.

use std::collections::HashSet;

use tengen_verify::{self as verify, ALL, Cells, Claim, NULL, SAME, Summary};

use crate::moves::is_legal_move;
use crate::search::{KeyMap, Proof, Search, Win};
use crate::state::{Key, State, engine_color, key_of, stone_key};

/// A proof and the and-nodes written in it.
pub(crate) struct Draft {
    /// The proof so far.
    pub proof: Proof,
    /// The and-nodes outside passes that were completed.
    pub written: HashSet<Key>,
}

impl Draft {
    /// Without bytes.
    pub fn new() -> Draft {
        let proof = Proof { body: Vec::new(), moves: Vec::new(), leaves: 0 };
        Draft { proof, written: HashSet::new() }
    }
}

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
    /// Offsets of the sibling's and-nodes outside passes.
    offsets: KeyMap<usize>,
    draft: Draft,
    /// Nodes after which the search gives up, and whether it searches quiet moves.
    limit: (u64, bool),
}

/// The proof of a position by the body of a sibling's certificate. `None` if a part cannot be
/// repaired.
pub(crate) fn transplant(
    search: &mut Search<'_>,
    state: &mut State,
    sibling: &Claim,
    bytes: &[u8],
    limit: (u64, bool),
) -> Option<Proof> {
    let mut board = verify::Board::new(sibling.rule, sibling.size.into(), sibling.attacker);
    for (cells, color) in
        [(&sibling.black, verify::Color::Black), (&sibling.white, verify::Color::White)]
    {
        cells.iter().for_each(|&cell| board.place(cell.into(), color));
    }
    let key = key_of(&sibling.black, &sibling.white);
    let (offsets, draft) = (KeyMap::default(), Draft::new());
    let mut walk = Transplant { search, bytes, at: 0, board, key, offsets, draft, limit };
    let (_, written) = walk.or_node(state, Place::Quiet, true)?;
    written.map(|_| walk.draft.proof)
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
        let (start, moves) = (self.draft.proof.body.len(), self.draft.proof.moves.len());
        let cell = self.next()?;
        if usize::from(cell) >= self.board.area() || !self.board.is_empty(cell.into()) {
            return None;
        }
        let color = verify_color(state.attacker);
        let is_quiet =
            place == Place::Quiet && self.search.proved(self.key) == Some(Win::Move(cell));
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
                if is_quiet {
                    self.draft.proof.moves.push((state.claim(), cell));
                } else if place == Place::Quiet {
                    self.draft.proof.leaves += 1;
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
            self.draft.proof.body.truncate(start);
            self.draft.proof.moves.truncate(moves);
            new_summary = self.repair(state, place);
        }
        Some((old_summary, new_summary))
    }

    /// A new proof for a position with the attacker to move.
    fn repair(&mut self, state: &mut State, place: Place) -> Option<Summary> {
        self.search.repair(state, &mut self.draft, place == Place::Below, self.limit)
    }

    fn and_node(&mut self, state: &mut State, place: Place, live: bool) -> Option<Summaries> {
        if place == Place::Below {
            return self.expanded(state, place, live);
        }
        let first = *self.offsets.entry(self.key).or_insert(self.at);
        let is_written = live && self.draft.written.contains(&state.key);
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
        let defender = verify_color(state.defender());
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

fn verify_color(color: tengen_rules::types::Color) -> verify::Color {
    crate::state::checked_color(color)
}
