//! Conversion between trained rows in floating point and a network file in integers.

use super::weights::{NetworkRows, RowTable, Vector, WIDTH, ZERO, head};
use tengen::eval::network::{
    FIRST_ONE, HeadWeights, OFFSET_CLASSES, PolicyWeights, REGION_BIAS_ONE, REGION_OUTPUTS,
    RegionWeights, Row, SECOND_ONE, Side, THREAT_ENTRIES, THREAT_ONE, Tables, WEIGHT_ONE,
};
use tengen_rules::pattern::{CODE_SLOTS, PATTERN_CODES};

/// 1 in a row of a table.
const ROW_ONE: f32 = 127.0;

/// The weights of a network file with these rows.
pub(super) fn sides(rows: &NetworkRows) -> Vec<Side> {
    let side = |side: usize| {
        let head = &rows.vectors[rows.head(side)..rows.head(side) + head::ROWS];
        let tables =
            |own, other| Tables { own: table(rows, side, own), other: table(rows, side, other) };
        let offsets = |start: usize| std::array::from_fn(|class| bytes(&head[start + class]));
        Side {
            tables: tables(RowTable::ValueOwn, RowTable::ValueOther),
            head: HeadWeights {
                threats: boxed((0..THREAT_ENTRIES).map(|n| to_i16(&head[n], THREAT_ONE))),
                first: std::array::from_fn(|n| to_i16(&head[head::FIRST + n], WEIGHT_ONE)),
                first_bias: to_i32(&head[head::FIRST_BIAS], FIRST_ONE),
                second: std::array::from_fn(|n| to_i16(&head[head::SECOND + n], WEIGHT_ONE)),
                second_bias: to_i32(&head[head::SECOND_BIAS], SECOND_ONE),
                output: to_i16(&head[head::OUTPUT], WEIGHT_ONE),
                output_bias: to_i32(&head[head::OUTPUT_BIAS], SECOND_ONE)[0],
                regions: region_weights(head),
            },
            policy: PolicyWeights {
                tables: tables(RowTable::PolicyOwn, RowTable::PolicyOther),
                flanks: boxed(head[head::FLANKS..].iter().map(bytes)),
                one_ply: offsets(head::ONE_PLY),
                two_plies: offsets(head::TWO_PLIES),
                query: std::array::from_fn(|n| to_i16(&head[head::QUERY + n], WEIGHT_ONE)),
                query_bias: to_i32(&head[head::QUERY_BIAS], SECOND_ONE),
            },
        }
    };
    (0..rows.sides()).map(side).collect()
}

/// The weights of the regions of a head.
fn region_weights(head: &[Vector]) -> RegionWeights {
    let row = |n: usize| to_i16(&head[head::REGIONS + n], WEIGHT_ONE);
    let by_output: [_; REGION_OUTPUTS] = std::array::from_fn(row);
    let bias = to_i32(&head[head::REGIONS_BIAS], REGION_BIAS_ONE);
    RegionWeights {
        layer: std::array::from_fn(|input| by_output.map(|row| row[input])),
        bias: std::array::from_fn(|n| bias[n]),
        first: std::array::from_fn(|n| to_i16(&head[head::FIRST_REGIONS + n], WEIGHT_ONE)),
    }
}

/// Reads the weights of the regions of a head.
fn read_regions(head: &mut [Vector], from: &RegionWeights) {
    for n in 0..REGION_OUTPUTS {
        for (number, weights) in head[head::REGIONS + n].iter_mut().zip(&from.layer) {
            *number = f32::from(weights[n]) / WEIGHT_ONE;
        }
        head[head::REGIONS_BIAS][n] = from.bias[n] as f32 / REGION_BIAS_ONE;
        head[head::FIRST_REGIONS + n] = from.first[n].map(|weight| f32::from(weight) / WEIGHT_ONE);
    }
}

