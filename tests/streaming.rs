//! Bodies: what streams, what is held back, and what happens when something fails.

mod support;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Response};
use http_body::{Body, Frame, SizeHint};
use http_body_util::{BodyExt, Full};
use markdown_for_agents::convert::Options;
use markdown_for_agents::predicate::DefaultPredicate;
use markdown_for_agents::{Decision, MarkdownBody, MarkdownForAgentsLayer, Reason, ResponseFuture};
use proptest::prelude::*;
use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use support::{
    Fate, Script, ScriptError, Step, agent, browser, collect, data, fields, html, long_page,
    markdown_of, through,
};
use tower::{Layer, Service, service_fn};

const PAGE: &str = "<h1>Hi</h1><p>Body</p>";

fn layer() -> MarkdownForAgentsLayer {
    MarkdownForAgentsLayer::new()
}

fn trailers() -> HeaderMap {
    HeaderMap::from_iter([
        (
            http::HeaderName::from_static("x-checked"),
            HeaderValue::from_static("yes"),
        ),
        (
            http::HeaderName::from_static("repr-digest"),
            HeaderValue::from_static("sha-256=:AAAA:"),
        ),
    ])
}

fn is_markdown<B>(response: &Response<B>) -> bool {
    response.headers()["content-type"] == "text/markdown; charset=utf-8"
}

