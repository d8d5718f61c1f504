//! Compares the tables with the reference on random points. `TENGEN_FOUL_POINTS` sets the number
//! of points, `TENGEN_FOUL_SEED` the first seed; a failure prints the seed of its position.

use std::env;

use tengen_rules::threat;
use tengen_testkit::census::Census;
use tengen_testkit::foul_at;
use tengen_testkit::random::Generator;

fn setting(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

#[test]
fn tables_equal_the_reference_on_random_points() {
    let points = setting("TENGEN_FOUL_POINTS", 50_000) as usize;
    let first_seed = setting("TENGEN_FOUL_SEED", 1);
    let mut census = Census::default();
    let mut judged = 0;
    for seed in first_seed.. {
        let (generator, position) = Generator::from_seed(seed);
        let board = position.board();
        for point in board.empty_points() {
            assert_eq!(
                threat::foul_at(&position, point),
                foul_at(board, point),
                "left: tables, right: reference; \
                 {point}, {generator:?}, TENGEN_FOUL_SEED={seed}\n{board}"
            );
            census.add(board, point);
            judged += 1;
        }
        if judged >= points {
            break;
        }
    }
    println!("{judged} points from seed {first_seed}: {census:#?}");
    for class in Census::CLASSES {
        let enough = points / 20_000;
        assert!(census.count(class) >= enough, "{class}: {}", census.count(class));
    }
}
