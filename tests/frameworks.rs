//! The layer in axum, hyper and tonic, over real connections.

mod support;

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response, StatusCode, Version};
use http_body::Body;
use http_body_util::channel::Channel;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Empty, Full};
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use markdown_for_agents::convert::Options;
use markdown_for_agents::md_suffix::MdSuffixLayer;
use markdown_for_agents::{BoxError, MarkdownForAgentsLayer};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use support::{Fate, Script, Step, data, fields, long_page, markdown_of};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tower::{Layer, Service, service_fn};

const PAGE: &str = "<h1>Hi</h1><p>Body</p>";

const VERSIONS: [Version; 2] = [Version::HTTP_11, Version::HTTP_2];

type Page = BoxBody<Bytes, BoxError>;

fn boxed<B>(body: B) -> Page
where
    B: Body<Data = Bytes> + Send + Sync + 'static,
    B::Error: Into<BoxError>,
{
    body.map_err(Into::into).boxed()
}

/// Serves connections with hyper until the test ends.
async fn serve<S, B>(service: S) -> SocketAddr
where
    S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible>
        + Clone
        + Send
        + 'static,
    S::Future: Send,
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            tokio::spawn(serve_connection(stream, service.clone()));
        }
    });
    address
}

async fn serve_connection<S, B>(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    service: S,
) where
    S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible>
        + Clone
        + Send
        + 'static,
    S::Future: Send,
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    // A broken transfer is an error here too.
    let _ = auto::Builder::new(TokioExecutor::new())
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service))
        .await;
}

/// A service that answers each request with a response made by this function, behind the layer.
fn site<F>(
    layer: &MarkdownForAgentsLayer,
    answer: F,
) -> impl Service<
    Request<Incoming>,
    Response = Response<markdown_for_agents::MarkdownBody<Page>>,
    Error = Infallible,
    Future: Send,
> + Clone
+ Send
+ use<F>
where
    F: Fn(&Request<Incoming>) -> Response<Page> + Clone + Send + 'static,
{
    layer.layer(service_fn(move |request: Request<Incoming>| {
        let response = answer(&request);
        async move { Ok(response) }
    }))
}

fn page<B>(body: B) -> Response<Page>
where
    B: Body<Data = Bytes> + Send + Sync + 'static,
    B::Error: Into<BoxError>,
{
    Response::builder()
        .header("content-type", "text/html")
        .header("etag", "\"v1\"")
        .body(boxed(body))
        .unwrap()
}

/// An answer as it came over the wire.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
    trailers: Option<HeaderMap>,
    broken: bool,
}

/// Sends one request over a connection of its own.
async fn send(address: SocketAddr, version: Version, request: http::request::Builder) -> Answer {
    let (head, mut body) = open(address, version, request).await.into_parts();
    let mut answer = Answer {
        status: head.status,
        headers: head.headers,
        body: Bytes::new(),
        trailers: None,
        broken: false,
    };
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        match frame.map(Frame::from) {
            Ok(Frame::Data(data)) => bytes.extend_from_slice(&data),
            Ok(Frame::Trailers(trailers)) => answer.trailers = Some(trailers),
            Err(_) => {
                answer.broken = true;
                break;
            }
        }
    }
    answer.body = bytes.into();
    answer
}

enum Frame {
    Data(Bytes),
    Trailers(HeaderMap),
}

impl From<http_body::Frame<Bytes>> for Frame {
    fn from(frame: http_body::Frame<Bytes>) -> Self {
        match frame.into_data() {
            Ok(data) => Self::Data(data),
            Err(frame) => Self::Trailers(frame.into_trailers().unwrap()),
        }
    }
}

