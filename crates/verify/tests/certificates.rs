//! Certificates written by hand, and changes of the sample certificates of the repository.

use std::fs;
use std::path::{Path, PathBuf};

use tengen_verify::{ALL, Claim, Color, GIVEN, NULL, Rule, SAME, Verifier};
use tengen_verify::{certificate, check};

/// The cell with this name on a board of 15x15.
fn cell(name: &str) -> u8 {
    let rank: u8 = name[1..].parse().unwrap();
    name.as_bytes()[0] - b'a' + 15 * (rank - 1)
}

fn cells(names: &str) -> Vec<u8> {
    let mut cells: Vec<u8> = names.split_whitespace().map(cell).collect();
    cells.sort_unstable();
    cells
}

fn claim(rule: Rule, attacker: Color, black: &str, white: &str) -> Claim {
    Claim { rule, size: 15, attacker, black: cells(black), white: cells(white) }
}

fn black_wins(rule: Rule, black: &str, white: &str) -> Claim {
    claim(rule, Color::Black, black, white)
}

/// The reason why a body is refused, or nothing.
fn refusal(claim: &Claim, body: &[u8]) -> Option<String> {
    check(&certificate(claim, body), false).err().map(|refusal| refusal.reason)
}

fn assert_refused(claim: &Claim, body: &[u8], part: &str) {
    let reason = refusal(claim, body).expect("a refusal");
    assert!(reason.contains(part), "{reason:?} does not contain {part:?}");
}

/// A straight four of black's: whichever end white takes, the other one wins.
fn straight_four() -> (Claim, Vec<u8>) {
    let claim = black_wins(Rule::Freestyle, "h8 i8 j8", "a1 c1 e1");
    // After g8 the pass allows f8; the only reply in its zone is f8, then k8.
    let body = vec![cell("g8"), NULL, cell("f8"), cell("k8")];
    (claim, body)
}

#[test]
fn straight_four_is_accepted() {
    let (claim, body) = straight_four();
    let checked = check(&certificate(&claim, &body), false).unwrap();
    assert_eq!(checked.claim, claim);
    assert_eq!((checked.moves, checked.replies, checked.level), (3, 1, 1));
    // 225 cells without 7 stones and the reply.
    assert_eq!(checked.covered, 225 - 7 - 1);
    let slow = check(&certificate(&claim, &body), true).unwrap();
    assert_eq!(slow.played, 225 - 7 - 1);
}

#[test]
fn five_on_a_stone_is_refused() {
    let claim = black_wins(Rule::Freestyle, "h8 i8 j8 k8", "g8 a1 c1 e1");
    assert_eq!(refusal(&claim, &[cell("l8")]), None);
    assert_refused(&claim, &[cell("g8")], "is taken");
    assert_refused(&claim, &[225], "not a move");
    assert_refused(&claim, &[cell("a2")], "truncated");
}

#[test]
fn six_is_a_five_in_freestyle_only() {
    for (rule, accepted) in [(Rule::Freestyle, true), (Rule::Standard, false), (Rule::Renju, false)]
    {
        let claim = black_wins(rule, "f8 h8 i8 j8 k8", "a1 c1 e1 g1 i1");
        assert_eq!(refusal(&claim, &[cell("g8")]).is_none(), accepted, "{rule:?}");
        let white = claim_of_white(rule, "a1 c1 e1 g1 i1 k1", "f8 h8 i8 j8 k8");
        let wins = rule != Rule::Standard;
        assert_eq!(refusal(&white, &[cell("g8")]).is_none(), wins, "white, {rule:?}");
    }
}

fn claim_of_white(rule: Rule, black: &str, white: &str) -> Claim {
    claim(rule, Color::White, black, white)
}

#[test]
fn defender_with_four_refutes() {
    // White completes its own four before black's straight four becomes a five.
    let claim = black_wins(Rule::Freestyle, "h8 i8 j8 a9", "a1 b1 c1 d1");
    let body = [cell("g8"), NULL, cell("f8"), cell("k8")];
    assert_refused(&claim, &body, "e1 makes a five");
}

