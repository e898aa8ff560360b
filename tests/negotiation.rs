//! Every kind of `Accept` that agents and browsers send, through the layer.

mod support;

use http::Request;
use http_body_util::Full;
use markdown_for_agents::{
    AcceptShaping, ForceMarkdown, MarkdownForAgentsLayer, NoMarkdown, TiePolicy,
};
use support::{collect, fields, html, shaped, through};

const PAGE: &str = "<h1>Hi</h1><p>Body</p>";

fn page() -> http::Response<Full<bytes::Bytes>> {
    html().body(PAGE.into()).unwrap()
}

fn accepting(lines: &[&str]) -> http::request::Builder {
    lines.iter().fold(Request::builder(), |request, line| {
        request.header("accept", *line)
    })
}

async fn answers_markdown(layer: &MarkdownForAgentsLayer, request: http::request::Builder) -> bool {
    let response = through(layer, request, page()).await;
    assert_eq!(response.headers()["vary"], "Accept");
    let markdown = match response.headers()["content-type"].to_str().unwrap() {
        "text/markdown; charset=utf-8" => true,
        "text/html; charset=utf-8" => false,
        other => panic!("{other}"),
    };
    let text = collect(response.into_body()).await.text();
    assert_eq!(text.contains("# Hi"), markdown);
    assert_eq!(text == PAGE, !markdown);
    markdown
}

#[tokio::test]
async fn markdown_is_answered_to_those_who_prefer_it() {
    for accept in [
        "text/markdown",
        "text/markdown, text/html, */*",
        "text/markdown, text/html;q=0.9, */*;q=0.1",
        "text/markdown, text/plain;q=0.9, */*;q=0.8",
        "text/markdown;q=1.0, text/x-markdown;q=0.9, text/plain;q=0.8, text/html;q=0.7, */*;q=0.1",
        "text/plain;q=1.0, text/markdown;q=0.9, text/html;q=0.8, */*;q=0.1",
        "text/markdown, text/plain;q=0.9, application/json;q=0.9, text/html;q=0.8, application/pdf;q=0.7, video/*;q=0.7, */*;q=0.5",
        "text/markdown,text/html;q=0.9,text/plain;q=0.9,application/json;q=0.9,application/xhtml+xml;q=0.9,*/*;q=0.8",
        "text/html,text/markdown,text/plain,application/xhtml+xml,*/*;q=0.5",
        "text/html;q=0, text/*",
        "text/html;q=0, */*;q=0.1",
        "text/html;level=1;q=1, text/html;q=0.3, text/markdown;q=0.5",
        "text/markdown;charset=utf-8",
        "text/markdown;variant=GFM",
        "text/x-markdown",
        "TEXT/Markdown ; Q=0.9 , Text/HTML;q=0.8",
        "text/html;q=0.5\t,\ttext/markdown",
    ] {
        assert!(
            answers_markdown(&MarkdownForAgentsLayer::new(), accepting(&[accept])).await,
            "{accept}"
        );
    }
}

#[tokio::test]
async fn html_is_answered_to_everybody_else() {
    for accept in [
        "text/html;q=1.0, application/xhtml+xml;q=0.9, text/plain;q=0.8, text/markdown;q=0.7, */*;q=0.1",
        "application/json, text/plain, */*",
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
        "*/*",
        "text/*",
        "",
        "text/html;q=1.0, text/markdown;q=0.5",
        "text/html, text/markdown;q=0",
        "text/markdown;q=0, */*",
        "text/markdown;q=0.5, */*",
        "text/markdown;q=0, text/html;q=0",
        "text/markdown;q=abc, text/html",
        "text/markdown;q=1.5, text/html",
        "text/markdown;q=1e-1, text/html",
        r#"application/json;profile="x, text/markdown, y", text/html;q=0.1"#,
        "application/x-text-markdown, text/markdownish, text/html;q=0.2",
        ";;;,,,text/markdown;;q=,",
        "text/markdown;profile=x, text/html",
        "text/*;q=0, */*;q=0",
        r#"text/html;x="text/markdown"#,
    ] {
        assert!(
            !answers_markdown(&MarkdownForAgentsLayer::new(), accepting(&[accept])).await,
            "{accept}"
        );
    }
    assert!(
        !answers_markdown(&MarkdownForAgentsLayer::new(), accepting(&[])).await,
        "absent"
    );
}

#[tokio::test]
async fn several_lines_are_one_list() {
    let request = || accepting(&["text/html;q=0.5", "text/markdown"]);
    assert!(answers_markdown(&MarkdownForAgentsLayer::new(), request()).await);
}

