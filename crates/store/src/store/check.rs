//! Checks a store for damage.

use super::{Filter, Reader, Store};
use crate::Error;
use crate::key::Key;

/// Maximum number of problems to list.
const MAX_PROBLEMS: usize = 100;

/// The result of [`Store::check`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// Intact positions.
    pub positions: u64,
    /// The first problems, with their locations. Empty if the store is intact.
    pub problems: Vec<String>,
}

impl Store {
    /// Checks the structure of the file, every key and every record. Reads the whole file.
    ///
    /// # Errors
    /// When the file cannot be read for a reason other than damage.
    pub fn check(&self) -> Result<CheckReport, Error> {
        let mut report = CheckReport::default();
        match self.structure() {
            Ok(problems) => report.problems = problems,
            Err(Error::Damaged { reason, .. }) => report.problems.push(reason),
            Err(error) => return Err(error),
        }
        let reader: Reader<'_> = self.reader();
        for entry in reader.entries(&Filter::default()) {
            match entry {
                Ok(entry) if Key::from_bytes(entry.key.as_bytes()).is_some() => {
                    report.positions += 1;
                }
                Ok(entry) => report.add(format!("key {:?}: not in canonical form", entry.key)),
                Err(Error::Damaged { reason, .. }) => report.add(reason),
                Err(error) => return Err(error),
            }
        }
        Ok(report)
    }

    fn structure(&self) -> Result<Vec<String>, Error> {
        let convert = |error| self.context.error(error);
        let mut check = self
            .conn
            .prepare(&format!("PRAGMA integrity_check({MAX_PROBLEMS})"))
            .map_err(convert)?;
        let lines = check.query_map([], |row| row.get::<_, String>(0)).map_err(convert)?;
        let lines: Vec<String> = lines.collect::<Result<_, _>>().map_err(convert)?;
        Ok(lines.into_iter().filter(|line| line != "ok").collect())
    }
}

impl CheckReport {
    fn add(&mut self, problem: String) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }
}
