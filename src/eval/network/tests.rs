//! The network compared with its slow twins.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::file::largest_file;
use super::head::{HIDDEN, INPUTS};
use super::regions::{REGION_CHANNELS, RegionLayer};
use super::*;
use tengen_rules::types::{BoardSize, Point};

const SIZES: [(i64, i64); 5] = [(5, 5), (15, 15), (20, 20), (7, 19), (36, 36)];

/// Plays and takes back at random and calls `visit` with every position.
fn wander(rule: Rule, size: BoardSize, steps: usize, mut visit: impl FnMut(&Position)) {
    let mut random = SmallRng::seed_from_u64(7);
    let mut position = Position::new(size, rule);
    for _ in 0..steps {
        let empty: Vec<Point> = position.board().empty_points().collect();
        if empty.is_empty() || random.random_bool(0.4) {
            position.undo();
        } else {
            position.play(empty[random.random_range(0..empty.len())]);
        }
        visit(&position);
    }
}

/// The embedded file, with random weights of regions.
fn file_with_random_regions(rule: Rule) -> NetworkFile {
    let mut random = SmallRng::seed_from_u64(11);
    let mut file = NetworkFile::read(embedded(rule)).unwrap();
    for side in &mut file.sides {
        let mut weight = || random.random_range(-300..=300);
        side.head.regions = RegionWeights {
            layer: std::array::from_fn(|_| std::array::from_fn(|_| weight())),
            bias: std::array::from_fn(|_| 1_000 * i32::from(weight())),
            first: std::array::from_fn(|_| std::array::from_fn(|_| weight())),
        };
    }
    file
}

fn network_with_random_regions(rule: Rule) -> LoadedNetwork {
    LoadedNetwork::from_bytes(&file_with_random_regions(rule).write(), rule).unwrap()
}

/// Computes the value of regions from their definition: every 6x6 cells from a block's corner.
#[test]
fn regions_are_sums_over_six_by_six_cells() {
    let rule = Rule::Standard;
    let file = file_with_random_regions(rule);
    let side = &file.sides[0];
    let RegionWeights { layer, bias, .. } = &side.head.regions;
    let weights = RegionLayer::new(&side.head.regions);
    let network = Network::new(file.clone());
    let mut compared = 0;
    for (width, height) in [(15, 15), (11, 16), (20, 20)] {
        let size = BoardSize::new(width, height).unwrap();
        // The first cell of each region on a side: blocks overhang both borders by the same.
        let starts = |length: i64| {
            let first = -(length % 3);
            (first..).step_by(3).take_while(move |at| at + 6 <= length - first)
        };
        wander(rule, size, 60, |position| {
            let mover = position.side_to_move();
            let view = |point: Point, viewer: Color, channel: usize| {
                let code = |color| position.code(point, color).index();
                let own = side.tables.own[code(viewer)].0[channel];
                let other = side.tables.other[code(viewer.opponent())].0[channel];
                i64::from(own.saturating_add(other).max(0))
            };
            let mut expected = [0; REGION_OUTPUTS];
            for (x, y) in starts(width).flat_map(|x| starts(height).map(move |y| (x, y))) {
                let is_inside = |point: &Point| {
                    (x..x + 6).contains(&i64::from(point.x()))
                        && (y..y + 6).contains(&i64::from(point.y()))
                };
                let cells: Vec<Point> = position.board().empty_points().filter(is_inside).collect();
                let input = |number: usize| -> i64 {
                    let viewer = if number < REGION_CHANNELS { mover } else { mover.opponent() };
                    cells.iter().map(|&point| view(point, viewer, number % REGION_CHANNELS)).sum()
                };
                let inputs: Vec<i64> = (0..REGION_INPUTS).map(input).collect();
                for (out, expected) in expected.iter_mut().enumerate() {
                    let products = inputs.iter().zip(layer).map(|(a, row)| a * i64::from(row[out]));
                    let sum = i64::from(bias[out]) + products.sum::<i64>();
                    // 1 as a number is 8 * 127, 1 as a weight 1024.
                    *expected += ((sum >> 10) as i32).clamp(0, 8 * 127);
                }
            }
            let grid = BlockGrid::new(size);
            let sums = BoardSums::of(position, &grid, &network, Kernel::Plain);
            let found = sums.outputs(&grid, &weights, mover, Kernel::Plain);
            assert_eq!(found, expected, "{size}");
            compared += usize::from(expected.iter().any(|&sum| sum > 0));
        });
    }
    assert!(compared > 100);
}

