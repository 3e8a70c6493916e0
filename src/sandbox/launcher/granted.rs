//! The places that were judged, taken hold of in the launcher before anything is granted.
//!
//! A path is judged by the caller and used here, and bubblewrap opens it by itself in between:
//! whoever can exchange it for a link would be given what is behind the link. So what is found has
//! to be what was judged, or nothing is run.

use crate::sandbox::plan::Plan;
use rustix::process::fchdir;
use std::os::fd::OwnedFd;

/// Handles on what a script gets beyond the system's own.
#[derive(Debug, Default)]
pub(super) struct Granted {
    /// Read and executed.
    pub(super) read: Vec<OwnedFd>,
    /// Written as well.
    pub(super) write: Vec<OwnedFd>,
}

impl Granted {
    /// Takes hold of every place of a plan, and goes to the one in which the script starts.
    ///
    /// # Errors
    /// Something else stands at one of them, or the script could not start or write where it was
    /// said to.
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
