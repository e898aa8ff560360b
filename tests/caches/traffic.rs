//! Browsers and agents that take turns, and what each of them must get.

use crate::site::{ORIGIN, PAGES, html};
use crate::support::markdown_of;
use bytes::Bytes;
use flate2::read::GzDecoder;
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::{BodyExt, Empty};
use hyper_util::rt::TokioIo;
use markdown_for_agents::convert::Options;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::Read;
use std::net::SocketAddr;
use tokio::net::TcpStream;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Variant {
    Html,
    Markdown,
}

use Variant::{Html, Markdown};

/// A client as its `Accept` and `Accept-Encoding` make it.
struct Visitor {
    accept: Option<&'static str>,
    codings: Option<&'static str>,
    gets: Variant,
}

const CHROME: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7";
const FIREFOX: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

const VISITORS: [Visitor; 10] = [
    visitor(Some(CHROME), Some("gzip, deflate, br, zstd"), Html),
    visitor(Some(FIREFOX), Some("gzip, deflate, br"), Html),
    visitor(Some(FIREFOX), None, Html),
    visitor(Some("*/*"), None, Html),
    visitor(None, Some("gzip"), Html),
    visitor(Some("text/html, text/markdown;q=0.9"), Some("gzip"), Html),
    visitor(Some("text/markdown"), None, Markdown),
    visitor(Some("text/markdown"), Some("gzip"), Markdown),
    visitor(
        Some("text/markdown, text/html, */*"),
        Some("gzip, deflate, br, zstd"),
        Markdown,
    ),
    visitor(
        Some("text/markdown, text/plain;q=0.9, */*;q=0.8"),
        Some("br"),
        Markdown,
    ),
];

const fn visitor(
    accept: Option<&'static str>,
    codings: Option<&'static str>,
    gets: Variant,
) -> Visitor {
    Visitor {
        accept,
        codings,
        gets,
    }
}

/// What is asked for beside the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    Whole,
    Head,
    /// `If-None-Match` with a tag of the own variant, of the other one, or of both.
    OwnTag,
    OtherTag,
    BothTags,
    /// `Range`, alone or with the tag of the other variant as `If-Range`.
    Part,
    PartOfOther,
}

const WISHES: [Wish; 8] = [
    Wish::Whole,
    Wish::Whole,
    Wish::Head,
    Wish::OwnTag,
    Wish::OtherTag,
    Wish::BothTags,
    Wish::Part,
    Wish::PartOfOther,
];

/// A request as its answer is judged.
#[derive(Debug, Clone, Copy)]
struct Ask<'a> {
    wish: Wish,
    path: &'a str,
    asked: &'a [String],
}

/// An answer as it came over the wire.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    pub(crate) fn field(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// The body without its content coding.
    pub(crate) fn decoded(&self) -> Vec<u8> {
        match self.field("content-encoding") {
            "" => self.body.to_vec(),
            "gzip" => {
                let mut content = Vec::new();
                GzDecoder::new(&self.body[..])
                    .read_to_end(&mut content)
                    .unwrap();
                content
            }
            other => panic!("nobody here speaks {other}"),
        }
    }
}

/// Sends one request over a connection of its own.
pub(crate) async fn send(address: SocketAddr, mut request: http::request::Builder) -> Answer {
    let stream = TokioIo::new(TcpStream::connect(address).await.unwrap());
    let (mut sender, connection) = hyper::client::conn::http1::handshake(stream).await.unwrap();
    tokio::spawn(connection);
    request = request.header("host", "example.com");
    let request = request.body(Empty::<Bytes>::new()).unwrap();
    let (head, body) = sender.send_request(request).await.unwrap().into_parts();
    Answer {
        status: head.status,
        headers: head.headers,
        body: body.collect().await.unwrap().to_bytes(),
    }
}

