//! A path in JSON: as text, and in base64 as well if it is not UTF-8.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// The two fields of a row about a skill.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ExactPath<'a> {
    /// Path of its SKILL.md.
    pub path: Cow<'a, str>,
    /// The path's bytes in base64, if the path is not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_b64: Option<String>,
}

impl<'a> ExactPath<'a> {
    pub fn of(path: &'a Path) -> Self {
        Self { path: path.to_string_lossy(), path_b64: exact(path) }
    }

    /// The path itself; `None` if this system has no such path.
    #[cfg(unix)]
    pub fn restore(self) -> Option<PathBuf> {
        use std::os::unix::ffi::OsStringExt;
        match self.path_b64 {
            None => Some(self.path.into_owned().into()),
            Some(exact) => Some(std::ffi::OsString::from_vec(STANDARD.decode(exact).ok()?).into()),
        }
    }

    #[cfg(not(unix))]
    pub fn restore(self) -> Option<PathBuf> {
        if self.path_b64.is_none() { Some(self.path.into_owned().into()) } else { None }
    }
}

/// The path's bytes in base64, if the path is not UTF-8.
pub fn exact(path: &Path) -> Option<String> {
    path.to_str().is_none().then(|| STANDARD.encode(path.as_os_str().as_encoded_bytes()))
}

/// For `#[serde(with)]` on a path.
pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    ExactPath::of(path).serialize(serializer)
}

/// For `#[serde(with)]` on a path.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    let path = ExactPath::deserialize(deserializer)?;
    path.restore().ok_or_else(|| D::Error::custom("this is no path here"))
}
