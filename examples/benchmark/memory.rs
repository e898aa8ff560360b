//! Peak memory of a conversion behind the layer, by the length of the page.

use crate::Failure;
use bytes::Bytes;
use http::{HeaderValue, Request, Response};
use http_body::{Body, Frame};
use http_body_util::BodyExt;
use markdown_for_agents::MarkdownForAgentsLayer;
use serde::Serialize;
use std::{
    alloc::{GlobalAlloc, Layout, System},
    convert::Infallible,
    pin::Pin,
    sync::atomic::{AtomicBool, AtomicIsize, Ordering::Relaxed},
    task::{Context, Poll},
};
use tower::{Layer as _, ServiceExt, service_fn};

pub(crate) const MEGABYTES: [usize; 3] = [1, 10, 100];

static ON: AtomicBool = AtomicBool::new(false);
static NOW: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);

/// The allocator of the system; it keeps account only while that is asked for.
pub(crate) struct Measuring;

#[allow(unsafe_code, reason = "an allocator cannot be written without it")]
// SAFETY: everything is left to the allocator of the system.
unsafe impl GlobalAlloc for Measuring {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        account(layout.size() as isize);
        // SAFETY: the caller keeps the contract of the same method.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        account(-(layout.size() as isize));
        // SAFETY: the block came from the allocator of the system, see `alloc`.
        unsafe { System.dealloc(block, layout) }
    }
}

fn account(size: isize) {
    if ON.load(Relaxed) {
        let now = NOW.fetch_add(size, Relaxed) + size;
        PEAK.fetch_max(now, Relaxed);
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct Memory {
    pub(crate) megabytes: usize,
    pub(crate) peak_bytes: usize,
    pub(crate) markdown_bytes: usize,
}

pub(crate) async fn measure(page: &Bytes, megabytes: usize) -> Result<Memory, Failure> {
    let body = Repeated {
        page: page.clone(),
        at: 0,
        left: megabytes * 1_000_000,
    };
    let mut body = Some(body);
    let site = service_fn(move |_: Request<()>| {
        let mut response = Response::new(body.take().unwrap_or_default());
        let html = HeaderValue::from_static("text/html; charset=utf-8");
        response.headers_mut().insert("content-type", html);
        async move { Ok::<_, Infallible>(response) }
    });
    let service = MarkdownForAgentsLayer::new().layer(site);
    let request = Request::builder()
        .header("accept", "text/markdown")
        .body(())?;

    NOW.store(0, Relaxed);
    PEAK.store(0, Relaxed);
    ON.store(true, Relaxed);
    let mut body = service.oneshot(request).await?.into_body();
    let mut markdown_bytes = 0;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| error.to_string())?;
        markdown_bytes += frame.data_ref().map_or(0, Bytes::len);
    }
    ON.store(false, Relaxed);
    Ok(Memory {
        megabytes,
        peak_bytes: PEAK.load(Relaxed).max(0) as usize,
        markdown_bytes,
    })
}

/// A page that comes again and again in frames of 16 KiB, without memory of its own.
#[derive(Default)]
struct Repeated {
    page: Bytes,
    at: usize,
    left: usize,
}

impl Body for Repeated {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let this = self.get_mut();
        if this.left == 0 || this.page.is_empty() {
            return Poll::Ready(None);
        }
        let end = this
            .page
            .len()
            .min(this.at + (16 << 10))
            .min(this.at + this.left);
        let frame = this.page.slice(this.at..end);
        this.left -= frame.len();
        this.at = end % this.page.len();
        Poll::Ready(Some(Ok(Frame::data(frame))))
    }
}