/// A row of requests through one cache.
pub(crate) struct Traffic {
    cache: SocketAddr,
    /// The opaque tags of each page and variant that were given out so far.
    tags: BTreeMap<(String, Variant), BTreeSet<String>>,
    /// How often the cache said what, for each variant.
    outcomes: BTreeMap<(Variant, String), usize>,
    statuses: BTreeMap<u16, usize>,
    /// What each variant of a page must be.
    expected: BTreeMap<(String, Variant), Vec<u8>>,
    random: u64,
}

impl Traffic {
    pub(crate) fn new(cache: SocketAddr) -> Self {
        Self {
            cache,
            tags: BTreeMap::new(),
            outcomes: BTreeMap::new(),
            statuses: BTreeMap::new(),
            expected: BTreeMap::new(),
            random: 1,
        }
    }

    /// Answers that came out of the cache without a request to the site.
    pub(crate) fn hits(&self) -> usize {
        [Html, Markdown]
            .iter()
            .filter_map(|variant| self.outcomes.get(&(*variant, "HIT".to_owned())))
            .sum()
    }

    pub(crate) async fn run(&mut self, requests: usize) {
        for _ in 0..requests {
            let visitor = self.pick(&VISITORS);
            let wish = *self.pick(&WISHES);
            let page = *self.pick(&PAGES);
            let path = match self.pick(&[true, false]) {
                true => page.to_owned(),
                false => format!("/stale{page}"),
            };
            self.visit(visitor, wish, &path).await;
        }
    }

