//! The layout of every screen: a pure function of the size and of what is shown. Update and view
//! both use it.

use super::Action;
use crate::words;
use ratatui::layout::{Position, Rect};

/// From this width on the picker has a third pane.
pub const WIDE: u16 = 180;
/// From this width on the preview is beside the list, so that both have room for sentences.
pub const BESIDE: u16 = 120;
/// Below this width panes are above each other, or the list is alone.
pub const NARROW: u16 = 80;
/// Above this height the preview fits below the list.
pub const TALL: u16 = 24;
/// Above this height a picker without a preview has a line about the current skill.
const FACTS: u16 = 13;
/// Below this height there is only the prompt and the list.
pub const FLAT: u16 = 8;

/// Rows that a list keeps above another pane.
const LEAST_LIST: u16 = 3;

/// The areas of the picker. A pane that is not shown is `None`; none overlaps another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PickerLayout {
    /// The query and the count.
    pub prompt: Rect,
    /// The line below the prompt.
    pub rule: Option<Rect>,
    /// The names of the columns.
    pub header: Option<Rect>,
    pub list: Rect,
    /// The vertical lines, or the horizontal one below the list.
    pub dividers: [Option<Rect>; 2],
    /// Head and text.
    pub preview: Option<Rect>,
    /// One line about the current skill, instead of the preview.
    pub facts: Option<Rect>,
    /// The third pane: verdicts, origins, files.
    pub aside: Option<Rect>,
    pub notice: Option<Rect>,
    pub hints: Option<Rect>,
}

/// Where the preview is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PreviewPlace {
    /// Beside the list if both have room there, else below it.
    #[default]
    Auto,
    Beside,
    Below,
    Nowhere,
}

words!(PreviewPlace, Auto = "auto", Beside = "beside", Below = "below", Nowhere = "none");

/// What decides the layout of the picker, besides its size.
#[derive(Clone, Copy, Debug, Default)]
pub struct PickerParts {
    pub preview: PreviewPlace,
    /// Whether the columns of the list have names.
    pub header: bool,
    /// The rows of the notice.
    pub notice: u16,
}

/// The areas of a screen with a list on the left and a text on the right (detail, problems, rules),
/// or with the left pane alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairLayout {
    pub title: Rect,
    /// The line below the title.
    pub rule: Option<Rect>,
    pub left: Rect,
    /// The line between the panes.
    pub divider: Option<Rect>,
    /// The right pane, or the lower one.
    pub right: Option<Rect>,
    pub notice: Option<Rect>,
    pub hints: Option<Rect>,
}

/// The parts of a screen from top to bottom.
struct Frame {
    top: Rect,
    rule: Option<Rect>,
    body: Rect,
    notice: Option<Rect>,
    hints: Option<Rect>,
}

/// Cuts a screen into top line, rule, body, notice and hints. A notice gets at most half of the
/// body.
fn frame(area: Rect, notice: u16) -> Frame {
    let row = |y: u16| Rect { x: area.x, y, width: area.width, height: 1.min(area.height) };
    let flat = area.height < FLAT;
    let above = if flat { 1 } else { 2 }.min(area.height);
    let hints = (!flat).then(|| row(area.bottom() - 1));
    let body = area.height.saturating_sub(above + u16::from(!flat));
    let spare = if flat { u16::from(area.height > above + 1) } else { (body / 2).max(1) };
    let notice_rows = notice.min(spare);
    let below = u16::from(!flat) + notice_rows;
    let body_height = area.height.saturating_sub(above + below);
    let body = Rect { x: area.x, y: area.y + above, width: area.width, height: body_height };
    Frame {
        top: row(area.y),
        rule: (!flat).then(|| row(area.y + 1)),
        body,
        notice: (notice_rows > 0).then(|| Rect { height: notice_rows, ..row(body.bottom()) }),
        hints,
    }
}