/// Empty space adds nothing: a few stones in the centre have much the same value on every board.
#[test]
fn larger_boards_hardly_change_the_value() {
    const GAMES: [&str; 3] = ["0,0 1,-1", "0,0 1,1 1,0", "0,0 1,1 3,-2 -3,2"];
    for rule in Rule::ALL {
        let mut evaluator = Evaluator::with_networks(rule, &Networks::embedded());
        for stones in GAMES {
            let mut value = |side: i64| {
                let mut position = Position::new(BoardSize::square(side).unwrap(), rule);
                for stone in stones.split(' ') {
                    let (x, y) = stone.split_once(',').unwrap();
                    let at = |offset: &str| (side / 2 + offset.parse::<i64>().unwrap()) as u8;
                    position.play(Point::new(at(x), at(y)));
                }
                evaluator.value(&position).value()
            };
            let expected = value(15);
            for side in [17, 19, 20, 30, 36] {
                let found = value(side);
                assert!(
                    found.abs_diff(expected) < 120,
                    "{rule}, {stones} on {side}: {found}, {expected}"
                );
            }
        }
    }
}

#[test]
fn cached_sums_equal_sums_from_scratch() {
    for rule in Rule::ALL {
        let mut networks = Networks::embedded();
        networks.insert(network_with_random_regions(rule));
        let mut kept = Evaluator::with_networks(rule, &networks);
        let network = networks.of(rule);
        for (width, height) in SIZES {
            let size = BoardSize::new(width, height).unwrap();
            let grid = BlockGrid::new(size);
            let mut random = SmallRng::seed_from_u64(1);
            wander(rule, size, 4000, |position| {
                // Only some positions are evaluated: sums must catch up over several stones.
                if random.random_bool(0.5) {
                    assert_eq!(kept.value(position), network.value(position, Kernel::Plain));
                    let sums = kept.sums.as_mut().unwrap();
                    let sums = sums.sums(position, &network, kept.kernel);
                    let slow = BoardSums::of(position, &grid, &network, Kernel::Plain);
                    assert_eq!(*sums, slow, "{rule} {size}");
                }
            });
        }
    }
}

#[test]
fn both_kernels_compute_the_same() {
    compare_kernels(&Networks::embedded());
    let mut networks = Networks::embedded();
    Rule::ALL.into_iter().for_each(|rule| networks.insert(network_with_random_regions(rule)));
    compare_kernels(&networks);
}

#[test]
fn files_round_trip_and_damage_is_reported() {
    let random = Rule::ALL.map(|rule| file_with_random_regions(rule).write());
    for bytes in FILES.into_iter().chain(random.iter().map(Vec::as_slice)) {
        let file = NetworkFile::read(bytes).unwrap();
        assert!(file.write() == bytes);
        assert_eq!(NetworkFile::read(b"TGN"), Err(FileError::Magic));
        let damaged = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = bytes.to_vec();
            change(&mut bytes);
            NetworkFile::read(&bytes).unwrap_err()
        };
        assert_eq!(damaged(&|bytes| bytes[4] = 99), FileError::Version(99));
        assert_eq!(damaged(&|bytes| bytes[8] ^= 1), FileError::Extents);
        assert_eq!(damaged(&|bytes| bytes[7] = 99), FileError::UnknownRule(99));
        assert_eq!(damaged(&|bytes| bytes[7] = 0), FileError::UnknownRule(0));
        let (rule, found) = (file.rule, file.sides.len() + 1);
        assert_eq!(damaged(&|bytes| bytes[6] += 1), FileError::Sides { rule, found });
        assert_eq!(damaged(&|bytes| bytes[1_000] ^= 1), FileError::Checksum);
        let length = bytes.len();
        assert_eq!(
            damaged(&|bytes| bytes.truncate(length - 1)),
            FileError::Length { expected: length, found: length - 1 }
        );
        for (number, refused) in [
            (FLANK_LIMIT, false),
            (-FLANK_LIMIT, false),
            (-FLANK_LIMIT - 1, true),
            (FLANK_LIMIT + 1, true),
        ] {
            let mut file = file.clone();
            file.sides.last_mut().unwrap().policy.flanks[FLANK_PAIRS - 1].0[CHANNELS - 1] = number;
            let read = NetworkFile::read(&file.write());
            assert_eq!(read.err(), refused.then_some(FileError::FlankLimit));
        }
    }
}

