//! Keeps the places of [`private_places`] from scripts, wherever variables and links have moved
//! them: what would show one is neither granted nor a working directory.

use crate::catalog::private_places;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Variables that move a part of the home directory, and the part. Some name several paths.
const MOVED: &[(&str, &str)] = &[
    ("XDG_CONFIG_HOME", ".config"),
    ("XDG_DATA_HOME", ".local/share"),
    ("XDG_STATE_HOME", ".local/state"),
    ("XDG_CACHE_HOME", ".cache"),
    ("ANDROID_USER_HOME", ".android"),
    ("AWS_CONFIG_FILE", ".aws/config"),
    ("AWS_SHARED_CREDENTIALS_FILE", ".aws/credentials"),
    ("AWS_WEB_IDENTITY_TOKEN_FILE", ".aws/token"),
    ("AZURE_CONFIG_DIR", ".azure"),
    ("BOTO_CONFIG", ".boto"),
    ("BUNDLE_USER_CONFIG", ".bundle/config"),
    ("BUNDLE_USER_HOME", ".bundle"),
    ("CABAL_DIR", ".cabal"),
    ("CARGO_HOME", ".cargo"),
    ("CLAUDE_CONFIG_DIR", ".claude"),
    ("CLOUDSDK_CONFIG", ".config/gcloud"),
    ("CODEX_HOME", ".codex"),
    ("COMPOSER_HOME", ".composer"),
    ("CONDARC", ".condarc"),
    ("CONDA_PREFIX", "miniconda3"),
    ("CONDA_ROOT", "miniconda3"),
    ("COPILOT_HOME", ".copilot"),
    ("CURL_HOME", ""),
    ("DATABRICKS_CONFIG_FILE", ".databrickscfg"),
    ("DBT_PROFILES_DIR", ".dbt"),
    ("DOCKER_CONFIG", ".docker"),
    ("GEMINI_CLI_HOME", ""),
    ("GH_CONFIG_DIR", ".config/gh"),
    ("GIT_CONFIG_GLOBAL", ".gitconfig"),
    ("GLAB_CONFIG_DIR", ".config/glab-cli"),
    ("GNUPGHOME", ".gnupg"),
    ("GOENV", ".config/go/env"),
    ("GOOGLE_APPLICATION_CREDENTIALS", ".config/gcloud/application_default_credentials.json"),
    ("GRADLE_USER_HOME", ".gradle"),
    ("HELM_CONFIG_HOME", ".config/helm"),
    ("HELM_REGISTRY_CONFIG", ".config/helm/registry"),
    ("HEX_HOME", ".hex"),
    ("HF_HOME", ".cache/huggingface"),
    ("HF_TOKEN_PATH", ".cache/huggingface/token"),
    ("HISTFILE", ".bash_history"),
    ("ICEAUTHORITY", ".ICEauthority"),
    ("JUPYTER_CONFIG_DIR", ".jupyter"),
    ("JUPYTER_RUNTIME_DIR", ".local/share/jupyter/runtime"),
    ("KAGGLE_CONFIG_DIR", ".kaggle"),
    ("KILO_CONFIG_DIR", ".config/kilo"),
    ("KIMI_CODE_HOME", ".kimi-code"),
    ("KRB5CCNAME", ".krb5/cache"),
    ("KRB5_CLIENT_KTNAME", ".krb5/client"),
    ("KRB5_KTNAME", ".krb5/keytab"),
    ("KUBECONFIG", ".kube/config"),
    ("LESSHISTFILE", ".lesshst"),
    ("MAMBARC", ".mambarc"),
    ("MAMBA_ROOT_PREFIX", "micromamba"),
    ("MC_CONFIG_DIR", ".mc"),
    ("MISE_CONFIG_DIR", ".config/mise"),
    ("MYSQL_HISTFILE", ".mysql_history"),
    ("NETRC", ".netrc"),
    ("NODE_REPL_HISTORY", ".node_repl_history"),
    ("NPM_CONFIG_GLOBALCONFIG", ".npmrc"),
    ("NPM_CONFIG_USERCONFIG", ".npmrc"),
    ("npm_config_globalconfig", ".npmrc"),
    ("npm_config_userconfig", ".npmrc"),
    ("OCI_CLI_CONFIG_FILE", ".oci/config"),
    ("OPENCODE_CONFIG_DIR", ".config/opencode"),
    ("OP_CONFIG_DIR", ".config/op"),
    ("PASSWORD_STORE_DIR", ".password-store"),
    ("PGPASSFILE", ".pgpass"),
    ("PGSERVICEFILE", ".pg_service.conf"),
    ("PI_CODING_AGENT_DIR", ".pi/agent"),
    ("PIP_CONFIG_FILE", ".config/pip"),
    ("POETRY_CONFIG_DIR", ".config/pypoetry"),
    ("PSQL_HISTORY", ".psql_history"),
    ("PULUMI_HOME", ".pulumi"),
    ("PYTHON_HISTORY", ".python_history"),
    ("QODER_CONFIG_DIR", ".qoder"),
    ("QWEN_HOME", ".qwen"),
    ("RCLONE_CONFIG", ".config/rclone"),
    ("REGISTRY_AUTH_FILE", ".config/containers"),
    ("RYE_HOME", ".rye"),
    ("SNOWFLAKE_HOME", ".snowflake"),
    ("SOPS_AGE_KEY_FILE", ".config/sops"),
    ("TF_CLI_CONFIG_FILE", ".terraformrc"),
    ("UV_CONFIG_FILE", ".config/uv"),
    ("UV_CREDENTIALS_DIR", ".local/share/uv/credentials"),
    ("VIBE_HOME", ".vibe"),
    ("WANDB_CONFIG_DIR", ".config/wandb"),
    ("WGETRC", ".wgetrc"),
    ("XAUTHORITY", ".Xauthority"),
];