pub fn picker(area: Rect, parts: PickerParts) -> PickerLayout {
    let Frame { top, rule, body, notice, hints } = frame(area, parts.notice);
    let mut layout =
        PickerLayout { prompt: top, rule, list: body, notice, hints, ..PickerLayout::default() };
    if area.height < FLAT {
        return layout;
    }
    match place(area, parts.preview) {
        PreviewPlace::Beside => beside(&mut layout, area.width),
        PreviewPlace::Below => {
            let (list, line, below) = split_rows(body, body.height / 2);
            (layout.list, layout.dividers[0], layout.preview) = (list, Some(line), Some(below));
        }
        PreviewPlace::Auto | PreviewPlace::Nowhere if area.height > FACTS => {
            let (list, line, facts) = split_rows(body, body.height.saturating_sub(2));
            (layout.list, layout.dividers[0], layout.facts) = (list, Some(line), Some(facts));
        }
        PreviewPlace::Auto | PreviewPlace::Nowhere => {}
    }
    if parts.header && layout.list.height > LEAST_LIST {
        layout.header = Some(Rect { height: 1, ..layout.list });
        layout.list = below(layout.list, 1);
    }
    layout
}

/// Where the preview has room: where it is wanted, else on the other side, else nowhere.
fn place(area: Rect, wanted: PreviewPlace) -> PreviewPlace {
    let least = if wanted == PreviewPlace::Beside { NARROW } else { BESIDE };
    let (beside, below) = (area.width >= least, area.height > TALL);
    match wanted {
        PreviewPlace::Nowhere => PreviewPlace::Nowhere,
        PreviewPlace::Below if below => PreviewPlace::Below,
        _ if beside => PreviewPlace::Beside,
        _ if below => PreviewPlace::Below,
        _ => PreviewPlace::Nowhere,
    }
}

/// Puts the preview at the right of the list, and the third pane at the right of a wide screen.
fn beside(layout: &mut PickerLayout, width: u16) {
    let list_width = if width < WIDE { width * 57 / 100 } else { width * 46 / 100 };
    let (list, line, rest) = split_columns(layout.list, list_width);
    (layout.list, layout.dividers[0], layout.preview) = (list, Some(line), Some(rest));
    if width >= WIDE {
        let aside_width = (width * 23 / 100).clamp(40, 60);
        let (text, line, aside) = split_columns(rest, rest.width.saturating_sub(aside_width + 1));
        (layout.preview, layout.dividers[1], layout.aside) = (Some(text), Some(line), Some(aside));
    }
}

/// Lays out a screen of one pane, the left one.
pub fn whole(area: Rect, notice: u16) -> PairLayout {
    let Frame { top, rule, body, notice, hints } = frame(area, notice);
    PairLayout { title: top, rule, left: body, notice, hints, ..PairLayout::default() }
}

/// Lays out a screen of two panes; `left` is the share of the left one in percent.
pub fn pair(area: Rect, left: u16, notice: u16) -> PairLayout {
    let mut layout = whole(area, notice);
    let body = layout.left;
    if area.height < FLAT {
        return layout;
    }
    if area.width >= NARROW {
        let (list, line, text) = split_columns(body, area.width * left / 100);
        (layout.left, layout.divider, layout.right) = (list, Some(line), Some(text));
    } else if body.height >= 7 {
        let (list, line, text) = split_rows(body, (body.height * 2 / 5).max(LEAST_LIST));
        (layout.left, layout.divider, layout.right) = (list, Some(line), Some(text));
    }
    layout
}

fn split_columns(area: Rect, left: u16) -> (Rect, Rect, Rect) {
    let left = left.min(area.width.saturating_sub(1));
    let line = Rect { x: area.x + left, width: 1.min(area.width), ..area };
    let right = Rect { x: line.right(), width: area.width.saturating_sub(left + 1), ..area };
    (Rect { width: left, ..area }, line, right)
}

fn split_rows(area: Rect, above: u16) -> (Rect, Rect, Rect) {
    let above = above.min(area.height.saturating_sub(1));
    let line = Rect { y: area.y + above, height: 1.min(area.height), ..area };
    let below = Rect { y: line.bottom(), height: area.height.saturating_sub(above + 1), ..area };
    (Rect { height: above, ..area }, line, below)
}

/// The row that a movement leads to; `None` if the action is no movement.
pub(super) fn moved(action: Action, row: usize, page: usize, count: usize) -> Option<usize> {
    let last = count.saturating_sub(1);
    let to = match action {
        Action::Up | Action::Previous => row.saturating_sub(1),
        Action::Down | Action::Next => row.saturating_add(1),
        Action::PageUp => row.saturating_sub(page),
        Action::PageDown => row.saturating_add(page),
        Action::First => 0,
        Action::Last => last,
        _ => return None,
    };
    Some(to.min(last))
}

