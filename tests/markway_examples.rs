//! The example programs themselves, each in a process of its own, walked by an agent.
#![cfg(feature = "markway")]

#[path = "../examples/axum/site.rs"]
mod axum_site;
#[path = "support/example.rs"]
mod example;
mod markway_support;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use example::program;
use http::StatusCode;
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use markdown_for_agents::markway::{Document, check};
use markway_support::{Walk, request, walk};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use tokio::net::TcpListener;
use tower_http::services::ServeDir;

/// An example that serves until it is dropped.
struct Example {
    child: Child,
    /// The first URL that it has printed.
    url: String,
    /// What else it prints has somewhere to go.
    _output: BufReader<ChildStdout>,
}

impl Drop for Example {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Example {
    fn start(name: &str, arguments: &[&str]) -> Self {
        let mut child = Command::new(program(name))
            .args(["--listen", "127.0.0.1:0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        let url = loop {
            line.clear();
            assert_ne!(
                output.read_line(&mut line).unwrap(),
                0,
                "{name} prints its URL"
            );
            if let Some((_, url)) = line.split_once("http://") {
                let end = url.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ':')));
                let authority = url[..end.unwrap_or(url.len())].trim_end_matches('.');
                break format!("http://{authority}");
            }
        };
        Self {
            child,
            url,
            _output: output,
        }
    }
}

#[track_caller]
fn faultless(name: &str, walk: &Walk) {
    println!("{name}: {walk}");
    assert_eq!(
        (walk.dead.as_slice(), walk.faults.as_slice()),
        (&[][..], &[][..]),
        "{name}"
    );
}

fn paths<'a>(walk: &'a Walk, base: &str) -> Vec<&'a str> {
    walk.visited
        .iter()
        .map(|url| url.strip_prefix(base).unwrap())
        .collect()
}

#[tokio::test]
async fn the_static_example_is_walked_without_a_fault_in_both_languages() {
    for language in [&[][..], &["--english"]] {
        let example = Example::start("markway_static", language);
        let walk = walk(&example.url).await;
        faultless("markway_static", &walk);
        assert_eq!(
            paths(&walk, &example.url),
            [
                "/api/index.md",
                "/api/reference.md",
                "/examples/index.md",
                "/examples/postcard.md",
                "/examples/tutorial.md",
                "/getting-started.md",
                "/index.md",
                "/protocol.md"
            ]
        );
    }
}

#[tokio::test]
async fn the_dynamic_example_is_walked_without_a_fault_in_both_languages() {
    for language in [&[][..], &["--english"]] {
        let example = Example::start("markway_dynamic", language);
        let walk = walk(&example.url).await;
        faultless("markway_dynamic", &walk);
        assert_eq!(
            paths(&walk, &example.url),
            ["/", "/about", "/api/users", "/protocol"]
        );
    }
}

#[tokio::test]
async fn the_front_page_of_the_dynamic_example_has_the_format_of_the_specification() {
    let example = Example::start("markway_dynamic", &[]);
    let url = &example.url;
    let answer = request("GET", &format!("{url}/"), &[], "").await;
    assert_eq!(
        answer.text,
        format!(
            "{url}\n\
             \n\
             > 本站遵循MarkWay协议：{url}/protocol\n\
             \n\
             # People\n\
             \n\
             Who works here, for people and for programs.\n\
             \n\
             | 地址 | 说明 |\n\
             | --- | --- |\n\
             | /api/users | Users: find users by their number |\n\
             | /about | About: where the data comes from |\n"
        )
    );
}

#[tokio::test]
async fn the_dynamic_example_answers_post_in_the_format_that_is_asked_for() {
    let example = Example::start("markway_dynamic", &["--english"]);
    let url = format!("{}/api/users", example.url);
    let table = "| Field | Value |\n|------|------|\n| id | 123 |\n| languages | `[\"English\",\"French\"]` |\n| name | Ada Lovelace |\n";
    for (accept, markdown) in [
        ("*/*", true),
        ("text/markdown", true),
        ("text/markdown, application/json;q=0.5", true),
        ("application/json", false),
    ] {
        let headers = [("content-type", "application/json"), ("accept", accept)];
        let answer = request("POST", &url, &headers, "{\"id\": 123}").await;
        assert_eq!(
            (answer.status, answer.is_markdown()),
            (StatusCode::OK, markdown)
        );
        if markdown {
            assert_eq!(answer.text, table, "{accept}");
        } else {
            let json: serde_json::Value = serde_json::from_str(&answer.text).unwrap();
            assert_eq!(json["name"], "Ada Lovelace");
        }
    }
}

