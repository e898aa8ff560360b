//! The rules of static mode, through sockets.
#![cfg(feature = "markway")]

mod markway_support;

use axum::Router;
use axum::http::StatusCode;
use axum::response::{Html, Redirect};
use axum::routing::get;
use http::header;
use markdown_for_agents::markway::{Language, MarkWayLayer, ServeFolder, check, check_index};
use markway_support::{Server, markdown, png, walk_without_fault};
use tower::{Layer, ServiceExt};

/// The documentation that the example serves.
const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/markway_docs");

async fn docs(language: Language) -> Server {
    let folder = ServeFolder::new(DOCS).unwrap().in_language(language);
    Server::of_static(language, folder).await
}

/// A site of a few routes.
async fn site(router: Router) -> Server {
    Server::of_static(Language::English, router).await
}

#[tokio::test]
async fn the_format_of_an_answer_is_that_of_the_specification_byte_for_byte() {
    let server = docs(Language::Chinese).await;
    let base = &server.base;
    let answer = server.get("/examples/tutorial.md").await;
    assert_eq!(
        answer.text,
        format!(
            "{base}\n\n> 本站遵循MarkWay协议：{base}/protocol.md\n\n# A first print\n\nThree pulls, from a dry plate to a clean print.\n\n\
             Each pull needs the levers of the [reference](/api/reference.md#levers).\n"
        )
    );
    assert!(answer.is_markdown());
}

#[tokio::test]
async fn the_root_is_index_md_and_names_the_protocol_document() {
    let server = docs(Language::English).await;
    let base = &server.base;
    let root = server.get("/index.md").await;
    assert!(root.text.starts_with(&format!(
        "{base}\n\n> This site follows the MarkWay Protocol: {base}/protocol.md\n\n# "
    )));
    assert_eq!(check_index(&root.text), []);
}

#[tokio::test]
async fn the_protocol_document_is_an_answer_with_a_validator() {
    for language in Language::ALL {
        let server = docs(language).await;
        let answer = server.get("/protocol.md").await;
        assert_eq!(
            (answer.status, check(&answer.text)),
            (StatusCode::OK, vec![])
        );
        assert_eq!(
            answer.header_names(),
            ["content-length", "content-type", "etag"]
        );
        let tag = answer.header("etag").unwrap();
        let again = server
            .send("GET", "/protocol.md", &[("if-none-match", tag)], "")
            .await;
        assert_eq!(
            (again.status, again.text.as_str(), again.header("etag")),
            (StatusCode::NOT_MODIFIED, "", Some(tag))
        );
        let head = server.send("HEAD", "/protocol.md", &[], "").await;
        assert_eq!((head.status, head.text.as_str()), (StatusCode::OK, ""));
        assert_eq!(
            head.header("content-length"),
            Some(answer.text.len().to_string().as_str())
        );
        let post = server.send("POST", "/protocol.md", &[], "x").await;
        assert_eq!(
            (post.status, post.header("allow")),
            (StatusCode::METHOD_NOT_ALLOWED, Some("GET, HEAD"))
        );
    }
}

#[tokio::test]
async fn the_operator_can_write_the_protocol_document() {
    let server = Server::start(|base| {
        MarkWayLayer::static_site(base)
            .protocol_document("# Our rules\n")
            .layer(Router::new())
    })
    .await;
    let base = &server.base;
    assert_eq!(
        server.get("/protocol.md").await.text,
        format!("{base}\n\n> 本站遵循MarkWay协议：{base}/protocol.md\n\n# Our rules\n")
    );
}

