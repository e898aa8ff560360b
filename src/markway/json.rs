//! JSON answers as Markdown: what a POST gives to an agent that does not ask for JSON.

use super::{Language, escape};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::fmt::{self, Write};

/// How large a table may become: cells for each byte of JSON. A table of objects that share few
/// keys would grow with the square of their number.
const CELLS_PER_BYTE: usize = 1;

/// Writes JSON as Markdown.
///
/// - An object becomes a table of two columns, field and value.
/// - An array of objects becomes a table with the union of their keys as columns, in the order in
///   which they first appear. A missing key leaves its cell empty.
/// - An array of anything else becomes a list.
/// - A string becomes text, with everything escaped that Markdown would read as markup. Numbers,
///   `true`, `false` and `null` stay as they are written, to the last digit.
/// - A value inside a value, an empty object, array or string becomes compact JSON in code. A pipe
///   in it is written `\u007c`, so that it is both valid JSON and one cell.
///
/// Nothing is lost: keys that appear twice give two rows or columns. Objects that share so few keys
/// that the table would be larger than the JSON become a list of compact JSON. Depth costs nothing.
///
/// ```
/// use markdown_for_agents::markway::{Language, json_to_markdown};
///
/// let users = br#"[{"id": 1, "name": "Ada"}, {"id": 2, "tags": ["a", "b"]}]"#;
/// assert_eq!(
///     json_to_markdown(users, Language::English)?,
///     "| id | name | tags |\n\
///      |------|------|------|\n\
///      | 1 | Ada |  |\n\
///      | 2 |  | `[\"a\",\"b\"]` |\n",
/// );
/// # Ok::<(), markdown_for_agents::markway::JsonError>(())
/// ```
///
/// # Errors
///
/// The bytes are no JSON text in UTF-8.
pub fn json_to_markdown(json: &[u8], language: Language) -> Result<String, JsonError> {
    let invalid = |position| JsonError { position };
    let text =
        std::str::from_utf8(json).map_err(|error| invalid(Position::Byte(error.valid_up_to())))?;
    // Some servers send a byte order mark although RFC 8259 §8.1 forbids it.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let value: &RawValue = serde_json::from_str(text)
        .map_err(|error| invalid(Position::Line(error.line(), error.column())))?;

    let mut out = String::with_capacity(text.len() + text.len() / 2);
    match Value::read(value) {
        Value::Object(fields) if !fields.0.is_empty() => two_columns(&fields, language, &mut out),
        Value::Array(items) if !items.is_empty() => array(&items, text.len(), &mut out),
        Value::Text(text) if !text.is_empty() => {
            out.push_str(&escape::block(&text));
            out.push('\n');
        }
        other => {
            out.push_str(&other.cell());
            out.push('\n');
        }
    }
    Ok(out)
}

