//! The layer: both locations, methods, types, conditions, and everything else untouched.

use bytes::{Buf, Bytes};
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body::{Body, Frame, SizeHint};
use http_body_util::{BodyExt, Full};
use markdown_for_agents::agents_md::{
    AgentsMd, AgentsMdBody, AgentsMdLayer, ParseErrorKind, ROOT_PATH, Served, WELL_KNOWN_PATH,
};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use tower::{Layer, Service, ServiceExt, service_fn};

const TEXT: &str = "# Shop\n\n## Can\n- Look\n";
const TAG: &str = "\"16-e527dd4abefe9820\"";
const PLAIN_TAG: &str = "\"16-e527dd4abefe9820-plain\"";

fn layer() -> AgentsMdLayer {
    AgentsMdLayer::from_text(TEXT).unwrap()
}

fn request(method: Method, path: &str, headers: &[(&str, &str)]) -> Request<String> {
    let mut request = Request::new("sent".to_owned());
    *request.method_mut() = method;
    *request.uri_mut() = path.parse().unwrap();
    for (name, value) in headers {
        let name = http::HeaderName::try_from(*name).unwrap();
        request.headers_mut().append(name, value.parse().unwrap());
    }
    request
}

/// Names and values in the order of the names.
fn list(headers: &HeaderMap) -> Vec<(&str, &str)> {
    let mut list: Vec<_> = headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.to_str().unwrap()))
        .collect();
    list.sort_unstable();
    list
}

/// What a site without an agents.md answers through `layer`; a panic if it is asked for one of the two locations.
async fn answer(layer: AgentsMdLayer, request: Request<String>) -> (StatusCode, HeaderMap, Bytes) {
    let never = service_fn(
        async |request: Request<String>| -> Result<Response<Full<Bytes>>, Infallible> {
            panic!("{} went in", request.uri());
        },
    );
    let response = layer.layer(never).oneshot(request).await.unwrap();
    assert!(response.extensions().get::<Served>().is_some());
    let (head, body) = response.into_parts();
    (
        head.status,
        head.headers,
        body.collect().await.unwrap().to_bytes(),
    )
}

const MARKDOWN_HEAD: [(&str, &str); 5] = [
    ("cache-control", "max-age=3600"),
    ("content-length", "22"),
    ("content-type", "text/markdown; charset=utf-8"),
    ("etag", TAG),
    ("vary", "Accept"),
];

#[tokio::test]
async fn both_locations_have_the_same_file() {
    for path in [WELL_KNOWN_PATH, ROOT_PATH, "/agents.md?x=y"] {
        let (status, headers, body) = answer(layer(), request(Method::GET, path, &[])).await;
        assert_eq!(status, StatusCode::OK);
        assert_eq!(list(&headers), MARKDOWN_HEAD);
        assert_eq!(body, TEXT);
    }
}

#[tokio::test]
async fn head_has_the_head_of_get_and_no_body() {
    let (status, headers, body) = answer(layer(), request(Method::HEAD, ROOT_PATH, &[])).await;
    assert_eq!((status, body), (StatusCode::OK, Bytes::new()));
    assert_eq!(list(&headers), MARKDOWN_HEAD);
}

#[tokio::test]
async fn plain_text_is_the_same_file_with_its_own_tag() {
    let accept = [("accept", "text/plain, text/markdown;q=0.9, */*;q=0.1")];
    let (status, headers, body) = answer(layer(), request(Method::GET, ROOT_PATH, &accept)).await;
    assert_eq!((status, body), (StatusCode::OK, Bytes::from(TEXT)));
    assert_eq!(
        list(&headers),
        [
            ("cache-control", "max-age=3600"),
            ("content-length", "22"),
            ("content-type", "text/plain; charset=utf-8"),
            ("etag", PLAIN_TAG),
            ("vary", "Accept"),
        ],
    );
}

#[tokio::test]
async fn an_accept_that_a_layer_has_widened_still_gets_markdown() {
    for accept in [
        "text/markdown, text/html;q=0.9",
        "text/markdown, text/html",
        "text/html",
        "image/png",
    ] {
        let request = request(Method::GET, ROOT_PATH, &[("accept", accept)]);
        let (status, headers, _) = answer(layer(), request).await;
        assert_eq!(status, StatusCode::OK);
        assert_eq!(list(&headers), MARKDOWN_HEAD, "{accept}");
    }
}

