//! The document type declaration: does a table close a paragraph?

/// Families of public identifiers, in lower case, that put a page into quirks mode.
const QUIRKY: [&[u8]; 21] = [
    b"-//advasoft ltd//dtd html",
    b"-//as//dtd html",
    b"-//ietf//dtd html",
    b"-//metrius//dtd metrius",
    b"-//microsoft//dtd internet explorer",
    b"-//netscape comm. corp.//dtd",
    b"-//o'reilly and associates//dtd html",
    b"-//softquad",
    b"-//spyglass//dtd html",
    b"-//sq//dtd html",
    b"-//sun microsystems corp.//dtd hotjava",
    b"-//w3c//dtd html 3 ",
    b"-//w3c//dtd html 3.2",
    b"-//w3c//dtd html 4.0 frameset//",
    b"-//w3c//dtd html 4.0 transitional//",
    b"-//w3c//dtd html experimental",
    b"-//w3c//dtd w3 html",
    b"-//w3o//dtd w3 html",
    b"-//webtechs//dtd mozilla html",
    b"-/w3c/dtd html 4.0 transitional/en",
    b"html\0",
];

/// Those that do so only where no system identifier follows.
const QUIRKY_ALONE: [&[u8]; 2] = [
    b"-//w3c//dtd html 4.01 frameset//",
    b"-//w3c//dtd html 4.01 transitional//",
];

const QUIRKY_SYSTEM: &[u8] = b"http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd";

/// Whether the page is in quirks mode (WHATWG HTML §13.2.6.4.1), by what stands between `<!` and
/// `>`. Limited quirks are none here: they do not change the tree.
pub(super) fn is_quirky(declaration: &[u8]) -> bool {
    // The identifiers that matter are short.
    let text = declaration[..declaration.len().min(1024)].to_ascii_lowercase();
    let Some(rest) = text.strip_prefix(b"doctype") else {
        return true;
    };
    let rest = rest.trim_ascii_start();
    let end = rest
        .iter()
        .position(u8::is_ascii_whitespace)
        .unwrap_or(rest.len());
    let (name, rest) = rest.split_at(end);
    if name != b"html" {
        return true;
    }
    let rest = rest.trim_ascii();
    if rest.is_empty() {
        return false;
    }
    if let Some(system) = rest.strip_prefix(b"system") {
        return quoted(system).is_none_or(|(system, _)| system == QUIRKY_SYSTEM);
    }
    let Some((public, rest)) = rest.strip_prefix(b"public").and_then(quoted) else {
        return true;
    };
    let system = quoted(rest).map(|(system, _)| system);
    let mut ended = public.to_vec();
    ended.push(0);
    QUIRKY.iter().any(|q| ended.starts_with(q))
        || (system.is_none() && QUIRKY_ALONE.iter().any(|q| public.starts_with(q)))
        || system == Some(QUIRKY_SYSTEM)
}

/// The quoted string at the start, and what follows it.
fn quoted(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = text.trim_ascii_start();
    let quote = *text.first().filter(|q| matches!(q, b'"' | b'\''))?;
    let end = memchr::memchr(quote, &text[1..])?;
    Some((&text[1..=end], &text[end + 2..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declaration_of_html_is_not_quirky() {
        for declaration in [
            "DOCTYPE html",
            "doctype HTML ",
            "DOCTYPE html SYSTEM \"about:legacy-compat\"",
            "DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\" \"http://www.w3.org/TR/html4/strict.dtd\"",
            "DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" \"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd\"",
            "DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN' 'http://www.w3.org/TR/html4/loose.dtd'",
        ] {
            assert!(!is_quirky(declaration.as_bytes()), "{declaration}");
        }
    }

    #[test]
    fn old_and_broken_declarations_are_quirky() {
        for declaration in [
            "DOCTYPE",
            "DOCTYPE svg",
            "DOCTYPE html nonsense",
            "DOCTYPE html PUBLIC",
            "DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\"",
            "DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 3.2 Final//EN\"",
            "DOCTYPE HTML PUBLIC \"-//IETF//DTD HTML//EN\"",
            "DOCTYPE HTML PUBLIC \"HTML\"",
        ] {
            assert!(is_quirky(declaration.as_bytes()), "{declaration}");
        }
    }
}
