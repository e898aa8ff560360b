//! Code spans.

/// Writes text as a code span (CommonMark §6.1): with a fence longer than any run of backticks in
/// it, and blanks inside where the text begins or ends with one.
pub(in crate::markdown) fn write_code_span(out: &mut Vec<u8>, code: &str, in_cell: bool) {
    let bytes = code.as_bytes();
    let fence = shortest_missing_run(bytes);
    let blanks = (bytes.first() == Some(&b' '), bytes.last() == Some(&b' '));
    let only_blanks = bytes.iter().all(|&b| b == b' ');
    let pad = bytes.first() == Some(&b'`')
        || bytes.last() == Some(&b'`')
        || (blanks == (true, true) && !only_blanks);
    out.extend(std::iter::repeat_n(b'`', fence));
    if pad {
        out.push(b' ');
    }
    if in_cell && memchr::memchr(b'|', bytes).is_some() {
        for &byte in bytes {
            if byte == b'|' {
                out.push(b'\\');
            }
            out.push(byte);
        }
    } else {
        out.extend_from_slice(bytes);
    }
    if pad {
        out.push(b' ');
    }
    out.extend(std::iter::repeat_n(b'`', fence));
}

/// The length of the shortest run of backticks that the text does not have.
fn shortest_missing_run(bytes: &[u8]) -> usize {
    let mut present = 0_u64;
    let mut longest = 0;
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'`', &bytes[at..]) {
        let start = at + found;
        let run = bytes[start..].iter().take_while(|&&b| b == b'`').count();
        if run < 64 {
            present |= 1 << run;
        }
        longest = longest.max(run);
        at = start + run;
    }
    (1..64)
        .find(|&n| present & (1 << n) == 0)
        .unwrap_or(longest + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_span_has_a_fence_that_its_text_lacks() {
        for (code, span) in [
            ("a", "`a`"),
            ("`q`", "`` `q` ``"),
            ("`", "`` ` ``"),
            ("a``b", "`a``b`"),
            ("a`b``c", "```a`b``c```"),
        ] {
            let mut out = Vec::new();
            write_code_span(&mut out, code, false);
            assert_eq!(String::from_utf8(out).unwrap(), span);
        }
    }
}