#[test]
fn reply_near_three_is_in_the_zone_of_level_two() {
    // A pass after a three has level 2: white's three in the corner makes a four first.
    let near = black_wins(Rule::Freestyle, "h8 i8 a15", "a1 b1 c1");
    let far = black_wins(Rule::Freestyle, "h8 i8 a15", "a1 c3 e1");
    for (claim, zone) in [(&near, true), (&far, false)] {
        let body = [cell("j8"), NULL, cell("k8"), NULL, cell("l8"), cell("g8")];
        let reason = refusal(claim, &body).unwrap();
        // The file ends where the first reply in the zone begins.
        assert!(reason.contains("truncated"), "{reason}");
        let mut next = body.to_vec();
        next.push(if zone { cell("d1") } else { cell("f8") });
        let reason = refusal(claim, &next).unwrap();
        assert_eq!(reason.contains("is taken"), zone, "{reason}");
    }
}

#[test]
fn tags_outside_their_place_are_refused() {
    let (claim, body) = straight_four();
    for tag in [ALL, SAME] {
        // After the pass black plays elsewhere, then comes the tag.
        let text = [cell("g8"), NULL, cell("a15"), tag];
        assert_refused(&claim, &text, "below a pass");
    }
    assert_refused(&claim, &[cell("g8"), NULL, GIVEN], "below a pass");
    assert_refused(&claim, &[GIVEN], "first byte");
    assert_refused(&claim, &[cell("g8"), SAME], "no mirror image");
    assert_refused(&claim, &[cell("g8"), cell("f8")], "not a kind");
    let mut longer = body;
    longer.push(0);
    assert_refused(&claim, &longer, "1 bytes are left");
}

#[test]
fn heads_are_checked() {
    let (claim, body) = straight_four();
    let bytes = certificate(&claim, &body);
    let at = |position: usize, value: u8| {
        let mut changed = bytes[..bytes.len() - 8].to_vec();
        changed[position] = value;
        sealed(&changed)
    };
    for (changed, part) in [
        (at(0, b'X'), "TENGENPF"),
        (at(8, 2), "version 2"),
        (at(9, 3), "rule 3"),
        (at(10, 16), "size 16"),
        (at(10, 4), "size 4"),
        (at(11, 2), "attacker 2"),
        (at(12, 2), "stones"),
        (at(14, 225), "not a cell"),
        (at(14, 114), "not ascending"),
        (at(17, 112), "not ascending"),
        (at(19, 113), "two stones"),
        (bytes[..bytes.len() - 1].to_vec(), "checksum"),
        (bytes[..5].to_vec(), "truncated"),
        (bytes[..20].to_vec(), "truncated"),
    ] {
        let reason = check(&changed, false).unwrap_err().reason;
        assert!(reason.contains(part), "{reason:?} does not contain {part:?}");
    }
    let five = black_wins(Rule::Freestyle, "h8 i8 j8 k8 l8", "a1 c1 e1 g1 i1");
    assert_refused(&five, &[cell("m8")], "black has a five");
}

/// The bytes with their checksum.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    let sum = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    [bytes, &sum.to_le_bytes()].concat()
}