/// One level of a JSON value. What lies deeper stays the text that it was, so that no depth of
/// nesting needs a deep stack.
#[derive(Debug)]
enum Value<'a> {
    Object(Fields<'a>),
    Array(Vec<&'a RawValue>),
    Text(String),
    /// A number, `true`, `false` or `null`, or a string with half a surrogate pair, which no text
    /// can hold.
    Literal(&'a str),
}

impl<'a> Value<'a> {
    fn read(value: &'a RawValue) -> Self {
        let text = value.get();
        let read = match text.as_bytes().first() {
            Some(b'{') => serde_json::from_str(text).map(Self::Object),
            Some(b'[') => serde_json::from_str(text).map(Self::Array),
            Some(b'"') => serde_json::from_str(text).map(Self::Text),
            _ => Ok(Self::Literal(text)),
        };
        read.unwrap_or(Self::Literal(text))
    }

    /// The value as the content of one cell or list item.
    fn cell(&self) -> String {
        match self {
            Self::Text(text) if text.is_empty() => escape::code("\"\""),
            Self::Text(text) => escape::cell(text),
            Self::Literal(text) if text.starts_with(['"', '{', '[']) => {
                escape::code(&compact(text))
            }
            Self::Literal(text) => (*text).to_owned(),
            Self::Object(fields) => {
                let mut json = String::from("{");
                for (at, (key, value)) in fields.0.iter().enumerate() {
                    let comma = if at > 0 { "," } else { "" };
                    let key = serde_json::to_string(key).unwrap_or_default();
                    let _ = write!(json, "{comma}{}:{}", compact(&key), compact(value.get()));
                }
                json.push('}');
                escape::code(&json)
            }
            Self::Array(items) => {
                let items: Vec<_> = items.iter().map(|item| compact(item.get())).collect();
                escape::code(&format!("[{}]", items.join(",")))
            }
        }
    }
}

/// The fields of an object, in order, with their repetitions.
#[derive(Debug)]
struct Fields<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FieldsVisitor;

        impl<'de> Visitor<'de> for FieldsVisitor {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_map(FieldsVisitor)
    }
}

fn two_columns(fields: &Fields<'_>, language: Language, out: &mut String) {
    let [field, value] = language.field_and_value();
    let _ = writeln!(out, "| {field} | {value} |\n|------|------|");
    for (key, raw) in &fields.0 {
        let _ = writeln!(
            out,
            "| {} | {} |",
            escape::cell(key),
            Value::read(raw).cell()
        );
    }
}

fn array(items: &[&RawValue], size: usize, out: &mut String) {
    let objects: Option<Vec<_>> = items
        .iter()
        .map(|item| match Value::read(item) {
            Value::Object(fields) => Some(fields),
            _ => None,
        })
        .collect();
    match objects
        .as_deref()
        .and_then(|objects| Columns::of(objects, size))
    {
        Some(columns) => columns.table(objects.as_deref().unwrap_or_default(), out),
        None => {
            for item in items {
                let _ = writeln!(out, "- {}", item_text(item));
            }
        }
    }
}

/// A value as the content of a list item.
fn item_text(item: &RawValue) -> String {
    match Value::read(item) {
        // What follows the bullet begins a line, where more can be markup than in a cell.
        Value::Text(text) if !text.is_empty() => escape::item(&text),
        value => value.cell(),
    }
}

/// The union of the keys of several objects. A key that an object repeats has a column for each
/// repetition.
#[derive(Debug)]
struct Columns<'a> {
    names: Vec<&'a str>,
    positions: HashMap<(&'a str, usize), usize>,
}

impl<'a> Columns<'a> {
    /// `None` if the objects have no keys at all, or if their table would be too large for `size`
    /// bytes of JSON.
    fn of(objects: &'a [Fields<'_>], size: usize) -> Option<Self> {
        let mut columns = Self {
            names: Vec::new(),
            positions: HashMap::new(),
        };
        for fields in objects {
            for (key, repetition, _) in repetitions(fields) {
                columns
                    .positions
                    .entry((key, repetition))
                    .or_insert_with(|| {
                        columns.names.push(key);
                        columns.names.len() - 1
                    });
            }
        }
        let cells = columns.names.len().saturating_mul(objects.len());
        (!columns.names.is_empty() && cells <= size.saturating_mul(CELLS_PER_BYTE))
            .then_some(columns)
    }

    fn table(&self, objects: &[Fields<'_>], out: &mut String) {
        for name in &self.names {
            let _ = write!(out, "| {} ", escape::cell(name));
        }
        out.push_str("|\n");
        for _ in &self.names {
            out.push_str("|------");
        }
        out.push_str("|\n");
        let mut cells = vec![String::new(); self.names.len()];
        for fields in objects {
            for (key, repetition, value) in repetitions(fields) {
                if let Some(&at) = self.positions.get(&(key, repetition)) {
                    cells[at] = Value::read(value).cell();
                }
            }
            for cell in &mut cells {
                let _ = write!(out, "| {} ", std::mem::take(cell));
            }
            out.push_str("|\n");
        }
    }
}

/// The fields of an object, each with how often its key has stood before it.
fn repetitions<'f>(fields: &'f Fields<'_>) -> impl Iterator<Item = (&'f str, usize, &'f RawValue)> {
    let mut seen: HashMap<&str, usize> = HashMap::with_capacity(fields.0.len());
    fields.0.iter().map(move |(key, value)| {
        let count = seen.entry(key).or_default();
        *count += 1;
        (key.as_str(), *count - 1, *value)
    })
}

/// Valid JSON without the blanks between its parts, and with the pipes of its strings written so
/// that no table is cut by them.
fn compact(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let (mut in_string, mut escaped) = (false, false);
    for c in json.chars() {
        match c {
            ' ' | '\t' | '\n' | '\r' if !in_string => continue,
            // Only a string can hold one, and there `\|` would be no JSON.
            '|' => out.push_str("\\u007c"),
            c => out.push(c),
        }
        in_string ^= c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
    }
    out
}

/// The bytes are no JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonError {
    position: Position,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Position {
    /// The first byte that is not UTF-8.
    Byte(usize),
    Line(usize, usize),
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            Position::Byte(at) => write!(f, "the JSON is not UTF-8 at byte {at}"),
            Position::Line(line, column) => {
                write!(f, "the text is not JSON at line {line}, column {column}")
            }
        }
    }
}

