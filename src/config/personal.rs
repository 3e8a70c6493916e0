//! What only a person's own file says: colours over those of the theme, and keys.

use super::origin::Written;
use super::reader::Reader;
use super::values::COLOURS;
use toml_edit::{Item, TableLike};

/// One binding of `[keys.SCREEN]`; the keymap checks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenKey {
    pub screen: String,
    pub key: String,
    pub action: String,
}

/// `[colors]`: a name of [`COLOURS`] and 24 bits.
pub(super) fn colours(
    table: &dyn TableLike,
    reader: &mut Reader,
) -> Vec<Written<(&'static str, u32)>> {
    reader.keys(table, &COLOURS, "colors.");
    let mut colours = Vec::new();
    for name in COLOURS {
        let said = reader.value(table, name, "a colour such as \"#7dcfff\"", colour);
        let named = said.map(|Written { value, line }| Written { value: (name, value), line });
        colours.extend(named);
    }
    colours
}

/// A colour of 24 bits: `#rrggbb`.
fn colour(item: &Item) -> Option<u32> {
    let digits = item.as_str()?.strip_prefix('#')?;
    let is_hex = digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hex.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

/// `[keys.SCREEN]`, for each screen.
pub(super) fn keys(table: &dyn TableLike, reader: &mut Reader) -> Vec<Written<WrittenKey>> {
    let mut keys = Vec::new();
    for (screen, _) in table.iter() {
        let Some(bindings) = reader.table(table, screen) else { continue };
        for (key, _) in bindings.iter() {
            if let Some(Written { value: action, line }) = reader.string(bindings, key) {
                let (screen, key) = (screen.to_owned(), key.to_owned());
                keys.push(Written { value: WrittenKey { screen, key, action }, line });
            }
        }
    }
    keys
}
