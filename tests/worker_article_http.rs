//! What a small edge worker for one site does about HTTP, and what was found missing in it: each
//! point by name.

mod support;

use bytes::Bytes;
use http::Response;
use http_body_util::Full;
use markdown_for_agents::MarkdownForAgentsLayer;
use support::{Script, Step, agent, browser, collect, data, fields, html, through};

const PAGE: &str = "<h1>Hi</h1><p>Body</p>";

fn page() -> Response<Full<Bytes>> {
    html().body(PAGE.into()).unwrap()
}

async fn content_type(request: http::request::Builder, response: Response<Full<Bytes>>) -> String {
    let response = through(&MarkdownForAgentsLayer::new(), request, response).await;
    response.headers()["content-type"]
        .to_str()
        .unwrap()
        .to_owned()
}

const MARKDOWN: &str = "text/markdown; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";

fn accept(value: &str) -> http::request::Builder {
    http::Request::builder().header("accept", value)
}

#[tokio::test]
async fn only_a_successful_get_of_html_by_who_asked_for_it_is_converted() {
    assert_eq!(content_type(agent("/"), page()).await, MARKDOWN);
    assert_eq!(content_type(agent("/").method("POST"), page()).await, HTML);
    assert_eq!(content_type(browser("/"), page()).await, HTML);
    let missing = html().status(404).body(PAGE.into()).unwrap();
    assert_eq!(content_type(agent("/"), missing).await, HTML);
}

#[tokio::test]
async fn an_asset_that_is_not_html_is_unchanged_when_markdown_is_requested() {
    for asset in ["image/png", "text/css", "application/xml"] {
        let response = Response::builder()
            .header("content-type", asset)
            .header("content-length", "22");
        let response = response.body(Full::<Bytes>::from(PAGE)).unwrap();
        let before = fields(response.headers());
        let response = through(&MarkdownForAgentsLayer::new(), agent("/"), response).await;
        assert_eq!(fields(response.headers()), before);
        assert_eq!(collect(response.into_body()).await.text(), PAGE);
    }
}

#[tokio::test]
async fn a_weight_of_zero_means_anything_but_markdown() {
    assert_eq!(
        content_type(accept("text/html, text/markdown;q=0"), page()).await,
        HTML
    );
    assert_eq!(
        content_type(accept("text/markdown;q=0.000, */*"), page()).await,
        HTML
    );
}

#[tokio::test]
async fn a_weight_beyond_one_is_no_weight() {
    assert_eq!(
        content_type(accept("text/markdown;q=1.1, text/html"), page()).await,
        HTML
    );
}

#[tokio::test]
async fn relative_weights_are_compared() {
    assert_eq!(
        content_type(accept("text/html;q=0.9, text/markdown;q=0.8"), page()).await,
        HTML
    );
    assert_eq!(
        content_type(accept("text/html;q=0.8, text/markdown;q=0.9"), page()).await,
        MARKDOWN
    );
}

#[tokio::test]
async fn the_type_is_read_and_not_searched_for() {
    assert_eq!(
        content_type(
            accept("application/text-markdown, text/markdown-like"),
            page()
        )
        .await,
        HTML
    );
    let shouting = Response::builder()
        .header("content-type", "TEXT/HTML")
        .body(PAGE.into())
        .unwrap();
    assert_eq!(content_type(agent("/"), shouting).await, MARKDOWN);
    let lookalike = Response::builder()
        .header("content-type", "text/htmlx")
        .body(PAGE.into())
        .unwrap();
    assert_eq!(content_type(agent("/"), lookalike).await, "text/htmlx");
}

#[tokio::test]
async fn fields_that_would_be_lies_are_gone() {
    let mut response = page();
    for (name, value) in [
        ("content-length", "22"),
        ("content-encoding", "identity"),
        ("content-md5", "Q2hlY2s="),
        ("etag", "\"v1\""),
        ("accept-ranges", "bytes"),
        ("digest", "SHA-256=AAAA"),
    ] {
        response.headers_mut().insert(name, value.parse().unwrap());
    }
    let response = through(&MarkdownForAgentsLayer::new(), agent("/"), response).await;
    for name in ["content-encoding", "content-md5", "accept-ranges", "digest"] {
        assert!(!response.headers().contains_key(name), "{name}");
    }
    assert_ne!(response.headers()["content-length"], "22");
    assert_ne!(response.headers()["etag"], "\"v1\"");
    // A part of the HTML is never converted in the first place.
    let mut part = page();
    part.headers_mut()
        .insert("content-range", "bytes 0-21/90".parse().unwrap());
    assert_eq!(content_type(agent("/"), part).await, HTML);
}

#[tokio::test]
async fn a_shared_cache_can_tell_the_variants_apart() {
    for request in [agent("/"), browser("/")] {
        let response = through(&MarkdownForAgentsLayer::new(), request, page()).await;
        assert_eq!(response.headers()["vary"], "Accept");
    }
    let mut star = page();
    star.headers_mut().insert("vary", "*".parse().unwrap());
    let response = through(&MarkdownForAgentsLayer::new(), agent("/"), star).await;
    assert_eq!(response.headers()["vary"], "*");
}

#[tokio::test]
async fn if_anything_fails_the_original_goes_out() {
    let body = Script::new([data(PAGE), Step::Fail]);
    let response = through(
        &MarkdownForAgentsLayer::new(),
        agent("/"),
        html().body(body).unwrap(),
    )
    .await;
    assert_eq!(response.headers()["content-type"], HTML);
    assert_eq!(collect(response.into_body()).await.text(), PAGE);
}
