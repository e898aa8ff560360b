//! Content codings of the inner service, taken off while the page streams.
#![cfg(feature = "decompression")]

mod support;

use bytes::Bytes;
use compression_codecs::brotli::params::EncoderParams;
use compression_codecs::core::Level;
use compression_codecs::core::util::{PartialBuffer, WriteBuffer};
use compression_codecs::{
    BrotliEncoder, DeflateEncoder, EncodeV2, GzipEncoder, ZlibEncoder, ZstdEncoder,
};
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use markdown_for_agents::convert::Options;
use markdown_for_agents::{Decision, DecodeError, DecodeErrorKind, MarkdownForAgentsLayer, Reason};
use std::convert::Infallible;
use support::{
    Script, Step, agent, browser, collect, data, html, long_page, markdown_of, shaped, through,
};
use tower::{Layer, ServiceBuilder, ServiceExt, service_fn};
use tower_http::compression::CompressionLayer;
use tower_http::decompression::DecompressionLayer;

fn encode(mut encoder: impl EncodeV2, content: &[u8]) -> Vec<u8> {
    let mut buffer = vec![0; content.len() + 100_000];
    let mut output = WriteBuffer::new_initialized(&mut buffer);
    let mut input = PartialBuffer::new(content);
    while !input.unwritten().is_empty() {
        encoder.encode(&mut input, &mut output).unwrap();
    }
    while !encoder.finish(&mut output).unwrap() {}
    output.written().to_vec()
}

fn gzip(content: &[u8]) -> Vec<u8> {
    encode(GzipEncoder::new(Level::Default.into()), content)
}

fn encoded(coding: &str, content: &[u8]) -> Vec<u8> {
    match coding {
        "identity" => content.to_vec(),
        "gzip" | "x-gzip" | "GZip" => gzip(content),
        "br" => encode(
            BrotliEncoder::new(EncoderParams::default().quality(Level::Precise(5))),
            content,
        ),
        "zstd" => encode(ZstdEncoder::new(3), content),
        "deflate" => encode(ZlibEncoder::new(Level::Default.into()), content),
        _ => unreachable!(),
    }
}

fn layer() -> MarkdownForAgentsLayer {
    MarkdownForAgentsLayer::new()
}

#[tokio::test]
async fn every_coding_gives_the_same_markdown() {
    for page in [long_page(3000), long_page(300_000)] {
        let expected = markdown_of(Options::new(), None, &page);
        for coding in [
            "identity", "gzip", "x-gzip", "GZip", "br", "zstd", "deflate",
        ] {
            let content = encoded(coding, page.as_bytes());
            for body in [
                Script::hostile(&content, 1000),
                Script::pieces(&content, content.len()),
            ] {
                let response = html()
                    .header("content-encoding", coding)
                    .body(body)
                    .unwrap();
                let response = through(&layer(), agent("/"), response).await;
                assert_eq!(
                    response.headers()["content-type"],
                    "text/markdown; charset=utf-8",
                    "{coding}"
                );
                assert!(!response.headers().contains_key("content-encoding"));
                assert_eq!(
                    collect(response.into_body()).await.bytes(),
                    expected,
                    "{coding}"
                );
            }
        }
    }
}

#[tokio::test]
async fn raw_deflate_and_several_members_are_read() {
    let page = long_page(3000);
    let (left, right) = page.as_bytes().split_at(1000);
    let expected = markdown_of(Options::new(), None, &page);
    for (coding, content) in [
        (
            "deflate",
            encode(DeflateEncoder::new(Level::Default.into()), page.as_bytes()),
        ),
        ("gzip", [gzip(left), gzip(right), vec![0; 100]].concat()),
    ] {
        let response = html()
            .header("content-encoding", coding)
            .body(Script::hostile(&content, 10))
            .unwrap();
        let response = through(&layer(), agent("/"), response).await;
        assert_eq!(
            collect(response.into_body()).await.bytes(),
            expected,
            "{coding}"
        );
    }
}

#[tokio::test]
async fn what_is_flushed_is_converted_before_more_arrives() {
    let mut encoder = GzipEncoder::new(Level::Default.into());
    let mut buffer = vec![0; 1000];
    let mut output = WriteBuffer::new_initialized(&mut buffer);
    encoder
        .encode(
            &mut PartialBuffer::new(&b"<h1>Hi</h1><p>Body</p><p>"[..]),
            &mut output,
        )
        .unwrap();
    while !encoder.flush(&mut output).unwrap() {}
    let body = Script::new([data(output.written()), Step::Hang]);
    let response = html()
        .header("content-encoding", "gzip")
        .body(body)
        .unwrap();
    let mut body = Box::pin(through(&layer(), agent("/"), response).await.into_body());
    let first = body.frame().await.unwrap().unwrap().into_data().unwrap();
    assert!(std::str::from_utf8(&first).unwrap().contains("# Hi"));
}