#[tokio::test]
async fn bytes_that_are_no_text_never_fail_a_request() {
    let value =
        http::HeaderValue::from_bytes(b"text/markdown\xff, \x80;q=1, text/html;q=0.1").unwrap();
    let request = Request::builder().header("accept", value);
    assert!(!answers_markdown(&MarkdownForAgentsLayer::new(), request).await);
}

#[tokio::test]
async fn ties_go_where_the_operator_wants_them() {
    let html_first = "text/html,text/markdown,text/plain,application/xhtml+xml,*/*;q=0.5";
    let markdown_first = "text/markdown, text/html, */*";
    for (policy, accept, expected) in [
        (TiePolicy::Markdown, html_first, true),
        (TiePolicy::FirstListed, html_first, false),
        (TiePolicy::FirstListed, markdown_first, true),
        (TiePolicy::Html, markdown_first, false),
        (TiePolicy::Html, "text/markdown, text/html;q=0.999", true),
    ] {
        let layer = MarkdownForAgentsLayer::new().ties(policy);
        assert_eq!(
            answers_markdown(&layer, accepting(&[accept])).await,
            expected,
            "{policy:?} {accept}"
        );
    }
}

#[tokio::test]
async fn only_get_and_head_are_negotiated() {
    for method in [
        "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "PROPFIND",
    ] {
        let request = accepting(&["text/markdown"])
            .method(method)
            .header("range", "bytes=0-1");
        let response = through(&MarkdownForAgentsLayer::new(), request, page()).await;
        assert_eq!(
            fields(response.headers()),
            ["content-type: text/html; charset=utf-8"],
            "{method}"
        );
        assert_eq!(collect(response.into_body()).await.text(), PAGE);
    }
}

#[tokio::test]
async fn other_methods_reach_the_inner_service_as_they_came() {
    let request = accepting(&["text/markdown"])
        .method("POST")
        .header("range", "bytes=0-1")
        .header("if-none-match", "\"a\"")
        .header("accept-encoding", "gzip");
    let inner = shaped(&MarkdownForAgentsLayer::new(), request).await;
    assert_eq!(
        fields(&inner.headers),
        [
            "accept-encoding: gzip",
            "accept: text/markdown",
            "if-none-match: \"a\"",
            "range: bytes=0-1"
        ]
    );
}

#[tokio::test]
async fn upgrades_pass_both_ways() {
    let request = || {
        accepting(&["text/markdown"])
            .header("connection", "keep-alive, Upgrade")
            .header("upgrade", "websocket")
            .header("range", "bytes=0-1")
    };
    let inner = shaped(&MarkdownForAgentsLayer::new(), request()).await;
    assert_eq!(inner.headers.len(), 4);
    assert_eq!(inner.headers["accept"], "text/markdown");
    let switching = http::Response::builder()
        .status(101)
        .header("upgrade", "websocket");
    let switching = switching.body(Full::<bytes::Bytes>::default()).unwrap();
    let response = through(&MarkdownForAgentsLayer::new(), request(), switching).await;
    assert_eq!(fields(response.headers()), ["upgrade: websocket"]);
    // A server may also ignore the wish and answer with a page, which a cache may keep.
    let response = through(&MarkdownForAgentsLayer::new(), request(), page()).await;
    assert_eq!(
        fields(response.headers()),
        ["content-type: text/html; charset=utf-8", "vary: Accept"]
    );
}

#[tokio::test]
async fn an_offer_of_h2c_is_no_upgrade() {
    let request = accepting(&["text/markdown"])
        .header("connection", "Upgrade, HTTP2-Settings")
        .header("upgrade", "h2c");
    assert!(answers_markdown(&MarkdownForAgentsLayer::new(), request).await);
}

#[tokio::test]
async fn a_request_for_markdown_becomes_one_for_html() {
    let request = accepting(&["text/markdown"])
        .header("accept-encoding", "x-unknown")
        .header("range", "bytes=0-1")
        .header("if-range", "\"a\"")
        .header("if-none-match", "\"a\"")
        .header("if-modified-since", "Tue, 01 Sep 2026 10:00:00 GMT")
        .header("if-match", "\"b\"")
        .header("if-unmodified-since", "Tue, 01 Sep 2026 10:00:00 GMT")
        .header("cookie", "c=1");
    let inner = shaped(&MarkdownForAgentsLayer::new(), request).await;
    assert_eq!(
        fields(&inner.headers),
        [
            "accept-encoding: identity",
            "accept: text/markdown, text/html;q=0.999",
            "cookie: c=1",
            "if-match: \"b\"",
            "if-unmodified-since: Tue, 01 Sep 2026 10:00:00 GMT",
        ]
    );
}

