//! Handles on the granted paths, opened in the launcher before anything is granted.
//!
//! The caller checks a path, bubblewrap opens it, and Landlock uses it here. If somebody replaced
//! it with a link in between, the link's target would be granted. So nothing is run unless each
//! path still leads to what was checked.

use crate::sandbox::plan::Plan;
use rustix::process::fchdir;
use std::os::fd::OwnedFd;

/// Handles on what a script is granted besides the system's files.
#[derive(Debug, Default)]
pub(super) struct Granted {
    /// May be read and executed.
    pub(super) read: Vec<OwnedFd>,
    /// May be written as well.
    pub(super) write: Vec<OwnedFd>,
}

impl Granted {
    /// Opens every path of a plan, and enters the one in which the script starts. An error if one
    /// leads elsewhere now, or if the script could not start there or write where it may.
    pub(super) fn of(plan: &Plan) -> Result<Self, String> {
        let mut granted = Self::default();
        let mut entered = Err("it is gone, or out of reach".to_owned());
        for (places, must, handles) in
            [(&plan.read, false, &mut granted.read), (&plan.write, true, &mut granted.write)]
        {
            for place in places {
                let Some(handle) = place.again()? else {
                    if must {
                        return Err(format!("there is no directory {}", place.path.display()));
                    }
                    continue;
                };
                if place.path == plan.directory {
                    entered = fchdir(&handle).map_err(|error| error.to_string());
                }
                handles.push(handle);
            }
        }
        entered.map_err(|reason| {
            format!("it cannot start in {}: {reason}", plan.directory.display())
        })?;
        Ok(granted)
    }
}