/// Sends one request, and gives the answer with its body still to come.
async fn open(
    address: SocketAddr,
    version: Version,
    request: http::request::Builder,
) -> Response<Incoming> {
    let stream = TokioIo::new(TcpStream::connect(address).await.unwrap());
    let request = request.body(Empty::<Bytes>::new()).unwrap();
    if version == Version::HTTP_2 {
        let (mut sender, connection) =
            hyper::client::conn::http2::handshake(TokioExecutor::new(), stream)
                .await
                .unwrap();
        tokio::spawn(connection);
        let (mut head, body) = request.into_parts();
        head.uri = format!("http://{address}{}", head.uri).parse().unwrap();
        head.headers.remove("host");
        sender
            .send_request(Request::from_parts(head, body))
            .await
            .unwrap()
    } else {
        let (mut sender, connection) = hyper::client::conn::http1::handshake(stream).await.unwrap();
        tokio::spawn(connection);
        let mut request = request;
        request
            .headers_mut()
            .entry("host")
            .or_insert(address.to_string().parse().unwrap());
        sender.send_request(request).await.unwrap()
    }
}

fn agent(path: &str) -> http::request::Builder {
    support::agent(path)
}

#[tokio::test]
async fn answers_are_the_same_over_both_versions() {
    let layer = MarkdownForAgentsLayer::new()
        .public_origin("https://example.com")
        .unwrap();
    let long = long_page(300_000);
    let source = long.clone();
    let address = serve(site(&layer, move |request| match request.uri().path() {
        "/short" => page(Full::from(PAGE)),
        "/long" => page(Full::from(source.clone())),
        _ => page(Script::hostile(PAGE.as_bytes(), 3)),
    }))
    .await;
    for (path, source) in [("/short", PAGE), ("/long", &long), ("/slow", PAGE)] {
        let markdown = markdown_of(
            Options::new(),
            Some(&format!("https://example.com{path}")),
            source,
        );
        let mut heads = Vec::new();
        for version in VERSIONS {
            let answer = send(address, version, agent(path)).await;
            assert_eq!(answer.status, 200);
            assert_eq!(answer.body, markdown, "{path} {version:?}");
            assert!(!answer.broken);
            assert_eq!(
                answer.headers.contains_key("content-length"),
                path == "/short",
                "{path} {version:?}"
            );
            let html = send(address, version, support::browser(path)).await;
            assert_eq!(html.body, source);
            assert_eq!(html.headers["etag"], "\"v1\"");
            assert_eq!(html.headers["vary"], "Accept");
            let mut head = answer.headers;
            for hop in ["transfer-encoding", "date"] {
                head.remove(hop);
            }
            heads.push(fields(&head));
        }
        assert_eq!(heads[0], heads[1], "{path}");
    }
}

#[tokio::test]
async fn a_head_that_a_proxy_hands_on_as_it_came_gives_whole_messages() {
    let address = serve(site(&MarkdownForAgentsLayer::new(), |request| {
        let mut response = match request.uri().path() {
            "/short" => page(Full::from(PAGE)),
            _ => page(Script::hostile(PAGE.as_bytes(), 3)),
        };
        let headers = response.headers_mut();
        headers.insert("transfer-encoding", "chunked".parse().unwrap());
        response
    }))
    .await;
    for path in ["/short", "/slow"] {
        let url = format!("http://{address}{path}");
        let markdown = markdown_of(Options::new(), Some(&url), PAGE);
        let answer = send(address, Version::HTTP_11, agent(path)).await;
        assert_eq!((answer.status, answer.body), (StatusCode::OK, markdown));
        assert!(!answer.broken);
        let html = send(address, Version::HTTP_11, support::browser(path)).await;
        assert_eq!(
            (html.status, &html.body[..]),
            (StatusCode::OK, PAGE.as_bytes())
        );
    }
}

#[tokio::test]
async fn head_has_no_length_and_no_body() {
    // The inner service leaves a body on HEAD, as a handler for GET does.
    let address = serve(site(&MarkdownForAgentsLayer::new(), |_| {
        page(Full::from(PAGE))
    }))
    .await;
    for version in VERSIONS {
        let answer = send(address, version, agent("/").method(Method::HEAD)).await;
        assert_eq!(
            answer.headers["content-type"],
            "text/markdown; charset=utf-8"
        );
        assert!(
            !answer.headers.contains_key("content-length"),
            "{:?}",
            answer.headers
        );
        assert!(answer.body.is_empty() && !answer.broken);
    }
}

