//! Requests and responses that are malformed, contradict themselves or are far too long.

mod support;

use bytes::Bytes;
use http::{Response, StatusCode};
use http_body_util::Full;
use markdown_for_agents::convert::Options;
use markdown_for_agents::{Decision, MarkdownForAgentsLayer, Reason};
use support::{Script, agent, browser, collect, fields, html, markdown_of, shaped, through};

const PAGE: &str = "<h1>Hi</h1><p>Body</p>";

fn layer() -> MarkdownForAgentsLayer {
    MarkdownForAgentsLayer::new()
}

fn page(response: http::response::Builder) -> Response<Full<Bytes>> {
    response.body(PAGE.into()).unwrap()
}

#[tokio::test]
async fn a_wrong_length_of_the_html_says_nothing_about_the_markdown() {
    for wrong in ["5", "22, 22", "500", "junk"] {
        let response = html().header("content-length", wrong);
        let response = through(&layer(), agent("/"), page(response)).await;
        let markdown = markdown_of(Options::new(), None, PAGE);
        assert_eq!(
            response.headers()["content-length"],
            markdown.len().to_string()
        );
        assert_eq!(collect(response.into_body()).await.bytes(), markdown);
    }
}

#[tokio::test]
async fn an_unknown_charset_is_as_good_as_none() {
    for media_type in [
        "text/html; charset=klingon-8",
        "TEXT/html;charset",
        "text/html ;; charset=\"\"",
    ] {
        let response = Response::builder().header("content-type", media_type);
        let response = response.body(Full::<Bytes>::from("<p>日本語</p>")).unwrap();
        let response = through(&layer(), agent("/"), response).await;
        assert_eq!(
            response.headers()["content-type"],
            "text/markdown; charset=utf-8"
        );
        assert_eq!(collect(response.into_body()).await.text(), "日本語\n");
    }
}

#[tokio::test]
async fn media_types_that_contradict_each_other_are_not_believed() {
    for types in [
        ["text/html", "application/json"],
        ["application/json", "text/html"],
        ["text/html", "text/markdown"],
    ] {
        let response = types.iter().fold(Response::builder(), |response, value| {
            response.header("content-type", *value)
        });
        let response = through(&layer(), agent("/"), page(response)).await;
        let sent: Vec<_> = response.headers().get_all("content-type").iter().collect();
        assert_eq!(sent, types);
        assert_eq!(response.headers().len(), 2);
        assert_eq!(
            response.extensions().get(),
            Some(&Decision::Passthrough(Reason::NotHtml))
        );
        assert_eq!(collect(response.into_body()).await.text(), PAGE);
    }
    let twice = html().header("content-type", "text/html");
    let response = through(&layer(), agent("/"), page(twice)).await;
    let sent: Vec<_> = response.headers().get_all("content-type").iter().collect();
    assert_eq!(sent, ["text/markdown; charset=utf-8"]);
}

#[tokio::test]
async fn what_is_no_entity_tag_leaves_no_entity_tag() {
    for etag in ["", "v1", "w/\"v1\"", "\"v1", "\"v1\", \"v2\"", "*"] {
        let response = through(&layer(), agent("/"), page(html().header("etag", etag))).await;
        assert!(!response.headers().contains_key("etag"), "{etag}");
        let response = through(&layer(), browser("/"), page(html().header("etag", etag))).await;
        assert_eq!(response.headers()["etag"], etag, "HTML keeps its head");
    }
}

#[tokio::test]
async fn the_framing_of_the_html_is_not_that_of_the_markdown() {
    // A proxy that hands on the head as it came leaves this to the server.
    let response = html().header("transfer-encoding", "chunked");
    let response = through(&layer(), agent("/"), page(response)).await;
    let markdown = markdown_of(Options::new(), None, PAGE);
    assert_eq!(
        fields(response.headers()),
        [
            format!("content-length: {}", markdown.len()),
            "content-type: text/markdown; charset=utf-8".to_owned(),
            "vary: Accept".to_owned(),
            format!("x-markdown-tokens: {}", markdown.len().div_ceil(4)),
        ]
    );
}

#[tokio::test]
async fn head_of_an_error_page_keeps_the_status_and_has_no_body() {
    for status in [StatusCode::NOT_FOUND, StatusCode::SERVICE_UNAVAILABLE] {
        for (convert, media_type) in [
            (true, "text/markdown; charset=utf-8"),
            (false, "text/html; charset=utf-8"),
        ] {
            let request = agent("/").method("HEAD");
            let response = html().status(status).header("retry-after", "7");
            let response = response.body(Script::new([])).unwrap();
            let layer = layer().error_pages(convert);
            let response = through(&layer, request, response).await;
            assert_eq!(response.status(), status);
            assert_eq!(
                fields(response.headers()),
                [
                    format!("content-type: {media_type}"),
                    "retry-after: 7".to_owned(),
                    "vary: Accept".to_owned(),
                ]
            );
            assert!(collect(response.into_body()).await.frames.is_empty());
        }
    }
}

#[tokio::test]
async fn fields_of_the_connection_reach_the_inner_service() {
    // Without `Upgrade` there is nothing to upgrade to, although some proxies always send this.
    let request = agent("/")
        .header("connection", "upgrade")
        .header("te", "trailers")
        .header("upgrade", "");
    let inner = shaped(&layer(), request).await;
    assert_eq!(
        fields(&inner.headers),
        [
            "accept-encoding: identity",
            "accept: text/markdown, text/html;q=0.999",
            "connection: upgrade",
            "te: trailers",
            "upgrade: ",
        ]
    );
}

#[tokio::test]
async fn a_hundred_thousand_media_ranges_are_read_to_the_last() {
    for separator in [",", " , ;;,", ";q=0.5,"] {
        let mut accept = format!("image/png{separator}").repeat(100_000);
        accept.push_str("text/markdown");
        let request = http::Request::builder().header("accept", accept);
        let response = through(&layer(), request, page(html())).await;
        assert_eq!(
            response.headers()["content-type"],
            "text/markdown; charset=utf-8"
        );
    }
}

#[tokio::test]
async fn ten_thousand_entity_tags_are_read_to_the_last() {
    let response = through(&layer(), agent("/"), page(html().header("etag", "\"v1\""))).await;
    let own = response.headers()["etag"].to_str().unwrap().to_owned();
    for other in ["\"v1\", ", "junk, ", "W/\"a,\"\"b\" , ", ",, "] {
        let list = other.repeat(10_000) + &own;
        let inner = shaped(&layer(), agent("/").header("if-none-match", list)).await;
        assert_eq!(inner.headers["if-none-match"], "\"v1\", W/\"v1\"");
    }
    // One that never ends.
    let list = own + ", \"" + &"x, ".repeat(10_000);
    let inner = shaped(&layer(), agent("/").header("if-none-match", list)).await;
    assert_eq!(inner.headers["if-none-match"], "\"v1\", W/\"v1\"");
}
