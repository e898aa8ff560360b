//! The embedded site: ordinary pages, written without a thought of Markdown.

use axum::{
    Router,
    body::{Body, Bytes},
    http::{StatusCode, header::CONTENT_TYPE},
    response::{Html, IntoResponse},
    routing::get,
};
use http_body_util::channel::{Channel, SendError};
use std::{convert::Infallible, time::Duration};

const PAGES: [(&str, &str); 6] = [
    ("/", include_str!("site/index.html")),
    (
        "/docs/getting-started",
        include_str!("site/docs/getting-started.html"),
    ),
    ("/docs/http-api", include_str!("site/docs/http-api.html")),
    (
        "/blog/a-year-on-the-roof",
        include_str!("site/blog/a-year-on-the-roof.html"),
    ),
    ("/shop/station-2", include_str!("site/shop/station-2.html")),
    ("/zh/", include_str!("site/zh/index.html")),
];

const ASSETS: [(&str, &str, &str); 5] = [
    (
        "/assets/site.css",
        "text/css; charset=utf-8",
        include_str!("site/assets/site.css"),
    ),
    (
        "/assets/site.js",
        "text/javascript; charset=utf-8",
        include_str!("site/assets/site.js"),
    ),
    (
        "/assets/station.svg",
        "image/svg+xml",
        include_str!("site/assets/station.svg"),
    ),
    (
        "/assets/chart.svg",
        "image/svg+xml",
        include_str!("site/assets/chart.svg"),
    ),
    (
        "/assets/mast.svg",
        "image/svg+xml",
        include_str!("site/assets/mast.svg"),
    ),
];

pub(crate) fn router() -> Router {
    let mut router = Router::new().route("/live", get(live)).fallback(not_found);
    for (path, page) in PAGES {
        router = router.route(path, get(move || async move { Html(page) }));
    }
    for (path, content_type, asset) in ASSETS {
        let headers = [(CONTENT_TYPE, content_type)];
        router = router.route(path, get(move || async move { (headers, asset) }));
    }
    router
}

async fn not_found() -> impl IntoResponse {
    (
        StatusCode::NOT_FOUND,
        Html(include_str!("site/not-found.html")),
    )
}

/// A page that takes a minute: its Markdown arrives line by line, as the HTML does.
async fn live() -> Html<Body> {
    let (mut page, body) = Channel::<Bytes, Infallible>::new(1);
    tokio::spawn(async move {
        page.send_data(Bytes::from_static(LIVE_START.as_bytes()))
            .await?;
        for second in 0..60_u32 {
            let tenths = 98 + second * 7 % 13;
            let item = format!("<li>{}.{} °C\n", tenths / 10, tenths % 10);
            page.send_data(item.into()).await?;
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        page.send_data(Bytes::from_static(LIVE_END.as_bytes()))
            .await?;
        // An error is a reader that left: nobody is there to be told.
        Ok::<(), SendError>(())
    });
    Html(Body::new(body))
}

const LIVE_START: &str = "<!doctype html>
<html lang=en>
<head><meta charset=utf-8><title>Live readings · Fieldnote</title><link rel=stylesheet href=/assets/site.css></head>
<body>
<header><nav aria-label=Main><a href=/>Fieldnote</a></nav></header>
<main>
<h1>Live readings</h1>
<p>The temperature on the roof, once a second for a minute.</p>
<ul>
";

const LIVE_END: &str = "</ul>
<p>That was the minute. <a href=/live>Once more</a>?</p>
</main>
</body>
</html>
";