#[tokio::test]
async fn an_md_address_finds_the_first_of_its_pages() {
    let router = Router::new()
        .route("/own.md", get(async || markdown("# Own\n")))
        .route("/own", get(async || Html("<h1>Not this</h1>")))
        .route("/plain", get(async || Html("<h1>Plain</h1>")))
        .route("/plain.html", get(async || Html("<h1>Not this</h1>")))
        .route("/file.html", get(async || Html("<h1>File</h1>")))
        .route("/dir/", get(async || Html("<h1>Directory</h1>")))
        .route("/old/index.html", get(async || Html("<h1>Old</h1>")));
    let server = site(router).await;
    for (path, title) in [
        ("/own.md", "# Own"),
        ("/plain.md", "# Plain"),
        ("/plain.html.md", "# Not this"),
        ("/file.md", "# File"),
        ("/dir/index.md", "# Directory"),
        ("/old/index.md", "# Old"),
    ] {
        let answer = server.get(path).await;
        assert_eq!(
            (answer.status, answer.is_markdown()),
            (StatusCode::OK, true),
            "{path}"
        );
        assert!(
            answer.text.lines().any(|line| line == title),
            "{path}: {}",
            answer.text
        );
        assert_eq!(check(&answer.text), [], "{path}: {}", answer.text);
    }
    let missing = server.get("/none.md").await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn addresses_without_md_are_negotiated_and_get_the_preamble_as_markdown() {
    let server = site(Router::new().route("/a", get(async || Html("<h1>A</h1>")))).await;
    let html = server.get("/a").await;
    assert_eq!(
        (html.header("content-type"), html.text.as_str()),
        (Some("text/html; charset=utf-8"), "<h1>A</h1>")
    );
    assert_eq!(html.header("vary"), Some("Accept"));
    let markdown = server.get_with("/a", "text/markdown").await;
    assert_eq!(check(&markdown.text), [], "{}", markdown.text);
    assert_eq!(markdown.header("vary"), Some("Accept"));
    assert_eq!(markdown.text, server.get("/a.md").await.text);
}

#[tokio::test]
async fn a_redirect_leads_to_an_address_of_the_site() {
    let router = Router::new()
        .route(
            "/moved",
            get(async || Redirect::permanent("/new/place?x=1#y")),
        )
        .route(
            "/away",
            get(async || Redirect::permanent("https://example.org/a")),
        )
        .route("/dir", get(async || Redirect::permanent("/dir/")))
        .route("/same.html", get(async || Redirect::permanent("/same")))
        .route("/both", get(async || Redirect::permanent("/both/")))
        .route("/both.html", get(async || Html("<h1>Both</h1>")));
    let server = site(router).await;
    let base = server.base.as_str();
    for (path, location) in [
        ("/moved.md", format!("{base}/new/place.md#y")),
        ("/away.md", "https://example.org/a".to_owned()),
        ("/dir.md", format!("{base}/dir/index.md")),
    ] {
        let answer = server.get(path).await;
        assert_eq!(
            (answer.status, answer.header("location")),
            (StatusCode::PERMANENT_REDIRECT, Some(location.as_str())),
            "{path}"
        );
    }
    // A redirect to where we are is no answer, and a page is better than a redirect.
    assert_eq!(server.get("/same.md").await.status, StatusCode::NOT_FOUND);
    assert_eq!(server.get("/both.md").await.status, StatusCode::OK);
}

#[tokio::test]
async fn unsafe_addresses_are_refused_in_a_document_of_the_site() {
    let server = site(Router::new().fallback(async || Html("<h1>Never</h1>"))).await;
    for path in [
        "/%2e%2e/a.md",
        "/a%2Fb.md",
        "/a%5Cb.md",
        "/a%00.md",
        "//etc/passwd.md",
        "/a%zz.md",
        "/a/...md",
    ] {
        let answer = server.get(path).await;
        assert_eq!(
            (answer.status, answer.is_markdown()),
            (StatusCode::BAD_REQUEST, true),
            "{path}"
        );
        assert_eq!(check(&answer.text), [], "{path}");
        assert!(!answer.text.contains("Never"));
    }
}

#[tokio::test]
async fn markdown_of_the_inner_service_gets_the_preamble_once_and_its_own_tag() {
    async fn page(headers: http::HeaderMap) -> axum::response::Response {
        use axum::response::IntoResponse;
        if headers
            .get(header::IF_NONE_MATCH)
            .is_some_and(|tags| tags.to_str().unwrap().contains("\"v1\""))
        {
            return (StatusCode::NOT_MODIFIED, [(header::ETAG, "\"v1\"")]).into_response();
        }
        let head = [
            (header::CONTENT_TYPE, "text/markdown"),
            (header::ETAG, "\"v1\""),
            (header::ACCEPT_RANGES, "bytes"),
        ];
        (head, "---\ntitle: Matter\n---\n\nText\n").into_response()
    }
    let server = site(Router::new().route("/a.md", get(page))).await;
    let base = &server.base;
    let answer = server.get("/a.md").await;
    let expected = format!(
        "{base}\n\n> This site follows the MarkWay Protocol: {base}/protocol.md\n\n# Matter\n\nText\n"
    );
    assert_eq!(answer.text, expected);
    assert_eq!(
        answer.header_names(),
        [
            "content-length",
            "content-type",
            "etag",
            "vary",
            "x-markdown-tokens"
        ]
    );
    assert_eq!(
        answer.header("content-length"),
        Some(expected.len().to_string().as_str())
    );
    let tag = answer.header("etag").unwrap();
    assert!(tag.starts_with("W/\"v1;md-"), "{tag}");

    let again = server
        .send("GET", "/a.md", &[("if-none-match", tag)], "")
        .await;
    assert_eq!(
        (again.status, again.header("etag"), again.text.as_str()),
        (StatusCode::NOT_MODIFIED, Some(tag), "")
    );
    let foreign = server
        .send("GET", "/a.md", &[("if-none-match", "\"v1\"")], "")
        .await;
    assert_eq!(foreign.status, StatusCode::OK);

    let head = server.send("HEAD", "/a.md", &[], "").await;
    assert_eq!(
        (head.status, head.text.as_str(), head.header("etag")),
        (StatusCode::OK, "", Some(tag))
    );
    assert_eq!(head.header_names(), ["content-type", "etag", "vary"]);
}

#[tokio::test]
async fn the_preamble_is_part_of_the_tag() {
    let tag = async |language, base: &'static str| {
        let router = Router::new().route(
            "/a.md",
            get(async || {
                (
                    [
                        (header::CONTENT_TYPE, "text/markdown"),
                        (header::ETAG, "\"v1\""),
                    ],
                    "# A\n",
                )
            }),
        );
        let server = Server::start(|_| {
            MarkWayLayer::static_site(base.parse().unwrap())
                .language(language)
                .layer(router)
        })
        .await;
        server.get("/a.md").await.header("etag").unwrap().to_owned()
    };
    let first = tag(Language::English, "https://example.com").await;
    assert_eq!(first, tag(Language::English, "https://example.com").await);
    assert_ne!(first, tag(Language::Chinese, "https://example.com").await);
    assert_ne!(
        first,
        tag(Language::English, "https://example.com/docs").await
    );
}

