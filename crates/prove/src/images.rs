//! Displaced images of proofs.
//!
//! Stones that look the same after a turn, a reflection and a step of the whole position still have
//! other edges, so that a proof does not carry over as it is. But most of its moves do: they are hints
//! for a replay, which proves everything again.

use tengen_verify::Claim;

/// A turn or reflection followed by a displacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Image {
    /// Cells in a row of the board.
    size: i32,
    /// What becomes of the coordinates: those of a new cell are the sums of the old ones with these
    /// factors.
    factors: [[i32; 2]; 2],
    /// Added afterwards.
    step: [i32; 2],
}

/// The factors of the eight turns and reflections.
const SYMMETRIES: [[[i32; 2]; 2]; 8] = [
    [[1, 0], [0, 1]],
    [[-1, 0], [0, 1]],
    [[1, 0], [0, -1]],
    [[-1, 0], [0, -1]],
    [[0, 1], [1, 0]],
    [[0, -1], [1, 0]],
    [[0, 1], [-1, 0]],
    [[0, -1], [-1, 0]],
];

impl Image {
    /// The images of the board that leave the stones of a position as they are, without those of the
    /// board as a whole, for which positions are the same anyway.
    pub fn of(position: &Claim) -> Vec<Image> {
        let size = i32::from(position.size);
        let lowest = |stones: &[[i32; 2]]| -> Option<[i32; 2]> {
            Some([stones.iter().map(|at| at[0]).min()?, stones.iter().map(|at| at[1]).min()?])
        };
        let stones = [&position.black, &position.white];
        let all: Vec<[i32; 2]> =
            stones.into_iter().flatten().map(|&cell| coordinates(cell, size)).collect();
        let mut images = Vec::new();
        for factors in SYMMETRIES {
            let turned: Vec<_> = all.iter().map(|&at| turn(factors, at)).collect();
            let (Some(old), Some(new)) = (lowest(&all), lowest(&turned)) else { continue };
            let image = Image { size, factors, step: [old[0] - new[0], old[1] - new[1]] };
            let is_same = |cells: &[u8]| image.cells(cells).is_some_and(|image| image == cells);
            if stones.into_iter().all(|cells| is_same(cells)) && !image.is_of_the_board() {
                images.push(image);
            }
        }
        images
    }

    /// Whether every cell of the board has its image on the board.
    fn is_of_the_board(&self) -> bool {
        let corners = [0, self.size - 1, self.size * (self.size - 1), self.size * self.size - 1];
        corners.into_iter().all(|corner| self.cell(corner as u8).is_some())
    }

    /// The image of a cell. `None` if it is not on the board.
    pub fn cell(&self, cell: u8) -> Option<u8> {
        let [x, y] = turn(self.factors, coordinates(cell, self.size));
        let (x, y) = (x + self.step[0], y + self.step[1]);
        let range = 0..self.size;
        (range.contains(&x) && range.contains(&y)).then(|| (x + self.size * y) as u8)
    }

    /// The images of these cells, ascending. `None` if one is not on the board.
    pub fn cells(&self, cells: &[u8]) -> Option<Vec<u8>> {
        let mut images: Vec<u8> =
            cells.iter().map(|&cell| self.cell(cell)).collect::<Option<_>>()?;
        images.sort_unstable();
        Some(images)
    }
}

/// File and rank of a cell.
fn coordinates(cell: u8, size: i32) -> [i32; 2] {
    [i32::from(cell) % size, i32::from(cell) / size]
}

fn turn(factors: [[i32; 2]; 2], at: [i32; 2]) -> [i32; 2] {
    factors.map(|row| row[0] * at[0] + row[1] * at[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_verify::{Color, Rule};

    fn position(size: u8, black: &[u8], white: &[u8]) -> Claim {
        let (black, white) = (black.to_vec(), white.to_vec());
        Claim { rule: Rule::Freestyle, size, attacker: Color::Black, black, white }
    }

    /// The number of a cell of a board of 15x15.
    const fn at(x: u8, y: u8) -> u8 {
        x + 15 * y
    }

    #[test]
    fn displaced_reflection_of_an_opening_is_found() {
        // h8 i9 against h9.
        let images = Image::of(&position(15, &[at(7, 7), at(8, 8)], &[at(7, 8)]));
        assert_eq!(images.len(), 1);
        for (cell, image) in [
            (at(7, 7), Some(at(8, 8))),
            (at(7, 8), Some(at(7, 8))),
            (at(8, 6), Some(at(9, 7))),
            (at(1, 14), Some(at(1, 14))),
            (at(0, 3), None),
            (at(14, 0), None),
        ] {
            assert_eq!(images[0].cell(cell), image);
        }
        assert_eq!(images[0].cells(&[at(7, 7), at(8, 8)]), Some(vec![at(7, 7), at(8, 8)]));
    }

    #[test]
    fn symmetries_of_the_board_are_no_displaced_images() {
        assert_eq!(Image::of(&position(15, &[at(7, 7)], &[])), []);
        assert_eq!(Image::of(&position(15, &[], &[])), []);
        // One stone beside the centre: seven images, of which the reflection in the middle row is
        // one of the board.
        assert_eq!(Image::of(&position(15, &[at(8, 7)], &[])).len(), 6);
    }

    #[test]
    fn colours_are_kept() {
        let images = Image::of(&position(15, &[at(3, 3)], &[at(4, 3)]));
        assert_eq!(images.len(), 1, "{images:?}");
        assert_eq!(images[0].cell(at(5, 3)), Some(at(5, 3)));
    }
}
