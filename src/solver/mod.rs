//! L8: forced wins, proved by search.

mod vcf;

pub use vcf::{Vcf, VcfLimits};