#[test]
fn given_positions_need_a_certificate_of_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    // Every reply to the straight four comes from another file or is answered here.
    let (claim, _) = straight_four();
    let mut after = claim.clone();
    after.black.push(cell("g8"));
    after.black.sort_unstable();
    let mut body = vec![cell("g8"), ALL];
    for reply in 0..225 {
        if after.black.contains(&reply) || after.white.contains(&reply) {
            continue;
        }
        body.push(match reply {
            _ if reply == cell("a2") => GIVEN,
            _ if reply == cell("k8") => cell("f8"),
            _ => cell("k8"),
        });
    }
    let path = folder.path().join("root.proof");
    fs::write(&path, certificate(&claim, &body)).unwrap();
    let verify = || Verifier::new(false).verify(&path).unwrap();
    let reason = verify().unwrap_err().reason;
    assert!(reason.contains("no certificate of the folder has this root"), "{reason}");
    // A mirror image of the position: a2 is o2, and so on.
    let mut given = after.clone();
    given.white.push(cell("a2"));
    let turned = |cells: &[u8]| {
        let mut cells: Vec<u8> =
            cells.iter().map(|&cell| cell / 15 * 15 + 14 - cell % 15).collect();
        cells.sort_unstable();
        cells
    };
    let given = Claim { black: turned(&given.black), white: turned(&given.white), ..given };
    let other = folder.path().join("other.proof");
    fs::write(&other, certificate(&given, &[cell("a1")])).unwrap();
    let reason = verify().unwrap_err().reason;
    assert!(reason.contains("is refused"), "{reason}");
    fs::write(&other, certificate(&given, &[cell("e8")])).unwrap();
    assert_eq!(verify().unwrap().given.len(), 1);
    // Another attacker or rule proves nothing.
    let standard = Claim { rule: Rule::Standard, ..given };
    fs::write(&other, certificate(&standard, &[cell("e8")])).unwrap();
    assert!(verify().is_err());
}

/// The certificates of the repository.
fn samples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocol-tests/certificates");
    let samples = tengen_verify::certificates(&folder).unwrap();
    assert!(!samples.is_empty());
    samples
}

#[test]
fn samples_are_accepted() {
    let mut verifier = Verifier::new(false);
    for path in samples() {
        let checked = verifier.verify(&path).unwrap();
        assert!(checked.is_ok(), "{}: {checked:?}", path.display());
    }
}

/// Random numbers, the same on every machine (SplitMix64).
struct Source(u64);

impl Source {
    /// A number of a range.
    fn of(&mut self, range: std::ops::Range<usize>) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        range.start + (z ^ (z >> 31)) as usize % range.len()
    }
}

/// Changes the body or the stones; the checksum is renewed.
fn changed(bytes: &[u8], kind: usize, source: &mut Source) -> Vec<u8> {
    let end = bytes.len() - 8;
    let start = 14 + usize::from(bytes[12]) + usize::from(bytes[13]);
    let mut changed = bytes[..end].to_vec();
    let at = source.of(start..end);
    match kind {
        // Another move.
        0 => changed[at] = ((usize::from(bytes[at]) + source.of(1..225)) % 225) as u8,
        // Another kind of node.
        1 => changed[at] = [NULL, ALL, SAME, GIVEN][source.of(0..4)],
        // Another root: a stone is on a cell where the attacker plays. Other stones can be moved
        // without harm to the proof.
        2 => {
            let moves: Vec<u8> = bytes[start..end].iter().copied().filter(|&it| it < 225).collect();
            changed[source.of(14..start)] = moves[source.of(0..moves.len())];
            let (black, white) = changed[14..start].split_at_mut(usize::from(bytes[12]));
            black.sort_unstable();
            white.sort_unstable();
        }
        // An end that is too early.
        3 => changed.truncate(at),
        // Another order.
        _ => {
            let other = source.of(start..end);
            changed.swap(at, other);
        }
    }
    sealed(&changed)
}

#[test]
fn a_thousand_changes_of_a_sample_are_refused() {
    let samples: Vec<Vec<u8>> = samples().iter().map(|path| fs::read(path).unwrap()).collect();
    let mut source = Source(68);
    let (mut refused, mut number) = (0, 0);
    while refused < 1000 {
        let bytes = &samples[number % samples.len()];
        let changed = changed(bytes, number % 5, &mut source);
        number += 1;
        if changed == *bytes {
            continue;
        }
        // No other file proves a position that is given.
        let is_accepted = check(&changed, false).is_ok_and(|checked| checked.given.is_empty());
        assert!(!is_accepted, "change {number} is accepted");
        refused += 1;
    }
}
