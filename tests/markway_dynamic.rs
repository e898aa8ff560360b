//! The rules of dynamic mode, through sockets.
#![cfg(feature = "markway")]

mod markway_support;

use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse};
use axum::routing::get;
use axum::{Json, Router};
use markdown_for_agents::markway::{Language, MarkWayLayer, check};
use markway_support::{Server, markdown, png, walk_without_fault};
use serde_json::{Value, json};
use tower::Layer;

const JSON: (&str, &str) = ("content-type", "application/json");

async fn find(Json(parameters): Json<Value>) -> axum::response::Response {
    match parameters["id"].as_u64() {
        Some(123) => {
            Json(json!({"id": 123, "name": "Ada | Countess\nof *Lovelace*"})).into_response()
        }
        Some(_) => (
            StatusCode::NOT_FOUND,
            Json(json!({"error": "no such user"})),
        )
            .into_response(),
        None => Json(json!([{"id": 123}, {"id": 124, "tags": ["a"]}])).into_response(),
    }
}

fn application() -> Router {
    Router::new()
        .route("/", get(async || Html("<title>Front</title><h1>Front</h1><p>Hello</p>")))
        .route(
            "/api/users",
            get(async || markdown("# Users\n\n| 地址 | 说明 |\n|---|---|\n| /api/users | Users |\n| / | Front |\n")).post(find),
        )
        .route("/echo", axum::routing::post(async |headers: http::HeaderMap, body: String| format!("{:?}\n{body}", headers.get("accept"))))
        .route("/logo.png", get(async || png()))
}

async fn site(router: Router) -> Server {
    Server::of_dynamic(Language::English, router).await
}

