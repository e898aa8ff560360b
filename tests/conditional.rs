//! Validators in both directions, against a service that honours them.

mod support;

use http::{HeaderMap, Request, Response};
use markdown_for_agents::convert::Options;
use markdown_for_agents::{
    Completion, ConvertWith, Decision, ForceMarkdown, MarkdownForAgentsLayer,
};
use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use support::{Script, agent, browser, collect, long_page};
use tower::{Layer, Service, ServiceExt, service_fn};

const DATE: &str = "Tue, 01 Sep 2026 10:00:00 GMT";

/// A site of one page. It compares validators as strings, as simple services do, and counts renders.
#[derive(Clone)]
struct Site {
    etag: Option<&'static str>,
    last_modified: Option<&'static str>,
    page: Arc<str>,
    renders: Arc<AtomicUsize>,
    /// Whether a 304 repeats the validators.
    forgetful: bool,
}

impl Site {
    fn new(etag: Option<&'static str>, last_modified: Option<&'static str>) -> Self {
        let page = "<h1>Hi</h1><p>Body</p>".into();
        Self {
            etag,
            last_modified,
            page,
            renders: Arc::default(),
            forgetful: false,
        }
    }

    fn answer(&self, request: &Request<()>) -> Response<Script> {
        let field = |name: &str| {
            request
                .headers()
                .get(name)
                .map(|value| value.to_str().unwrap())
        };
        let fresh = match field("if-none-match") {
            Some("*") => true,
            Some(list) => list.split(", ").any(|tag| Some(tag) == self.etag),
            None => {
                self.last_modified.is_some() && field("if-modified-since") == self.last_modified
            }
        };
        let mut response = Response::builder().status(if fresh { 304 } else { 200 });
        if !(fresh && self.forgetful) {
            for (name, value) in [("etag", self.etag), ("last-modified", self.last_modified)] {
                if let Some(value) = value {
                    response = response.header(name, value);
                }
            }
        }
        if fresh {
            return response.body(Script::new([])).unwrap();
        }
        self.renders.fetch_add(1, Ordering::SeqCst);
        response = response.header("content-type", "text/html");
        let body = match *request.method() {
            http::Method::HEAD => Script::new([]),
            _ => Script::pieces(self.page.as_bytes(), 32 << 10),
        };
        response.body(body).unwrap()
    }

    fn service(
        &self,
        layer: &MarkdownForAgentsLayer,
    ) -> impl Service<
        Request<()>,
        Response = Response<markdown_for_agents::MarkdownBody<Script>>,
        Error = Infallible,
    > + Clone
    + use<> {
        let site = self.clone();
        layer.layer(service_fn(move |request: Request<()>| {
            let response = site.answer(&request);
            async move { Ok(response) }
        }))
    }

    async fn get(&self, request: http::request::Builder) -> (u16, HeaderMap, String) {
        self.get_through(&MarkdownForAgentsLayer::new(), request)
            .await
    }

    async fn get_through(
        &self,
        layer: &MarkdownForAgentsLayer,
        request: http::request::Builder,
    ) -> (u16, HeaderMap, String) {
        let (head, body) = self
            .service(layer)
            .oneshot(request.body(()).unwrap())
            .await
            .unwrap()
            .into_parts();
        (
            head.status.as_u16(),
            head.headers,
            collect(body).await.text(),
        )
    }

    /// The tag of the Markdown.
    async fn tag(&self) -> String {
        self.get(agent("/")).await.1["etag"]
            .to_str()
            .unwrap()
            .to_owned()
    }
}

