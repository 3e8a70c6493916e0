//! What a view was made of, for whoever watches it.

use super::Workspace;
use crate::policy::Layer;
use crate::scan::watch::Watched;

/// The folders and files whose change changes the view (D14).
pub fn watched(workspace: &Workspace) -> Watched {
    let roots = workspace.roots();
    let depth = roots.iter().map(|root| root.walk.depth).max().unwrap_or_default();
    let roots = roots.into_iter().map(|root| root.path).collect();
    let own =
        [Layer::User, Layer::Project].into_iter().filter_map(|layer| workspace.config.file(layer));
    let own = own.map(|file| file.path.to_path_buf());
    let theirs = workspace
        .lenses
        .iter()
        .flat_map(|lens| &lens.reading.files)
        .map(|file| file.location.path.clone());
    Watched { roots, depth, files: own.chain(theirs).collect() }
}