#[test]
fn weights_that_could_overflow_are_rejected() {
    let too_large: [fn(&mut Side); 12] = [
        |side| side.head.first = [[i16::MAX; HIDDEN]; INPUTS],
        |side| side.head.first = [[i16::MIN; HIDDEN]; INPUTS],
        |side| side.head.first_bias[HIDDEN - 1] = i32::MIN,
        |side| side.head.second = [[i16::MAX; HIDDEN]; HIDDEN],
        |side| side.head.second_bias[HIDDEN - 1] = i32::MIN,
        |side| side.head.output = [i16::MAX; HIDDEN],
        |side| side.head.output_bias = i32::MIN,
        |side| side.policy.query = [[i16::MAX; CHANNELS]; HIDDEN],
        |side| side.policy.query_bias[CHANNELS - 1] = i32::MIN,
        |side| side.head.regions.layer = [[i16::MAX; REGION_OUTPUTS]; REGION_INPUTS],
        |side| side.head.regions.bias[REGION_OUTPUTS - 1] = i32::MIN,
        |side| side.head.regions.first = [[i16::MAX; HIDDEN]; REGION_OUTPUTS],
    ];
    // A sum over a region is at most 36 * 127.
    let region_from = |side: &mut Side, bias: i32| {
        side.head.regions.layer = [[0; REGION_OUTPUTS]; REGION_INPUTS];
        side.head.regions.layer[0][REGION_OUTPUTS - 1] = -1;
        side.head.regions.bias[REGION_OUTPUTS - 1] = bias;
    };
    // A row of threats counts 64 times.
    let starts_from = |side: &mut Side, bias: i32| {
        side.head.first = [[0; HIDDEN]; INPUTS];
        side.head.regions.first = [[0; HIDDEN]; REGION_OUTPUTS];
        side.head.threats.fill([-1; HIDDEN]);
        side.head.first_bias[HIDDEN - 1] = bias;
    };
    for file in Rule::ALL.map(file_with_random_regions) {
        let error = |change: &dyn Fn(&mut Side)| {
            let mut file = file.clone();
            change(file.sides.last_mut().unwrap());
            NetworkFile::read(&file.write()).err()
        };
        for change in too_large {
            assert_eq!(error(&change), Some(FileError::SumLimit));
        }
        let largest = i32::MAX - 36 * 127;
        assert_eq!(error(&|side| region_from(side, largest)), None);
        assert_eq!(error(&|side| region_from(side, largest + 1)), Some(FileError::SumLimit));
        assert_eq!(error(&|side| starts_from(side, i32::MAX - 64)), None);
        assert_eq!(error(&|side| starts_from(side, i32::MAX - 63)), Some(FileError::SumLimit));
    }
}

/// A network that differs from the embedded one in the output bias of every side.
fn other_network(rule: Rule) -> LoadedNetwork {
    let mut file = NetworkFile::read(embedded(rule)).unwrap();
    file.sides.iter_mut().for_each(|side| side.head.output_bias += 1 << 20);
    LoadedNetwork::from_bytes(&file.write(), rule).unwrap()
}

#[test]
fn loaded_network_replaces_the_embedded_one() {
    let size = BoardSize::square(15).unwrap();
    let mut networks = Networks::embedded();
    assert_eq!(networks.hash(), crate::eval::weights_hash());
    networks.insert(other_network(Rule::Renju));
    assert_ne!(networks.hash(), crate::eval::weights_hash());
    for rule in [Rule::Standard, Rule::Renju] {
        let position = Position::new(size, rule);
        let value = |networks| Evaluator::with_networks(rule, networks).value(&position);
        let is_same = value(&networks) == value(&Networks::embedded());
        assert_eq!(is_same, rule == Rule::Standard, "{rule}");
    }
}

#[test]
fn files_of_another_rule_are_rejected() {
    let refused = |bytes: &[u8], rule| LoadedNetwork::from_bytes(bytes, rule).unwrap_err();
    let sides = FileError::Sides { rule: Rule::Standard, found: 2 };
    assert_eq!(sides.to_string(), "number of sides 2 (expected 1 in standard)");
    for rule in Rule::ALL {
        assert_eq!(NetworkFile::read(embedded(rule)).unwrap().rule, rule);
        assert!(LoadedNetwork::from_bytes(embedded(rule), rule).is_ok());
    }
    let error = FileError::Rule { expected: Rule::Standard, found: Rule::Caro };
    assert_eq!(refused(embedded(Rule::Caro), Rule::Standard), error);
    assert_eq!(error.to_string(), "a network for caro (expected standard)");
}

#[test]
fn network_errors_name_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.net");
    let open = || LoadedNetwork::open(&path, Rule::Freestyle);
    let message = || {
        let error = open().unwrap_err();
        assert_eq!(error.path(), path);
        (error.to_string().replace(&path.display().to_string(), "PATH"), error.file_error())
    };
    let (text, file_error) = message();
    assert!(text.starts_with("cannot read network PATH: ") && file_error.is_none(), "{text}");
    let whole = embedded(Rule::Freestyle);
    let length = |found: usize| &*format!("{found} bytes (expected {})", whole.len()).leak();
    for (bytes, reason) in [
        (b"no network".to_vec(), "not a network file"),
        (whole[..whole.len() - 9].to_vec(), length(whole.len() - 9)),
        // No more is read than decides.
        ([whole, whole, whole].concat(), length(largest_file() + 1)),
        ([&whole[..4], &[2], &whole[5..]].concat(), "version 2 of the format (expected 4)"),
        ([&whole[..99], &[whole[99] ^ 1], &whole[100..]].concat(), "wrong checksum"),
    ] {
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(message().0, format!("invalid network PATH: {reason}"));
    }
    std::fs::write(&path, whole).unwrap();
    assert_eq!(open().unwrap().hash(), NetworkFile::hash(whole));
}
