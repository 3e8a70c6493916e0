//! The variables that a script gets.

use super::PrepareError;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Our own variables that are passed on, besides `LC_*`. `TMPDIR` is set to a fresh directory.
const PASSED: &[&str] = &["PATH", "HOME", "LANG", "TZ"];

/// Variables that decide which code an interpreter or the loader runs; `*` matches any ending.
const STEERING: &[&str] = &[
    "PATH",
    "HOME",
    "TMPDIR",
    "IFS",
    "ENV",
    "SHELL",
    "BASH_*",
    "SHELLOPTS",
    "BASHOPTS",
    "PS4",
    "PROMPT_COMMAND",
    "CDPATH",
    "FPATH",
    "ZDOTDIR",
    "INPUTRC",
    "LD_*",
    "DYLD_*",
    "GCONV_PATH",
    "GLIBC_TUNABLES",
    "LOCPATH",
    "NLSPATH",
    "OPENSSL_*",
    "KRB5*",
    "XDG_*",
    "PYTHON*",
    "PYENV_*",
    "PIP_*",
    "UV_*",
    "CONDA_*",
    "VIRTUAL_ENV",
    "NODE_OPTIONS",
    "NODE_PATH",
    "NODE_REPL_*",
    "NODE_COMPILE_CACHE",
    "NODE_ICU_DATA",
    "DENO_*",
    "BUN_*",
    "NPM_CONFIG_*",
    "NVM_*",
    "VOLTA_*",
    "NODENV_*",
    "PERL5*",
    "PERLLIB",
    "PERL_*",
    "RUBY*",
    "GEM_*",
    "BUNDLE_*",
    "RBENV_*",
    "ASDF_*",
    "MISE_*",
    "JAVA_*",
    "_JAVA_OPTIONS",
    "JDK_*",
    "CLASSPATH",
    "MAVEN_OPTS",
    "GRADLE_OPTS",
    "DOTNET_*",
    "CORECLR_*",
    "COMPLUS_*",
    "PSMODULEPATH",
    "PHPRC",
    "PHP_*",
    "LUA_*",
    "TCL*",
    "TK_LIBRARY",
    "R_*",
    "GUILE_*",
    "JULIA_*",
    "ERL_*",
    "ELIXIR_*",
    "OCAMLRUNPARAM",
    "CAML*",
    "AWKPATH",
    "AWKLIBPATH",
    "EMACSLOADPATH",
    "VIMINIT",
    "EXINIT",
    "GIT_*",
    "CARGO_*",
    "RUSTC*",
    "RUSTUP_*",
    "GOFLAGS",
    "GOROOT",
    "CC",
    "CXX",
    "MAKEFLAGS",
    "MAKEFILES",
    "MAGICK_*",
    "GS_LIB",
    "GS_OPTIONS",
    "TEXMF*",
    "TEXINPUTS",
    "GTK_*",
    "GIO_*",
    "GST_*",
    "QT_*",
    "QML*",
    "PAGER",
    "MANPAGER",
    "LESSOPEN",
    "LESSCLOSE",
    "EDITOR",
    "VISUAL",
    "BROWSER",
    "SSH_ASKPASS",
    "SUDO_ASKPASS",
];

/// The variables of a script: ours that are passed on, then those that the caller added.
pub(super) fn of_script(
    own: impl Iterator<Item = (OsString, OsString)>,
    asked: &[(String, String)],
) -> Result<Vec<(OsString, OsString)>, PrepareError> {
    let mut variables: Vec<(OsString, OsString)> =
        own.filter(|(name, _)| is_passed(name)).collect();
    for (name, value) in &mut variables {
        if name == "PATH" {
            *value = std::env::join_paths(search_path(value)).unwrap_or_default();
        }
    }
    variables.sort();
    for (name, value) in asked {
        let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        if name.is_empty() || !name.chars().all(plain) || value.contains('\0') {
            return Err(PrepareError::Unspeakable);
        }
        if is_steering(name) {
            return Err(PrepareError::Steering { name: name.clone() });
        }
        variables.retain(|(known, _)| known.as_os_str() != OsStr::new(name));
        variables.push((name.into(), value.into()));
    }
    Ok(variables)
}

/// The absolute directories of a search path. A relative one would depend on where the script
/// starts.
pub(super) fn search_path(value: &OsStr) -> Vec<PathBuf> {
    std::env::split_paths(value).filter(|directory| directory.is_absolute()).collect()
}

/// The first executable file of that name on the path. It is absolute but not canonical, because
/// shims look at the name they are called by.
pub(super) fn find_program(name: &str, path: &[PathBuf]) -> Option<PathBuf> {
    if name.is_empty() || name.contains(['/', '\0']) {
        return None;
    }
    path.iter().map(|directory| directory.join(name)).find(|program| is_executable(program))
}

pub(super) fn is_executable(program: &Path) -> bool {
    let Ok(metadata) = std::fs::metadata(program) else { return false };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        metadata.is_file() && metadata.permissions().mode() & 0o111 != 0
    }
    #[cfg(not(unix))]
    metadata.is_file()
}

fn is_passed(name: &OsStr) -> bool {
    PASSED.iter().any(|passed| name == *passed) || name.as_encoded_bytes().starts_with(b"LC_")
}

fn is_steering(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    STEERING.iter().any(|steering| match steering.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name == *steering,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(rows: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
        rows.iter().map(|(name, value)| (name.into(), value.into())).collect()
    }

    #[test]
    fn of_our_own_variables_only_the_listed_ones_are_passed_on() {
        let secrets = (0..30).map(|number| (format!("SECRET_{number}").into(), "canary".into()));
        let rows = own(&[
            ("PATH", "/bin:.:rel:/usr/bin:"),
            ("HOME", "/h"),
            ("LC_ALL", "C"),
            ("PATHS", "x"),
            ("TERM", "x"),
        ]);
        let passed =
            of_script(rows.into_iter().chain(secrets), &[("MODE".into(), "fast".into())]).unwrap();
        assert_eq!(
            passed,
            own(&[("HOME", "/h"), ("LC_ALL", "C"), ("PATH", "/bin:/usr/bin"), ("MODE", "fast")])
        );
        crate::test_env::bar::tried(30);
    }

    #[test]
    fn a_variable_that_chooses_the_code_is_refused() {
        let names = "LD_PRELOAD ld_preload PATH PYTHONPATH NODE_OPTIONS BASH_ENV BASH_FUNC_ls \
                     BASH_LOADABLES_PATH CDPATH OPENSSL_CONF OPENSSL_MODULES TCL_LIBRARY \
                     TCLLIBPATH LUA_PATH LUA_INIT_5_4 PHPRC PHP_INI_SCAN_DIR R_PROFILE R_ENVIRON \
                     R_LIBS_USER GUILE_LOAD_PATH JULIA_LOAD_PATH DOTNET_ROOT CORECLR_PROFILER \
                     NODE_REPL_EXTERNAL_MODULE LESSOPEN PAGER EDITOR XDG_CONFIG_HOME";
        for name in names.split(' ') {
            let asked = [(name.to_owned(), "x".to_owned())];
            assert!(
                matches!(of_script([].into_iter(), &asked), Err(PrepareError::Steering { .. })),
                "{name}"
            );
        }
        for (name, value) in [("", "x"), ("A=B", "x"), ("A", "x\0"), ("A\n", "x")] {
            let asked = [(name.to_owned(), value.to_owned())];
            assert!(
                matches!(of_script([].into_iter(), &asked), Err(PrepareError::Unspeakable)),
                "{name:?}"
            );
        }
    }
}