/// What a task would see of a future or body: how often it was woken.
#[derive(Default)]
struct Wakes(AtomicUsize);

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// Polls once, and tells whether the task was woken meanwhile.
fn poll_once<T>(poll: impl FnOnce(&mut Context<'_>) -> Poll<T>) -> (Poll<T>, bool) {
    let wakes = Arc::new(Wakes::default());
    let waker = Waker::from(Arc::clone(&wakes));
    let polled = poll(&mut Context::from_waker(&waker));
    (polled, wakes.0.load(Ordering::SeqCst) > 0)
}

#[tokio::test]
async fn the_markdown_depends_on_the_bytes_and_not_on_their_frames() {
    let page = long_page(3000);
    let expected = markdown_of(Options::new(), None, &page);
    for piece in [1, 2, 3, 5, 7, 64, 1000, page.len()] {
        for body in [
            Script::hostile(page.as_bytes(), piece),
            Script::pieces(page.as_bytes(), piece),
        ] {
            let response = html().body(body.then(Step::Trailers(trailers()))).unwrap();
            let response = through(&layer(), agent("/"), response).await;
            assert!(is_markdown(&response));
            let collected = collect(response.into_body()).await;
            assert_eq!(collected.bytes(), expected, "{piece}");
            assert_eq!(fields(&collected.trailers.unwrap()), ["x-checked: yes"]);
            for frame in &collected.frames {
                assert!(!frame.is_empty());
                std::str::from_utf8(frame).expect("a frame ends between two characters");
            }
        }
    }
}

proptest! {
    #[test]
    fn no_pattern_of_frames_and_pauses_changes_the_markdown(
        cuts in prop::collection::vec((0..200_usize, any::<bool>()), 0..60),
        hold in 0..4000_usize,
    ) {
        let page = long_page(3000);
        let mut rest = page.as_bytes();
        let mut steps = Vec::new();
        for (length, pause) in cuts {
            let (piece, after) = rest.split_at(length.min(rest.len()));
            steps.push(data(piece));
            steps.extend(pause.then_some(Step::Pause));
            rest = after;
        }
        steps.push(data(rest));
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let text = runtime.block_on(async {
            let response = html().body(Script::new(steps)).unwrap();
            collect(through(&layer().hold_limit(hold), agent("/"), response).await.into_body()).await.bytes()
        });
        prop_assert_eq!(text, markdown_of(Options::new(), None, &page));
    }
}

#[tokio::test]
async fn the_first_markdown_leaves_before_the_next_html_arrives() {
    let body = Script::new([data("<h1>Hi</h1><p>Body</p><p>"), Step::Hang]);
    let fate = body.fate();
    let response = through(&layer(), agent("/"), html().body(body).unwrap()).await;
    assert!(is_markdown(&response));
    assert!(!response.headers().contains_key("content-length"));
    let mut body = Box::pin(response.into_body());
    let first = body.frame().await.unwrap().unwrap().into_data().unwrap();
    assert!(std::str::from_utf8(&first).unwrap().contains("# Hi"));
    assert!(!fate.is_dropped());
}

#[tokio::test]
async fn a_pause_before_any_text_does_not_send_the_head() {
    // The front matter is ready at once, but it is no text: this may yet be an empty shell.
    let before = "<!doctype html><title>T</title></head><body><div>";
    let steps = [data(before), Step::Pause, Step::Pause, data(PAGE)];
    let response = through(
        &layer(),
        agent("/"),
        html().body(Script::new(steps)).unwrap(),
    )
    .await;
    let markdown = markdown_of(Options::new(), None, format!("{before}{PAGE}"));
    assert_eq!(
        response.headers()["content-length"],
        markdown.len().to_string()
    );
}

#[tokio::test]
async fn a_large_frame_is_cut_between_two_characters() {
    let page = format!("<p>{}</p>", "\u{65e5}".repeat(15_000));
    let response = html().body(Full::<Bytes>::from(page.clone())).unwrap();
    let frames = collect(through(&layer(), agent("/"), response).await.into_body())
        .await
        .frames;
    assert_eq!(frames.len(), 2);
    for frame in &frames {
        std::str::from_utf8(frame).expect("a frame ends between two characters");
    }
    assert_eq!(frames.concat(), markdown_of(Options::new(), None, &page));
}

#[tokio::test]
async fn small_and_large_frames_are_replayed_in_their_order() {
    let sizes = [10, 5000, 3, 4, 4096, 4095, 20_000, 1];
    let shell: Vec<String> = sizes
        .iter()
        .zip('a'..)
        .map(|(&size, c)| format!("<{c}{}>", " ".repeat(size)))
        .collect();
    let response = html().body(Script::new(shell.iter().map(data))).unwrap();
    let response = through(&layer(), agent("/"), response).await;
    assert!(!is_markdown(&response));
    assert_eq!(collect(response.into_body()).await.text(), shell.concat());
}

#[tokio::test]
async fn a_page_that_ends_within_the_hold_limit_has_a_length() {
    let page = long_page(20_000);
    let markdown = markdown_of(Options::new(), None, &page);
    let response = || html().body(Script::pieces(page.as_bytes(), 1000)).unwrap();

    let held = through(&layer(), agent("/"), response()).await;
    assert_eq!(held.headers()["content-length"], markdown.len().to_string());
    assert_eq!(
        held.headers()["x-markdown-tokens"],
        markdown.len().div_ceil(4).to_string()
    );
    assert_eq!(held.body().size_hint().exact(), Some(markdown.len() as u64));
    assert_eq!(collect(held.into_body()).await.bytes(), markdown);

    let streamed = through(&layer().hold_limit(1000), agent("/"), response()).await;
    assert!(!streamed.headers().contains_key("content-length"));
    assert!(!streamed.headers().contains_key("x-markdown-tokens"));
    assert_eq!(streamed.body().size_hint().exact(), None);
    assert_eq!(collect(streamed.into_body()).await.bytes(), markdown);
}

#[tokio::test]
async fn trailers_leave_no_room_for_a_length() {
    let body = Script::pieces(PAGE.as_bytes(), 7).then(Step::Trailers(trailers()));
    let response = through(&layer(), agent("/"), html().body(body).unwrap()).await;
    assert!(!response.headers().contains_key("content-length"));
    assert!(response.headers().contains_key("x-markdown-tokens"));
    assert_eq!(response.body().size_hint().exact(), None);
    assert!(!response.body().is_end_stream());
    assert!(collect(response.into_body()).await.trailers.is_some());
}

#[tokio::test]
async fn a_body_that_says_it_has_ended_is_not_polled_again() {
    // `Full` says so after its only frame; this one would be pending for ever.
    struct Stuck(Full<Bytes>);
    impl Body for Stuck {
        type Data = Bytes;
        type Error = std::convert::Infallible;
        fn poll_frame(
            mut self: Pin<&mut Self>,
            cx: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
            if self.0.is_end_stream() {
                Poll::Pending
            } else {
                Pin::new(&mut self.0).poll_frame(cx)
            }
        }
        fn is_end_stream(&self) -> bool {
            self.0.is_end_stream()
        }
    }
    let response = through(
        &layer(),
        agent("/"),
        html().body(Stuck(PAGE.into())).unwrap(),
    )
    .await;
    assert!(response.headers().contains_key("content-length"));
}

#[tokio::test]
async fn a_failure_before_the_head_leaves_gives_the_original() {
    let steps = [data("<h1>Hi</h1>"), data(""), data("<p>Body"), Step::Fail];
    let response = html()
        .header("etag", "\"v1\"")
        .header("content-length", "99")
        .body(Script::new(steps))
        .unwrap();
    let response = through(&layer(), agent("/"), response).await;
    assert_eq!(
        fields(response.headers()),
        [
            "content-length: 99",
            "content-type: text/html; charset=utf-8",
            "etag: \"v1\"",
            "vary: Accept"
        ]
    );
    assert_eq!(
        response.extensions().get(),
        Some(&Decision::Passthrough(Reason::BodyFailed))
    );
    let collected = collect(response.into_body()).await;
    assert_eq!(collected.text(), "<h1>Hi</h1><p>Body");
    assert_eq!(
        *collected.error.unwrap().downcast::<ScriptError>().unwrap(),
        ScriptError
    );
}

#[tokio::test]
async fn what_is_no_html_after_all_is_sent_as_it_came() {
    let mut image = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    image.resize(3000, 0);
    for piece in [1, 1000, image.len()] {
        let body = Script::pieces(&image, piece).then(Step::Trailers(trailers()));
        let response = html().header("content-length", "3000").body(body).unwrap();
        let response = through(&layer(), agent("/"), response).await;
        let expected = Decision::Passthrough(Reason::ConvertFailed);
        assert_eq!(response.extensions().get(), Some(&expected));
        assert_eq!(
            fields(response.headers()),
            [
                "content-length: 3000",
                "content-type: text/html; charset=utf-8",
                "vary: Accept"
            ]
        );
        let collected = collect(response.into_body()).await;
        assert_eq!(collected.bytes(), image);
        assert!(collected.error.is_none());
        assert_eq!(collected.trailers, Some(trailers()));
    }
}

#[tokio::test]
async fn a_failure_after_the_head_left_ends_the_body_with_an_error() {
    let steps = [
        data("<h1>Hi</h1><p>Body</p>"),
        Step::Pause,
        data("<p>More</p>"),
        Step::Fail,
    ];
    let response = through(
        &layer(),
        agent("/"),
        html().body(Script::new(steps)).unwrap(),
    )
    .await;
    assert!(is_markdown(&response));
    let collected = collect(response.into_body()).await;
    assert!(collected.text().contains("# Hi") && collected.text().contains("More"));
    assert_eq!(
        *collected.error.unwrap().downcast::<ScriptError>().unwrap(),
        ScriptError
    );
    assert!(collected.trailers.is_none());
}

#[tokio::test]
async fn a_page_without_text_is_sent_as_it_came_with_its_trailers() {
    let shell = "<!doctype html><div id=root></div>".repeat(300);
    for body in [
        Script::pieces(shell.as_bytes(), 6000),
        Script::hostile(shell.as_bytes(), 11),
    ] {
        let body = body.then(Step::Trailers(trailers()));
        let response = through(&layer(), agent("/"), html().body(body).unwrap()).await;
        assert!(!is_markdown(&response));
        assert!(!response.body().is_end_stream());
        assert_eq!(response.body().size_hint().lower(), shell.len() as u64);
        assert_eq!(response.body().size_hint().upper(), None, "trailers follow");
        let collected = collect(response.into_body()).await;
        assert_eq!(collected.text(), shell);
        assert_eq!(collected.trailers, Some(trailers()));
    }
    let response = html().body(Script::pieces(shell.as_bytes(), 6000)).unwrap();
    let response = through(&layer(), agent("/"), response).await;
    assert_eq!(
        response.body().size_hint().exact(),
        Some(shell.len() as u64)
    );
}

#[tokio::test]
async fn the_head_leaves_when_no_more_input_may_be_kept() {
    let shell = "<br>".repeat(1000);
    let body = || html().body(Script::pieces(shell.as_bytes(), 100)).unwrap();
    let response = through(&layer().replay_limit(1000), agent("/"), body()).await;
    assert!(is_markdown(&response));
    assert!(!response.headers().contains_key("content-length"));
    let response = through(&layer().replay_limit(shell.len()), agent("/"), body()).await;
    assert!(!is_markdown(&response));
}

#[tokio::test]
async fn one_large_frame_is_not_too_much_to_keep_until_it_is_converted() {
    let shell = "<br>".repeat(100_000);
    let response = html().body(Full::<Bytes>::from(shell.clone())).unwrap();
    let response = through(&layer().replay_limit(shell.len()), agent("/"), response).await;
    assert!(!is_markdown(&response));
    assert_eq!(collect(response.into_body()).await.text(), shell);
}

#[tokio::test]
async fn passing_through_is_exact() {
    let steps = || {
        [
            data(""),
            data("<p>a"),
            Step::Pause,
            data("b</p>"),
            Step::Trailers(trailers()),
        ]
    };
    let mut hint = SizeHint::new();
    hint.set_lower(3);
    hint.set_upper(77);
    for request in [browser("/"), agent("/").header("x", "y")] {
        let native = Response::builder().header("content-type", "text/markdown");
        let response = native.body(Script::new(steps()).hint(hint)).unwrap();
        let response = through(&layer(), request, response).await;
        assert_eq!(response.body().size_hint().lower(), 3);
        assert_eq!(response.body().size_hint().upper(), Some(77));
        assert!(!response.body().is_end_stream());
        let collected = collect(response.into_body()).await;
        assert_eq!(collected.frames, ["", "<p>a", "b</p>"]);
        assert_eq!(collected.trailers, Some(trailers()));
    }
    let full = html().body(Full::<Bytes>::default()).unwrap();
    assert!(
        through(&layer(), browser("/"), full)
            .await
            .body()
            .is_end_stream()
    );
    let failing = html().body(Script::new([data("a"), Step::Fail])).unwrap();
    let collected = collect(through(&layer(), browser("/"), failing).await.into_body()).await;
    assert_eq!(collected.text(), "a");
    assert!(collected.error.unwrap().is::<ScriptError>());
}

#[tokio::test]
async fn head_never_polls_the_body() {
    let body = Script::new([data(PAGE)]).hint(SizeHint::with_exact(22));
    let fate = body.fate();
    let response = through(
        &layer(),
        agent("/").method("HEAD"),
        html().body(body).unwrap(),
    )
    .await;
    assert!(is_markdown(&response));
    assert!(response.body().is_end_stream());
    assert_eq!((fate.polls(), fate.is_dropped()), (0, true));
}

/// Polls a body to its end, and gives the input that was read between two points where the task
/// could do something else.
fn bursts(body: MarkdownBody<Script>, fate: &Fate) -> (Vec<usize>, usize) {
    let mut body = Box::pin(body);
    let (mut bursts, mut start, mut polls) = (Vec::new(), fate.bytes(), 0);
    loop {
        polls += 1;
        match poll_once(|cx| body.as_mut().poll_frame(cx)) {
            (Poll::Pending, woken) => {
                assert!(woken, "a body that is pending by itself wakes its task");
                bursts.push(fate.bytes() - start);
                start = fate.bytes();
            }
            (Poll::Ready(Some(frame)), _) => drop(frame.unwrap()),
            (Poll::Ready(None), _) => return (bursts, polls),
        }
    }
}

#[tokio::test]
async fn one_task_never_converts_more_than_its_budget_at_once() {
    const BUDGET: usize = 64 << 10;
    let page = long_page(2 << 20);
    let body = Script::pieces(page.as_bytes(), 1000);
    let fate = body.fate();

    // The future holds the head back.
    let mut response = Some(html().body(body).unwrap());
    let mut service = layer()
        .hold_limit(500_000)
        .layer(service_fn(move |_: http::Request<()>| {
            let response = response.take().unwrap();
            async move { Ok::<_, std::convert::Infallible>(response) }
        }));
    let mut future = Box::pin(service.call(agent("/").body(()).unwrap()));
    let mut start = 0;
    let response = loop {
        match poll_once(|cx| future.as_mut().poll(cx)) {
            (Poll::Pending, woken) => {
                assert!(woken);
                assert!(
                    fate.bytes() - start <= BUDGET + 1000,
                    "{}",
                    fate.bytes() - start
                );
                start = fate.bytes();
            }
            (Poll::Ready(response), _) => break response.unwrap(),
        }
    };
    assert!(start > 4 * BUDGET, "the future yielded several times");

    // The body goes on.
    let (bursts, _) = bursts(response.into_body(), &fate);
    assert!(bursts.len() > 10);
    assert!(
        bursts.iter().all(|&burst| burst <= BUDGET + 1000),
        "{bursts:?}"
    );
    assert_eq!(fate.bytes(), page.len());
}

#[tokio::test]
async fn a_flood_of_empty_frames_does_not_hold_the_task() {
    let body = Script::new(vec![Step::Data(Bytes::new()); 100_000]).then(data(PAGE));
    let fate = body.fate();
    let mut response = Some(html().body(body).unwrap());
    let mut service = layer().layer(service_fn(move |_: http::Request<()>| {
        let response = response.take().unwrap();
        async move { Ok::<_, std::convert::Infallible>(response) }
    }));
    let mut future = Box::pin(service.call(agent("/").body(()).unwrap()));
    let mut most = 0;
    loop {
        let before = fate.polls();
        let (polled, _) = poll_once(|cx| future.as_mut().poll(cx));
        most = most.max(fate.polls() - before);
        if polled.is_ready() {
            break;
        }
    }
    assert!(most <= 5000, "{most}");
}

#[tokio::test]
async fn frames_are_neither_tiny_nor_huge() {
    let page = long_page(1 << 20);
    for body in [
        Script::pieces(page.as_bytes(), 100),
        Script::pieces(page.as_bytes(), page.len()),
    ] {
        let response = through(&layer(), agent("/"), html().body(body).unwrap()).await;
        let frames = collect(response.into_body()).await.frames;
        let (last, all) = frames.split_last().unwrap();
        assert!(last.len() <= 32 << 10);
        let small = all.iter().filter(|frame| frame.len() < 16 << 10).count();
        assert!(
            small <= 2,
            "{:?}",
            all.iter().map(Bytes::len).collect::<Vec<_>>()
        );
        assert!(all.iter().all(|frame| frame.len() <= 32 << 10));
    }
}

#[tokio::test]
async fn dropping_the_answer_drops_the_inner_body_at_once() {
    // While the head is held back.
    let body = Script::new([data("<div>"), Step::Hang]);
    let fate = body.fate();
    let mut response = Some(html().body(body).unwrap());
    let mut service = layer().layer(service_fn(move |_: http::Request<()>| {
        let response = response.take().unwrap();
        async move { Ok::<_, std::convert::Infallible>(response) }
    }));
    let mut future = Box::pin(service.call(agent("/").body(()).unwrap()));
    let (polled, _) = poll_once(|cx| future.as_mut().poll(cx));
    assert!(polled.is_pending() && fate.polls() == 2 && !fate.is_dropped());
    drop(future);
    assert!(fate.is_dropped());

    // While the body streams.
    let body = Script::new([data(PAGE), Step::Hang]);
    let fate = body.fate();
    let response = through(&layer(), agent("/"), html().body(body).unwrap()).await;
    assert!(!fate.is_dropped());
    drop(response);
    assert!(fate.is_dropped());
}

#[tokio::test]
async fn a_reader_who_stops_stops_the_inner_body() {
    let page = long_page(4 << 20);
    let body = Script::pieces(page.as_bytes(), 1000);
    let fate = body.fate();
    let response = through(&layer(), agent("/"), html().body(body).unwrap()).await;
    let held = fate.bytes();
    assert!(held < 512 << 10, "{held} bytes were read for a head");
    let mut body = Box::pin(response.into_body());
    while poll_once(|cx| body.as_mut().poll_frame(cx)).0.is_pending() {}
    let after_one_frame = fate.bytes();
    assert!(after_one_frame - held < 64 << 10);
    tokio::task::yield_now().await;
    assert_eq!(fate.bytes(), after_one_frame);
}

#[tokio::test]
async fn data_need_not_be_bytes() {
    let (left, right) = PAGE.as_bytes().split_at(9);
    let mut data: VecDeque<u8> = right.iter().copied().collect();
    for &byte in left.iter().rev() {
        data.push_front(byte);
    }
    let response = html().body(Full::new(data.clone())).unwrap();
    let response = through(&layer(), agent("/"), response).await;
    assert_eq!(
        collect(response.into_body()).await.bytes(),
        markdown_of(Options::new(), None, PAGE)
    );
    let response = through(
        &layer(),
        browser("/"),
        html().body(Full::new(data)).unwrap(),
    )
    .await;
    assert_eq!(collect(response.into_body()).await.text(), PAGE);
}

#[tokio::test]
async fn a_service_need_be_neither_send_nor_clone_nor_static() {
    let page = String::from(PAGE);
    let counter = std::rc::Rc::new(std::cell::Cell::new(0));
    let mut service = layer().layer(service_fn(|_: http::Request<()>| {
        counter.set(counter.get() + 1);
        let response = html().body(Full::new(page.as_bytes())).unwrap();
        let counter = std::rc::Rc::clone(&counter);
        async move {
            let _counter = counter;
            Err::<Response<Full<&[u8]>>, _>("the error of the inner service")
                .or(Ok::<_, &str>(response))
        }
    }));
    let response = service.call(agent("/").body(()).unwrap()).await.unwrap();
    assert!(is_markdown(&response));
    assert_eq!(counter.get(), 1);
}

#[tokio::test]
async fn the_error_of_the_inner_service_is_untouched() {
    #[derive(Debug, PartialEq)]
    struct Mine;
    let mut service = layer().layer(service_fn(|_: http::Request<()>| async {
        Err::<Response<Full<Bytes>>, _>(Mine)
    }));
    assert_eq!(
        service
            .call(agent("/").body(()).unwrap())
            .await
            .unwrap_err(),
        Mine
    );
}

#[test]
fn the_body_is_send_and_sync() {
    fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<MarkdownBody<Full<Bytes>>>();
    is_send_and_sync::<MarkdownForAgentsLayer>();
}

#[test]
fn what_passes_through_is_hardly_larger_than_the_inner_one() {
    type Answer = std::future::Ready<Result<Response<Full<Bytes>>, ()>>;
    assert!(size_of::<MarkdownBody<Full<Bytes>>>() <= size_of::<Full<Bytes>>() + 16);
    let future = size_of::<ResponseFuture<Answer, Full<Bytes>, DefaultPredicate>>();
    assert!(future <= size_of::<Answer>() + 512, "{future}");
}
