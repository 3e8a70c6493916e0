//! Values and keys as TOML text, on one line.

use super::super::quote::quoted;
use super::super::{Format, Value};

pub(super) fn value(value: &Value) -> String {
    match value {
        Value::Text(text) => quoted(text, Format::Toml),
        Value::Flag(flag) => flag.to_string(),
        Value::Number(number) => number.clone(),
        Value::Null => "null".to_owned(),
        Value::List(values) => {
            format!("[{}]", values.iter().map(self::value).collect::<Vec<_>>().join(", "))
        }
        Value::Table(entries) => inline_table(entries),
    }
}

pub(super) fn inline_table(entries: &[(String, Value)]) -> String {
    let entries: Vec<String> =
        entries.iter().map(|(name, value)| entry(std::slice::from_ref(name), value)).collect();
    if entries.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", entries.join(", ")) }
}

/// `a.b = value`.
pub(super) fn entry(path: &[String], value: &Value) -> String {
    format!("{} = {}", dotted(path), self::value(value))
}

pub(super) fn dotted(path: &[String]) -> String {
    path.iter().map(|name| key(name)).collect::<Vec<_>>().join(".")
}

fn key(name: &str) -> String {
    let bare = !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if bare { name.to_owned() } else { quoted(name, Format::Toml) }
}
