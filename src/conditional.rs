//! Validators of the Markdown variant, in both directions (RFC 9110 §8.8 and §13.1).
//!
//! The entity tag of the Markdown is made from the validator of the HTML and from a fingerprint of
//! all that changes the Markdown. It can be taken apart again, so that a conditional request for
//! Markdown becomes one for HTML, and the inner service decides whether the page is fresh. No
//! Markdown has to be made, kept or hashed for that, and it works while the body streams.
//!
//! | HTML | Markdown |
//! |---|---|
//! | `ETag: "v1"` or `W/"v1"` | `ETag: W/"v1;md-<fingerprint>"` |
//! | `Last-Modified` alone | `ETag: W/"lm-<seconds since 1970>;md-<fingerprint>"` |
//!
//! Markdown of the inner service keeps its own tag, and no conditional request ever confirms it: by its
//! tag it could as well be HTML. Only the tag of Markdown that another layer has made shows what it
//! stands for. It is put into a tag of this layer in the same way, and comes back as it was.

use crate::convert::Options;
use crate::entity_tags::{EntityTag, EntityTags};
use crate::fnv::fnv1a;
use http::header::{ETAG, HeaderMap, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Stands between the validator of the HTML and the fingerprint.
const SEPARATOR: &[u8] = b";md-";

/// Stands before the seconds of a `Last-Modified`.
const MODIFIED: &[u8] = b"lm-";

/// Stands before an opaque tag that would be taken for something else: one that begins with
/// [`MODIFIED`], or with this very mark.
const ESCAPE: u8 = b'=';

/// The last second of the year 9999: no date of HTTP lies beyond it.
const LAST_SECOND: u64 = 253_402_300_799;

/// Stands for all that changes the Markdown of a page but is not the page: the same in every process
/// and on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fingerprint(u64);

impl Fingerprint {
    pub(crate) fn new(options: &Options, revision: u64, origin: Option<&str>) -> Self {
        let numbers = options
            .fingerprint()
            .to_be_bytes()
            .into_iter()
            .chain(revision.to_be_bytes());
        Self(fnv1a(numbers.chain(origin.unwrap_or_default().bytes())))
    }

    /// The entity tag of the Markdown that is made from a response with these validators. Always
    /// weak: the same validator can stand for HTML that differs in bytes but not in meaning.
    pub(crate) fn tag(self, headers: &HeaderMap) -> Option<HeaderValue> {
        let validator = match entity_tag(headers) {
            Some(opaque) => Validator::Tag(opaque),
            None => Validator::Modified(last_modified(headers)?),
        };
        self.tag_from(&validator)
    }

    /// The entity tag of a 304 of the Markdown. One that names no tag confirms what the client asked
    /// about, if that is known; a date comes last, because it may stand beside a tag that is left out.
    pub(crate) fn tag_of_304(
        self,
        headers: &HeaderMap,
        confirmed: Option<HeaderValue>,
    ) -> Option<HeaderValue> {
        match entity_tag(headers) {
            Some(opaque) => self.tag_from(&Validator::Tag(opaque)),
            None => confirmed.or_else(|| self.tag(headers)),
        }
    }

    /// The entity tag of Markdown that another layer behind this one has made: its tag in one of
    /// ours, so that it comes back as what it was. `None` if the tag is of any other kind.
    pub(crate) fn tag_of_other_layer(self, headers: &HeaderMap) -> Option<HeaderValue> {
        let opaque = entity_tag(headers)?;
        split(opaque)?;
        self.tag_from(&Validator::Tag(opaque))
    }

    fn tag_from(self, validator: &Validator<'_>) -> Option<HeaderValue> {
        let mut tag = b"W/\"".to_vec();
        validator.write(&mut tag);
        tag.extend_from_slice(SEPARATOR);
        tag.extend_from_slice(format!("{:016x}\"", self.0).as_bytes());
        HeaderValue::from_bytes(&tag).ok()
    }

    /// Makes a conditional request for Markdown one for HTML: tags of ours become the validators that
    /// they were made from, all others are dropped, and so is every date that is not in a tag of
    /// ours. Gives the tag that a 304 without validators confirms.
    pub(crate) fn translate(self, headers: &mut HeaderMap) -> Option<HeaderValue> {
        let mut tags = Vec::new();
        let mut modified = None;
        let mut own = Own::None;
        let mut any = false;
        for line in headers.get_all(IF_NONE_MATCH) {
            any |= line.as_bytes().trim_ascii() == b"*";
            for EntityTag { opaque, .. } in EntityTags::new(line.as_bytes()) {
                let Some((validator, fingerprint)) = split(opaque) else {
                    continue;
                };
                if fingerprint != self {
                    continue;
                }
                match validator {
                    Validator::Tag(inner) => push_both_forms(&mut tags, inner),
                    Validator::Modified(seconds) => modified = modified.max(Some(seconds)),
                }
                own = own.and(opaque);
            }
        }
        let confirmed = own.only();
        headers.remove(IF_MODIFIED_SINCE);
        headers.remove(IF_NONE_MATCH);
        if any {
            headers.insert(IF_NONE_MATCH, HeaderValue::from_static("*"));
        } else if let Some(tags) = HeaderValue::from_bytes(&tags)
            .ok()
            .filter(|tags| !tags.is_empty())
        {
            headers.insert(IF_NONE_MATCH, tags);
        } else if let Some(date) = modified.and_then(http_date) {
            headers.insert(IF_MODIFIED_SINCE, date);
        }
        confirmed
    }
}

/// Takes the tags of Markdown out of a conditional request for HTML, so that no 304 can confirm
/// Markdown to a client that wants HTML. A date that stood beside them goes too: it was to be ignored
/// (RFC 9110 §13.1.3), and would count without them.
pub(crate) fn forget_markdown(headers: &mut HeaderMap) {
    if !headers.contains_key(IF_NONE_MATCH) {
        return;
    }
    let is_markdown = |tag: &EntityTag<'_>| split(tag.opaque).is_some();
    let all = || {
        headers
            .get_all(IF_NONE_MATCH)
            .iter()
            .flat_map(|line| EntityTags::new(line.as_bytes()))
    };
    if !all().any(|tag| is_markdown(&tag)) {
        return;
    }
    let mut others = Vec::new();
    for tag in all().filter(|tag| !is_markdown(tag)) {
        push(&mut others, &[tag.whole]);
    }
    headers.remove(IF_NONE_MATCH);
    match HeaderValue::from_bytes(&others) {
        Ok(others) if !others.is_empty() => {
            headers.insert(IF_NONE_MATCH, others);
        }
        _ => {
            headers.remove(IF_MODIFIED_SINCE);
        }
    }
}

/// Appends an entity tag as strong and as weak: `If-None-Match` compares weakly, but simple services
/// compare strings.
fn push_both_forms(list: &mut Vec<u8>, opaque: &[u8]) {
    push(list, &[b"\"", opaque, b"\""]);
    push(list, &[b"W/\"", opaque, b"\""]);
}

/// Appends a member, given in pieces.
fn push(list: &mut Vec<u8>, member: &[&[u8]]) {
    if !list.is_empty() {
        list.extend_from_slice(b", ");
    }
    for piece in member {
        list.extend_from_slice(piece);
    }
}

/// What an inner service says about the state of a page.
#[derive(Debug, PartialEq, Eq)]
enum Validator<'a> {
    /// The opaque part of an entity tag.
    Tag(&'a [u8]),
    /// A `Last-Modified`, in seconds since 1970.
    Modified(u64),
}

impl Validator<'_> {
    fn write(&self, tag: &mut Vec<u8>) {
        match *self {
            Self::Tag(opaque) => {
                if opaque.starts_with(MODIFIED) || opaque.first() == Some(&ESCAPE) {
                    tag.push(ESCAPE);
                }
                tag.extend_from_slice(opaque);
            }
            Self::Modified(seconds) => {
                tag.extend_from_slice(MODIFIED);
                tag.extend_from_slice(seconds.to_string().as_bytes());
            }
        }
    }
}

