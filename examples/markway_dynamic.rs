//! A dynamic MarkWay site: GET documents an interface, POST uses it.
//!
//! ```sh
//! cargo run --release --features markway --example markway_dynamic -- [--listen ADDR] [--base-url URL] [--english]
//! curl http://127.0.0.1:3000/api/users
//! curl http://127.0.0.1:3000/api/users --json '{"id": 123}' -H 'accept: text/markdown'
//! ```

use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use markdown_for_agents::markway::{BaseUrl, Language, MarkWayLayer};
use serde_json::{Value, json};
use std::error::Error;
use tower::Layer;

const FRONT_PAGE: &str = r#"<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>People</title></head>
  <body>
    <h1>People</h1>
    <p>Who works here, for people and for programs.</p>
    <ul>
      <li><a href="/api/users">Users</a>: find users by their number</li>
      <li><a href="/about">About</a>: where the data comes from</li>
    </ul>
  </body>
</html>"#;

const ABOUT: &str = r#"<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>About</title></head>
  <body>
    <h1>About</h1>
    <p>The data is made up. <a href="/">Back to the front page</a>.</p>
  </body>
</html>"#;

const USERS: &str = "# Users

Finds users. Send a POST request with a JSON object.

| Parameter | Type | Meaning |
|---|---|---|
| `id` | number | The user's number. Without it the answer lists all users. |

An unknown number is answered with status 404.
";

async fn document_users() -> Response {
    (
        [(header::CONTENT_TYPE, "text/markdown; charset=utf-8")],
        USERS,
    )
        .into_response()
}

async fn find_users(Json(parameters): Json<Value>) -> Response {
    let users = [
        json!({"id": 123, "name": "Ada Lovelace", "languages": ["English", "French"]}),
        json!({"id": 124, "name": "Wáng Zhēnyí", "born": 1768}),
    ];
    match parameters.get("id") {
        None => Json(json!(users)).into_response(),
        Some(id) => match users.iter().find(|user| user["id"] == *id) {
            Some(user) => Json(user).into_response(),
            None => (
                StatusCode::NOT_FOUND,
                Json(json!({"error": "no such user", "id": id})),
            )
                .into_response(),
        },
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut listen = "127.0.0.1:3000".to_owned();
    let mut base_url = None;
    let mut language = Language::Chinese;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--listen" => listen = arguments.next().ok_or("--listen needs an address")?,
            "--base-url" => base_url = Some(arguments.next().ok_or("--base-url needs a URL")?),
            "--english" => language = Language::English,
            other => return Err(format!("unknown argument {other}").into()),
        }
    }

    let listener = tokio::net::TcpListener::bind(&listen).await?;
    let base_url: BaseUrl = base_url
        .unwrap_or(format!("http://{}", listener.local_addr()?))
        .parse()?;
    let router = Router::new()
        .route("/", get(|| async { Html(FRONT_PAGE) }))
        .route("/about", get(|| async { Html(ABOUT) }))
        .route("/api/users", get(document_users).post(find_users))
        .fallback(|| async {
            (
                StatusCode::NOT_FOUND,
                Html("<h1>Not found</h1><p>Nothing is here.</p>"),
            )
        });
    // Around the router: it answers addresses that are no routes.
    let site = MarkWayLayer::dynamic(base_url.clone())
        .language(language)
        .layer(router);
    println!(
        "Try:\n\n    curl {base_url}/\n    curl {base_url}/api/users\n    \
         curl {base_url}/api/users -H 'content-type: application/json' -d '{{\"id\": 123}}'\n    \
         curl {base_url}/api/users -H 'content-type: application/json' -d '{{\"id\": 123}}' -H 'accept: application/json'\n"
    );
    axum::serve(listener, Router::new().fallback_service(site)).await?;
    Ok(())
}
