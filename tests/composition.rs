//! The layers of this crate around each other, in every order.
#![cfg(all(feature = "agents-md", feature = "markway"))]

mod markway_support;

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use http::StatusCode;
use markdown_for_agents::MarkdownForAgentsLayer;
use markdown_for_agents::agents_md::{AgentsMd, AgentsMdLayer, Origin};
use markdown_for_agents::markway::{BaseUrl, MarkWayLayer, check};
use markway_support::Server;
use tower::Layer;

const FILE: &str = "# Shop\n\n## Can\n- Read\n";

fn application() -> Router {
    Router::new()
        .route("/", get(async || Html("<h1>Front</h1><p>text")))
        .fallback(async || (StatusCode::NOT_FOUND, Html("<h1>Not here</h1>")))
}

fn file() -> AgentsMdLayer {
    let document = AgentsMd::builder(Origin::of("https://shop.example").unwrap())
        .name("Shop")
        .can(["Read"])
        .build()
        .unwrap();
    AgentsMdLayer::new(&document)
}

/// The file at both of its addresses, for any client, and a page of the site beside it.
async fn file_is_untouched(name: &str, server: &Server, page: &str) {
    for path in ["/agents.md", "/.well-known/agents.md"] {
        for accept in ["*/*", "text/markdown", "text/html, */*;q=0.8"] {
            let answer = server.get_with(path, accept).await;
            assert_eq!(
                (answer.status, answer.text.as_str()),
                (StatusCode::OK, FILE),
                "{name} {path} {accept}"
            );
            assert_eq!(
                answer.header_names(),
                [
                    "cache-control",
                    "content-length",
                    "content-type",
                    "etag",
                    "vary"
                ],
                "{name} {path} {accept}"
            );
            assert!(answer.is_markdown(), "{name} {path} {accept}");
            assert_eq!(
                (answer.header("vary"), answer.header("content-length")),
                (Some("Accept"), Some(FILE.len().to_string().as_str())),
                "{name} {path} {accept}"
            );
            let tag = answer.header("etag").unwrap();
            assert!(
                tag.starts_with('"') && !tag.contains(";md-"),
                "{name} {tag}"
            );
        }
        let head = server.send("HEAD", path, &[], "").await;
        assert_eq!((head.status, head.text.as_str()), (StatusCode::OK, ""));
        let post = server.send("POST", path, &[], "x").await;
        assert_eq!(
            (post.status, post.header("allow"), post.header("vary")),
            (StatusCode::METHOD_NOT_ALLOWED, Some("GET, HEAD"), None),
            "{name} {path}"
        );
    }
    let page = server.get_with(page, "text/markdown").await;
    assert!(page.is_markdown(), "{name}");
    assert!(
        page.text.contains("# Front\n\ntext"),
        "{name}: {}",
        page.text
    );
    if name.contains("markway") {
        assert_eq!(check(&page.text), [], "{name}");
    }
}

#[tokio::test]
async fn the_agents_md_is_untouched_inside_and_outside_of_the_converter() {
    let core = MarkdownForAgentsLayer::new;
    let server = Server::start(|_| core().layer(file().layer(application()))).await;
    file_is_untouched("inside the core", &server, "/").await;
    let server = Server::start(|_| file().layer(core().layer(application()))).await;
    file_is_untouched("outside of the core", &server, "/").await;
}

#[tokio::test]
async fn the_agents_md_is_untouched_inside_and_outside_of_both_modes_of_markway() {
    let fixed: fn(BaseUrl) -> MarkWayLayer = MarkWayLayer::static_site;
    for (markway, page) in [(fixed, "/index.md"), (MarkWayLayer::dynamic, "/")] {
        let server = Server::start(|base| markway(base).layer(file().layer(application()))).await;
        file_is_untouched("inside markway", &server, page).await;
        let server = Server::start(|base| file().layer(markway(base).layer(application()))).await;
        file_is_untouched("outside of markway", &server, page).await;
    }
}

#[tokio::test]
async fn a_file_that_the_application_has_itself_wins_over_both_if_it_is_to() {
    let application = || {
        application().route(
            "/agents.md",
            get(async || ([(http::header::CONTENT_TYPE, "text/markdown")], "# Own\n")),
        )
    };
    let server = Server::start(|base| {
        MarkWayLayer::static_site(base).layer(file().inner_wins().layer(application()))
    })
    .await;
    let own = server.get("/agents.md").await;
    assert!(own.text.ends_with("# Own\n"), "{}", own.text);
    assert_eq!(check(&own.text), []);
    let ours = server.get("/.well-known/agents.md").await;
    assert_eq!(ours.text, FILE);
}

#[tokio::test]
async fn every_layer_of_the_crate_stands_around_one_application() {
    let server = Server::start(|base| {
        let inner = MarkdownForAgentsLayer::new().layer(application());
        file().layer(MarkWayLayer::static_site(base).layer(inner))
    })
    .await;
    file_is_untouched("all, with markway outside", &server, "/index.md").await;
    let html = server.get_with("/", "text/html").await;
    assert_eq!(html.text, "<h1>Front</h1><p>text");
}
