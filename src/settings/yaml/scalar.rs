//! What a plain scalar of YAML says (core schema of YAML 1.2).

use crate::settings::tree::Shape;

/// The value of a scalar without quotes and tag.
pub(super) fn resolve(text: &str) -> Shape {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Shape::Null,
        "true" | "True" | "TRUE" => Shape::Flag(true),
        "false" | "False" | "FALSE" => Shape::Flag(false),
        _ if is_number(text) => Shape::Number(text.to_owned()),
        _ => Shape::Text(text.to_owned()),
    }
}

fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if let Some(digits) = text.strip_prefix("0x") {
        return !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return !digits.is_empty() && digits.bytes().all(|byte| (b'0'..=b'7').contains(&byte));
    }
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).map_or((unsigned, None), |(m, e)| (m, Some(e)));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent = exponent.is_none_or(|text| {
        let text = text.strip_prefix(['-', '+']).unwrap_or(text);
        !text.is_empty() && digits(text)
    });
    exponent && digits(whole) && digits(part) && !(whole.is_empty() && part.is_empty())
}