#[tokio::test]
async fn trailers_survive() {
    let trailers = HeaderMap::from_iter([("x-checked".parse().unwrap(), "yes".parse().unwrap())]);
    for short in [true, false] {
        let (expected, trailers) = (trailers.clone(), trailers.clone());
        let address = serve(site(&MarkdownForAgentsLayer::new(), move |_| {
            let body = if short {
                Script::pieces(PAGE.as_bytes(), 5)
            } else {
                Script::hostile(PAGE.as_bytes(), 5)
            };
            let mut response = page(body.then(Step::Trailers(trailers.clone())));
            response
                .headers_mut()
                .insert("trailer", "x-checked".parse().unwrap());
            response
        }))
        .await;
        for version in VERSIONS {
            let answer = send(address, version, agent("/").header("te", "trailers")).await;
            assert_eq!(
                answer.headers["content-type"],
                "text/markdown; charset=utf-8"
            );
            assert_eq!(
                answer.trailers.as_ref(),
                Some(&expected),
                "{version:?} short: {short}"
            );
        }
    }
}

#[tokio::test]
async fn a_page_that_breaks_off_is_a_broken_transfer() {
    for version in VERSIONS {
        for request in [agent("/"), support::browser("/")] {
            let (mut sender, body) = Channel::<Bytes, BoxError>::new(1);
            let body = Arc::new(std::sync::Mutex::new(Some(body)));
            let address = serve(site(&MarkdownForAgentsLayer::new(), move |_| {
                page(body.lock().unwrap().take().unwrap())
            }))
            .await;
            sender.send_data(PAGE.into()).await.unwrap();
            let response = open(address, version, request).await;
            assert_eq!(response.status(), 200);
            let mut body = response.into_body();
            assert!(body.frame().await.unwrap().unwrap().is_data());
            sender.abort("the page breaks off".into());
            let broken = loop {
                match body.frame().await {
                    Some(Ok(_)) => {}
                    Some(Err(_)) => break true,
                    None => break false,
                }
            };
            assert!(broken, "{version:?}: a clean end of half a page");
        }
    }
}

/// What curl makes of a request for Markdown: its exit code, the head that it read, and the body. `None`
/// where there is no curl.
async fn curl(
    address: SocketAddr,
    version: Version,
    path: &str,
    fields: &[&str],
) -> Option<(Option<i32>, Vec<String>, Vec<u8>)> {
    let mut curl = tokio::process::Command::new("curl");
    curl.args(["--silent", "--dump-header", "/dev/stderr"]);
    curl.args(["--header", "accept: text/markdown"]);
    for field in fields {
        curl.args(["--header", field]);
    }
    curl.arg(match version {
        Version::HTTP_2 => "--http2-prior-knowledge",
        _ => "--http1.1",
    });
    let Ok(output) = curl.arg(format!("http://{address}{path}")).output().await else {
        println!("left out: there is no curl on this machine");
        return None;
    };
    let head = String::from_utf8(output.stderr).unwrap();
    let mut lines: Vec<String> = head
        .lines()
        .map(|line| line.trim_end().to_ascii_lowercase())
        .collect();
    lines.retain(|line| !line.is_empty());
    Some((output.status.code(), lines, output.stdout))
}