/// Folders of the system that cannot be a working directory.
const RESERVED: &[&str] =
    &["/proc", "/sys", "/dev", "/run", "/etc", "/boot", "/var/run", "/root/.ssh"];

/// What no script may read: home directories as a whole, and the secrets in them.
#[derive(Debug)]
pub(super) struct Secrets {
    homes: Vec<PathBuf>,
    places: Vec<PathBuf>,
    /// Where programs keep their settings, other than in hidden folders of a home directory.
    moved: Vec<PathBuf>,
}

impl Secrets {
    /// The secrets of this canonical home, as these variables move them, and further private ones.
    pub(super) fn of(
        home: Option<&Path>,
        variable: impl Fn(&str) -> Option<OsString>,
        private: &[PathBuf],
    ) -> Self {
        // The variable HOME may name another directory than the account's home.
        let homes: Vec<PathBuf> =
            home.into_iter().chain([Path::new("/root")]).map(Path::to_owned).collect();
        let mut places: Vec<PathBuf> = homes.iter().flat_map(|home| secrets_of(home)).collect();
        let mut moved = Vec::new();
        for (name, part) in MOVED {
            let value = variable(name).unwrap_or_default();
            for path in std::env::split_paths(&value).filter(|path| path.is_absolute()) {
                places.extend(moved_places(part, &path).flat_map(both));
                if name.starts_with("XDG_") {
                    moved.extend(both(path));
                }
            }
        }
        places.extend(private.iter().cloned().flat_map(both));
        Self { homes, places, moved }
    }

    /// Whether reading all of this canonical directory would show a whole home, a credential, or
    /// the internals of the system.
    pub(super) fn exposes(&self, directory: &Path) -> bool {
        let touches = |place: &Path| place.starts_with(directory) || directory.starts_with(place);
        // The places have those of our own homes already.
        let account = account_home(directory).filter(|home| !self.homes.contains(home));
        let homes = self.homes.iter().chain(&account).filter(|home| home.parent().is_some());
        homes.into_iter().any(|home| home.starts_with(directory))
            || self.places.iter().any(|place| touches(place))
            || account.iter().flat_map(|home| secrets_of(home)).any(|place| touches(&place))
            || RESERVED.iter().any(|place| touches(Path::new(place)))
    }

    /// What of this folder may be read: all of it, or what lies beside the homes and secrets in it.
    pub(super) fn without(&self, folder: PathBuf) -> Vec<PathBuf> {
        let homes = self.homes.iter().filter(|home| home.parent().is_some());
        let kept: Vec<&PathBuf> = homes.chain(&self.places).collect();
        if kept.iter().any(|place| folder.starts_with(place)) {
            return Vec::new();
        }
        if !kept.iter().any(|place| place.starts_with(&folder)) {
            return vec![folder];
        }
        let entries = folder.read_dir().into_iter().flatten().flatten();
        let entries =
            entries.filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink()));
        entries.flat_map(|entry| self.without(entry.path())).collect()
    }

    /// Whether a script may not start in this canonical directory. No list of credentials is
    /// complete, so this also holds for every hidden folder of a home directory.
    pub(super) fn forbid_start(&self, directory: &Path) -> bool {
        let account = account_home(directory);
        let is_hidden = |home: &PathBuf| {
            let below = directory.strip_prefix(home).ok().and_then(|below| below.iter().next());
            below.is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
        };
        self.exposes(directory)
            || self.homes.iter().chain(&account).any(is_hidden)
            || self.moved.iter().any(|folder| directory.starts_with(folder))
    }
}

/// The known places of this part of the home directory, if the part is moved to `path`.
fn moved_places(part: &str, path: &Path) -> impl Iterator<Item = PathBuf> {
    let is_secret = private_places::all().any(|place| Path::new(part).starts_with(place));
    let below =
        private_places::all().filter_map(move |place| Path::new(place).strip_prefix(part).ok());
    let below = below.filter(|rest| !rest.as_os_str().is_empty()).map(|rest| path.join(rest));
    below.chain(is_secret.then(|| path.to_owned()))
}

fn secrets_of(home: &Path) -> impl Iterator<Item = PathBuf> {
    let below = private_places::all().filter(|_| home.parent().is_some());
    below.flat_map(|secret| both(home.join(secret)))
}

/// A path, and where it leads if it is a link.
pub(super) fn both(place: PathBuf) -> impl Iterator<Item = PathBuf> {
    place.canonicalize().ok().into_iter().chain([place])
}

fn account_home(directory: &Path) -> Option<PathBuf> {
    ["/home", "/Users"].into_iter().find_map(|homes| {
        let account = directory.strip_prefix(homes).ok()?.iter().next()?;
        Some(Path::new(homes).join(account))
    })
}

#[cfg(test)]
mod tests;
