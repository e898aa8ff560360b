//! How long the first Markdown takes behind the first HTML of a page that comes slowly.

use crate::Failure;
use bytes::Bytes;
use http::{HeaderValue, Request, Response};
use http_body_util::{BodyExt, channel::Channel};
use markdown_for_agents::MarkdownForAgentsLayer;
use serde::Serialize;
use std::{
    convert::Infallible,
    time::{Duration, Instant},
};
use tokio::sync::oneshot;
use tower::{Layer, ServiceExt, service_fn};

const PAUSE: Duration = Duration::from_millis(50);
const PARAGRAPHS: usize = 20;

#[derive(Debug, Serialize)]
pub(crate) struct Trickle {
    /// From the first byte of HTML to the first byte of Markdown.
    pub(crate) first_markdown_ms: f64,
    pub(crate) last_markdown_ms: f64,
    pub(crate) pause_ms: f64,
}

pub(crate) async fn measure() -> Result<Trickle, Failure> {
    let (started, first_html) = oneshot::channel();
    let (mut sender, body) = Channel::<Bytes>::new(1);
    tokio::spawn(async move {
        let head = "<!doctype html><title>Slow</title><body><h1>Slow</h1><p>First words.</p>";
        let _ = started.send(Instant::now());
        let mut sent = sender.send_data(Bytes::from_static(head.as_bytes())).await;
        for _ in 0..PARAGRAPHS {
            tokio::time::sleep(PAUSE).await;
            if sent.is_err() {
                return;
            }
            sent = sender
                .send_data(Bytes::from_static(b"<p>More words of a page.</p>"))
                .await;
        }
    });
    let mut body = Some(body);
    let site = service_fn(move |_: Request<()>| {
        let mut response = Response::new(body.take().unwrap_or_else(|| Channel::new(1).1));
        let html = HeaderValue::from_static("text/html; charset=utf-8");
        response.headers_mut().insert("content-type", html);
        async move { Ok::<_, Infallible>(response) }
    });
    let request = Request::builder()
        .header("accept", "text/markdown")
        .body(())?;
    let response = MarkdownForAgentsLayer::new()
        .layer(site)
        .oneshot(request)
        .await?;
    let mut body = response.into_body();
    let mut first = None;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| error.to_string())?;
        if frame.data_ref().is_some_and(|data| !data.is_empty()) {
            first.get_or_insert_with(Instant::now);
        }
    }
    let start = first_html.await?;
    let ms = |at: Instant| at.duration_since(start).as_secs_f64() * 1e3;
    Ok(Trickle {
        first_markdown_ms: first.map(ms).ok_or("no Markdown came")?,
        last_markdown_ms: ms(Instant::now()),
        pause_ms: PAUSE.as_secs_f64() * 1e3,
    })
}
