//! Percent-encoding in links and URLs.

/// `%20` and the like as the character; what is no escape stays. Bytes that are not UTF-8 are
/// replaced.
pub fn decoded(text: &str) -> String {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        // A sign is none of the digits.
        let digits = part.get(..2).filter(|it| it.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte {
            Some(byte) => bytes.push(byte),
            None => bytes.push(b'%'),
        }
        bytes.extend_from_slice(&part.as_bytes()[if byte.is_some() { 2 } else { 0 }..]);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A path as it is written in a URI: all but letters, digits, `-._~` and slashes is escaped.
pub fn encoded(path: &[u8]) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let one = |&byte: &u8| match is_plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    path.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_escape_stays() {
        assert_eq!(decoded("a%20b%2Fc"), "a b/c");
        assert_eq!(decoded("100% %zz %"), "100% %zz %");
        assert_eq!(decoded("%E6%97%A5%ff"), "日\u{fffd}");
        assert_eq!(decoded("%é%2%+f%-1"), "%é%2%+f%-1");
    }

    #[test]
    fn what_acts_in_a_uri_is_escaped_and_comes_back() {
        let path = "a:b/c d#e?f%20/日\n";
        assert_eq!(encoded(path.as_bytes()), "a%3Ab/c%20d%23e%3Ff%2520/%E6%97%A5%0A");
        assert_eq!(decoded(&encoded(path.as_bytes())), path);
        assert_eq!(encoded(b"\xff"), "%FF");
    }
}
