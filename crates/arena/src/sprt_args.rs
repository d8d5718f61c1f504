//! Arguments of the sequential test, shared by `tengen match` and `tengen merge`.

use super::statistics::Sprt;
use tengen_cli::units;

/// The sequential test of two engines.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct SprtArgs {
    /// Sequential test between two Elo differences; the match ends with its decision, and later pairs
    /// do not count
    #[arg(long, value_name = "ELO0,ELO1", value_parser = elo_bounds, allow_hyphen_values = true)]
    pub(super) sprt: Option<(f64, f64)>,
    /// Probability of accepting a change worth ELO0
    #[arg(long, default_value_t = 0.05, value_parser = error_rate())]
    pub(super) alpha: f64,
    /// Probability of rejecting a change worth ELO1
    #[arg(long, default_value_t = 0.05, value_parser = error_rate())]
    pub(super) beta: f64,
}

impl SprtArgs {
    /// The test, if one is requested.
    pub(super) fn sprt(&self) -> Option<Sprt> {
        let (alpha, beta) = (self.alpha, self.beta);
        self.sprt.map(|(elo0, elo1)| Sprt { elo0, elo1, alpha, beta })
    }
}

/// Parser of the probability of a wrong decision.
fn error_rate() -> impl Fn(&str) -> Result<f64, String> + Clone + Send + Sync + 'static {
    units::real(|value| value > 0.0 && value < 0.5, "between 0 and 0.5")
}

fn elo_bounds(text: &str) -> Result<(f64, f64), String> {
    let error = "expected ELO0,ELO1 with ELO0 less than ELO1, both from -1000 to 1000";
    let (elo0, elo1) = text.split_once(',').ok_or(error)?;
    let number = |part: &str| part.trim().parse::<f64>().map_err(|_| error.to_string());
    let (elo0, elo1) = (number(elo0)?, number(elo1)?);
    if elo0 < elo1 && elo0.abs() <= 1000.0 && elo1.abs() <= 1000.0 {
        Ok((elo0, elo1))
    } else {
        Err(error.to_string())
    }
}
