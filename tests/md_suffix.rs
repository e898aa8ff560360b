//! Addresses that end in `.md`.

mod support;

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use markdown_for_agents::md_suffix::{DefaultMapping, Mapping, MdSuffixLayer};
use markdown_for_agents::{MarkdownForAgentsLayer, NoMarkdown};
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use support::fields;
use tower::{Layer, Service, ServiceExt};

type Body = Full<Bytes>;

/// The URI of a request, its fields, and the length of its body.
type Asked = (String, Vec<String>, usize);

/// A site that notes what it was asked for, and insists on being made ready before each call.
#[derive(Default)]
struct Site {
    asked: Arc<Mutex<Vec<Asked>>>,
    ready: bool,
}

impl Clone for Site {
    fn clone(&self) -> Self {
        Self {
            asked: Arc::clone(&self.asked),
            ready: false,
        }
    }
}

impl Service<Request<Body>> for Site {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future =
        std::pin::Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.ready = true;
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        assert!(
            std::mem::take(&mut self.ready),
            "the service was called before it was ready"
        );
        let asked = Arc::clone(&self.asked);
        Box::pin(async move {
            let (head, body) = request.into_parts();
            let length = body.collect().await.unwrap().to_bytes().len();
            asked
                .lock()
                .unwrap()
                .push((head.uri.to_string(), fields(&head.headers), length));
            let page = "<h1>Hi</h1><p>Body</p>";
            let answer = |status: u16, content_type: &str, body: &'static str| {
                Response::builder()
                    .status(status)
                    .header("content-type", content_type)
                    .body(Full::from(body))
                    .unwrap()
            };
            Ok(match head.uri.path() {
                "/" | "/a/b" | "/a/" | "/x.html" | "/a%20b" | "/viewer.md" => {
                    answer(200, "text/html", page)
                }
                "/own.md" => answer(200, "text/markdown", "# Own\n"),
                "/data" => answer(200, "application/json", "{}"),
                "/secret" => answer(401, "text/plain", "no"),
                "/moved" => Response::builder()
                    .status(301)
                    .header("location", "/a/b")
                    .body(Body::default())
                    .unwrap(),
                "/shell" => answer(200, "text/html", "<div id=root></div>"),
                "/private" => {
                    let mut response = answer(200, "text/html", page);
                    response
                        .headers_mut()
                        .insert("cache-control", "no-transform".parse().unwrap());
                    response
                }
                "/draft" => {
                    let mut response = answer(200, "text/html", page);
                    response.extensions_mut().insert(NoMarkdown);
                    response
                }
                _ => answer(404, "text/html", "<h1>Nothing here</h1>"),
            })
        })
    }
}

impl Site {
    fn asked(&self) -> Vec<String> {
        self.asked
            .lock()
            .unwrap()
            .iter()
            .map(|(uri, ..)| uri.clone())
            .collect()
    }

    async fn send<M: Mapping>(
        &self,
        layer: MdSuffixLayer<M>,
        request: Request<Body>,
    ) -> Response<Bytes> {
        let service = layer.layer(MarkdownForAgentsLayer::new().layer(self.clone()));
        let (head, body) = service.oneshot(request).await.unwrap().into_parts();
        Response::from_parts(head, body.collect().await.unwrap().to_bytes())
    }

    async fn get(&self, path: &str) -> Response<Bytes> {
        self.send(MdSuffixLayer::new(), get(path)).await
    }
}

fn get(path: &str) -> Request<Body> {
    Request::builder()
        .uri(path)
        .header("accept", "text/html,*/*;q=0.8")
        .body(Body::default())
        .unwrap()
}

fn is_markdown(response: &Response<Bytes>) -> bool {
    response.headers()["content-type"] == "text/markdown; charset=utf-8"
}