#[tokio::test]
async fn curl_reads_the_same_over_both_versions() {
    let layer = MarkdownForAgentsLayer::new()
        .public_origin("https://example.com")
        .unwrap();
    let long = long_page(300_000);
    let source = long.clone();
    let address = serve(site(&layer, move |request| {
        if request.headers().contains_key("if-none-match") {
            let response = Response::builder().status(304).header("etag", "\"v1\"");
            return response.body(boxed(Empty::new())).unwrap();
        }
        match request.uri().path() {
            "/short" => page(Full::from(PAGE)),
            "/long" => page(Full::from(source.clone())),
            _ => page(Script::pieces(source.as_bytes(), 50_000).then(Step::Fail)),
        }
    }))
    .await;
    for (path, source) in [("/short", PAGE), ("/long", &long)] {
        let url = format!("https://example.com{path}");
        let markdown = markdown_of(Options::new(), Some(&url), source);
        let mut heads = Vec::new();
        for version in VERSIONS {
            let Some((code, mut head, body)) = curl(address, version, path, &[]).await else {
                return;
            };
            assert_eq!(code, Some(0));
            assert_eq!(body, markdown, "{path} {version:?}");
            assert!(head.remove(0).contains(" 200"));
            head.retain(|line| {
                !line.starts_with("date:") && !line.starts_with("transfer-encoding:")
            });
            head.sort();
            let tag = head.iter().find_map(|line| line.strip_prefix("etag: "));
            let condition = format!("if-none-match: {}", tag.unwrap().replace("w/", "W/"));
            let (code, fresh, body) = curl(address, version, path, &[&condition]).await.unwrap();
            assert_eq!((code, body.len()), (Some(0), 0));
            assert!(fresh[0].contains(" 304"), "{fresh:?}");
            assert!(fresh.iter().any(|line| line.strip_prefix("etag: ") == tag));
            heads.push(head);
        }
        assert_eq!(heads[0], heads[1], "{path}");
    }
    for version in VERSIONS {
        let (code, ..) = curl(address, version, "/broken", &[]).await.unwrap();
        // CURLE_PARTIAL_FILE and CURLE_HTTP2_STREAM; a reset of the connection is CURLE_RECV_ERROR.
        assert!(matches!(code, Some(18 | 56 | 92)), "{version:?}: {code:?}");
    }
}

/// Lets every other task run, until something holds.
async fn until(what: impl Fn() -> bool) {
    while !what() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_client_that_goes_away_drops_the_inner_body() {
    for version in VERSIONS {
        let fates: Arc<std::sync::Mutex<Vec<Arc<Fate>>>> = Arc::default();
        let log = Arc::clone(&fates);
        let address = serve(site(&MarkdownForAgentsLayer::new(), move |_| {
            let body = Script::new([data(PAGE), Step::Hang]);
            log.lock().unwrap().push(body.fate());
            page(body)
        }))
        .await;
        let mut response = open(address, version, agent("/")).await;
        assert_eq!(
            response.headers()["content-type"],
            "text/markdown; charset=utf-8"
        );
        response.body_mut().frame().await.unwrap().unwrap();
        let fate = Arc::clone(&fates.lock().unwrap()[0]);
        assert!(!fate.is_dropped());
        drop(response);
        until(|| fate.is_dropped()).await;
    }
}

/// Yields paragraphs for ever, as fast as it is polled.
struct Endless(Arc<Fate>);

impl Body for Endless {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, Infallible>>> {
        let paragraph = Bytes::from_static(b"<p>Some words in a row, and no end of them.</p>\n");
        self.0
            .bytes
            .fetch_add(paragraph.len(), std::sync::atomic::Ordering::SeqCst);
        Poll::Ready(Some(Ok(http_body::Frame::data(paragraph))))
    }
}

#[tokio::test]
async fn a_client_that_reads_nothing_stops_the_inner_body() {
    let fate: Arc<Fate> = Arc::default();
    let inner = Arc::clone(&fate);
    let service = site(&MarkdownForAgentsLayer::new(), move |_| {
        page(Endless(Arc::clone(&inner)))
    });
    // A pipe of a known size in place of the network.
    let (mut client, server) = tokio::io::duplex(64 << 10);
    tokio::spawn(serve_connection(server, service));
    client
        .write_all(b"GET / HTTP/1.1\r\nhost: a\r\naccept: text/markdown\r\n\r\n")
        .await
        .unwrap();
    until(|| fate.bytes() > 0).await;
    // Nothing moves any more when nothing has moved while everybody could run many times.
    let stopped = loop {
        let before = fate.bytes();
        for _ in 0..1000 {
            tokio::task::yield_now().await;
        }
        if fate.bytes() == before {
            break before;
        }
    };
    // What is held back, the pipe, and hyper's own write buffer.
    assert!(stopped < 2 << 20, "{stopped} bytes were read for nobody");
    assert!(!fate.is_dropped());
}

#[tokio::test]
async fn axum_mounts_it_as_any_layer() {
    let router = Router::new()
        .route("/", get(|| async { Html(PAGE) }))
        .route(
            "/json",
            get(|| async { axum::Json(serde_json::json!({"a": 1})) }),
        )
        .nest(
            "/docs",
            Router::new().route("/a", get(|| async { Html(PAGE) })),
        )
        .layer(MarkdownForAgentsLayer::new());
    let site = MdSuffixLayer::new().layer(router);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let service = axum::ServiceExt::<axum::extract::Request>::into_make_service(site);
        axum::serve(listener, service).await.unwrap();
    });
    for (path, url) in [
        ("/", "/"),
        ("/docs/a", "/docs/a"),
        ("/index.md", "/"),
        ("/docs/a.md", "/docs/a"),
    ] {
        let answer = send(address, Version::HTTP_11, agent(path)).await;
        let url = format!("http://{address}{url}");
        assert_eq!(
            answer.body,
            markdown_of(Options::new(), Some(&url), PAGE),
            "{path}"
        );
    }
    let head = send(address, Version::HTTP_11, agent("/").method(Method::HEAD)).await;
    assert_eq!(head.headers["content-type"], "text/markdown; charset=utf-8");
    let html = send(address, Version::HTTP_11, support::browser("/")).await;
    assert_eq!(html.body, PAGE);
    let json = send(address, Version::HTTP_11, agent("/json")).await;
    assert_eq!(
        (&json.headers["content-type"], &*json.body),
        (&"application/json".parse().unwrap(), &b"{\"a\":1}"[..])
    );
    assert!(!json.headers.contains_key("vary"));
}