#[tokio::test]
async fn errors_keep_their_status_and_assets_their_bytes() {
    let router = Router::new()
        .route(
            "/gone.md",
            get(async || {
                (
                    StatusCode::INTERNAL_SERVER_ERROR,
                    [(header::CONTENT_TYPE, "text/markdown")],
                    "# Broken\n",
                )
            }),
        )
        .route("/logo.png", get(async || png()))
        .route(
            "/locked",
            get(async || (StatusCode::UNAUTHORIZED, Html("<h1>Log in</h1>"))),
        );
    let server = site(router).await;
    let broken = server.get("/gone.md").await;
    assert_eq!(
        (broken.status, check(&broken.text)),
        (StatusCode::INTERNAL_SERVER_ERROR, vec![])
    );
    let logo = server.get("/logo.png").await;
    assert_eq!(
        (logo.header("content-type"), logo.text.as_str()),
        (Some("image/png"), "png")
    );
    let locked = server.get("/locked.md").await;
    assert_eq!(
        (locked.status, locked.is_markdown(), check(&locked.text)),
        (StatusCode::UNAUTHORIZED, true, vec![])
    );
}

#[tokio::test]
async fn an_agent_walks_the_whole_folder_without_a_fault() {
    for language in Language::ALL {
        let server = docs(language).await;
        let paths = walk_without_fault(server.base.as_str()).await;
        assert_eq!(
            paths,
            [
                "/api/index.md",
                "/api/reference.md",
                "/examples/index.md",
                "/examples/postcard.md",
                "/examples/tutorial.md",
                "/getting-started.md",
                "/index.md",
                "/protocol.md",
            ]
        );
    }
}

