//! A game as an animated GIF of the board.

mod canvas;
mod font;

use std::borrow::Cow;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use gif::{Encoder, EncodingError, Frame, Repeat};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::RequestError;
use canvas::{Canvas, Part};
use tengen_study::PositionInput;

/// Duration of the frames in hundredths of a second: the start, each move, the end.
const START: u16 = 100;
const MOVE: u16 = 80;
const END: u16 = 400;
/// Duration of the frame between two moves without a marked stone: the minimum in browsers.
const UNMARKED: u16 = 2;

/// Requests the moves of a position as an animation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnimationRequest {
    position: PositionInput,
    /// Whether stones show their numbers.
    numbers: bool,
    /// Whether rows and columns have names.
    coordinates: bool,
}

/// Draws the animation. The response holds the GIF in base64.
///
/// # Errors
/// If a stone is outside the board or on an occupied point.
pub(crate) fn animate(request: &AnimationRequest) -> Result<Value, RequestError> {
    let bytes = encode(request)?;
    Ok(json!({ "data": BASE64_STANDARD.encode(bytes) }))
}

fn encode(request: &AnimationRequest) -> Result<Vec<u8>, RequestError> {
    request.position.ensure_engine_size()?;
    let (start, moves) = request.position.stones()?;
    let mut canvas = Canvas::new(&start, request.numbers, request.coordinates);
    let mut bytes = Vec::new();
    let (width, height) = canvas.extent();
    let mut encoder =
        Encoder::new(&mut bytes, width, height, &canvas::palette()).map_err(RequestError::new)?;
    encoder.set_repeat(Repeat::Infinite).map_err(RequestError::new)?;
    let mut show = |part, time| frame(&mut encoder, part, time).map_err(RequestError::new);
    show(canvas.whole(), if moves.is_empty() { END } else { START })?;
    for (index, stone) in moves.iter().enumerate() {
        // Two small frames are smaller than one with both cells and everything between them.
        if let Some(before) = canvas.unmark() {
            show(canvas.cell(before), UNMARKED)?;
        }
        canvas.place(stone.point, stone.color);
        show(canvas.cell(stone.point), if index + 1 == moves.len() { END } else { MOVE })?;
    }
    drop(encoder);
    Ok(bytes)
}

fn frame(encoder: &mut Encoder<&mut Vec<u8>>, part: Part, time: u16) -> Result<(), EncodingError> {
    encoder.write_frame(&Frame {
        delay: time,
        left: part.left,
        top: part.top,
        width: part.width,
        height: part.height,
        buffer: Cow::Owned(part.colors),
        ..Frame::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The width, and the frames as shown: duration, and a byte each for red, green and blue.
    fn shown(request: Value) -> (usize, Vec<(u16, Vec<u8>)>) {
        let bytes = encode(&serde_json::from_value(request).unwrap()).unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(&bytes[..]).unwrap();
        let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
        let mut screen = vec![0; width * height * 3];
        let mut pictures = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            for (index, color) in frame.buffer.chunks_exact(4).enumerate() {
                let x = usize::from(frame.left) + index % usize::from(frame.width);
                let y = usize::from(frame.top) + index / usize::from(frame.width);
                screen[(y * width + x) * 3..][..3].copy_from_slice(&color[..3]);
            }
            pictures.push((frame.delay, screen.clone()));
        }
        (width, pictures)
    }

    fn request(changes: Value) -> Value {
        let mut position = json!({ "rule": "renju", "width": 15, "height": 15 });
        for (key, value) in changes.as_object().unwrap() {
            position[key] = value.clone();
        }
        json!({ "position": position, "numbers": true, "coordinates": true })
    }

    #[test]
    fn animation_adds_one_stone_per_move() {
        let moves = json!({ "moves": ["h8", "i9", "pass", "a1"] });
        let (width, pictures) = shown(request(moves));
        let times: Vec<u16> = pictures.iter().map(|(time, _)| *time).collect();
        assert_eq!(times, [START, MOVE, UNMARKED, MOVE, UNMARKED, END]);
        // Beside the number of the stone in the centre, and of the white stone up right of it.
        let color = |picture: usize, right: usize, up: usize| {
            let (x, y) = (width / 2 + right, width / 2 - up - 9);
            let at = (y * width + x) * 3;
            <[u8; 3]>::try_from(&pictures[picture].1[at..at + 3]).unwrap()
        };
        let wood = color(0, 5, 0);
        let light =
            |[red, green, blue]: [u8; 3]| u16::from(red) + u16::from(green) + u16::from(blue);
        assert!(light(color(1, 0, 0)) < 150 && color(5, 0, 0) == color(1, 0, 0));
        assert_eq!(color(2, 28, 28), color(0, 28, 28), "the white stone is not placed yet");
        assert!(light(color(3, 28, 28)) > 700 && light(wood) < 650);
    }

    #[test]
    fn last_stone_is_marked() {
        // Longer games start with the same frames; a marked stone looks different.
        let (_, pictures) = shown(request(json!({ "moves": ["h8", "i9"] })));
        let (_, shorter) = shown(request(json!({ "moves": ["h8"] })));
        assert_eq!(pictures[1].1, shorter[1].1);
        assert_ne!(pictures[2].1, pictures[1].1);
        let (_, plain) = shown(
            json!({ "position": request(json!({ "moves": ["h8"] }))["position"], "numbers": false, "coordinates": false }),
        );
        assert_ne!(plain[1].1.len(), shorter[1].1.len());
    }

    #[test]
    fn animation_covers_all_board_sizes() {
        for (width, height) in [(5, 5), (36, 36), (5, 36)] {
            let moves: Vec<String> = (1..=5).map(|row| format!("a{row}")).collect();
            let changes = json!({ "width": width, "height": height, "black": ["b1"], "walls": ["c1"], "side": "white", "moves": moves });
            assert_eq!(shown(request(changes)).1.len(), 10);
        }
        let (_, only) = shown(request(json!({})));
        assert_eq!(only.iter().map(|(time, _)| *time).collect::<Vec<_>>(), [END]);
    }

    #[test]
    fn invalid_stones_are_refused() {
        let refused = |changes: Value| {
            let request = serde_json::from_value(request(changes)).unwrap();
            encode(&request).unwrap_err().json().to_string()
        };
        assert!(refused(json!({ "moves": ["h8", "i9", "h8"] })).contains("move 3 (h8)"));
        assert!(refused(json!({ "moves": ["p1"] })).contains("move 1 (p1)"));
        assert!(refused(json!({ "black": ["h8"], "white": ["h8"] })).contains("set up twice"));
    }
}
