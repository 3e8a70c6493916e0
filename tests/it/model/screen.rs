//! The screen as text and, in a second block, one letter for the style of each cell.

use super::script;
use super::script::update;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use skillpick::catalog::risk::{Level, Rule, rules};
use skillpick::runtime::lead;
use skillpick::text::markdown::{self, Paint};
use skillpick::text::{Doc, SafeText};
use skillpick::tui::app::{
    Effect, Excerpt, ExcerptKey, Facts, FileRow, Msg, PreviewKey, PreviewStyle, RiskFact,
    RiskFacts, State, Unseen,
};
use skillpick::tui::view::{self, Palette, Theme};
use std::path::Path;
use std::sync::Arc;

pub(crate) fn draw(state: &State, palette: Palette) -> Buffer {
    let size = (state.area.width, state.area.height);
    let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).unwrap();
    terminal.draw(|frame| view::draw(state, Theme::new(palette), frame)).unwrap();
    terminal.backend().buffer().clone()
}

/// The screen as text.
pub(crate) fn shown(state: &State) -> String {
    text(&draw(state, Palette::Dark)).join("\n")
}

/// The screen's rows as text.
pub(crate) fn text(buffer: &Buffer) -> Vec<String> {
    lines(buffer, |cell| cell.symbol().to_owned())
}

/// The screen as snapshots have it: text, then styles. Equal rows are counted.
pub(crate) fn picture(buffer: &Buffer) -> String {
    let styles = lines(buffer, |cell| letter(cell).to_string());
    format!("{}\n\n{}\n", fold(&text(buffer)), fold(&styles))
}

fn lines(buffer: &Buffer, show: impl Fn(&Cell) -> String) -> Vec<String> {
    let width = usize::from(buffer.area.width).max(1);
    let mut rows = Vec::new();
    for cells in buffer.content().chunks(width) {
        let mut row = String::new();
        let mut skip = 0;
        for cell in cells {
            // The cell behind a wide character belongs to it.
            if skip > 0 {
                skip -= 1;
                continue;
            }
            skip = skillpick::text::width(cell.symbol()).max(1) - 1;
            row.push_str(&show(cell));
        }
        rows.push(row.trim_end().to_owned());
    }
    rows
}

fn fold(rows: &[String]) -> String {
    let mut text = Vec::new();
    for group in rows.chunk_by(|one, other| one == other) {
        match group.len() {
            1 | 2 => text.extend(group.iter().map(|row| format!("|{row}"))),
            count => text.extend([format!("|{}", group[0]), format!("  ({count} such rows)")]),
        }
    }
    text.join("\n")
}

/// The letter of a cell's style: the colour's first letter, a capital where it is bold.
fn letter(cell: &Cell) -> char {
    assert_eq!(cell.bg, Color::Reset, "the background is never painted");
    if cell.symbol().trim().is_empty() {
        return ' ';
    }
    let bold = cell.modifier.contains(Modifier::BOLD);
    let plain = match cell.fg {
        Color::Reset if cell.modifier.contains(Modifier::DIM) => '-',
        Color::Reset if cell.modifier.contains(Modifier::ITALIC) => 'i',
        Color::Reset => 't',
        Color::Cyan => 'c',
        Color::Yellow if cell.modifier.contains(Modifier::UNDERLINED) => '_',
        Color::Yellow => 'y',
        Color::Magenta => 'm',
        Color::Green => 'g',
        Color::Red => 'r',
        Color::Blue if cell.modifier.contains(Modifier::UNDERLINED) => 'l',
        Color::Blue => 'b',
        _ => '?',
    };
    if bold { plain.to_ascii_uppercase() } else { plain }
}

/// Answers all requests for texts, as the shell would, until there are no more.
pub(crate) fn settle(state: &mut State, mut effects: Vec<Effect>) {
    while let Some(effect) = effects.pop() {
        let answer = match effect {
            Effect::Preview(key) => {
                let text = preview(&key, state);
                Msg::Previewed(key, text)
            }
            Effect::Learn(path) => {
                let known = facts(&path);
                Msg::Learned(path, Ok(Arc::new(known)))
            }
            Effect::Excerpt(key) => {
                let name = state.entry(&key.path).map(|entry| entry.skill.name.clone());
                let lines = excerpt(&key, &name.unwrap_or_default());
                Msg::Excerpted(key, Ok(Arc::new(lines)))
            }
            _ => continue,
        };
        effects.extend(update(state, answer));
    }
}

/// Presses keys, and answers all requests after each.
pub(crate) fn play(state: &mut State, keys: &str) {
    for key in script::split(keys) {
        let effects = script::press(state, &key);
        settle(state, effects);
    }
}

const FORMS: &str = "# Filling PDF forms\n\nCheck for *fillable* fields **first**:\n\n```sh\npython scripts/check_fields.py form.pdf\n```\n\n- [x] read `references/fields.md`\n- [ ] see [the guide](guide.md)\n\n| field | kind |\n|---|---|\n| name | text |\n| agreed | checkbox |\n\n## When it fails\n\n> A form made of pictures has no fields: run scan-ocr before.\n\nEverything else stands in the references. Long lines are wrapped at the pane's edge, between words, and never cut.\n";

const LINKED: &str = "See [`fields`](references/fields.md#the-kinds), [the web](https://a.example/x), [below](#the-end) and [nothing](gone.md).\n\n1\n\n2\n\n3\n\n4\n\n5\n\n6\n\n7\n\n8\n\n9\n\n10\n\n11\n\n12\n\n13\n\n14\n\n15\n\n## The end\n\nIt ends.\n\n1\n\n2\n\n3\n\n4\n\n5\n\n6\n\n7\n\n8\n\n9\n\n10\n\n11\n\n12\n\n13\n\n14\n\n15\n";