#[tokio::test]
async fn a_fresh_copy_gets_a_304() {
    for method in [Method::GET, Method::HEAD] {
        for condition in [TAG, "*", "\"other\", W/\"16-e527dd4abefe9820\""] {
            let request = request(method.clone(), ROOT_PATH, &[("if-none-match", condition)]);
            let (status, headers, body) = answer(layer(), request).await;
            assert_eq!(
                (status, body),
                (StatusCode::NOT_MODIFIED, Bytes::new()),
                "{condition}"
            );
            let expected = [
                ("cache-control", "max-age=3600"),
                ("etag", TAG),
                ("vary", "Accept"),
            ];
            assert_eq!(list(&headers), expected);
        }
    }
    let two_lines = [("if-none-match", "\"other\""), ("if-none-match", TAG)];
    let (status, ..) = answer(layer(), request(Method::GET, ROOT_PATH, &two_lines)).await;
    assert_eq!(status, StatusCode::NOT_MODIFIED);

    for condition in ["\"other\"", PLAIN_TAG] {
        let request = request(Method::GET, ROOT_PATH, &[("if-none-match", condition)]);
        assert_eq!(
            answer(layer(), request).await.0,
            StatusCode::OK,
            "{condition}"
        );
    }
}

#[tokio::test]
async fn a_failed_if_match_gets_a_412() {
    let stale = request(Method::GET, ROOT_PATH, &[("if-match", "\"other\"")]);
    let (status, headers, body) = answer(layer(), stale).await;
    assert_eq!(
        (status, body),
        (StatusCode::PRECONDITION_FAILED, Bytes::new())
    );
    let expected = [
        ("cache-control", "max-age=3600"),
        ("etag", TAG),
        ("vary", "Accept"),
    ];
    assert_eq!(list(&headers), expected);
    let fresh = request(Method::GET, ROOT_PATH, &[("if-match", TAG)]);
    assert_eq!(answer(layer(), fresh).await.0, StatusCode::OK);
}

#[tokio::test]
async fn other_methods_get_a_405_at_both_locations() {
    for method in [
        Method::POST,
        Method::PUT,
        Method::DELETE,
        Method::OPTIONS,
        Method::TRACE,
    ] {
        for path in [WELL_KNOWN_PATH, ROOT_PATH] {
            let (status, headers, body) = answer(layer(), request(method.clone(), path, &[])).await;
            assert_eq!(
                (status, body),
                (StatusCode::METHOD_NOT_ALLOWED, Bytes::new())
            );
            assert_eq!(list(&headers), [("allow", "GET, HEAD")]);
        }
    }
}

#[tokio::test]
async fn cache_control_is_the_operators() {
    let layer = layer().cache_control("no-cache".parse().unwrap());
    let (_, headers, _) = answer(layer, request(Method::GET, ROOT_PATH, &[])).await;
    assert_eq!(headers["cache-control"], "no-cache");
}

#[test]
fn a_text_that_is_no_agents_md_is_not_served() {
    let error = AgentsMdLayer::from_text("## MCP\nauth: x\n").unwrap_err();
    assert_eq!(
        (error.kind(), error.line()),
        (ParseErrorKind::UnknownAuth, Some(2))
    );
    let document: AgentsMd = TEXT.parse().unwrap();
    assert_eq!(
        format!("{:?}", AgentsMdLayer::new(&document)),
        format!("{:?}", layer())
    );
}

/// A service that is neither `Clone` nor `Send`, with a body whose data is not [`Bytes`].
#[derive(Debug)]
struct Site {
    response: Option<Response<Frames>>,
    asked: Option<Request<String>>,
    _not_send: std::rc::Rc<()>,
}

impl Site {
    fn new(response: Response<Frames>) -> Self {
        Self {
            response: Some(response),
            asked: None,
            _not_send: std::rc::Rc::default(),
        }
    }
}

impl Service<Request<String>> for Site {
    type Response = Response<Frames>;
    type Error = String;
    type Future = std::future::Ready<Result<Response<Frames>, String>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), String>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<String>) -> Self::Future {
        self.asked = Some(request);
        std::future::ready(self.response.take().ok_or_else(|| "broken".to_owned()))
    }
}

/// Frames as they are given, `Pending` before each, an error at the end if there is one.
#[derive(Debug, Default)]
struct Frames {
    frames: VecDeque<Frame<VecDeque<u8>>>,
    error: Option<&'static str>,
    waited: bool,
}

