//! Servers, a client and an agent for the tests of MarkWay. Everything goes through sockets.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test binary uses its own part"
)]

use axum::Router;
use axum::body::Body;
use axum::response::IntoResponse;
use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderMap, HeaderName};
use http::{Request, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use markdown_for_agents::markway::{
    Address, BaseUrl, Document, Fault, Language, MarkWayLayer, Mode, check, check_index,
};
use std::collections::{BTreeSet, VecDeque};
use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use tower::{Layer, Service, ServiceExt};
use url::Url;

/// A site that is served until the test ends.
#[derive(Debug)]
pub struct Server {
    pub base: BaseUrl,
}

impl Server {
    /// Serves the site that `make` makes for its own base URL.
    pub async fn start<S, B>(make: impl FnOnce(BaseUrl) -> S) -> Self
    where
        S: Service<Request<Body>, Response = http::Response<B>, Error = Infallible>,
        S: Clone + Send + Sync + 'static,
        S::Future: Send + 'static,
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<axum::BoxError>,
    {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base: BaseUrl = format!("http://{}", listener.local_addr().unwrap())
            .parse()
            .unwrap();
        let site = make(base.clone()).map_response(|response| response.map(Body::new));
        let router = Router::new().fallback_service(site);
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { base }
    }

    /// Serves this service in static mode.
    pub async fn of_static<S, B>(language: Language, inner: S) -> Self
    where
        S: Service<Request<Body>, Response = http::Response<B>, Error = Infallible>,
        S: Clone + Send + Sync + 'static,
        S::Future: Send + 'static,
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<axum::BoxError>,
    {
        Self::start(|base| {
            MarkWayLayer::static_site(base)
                .language(language)
                .layer(inner)
        })
        .await
    }

    /// Serves this application in dynamic mode.
    pub async fn of_dynamic(language: Language, application: Router) -> Self {
        Self::start(|base| {
            MarkWayLayer::dynamic(base)
                .language(language)
                .layer(application)
        })
        .await
    }

    /// A request to a path as it is written, with header lines.
    pub async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        request(method, &format!("{}{path}", self.base), headers, body).await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], "").await
    }

    pub async fn get_with(&self, path: &str, accept: &str) -> Answer {
        self.send("GET", path, &[("accept", accept)], "").await
    }
}

/// A page that the application has written in Markdown itself.
pub fn markdown(text: &'static str) -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/markdown")], text)
}

/// A picture, as far as its type goes.
pub fn png() -> impl IntoResponse {
    ([(CONTENT_TYPE, "image/png")], "png")
}

#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Answer {
    /// The only line of a header field.
    #[track_caller]
    pub fn header(&self, name: &str) -> Option<&str> {
        let values: Vec<_> = self.headers.get_all(name).iter().collect();
        assert!(values.len() <= 1, "{name} is there {} times", values.len());
        values.first().map(|value| value.to_str().unwrap())
    }

    pub fn is_markdown(&self) -> bool {
        self.header("content-type") == Some("text/markdown; charset=utf-8")
    }

    /// The names of all header fields but `date`, in the order of the alphabet.
    pub fn header_names(&self) -> Vec<&str> {
        let names: BTreeSet<_> = self.headers.keys().map(HeaderName::as_str).collect();
        names.into_iter().filter(|&name| name != "date").collect()
    }
}

pub async fn request(method: &str, url: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut request = Request::builder().method(method).uri(url);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request
        .body(Full::new(Bytes::copy_from_slice(body.as_bytes())))
        .unwrap();
    let client: Client<HttpConnector, Full<Bytes>> =
        Client::builder(TokioExecutor::new()).build_http();
    let (head, body) = client.request(request).await.unwrap().into_parts();
    let bytes = body.collect().await.unwrap().to_bytes();
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    Answer {
        status: head.status,
        headers: head.headers,
        text,
    }
}