/// Takes the opaque part of a tag of ours apart; `None` for any other.
fn split(opaque: &[u8]) -> Option<(Validator<'_>, Fingerprint)> {
    let at = opaque.len().checked_sub(SEPARATOR.len() + 16)?;
    let (inner, rest) = opaque.split_at(at);
    let digits = rest.strip_prefix(SEPARATOR)?;
    if !digits
        .iter()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    {
        return None;
    }
    let fingerprint = u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    let validator = match inner {
        [ESCAPE, inner @ ..] => Validator::Tag(inner),
        _ => match inner.strip_prefix(MODIFIED) {
            Some(seconds) => Validator::Modified(seconds_of(seconds)?),
            None => Validator::Tag(inner),
        },
    };
    Some((validator, Fingerprint(fingerprint)))
}

fn seconds_of(digits: &[u8]) -> Option<u64> {
    let digits = std::str::from_utf8(digits)
        .ok()
        .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    digits
        .parse()
        .ok()
        .filter(|&seconds| seconds <= LAST_SECOND)
}

/// The opaque part of the entity tag of a response, if it has one tag and nothing else.
fn entity_tag(headers: &HeaderMap) -> Option<&[u8]> {
    let mut lines = headers.get_all(ETAG).iter();
    let (line, None) = (lines.next()?.as_bytes().trim_ascii(), lines.next()) else {
        return None;
    };
    let tag = EntityTags::new(line).next()?;
    (tag.whole == line).then_some(tag.opaque)
}