#[tokio::test]
async fn what_cannot_be_decoded_passes_as_it_came() {
    let page = long_page(3000);
    let whole = gzip(page.as_bytes());
    let mut corrupt = whole.clone();
    let checksum = corrupt.len() - 6;
    corrupt[checksum] ^= 1;
    for (content, reason) in [
        (whole[..whole.len() / 2].to_vec(), Reason::DecodeFailed),
        (corrupt, Reason::DecodeFailed),
        (page.clone().into_bytes(), Reason::DecodeFailed),
        (Vec::new(), Reason::NoText),
    ] {
        for piece in [100, content.len().max(1)] {
            let response = html()
                .header("content-encoding", "gzip")
                .header("etag", "\"v1\"");
            let response = response.body(Script::pieces(&content, piece)).unwrap();
            let response = through(&layer(), agent("/"), response).await;
            assert_eq!(
                response.headers()["content-type"],
                "text/html; charset=utf-8"
            );
            assert_eq!(response.headers()["content-encoding"], "gzip");
            assert_eq!(response.headers()["etag"], "\"v1\"");
            assert_eq!(
                response.extensions().get(),
                Some(&Decision::Passthrough(reason))
            );
            assert_eq!(collect(response.into_body()).await.bytes(), content);
        }
    }
}

#[tokio::test]
async fn a_coding_that_breaks_after_the_head_left_breaks_the_body() {
    let content = gzip(long_page(300_000).as_bytes());
    let body = Script::pieces(&content[..content.len() / 2], 100);
    let response = html()
        .header("content-encoding", "gzip")
        .body(body)
        .unwrap();
    let response = through(&layer().hold_limit(1000), agent("/"), response).await;
    assert_eq!(
        response.headers()["content-type"],
        "text/markdown; charset=utf-8"
    );
    let error = collect(response.into_body()).await.error.unwrap();
    assert_eq!(
        error.downcast::<DecodeError>().unwrap().kind(),
        DecodeErrorKind::Truncated
    );
}

#[tokio::test]
async fn unknown_and_stacked_codings_pass_untouched() {
    let page = long_page(3000);
    let stacked = encoded("br", &gzip(page.as_bytes()));
    for (coding, content) in [
        ("gzip, br", &stacked[..]),
        ("x-unknown", page.as_bytes()),
        ("gzip, x-unknown", page.as_bytes()),
    ] {
        let response = html()
            .header("content-encoding", coding)
            .body(Full::new(Bytes::copy_from_slice(content)))
            .unwrap();
        let response = through(&layer(), agent("/"), response).await;
        assert_eq!(response.headers()["content-encoding"], coding);
        assert_eq!(
            response.extensions().get(),
            Some(&Decision::Passthrough(Reason::ContentCoding))
        );
        assert_eq!(collect(response.into_body()).await.bytes(), content);
    }
    // Unless the operator allows more than one.
    let response = html()
        .header("content-encoding", "gzip, br")
        .body(Script::hostile(&stacked, 7))
        .unwrap();
    let response = through(&layer().max_codings(2), agent("/"), response).await;
    assert_eq!(
        collect(response.into_body()).await.bytes(),
        markdown_of(Options::new(), None, &page)
    );
}

#[tokio::test]
async fn no_coding_is_taken_off_for_a_browser() {
    let content = gzip(long_page(3000).as_bytes());
    let response = html()
        .header("content-encoding", "gzip")
        .body(Full::new(Bytes::from(content.clone())))
        .unwrap();
    let response = through(&layer(), browser("/"), response).await;
    assert_eq!(response.headers()["content-encoding"], "gzip");
    assert_eq!(collect(response.into_body()).await.bytes(), content);
}