impl Body for Frames {
    type Data = VecDeque<u8>;
    type Error = &'static str;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<VecDeque<u8>>, &'static str>>> {
        self.waited = !self.waited;
        if self.waited {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let error = |body: &mut Self| body.error.take().map(Err);
        Poll::Ready(self.frames.pop_front().map(Ok).or_else(|| error(&mut self)))
    }

    fn is_end_stream(&self) -> bool {
        self.frames.is_empty() && self.error.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        let mut hint = SizeHint::new();
        hint.set_lower(3);
        hint.set_upper(7);
        hint
    }
}

fn frames(data: &[&[u8]]) -> Frames {
    let frames = data
        .iter()
        .map(|bytes| Frame::data(bytes.iter().copied().collect()))
        .collect();
    Frames {
        frames,
        ..Frames::default()
    }
}

fn response(status: u16, content_type: &str, body: Frames) -> Response<Frames> {
    Response::builder()
        .status(status)
        .header("content-type", content_type)
        .body(body)
        .unwrap()
}

/// All frames of a body: data, or trailers, or the error that ends it.
async fn frames_of(body: AgentsMdBody<Frames>) -> Vec<Result<Frame<Bytes>, &'static str>> {
    let mut body = std::pin::pin!(body);
    let mut frames = Vec::new();
    while let Some(frame) = body.frame().await {
        frames.push(frame);
    }
    frames
}

#[tokio::test]
async fn other_paths_pass_in_both_directions_untouched() {
    for path in [
        "/",
        "/agents.md/",
        "/Agents.md",
        "/a/agents.md",
        "/.well-known/agents.txt",
        "//agents.md",
    ] {
        let mut body = frames(&[b"<p>", b"", b"Hello"]);
        let trailers =
            HeaderMap::from_iter([(http::HeaderName::from_static("x"), "y".parse().unwrap())]);
        body.frames.push_back(Frame::trailers(trailers.clone()));
        body.error = Some("broken off");
        let mut service = layer().layer(Site::new(response(418, "text/html", body)));

        let sent = request(
            Method::POST,
            path,
            &[("accept", "text/markdown"), ("if-none-match", "*")],
        );
        let answered = service.ready().await.unwrap().call(sent).await.unwrap();
        let asked = service.get_ref().asked.as_ref().unwrap();
        assert_eq!(
            (asked.method(), asked.uri().path(), asked.body().as_str()),
            (&Method::POST, path, "sent")
        );
        assert_eq!(
            list(asked.headers()),
            [("accept", "text/markdown"), ("if-none-match", "*")]
        );

        assert_eq!(answered.status(), 418);
        assert_eq!(list(answered.headers()), [("content-type", "text/html")]);
        assert!(answered.extensions().get::<Served>().is_none());
        assert_eq!(
            (
                answered.body().size_hint().lower(),
                answered.body().size_hint().upper()
            ),
            (3, Some(7))
        );
        assert!(!answered.body().is_end_stream());

        let frames = frames_of(answered.into_body()).await;
        let data: Vec<_> = frames[..3]
            .iter()
            .map(|f| f.as_ref().unwrap().data_ref().unwrap().chunk())
            .collect();
        assert_eq!(data, [b"<p>".as_slice(), b"", b"Hello"]);
        assert_eq!(frames[3].as_ref().unwrap().trailers_ref(), Some(&trailers));
        assert_eq!(frames[4].as_ref().unwrap_err(), &"broken off");
        assert_eq!(frames.len(), 5);
    }
}

#[tokio::test]
async fn the_error_of_the_inner_service_passes() {
    let mut site = Site::new(response(200, "text/html", frames(&[])));
    site.response = None;
    let error = layer()
        .layer(site)
        .oneshot(request(Method::GET, "/", &[]))
        .await
        .unwrap_err();
    assert_eq!(error, "broken");
}

#[test]
fn the_body_of_the_file_knows_its_length_and_end() {
    let mut answered = layer().layer(Site::new(response(200, "text/html", frames(&[]))));
    let answered = now(answered.call(request(Method::GET, ROOT_PATH, &[]))).unwrap();
    let mut body = answered.into_body();
    assert_eq!(
        (body.size_hint().exact(), body.is_end_stream()),
        (Some(22), false)
    );
    let frame = now(body.frame()).unwrap().unwrap();
    assert_eq!(frame.into_data().unwrap(), TEXT);
    assert_eq!(
        (body.size_hint().exact(), body.is_end_stream()),
        (Some(0), true)
    );
    assert!(now(body.frame()).is_none());
}

/// The output of a future that is ready at once.
fn now<F: Future>(future: F) -> F::Output {
    let mut future = std::pin::pin!(future);
    match future
        .as_mut()
        .poll(&mut Context::from_waker(std::task::Waker::noop()))
    {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("not ready at once"),
    }
}

