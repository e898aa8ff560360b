//! The gateway example between real sockets: what goes through, what stops there, how it fails.

#[path = "../examples/gateway/fields.rs"]
mod fields;
#[path = "../examples/gateway/proxy.rs"]
mod proxy;
#[path = "../examples/gateway/server.rs"]
mod server;
#[path = "../examples/gateway/upload.rs"]
mod upload;

use fields::Forwarded;
use http_body_util::{BodyExt, Empty, Full};
use hyper::{
    Request, StatusCode,
    body::Bytes,
    client::conn::http2,
    header::{CONTENT_TYPE, COOKIE},
};
use hyper_util::rt::{TokioExecutor, TokioIo};
use markdown_for_agents::MarkdownForAgentsLayer;
use proxy::{Proxy, Settings, Upstream, UpstreamProtocol};
use std::{convert::Infallible, future::Future, net::SocketAddr, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::mpsc,
    task::JoinHandle,
};
use tonic::transport::{Endpoint, Server, server::TcpIncoming};
use tonic_health::{
    ServingStatus,
    pb::{HealthCheckRequest, health_client::HealthClient},
};

/// A request after which the connection ends.
const PLAIN: &str = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

/// An answer without content.
const EMPTY: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

/// A gateway that serves until it is dropped.
struct Gateway {
    address: SocketAddr,
    task: JoinHandle<Infallible>,
}

impl Drop for Gateway {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Gateway {
    async fn to(upstream: SocketAddr) -> Self {
        Self::with(upstream, |_| {}).await
    }

    /// Before an upstream that gives this answer once per connection.
    async fn answering(answer: &'static str) -> Self {
        Self::to(answering(answer).await).await
    }

    /// Before an upstream that tells what it got.
    async fn recording() -> (Self, mpsc::UnboundedReceiver<String>) {
        let (upstream, received) = recording().await;
        (Self::to(upstream).await, received)
    }

    async fn with(upstream: SocketAddr, change: impl FnOnce(&mut Settings)) -> Self {
        let upstream: Upstream = format!("http://{upstream}").parse().unwrap();
        let mut settings = Settings {
            upstream,
            protocol: UpstreamProtocol::Http1,
            timeout: Duration::from_secs(60),
            scheme: "http",
            forwarded: Forwarded::Untrusted,
        };
        change(&mut settings);
        let (listener, proxy) = (listen().await, Proxy::new(settings));
        let address = listener.local_addr().unwrap();
        let task = tokio::spawn(async move {
            server::serve(&listener, &MarkdownForAgentsLayer::new(), &proxy).await
        });
        Self { address, task }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// What comes back until the connection ends.
    async fn exchange(&self, request: &str) -> String {
        let mut stream = self.connect().await;
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        // A reset is an end, too.
        let _ = stream.read_to_end(&mut answer).await;
        String::from_utf8(answer).unwrap()
    }
}

async fn listen() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").await.unwrap()
}

/// An upstream that does with each connection what the test wants.
async fn upstream<F, Fut>(serve: F) -> SocketAddr
where
    F: Fn(TcpStream) -> Fut + Send + 'static,
    Fut: Future<Output = ()> + Send + 'static,
{
    let listener = listen().await;
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream));
        }
    });
    address
}

/// An upstream that takes one request head, writes `answer` and closes.
async fn answering(answer: &'static str) -> SocketAddr {
    upstream(move |mut stream| async move {
        head(&mut stream).await;
        stream.write_all(answer.as_bytes()).await.unwrap();
    })
    .await
}

/// An upstream that answers every request with an empty 200 and tells what it got.
async fn recording() -> (SocketAddr, mpsc::UnboundedReceiver<String>) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let address = upstream(move |mut stream| {
        let sender = sender.clone();
        async move {
            sender.send(head(&mut stream).await).unwrap();
            stream.write_all(EMPTY).await.unwrap();
        }
    })
    .await;
    (address, receiver)
}