#[tokio::test]
async fn a_bomb_stops_at_the_budget() {
    const BUDGET: u64 = 1 << 20;
    let layer = layer().expansion_budget(BUDGET, 10);

    // No text: the original passes.
    let bomb = gzip("<div></div>".repeat(2 << 20).as_bytes());
    let response = html()
        .header("content-encoding", "gzip")
        .body(Script::pieces(&bomb, 1000))
        .unwrap();
    let response = through(&layer, agent("/"), response).await;
    assert_eq!(response.headers()["content-encoding"], "gzip");
    assert_eq!(
        response.extensions().get(),
        Some(&Decision::Passthrough(Reason::DecodeFailed))
    );
    assert_eq!(collect(response.into_body()).await.bytes(), bomb);

    // Text: the head has left, and the body breaks.
    let bomb = gzip("<p>boom</p>".repeat(1 << 20).as_bytes());
    let body = Script::pieces(&bomb, 100);
    let fate = body.fate();
    let response = html()
        .header("content-encoding", "gzip")
        .body(body)
        .unwrap();
    let response = through(&layer, agent("/"), response).await;
    let collected = collect(response.into_body()).await;
    assert!(collected.bytes().len() as u64 <= BUDGET);
    let error = collected.error.unwrap().downcast::<DecodeError>().unwrap();
    assert_eq!(error.kind(), DecodeErrorKind::TooLarge);
    assert!(fate.bytes() < bomb.len());
    assert!(collected.frames.iter().all(|frame| frame.len() <= 32 << 10));
}

#[tokio::test]
async fn the_inner_service_is_asked_for_what_both_sides_can() {
    for (client, inner) in [
        (None, "identity"),
        (Some("gzip, deflate, br, zstd"), "gzip, deflate, br, zstd"),
        (Some("br;q=0.5, dcb, *;q=0"), "br;q=0.500"),
        (Some("compress"), "identity"),
        (Some("identity;q=0, gzip"), "gzip"),
    ] {
        let mut request = agent("/");
        if let Some(client) = client {
            request = request.header("accept-encoding", client);
        }
        assert_eq!(
            shaped(&layer(), request).await.headers["accept-encoding"],
            inner,
            "{client:?}"
        );
    }
}

#[tokio::test]
async fn compression_works_inside_and_outside() {
    let page = long_page(100_000);
    let markdown = markdown_of(Options::new(), None, &page);
    let source = page.clone();
    let site = service_fn(move |_: Request<Full<Bytes>>| {
        let response = Response::builder().header("content-type", "text/html");
        let response = response.body(Full::<Bytes>::from(source.clone())).unwrap();
        async move { Ok::<_, Infallible>(response) }
    });
    let request = |accept: &'static str, coding: &'static str| {
        let request = Request::builder()
            .header("accept", accept)
            .header("accept-encoding", coding);
        request.body(Full::<Bytes>::default()).unwrap()
    };
    let inside = ServiceBuilder::new()
        .layer(layer())
        .layer(CompressionLayer::new())
        .service(site.clone());
    let outside = ServiceBuilder::new()
        .layer(CompressionLayer::new())
        .layer(layer())
        .service(site.clone());
    let both = ServiceBuilder::new()
        .layer(CompressionLayer::new())
        .layer(layer())
        .layer(CompressionLayer::new())
        .service(site);
    let undo = DecompressionLayer::new();

    for coding in ["gzip", "br", "zstd", "deflate"] {
        let response = inside
            .clone()
            .oneshot(request("text/markdown", coding))
            .await
            .unwrap();
        assert!(!response.headers().contains_key("content-encoding"));
        assert_eq!(response.headers()["vary"], "accept-encoding, Accept");
        assert_eq!(
            response.into_body().collect().await.unwrap().to_bytes(),
            markdown
        );

        let response = inside
            .clone()
            .oneshot(request("text/html", coding))
            .await
            .unwrap();
        assert_eq!(response.headers()["content-encoding"], coding);

        let response = outside
            .clone()
            .oneshot(request("text/markdown", coding))
            .await
            .unwrap();
        assert_eq!(response.headers()["content-encoding"], coding);
        assert!(!response.headers().contains_key("content-length"));
        for (accept, expected) in [
            ("text/markdown", &markdown[..]),
            ("text/html", page.as_bytes()),
        ] {
            let response = undo
                .layer(outside.clone())
                .oneshot(request(accept, coding))
                .await
                .unwrap();
            assert_eq!(
                response.into_body().collect().await.unwrap().to_bytes(),
                expected,
                "{coding}"
            );
            let response = undo
                .layer(both.clone())
                .oneshot(request(accept, coding))
                .await
                .unwrap();
            assert_eq!(
                response.into_body().collect().await.unwrap().to_bytes(),
                expected,
                "{coding}"
            );
        }
    }
}