/// What an agent saw of a site.
#[derive(Debug, Default)]
pub struct Walk {
    /// Every address of the site that was requested, without fragments.
    pub visited: BTreeSet<String>,
    /// Addresses that were named but lead nowhere.
    pub dead: Vec<String>,
    /// What `check` faults, with the address of the answer.
    pub faults: Vec<(String, Fault)>,
}

impl fmt::Display for Walk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (visited, dead, faults) = (self.visited.len(), self.dead.len(), self.faults.len());
        write!(
            f,
            "{visited} addresses visited, {dead} dead, {faults} faults"
        )
    }
}

/// Walks a whole site as an agent does that knows nothing but its origin: it finds the root, learns
/// the base URL, the mode and the protocol document from the answer, and follows every address of
/// the site that an answer names.
pub async fn walk(origin: &str) -> Walk {
    let mut root = format!("{origin}/index.md");
    let mut answer = request("GET", &root, &[], "").await;
    if answer.status != StatusCode::OK {
        root = format!("{origin}/");
        answer = request("GET", &root, &[], "").await;
    }
    assert_eq!(answer.status, StatusCode::OK, "there is no root");
    let document = Document::parse(&answer.text).expect("the root declares the protocol");
    let base = document.base_url().clone();
    let mode = document.mode().expect("the declaration tells the mode");
    assert_eq!(root, format!("{base}{}", mode.root_path()));

    let mut walk = Walk::default();
    let mut queue = VecDeque::from([root.parse().unwrap(), document.protocol_url().clone()]);
    while let Some(url) = queue.pop_front() {
        let url = without_fragment(url);
        if base.path_of(&url).is_none() || !walk.visited.insert(url.to_string()) {
            continue;
        }
        let answer = request("GET", url.as_str(), &[], "").await;
        if answer.status != StatusCode::OK {
            walk.dead.push(format!("{url}: {}", answer.status));
        } else if answer.is_markdown() {
            walk.read(&answer.text, &base, &url, &mut queue);
        } else {
            let asset = mode == Mode::Dynamic || !url.path().ends_with(".md");
            assert!(asset, "{url} is {:?}", answer.header("content-type"));
        }
    }
    walk
}

/// Walks a whole site that must be without a fault. Gives the paths of all its addresses.
#[track_caller]
pub fn walk_without_fault(origin: &str) -> impl Future<Output = Vec<String>> {
    let (caller, origin) = (std::panic::Location::caller(), origin.to_owned());
    async move {
        let walk = walk(&origin).await;
        println!("{origin}: {walk}");
        assert_eq!(
            (walk.dead.as_slice(), walk.faults.as_slice()),
            (&[][..], &[][..]),
            "{caller}"
        );
        let paths = walk.visited.iter().map(|url| url.strip_prefix(&origin));
        paths.map(|path| path.unwrap().to_owned()).collect()
    }
}

impl Walk {
    fn read(&mut self, answer: &str, base: &BaseUrl, url: &Url, queue: &mut VecDeque<Url>) {
        let Ok(document) = Document::parse(answer) else {
            self.faults.extend(
                check(answer)
                    .into_iter()
                    .map(|fault| (url.to_string(), fault)),
            );
            return;
        };
        // An index that was made of a directory is a table, one that is a page may be anything.
        let is_table = url.path().ends_with("/index.md") && !document.entries().is_empty();
        let faults = if is_table {
            check_index(answer)
        } else {
            check(answer)
        };
        self.faults
            .extend(faults.into_iter().map(|fault| (url.to_string(), fault)));
        assert_eq!(document.base_url(), base, "{url}");

        let entries = document
            .entries()
            .into_iter()
            .map(|entry| entry.address().to_owned());
        for text in entries
            .chain(document.links())
            .filter(|text| !text.starts_with('#'))
        {
            match text
                .parse::<Address>()
                .map(|address| address.resolve(base, url))
            {
                Ok(Some(target)) => queue.push_back(target),
                Ok(None) => self.dead.push(format!("{url} names {text}")),
                // A mailbox or the like, or else a fault that `check` has told.
                Err(_) => {}
            }
        }
    }
}

fn without_fragment(mut url: Url) -> Url {
    url.set_fragment(None);
    url
}