#[tokio::test]
async fn a_request_for_html_reaches_the_inner_service_as_it_came() {
    let request = support::browser("/")
        .header("accept-encoding", "gzip, x-unknown")
        .header("range", "bytes=0-1")
        .header("if-range", "\"a\"")
        .header("if-none-match", "\"a\" , W/\"b\"")
        .header("if-modified-since", "Tue, 01 Sep 2026 10:00:00 GMT");
    let expected = fields(request.headers_ref().unwrap());
    let inner = shaped(&MarkdownForAgentsLayer::new(), request).await;
    assert_eq!(fields(&inner.headers), expected);
}

#[tokio::test]
async fn accept_is_shaped_as_the_operator_wants_it() {
    for (shaping, expected) in [
        (AcceptShaping::Widen, "text/markdown, text/html;q=0.999"),
        (AcceptShaping::HtmlOnly, "text/html"),
        (AcceptShaping::Unchanged, "text/markdown"),
    ] {
        let layer = MarkdownForAgentsLayer::new().accept(shaping);
        let inner = shaped(&layer, accepting(&["text/markdown"])).await;
        assert_eq!(
            fields(&inner.headers)[1],
            format!("accept: {expected}"),
            "{shaping:?}"
        );
    }
}

#[tokio::test]
async fn extensions_of_a_request_opt_in_and_out() {
    let layer = MarkdownForAgentsLayer::new();
    assert!(answers_markdown(&layer, support::browser("/").extension(ForceMarkdown)).await);
    assert!(
        answers_markdown(
            &layer,
            accepting(&["application/json"]).extension(ForceMarkdown)
        )
        .await
    );
    let inner = shaped(
        &layer,
        accepting(&["application/json"]).extension(ForceMarkdown),
    )
    .await;
    assert_eq!(inner.headers["accept"], "text/markdown, text/html;q=0.999");
    let post = Request::builder().method("POST").extension(ForceMarkdown);
    assert!(answers_markdown(&layer, post).await);

    for request in [
        accepting(&["text/markdown"]),
        Request::builder().extension(ForceMarkdown),
    ] {
        let response = through(&layer, request.extension(NoMarkdown), page()).await;
        assert_eq!(
            fields(response.headers()),
            ["content-type: text/html; charset=utf-8"]
        );
    }
}

#[tokio::test]
async fn extensions_of_a_response_opt_in_and_out() {
    let layer = MarkdownForAgentsLayer::new();
    let mut forced = page();
    forced.extensions_mut().insert(ForceMarkdown);
    let response = through(&layer, support::browser("/"), forced).await;
    assert_eq!(
        response.headers()["content-type"],
        "text/markdown; charset=utf-8"
    );
    assert_eq!(response.headers()["vary"], "Accept");

    for request in [support::agent("/"), support::browser("/")] {
        let mut refused = page();
        refused.extensions_mut().insert(NoMarkdown);
        let response = through(&layer, request, refused).await;
        assert_eq!(
            fields(response.headers()),
            ["content-type: text/html; charset=utf-8"]
        );
    }
}

#[tokio::test]
async fn user_agents_count_only_when_the_operator_says_so() {
    let bot = |accept: &str| {
        Request::builder()
            .header("accept", accept)
            .header("user-agent", "GPTBot/1.2 (+https://example.com)")
    };
    assert!(!answers_markdown(&MarkdownForAgentsLayer::new(), bot("*/*")).await);

    let layer = MarkdownForAgentsLayer::new().user_agents(["ClaudeBot", "GPTBot"]);
    for (request, expected) in [
        (bot("*/*"), "text/markdown; charset=utf-8"),
        (bot("text/html,*/*;q=0.8"), "text/markdown; charset=utf-8"),
        (
            bot("text/html, text/markdown;q=0"),
            "text/html; charset=utf-8",
        ),
        (
            support::browser("/").header("user-agent", "Mozilla/5.0 (GPTBot)"),
            "text/html; charset=utf-8",
        ),
    ] {
        let response = through(&layer, request, page()).await;
        assert_eq!(response.headers()["content-type"], expected);
        assert_eq!(response.headers()["vary"], "Accept, User-Agent");
    }
}
