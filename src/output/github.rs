//! `check --format github`: a workflow command for each finding, which GitHub shows at its line.

use super::Out;
use super::check::Judged;
use crate::catalog::{Diagnostic, Severity};
use crate::inert;
use crate::text::SafeText;
use crate::workspace::mend::place_of;
use std::io;
use std::path::Path;

/// Prints one line for each finding; paths beneath `base` are relative to it, as the workflow's
/// checkout is.
///
/// # Errors
/// Those of stdout.
pub fn print(out: &mut Out, judged: &[Judged], base: &Path, strict: bool) -> io::Result<()> {
    for one in judged {
        for (severity, finding) in &one.findings {
            let path = place_of(&one.skill, finding);
            let path = path.strip_prefix(base).unwrap_or(&path);
            let grade = if strict { Severity::Error } else { *severity };
            out.line(command(&SafeText::path(path), finding, grade))?;
        }
    }
    Ok(())
}

fn command(path: &SafeText, finding: &Diagnostic, grade: Severity) -> SafeText {
    let place = finding.place;
    let message = SafeText::line(&finding.message);
    let text = format!("{}; help: {}", message.as_str(), finding.help());
    inert!(
        "::{} file={},line={},col={},endColumn={},title={}::{}",
        grade.word(),
        property(path.as_str()),
        place.line,
        place.column,
        place.column.saturating_add(place.width),
        property(finding.code()),
        escaped(&text)
    )
}

/// The text after `::`, which ends at the line's end.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value before `::`, which ends at a comma or colon.
fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Place, checks};

    #[test]
    fn nothing_in_a_path_or_message_ends_the_command() {
        let place = Place { line: 2, column: 7, width: 3 };
        let found = Diagnostic::new(&checks::YAML_SYNTAX, place, "100%\n::error::x");
        let printed = command(&SafeText::line("a,b:c%/SKILL.md"), &found, Severity::Warning);
        let printed = printed.as_str();
        let head = "::warning file=a%2Cb%3Ac%25/SKILL.md,line=2,col=7,endColumn=10,title=yaml%3Asyntax::100%25";
        assert!(printed.starts_with(head) && !printed.contains('\n'), "{printed}");
    }
}
