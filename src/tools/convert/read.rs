//! Recognises and reads the text forms of games.

use anyhow::{Context, bail, ensure};
use serde_json::Value;

use super::GameText;
use crate::tools::MoveList;
use crate::types::{BoardSize, Coordinates, Notation};

/// First word of a Piskvork game file.
pub(super) const PISKVORK: &str = "Piskvorky ";

/// Every game of a text; `size` is the board where the text does not tell it.
pub(super) fn games(text: &str, size: BoardSize) -> anyhow::Result<Vec<GameText>> {
    let games = if text.trim_start().starts_with(PISKVORK) {
        vec![piskvork(text)?]
    } else {
        lines(text, size)?
    };
    ensure!(!games.is_empty(), "there is no game in it");
    Ok(games)
}

/// One game a line, as moves, notation or JSON; `#` starts a comment outside JSON.
fn lines(text: &str, mut size: BoardSize) -> anyhow::Result<Vec<GameText>> {
    let mut games = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let place = || format!("line {}", index + 1);
        let line = line.trim();
        if line.starts_with('{') {
            games.extend(json(line, &mut size).with_context(place)?);
            continue;
        }
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let moves = Notation::new(size).parse_all(line).map(MoveList);
        games
            .push(checked(size, moves.with_context(place)?, None, Vec::new()).with_context(place)?);
    }
    Ok(games)
}

/// A game with "moves" as text or list, and "size", "black", "white" and "times_ms" if known; a
/// match's first line holds only the size for those that follow.
fn json(line: &str, size: &mut BoardSize) -> anyhow::Result<Option<GameText>> {
    let value: Value = serde_json::from_str(line)?;
    let told = [&value["size"], &value["match"]["terms"]["size"]];
    for told in told.into_iter().filter(|told| !told.is_null()) {
        let text = told.as_str().map_or_else(|| told.to_string(), str::to_string);
        *size = text.parse()?;
    }
    if !value["match"].is_null() {
        return Ok(None);
    }
    let moves: MoveList = match &value["moves"] {
        Value::String(text) => text.parse()?,
        Value::Array(list) => {
            let texts = list.iter().map(|at| at.as_str().context("a move is no text"));
            let moves = texts.map(|text| Ok(text?.parse()?)).collect::<anyhow::Result<_>>()?;
            MoveList(moves)
        }
        _ => bail!("it has no \"moves\""),
    };
    let name = |key: &str| value[key].as_str().map(str::to_string);
    let players = name("black").zip(name("white")).map(|(black, white)| [black, white]);
    let times = value["times_ms"].as_array().map(Vec::as_slice).unwrap_or_default();
    let times = times.iter().filter_map(Value::as_u64).collect();
    checked(*size, moves, players, times).map(Some)
}

/// `Piskvorky WxH, ...`, then `x,y,ms` from 1 for every move, then the players' names.
fn piskvork(text: &str) -> anyhow::Result<GameText> {
    let mut lines = text.trim_start().lines().map(str::trim).enumerate().peekable();
    let (_, head) = lines.next().unwrap_or_default();
    let size = head.trim_start_matches(PISKVORK).split(',').next().unwrap_or_default();
    let size: BoardSize = size.trim().parse()?;
    let mut moves = Vec::new();
    let mut times = Vec::new();
    let is_move = |line: &str| line.split(',').count() == 3;
    while let Some((index, line)) = lines.next_if(|(_, line)| is_move(line)) {
        let (at, time) = line.rsplit_once(',').unwrap_or_default();
        let at: Coordinates = at.parse().with_context(|| format!("line {}", index + 1))?;
        moves.push(Coordinates { x: at.x.saturating_sub(1), y: at.y.saturating_sub(1) });
        times.push(time.trim().parse().unwrap_or(0));
    }
    let mut name = || lines.next().map(|(_, line)| line.to_string()).filter(|it| !it.is_empty());
    let players = name().zip(name()).map(|(black, white)| [black, white]);
    checked(size, MoveList(moves), players, times)
}

fn checked(
    size: BoardSize,
    moves: MoveList,
    players: Option<[String; 2]>,
    times: Vec<u64>,
) -> anyhow::Result<GameText> {
    for (index, at) in moves.0.iter().enumerate() {
        ensure!(size.point(at.x, at.y).is_some(), "{at} lies outside the {size} board");
        ensure!(!moves.0[..index].contains(at), "{at} is played twice");
    }
    Ok(GameText { size, moves, players, times })
}
