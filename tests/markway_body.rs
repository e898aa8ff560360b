//! The bodies of MarkWay over inner bodies that behave as badly as they may.
#![cfg(feature = "markway")]

mod support;

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, Request, Response};
use http_body::Body;
use http_body_util::Empty;
use markdown_for_agents::markway::{Language, MarkWayLayer, json_to_markdown};
use std::convert::Infallible;
use support::{Collected, Script, ScriptError, Step, collect, data};
use tower::{Layer, ServiceExt, service_fn};

const PREAMBLE: &str =
    "https://example.com\n\n> 本站遵循MarkWay协议：https://example.com/protocol\n\n";

/// The answer of a dynamic site whose inner service answers with this body.
async fn answer(
    method: &str,
    content_type: &'static str,
    body: impl Fn() -> Script + Clone,
) -> Response<impl Body<Data = Bytes, Error = markdown_for_agents::BoxError>> {
    let inner = service_fn(move |_: Request<Empty<Bytes>>| {
        let response = Response::builder()
            .header(CONTENT_TYPE, content_type)
            .body(body());
        async move { Ok::<_, Infallible>(response.unwrap()) }
    });
    let site = MarkWayLayer::dynamic("https://example.com".parse().unwrap()).layer(inner);
    let request = Request::builder()
        .method(method)
        .uri("/page")
        .body(Empty::new())
        .unwrap();
    site.oneshot(request).await.unwrap()
}

async fn page(body: impl Fn() -> Script + Clone) -> Collected {
    let response = answer("GET", "text/markdown", body).await;
    assert_eq!(
        response.headers()[CONTENT_TYPE],
        "text/markdown; charset=utf-8"
    );
    assert!(!response.headers().contains_key(CONTENT_LENGTH));
    collect(response.into_body()).await
}

fn trailers() -> HeaderMap {
    HeaderMap::from_iter([("x-end".parse().unwrap(), "yes".parse().unwrap())])
}

#[tokio::test]
async fn the_answer_depends_on_the_bytes_and_not_on_their_frames() {
    let long = format!(
        "Text 中文\n\n{}\n\n# Späte Überschrift\n",
        "Wörter ".repeat(3_000)
    );
    let pages = [
        ("# Title\n\nText\n", "# Title\n\nText\n"),
        ("---\ntitle: Matter\n---\n\nText\n", "# Matter\n\nText\n"),
        ("Text\n\n# Later\n", "# Later\n\nText\n\n# Later\n"),
        ("", "# page\n\n"),
        // The title comes after the part that is looked at.
        (&long, &format!("# page\n\n{long}")),
    ];
    for (text, expected) in pages {
        for piece in [1, 2, 3, 7, 100, 16 * 1024 - 1, 16 * 1024, 1 << 20] {
            if piece < 100 && text.len() > 1_000 {
                continue;
            }
            let text = text.to_owned();
            let collected = page(move || Script::hostile(text.as_bytes(), piece)).await;
            assert_eq!(
                collected.text(),
                format!("{PREAMBLE}{expected}"),
                "pieces of {piece}"
            );
            assert!(collected.error.is_none() && collected.trailers.is_none());
        }
    }
    let text = long.clone();
    let collected = page(move || Script::pieces(text.as_bytes(), 1)).await;
    assert_eq!(collected.text(), format!("{PREAMBLE}# page\n\n{long}"));
}

#[tokio::test]
async fn bytes_that_are_no_text_are_passed_on_behind_the_preamble() {
    let collected = page(|| Script::hostile(b"# Title\xff\n\xfe\xfd", 1)).await;
    let mut expected = PREAMBLE.as_bytes().to_vec();
    expected.extend_from_slice(b"# Title\xff\n\xfe\xfd");
    assert_eq!(collected.bytes(), expected);
}

#[tokio::test]
async fn trailers_come_after_the_last_byte() {
    for text in ["# Title\n\nText\n", "no title"] {
        let collected =
            page(move || Script::hostile(text.as_bytes(), 2).then(Step::Trailers(trailers())))
                .await;
        assert!(collected.text().ends_with(text));
        assert_eq!(collected.trailers, Some(trailers()));
    }
}

#[tokio::test]
async fn an_error_of_the_inner_body_comes_after_all_that_was_before_it() {
    for text in ["# Title\n\nText", "no title", ""] {
        let collected = page(move || Script::hostile(text.as_bytes(), 2).then(Step::Fail)).await;
        assert!(
            collected.text().starts_with(PREAMBLE) && collected.text().ends_with(text),
            "{text}"
        );
        assert!(collected.error.unwrap().is::<ScriptError>());
    }
}