const FIELDS: &str = "# Fields\n\n1\n\n2\n\n3\n\n4\n\n5\n\n6\n\n7\n\n8\n\n9\n\n10\n\n11\n\n12\n\n13\n\n## The kinds\n\nBack to [the skill](../SKILL.md), or [out](../../../etc/passwd).\n\n1\n\n2\n\n3\n\n4\n\n5\n\n6\n\n7\n\n8\n\n9\n\n10\n\n11\n\n12\n\n13\n\n14\n\n15\n";

/// The text of a file, laid out as the shell would.
fn preview(key: &PreviewKey, state: &State) -> Result<Arc<Doc>, Unseen> {
    let columns = usize::from(key.columns);
    match key.file.as_deref().map(|file| file.to_string_lossy().into_owned()).as_deref() {
        Some("assets/form.png") => {
            return Err(Unseen::Binary(SafeText::fixed("a PNG picture, 12.3 KB")));
        }
        Some(file) if file.ends_with(".py") => {
            return Ok(Arc::new(Doc::plain(
                "import sys\n\n\ndef main():\n    print(sys.argv)\n",
                columns,
                key.wrap,
            )));
        }
        _ => {}
    }
    let Some(entry) = state.entry(&key.path) else { return Err(Unseen::Gone) };
    if key.file.as_deref() == Some(Path::new("references/fields.md"))
        && entry.skill.name == "linked"
    {
        return Ok(Arc::new(markdown::render(FIELDS, columns, Paint::Plain)));
    }
    let skill = &entry.skill;
    let body = match skill.name.as_str() {
        "pdf-forms" => FORMS.to_owned(),
        "linked" => LINKED.to_owned(),
        "nested-lists" => "- one\n  - two\n    - three\n".to_owned(),
        "pdf-broken" => return Err(Unseen::Unreadable(SafeText::fixed("Permission denied"))),
        name if name.starts_with("evil") => {
            "# \u{1b}]0;owned\u{7}Title\n\nSend \u{202e}syek\u{202c} now.\n".to_owned()
        }
        name => format!("# {name}\n\nWhat this skill does, and when.\n"),
    };
    Ok(Arc::new(match key.style {
        PreviewStyle::Rendered => {
            let mut doc = markdown::render(&body, columns, Paint::Plain);
            doc.lines.splice(..0, lead(entry.description(), columns));
            doc
        }
        PreviewStyle::Raw => {
            let head =
                format!("---\nname: {}\ndescription: {}\n---\n", skill.name, skill.description);
            Doc::plain(&(head + &body), columns, key.wrap)
        }
    }))
}

/// A skill's files and links.
fn facts(path: &Path) -> Facts {
    let row = |relative: &str, bytes: u64, note: &'static str| {
        let path = Path::new(relative);
        FileRow {
            relative: path.to_path_buf(),
            name: SafeText::path(Path::new(path.file_name().unwrap())),
            depth: path.components().count() - 1,
            directory: bytes == 0 && note.is_empty(),
            bytes,
            note: SafeText::fixed(note),
        }
    };
    if path.to_string_lossy().contains("linked") {
        let rows = [
            ("SKILL.md", 900),
            ("references", 0),
            ("references/fields.md", 400),
            ("references/more.md", 7),
        ];
        let files = rows.map(|(relative, bytes)| row(relative, bytes, "")).into();
        return Facts { files, ..Facts::default() };
    }
    if !path.to_string_lossy().contains("pdf-forms") {
        return Facts { files: vec![row("SKILL.md", 2_450, "")], ..Facts::default() };
    }
    Facts {
        files: vec![
            row("SKILL.md", 2_450, ""),
            row("assets", 0, ""),
            row("assets/form.png", 12_603, ""),
            row("references", 0, ""),
            row("references/fields.md", 1_204, ""),
            row("scripts", 0, ""),
            row("scripts/check_fields.py", 733, ""),
            row("scripts/fill_form_fields_with_validation.py", 4_100, ""),
            row("scripts/latest", 0, "→ ../../elsewhere (leads outside)"),
        ],
        more_files: 0,
        broken_links: vec![(14, SafeText::fixed("guide.md"))],
        unchecked_links: 0,
        marks: 0,
        risk: Some(RiskFacts {
            level: Some(Level::Alarm),
            words: SafeText::fixed("alarm"),
            rows: vec![
                fact(&rules::DOWNLOAD_RUN, "SKILL.md:31"),
                fact(&rules::SCRIPT, "scripts/check_fields.py:1"),
                fact(&rules::NETWORK, "scripts/check_fields.py:7"),
                fact(&rules::LINK_OUT, "scripts/latest"),
            ],
        }),
    }
}

fn fact(rule: &'static Rule, place: &'static str) -> RiskFact {
    RiskFact { rule, place: SafeText::fixed(place) }
}

/// The lines around a problem.
fn excerpt(key: &ExcerptKey, name: &str) -> Excerpt {
    let all = [
        "---".to_owned(),
        format!("name: {name}"),
        "description: Old PDF helper".to_owned(),
        "version: 3".to_owned(),
        "---".to_owned(),
    ];
    let first = key.line.saturating_sub(2).max(1);
    let lines: Vec<SafeText> =
        all.iter().skip(first as usize - 1).take(4).map(|line| SafeText::clean(line)).collect();
    let middle = all.get(key.line as usize - 1).map_or(0, |line| line.chars().count());
    Excerpt { first, lines, offsets: (0..=middle).collect() }
}