/// Everything up to the empty line; less if the peer closes before.
async fn head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => break,
        }
    }
    String::from_utf8(head).unwrap()
}

async fn five_bytes(stream: &mut TcpStream) -> [u8; 5] {
    let mut bytes = [0; 5];
    stream.read_exact(&mut bytes).await.unwrap();
    bytes
}

/// The start line and the fields, sorted: their order has no meaning.
fn lines(head: &str) -> (&str, Vec<&str>) {
    let (head, _) = head.split_once("\r\n\r\n").unwrap_or((head, ""));
    let mut lines = head.split("\r\n");
    let start = lines.next().unwrap();
    let mut fields: Vec<&str> = lines.filter(|line| !line.starts_with("date:")).collect();
    fields.sort_unstable();
    (start, fields)
}

#[tokio::test]
async fn the_target_goes_upstream_byte_for_byte_and_hop_by_hop_fields_do_not() {
    let (gateway, mut received) = Gateway::recording().await;
    gateway
        .exchange(
            "GET /a%2Fb//c/../d?x=%20&y=a+b&&z=%C3%BC HTTP/1.1\r\n\
             Host: site.example\r\n\
             Connection: close, X-Secret\r\n\
             X-Secret: 1\r\n\
             X-Trace: kept\r\n\
             TE: trailers, deflate\r\n\
             Keep-Alive: timeout=5\r\n\
             Proxy-Authorization: Basic eDp5\r\n\
             Forwarded: for=6.6.6.6\r\n\
             X-Forwarded-For: 6.6.6.6\r\n\
             X-Forwarded-Host: evil.example\r\n\
             X-Forwarded-Proto: https\r\n\r\n",
        )
        .await;
    let received = received.recv().await.unwrap();
    assert_eq!(
        lines(&received),
        (
            "GET /a%2Fb//c/../d?x=%20&y=a+b&&z=%C3%BC HTTP/1.1",
            vec![
                "host: site.example",
                "te: trailers",
                "via: 1.1 gateway",
                "x-forwarded-for: 127.0.0.1",
                "x-forwarded-host: site.example",
                "x-forwarded-proto: http",
                "x-trace: kept",
            ]
        )
    );
}

#[tokio::test]
async fn a_trusted_proxy_in_front_is_believed_and_extended() {
    let (upstream, mut received) = recording().await;
    let gateway = Gateway::with(upstream, |settings| {
        settings.forwarded = Forwarded::Trusted;
        settings.scheme = "https";
    })
    .await;
    gateway
        .exchange(
            "GET / HTTP/1.1\r\nHost: inner\r\nConnection: close\r\n\
             X-Forwarded-For: 6.6.6.6\r\nX-Forwarded-Host: site.example\r\nVia: 2 edge\r\n\r\n",
        )
        .await;
    let received = received.recv().await.unwrap();
    assert_eq!(
        lines(&received).1,
        [
            "host: inner",
            "via: 1.1 gateway",
            "via: 2 edge",
            "x-forwarded-for: 127.0.0.1",
            "x-forwarded-for: 6.6.6.6",
            "x-forwarded-host: site.example",
            "x-forwarded-proto: https",
        ]
    );
}

#[tokio::test]
async fn hop_by_hop_fields_of_the_answer_stop_at_the_gateway() {
    let gateway = Gateway::answering(
        "HTTP/1.1 200 OK\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=5\r\n\
         Set-Cookie: a=1\r\nSet-Cookie: b=2\r\nX-Keep: kept\r\nContent-Length: 3\r\n\r\nabc",
    )
    .await;
    let answer = gateway.exchange(PLAIN).await;
    assert_eq!(
        lines(&answer),
        (
            "HTTP/1.1 200 OK",
            vec![
                "connection: close",
                "content-length: 3",
                "set-cookie: a=1",
                "set-cookie: b=2",
                "x-keep: kept"
            ]
        )
    );
    assert!(answer.ends_with("\r\n\r\nabc"));
}