#[tokio::test]
async fn grpc_passes_untouched_beside_a_page() {
    use tonic::service::Routes;
    use tonic::transport::server::TcpIncoming;
    use tonic::transport::{Endpoint, Server};
    use tonic_health::ServingStatus;
    use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};

    let (reporter, health) = tonic_health::server::health_reporter();
    reporter
        .set_service_status("tides", ServingStatus::Serving)
        .await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let pages = Router::new().route("/", get(|| async { Html(PAGE) }));
    tokio::spawn(
        Server::builder()
            .accept_http1(true)
            .layer(MarkdownForAgentsLayer::new())
            .add_routes(Routes::from(pages).add_service(health))
            .serve_with_incoming(TcpIncoming::from(listener)),
    );

    let channel = Endpoint::from_shared(format!("http://{address}"))
        .unwrap()
        .connect()
        .await
        .unwrap();
    let mut client = HealthClient::new(channel);
    let request = |service: &str| {
        let mut request = tonic::Request::new(HealthCheckRequest {
            service: service.into(),
        });
        request
            .metadata_mut()
            .insert("accept", "text/markdown".parse().unwrap());
        request
    };
    let answer = client.check(request("tides")).await.unwrap().into_inner();
    assert_eq!(answer.status().as_str_name(), "SERVING");
    let error = client.check(request("unknown")).await.unwrap_err();
    assert_eq!(error.code(), tonic::Code::NotFound);
    let mut stream = client.watch(request("tides")).await.unwrap().into_inner();
    assert_eq!(
        stream
            .message()
            .await
            .unwrap()
            .unwrap()
            .status()
            .as_str_name(),
        "SERVING"
    );

    for version in VERSIONS {
        let answer = send(address, version, agent("/")).await;
        assert_eq!(
            answer.headers["content-type"],
            "text/markdown; charset=utf-8"
        );
        assert!(std::str::from_utf8(&answer.body).unwrap().contains("# Hi"));
    }
}