#[tokio::test]
async fn an_address_in_md_is_the_markdown_of_its_page() {
    for (address, page) in [
        ("/a/b.md", "/a/b"),
        ("/a/index.md", "/a/"),
        ("/index.md", "/"),
        ("/x.html.md", "/x.html"),
        ("/a/b.md?q=1", "/a/b?q=1"),
        ("/a%20b.md", "/a%20b"),
    ] {
        let site = Site::default();
        let response = site.get(address).await;
        assert_eq!(response.status(), 200);
        assert!(is_markdown(&response));
        assert_eq!(
            response.headers()["link"],
            format!("<{page}>; rel=\"canonical\"")
        );
        assert!(
            std::str::from_utf8(response.body())
                .unwrap()
                .contains("# Hi")
        );
        assert_eq!(site.asked(), [address, page]);
    }
}

#[tokio::test]
async fn a_page_in_html_names_its_address_in_md() {
    for (page, address) in [
        ("/a/b", "/a/b.md"),
        ("/", "/index.md"),
        ("/x.html?q=1", "/x.html.md?q=1"),
    ] {
        let response = Site::default().get(page).await;
        assert!(!is_markdown(&response));
        let link = format!("<{address}>; rel=\"alternate\"; type=\"text/markdown\"");
        assert_eq!(response.headers()["link"], link);
    }
    let negotiated = Request::builder()
        .uri("/a/b")
        .header("accept", "text/markdown")
        .body(Body::default())
        .unwrap();
    let response = Site::default().send(MdSuffixLayer::new(), negotiated).await;
    assert!(is_markdown(&response));
    assert!(!response.headers().contains_key("link"));
}

#[tokio::test]
async fn pages_without_markdown_name_none() {
    for page in [
        "/nowhere",
        "/data",
        "/private",
        "/draft",
        "/viewer.md",
        "/own.md",
        "/moved",
    ] {
        let response = Site::default().get(page).await;
        assert!(!response.headers().contains_key("link"), "{page}");
    }
}

#[tokio::test]
async fn an_address_that_exists_wins() {
    let site = Site::default();
    let response = site.get("/own.md").await;
    assert_eq!(response.body(), "# Own\n");
    assert_eq!(site.asked(), ["/own.md"]);
    // A page of that name is negotiated as any other.
    assert!(!is_markdown(&site.get("/viewer.md").await));
}

#[tokio::test]
async fn where_there_is_no_page_the_first_answer_counts() {
    for (address, asked) in [
        ("/nowhere.md", 2),
        ("/data.md", 2),
        ("/.md", 1),
        ("/...md", 1),
        ("/a/...md", 1),
        ("//evil.example/a.md", 1),
    ] {
        let site = Site::default();
        let response = site.get(address).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{address}");
        assert_eq!(response.body(), "<h1>Nothing here</h1>");
        assert_eq!(site.asked().len(), asked, "{address}");
    }
}

#[tokio::test]
async fn other_answers_about_the_page_are_passed_on() {
    for (address, status) in [("/secret.md", 401), ("/moved.md", 301), ("/shell.md", 200)] {
        let response = Site::default().get(address).await;
        assert_eq!(response.status(), status);
        assert!(!response.headers().contains_key("link"), "{address}");
    }
}

#[tokio::test]
async fn the_second_request_is_the_first_without_its_body() {
    let site = Site::default();
    let request = Request::builder()
        .uri("/a/b.md")
        .header("cookie", "c=1")
        .header("content-length", "4")
        .body(Full::from("body"))
        .unwrap();
    assert!(is_markdown(&site.send(MdSuffixLayer::new(), request).await));
    let asked = site.asked.lock().unwrap();
    assert_eq!(
        asked[0],
        (
            "/a/b.md".into(),
            vec!["content-length: 4".into(), "cookie: c=1".into()],
            4
        )
    );
    assert_eq!(
        asked[1],
        (
            "/a/b".into(),
            vec!["accept-encoding: identity".into(), "cookie: c=1".into()],
            0
        )
    );
}