/// The lines by which an action scrolls the text beside a list; `None` if it does not scroll.
pub(super) fn scrolled(action: Action, page: isize) -> Option<isize> {
    match action {
        Action::PreviewUp => Some(-1),
        Action::PreviewDown => Some(1),
        Action::PreviewPageUp => Some(-page),
        Action::PreviewPageDown => Some(page),
        _ => None,
    }
}

/// The area without its first rows.
pub(super) fn below(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect { y: area.y + rows, height: area.height - rows, ..area }
}

/// The row of a list that was clicked.
pub(super) fn row_at(list: Rect, place: Position, top: usize, count: usize) -> Option<usize> {
    let clicked = top + usize::from(place.y.saturating_sub(list.y));
    (list.contains(place) && clicked < count).then_some(clicked)
}

/// The first row to show so that the cursor is visible, with two rows around it if there is room.
pub fn scroll_to(top: usize, cursor: usize, height: usize, total: usize) -> usize {
    let margin = 2.min(height.saturating_sub(1) / 2);
    let lowest = (cursor + margin + 1).saturating_sub(height);
    let highest = cursor.saturating_sub(margin);
    // `lowest` can exceed `highest` only when the margins do not fit; the cursor wins.
    let top = top.clamp(lowest.min(highest), highest.max(lowest.min(highest)));
    top.min(total.saturating_sub(height))
}

#[cfg(test)]
mod tests {
    use super::PreviewPlace::{Auto, Below, Beside, Nowhere};
    use super::*;

    fn inside(outer: Rect, inner: Rect) -> bool {
        inner.area() == 0 || outer.intersection(inner) == inner
    }

    #[test]
    fn no_size_puts_a_pane_outside() {
        for width in [0, 1, 2, 10, 40, 79, 80, 100, 139, 140, 300] {
            for height in [0, 1, 2, 7, 8, 10, 24, 25, 45, 200] {
                let area = Rect::new(0, 0, width, height);
                let all =
                    [Auto, Beside, Below, Nowhere].map(|preview| [(preview, 0), (preview, 3)]);
                for (preview, notice) in all.into_iter().flatten() {
                    let panes = picker(area, PickerParts { preview, header: true, notice });
                    let pair = pair(area, 45, notice);
                    let all = [
                        Some(panes.prompt),
                        panes.rule,
                        Some(panes.list),
                        panes.header,
                        panes.preview,
                        panes.facts,
                        panes.aside,
                        panes.notice,
                    ]
                    .into_iter()
                    .chain(panes.dividers)
                    .chain([
                        panes.hints,
                        Some(pair.title),
                        Some(pair.left),
                        pair.right,
                        pair.hints,
                        pair.notice,
                    ]);
                    for pane in all.flatten() {
                        assert!(inside(area, pane), "{area:?} {pane:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_preview_is_where_it_is_wanted_and_has_room() {
        let wanting = |preview, width, height| {
            picker(Rect::new(0, 0, width, height), PickerParts { preview, ..Default::default() })
        };
        let at = |width, height| wanting(Auto, width, height);
        let is_below = |panes: PickerLayout| panes.preview.is_some_and(|text| text.y > 10);
        assert!(at(179, 45).aside.is_none() && at(180, 45).aside.is_some());
        assert!(at(120, 20).preview.is_some_and(|text| text.x > 60));
        assert!(is_below(at(119, 30)) && is_below(at(60, 25)) && !is_below(at(220, 60)));
        assert!(at(100, 24).preview.is_none() && at(100, 24).facts.is_some());
        assert!(at(60, 13).facts.is_none());
        assert!(at(100, 7).preview.is_none() && at(100, 7).hints.is_none());
        assert!(is_below(wanting(Below, 220, 60)) && wanting(Below, 120, 24).preview.is_some());
        assert!(wanting(Beside, 80, 24).preview.is_some_and(|text| text.x > 40));
        assert!(is_below(wanting(Beside, 79, 30)));
        let without = wanting(Nowhere, 220, 60);
        assert!(without.preview.is_none() && without.facts.is_some_and(|facts| facts.height == 1));
    }

    proptest::proptest! {
        #[test]
        fn the_cursor_is_always_visible(top in 0_usize..200, cursor in 0_usize..100, height in 1_usize..50) {
            let top = scroll_to(top, cursor, height, 100);
            proptest::prop_assert!(top <= cursor && cursor < top + height);
        }
    }
}