#[tokio::test]
async fn an_inner_file_wins_only_by_option_and_only_if_there_is_one() {
    for (status, content_type, method, wins) in [
        (200, "text/markdown", Method::GET, true),
        (200, "text/plain; charset=utf-8", Method::HEAD, true),
        (304, "text/html", Method::GET, true),
        (301, "text/html", Method::GET, true),
        (500, "text/html", Method::GET, true),
        (204, "text/plain", Method::POST, true),
        (200, "text/html", Method::POST, true),
        (404, "text/plain", Method::GET, false),
        (405, "text/plain", Method::HEAD, false),
        (405, "text/plain", Method::POST, false),
        (200, "Text/HTML ; charset=utf-8", Method::GET, false),
    ] {
        let site = || Site::new(response(status, content_type, frames(&[b"inner"])));
        let mut service = layer().inner_wins().layer(site());
        let answered = service
            .call(request(method.clone(), ROOT_PATH, &[]))
            .await
            .unwrap();
        assert_eq!(
            service.get_ref().asked.as_ref().unwrap().body(),
            "sent",
            "the request goes in whole"
        );
        assert_eq!(
            answered.extensions().get::<Served>().is_none(),
            wins,
            "{status} {content_type}"
        );
        if wins {
            assert_eq!(answered.status(), status);
            assert_eq!(list(answered.headers()), [("content-type", content_type)]);
            assert_eq!(
                answered.into_body().collect().await.unwrap().to_bytes(),
                "inner"
            );
        } else {
            let expected = match method {
                Method::POST => (StatusCode::METHOD_NOT_ALLOWED, ""),
                Method::HEAD => (StatusCode::OK, ""),
                _ => (StatusCode::OK, TEXT),
            };
            assert_eq!(answered.status(), expected.0);
            assert_eq!(
                answered.into_body().collect().await.unwrap().to_bytes(),
                expected.1
            );
        }

        let mut service = layer().layer(site());
        let answered = service.call(request(method, ROOT_PATH, &[])).await.unwrap();
        assert!(answered.extensions().get::<Served>().is_some());
        assert!(service.into_inner().asked.is_none());
    }
}

#[tokio::test]
async fn the_link_is_added_to_what_the_site_answers() {
    const LINK: &str = "</.well-known/agents.md>; rel=\"service-desc\"; type=\"text/markdown\"";
    let mut inner = response(404, "text/html", frames(&[]));
    inner
        .headers_mut()
        .insert("link", "</style.css>; rel=preload".parse().unwrap());
    let answered = layer().link().layer(Site::new(inner));
    let answered = answered
        .oneshot(request(Method::GET, "/", &[]))
        .await
        .unwrap();
    assert_eq!(
        list(answered.headers()),
        [
            ("content-type", "text/html"),
            ("link", LINK),
            ("link", "</style.css>; rel=preload")
        ],
    );

    let upgrade = layer()
        .link()
        .layer(Site::new(response(101, "x/y", frames(&[]))));
    let answered = upgrade
        .oneshot(request(Method::GET, "/", &[]))
        .await
        .unwrap();
    assert_eq!(list(answered.headers()), [("content-type", "x/y")]);

    let (_, headers, _) = answer(layer().link(), request(Method::GET, ROOT_PATH, &[])).await;
    assert_eq!(list(&headers), MARKDOWN_HEAD);
}

#[tokio::test]
async fn over_a_socket_the_head_of_head_is_that_of_get() {
    let app = axum::Router::new()
        .route("/", axum::routing::get(|| async { "site" }))
        .layer(layer());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });

    let client = reqwest_client();
    let url = |path: &str| format!("http://{address}{path}");
    let get = client.get(url(WELL_KNOWN_PATH)).send().await.unwrap();
    let head = client.head(url(WELL_KNOWN_PATH)).send().await.unwrap();
    let without_date = |headers: &HeaderMap| {
        let mut headers = headers.clone();
        headers.remove("date");
        headers
    };
    assert_eq!(list(&without_date(get.headers())), MARKDOWN_HEAD);
    assert_eq!(without_date(get.headers()), without_date(head.headers()));
    assert_eq!(get.text().await.unwrap(), TEXT);
    assert_eq!(head.text().await.unwrap(), "");

    let fresh = client
        .get(url(ROOT_PATH))
        .header("if-none-match", TAG)
        .send()
        .await
        .unwrap();
    assert_eq!(fresh.status(), 304);
    let post = client.post(url(ROOT_PATH)).body("x").send().await.unwrap();
    assert_eq!(
        (post.status(), &post.headers()["allow"]),
        (
            StatusCode::METHOD_NOT_ALLOWED,
            &"GET, HEAD".parse().unwrap()
        )
    );
    let site = client.get(url("/")).send().await.unwrap();
    assert_eq!(site.text().await.unwrap(), "site");
    let none = client.get(url("/none")).send().await.unwrap();
    assert_eq!(none.status(), 404);
}

fn reqwest_client() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().build().unwrap()
}