#[tokio::test]
async fn head_is_answered_like_get() {
    let request = Request::builder()
        .method("HEAD")
        .uri("/a/b.md")
        .body(Body::default())
        .unwrap();
    let response = Site::default().send(MdSuffixLayer::new(), request).await;
    assert!(is_markdown(&response));
    assert_eq!(response.headers()["link"], "</a/b>; rel=\"canonical\"");
    assert!(response.body().is_empty());
}

#[tokio::test]
async fn other_requests_pass_untouched() {
    let upgrade = Request::builder()
        .uri("/a/b.md")
        .header("connection", "upgrade")
        .header("upgrade", "websocket");
    for request in [
        Request::builder().method("POST").uri("/a/b.md"),
        upgrade,
        Request::builder().uri("/a/b.md").extension(NoMarkdown),
    ] {
        let site = Site::default();
        let response = site
            .send(MdSuffixLayer::new(), request.body(Body::default()).unwrap())
            .await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND);
        assert_eq!(site.asked(), ["/a/b.md"]);
    }
}

#[tokio::test]
async fn markdown_of_an_address_is_revalidated_by_its_tag() {
    /// Knows one page with an entity tag.
    async fn tagged(request: Request<Body>) -> Result<Response<Body>, Infallible> {
        let response = Response::builder().header("etag", "\"v1\"");
        let fresh = request
            .headers()
            .get("if-none-match")
            .is_some_and(|tags| tags.to_str().unwrap().starts_with("\"v1\""));
        Ok(match request.uri().path() {
            "/a" if fresh => response.status(304).body(Body::default()),
            "/a" => response
                .header("content-type", "text/html")
                .body("<p>Hi</p>".into()),
            _ => Response::builder().status(404).body(Body::default()),
        }
        .unwrap())
    }
    let service =
        MdSuffixLayer::new().layer(MarkdownForAgentsLayer::new().layer(tower::service_fn(tagged)));
    let first = service.clone().oneshot(get("/a.md")).await.unwrap();
    let mut again = get("/a.md");
    again
        .headers_mut()
        .insert("if-none-match", first.headers()["etag"].clone());
    let second = service.oneshot(again).await.unwrap();
    assert_eq!(second.status(), StatusCode::NOT_MODIFIED);
    assert_eq!(second.headers()["etag"], first.headers()["etag"]);
}

#[tokio::test]
async fn the_mapping_can_be_replaced_but_not_lead_out() {
    /// `/md/...` instead of a suffix.
    struct Prefix;
    impl Mapping for Prefix {
        fn page(&self, address: &str) -> Option<String> {
            address.strip_prefix("/md").map(str::to_owned)
        }
        fn address(&self, page: &str) -> Option<String> {
            (!page.starts_with("/md")).then(|| format!("/md{page}"))
        }
    }
    let site = Site::default();
    let response = site
        .send(MdSuffixLayer::with_mapping(Prefix), get("/md/a/b"))
        .await;
    assert!(is_markdown(&response));
    assert_eq!(
        site.send(MdSuffixLayer::with_mapping(Prefix), get("/a/b"))
            .await
            .headers()["link"],
        "</md/a/b>; rel=\"alternate\"; type=\"text/markdown\""
    );

    /// Makes paths that are none.
    struct Evil(&'static str);
    impl Mapping for Evil {
        fn page(&self, _: &str) -> Option<String> {
            Some(self.0.to_owned())
        }
        fn address(&self, page: &str) -> Option<String> {
            DefaultMapping.address(page)
        }
    }
    for path in [
        "",
        "a",
        "//evil.example/",
        "/../a",
        "/%2e%2e/a",
        "/a?b",
        "/a b",
        "http://evil.example/",
    ] {
        let site = Site::default();
        let response = site
            .send(MdSuffixLayer::with_mapping(Evil(path)), get("/nowhere"))
            .await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND);
        assert_eq!(site.asked(), ["/nowhere"], "{path}");
    }
}
