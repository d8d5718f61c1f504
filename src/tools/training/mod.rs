//! How the engine learns from itself: games and searches become shards of data, shards become
//! weights.

pub mod data;
pub mod genfens;
mod input;
mod manifest;
mod openings;
mod play;
mod record;
pub mod selfplay;
mod shard;
mod symmetric;
mod text;
pub mod train;

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    /// A folder for the files of one test, gone with the value.
    pub(super) struct Folder(pub(super) PathBuf);

    impl Folder {
        pub(super) fn new(name: &str) -> Folder {
            let name = format!("tengen-{name}-{}", std::process::id());
            let path = std::env::temp_dir().join(name);
            std::fs::create_dir_all(&path).unwrap();
            Folder(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}
