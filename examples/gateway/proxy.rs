//! The inner service: sends each request to the upstream and hands its answer back.

use super::{
    fields::{
        Forwarded, add_via, join_cookies, remove_hop_by_hop, set_forwarded, set_upgrade,
        upgrade_protocol,
    },
    upload::{RequestBody, Upload},
};
use http_body_util::{Either, Full};
use hyper::{
    Method, Request, Response, StatusCode, Uri, Version,
    body::{Bytes, Incoming},
    header::{CONTENT_TYPE, HOST, HeaderValue},
    http::{
        self,
        uri::{Authority, PathAndQuery, Scheme},
    },
    upgrade::{OnUpgrade, Upgraded},
};
use hyper_util::{
    client::legacy::{self, Client, connect::HttpConnector},
    rt::{TokioExecutor, TokioIo, TokioTimer},
};
use std::{
    convert::Infallible,
    error::Error,
    fmt,
    io::{self, ErrorKind},
    net::{IpAddr, Ipv4Addr},
    pin::Pin,
    str::FromStr,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};
use tower::Service;

/// The address of the server behind the gateway.
#[derive(Clone, Debug)]
pub(crate) struct Upstream(Authority);

impl FromStr for Upstream {
    type Err = &'static str;

    fn from_str(url: &str) -> Result<Self, Self::Err> {
        let uri = url.parse::<Uri>().map_err(|_| "not a URL")?.into_parts();
        if uri.scheme != Some(Scheme::HTTP) {
            return Err("not an http:// URL (for https, put a TLS client between)");
        }
        if uri.path_and_query.is_some_and(|path| path != "/") {
            return Err("an upstream has no path: paths go through as they are");
        }
        match uri.authority {
            Some(authority) if !authority.as_str().contains('@') => Ok(Self(authority)),
            _ => Err("not of the form http://HOST[:PORT]"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UpstreamProtocol {
    Http1,
    /// HTTP/2 without TLS, with prior knowledge (RFC 9113 §3.3).
    Http2,
}

pub(crate) struct Settings {
    pub(crate) upstream: Upstream,
    pub(crate) protocol: UpstreamProtocol,
    /// For the connection, and for the response head once the request has been sent.
    pub(crate) timeout: Duration,
    /// Scheme that clients outside use.
    pub(crate) scheme: &'static str,
    pub(crate) forwarded: Forwarded,
}

/// What the upstream sent, or a short text of the gateway's own.
pub(crate) type ProxyBody = Either<Incoming, Full<Bytes>>;

#[derive(Clone)]
pub(crate) struct Proxy {
    client: Client<HttpConnector, Upload<RequestBody>>,
    settings: Arc<Settings>,
    peer: IpAddr,
}

impl Proxy {
    pub(crate) fn new(settings: Settings) -> Self {
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        connector.set_connect_timeout(Some(settings.timeout));
        let client = Client::builder(TokioExecutor::new())
            .http2_only(settings.protocol == UpstreamProtocol::Http2)
            .timer(TokioTimer::new())
            .pool_timer(TokioTimer::new())
            .build(connector);
        Self {
            client,
            settings: Arc::new(settings),
            peer: Ipv4Addr::UNSPECIFIED.into(),
        }
    }

    /// The service of one connection. All share the connections to the upstream.
    pub(crate) fn for_peer(&self, peer: IpAddr) -> Self {
        Self {
            peer,
            ..self.clone()
        }
    }

    async fn forward(
        self,
        mut request: Request<RequestBody>,
    ) -> Result<Response<ProxyBody>, ProxyError> {
        // An HTTP/2 upstream cannot be asked for a tunnel. To leave the wish out is to decline it
        // (RFC 9110 §7.8).
        let protocol = upgrade_protocol(request.headers())
            .filter(|_| self.settings.protocol == UpstreamProtocol::Http1);
        let client = protocol.is_some().then(|| hyper::upgrade::on(&mut request));

        let (request, sent) = self.inner_request(request, protocol.clone())?;
        let head_timeout = async {
            // An error is how the end of the body is told.
            let _ = sent.await;
            tokio::time::sleep(self.settings.timeout).await;
        };
        let mut response = tokio::select! {
            response = self.client.request(request) => response.map_err(ProxyError::Upstream)?,
            () = head_timeout => return Err(ProxyError::HeadTimeout),
        };

        let agreed = upgrade_protocol(response.headers());
        *response.version_mut() = Version::HTTP_11;
        remove_hop_by_hop(response.headers_mut());
        if response.status() == StatusCode::SWITCHING_PROTOCOLS {
            let (Some(client), Some(agreed)) = (client, agreed) else {
                return Err(ProxyError::UnaskedUpgrade);
            };
            set_upgrade(response.headers_mut(), agreed);
            let upstream = hyper::upgrade::on(&mut response);
            tokio::spawn(async move {
                if let Err(error) = tunnel(client, upstream).await {
                    eprintln!("tunnel: {}", Chain(&*error));
                }
            });
        }
        Ok(response.map(Either::Left))
    }

    fn inner_request(
        &self,
        request: Request<RequestBody>,
        protocol: Option<HeaderValue>,
    ) -> Result<
        (
            Request<Upload<RequestBody>>,
            tokio::sync::oneshot::Receiver<()>,
        ),
        ProxyError,
    > {
        let (mut head, body) = request.into_parts();
        if head.method == Method::CONNECT {
            return Err(ProxyError::Connect);
        }
        // The host of the target, if it has one, comes before the field (RFC 9112 §3.2.2); HTTP/2
        // has no field at all.
        let host = match head.uri.authority() {
            Some(authority) => HeaderValue::from_str(authority.as_str()).ok(),
            None => head.headers.get(HOST).cloned(),
        };

        remove_hop_by_hop(&mut head.headers);
        join_cookies(&mut head.headers);
        add_via(&mut head.headers, head.version);
        let Settings {
            upstream,
            forwarded,
            scheme,
            ..
        } = &*self.settings;
        set_forwarded(
            &mut head.headers,
            *forwarded,
            self.peer,
            host.as_ref(),
            scheme,
        );
        if let Some(protocol) = protocol {
            set_upgrade(&mut head.headers, protocol);
        }

        head.headers.remove(HOST);
        match self.settings.protocol {
            UpstreamProtocol::Http1 => {
                head.version = Version::HTTP_11;
                head.headers.extend(host.map(|host| (HOST, host)));
            }
            // The target names the upstream, and a Host that contradicts it is malformed
            // (RFC 9113 §8.3.1): there the client's is in X-Forwarded-Host only.
            UpstreamProtocol::Http2 => head.version = Version::HTTP_2,
        }

        let path = head.uri.path_and_query().cloned();
        head.uri = Uri::builder()
            .scheme(Scheme::HTTP)
            .authority(upstream.0.clone())
            .path_and_query(path.unwrap_or(PathAndQuery::from_static("/")))
            .build()
            .map_err(ProxyError::Target)?;
        let (upload, sent) = Upload::new(body);
        Ok((Request::from_parts(head, upload), sent))
    }
}

impl Service<Request<RequestBody>> for Proxy {
    type Response = Response<ProxyBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<RequestBody>) -> Self::Future {
        let proxy = self.clone();
        Box::pin(async move {
            let (method, target) = (request.method().clone(), request.uri().clone());
            Ok(proxy.forward(request).await.unwrap_or_else(|error| {
                eprintln!("{method} {target}: {}", Chain(&error));
                error.into_response()
            }))
        })
    }
}

/// Copies both ways until both sides have ended.
async fn tunnel(
    client: OnUpgrade,
    upstream: OnUpgrade,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let (client, upstream): (Upgraded, Upgraded) = tokio::try_join!(client, upstream)?;
    tokio::io::copy_bidirectional(&mut TokioIo::new(client), &mut TokioIo::new(upstream)).await?;
    Ok(())
}

/// Why a request got no answer of the upstream's.
#[derive(Debug)]
enum ProxyError {
    Connect,
    HeadTimeout,
    Target(http::Error),
    UnaskedUpgrade,
    Upstream(legacy::Error),
}

impl ProxyError {
    fn status(&self) -> StatusCode {
        match self {
            Self::Connect => StatusCode::NOT_IMPLEMENTED,
            Self::Target(_) => StatusCode::BAD_REQUEST,
            Self::HeadTimeout => StatusCode::GATEWAY_TIMEOUT,
            Self::Upstream(error) if is_timeout(error) => StatusCode::GATEWAY_TIMEOUT,
            Self::Upstream(_) | Self::UnaskedUpgrade => StatusCode::BAD_GATEWAY,
        }
    }

    fn into_response(self) -> Response<ProxyBody> {
        let mut response = Response::new(Either::Right(Full::from(format!("{self}\n"))));
        *response.status_mut() = self.status();
        let text = HeaderValue::from_static("text/plain; charset=utf-8");
        response.headers_mut().insert(CONTENT_TYPE, text);
        response
    }
}

/// What the client may know: no address and no detail of the network behind.
impl fmt::Display for ProxyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Connect => "this gateway opens no tunnels by CONNECT",
            Self::HeadTimeout => "the upstream server did not answer in time",
            Self::Target(_) => "the target of the request is malformed",
            Self::UnaskedUpgrade => "the upstream server switched protocols unasked",
            Self::Upstream(error) if error.is_connect() => "no connection to the upstream server",
            Self::Upstream(_) => "the upstream server gave no valid answer",
        })
    }
}

impl Error for ProxyError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Target(error) => Some(error),
            Self::Upstream(error) => Some(error),
            Self::Connect | Self::HeadTimeout | Self::UnaskedUpgrade => None,
        }
    }
}

fn is_timeout(error: &legacy::Error) -> bool {
    let mut source = error.source();
    while let Some(error) = source {
        if error
            .downcast_ref::<io::Error>()
            .is_some_and(|e| e.kind() == ErrorKind::TimedOut)
        {
            return true;
        }
        source = error.source();
    }
    false
}

/// An error with its causes, for the log.
struct Chain<'a>(&'a (dyn Error + 'static));

impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        let mut source = self.0.source();
        while let Some(error) = source {
            write!(f, ": {error}")?;
            source = error.source();
        }
        Ok(())
    }
}