fn last_modified(headers: &HeaderMap) -> Option<u64> {
    let date = httpdate::parse_http_date(headers.get(LAST_MODIFIED)?.to_str().ok()?).ok()?;
    Some(date.duration_since(UNIX_EPOCH).ok()?.as_secs())
}

fn http_date(seconds: u64) -> Option<HeaderValue> {
    let date: SystemTime = UNIX_EPOCH.checked_add(Duration::from_secs(seconds))?;
    HeaderValue::try_from(httpdate::fmt_http_date(date)).ok()
}

/// The tags of ours in a conditional request: which one a 304 means is known only if there is one.
#[derive(Debug)]
enum Own<'a> {
    None,
    One(&'a [u8]),
    Several,
}

impl<'a> Own<'a> {
    fn and(self, opaque: &'a [u8]) -> Self {
        match self {
            Self::None => Self::One(opaque),
            Self::One(same) if same == opaque => self,
            Self::One(_) | Self::Several => Self::Several,
        }
    }

    fn only(self) -> Option<HeaderValue> {
        let Self::One(opaque) = self else { return None };
        HeaderValue::from_bytes(&[b"W/\"", opaque, b"\""].concat()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: Fingerprint = Fingerprint(0x0123_4567_89ab_cdef);
    const DATE: &str = "Tue, 01 Sep 2026 10:00:00 GMT";

    fn headers(lines: &[(http::HeaderName, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(name, value.parse().unwrap());
        }
        headers
    }

    fn tag(lines: &[(http::HeaderName, &str)]) -> Option<String> {
        OURS.tag(&headers(lines))
            .map(|tag| tag.to_str().unwrap().to_owned())
    }

    /// `If-None-Match` and `If-Modified-Since` after the translation.
    fn translated(lines: &[(http::HeaderName, &str)]) -> (Option<String>, Option<String>) {
        let mut headers = headers(lines);
        OURS.translate(&mut headers);
        conditions(&headers)
    }

    fn conditions(headers: &HeaderMap) -> (Option<String>, Option<String>) {
        let read = |name| {
            headers
                .get(name)
                .map(|value: &HeaderValue| value.to_str().unwrap().to_owned())
        };
        (read(IF_NONE_MATCH), read(IF_MODIFIED_SINCE))
    }

    #[test]
    fn a_tag_is_weak_and_made_from_the_validator() {
        let expected = Some("W/\"v1;md-0123456789abcdef\"".to_owned());
        assert_eq!(tag(&[(ETAG, "\"v1\"")]), expected);
        assert_eq!(tag(&[(ETAG, "W/\"v1\""), (LAST_MODIFIED, DATE)]), expected);
        assert_eq!(
            tag(&[(LAST_MODIFIED, DATE)]),
            Some("W/\"lm-1788256800;md-0123456789abcdef\"".to_owned())
        );
        assert_eq!(
            tag(&[(ETAG, "unquoted"), (LAST_MODIFIED, "yesterday")]),
            None
        );
        assert_eq!(tag(&[]), None);
    }

    #[test]
    fn what_is_not_one_entity_tag_is_none() {
        for value in [
            "",
            "v1",
            "W/v1",
            "w/\"v1\"",
            "\"v1",
            "v1\"",
            "\"v1\", \"v2\"",
            "\"v1\"-gzip",
            "*",
        ] {
            assert_eq!(tag(&[(ETAG, value)]), None, "{value}");
            assert_eq!(
                tag(&[(ETAG, value), (LAST_MODIFIED, DATE)]).as_deref(),
                Some("W/\"lm-1788256800;md-0123456789abcdef\""),
                "{value}"
            );
        }
        assert_eq!(tag(&[(ETAG, "\"v1\""), (ETAG, "\"v2\"")]), None);
        assert_eq!(
            tag(&[(ETAG, "\"\"")]).as_deref(),
            Some("W/\";md-0123456789abcdef\"")
        );
    }

    #[test]
    fn a_304_without_a_tag_confirms_what_was_asked_about_before_a_date() {
        let asked = HeaderValue::from_static("W/\"v1;md-0123456789abcdef\"");
        let tag = |lines: &[_], asked: Option<&HeaderValue>| {
            OURS.tag_of_304(&headers(lines), asked.cloned())
                .map(|tag| tag.to_str().unwrap().to_owned())
        };
        assert_eq!(
            tag(&[(ETAG, "\"v2\"")], Some(&asked)).as_deref(),
            Some("W/\"v2;md-0123456789abcdef\"")
        );
        assert_eq!(
            tag(&[(LAST_MODIFIED, DATE)], Some(&asked)).as_deref(),
            Some("W/\"v1;md-0123456789abcdef\"")
        );
        assert_eq!(
            tag(&[(LAST_MODIFIED, DATE)], None).as_deref(),
            Some("W/\"lm-1788256800;md-0123456789abcdef\"")
        );
        assert_eq!(tag(&[], None), None);
    }

    #[test]
    fn only_the_tag_of_another_layer_is_put_into_one_of_ours() {
        let of = |value| {
            OURS.tag_of_other_layer(&headers(&[(ETAG, value), (LAST_MODIFIED, DATE)]))
                .map(|tag| tag.to_str().unwrap().to_owned())
        };
        assert_eq!(
            of("W/\"v1;md-fedcba9876543210\"").as_deref(),
            Some("W/\"v1;md-fedcba9876543210;md-0123456789abcdef\"")
        );
        for own in [
            "\"v1\"",
            "W/\"v1\"",
            "\"v1;md-1\"",
            "v1;md-fedcba9876543210",
        ] {
            assert_eq!(of(own), None, "{own}");
        }
    }

    #[test]
    fn every_tag_survives_the_round_trip() {
        for inner in [
            "v1",
            "",
            "a,b",
            "a\\",
            ";md-0123456789abcdef",
            "x;md-zz",
            "lm-5",
            "lm-",
            "=",
            "=lm-5",
            "W/",
            "\u{e9}",
        ] {
            let tag = OURS
                .tag(&headers(&[(ETAG, &format!("\"{inner}\""))]))
                .unwrap();
            let mut request = HeaderMap::new();
            request.insert(IF_NONE_MATCH, tag.clone());
            assert_eq!(OURS.translate(&mut request), Some(tag), "{inner}");
            let expected = format!("\"{inner}\", W/\"{inner}\"");
            assert_eq!(
                request[IF_NONE_MATCH].as_bytes(),
                expected.as_bytes(),
                "{inner}"
            );
            assert!(!request.contains_key(IF_MODIFIED_SINCE));
        }
    }

    #[test]
    fn a_date_survives_the_round_trip() {
        let tag = tag(&[(LAST_MODIFIED, DATE)]).unwrap();
        assert_eq!(
            translated(&[(IF_NONE_MATCH, &tag)]),
            (None, Some(DATE.to_owned()))
        );
    }

    #[test]
    fn of_several_tags_only_ours_are_left() {
        let ours = "W/\"b;md-0123456789abcdef\", W/\"lm-5;md-0123456789abcdef\"";
        let stale = "W/\"c;md-fedcba9876543210\"";
        let list = format!("\"a\", junk, {ours} ,{stale}");
        let expected = (Some("\"b\", W/\"b\"".to_owned()), None);
        assert_eq!(
            translated(&[(IF_NONE_MATCH, &list), (IF_MODIFIED_SINCE, DATE)]),
            expected
        );
        assert_eq!(
            translated(&[(IF_NONE_MATCH, "\"a\""), (IF_NONE_MATCH, ours)]),
            expected
        );
        assert_eq!(
            translated(&[(IF_NONE_MATCH, stale), (IF_MODIFIED_SINCE, DATE)]),
            (None, None)
        );
        assert_eq!(translated(&[(IF_MODIFIED_SINCE, DATE)]), (None, None));
        assert_eq!(
            translated(&[(IF_NONE_MATCH, " * ")]),
            (Some("*".to_owned()), None)
        );
    }

    #[test]
    fn a_304_confirms_a_tag_only_if_there_is_one() {
        let one = "W/\"a;md-0123456789abcdef\"";
        let mut request = headers(&[(IF_NONE_MATCH, one), (IF_NONE_MATCH, one)]);
        assert_eq!(OURS.translate(&mut request).unwrap(), one);
        let mut request = headers(&[
            (IF_NONE_MATCH, one),
            (IF_NONE_MATCH, "W/\"b;md-0123456789abcdef\""),
        ]);
        assert_eq!(OURS.translate(&mut request), None);
    }

    #[test]
    fn dates_beyond_http_are_no_dates() {
        for seconds in ["253402300800", "99999999999999999999", "-1", "+1", ""] {
            let tag = format!("W/\"lm-{seconds};md-0123456789abcdef\"");
            assert_eq!(
                translated(&[(IF_NONE_MATCH, &tag)]),
                (None, None),
                "{seconds}"
            );
        }
    }

    #[test]
    fn a_request_for_html_forgets_tags_of_markdown() {
        let markdown = "W/\"v1;md-fedcba9876543210\"";
        let mut only = headers(&[(IF_NONE_MATCH, markdown), (IF_MODIFIED_SINCE, DATE)]);
        forget_markdown(&mut only);
        assert_eq!(conditions(&only), (None, None));
        let mut mixed = headers(&[
            (IF_NONE_MATCH, &format!("\"v2\", {markdown},W/\"v3\"")),
            (IF_MODIFIED_SINCE, DATE),
        ]);
        forget_markdown(&mut mixed);
        assert_eq!(
            conditions(&mixed),
            (Some("\"v2\", W/\"v3\"".to_owned()), Some(DATE.to_owned()))
        );
        let mut untouched = headers(&[(IF_NONE_MATCH, "W/\"v1\" , x"), (IF_MODIFIED_SINCE, DATE)]);
        forget_markdown(&mut untouched);
        assert_eq!(
            conditions(&untouched),
            (Some("W/\"v1\" , x".to_owned()), Some(DATE.to_owned()))
        );
    }

    #[test]
    fn the_fingerprint_depends_on_everything_that_changes_the_markdown() {
        let options = Options::new();
        let base = Fingerprint::new(&options, 0, Some("https://example.com"));
        assert_eq!(
            base,
            Fingerprint::new(&options, 0, Some("https://example.com"))
        );
        assert_ne!(
            base,
            Fingerprint::new(&options.front_matter(false), 0, Some("https://example.com"))
        );
        assert_ne!(
            base,
            Fingerprint::new(&Options::new(), 1, Some("https://example.com"))
        );
        assert_ne!(
            base,
            Fingerprint::new(&Options::new(), 0, Some("https://example.org"))
        );
        assert_ne!(base, Fingerprint::new(&Options::new(), 0, None));
    }
}