#[tokio::test]
async fn an_agent_walks_a_folder_with_the_worst_of_names() {
    let names = [
        "with blank",
        "100%",
        "#1",
        "a|b",
        "中文",
        "_under_",
        "q?",
        "a&amp;b",
        "[x](y)",
        "`c`",
        "*s*",
        "%41",
        "semi;colon:",
        "~t~",
        "<b>",
        "é",
    ];
    let root = tempfile::tempdir().unwrap();
    for name in names {
        let directory = root.path().join(format!("dir {name}"));
        std::fs::create_dir(&directory).unwrap();
        std::fs::write(directory.join(format!("{name}.md")), "Text\n").unwrap();
        std::fs::write(root.path().join(format!("{name}.html")), "<h1>Page</h1>").unwrap();
    }
    std::fs::write(root.path().join(".hidden.md"), "# Hidden\n").unwrap();
    for language in Language::ALL {
        let files = ServeFolder::new(root.path()).unwrap().in_language(language);
        let server = Server::of_static(language, files).await;
        let paths = walk_without_fault(server.base.as_str()).await;
        // The root and the protocol document; a page, a directory and the page in it for each name.
        assert_eq!(paths.len(), 2 + 3 * names.len());
    }
}

const LINKS: &str = "<title>Links - Site</title><nav><a href=/dir/>Directory</a></nav><h1>Site</h1><p>\
    <a href=/a>a</a> <a href=b.html>b</a> <a href=/dir/>c</a> <a href='/a?x=1&y#part'>d</a> <a href=#here>e</a> \
    <a href=logo.png>f</a> <a href=https://example.org/x?y>g</a> <a href=mailto:h@example.org>h</a></p>\
    <ul><li><a href=/a>First</a>: one <a href=/dir/page.html>more</a><li><a href=https://example.org/>Second</a></ul>\
    <ul><li>no link<li><a href=/a>a</a></ul>";

fn html_pages() -> Router {
    Router::new()
        .route("/", get(async || Html(LINKS)))
        .route(
            "/a",
            get(async || Html("<h1>A</h1><a href=.>up</a> <a href=md.md>md</a>")),
        )
        .route(
            "/b.html",
            get(async || Html("<title>B</title><p>No heading, <a href=dir/?q>on</a>")),
        )
        .route(
            "/dir/",
            get(async || Html("<h1>Dir</h1><a href=page.html#x>p</a> <a href=../a>a</a>")),
        )
        .route(
            "/dir/page.html",
            get(async || Html("<h1>Page</h1><a href=./>up</a> <a href=/b.html>b</a>")),
        )
        .route(
            "/md.md",
            get(async || markdown("# Md\n\n[up](./index.md)\n")),
        )
        .route("/logo.png", get(async || png()))
}

#[tokio::test]
async fn links_of_html_pages_become_addresses_and_lists_of_them_tables() {
    let server = site(html_pages()).await;
    let base = &server.base;
    let answer = server.get("/index.md").await;
    assert_eq!(
        answer.text,
        format!(
            "{base}\n\n> This site follows the MarkWay Protocol: {base}/protocol.md\n\n# Links - Site\n\n\
             [a](/a.md) [b](/b.md) [c](/dir/index.md) [d](/a.md#part) [e](#here) [f]({base}/logo.png) \
             [g](https://example.org/x?y) [h](mailto:h@example.org)\n\n\
             | Address | Description |\n| --- | --- |\n\
             | /a.md | First: one [more](/dir/page.md) |\n| https://example.org/ | Second |\n\n\
             - no link\n- [a](/a.md)\n\n\
             ## Navigation\n\n| Address | Description |\n| --- | --- |\n| /dir/index.md | Directory |\n"
        )
    );
    assert_eq!(check(&answer.text), []);
}

#[tokio::test]
async fn an_agent_walks_html_pages_without_a_fault_also_below_a_path() {
    let expected = [
        "/a.md",
        "/b.md",
        "/dir/index.md",
        "/dir/page.md",
        "/index.md",
        "/logo.png",
        "/md.md",
        "/protocol.md",
    ];
    for language in Language::ALL {
        let server = Server::of_static(language, html_pages()).await;
        // The same site where a proxy publishes it below a path.
        let below = Server::start(|base| {
            let base = format!("{base}/sub").parse().unwrap();
            let site = MarkWayLayer::static_site(base)
                .language(language)
                .layer(html_pages());
            Router::new().nest_service(
                "/sub",
                ServiceExt::<axum::extract::Request>::map_response(site, |answer| {
                    answer.map(axum::body::Body::new)
                }),
            )
        })
        .await;
        for origin in [server.base.to_string(), format!("{}/sub", below.base)] {
            assert_eq!(walk_without_fault(&origin).await, expected);
        }
    }
}
