//! The engine compared with slow twins of the rules and with full enumeration.

mod evaluation;
mod foul_play;
mod four_three;
mod search;
mod vcf;