impl std::error::Error for JsonError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn markdown(json: &str) -> String {
        json_to_markdown(json.as_bytes(), Language::English).unwrap()
    }

    #[test]
    fn an_object_is_a_table_of_fields_and_values_in_its_own_order() {
        assert_eq!(
            markdown(
                r#"{ "z": 1, "a": "text", "n": null, "b": [1, {"x": "y z"}], "e": "", "o": {}, "big": 12345678901234567890.10 }"#
            ),
            "| Field | Value |\n|------|------|\n| z | 1 |\n| a | text |\n| n | null |\n| b | `[1,{\"x\":\"y z\"}]` |\n\
             | e | `\"\"` |\n| o | `{}` |\n| big | 12345678901234567890.10 |\n"
        );
        assert!(
            json_to_markdown(br#"{"a":1}"#, Language::Chinese)
                .unwrap()
                .starts_with("| 字段 | 值 |\n")
        );
    }

    #[test]
    fn an_array_of_objects_has_the_union_of_their_keys() {
        assert_eq!(
            markdown(r#"[{"a":1},{"b":2,"a":3},{},{"a":4,"a":5}]"#),
            "| a | b | a |\n|------|------|------|\n| 1 |  |  |\n| 3 | 2 |  |\n|  |  |  |\n| 4 |  | 5 |\n"
        );
    }

    #[test]
    fn everything_else_is_a_list_or_text() {
        for (json, expected) in [
            (
                "[1, \"a b\", null, [2, 3], {\"c\": 4}]",
                "- 1\n- a b\n- null\n- `[2,3]`\n- `{\"c\":4}`\n",
            ),
            ("[{\"a\":1}, 2]", "- `{\"a\":1}`\n- 2\n"),
            (
                "[\"# a\", \"- b\", \"c\\nd\", \"1. e\", \"\"]",
                "- \\# a\n- \\- b\n- c<br>d\n- 1\\. e\n- `\"\"`\n",
            ),
            ("[{}, {}]", "- `{}`\n- `{}`\n"),
            ("[]", "`[]`\n"),
            ("{}", "`{}`\n"),
            ("\"\"", "`\"\"`\n"),
            (" 3.140 ", "3.140\n"),
            ("true", "true\n"),
            ("null", "null\n"),
            ("\"a *b*\\n\\n# c\"", "a \\*b\\*\n\n\\# c\n"),
            ("\"half \\ud800\"", "`\"half \\ud800\"`\n"),
        ] {
            assert_eq!(markdown(json), expected, "{json}");
        }
    }

    #[test]
    fn pipes_breaks_and_markup_stay_text_in_keys_and_values() {
        assert_eq!(
            markdown(
                r#"{"a|b\nc": "**x** | <b>y</b>\r\nz", "`k`": ["p|q", "\\|", "`", "\" | \""]}"#
            ),
            "| Field | Value |\n|------|------|\n\
             | a\\|b<br>c | \\*\\*x\\*\\* \\| \\<b\\>y\\</b\\><br>z |\n\
             | \\`k\\` | ``[\"p\\u007cq\",\"\\\\\\u007c\",\"`\",\"\\\" \\u007c \\\"\"]`` |\n"
        );
    }

    #[test]
    fn depth_needs_no_stack() {
        let depth = 10_000;
        let nested = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(
            markdown(&nested),
            format!("- `{}`\n", &nested[1..nested.len() - 1])
        );
        let objects = format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth));
        assert!(
            markdown(&objects).starts_with("| Field | Value |\n|------|------|\n| a | `{\"a\":")
        );
    }

    #[test]
    fn objects_that_share_no_keys_do_not_grow_with_the_square_of_their_number() {
        let count = 20_000;
        let objects: Vec<_> = (0..count).map(|n| format!("{{\"key{n}\":{n}}}")).collect();
        let json = format!("[{}]", objects.join(","));
        let text = markdown(&json);
        assert!(
            text.len() < 2 * json.len(),
            "{} from {}",
            text.len(),
            json.len()
        );
        assert_eq!(text.lines().count(), count);
        assert!(text.starts_with("- `{\"key0\":0}`\n"));
    }

    #[test]
    fn what_is_no_json_is_an_error_with_its_place() {
        for (json, message) in [
            (&b""[..], "the text is not JSON at line 1, column 0"),
            (b"{\"a\":", "the text is not JSON at line 1, column 5"),
            (b"[1] x", "the text is not JSON at line 1, column 5"),
            (b"\"\xff\"", "the JSON is not UTF-8 at byte 1"),
            (b"NaN", "the text is not JSON at line 1, column 1"),
        ] {
            assert_eq!(
                json_to_markdown(json, Language::English)
                    .unwrap_err()
                    .to_string(),
                message
            );
        }
    }
}