    /// One of these, by a generator that gives the same row in every run (Knuth's MMIX).
    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        self.random = self
            .random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        &all[(self.random >> 33) as usize % all.len()]
    }

    /// The tags of a variant that were given out so far, in their weak form.
    fn known(&self, path: &str, variant: Variant) -> Vec<String> {
        self.tags
            .get(&(path.to_owned(), variant))
            .into_iter()
            .flatten()
            .map(|opaque| format!("W/\"{opaque}\""))
            .collect()
    }

    async fn visit(&mut self, visitor: &Visitor, wish: Wish, path: &str) {
        let other = match visitor.gets {
            Html => Markdown,
            Markdown => Html,
        };
        let asked = match wish {
            Wish::OwnTag => self.known(path, visitor.gets),
            Wish::OtherTag | Wish::PartOfOther => self.known(path, other),
            Wish::BothTags => [self.known(path, other), self.known(path, visitor.gets)].concat(),
            Wish::Whole | Wish::Head | Wish::Part => Vec::new(),
        };
        let mut request = Request::builder().uri(path);
        if wish == Wish::Head {
            request = request.method(Method::HEAD);
        }
        if let Some(accept) = visitor.accept {
            request = request.header("accept", accept);
        }
        if let Some(codings) = visitor.codings {
            request = request.header("accept-encoding", codings);
        }
        if matches!(wish, Wish::Part | Wish::PartOfOther) {
            request = request.header("range", "bytes=10-59");
            if let Some(tag) = asked.first() {
                request = request.header("if-range", tag.trim_start_matches("W/"));
            }
        } else if !asked.is_empty() {
            request = request.header("if-none-match", asked.join(", "));
        }

        let answer = send(self.cache, request).await;
        let asked = &asked;
        self.judge(visitor, &Ask { wish, path, asked }, &answer);
        *self.statuses.entry(answer.status.as_u16()).or_default() += 1;
        let outcome = answer.field("x-cache").to_owned();
        *self.outcomes.entry((visitor.gets, outcome)).or_default() += 1;
        if let Some(opaque) = opaque(answer.field("etag")) {
            self.tags
                .entry((path.to_owned(), visitor.gets))
                .or_default()
                .insert(opaque.to_owned());
        }
    }

    fn judge(&mut self, visitor: &Visitor, request: &Ask<'_>, answer: &Answer) {
        let Ask { wish, path, asked } = *request;
        let context = format!("{:?} {request:?}: {answer:?}", visitor.accept);
        let known = self.known(path, visitor.gets);
        let varies = answer.headers.get_all("vary").iter().any(|line| {
            let mut members = line.to_str().unwrap().split(',');
            members.any(|member| member.trim().eq_ignore_ascii_case("accept"))
        });
        assert!(varies, "{context}");

        let tag = opaque(answer.field("etag"));
        // Every Markdown tag has the fingerprint, and no tag of HTML does.
        let of_variant = tag.is_none_or(|tag| tag.contains(";md-") == (visitor.gets == Markdown));
        assert!(of_variant, "{context}");
        let asked_for_own = matches!(wish, Wish::OwnTag | Wish::BothTags) && !known.is_empty();
        if answer.status == StatusCode::NOT_MODIFIED {
            assert!(asked_for_own, "{context}");
            let tag = format!("W/\"{}\"", tag.unwrap_or_default());
            assert!(known.contains(&tag), "{context}");
            assert!(answer.body.is_empty(), "{context}");
            return;
        }
        // Nothing changes: a tag is stale only where there is one for each coding. (Varnish looks at
        // the first tag of a list only.)
        let must_confirm = wish == Wish::OwnTag && asked_for_own && !path.ends_with("/coded");
        assert!(!must_confirm, "{context}");

        let media_type = match visitor.gets {
            Html => "text/html; charset=utf-8",
            Markdown => "text/markdown; charset=utf-8",
        };
        assert_eq!(answer.field("content-type"), media_type, "{context}");
        if visitor.gets == Markdown {
            assert!(tag.is_some(), "{context}");
        }
        let accepts_gzip = visitor
            .codings
            .is_some_and(|codings| codings.contains("gzip"));
        assert!(
            accepts_gzip || answer.field("content-encoding").is_empty(),
            "{context}"
        );
        if wish == Wish::Head {
            assert_eq!(answer.status, StatusCode::OK, "{context}");
            assert!(answer.body.is_empty(), "{context}");
            return;
        }
        let key = (path.to_owned(), visitor.gets);
        let expected = self
            .expected
            .entry(key)
            .or_insert_with(|| content(path, visitor.gets));
        if answer.status == StatusCode::PARTIAL_CONTENT {
            // `If-Range` with a tag of the other variant asks for all of this one.
            let wanted = match wish {
                Wish::Part => true,
                Wish::PartOfOther => asked.is_empty(),
                _ => false,
            };
            assert!(wanted, "{context}");
            if answer.field("content-encoding").is_empty() {
                let range = format!("bytes 10-59/{}", expected.len());
                assert_eq!(answer.field("content-range"), range, "{context}");
                assert_eq!(answer.body, expected[10..=59], "{context}");
            }
            return;
        }
        assert_eq!(answer.status, StatusCode::OK, "{context}");
        assert!(answer.decoded() == *expected, "{context}");
    }
}

/// What a variant of a page must be.
fn content(path: &str, variant: Variant) -> Vec<u8> {
    let html = html(path);
    match variant {
        Html => html.into_bytes(),
        Markdown => {
            let url = format!("{ORIGIN}{path}");
            markdown_of(Options::new(), Some(&url), html).to_vec()
        }
    }
}

/// What stands between the quotes of an entity tag.
fn opaque(tag: &str) -> Option<&str> {
    tag.trim_start_matches("W/")
        .strip_prefix('"')?
        .strip_suffix('"')
}

impl fmt::Display for Traffic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for variant in [Html, Markdown] {
            let of_variant = || {
                self.outcomes
                    .iter()
                    .filter(move |((of, _), _)| *of == variant)
            };
            let all: usize = of_variant().map(|(_, count)| count).sum();
            write!(f, "{variant:?} {all} requests (")?;
            for (at, ((_, outcome), count)) in of_variant().enumerate() {
                let comma = if at == 0 { "" } else { ", " };
                write!(f, "{comma}{outcome} {} %", count * 100 / all.max(1))?;
            }
            write!(f, "); ")?;
        }
        write!(f, "statuses {:?}", self.statuses)
    }
}