/// Serves the site of the `axum` example, in a thread whose clock does not make anybody wait: one
/// page of it takes a minute.
fn embedded_site() -> SocketAddr {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            sender.send(listener.local_addr().unwrap()).unwrap();
            axum::serve(listener, axum_site::router()).await
        })
    });
    receiver.recv().unwrap()
}

#[tokio::test]
async fn a_site_in_html_behind_the_gateway_is_walked_without_a_fault_in_both_modes() {
    let upstream = format!("http://{}", embedded_site());
    for (mode, addresses) in [
        (
            "--markway-static",
            [
                "/blog/a-year-on-the-roof.md",
                "/docs/getting-started.md",
                "/docs/http-api.md",
                "/index.md",
                "/live.md",
                "/protocol.md",
                "/shop/station-2.md",
                "/zh/index.md",
            ],
        ),
        (
            "--markway-dynamic",
            [
                "/",
                "/blog/a-year-on-the-roof",
                "/docs/getting-started",
                "/docs/http-api",
                "/live",
                "/protocol",
                "/shop/station-2",
                "/zh/",
            ],
        ),
    ] {
        for language in [&[][..], &["--english"]] {
            let arguments = [&["--upstream", &upstream, mode], language].concat();
            let gateway = Example::start("gateway", &arguments);
            let walk = walk(&gateway.url).await;
            faultless(mode, &walk);
            let pages: Vec<_> = paths(&walk, &gateway.url)
                .into_iter()
                .filter(|path| !path.starts_with("/assets/"))
                .collect();
            assert_eq!(pages, addresses, "{mode}");
        }
    }
}

/// A server that publishes what is at `gateway` below the path `/book`.
async fn front(listener: TcpListener, gateway: String) {
    let client = Client::builder(TokioExecutor::new()).build_http::<Body>();
    let forward = move |mut request: Request| {
        let (client, gateway) = (client.clone(), gateway.clone());
        async move {
            let path = request.uri().path_and_query().unwrap().as_str();
            *request.uri_mut() = format!("{gateway}{path}").parse().unwrap();
            client.request(request).await.unwrap().map(Body::new)
        }
    };
    let router = Router::new().nest("/book", Router::new().fallback(forward));
    axum::serve(listener, router).await.unwrap();
}

#[tokio::test]
async fn the_rust_book_behind_the_gateway_is_walked_without_a_fault() {
    let sysroot = Command::new("rustc")
        .args(["--print", "sysroot"])
        .output()
        .unwrap();
    let book = Path::new(std::str::from_utf8(&sysroot.stdout).unwrap().trim())
        .join("share/doc/rust/html/book");
    if !book.join("index.html").exists() {
        println!(
            "skipped: there is no {} (rustup component add rust-docs)",
            book.display()
        );
        return;
    }
    let upstream = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let upstream_url = format!("http://{}", upstream.local_addr().unwrap());
    let files = Router::new().fallback_service(ServeDir::new(&book));
    tokio::spawn(async move { axum::serve(upstream, files).await });

    // The book links to its neighbours, which are another site as long as this one is below a path.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/book", listener.local_addr().unwrap());
    let arguments = [
        "--upstream",
        &upstream_url,
        "--public-url",
        &base,
        "--markway-static",
    ];
    let gateway = Example::start("gateway", &arguments);
    tokio::spawn(front(listener, gateway.url.clone()));

    let walk = walk(&base).await;
    faultless("the Rust book", &walk);
    assert!(walk.visited.len() > 100, "{walk}");
    for chapter in [
        "foreword.md",
        "ch10-02-traits.md",
        "appendix-07-nightly-rust.md",
    ] {
        assert!(
            walk.visited.contains(&format!("{base}/{chapter}")),
            "{chapter}"
        );
    }
    let foreword = request("GET", &format!("{base}/foreword.md"), &[], "").await;
    assert_eq!(check(&foreword.text), []);
    let page = Document::parse(&foreword.text).unwrap();
    assert_eq!(page.title().as_deref(), Some("Foreword"));
}