#[tokio::test]
async fn markdown_is_revalidated_by_its_own_tag() {
    for (etag, last_modified) in [
        (Some("\"v1\""), None),
        (Some("W/\"v1\""), Some(DATE)),
        (None, Some(DATE)),
        (Some("\"lm-1\""), None),
        (Some("\"a,b;c\\\""), None),
        (Some("\"x;md-0123456789abcdef\""), None),
        (Some("\"\""), None),
    ] {
        let site = Site::new(etag, last_modified);
        let tag = site.tag().await;
        assert!(tag.starts_with("W/\""), "{tag}");
        for list in [
            tag.clone(),
            format!("\"other\", {tag}"),
            format!("\"v1\",{tag} , W/\"x\""),
        ] {
            for method in ["GET", "HEAD"] {
                let request = agent("/").method(method).header("if-none-match", &list);
                let (status, headers, body) = site.get(request).await;
                assert_eq!((status, &*body), (304, ""), "{list}");
                assert_eq!(headers["etag"], tag);
                assert_eq!(headers["vary"], "Accept");
            }
        }
        assert_eq!(site.renders.load(Ordering::SeqCst), 1, "{etag:?}");
    }
}

#[tokio::test]
async fn a_304_without_validators_confirms_the_tag_that_was_asked_about() {
    let site = Site {
        forgetful: true,
        ..Site::new(Some("\"v1\""), None)
    };
    let tag = site.tag().await;
    let (status, headers, _) = site.get(agent("/").header("if-none-match", &tag)).await;
    assert_eq!((status, headers["etag"].to_str().unwrap()), (304, &*tag));
}

#[tokio::test]
async fn a_tag_of_the_html_never_confirms_markdown() {
    let site = Site::new(Some("\"v1\""), Some(DATE));
    for condition in ["\"v1\"", "W/\"v1\"", "\"no-such-tag\"", "junk"] {
        for method in ["GET", "HEAD"] {
            let request = agent("/").method(method);
            let request = request
                .header("if-none-match", condition)
                .header("if-modified-since", DATE);
            let (status, headers, _) = site.get(request).await;
            assert_eq!(status, 200, "{condition}");
            assert_eq!(headers["content-type"], "text/markdown; charset=utf-8");
        }
    }
    let (status, ..) = site.get(agent("/").header("if-modified-since", DATE)).await;
    assert_eq!(status, 200);
}

#[tokio::test]
async fn a_tag_of_the_markdown_never_confirms_html() {
    for site in [
        Site::new(Some("\"v1\""), Some(DATE)),
        Site::new(None, Some(DATE)),
    ] {
        let tag = site.tag().await;
        // The date would be ignored beside a tag, and must stay ignored without it.
        let request = browser("/")
            .header("if-none-match", &tag)
            .header("if-modified-since", DATE);
        let (status, headers, body) = site.get(request).await;
        assert_eq!((status, &*body), (200, &*site.page));
        assert_eq!(headers["content-type"], "text/html");
    }
}

#[tokio::test]
async fn html_is_revalidated_as_without_the_layer() {
    let site = Site::new(Some("\"v1\""), Some(DATE));
    let tag = site.tag().await;
    for list in ["\"v1\"".to_owned(), format!("{tag}, \"v1\"")] {
        let (status, headers, _) = site.get(browser("/").header("if-none-match", list)).await;
        assert_eq!(status, 304);
        assert_eq!(headers["etag"], "\"v1\"");
        assert_eq!(headers["vary"], "Accept");
    }
    let (status, ..) = site
        .get(browser("/").header("if-modified-since", DATE))
        .await;
    assert_eq!(status, 304);
}

/// Sends a request through two layers to a site.
async fn get_through_two(
    site: &Site,
    outer: &MarkdownForAgentsLayer,
    inner: &MarkdownForAgentsLayer,
    request: http::request::Builder,
) -> (u16, HeaderMap, String) {
    let service = outer.layer(site.service(inner));
    let response = service.oneshot(request.body(()).unwrap()).await.unwrap();
    let (head, body) = response.into_parts();
    let body = collect(body).await.text();
    (head.status.as_u16(), head.headers, body)
}

