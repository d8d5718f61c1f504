//! The check of a certificate.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cell::Cell;
use crate::named::Named;
use tengen_rules::types::{Color, Rule};

/// The check of a certificate. Cells are strings x,y: column from the left and row from the top, both
/// from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "The output of `tengen verify`")]
pub struct CertificateCheck {
    /// The file.
    pub file: String,
    /// The claim of an accepted certificate; absent if it is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proved: Option<ProvedClaim>,
    /// Why the certificate is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// Offset in the file where the check ended, for a refused certificate that could be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
}

/// The claim of a certificate, and the size of the proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProvedClaim {
    /// The rule.
    pub rule: Named<Rule>,
    /// Columns and rows of the board.
    #[schemars(range(min = 5, max = 15))]
    pub size: u8,
    /// The side that wins.
    pub winner: Named<Color>,
    /// The side to move in the position.
    pub side_to_move: Named<Color>,
    /// Black stones of the position.
    pub black: Vec<Cell>,
    /// White stones of the position.
    pub white: Vec<Cell>,
    /// Moves of the winner in the proof.
    pub moves: u64,
    /// Replies that have a proof of their own.
    pub replies: u64,
    /// Replies that are answered by the proof after a pass.
    pub covered: u64,
    /// Positions that other certificates of the folder prove.
    pub given: u64,
    /// Replies that were played with `--every-reply`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played: Option<u64>,
}
