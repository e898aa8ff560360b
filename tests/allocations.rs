//! A response that passes costs nothing: allocations are counted, not timed.

mod support;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Request, Response};
use http_body_util::Empty;
use markdown_for_agents::MarkdownForAgentsLayer;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::convert::Infallible;
use tower::{Layer, Service, service_fn};

/// Counts the allocations of the current thread.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

#[allow(unsafe_code, reason = "an allocator cannot be written without it")]
// SAFETY: everything is left to the allocator of the system.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the contract of the same method.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the block came from the allocator of the system, see `alloc`.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of one exchange through the layer.
async fn allocations(
    request: http::request::Builder,
    content_type: &'static str,
    vary: Option<&'static str>,
) -> usize {
    let mut service =
        MarkdownForAgentsLayer::new().layer(service_fn(move |_: Request<()>| async move {
            let mut headers = HeaderMap::with_capacity(8);
            headers.insert("content-type", HeaderValue::from_static(content_type));
            if let Some(vary) = vary {
                headers.insert("vary", HeaderValue::from_static(vary));
            }
            let mut response = Response::new(Empty::<Bytes>::new());
            *response.headers_mut() = headers;
            Ok::<_, Infallible>(response)
        }));
    let request = request.body(()).unwrap();
    // What a server reads shares its bytes already; what a test makes does after its first clone.
    let _shared = (request.uri().clone(), request.headers().clone());
    let before = COUNT.get();
    let response = service.call(request).await.unwrap();
    let count = COUNT.get() - before;
    drop(response);
    count
}

#[tokio::test]
async fn what_passes_costs_no_allocation_but_its_own() {
    let own = {
        // The header map of the inner service.
        let before = COUNT.get();
        let map: HeaderMap = HeaderMap::with_capacity(8);
        let count = COUNT.get() - before;
        drop(map);
        count
    };
    let browser = || {
        support::browser("/a?b=c")
            .header("host", "example.com")
            .header("user-agent", "x")
    };
    assert_eq!(allocations(browser(), "image/png", None).await, own);
    assert_eq!(
        allocations(browser(), "text/html", Some("Accept")).await,
        own
    );
    assert_eq!(
        allocations(browser(), "text/html", None).await,
        own,
        "there is room for the field"
    );
    assert_eq!(
        allocations(browser().method("POST"), "text/html", None).await,
        own
    );
    assert!(
        allocations(browser(), "text/html", Some("Cookie")).await > own,
        "a merged value is a new one"
    );
}