#[tokio::test]
async fn markdown_of_a_layer_behind_is_revalidated_through_both() {
    let plain = MarkdownForAgentsLayer::new().options(Options::new().front_matter(false));
    for inner in [MarkdownForAgentsLayer::new(), plain] {
        for site in [
            Site::new(Some("\"v1\""), Some(DATE)),
            Site::new(None, Some(DATE)),
        ] {
            let outer = MarkdownForAgentsLayer::new();
            let (status, headers, body) = get_through_two(&site, &outer, &inner, agent("/")).await;
            assert_eq!((status, &*body), (200, "# Hi\n\nBody\n"));
            let tag = headers["etag"].to_str().unwrap();
            for method in ["GET", "HEAD"] {
                let request = agent("/").method(method).header("if-none-match", tag);
                let (status, headers, body) = get_through_two(&site, &outer, &inner, request).await;
                assert_eq!((status, &*body), (304, ""));
                assert_eq!(headers["etag"], tag);
                assert_eq!(headers["vary"], "Accept");
            }
            assert_eq!(site.renders.load(Ordering::SeqCst), 1);
        }
    }
}

#[tokio::test]
async fn no_tag_confirms_what_another_layer_behind_would_make_now() {
    let site = Site::new(Some("\"v1\""), Some(DATE));
    let layer = MarkdownForAgentsLayer::new;
    let (outer, inner) = (layer(), layer());
    let (_, headers, _) = get_through_two(&site, &outer, &inner, agent("/")).await;
    let tag = headers["etag"].to_str().unwrap();

    // The layer behind has other options, or is gone; so is the one in front.
    let plain = layer().options(Options::new().front_matter(false));
    let conditional = || agent("/").header("if-none-match", tag);
    let (status, headers, _) = get_through_two(&site, &outer, &plain, conditional()).await;
    assert_eq!(status, 200);
    assert_ne!(headers["etag"], tag);
    let (status, headers, _) = site.get_through(&plain, conditional()).await;
    assert_eq!(status, 200);
    assert_ne!(headers["etag"], tag);

    // Neither the tag of the layer behind alone nor that of the HTML is one of the layer in front.
    let behind = site.tag().await;
    for foreign in [&*behind, "\"v1\"", "W/\"v1\""] {
        let request = agent("/").header("if-none-match", foreign);
        let (status, ..) = get_through_two(&site, &outer, &plain, request).await;
        assert_eq!(status, 200, "{foreign}");
    }
    // And none of them confirms HTML.
    for markdown in [tag, &*behind] {
        let request = browser("/").header("if-none-match", markdown);
        let (status, headers, _) = get_through_two(&site, &outer, &inner, request).await;
        assert_eq!(status, 200, "{markdown}");
        assert_eq!(headers["content-type"], "text/html");
    }
}

#[tokio::test]
async fn a_304_with_a_date_alone_confirms_the_tag_that_was_asked_about() {
    let tag = Site::new(Some("\"v1\""), Some(DATE)).tag().await;
    let service = MarkdownForAgentsLayer::new().layer(service_fn(|_: Request<()>| async {
        let response = Response::builder()
            .status(304)
            .header("last-modified", DATE);
        Ok::<_, Infallible>(response.body(Script::new([])).unwrap())
    }));
    let request = agent("/").header("if-none-match", &tag).body(()).unwrap();
    let response = service.oneshot(request).await.unwrap();
    assert_eq!(response.status(), 304);
    assert_eq!(response.headers()["etag"], tag);
}

#[tokio::test]
async fn a_304_for_html_stays_one_where_the_response_asks_for_markdown() {
    let service = MarkdownForAgentsLayer::new().layer(service_fn(|_: Request<()>| async {
        let response = Response::builder().status(304).header("etag", "\"v1\"");
        let response = response.extension(ForceMarkdown).body(Script::new([]));
        Ok::<_, Infallible>(response.unwrap())
    }));
    let request = browser("/").header("if-none-match", "\"v1\"");
    let response = service.oneshot(request.body(()).unwrap()).await.unwrap();
    assert_eq!(response.status(), 304);
    assert_eq!(
        support::fields(response.headers()),
        ["etag: \"v1\"", "vary: Accept"]
    );
}

