//! Skills and rules for tests.

use super::{Layer, Origin, Pattern, Rule, Switch, Target};
use crate::catalog::{
    Check, Diagnostic, Invocation, Locations, Permission, Place, Properties, Scope, Severity,
    Skill, SkillRoot, Stamp,
};
use std::path::Path;
use std::sync::Arc;

/// A healthy skill of this name, at `/skills/<directory>/SKILL.md`.
pub(crate) fn skill_in(directory: &str, name: &str) -> Skill {
    let path = Path::new("/skills").join(directory).join("SKILL.md");
    Skill {
        name: name.to_owned(),
        description: format!("what {name} is for"),
        locations: Locations::default(),
        path,
        scope: Scope::User,
        in_repository: false,
        root: SkillRoot::plain(Path::new("/skills")),
        stamp: Stamp::default(),
        bytes: 0,
        whole: true,
        properties: Properties::default(),
        invocation: Invocation::default(),
        head: None,
        stored: None,
        diagnostics: Vec::new(),
    }
}

/// A healthy skill whose directory has its name.
pub(crate) fn skill(name: &str) -> Skill {
    skill_in(name, name)
}

/// A skill that cannot be offered.
pub(crate) fn broken(name: &str) -> Skill {
    static CHECK: Check =
        Check { code: "desc-missing", severity: Severity::Error, help: "write a description" };
    Skill {
        diagnostics: vec![Diagnostic::new(&CHECK, Place::START, "no description")],
        ..skill(name)
    }
}

/// Line `line` of this layer's file.
pub(crate) fn origin(layer: Layer, line: u32, text: &str) -> Origin {
    Origin::Rule { file: Arc::from(Path::new(layer.word())), line, text: Arc::from(text) }
}

/// A rule about loading.
pub(crate) fn rule(layer: Layer, line: u32, effect: Permission, pattern: Pattern) -> Rule {
    let origin = origin(layer, line, effect.word());
    Rule::loading(pattern, effect, origin, layer)
}

pub(crate) fn switch(layer: Layer, line: u32, target: Target, enabled: bool) -> Switch {
    Switch {
        target,
        within: None,
        state: enabled.into(),
        origin: origin(layer, line, "skills.config"),
        layer,
    }
}
