//! Systems on which scripts cannot be run yet: the launcher needs Unix processes and sockets.

use super::{Part, Prepared, Ran, RunError};

impl Prepared {
    /// Always an error: there is no launcher for this system.
    pub fn run(self) -> Result<Ran, RunError> {
        self.run_while(&|| true)
    }

    pub fn run_while(self, _: &dyn Fn() -> bool) -> Result<Ran, RunError> {
        Err(RunError::Launcher {
            reason: format!("scripts cannot be run on {}", Part::System.words()),
        })
    }
}