#[tokio::test]
async fn any_tag_will_do_for_a_star() {
    let site = Site::new(Some("\"v1\""), None);
    let tag = site.tag().await;
    let (status, headers, _) = site.get(agent("/").header("if-none-match", "*")).await;
    assert_eq!((status, headers["etag"].to_str().unwrap()), (304, &*tag));
}

#[tokio::test]
async fn a_changed_page_is_sent_anew() {
    let tag = Site::new(Some("\"v1\""), None).tag().await;
    let (status, headers, body) = Site::new(Some("\"v2\""), None)
        .get(agent("/").header("if-none-match", &tag))
        .await;
    assert_eq!(status, 200);
    assert_ne!(headers["etag"], tag);
    assert!(body.contains("# Hi"));
}

#[tokio::test]
async fn whatever_changes_the_markdown_makes_old_tags_stale() {
    let site = Site::new(Some("\"v1\""), None);
    let tag = site.tag().await;
    let conditional = || agent("/").header("if-none-match", &tag);
    let layer = MarkdownForAgentsLayer::new;
    let plain = Options::new().front_matter(false);
    for (layer, request) in [
        (layer().options(plain.clone()), conditional()),
        (
            layer().public_origin("https://example.com").unwrap(),
            conditional(),
        ),
        (layer(), conditional().header("host", "example.com")),
        (layer(), conditional().extension(ConvertWith::new(plain))),
        (
            layer(),
            conditional().extension(ConvertWith::new(Options::new()).revision(1)),
        ),
    ] {
        let (status, headers, _) = site.get_through(&layer, request).await;
        assert_eq!(status, 200);
        assert_ne!(headers["etag"], tag);
    }
    // What does not change it does not.
    let same = conditional().extension(ConvertWith::new(Options::new()));
    assert_eq!(site.get_through(&layer().hold_limit(1), same).await.0, 304);
}

#[tokio::test]
async fn a_page_without_validators_gets_none() {
    let site = Site::new(None, None);
    let (status, headers, _) = site.get(agent("/")).await;
    assert_eq!(status, 200);
    assert!(!headers.contains_key("etag"));
}

#[tokio::test]
async fn options_of_a_request_win_over_those_of_the_layer() {
    let site = Site::new(None, None);
    let plain = Options::new().front_matter(false);
    let request = agent("/")
        .header("host", "example.com")
        .extension(ConvertWith::new(plain.clone()));
    let (_, _, body) = site.get(request).await;
    assert_eq!(
        body.as_bytes(),
        support::markdown_of(plain, Some("http://example.com/"), &*site.page)
    );
}

#[tokio::test]
async fn the_second_request_for_a_streamed_page_costs_no_conversion_and_no_render() {
    let page: Arc<str> = long_page(5 << 20).into();
    let site = Site {
        page,
        ..Site::new(Some("\"v1\""), None)
    };
    let conversions = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&conversions);
    let layer = MarkdownForAgentsLayer::new().on_response(move |report| {
        log.lock()
            .unwrap()
            .push((report.decision(), report.bytes_in(), report.completion()));
    });

    let (status, headers, body) = site.get_through(&layer, agent("/")).await;
    assert_eq!(status, 200);
    assert!(
        !headers.contains_key("content-length"),
        "the page is long enough to stream"
    );
    assert_eq!(
        body.as_bytes(),
        support::markdown_of(Options::new(), None, &*site.page)
    );

    let tag = headers["etag"].to_str().unwrap();
    let (status, headers, body) = site
        .get_through(&layer, agent("/").header("if-none-match", tag))
        .await;
    assert_eq!(
        (status, &*body, headers["etag"].to_str().unwrap()),
        (304, "", tag)
    );

    assert_eq!(site.renders.load(Ordering::SeqCst), 1);
    assert_eq!(
        *conversions.lock().unwrap(),
        [
            (
                Decision::Markdown,
                site.page.len() as u64,
                Completion::Complete
            ),
            (Decision::NotModified, 0, Completion::Unwatched),
        ]
    );
}
