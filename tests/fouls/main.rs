//! Renju's fouls where players meet them: the lists that the brain and the workbench print, and
//! the moves that the engine plays.

mod listing;
mod play;
