//! The model of the terminal UI. A [`Msg`] comes in, [`update`] changes the [`State`], an
//! [`Effect`] goes out.
//!
//! Tests write messages and read effects. Nothing in this room does IO, reads a clock, holds a
//! channel or knows a colour; `ratatui` is used only for `Rect` and `Position`.

mod action;
mod activity;
mod arrive;
mod begin;
mod budget;
mod changes;
mod choose;
mod chosen;
mod columns;
mod compare;
mod compose;
mod confirm;
mod copies;
mod copy;
mod detail;
mod early;
mod effect;
mod find;
mod groups;
mod help;
pub mod hints;
mod hosts;
mod key_table;
pub mod layout;
mod learned;
mod line;
mod list_pane;
mod manual;
mod marks;
mod mending;
mod msg;
mod notice;
mod pane;
mod picker;
mod prefer;
mod problem_row;
mod problems;
mod project;
mod ranking;
mod reading;
mod refused;
mod rules;
mod screen;
mod seen;
mod spinner;
mod state;
mod underway;
mod update;

pub use crate::policy::change::{ChangeRequest, Plan};
pub use crate::text::DiffKind;
pub use action::{Action, Section};
pub use activity::{Activity, ActivityLine, ActivityLog, BEFORE_VALUE, CardEnd};
pub use begin::{Begin, BeginWith, WITHOUT_SKILLS};
pub use budget::{Budget, BudgetKey, BudgetScreen, Budgets};
pub use changes::{Changes, ChangesTask, KeptChange};
pub use chosen::Chosen;
pub use columns::{AgentColumn, Columns, USED};
pub use compare::Compare;
pub use compose::{
    Completion, CompletionRow, Compose, ComposeStart, Editor, OldDraft, Recalled, Sending, Spot,
    Way, column, shown,
};
pub use confirm::{Asked, Confirm, ConfirmLine, LineKind};
pub use copies::{Copies, CopyRow, CopyRows};
pub use copy::{COPY_FORMS, CopyMenu};
pub use detail::{Detail, Focus, GUTTER};
pub use effect::{
    BodyQuestion, CopyForm, Effect, ExcerptKey, Exit, PreviewKey, PreviewStyle, Timer,
};
pub use find::Find;
pub use groups::{Group, GroupBy, GroupOf};
pub use help::{Help, HelpColumns, HelpRow};
pub use hosts::{Counted, HostCounts, HostMenu, HostRow};
pub use key_table::{Binding, Context, KeyTable};
pub use layout::{PairLayout, PickerLayout, PickerParts, PreviewPlace};
pub use line::Line;
pub use list_pane::ListPane;
pub use marks::Marks;
pub use mending::{ChosenFinding, MendRequest, Mending};
pub use msg::{
    Excerpt, Facts, FileRow, Mouse, Msg, RiskFact, RiskFacts, SettingsAlarm, SettingsFiles, Unseen,
    Viewed,
};
pub use notice::{Notice, NoticeKind};
pub use pane::TextPane;
pub use picker::Picker;
pub use prefer::{Prefer, PreferRow};
pub use problem_row::{About, ProblemRow, SeverityFilter};
pub use problems::Problems;
pub use project::{
    Project, ProjectContent, ProjectRow, ProjectTask, StoredDraft, StoredPlan, StoredRequest,
    StoredRow,
};
pub use ranking::{RankQuestion, Ranking};
pub use rules::{Rules, RulesMode};
pub use screen::Screen;
pub use seen::{Seen, status_words};
pub use spinner::Spinner;
pub use state::{Options, State};
pub use underway::{ChangeAnswer, ChangeJob, Stage, Waiting};
pub use update::update;