#[tokio::test]
async fn a_title_at_the_beginning_leaves_before_the_rest_is_there() {
    let response = answer("GET", "text/markdown", || {
        Script::new([data("# Title\n\nTe"), Step::Hang])
    })
    .await;
    let mut body = std::pin::pin!(response.into_body());
    let mut text = Vec::new();
    while text.len() < PREAMBLE.len() + 11 {
        let frame = http_body_util::BodyExt::frame(&mut body)
            .await
            .unwrap()
            .unwrap();
        text.extend_from_slice(&frame.into_data().unwrap());
    }
    assert_eq!(
        String::from_utf8(text).unwrap(),
        format!("{PREAMBLE}# Title\n\nTe")
    );
}

#[tokio::test]
async fn a_result_in_json_is_whole_or_untouched() {
    let json = br#"{"id": 123, "name": "\u4e2d\u6587", "list": [1, 2]}"#;
    let expected = json_to_markdown(json, Language::Chinese).unwrap();
    for piece in [1, 5, 1000] {
        let response = answer("POST", "application/json; charset=utf-8", move || {
            Script::hostile(json, piece)
        })
        .await;
        assert_eq!(
            response.headers()[CONTENT_TYPE],
            "text/markdown; charset=utf-8"
        );
        assert_eq!(
            response.headers()[CONTENT_LENGTH],
            expected.len().to_string()
        );
        assert_eq!(collect(response.into_body()).await.text(), expected);
    }

    let response = answer("POST", "application/problem+json", move || {
        Script::hostile(json, 3).then(Step::Trailers(trailers()))
    })
    .await;
    assert!(!response.headers().contains_key(CONTENT_LENGTH));
    let collected = collect(response.into_body()).await;
    assert_eq!(
        (collected.text(), collected.trailers),
        (expected, Some(trailers()))
    );

    let response = answer("POST", "application/json", move || {
        Script::hostile(&json[..20], 3).then(Step::Fail)
    })
    .await;
    assert_eq!(response.headers()[CONTENT_TYPE], "application/json");
    let collected = collect(response.into_body()).await;
    assert_eq!(collected.bytes(), &json[..20]);
    assert!(collected.error.unwrap().is::<ScriptError>());
}

#[tokio::test]
async fn an_endless_result_in_json_is_not_held() {
    let response = answer("POST", "application/json", || {
        Script::pieces(&vec![b' '; 3 << 20], 64 << 10)
    })
    .await;
    assert_eq!(response.headers()[CONTENT_TYPE], "application/json");
    assert_eq!(collect(response.into_body()).await.bytes().len(), 3 << 20);
}

#[tokio::test]
async fn what_must_not_be_changed_is_not() {
    for (name, value) in [
        ("cache-control", "private, no-transform"),
        ("content-encoding", "gzip"),
        ("content-disposition", "attachment; filename=\"a.md\""),
    ] {
        for (method, content_type) in [("GET", "text/markdown"), ("POST", "application/json")] {
            let inner = service_fn(move |_: Request<Empty<Bytes>>| async move {
                let response = Response::builder()
                    .header(CONTENT_TYPE, content_type)
                    .header(name, value)
                    .header("etag", "\"v1\"");
                Ok::<_, Infallible>(response.body(Script::hostile(b"[1]", 1)).unwrap())
            });
            let site = MarkWayLayer::dynamic("https://example.com".parse().unwrap()).layer(inner);
            let request = Request::builder()
                .method(method)
                .uri("/page")
                .body(Empty::new())
                .unwrap();
            let response = site.oneshot(request).await.unwrap();
            let expected = [
                format!("{name}: {value}"),
                format!("content-type: {content_type}"),
                "etag: \"v1\"".to_owned(),
                "vary: Accept".to_owned(),
            ];
            let mut fields = support::fields(response.headers());
            fields.sort();
            let mut expected = expected.to_vec();
            expected.sort();
            assert_eq!(fields, expected, "{name} {method}");
            assert_eq!(
                collect(response.into_body()).await.text(),
                "[1]",
                "{name} {method}"
            );
        }
    }
}

#[test]
fn bodies_and_futures_can_be_sent_and_shared() {
    fn sent_and_shared<T: Send + Sync>(_: &T) {}
    fn shared<B: Send + Sync>() {
        fn assert<T: Send + Sync>() {}
        assert::<markdown_for_agents::markway::MarkWayBody<B>>();
    }
    shared::<Empty<Bytes>>();
    let inner = service_fn(|_: Request<Empty<Bytes>>| {
        std::future::ready(Ok::<_, Infallible>(Response::new(Empty::<Bytes>::new())))
    });
    let site = MarkWayLayer::static_site("https://example.com".parse().unwrap()).layer(inner);
    sent_and_shared(&site);
    sent_and_shared(&site.oneshot(Request::get("/a.md").body(Empty::new()).unwrap()));
}
