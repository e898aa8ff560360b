//! The address of a page, which its links and its front matter are made from.

mod support;

use bytes::Bytes;
use http::Request;
use http_body_util::Full;
use markdown_for_agents::convert::Options;
use markdown_for_agents::{MarkdownForAgentsLayer, OriginErrorKind};
use support::{agent, collect, html, markdown_of, through};

const PAGE: &str = "<title>T</title><h1>Hi</h1><p><a href=b>Link</a></p>";

/// Asserts that the Markdown is that of a page with this address.
#[track_caller]
fn assert_address(
    layer: &MarkdownForAgentsLayer,
    request: http::request::Builder,
    url: Option<&str>,
) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let markdown = runtime.block_on(async {
        let response = html().body(Full::<Bytes>::from(PAGE)).unwrap();
        collect(through(layer, request, response).await.into_body())
            .await
            .bytes()
    });
    assert_eq!(markdown, markdown_of(Options::new(), url, PAGE));
}

#[test]
fn it_is_that_of_the_request() {
    let layer = MarkdownForAgentsLayer::new();
    assert_address(
        &layer,
        agent("/a?b=c").header("host", "example.com"),
        Some("http://example.com/a?b=c"),
    );
    let absolute = Request::builder()
        .uri("https://example.org/a")
        .header("accept", "text/markdown");
    assert_address(
        &layer,
        absolute.header("host", "example.com"),
        Some("https://example.org/a"),
    );
    assert_address(&layer, agent("/a"), None);
    assert_address(&layer, agent("/a").header("host", "not a host"), None);
}

#[test]
fn a_public_origin_wins() {
    let layer = MarkdownForAgentsLayer::new()
        .trust_forwarded(true)
        .public_origin("https://example.com/")
        .unwrap();
    let request = agent("/a?b=c")
        .header("host", "10.0.0.1")
        .header("x-forwarded-host", "example.org");
    assert_address(&layer, request, Some("https://example.com/a?b=c"));
    let error = MarkdownForAgentsLayer::new()
        .public_origin("https://example.com/docs")
        .unwrap_err();
    assert_eq!(error.kind(), OriginErrorKind::NotBare);
    assert_eq!(
        error.to_string(),
        "the public origin may have only a scheme, host and port, and as a base also a path"
    );
}

#[test]
fn forwarded_fields_count_only_when_they_are_trusted() {
    let request = || {
        let request = agent("/a").header("host", "10.0.0.1");
        request
            .header("x-forwarded-host", "example.com")
            .header("x-forwarded-proto", "https")
    };
    let layer = MarkdownForAgentsLayer::new();
    assert_address(&layer, request(), Some("http://10.0.0.1/a"));
    let trusting = layer.trust_forwarded(true);
    assert_address(&trusting, request(), Some("https://example.com/a"));
    let standard = request().header(
        "forwarded",
        "for=1.2.3.4;proto=http;host=example.org, host=example.net",
    );
    assert_address(&trusting, standard, Some("http://example.org/a"));
}
