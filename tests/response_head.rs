//! Every field of the original head is accounted for: kept, changed or removed.

mod support;

use http::{HeaderMap, HeaderValue, Response};
use http_body_util::Full;
use markdown_for_agents::convert::Options;
use markdown_for_agents::predicate::{Candidate, Path};
use markdown_for_agents::{Decision, MarkdownForAgentsLayer, NoMarkdown, Reason};
use support::{agent, browser, collect, fields, markdown_of, through};

const PAGE: &str = "<h1>Hi</h1><p>Body</p>";

/// What a field becomes on a variant.
#[derive(Debug, Clone, Copy)]
enum Fate {
    Kept,
    Removed,
    Becomes(&'static str),
}

use Fate::{Becomes, Kept, Removed};

/// Every field that the original has, with its fate in Markdown.
const FIELDS: &[(&str, &str, Fate)] = &[
    ("accept-ranges", "bytes", Removed),
    ("age", "7", Kept),
    ("allow", "GET", Kept),
    ("cache-control", "public, max-age=60", Kept),
    ("content-digest", "sha-256=:AAAA:", Removed),
    ("content-disposition", "inline", Kept),
    ("content-encoding", "identity", Removed),
    ("content-language", "en", Kept),
    ("content-length", "22", Removed),
    ("content-location", "/index.html", Kept),
    ("content-md5", "Q2hlY2s=", Removed),
    ("content-security-policy", "default-src 'self'", Kept),
    (
        "content-type",
        "Text/HTML; charset=UTF-8",
        Becomes("text/markdown; charset=utf-8"),
    ),
    ("date", "Tue, 01 Sep 2026 11:00:00 GMT", Kept),
    ("digest", "SHA-256=AAAA", Removed),
    ("etag", "\"v1\"", Becomes("W/\"v1;md-FINGERPRINT\"")),
    ("expires", "Tue, 01 Sep 2026 12:00:00 GMT", Kept),
    ("last-modified", "Tue, 01 Sep 2026 10:00:00 GMT", Kept),
    ("link", "</a.css>; rel=preload", Kept),
    ("repr-digest", "sha-256=:BBBB:", Removed),
    ("server", "inner", Kept),
    ("set-cookie", "a=1; Path=/", Kept),
    ("set-cookie", "b=2", Kept),
    ("signature", "sig1=:AAAA:", Removed),
    ("signature-input", "sig1=()", Removed),
    ("strict-transport-security", "max-age=1", Kept),
    (
        "vary",
        "Accept-Encoding",
        Becomes("Accept-Encoding, Accept"),
    ),
    ("x-custom", "kept", Kept),
    ("x-markdown-tokens", "999", Removed),
];

fn original(status: u16) -> Response<Full<bytes::Bytes>> {
    let mut response = Response::builder().status(status);
    for &(name, value, _) in FIELDS {
        response = response.header(name, value);
    }
    response.body(PAGE.into()).unwrap()
}

/// The original head, with these changes.
fn head(
    changes: impl Fn(&str, &'static str, Fate) -> Option<&'static str>,
    added: &[&str],
) -> Vec<String> {
    let mut head: Vec<String> = FIELDS
        .iter()
        .filter_map(|&(name, value, fate)| Some(format!("{name}: {}", changes(name, value, fate)?)))
        .chain(added.iter().map(|field| (*field).to_owned()))
        .collect();
    head.sort();
    head
}

/// The head of HTML that varies.
fn html_head() -> Vec<String> {
    head(
        |name, value, _| {
            Some(if name == "vary" {
                "Accept-Encoding, Accept"
            } else {
                value
            })
        },
        &[],
    )
}

/// The head of Markdown.
fn markdown_head(added: &[&str]) -> Vec<String> {
    let fate = |_: &str, value, fate| match fate {
        Kept => Some(value),
        Removed => None,
        Becomes(value) => Some(value),
    };
    head(fate, added)
}

/// All fields, with the fingerprint of the Markdown replaced by a word.
fn masked(headers: &HeaderMap) -> Vec<String> {
    let mask = |field: String| match field.split_once(";md-") {
        Some((before, after)) => {
            assert!(
                after.len() == 17 && after[..16].bytes().all(|b| b.is_ascii_hexdigit()),
                "{field}"
            );
            format!("{before};md-FINGERPRINT\"")
        }
        None => field,
    };
    let mut fields: Vec<String> = fields(headers).into_iter().map(mask).collect();
    fields.sort();
    fields
}

fn layer() -> MarkdownForAgentsLayer {
    MarkdownForAgentsLayer::new()
}

#[tokio::test]
async fn markdown_keeps_what_does_not_speak_of_the_bytes() {
    let response = through(&layer(), agent("/"), original(200)).await;
    assert_eq!(response.status(), 200);
    let markdown = markdown_of(Options::new(), None, PAGE);
    let length = format!("content-length: {}", markdown.len());
    let tokens = format!("x-markdown-tokens: {}", markdown.len().div_ceil(4));
    assert_eq!(
        masked(response.headers()),
        markdown_head(&[&length, &tokens])
    );
    assert_eq!(response.extensions().get(), Some(&Decision::Markdown));
    assert_eq!(collect(response.into_body()).await.bytes(), markdown);
}

#[tokio::test]
async fn markdown_that_streams_has_no_length() {
    let (parts, _) = original(200).into_parts();
    let body = support::Script::new([support::data(PAGE), support::Step::Pause]);
    let response = through(&layer(), agent("/"), Response::from_parts(parts, body)).await;
    assert_eq!(masked(response.headers()), markdown_head(&[]));
}

#[tokio::test]
async fn html_differs_in_vary_alone() {
    let response = through(&layer(), browser("/"), original(200)).await;
    assert_eq!(fields(response.headers()), html_head());
    assert!(response.extensions().get::<Decision>().is_none());
    assert_eq!(collect(response.into_body()).await.text(), PAGE);
}

#[tokio::test]
async fn head_has_the_head_of_get_without_length_and_body() {
    let response = through(&layer(), agent("/").method("HEAD"), original(200)).await;
    assert_eq!(masked(response.headers()), markdown_head(&[]));
    let collected = collect(response.into_body()).await;
    assert!(collected.frames.is_empty());

    let response = through(&layer(), browser("/").method("HEAD"), original(200)).await;
    assert_eq!(fields(response.headers()), html_head());
}

#[tokio::test]
async fn a_304_has_the_vary_and_the_tag_of_the_variant() {
    let not_modified = |untyped: bool| {
        let mut response = original(304).map(|_| Full::<bytes::Bytes>::default());
        if untyped {
            response.headers_mut().remove("content-type");
        }
        response
    };
    let tag = through(&layer(), agent("/"), original(200)).await.headers()["etag"].clone();
    let request = || agent("/").header("if-none-match", tag.clone());
    for untyped in [true, false] {
        let response = through(&layer(), request(), not_modified(untyped)).await;
        assert_eq!(response.status(), 304);
        let mut expected = markdown_head(&[]);
        expected.retain(|field| !untyped || !field.starts_with("content-type:"));
        assert_eq!(masked(response.headers()), expected, "untyped: {untyped}");
        assert_eq!(response.headers()["etag"], tag);
        assert_eq!(response.extensions().get(), Some(&Decision::NotModified));

        let response = through(&layer(), browser("/"), not_modified(untyped)).await;
        let mut expected = html_head();
        expected.retain(|field| !untyped || !field.starts_with("content-type:"));
        assert_eq!(fields(response.headers()), expected);
    }
}

#[tokio::test]
async fn an_error_page_passes_unless_the_operator_wants_it_converted() {
    for status in [404, 500] {
        let response = through(&layer(), agent("/"), original(status)).await;
        assert_eq!(response.status(), status);
        assert_eq!(fields(response.headers()), html_head());
        assert_eq!(
            response.extensions().get(),
            Some(&Decision::Passthrough(Reason::Status))
        );
        assert_eq!(collect(response.into_body()).await.text(), PAGE);

        let response = through(&layer().error_pages(true), agent("/"), original(status)).await;
        assert_eq!(response.status(), status);
        let markdown = markdown_of(Options::new(), None, PAGE);
        let length = format!("content-length: {}", markdown.len());
        let tokens = format!("x-markdown-tokens: {}", markdown.len().div_ceil(4));
        assert_eq!(
            masked(response.headers()),
            markdown_head(&[&length, &tokens])
        );
    }
}

#[tokio::test]
async fn opting_out_changes_nothing() {
    let mut untouched: Vec<String> = FIELDS
        .iter()
        .map(|(name, value, _)| format!("{name}: {value}"))
        .collect();
    untouched.sort();

    let response = through(&layer(), agent("/").extension(NoMarkdown), original(200)).await;
    assert_eq!(fields(response.headers()), untouched);

    let mut refused = original(200);
    refused.extensions_mut().insert(NoMarkdown);
    let response = through(&layer(), agent("/"), refused).await;
    assert_eq!(fields(response.headers()), untouched);
    assert_eq!(
        response.extensions().get(),
        Some(&Decision::Passthrough(Reason::OptedOut))
    );

    let layer = layer().convert_when(Path::under("/docs"));
    for request in [agent("/blog"), browser("/blog")] {
        let response = through(&layer, request, original(200)).await;
        assert_eq!(fields(response.headers()), untouched);
        assert_eq!(collect(response.into_body()).await.text(), PAGE);
    }
    let response = through(&layer, browser("/docs/a"), original(200)).await;
    assert_eq!(fields(response.headers()), html_head());
}

#[tokio::test]
async fn what_the_law_refuses_passes_with_vary() {
    for (status, field, reason) in [
        (201, ("x-a", "b"), Reason::Status),
        (203, ("x-a", "b"), Reason::Status),
        (206, ("content-range", "bytes 0-9/90"), Reason::Status),
        (301, ("location", "/b"), Reason::Status),
        (403, ("x-a", "b"), Reason::Status),
        (200, ("content-range", "bytes 0-9/90"), Reason::Partial),
        (
            200,
            ("cache-control", "no-transform, max-age=60"),
            Reason::NoTransform,
        ),
        (
            200,
            ("content-disposition", "attachment; filename=a.html"),
            Reason::Attachment,
        ),
        (
            200,
            ("content-encoding", "x-unknown"),
            Reason::ContentCoding,
        ),
        (
            200,
            ("content-encoding", "gzip, x-unknown"),
            Reason::ContentCoding,
        ),
    ] {
        let response = support::html()
            .status(status)
            .header(field.0, field.1)
            .header("etag", "\"v1\"");
        let response = response.body(Full::<bytes::Bytes>::from(PAGE)).unwrap();
        let mut expected = fields(response.headers());
        expected.push("vary: Accept".into());
        expected.sort();
        let response = through(&layer(), agent("/"), response).await;
        assert_eq!(fields(response.headers()), expected);
        assert_eq!(
            response.extensions().get(),
            Some(&Decision::Passthrough(reason))
        );
        assert_eq!(collect(response.into_body()).await.text(), PAGE);
    }
}

#[tokio::test]
async fn other_types_pass_untouched() {
    for content_type in [
        Some("application/json"),
        Some("text/plain; charset=utf-8"),
        Some("text/event-stream"),
        Some("text/html-sandboxed"),
        Some("text/x-component"),
        Some("application/grpc+proto"),
        Some("image/svg+xml"),
        Some(""),
        None,
    ] {
        let mut response = Response::builder()
            .header("etag", "\"v1\"")
            .header("accept-ranges", "bytes");
        if let Some(content_type) = content_type {
            response = response.header("content-type", content_type);
        }
        let response = response
            .body(Full::<bytes::Bytes>::from("<b>1</b>\n\n"))
            .unwrap();
        let expected = fields(response.headers());
        let response = through(&layer(), agent("/"), response).await;
        assert_eq!(fields(response.headers()), expected);
        assert_eq!(
            response.extensions().get(),
            Some(&Decision::Passthrough(Reason::NotHtml))
        );
        assert_eq!(collect(response.into_body()).await.text(), "<b>1</b>\n\n");
    }
}

#[tokio::test]
async fn markdown_of_the_inner_service_passes_with_vary() {
    for request in [agent("/"), browser("/")] {
        let native = Response::builder()
            .header("content-type", "text/markdown")
            .header("etag", "\"v1\"");
        let native = native
            .body(Full::<bytes::Bytes>::from("# Own\n\n* a <b>x</b>\n"))
            .unwrap();
        let response = through(&layer(), request, native).await;
        assert_eq!(
            fields(response.headers()),
            [
                "content-type: text/markdown",
                "etag: \"v1\"",
                "vary: Accept"
            ]
        );
        assert_eq!(
            collect(response.into_body()).await.text(),
            "# Own\n\n* a <b>x</b>\n"
        );
    }
}

#[tokio::test]
async fn xhtml_is_html_too() {
    let page = Response::builder().header("content-type", "application/xhtml+xml");
    let page = page.body(Full::<bytes::Bytes>::from(PAGE)).unwrap();
    let response = through(&layer(), agent("/"), page).await;
    assert_eq!(
        response.headers()["content-type"],
        "text/markdown; charset=utf-8"
    );
}

#[tokio::test]
async fn vary_is_merged_as_tokens() {
    for (lines, expected) in [
        (&[][..], &["Accept"][..]),
        (&["accept, Cookie"], &["accept, Cookie"]),
        (&["*"], &["*"]),
        (
            &["Accept-Encoding", "Cookie"],
            &["Accept-Encoding, Accept", "Cookie"],
        ),
        (&["Cookie", "Accept"], &["Cookie", "Accept"]),
    ] {
        for request in [agent("/"), browser("/")] {
            let page = lines
                .iter()
                .fold(support::html(), |page, line| page.header("vary", *line));
            let page = page.body(Full::<bytes::Bytes>::from(PAGE)).unwrap();
            let response = through(&layer(), request, page).await;
            let vary: Vec<_> = response.headers().get_all("vary").iter().collect();
            assert_eq!(vary, expected);
        }
    }
}

#[tokio::test]
async fn options_that_set_fields_set_them_on_markdown_alone() {
    let layer = layer()
        .cdn_no_store(true)
        .content_signal(HeaderValue::from_static("ai-train=no, search=yes"));
    let page = || {
        support::html()
            .body(Full::<bytes::Bytes>::from(PAGE))
            .unwrap()
    };

    let response = through(&layer, agent("/"), page()).await;
    assert_eq!(
        response.headers()["content-signal"],
        "ai-train=no, search=yes"
    );
    assert_eq!(response.headers()["cdn-cache-control"], "no-store");

    let response = through(&layer, browser("/"), page()).await;
    assert_eq!(
        fields(response.headers()),
        ["content-type: text/html; charset=utf-8", "vary: Accept"]
    );

    let mut own = page();
    own.headers_mut()
        .insert("content-signal", HeaderValue::from_static("ai-train=yes"));
    let response = through(&layer, agent("/"), own).await;
    let signals: Vec<_> = response
        .headers()
        .get_all("content-signal")
        .iter()
        .collect();
    assert_eq!(signals, ["ai-train=yes"]);
}

#[tokio::test]
async fn a_closure_can_be_the_predicate() {
    let layer =
        layer().convert_when(|page: &Candidate<'_>| !page.headers().contains_key("x-draft"));
    let draft = support::html()
        .header("x-draft", "1")
        .body(Full::<bytes::Bytes>::from(PAGE))
        .unwrap();
    let response = through(&layer, agent("/"), draft).await;
    assert_eq!(
        fields(response.headers()),
        ["content-type: text/html; charset=utf-8", "x-draft: 1"]
    );
    assert_eq!(
        response.extensions().get(),
        Some(&Decision::Passthrough(Reason::Predicate))
    );
}

#[tokio::test]
async fn a_page_without_text_is_answered_as_it_is() {
    for page in ["", "<!doctype html><div id=root></div><br>"] {
        let response = support::html()
            .header("etag", "\"v1\"")
            .header("content-length", page.len());
        let response = response.body(Full::<bytes::Bytes>::from(page)).unwrap();
        let mut expected = fields(response.headers());
        expected.push("vary: Accept".into());
        expected.sort();
        let response = through(&layer(), agent("/"), response).await;
        assert_eq!(fields(response.headers()), expected);
        assert_eq!(
            response.extensions().get(),
            Some(&Decision::Passthrough(Reason::NoText))
        );
        assert_eq!(collect(response.into_body()).await.text(), page);
    }
}