#[tokio::test]
async fn the_host_of_an_absolute_target_comes_before_the_field() {
    let (gateway, mut received) = Gateway::recording().await;
    gateway
        .exchange(
            "GET http://site.example/x?y HTTP/1.1\r\nHost: other\r\nConnection: close\r\n\r\n",
        )
        .await;
    let received = received.recv().await.unwrap();
    let (start, fields) = lines(&received);
    assert_eq!(
        (start, fields[0]),
        ("GET /x?y HTTP/1.1", "host: site.example")
    );
}

#[tokio::test]
async fn head_keeps_the_length_that_get_would_have() {
    let gateway = Gateway::answering(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1234\r\n\r\n",
    )
    .await;
    let answer = gateway
        .exchange("HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        .await;
    assert_eq!(
        lines(&answer),
        (
            "HTTP/1.1 200 OK",
            vec![
                "connection: close",
                "content-length: 1234",
                "content-type: text/plain"
            ]
        )
    );
    assert!(answer.ends_with("\r\n\r\n"));
}

#[tokio::test]
async fn trailers_reach_a_client_that_asks_for_them() {
    let gateway = Gateway::answering(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n\
         3\r\nabc\r\n0\r\nX-Sum: 42\r\n\r\n",
    )
    .await;
    let answer = gateway
        .exchange("GET / HTTP/1.1\r\nHost: a\r\nConnection: close, TE\r\nTE: trailers\r\n\r\n")
        .await;
    assert!(
        answer.ends_with("\r\n\r\n3\r\nabc\r\n0\r\nx-sum: 42\r\n\r\n"),
        "{answer}"
    );
}

#[tokio::test]
async fn a_client_that_expects_100_continue_gets_it_before_it_sends() {
    let upstream = upstream(|mut stream| async move {
        head(&mut stream).await;
        assert_eq!(five_bytes(&mut stream).await, *b"hello");
        stream
            .write_all(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
            .await
            .unwrap();
    })
    .await;
    let gateway = Gateway::to(upstream).await;
    let mut client = gateway.connect().await;
    let request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n";
    client.write_all(request.as_bytes()).await.unwrap();
    assert_eq!(head(&mut client).await, "HTTP/1.1 100 Continue\r\n\r\n");
    client.write_all(b"hello").await.unwrap();
    assert_eq!(lines(&head(&mut client).await).0, "HTTP/1.1 201 Created");
}

#[tokio::test]
async fn an_upgrade_becomes_a_tunnel() {
    let upstream = upstream(|mut stream| async move {
        let request = head(&mut stream).await;
        let (_, fields) = lines(&request);
        assert!(fields.contains(&"connection: upgrade") && fields.contains(&"upgrade: websocket"));
        let answer = "HTTP/1.1 101 Switching Protocols\r\n\
                      Connection: Upgrade\r\nUpgrade: websocket\r\n\r\nhi";
        stream.write_all(answer.as_bytes()).await.unwrap();
        let (mut from, mut to) = stream.split();
        tokio::io::copy(&mut from, &mut to).await.unwrap();
    })
    .await;
    let gateway = Gateway::to(upstream).await;
    let mut client = gateway.connect().await;
    let request = "GET /chat HTTP/1.1\r\nHost: a\r\nAccept: text/markdown\r\n\
                   Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n\r\n";
    client.write_all(request.as_bytes()).await.unwrap();
    assert_eq!(
        lines(&head(&mut client).await),
        (
            "HTTP/1.1 101 Switching Protocols",
            vec!["connection: upgrade", "upgrade: websocket"]
        )
    );
    client.write_all(b"\x00\xff<p>echo").await.unwrap();
    client.shutdown().await.unwrap();
    let mut echoed = Vec::new();
    client.read_to_end(&mut echoed).await.unwrap();
    assert_eq!(echoed, b"hi\x00\xff<p>echo");
}

#[tokio::test]
async fn an_upgrade_to_http2_is_declined_because_it_would_pass_the_gateway_by() {
    let (gateway, mut received) = Gateway::recording().await;
    let mut client = gateway.connect().await;
    let request = "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\n\
                   Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n";
    client.write_all(request.as_bytes()).await.unwrap();
    assert_eq!(lines(&head(&mut client).await).0, "HTTP/1.1 200 OK");
    let received = received.recv().await.unwrap();
    assert_eq!(lines(&received).1[0..2], ["host: a", "via: 1.1 gateway"]);
}

#[tokio::test]
async fn a_switch_of_protocols_that_nobody_asked_for_is_a_bad_gateway() {
    let gateway = Gateway::answering(
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
    )
    .await;
    let answer = gateway.exchange(PLAIN).await;
    assert_eq!(lines(&answer).0, "HTTP/1.1 502 Bad Gateway");
}

#[tokio::test]
async fn connect_is_not_implemented() {
    let (gateway, _received) = Gateway::recording().await;
    let answer = gateway
        .exchange("CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\nConnection: close\r\n\r\n")
        .await;
    assert_eq!(lines(&answer).0, "HTTP/1.1 501 Not Implemented");
}

#[tokio::test]
async fn an_upstream_that_is_not_there_is_a_bad_gateway() {
    let nobody = listen().await.local_addr().unwrap();
    let gateway = Gateway::to(nobody).await;
    let answer = gateway.exchange(PLAIN).await;
    assert_eq!(lines(&answer).0, "HTTP/1.1 502 Bad Gateway");
    assert!(
        answer.ends_with("\r\n\r\nno connection to the upstream server\n"),
        "{answer}"
    );
}

#[tokio::test]
async fn an_answer_that_is_not_http_is_a_bad_gateway() {
    let gateway = Gateway::answering("SSH-2.0-OpenSSH_9.9\r\n").await;
    let answer = gateway.exchange(PLAIN).await;
    assert_eq!(lines(&answer).0, "HTTP/1.1 502 Bad Gateway");
    assert!(
        answer.ends_with("\r\n\r\nthe upstream server gave no valid answer\n"),
        "{answer}"
    );
}

#[tokio::test]
async fn an_upstream_that_never_answers_is_a_gateway_timeout() {
    let upstream = upstream(|mut stream| async move {
        head(&mut stream).await;
        std::future::pending::<()>().await;
    })
    .await;
    let gateway = Gateway::with(upstream, |settings| {
        settings.timeout = Duration::from_millis(20);
    })
    .await;
    let answer = gateway.exchange(PLAIN).await;
    assert_eq!(lines(&answer).0, "HTTP/1.1 504 Gateway Timeout");
}

#[tokio::test]
async fn a_body_that_breaks_off_never_looks_complete() {
    for (answer, sent) in [
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc",
            "\r\n\r\nabc",
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
            "\r\n\r\n3\r\nabc\r\n",
        ),
    ] {
        let gateway = Gateway::answering(answer).await;
        let received = gateway.exchange("GET / HTTP/1.1\r\nHost: a\r\n\r\n").await;
        assert_eq!(lines(&received).0, "HTTP/1.1 200 OK");
        // The head may be all that left before the break.
        assert!(
            received.ends_with(sent) || received.ends_with("\r\n\r\n"),
            "{received}"
        );
        assert!(!received.contains("\r\n0\r\n\r\n"), "{received}");
    }
}

#[tokio::test]
async fn a_client_that_leaves_takes_its_request_to_the_upstream_with_it() {
    for answer in ["", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"] {
        let (left, mut leaving) = mpsc::unbounded_channel();
        let (arrived, mut arrival) = mpsc::unbounded_channel();
        let upstream = upstream(move |mut stream| {
            let (left, arrived) = (left.clone(), arrived.clone());
            async move {
                head(&mut stream).await;
                stream.write_all(answer.as_bytes()).await.unwrap();
                arrived.send(()).unwrap();
                // Nothing but the end is to come. It ends the test that it comes.
                let mut rest = Vec::new();
                let _ = stream.read_to_end(&mut rest).await;
                left.send(rest).unwrap();
            }
        })
        .await;
        let gateway = Gateway::to(upstream).await;
        let mut client = gateway.connect().await;
        client
            .write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            .await
            .unwrap();
        arrival.recv().await.unwrap();
        drop(client);
        assert_eq!(leaving.recv().await.unwrap(), b"");
    }
}

#[tokio::test]
async fn an_http2_client_is_served_by_an_http1_upstream_with_its_cookies_in_one_field() {
    let (gateway, mut received) = Gateway::recording().await;
    let io = TokioIo::new(gateway.connect().await);
    let (mut client, connection) = http2::handshake(TokioExecutor::new(), io).await.unwrap();
    tokio::spawn(connection);
    let request = Request::get("http://site.example/x?y")
        .header(COOKIE, "a=1")
        .header(COOKIE, "b=2")
        .body(Empty::<Bytes>::new())
        .unwrap();
    let response = client.send_request(request).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    let received = received.recv().await.unwrap();
    assert_eq!(
        lines(&received),
        (
            "GET /x?y HTTP/1.1",
            vec![
                "cookie: a=1; b=2",
                "host: site.example",
                "via: 2 gateway",
                "x-forwarded-for: 127.0.0.1",
                "x-forwarded-host: site.example",
                "x-forwarded-proto: http",
            ]
        )
    );
}

#[tokio::test]
async fn grpc_calls_pass_to_an_http2_upstream_with_their_trailers() {
    let (reporter, health) = tonic_health::server::health_reporter();
    reporter
        .set_service_status("tides", ServingStatus::Serving)
        .await;
    let listener = listen().await;
    let upstream = listener.local_addr().unwrap();
    tokio::spawn(
        Server::builder()
            .add_service(health)
            .serve_with_incoming(TcpIncoming::from(listener)),
    );
    let gateway = Gateway::with(upstream, |settings| {
        settings.protocol = UpstreamProtocol::Http2;
    })
    .await;

    let endpoint = format!("http://{}", gateway.address);
    let channel = Endpoint::from_shared(endpoint)
        .unwrap()
        .connect()
        .await
        .unwrap();
    let mut client = HealthClient::new(channel);
    let check = |service: &str| HealthCheckRequest {
        service: service.to_owned(),
    };
    let answer = client.check(check("tides")).await.unwrap().into_inner();
    assert_eq!(answer.status().as_str_name(), "SERVING");
    let error = client.check(check("moon")).await.unwrap_err();
    assert_eq!(error.code(), tonic::Code::NotFound);
}

#[tokio::test]
async fn a_request_body_keeps_its_length_on_the_way_up() {
    let upstream = upstream(|mut stream| async move {
        let request = head(&mut stream).await;
        assert!(
            lines(&request).1.contains(&"content-length: 5"),
            "{request}"
        );
        assert_eq!(five_bytes(&mut stream).await, *b"hello");
        stream.write_all(EMPTY).await.unwrap();
    })
    .await;
    let gateway = Gateway::to(upstream).await;
    let io = TokioIo::new(gateway.connect().await);
    let (mut client, connection) = hyper::client::conn::http1::handshake(io).await.unwrap();
    tokio::spawn(connection);
    let request = Request::put("/x")
        .header("host", "a")
        .header(CONTENT_TYPE, "text/plain")
        .body(Full::new(Bytes::from_static(b"hello")))
        .unwrap();
    let response = client.send_request(request).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.into_body().collect().await.unwrap().to_bytes(), "");
}

#[test]
fn an_upstream_is_a_plain_http_origin() {
    for good in ["http://a", "http://a:80", "http://[::1]:8080/", "HTTP://a"] {
        assert!(good.parse::<Upstream>().is_ok(), "{good}");
    }
    for bad in [
        "",
        "a",
        "a:80",
        "/a",
        "https://a",
        "http://",
        "http://a/b",
        "http://a?b",
        "http://u@a",
    ] {
        assert!(bad.parse::<Upstream>().is_err(), "{bad}");
    }
}