/// The rows of the weights of a network file.
pub(super) fn rows(sides: &[Side]) -> NetworkRows {
    let mut rows = NetworkRows::zero(sides.len());
    for (number, side) in sides.iter().enumerate() {
        let tables = [
            (RowTable::ValueOwn, &side.tables.own),
            (RowTable::ValueOther, &side.tables.other),
            (RowTable::PolicyOwn, &side.policy.tables.own),
            (RowTable::PolicyOther, &side.policy.tables.other),
        ];
        for (table, from) in tables {
            let start = rows.code(number, table, 0);
            for (row, from) in rows.vectors[start..].iter_mut().zip(&from[..PATTERN_CODES]) {
                *row = from.0.map(|byte| f32::from(byte) / ROW_ONE);
            }
        }
        let start = rows.head(number);
        let head = &mut rows.vectors[start..start + head::ROWS];
        let mut read_i16 = |start: usize, from: &[[i16; WIDTH]], one: f32| {
            for (row, from) in head[start..].iter_mut().zip(from) {
                *row = from.map(|number| f32::from(number) / one);
            }
        };
        read_i16(head::THREATS, side.head.threats.as_slice(), THREAT_ONE);
        read_i16(head::FIRST, &side.head.first, WEIGHT_ONE);
        read_i16(head::SECOND, &side.head.second, WEIGHT_ONE);
        read_i16(head::OUTPUT, &[side.head.output], WEIGHT_ONE);
        read_i16(head::QUERY, &side.policy.query, WEIGHT_ONE);
        read_regions(head, &side.head.regions);
        let from_i32 = |from: &[i32; WIDTH], one: f32| from.map(|number| number as f32 / one);
        head[head::FIRST_BIAS] = from_i32(&side.head.first_bias, FIRST_ONE);
        head[head::SECOND_BIAS] = from_i32(&side.head.second_bias, SECOND_ONE);
        head[head::OUTPUT_BIAS] = ZERO;
        head[head::OUTPUT_BIAS][0] = side.head.output_bias as f32 / SECOND_ONE;
        head[head::QUERY_BIAS] = from_i32(&side.policy.query_bias, SECOND_ONE);
        let row = |row: &Row| row.0.map(|byte| f32::from(byte) / ROW_ONE);
        for (to, from) in head[head::FLANKS..].iter_mut().zip(side.policy.flanks.iter()) {
            *to = row(from);
        }
        for class in 0..OFFSET_CLASSES {
            head[head::ONE_PLY + class] = row(&side.policy.one_ply[class]);
            head[head::TWO_PLIES + class] = row(&side.policy.two_plies[class]);
        }
    }
    rows
}

fn table(rows: &NetworkRows, side: usize, table: RowTable) -> Box<[Row; CODE_SLOTS]> {
    boxed((0..CODE_SLOTS).map(|code| match code {
        ..PATTERN_CODES => bytes(&rows.vectors[rows.code(side, table, code)]),
        _ => Row::ZERO,
    }))
}

fn boxed<T, const COUNT: usize>(items: impl Iterator<Item = T>) -> Box<[T; COUNT]> {
    let items: Box<[T]> = items.collect();
    items.try_into().unwrap_or_else(|_| unreachable!("the number of items is that of the type"))
}

fn bytes(numbers: &Vector) -> Row {
    Row(numbers.map(|number| (number * ROW_ONE).round().clamp(-ROW_ONE, ROW_ONE) as i8))
}

fn to_i16(numbers: &Vector, one: f32) -> [i16; WIDTH] {
    const LIMIT: f32 = i16::MAX as f32;
    numbers.map(|number| (number * one).round().clamp(-LIMIT, LIMIT) as i16)
}

fn to_i32(numbers: &Vector, one: f32) -> [i32; WIDTH] {
    numbers.map(|number| (number * one).round() as i32)
}

#[cfg(test)]
mod tests {
    use super::super::weights::Weights;
    use super::*;
    use tengen::eval::network::{self, NetworkFile};
    use tengen_rules::types::Rule;

    #[test]
    fn exported_rows_are_read_back() {
        for (rule, count) in [(Rule::Caro, 1), (Rule::Renju, 2)] {
            let sides = sides(&Weights::random(count, 5).rows());
            let exported = NetworkFile { rule, sides };
            assert_eq!(super::sides(&rows(&exported.sides)), exported.sides);
            assert_eq!(NetworkFile::read(&exported.write()), Ok(exported));
        }
    }

    #[test]
    fn embedded_networks_convert_without_loss() {
        for rule in [Rule::Freestyle, Rule::Renju] {
            let embedded = NetworkFile::read(network::embedded(rule)).unwrap();
            let weights = Weights::from_rows(&rows(&embedded.sides));
            assert_eq!(sides(&weights.rows()), embedded.sides);
        }
    }
}