#[tokio::test]
async fn get_gives_markdown_to_agents_and_html_to_browsers() {
    let server = site(application()).await;
    for accept in [
        None,
        Some("*/*"),
        Some("text/markdown"),
        Some("text/markdown, text/html, */*"),
    ] {
        let headers: Vec<_> = accept
            .into_iter()
            .map(|accept| ("accept", accept))
            .collect();
        let answer = server.send("GET", "/", &headers, "").await;
        assert!(answer.is_markdown(), "{accept:?}");
        assert_eq!(answer.header("vary"), Some("Accept"), "{accept:?}");
        assert_eq!(check(&answer.text), [], "{accept:?}: {}", answer.text);
    }
    let browser =
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";
    let answer = server.get_with("/", browser).await;
    assert_eq!(
        answer.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    assert_eq!(
        (
            answer.header("vary"),
            answer.text.contains("<h1>Front</h1>")
        ),
        (Some("Accept"), true)
    );
}

#[tokio::test]
async fn the_documentation_of_an_interface_has_the_format_of_the_specification() {
    let server = site(application()).await;
    let base = &server.base;
    let answer = server.get("/api/users").await;
    assert_eq!(
        answer.text,
        format!(
            "{base}\n\n> This site follows the MarkWay Protocol: {base}/protocol\n\n# Users\n\n\
             | 地址 | 说明 |\n|---|---|\n| /api/users | Users |\n| / | Front |\n"
        )
    );
}

#[tokio::test]
async fn a_query_string_is_refused_for_markdown_only() {
    let server = site(application()).await;
    for path in ["/api/users?id=123", "/?", "/none?x"] {
        let answer = server.get(path).await;
        assert_eq!(
            (answer.status, answer.is_markdown(), answer.header("vary")),
            (StatusCode::BAD_REQUEST, true, Some("Accept")),
            "{path}"
        );
        assert_eq!(check(&answer.text), [], "{path}");
        assert!(answer.text.contains("POST"), "{path}");
    }
    assert_eq!(
        server.get_with("/?utm_source=x", "text/html").await.status,
        StatusCode::OK
    );
}

#[tokio::test]
async fn post_gives_a_table_unless_the_client_prefers_json() {
    let server = site(application()).await;
    let table = "| Field | Value |\n|------|------|\n| id | 123 |\n| name | Ada \\| Countess<br>of \\*Lovelace\\* |\n";
    for (accept, markdown) in [
        (None, true),
        (Some("*/*"), true),
        (Some("text/markdown"), true),
        (Some("text/markdown, application/json;q=0.5"), true),
        (Some("application/json"), false),
        (Some("application/json, text/markdown;q=0.5"), false),
        (Some("application/json, */*;q=0.1"), false),
    ] {
        let mut headers = vec![JSON];
        headers.extend(accept.map(|accept| ("accept", accept)));
        let answer = server
            .send("POST", "/api/users", &headers, "{\"id\": 123}")
            .await;
        assert_eq!(
            (answer.status, answer.header("vary")),
            (StatusCode::OK, Some("Accept")),
            "{accept:?}"
        );
        if markdown {
            assert!(answer.is_markdown(), "{accept:?}");
            assert_eq!(answer.text, table, "{accept:?}");
            assert_eq!(
                answer.header("content-length"),
                Some(table.len().to_string().as_str())
            );
        } else {
            assert_eq!(
                answer.header("content-type"),
                Some("application/json"),
                "{accept:?}"
            );
            assert_eq!(
                serde_json::from_str::<Value>(&answer.text).unwrap()["id"],
                123
            );
        }
    }
}

#[tokio::test]
async fn a_list_of_objects_is_a_table_and_errors_keep_their_status() {
    let server = site(application()).await;
    let all = server.send("POST", "/api/users", &[JSON], "{}").await;
    assert_eq!(
        all.text,
        "| id | tags |\n|------|------|\n| 123 |  |\n| 124 | `[\"a\"]` |\n"
    );
    let none = server
        .send("POST", "/api/users", &[JSON], "{\"id\": 5}")
        .await;
    assert_eq!(
        (none.status, none.text.as_str()),
        (
            StatusCode::NOT_FOUND,
            "| Field | Value |\n|------|------|\n| error | no such user |\n"
        )
    );
}

#[tokio::test]
async fn the_body_of_a_post_goes_in_untouched() {
    let server = site(application()).await;
    let body = "x".repeat(100_000);
    let answer = server.send("POST", "/echo?q=1", &[], &body).await;
    assert!(answer.text.ends_with(&format!("\n{body}")));
    // What the inner service may answer with, for a client that takes anything.
    assert!(answer.text.starts_with(
        "Some(\"text/markdown, application/json;q=0.9, text/html;q=0.8, */*;q=0.1\")\n"
    ));
}

#[tokio::test]
async fn html_results_are_converted_without_the_preamble() {
    let router = Router::new().route(
        "/search",
        axum::routing::post(async || Html("<h1>Found</h1><p>One</p>")),
    );
    let server = site(router).await;
    let answer = server.send("POST", "/search", &[], "q").await;
    assert!(answer.is_markdown());
    assert!(answer.text.starts_with("# Found\n"), "{}", answer.text);
    let html = server
        .send("POST", "/search", &[("accept", "text/html")], "q")
        .await;
    assert_eq!(html.text, "<h1>Found</h1><p>One</p>");
}

#[tokio::test]
async fn json_that_cannot_become_markdown_passes_as_it_is() {
    async fn answer(length: String) -> impl IntoResponse {
        let text = match length.as_str() {
            "broken" => "{\"a\": ".to_owned(),
            "deep" => format!("{}{}", "[".repeat(10_000), "]".repeat(10_000)),
            length => format!("\"{}\"", "x".repeat(length.parse::<usize>().unwrap() - 2)),
        };
        // In small frames and without a length, so that it is only known at its end.
        let (mut sender, body) = http_body_util::channel::Channel::<bytes::Bytes>::new(1);
        tokio::spawn(async move {
            for frame in text.as_bytes().chunks(10_000) {
                if sender
                    .send_data(bytes::Bytes::copy_from_slice(frame))
                    .await
                    .is_err()
                {
                    break;
                }
            }
        });
        (
            [(header::CONTENT_TYPE, "application/json")],
            axum::body::Body::new(body),
        )
    }
    let router = Router::new().route("/", axum::routing::post(answer));
    let server =
        Server::start(|base| MarkWayLayer::dynamic(base).json_limit(50_000).layer(router)).await;
    for (body, markdown) in [
        ("broken", false),
        ("deep", true),
        ("50000", true),
        ("50001", false),
        ("50000000", false),
    ] {
        let answer = server.send("POST", "/", &[], body).await;
        assert_eq!(
            (answer.status, answer.is_markdown()),
            (StatusCode::OK, markdown),
            "{body}"
        );
        if let Ok(length) = body.parse::<usize>() {
            let expected = if markdown { length - 1 } else { length };
            assert_eq!(answer.text.len(), expected, "{body}");
        }
        if body == "broken" {
            assert_eq!(answer.text, "{\"a\": ");
        }
    }
}

#[tokio::test]
async fn other_methods_and_assets_are_left_alone() {
    let router = application().route(
        "/thing",
        axum::routing::put(async || Json(json!({"a": 1}))).delete(async || StatusCode::NO_CONTENT),
    );
    let server = site(router).await;
    let put = server.send("PUT", "/thing", &[], "x").await;
    assert_eq!((put.text.as_str(), put.header("vary")), ("{\"a\":1}", None));
    assert_eq!(
        server.send("DELETE", "/thing", &[], "").await.status,
        StatusCode::NO_CONTENT
    );
    let logo = server.get("/logo.png").await;
    assert_eq!(
        (logo.header("content-type"), logo.text.as_str()),
        (Some("image/png"), "png")
    );
}

#[tokio::test]
async fn an_upgrade_is_no_request_for_a_document() {
    let router = Router::new().route("/ws", get(async || "socket"));
    let server = site(router).await;
    let answer = server
        .send(
            "GET",
            "/ws?token=1",
            &[("connection", "upgrade"), ("upgrade", "websocket")],
            "",
        )
        .await;
    assert_eq!(
        (answer.status, answer.text.as_str()),
        (StatusCode::OK, "socket")
    );
}

#[tokio::test]
async fn an_agent_walks_the_whole_application_without_a_fault() {
    for language in Language::ALL {
        let router = Router::new()
            .route("/", get(async || markdown("# Root\n\n| Address | Description |\n|---|---|\n| /api/users | Users |\n| /logo.png | Logo |\n")))
            .merge(Router::new().route("/api/users", get(async || markdown("# Users\n\nSee [the root](/) and [more](/more#here).\n"))))
            .route("/more", get(async || Html("<h1>More</h1>")))
            .route("/logo.png", get(async || png()));
        let server = Server::of_dynamic(language, router).await;
        let paths = walk_without_fault(server.base.as_str()).await;
        assert_eq!(
            paths,
            ["/", "/api/users", "/logo.png", "/more", "/protocol"]
        );
    }
}
