//! What the operator gets to know.

mod support;

use bytes::Bytes;
use http::Response;
use http_body_util::Full;
use markdown_for_agents::{
    Completion, Decision, ForceMarkdown, MarkdownForAgentsLayer, Reason, Report, Trigger,
};
use std::sync::{Arc, Mutex};
use support::{Script, Step, agent, browser, collect, data, html, through};

const PAGE: &str = "<h1>Hi</h1><p>Body</p>";

/// A layer, and the reports that it gives.
fn observed() -> (MarkdownForAgentsLayer, Arc<Mutex<Vec<Report>>>) {
    let reports = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&reports);
    let layer = MarkdownForAgentsLayer::new()
        .on_response(move |report| log.lock().unwrap().push(report.clone()));
    (layer, reports)
}

fn only(reports: &Mutex<Vec<Report>>) -> Report {
    let mut reports = reports.lock().unwrap();
    assert_eq!(reports.len(), 1, "{reports:?}");
    reports.pop().unwrap()
}

fn page() -> Response<Full<Bytes>> {
    html().body(PAGE.into()).unwrap()
}

#[tokio::test]
async fn a_converted_page_is_reported_when_it_has_been_read() {
    for body in [
        Script::pieces(PAGE.as_bytes(), 5),
        Script::hostile(PAGE.as_bytes(), 5),
    ] {
        let (layer, reports) = observed();
        let response = through(&layer, agent("/"), html().body(body).unwrap()).await;
        assert!(reports.lock().unwrap().is_empty());
        let markdown = collect(response.into_body()).await.bytes();
        let report = only(&reports);
        assert_eq!(report.decision(), Decision::Markdown);
        assert_eq!(report.status(), 200);
        assert_eq!(report.bytes_in(), PAGE.len() as u64);
        assert_eq!(report.bytes_out(), markdown.len() as u64);
        assert_eq!(report.completion(), Completion::Complete);
    }
}

#[tokio::test]
async fn a_page_that_nobody_reads_to_its_end_is_reported_as_dropped() {
    let (layer, reports) = observed();
    let body = Script::new([data(PAGE), Step::Hang]);
    drop(through(&layer, agent("/"), html().body(body).unwrap()).await);
    let report = only(&reports);
    assert_eq!(
        (report.completion(), report.bytes_in(), report.bytes_out()),
        (Completion::Dropped, PAGE.len() as u64, 0)
    );
}

#[tokio::test]
async fn a_page_that_breaks_is_reported_as_failed() {
    let (layer, reports) = observed();
    let body = Script::new([data(PAGE), Step::Pause, Step::Fail]);
    let response = through(&layer, agent("/"), html().body(body).unwrap()).await;
    let sent = collect(response.into_body()).await.bytes().len() as u64;
    let report = only(&reports);
    assert_eq!(
        (report.completion(), report.bytes_out()),
        (Completion::Failed, sent)
    );
}

#[tokio::test]
async fn everything_else_is_reported_at_once_with_its_reason() {
    for (request, response, reason) in [
        (agent("/").method("POST"), page(), Reason::Method),
        (
            agent("/")
                .header("connection", "upgrade")
                .header("upgrade", "x"),
            page(),
            Reason::Upgrade,
        ),
        (browser("/"), page(), Reason::NotPreferred),
        (agent("/"), Response::new(PAGE.into()), Reason::NotHtml),
        (
            agent("/"),
            html().status(500).body(PAGE.into()).unwrap(),
            Reason::Status,
        ),
        (
            agent("/"),
            html().body(Full::default()).unwrap(),
            Reason::NoText,
        ),
    ] {
        let (layer, reports) = observed();
        let response = through(&layer, request, response).await;
        let report = only(&reports);
        assert_eq!(report.decision(), Decision::Passthrough(reason));
        assert_eq!(report.completion(), Completion::Unwatched);
        assert_eq!((report.bytes_in(), report.bytes_out()), (0, 0));
        drop(response);
        assert!(reports.lock().unwrap().is_empty(), "it is reported once");
    }
}

#[tokio::test]
async fn head_is_reported_at_once() {
    let (layer, reports) = observed();
    drop(through(&layer, agent("/").method("HEAD"), page()).await);
    let report = only(&reports);
    assert_eq!(
        (report.decision(), report.completion()),
        (Decision::Markdown, Completion::Unwatched)
    );
}

#[tokio::test]
async fn outer_layers_find_the_decision_where_markdown_was_asked_for() {
    let layer = MarkdownForAgentsLayer::new();
    let decision = |response: &Response<_>| response.extensions().get::<Decision>().copied();
    assert_eq!(
        decision(&through(&layer, agent("/"), page()).await),
        Some(Decision::Markdown)
    );
    assert_eq!(decision(&through(&layer, browser("/"), page()).await), None);
    let native = Response::builder()
        .header("content-type", "text/markdown")
        .body(Full::from("# Own"))
        .unwrap();
    let expected = Some(Decision::Passthrough(Reason::AlreadyMarkdown));
    assert_eq!(
        decision(&through(&layer, agent("/"), native).await),
        expected
    );
    let mut forced = page();
    forced.extensions_mut().insert(ForceMarkdown);
    assert_eq!(
        decision(&through(&layer, browser("/"), forced).await),
        Some(Decision::Markdown)
    );
}

#[tokio::test]
async fn a_report_says_what_asked_for_markdown() {
    let (layer, reports) = observed();
    let layer = layer.user_agents(["GPTBot"]);
    let mut forced = page();
    forced.extensions_mut().insert(ForceMarkdown);
    for (request, response, trigger) in [
        (agent("/"), page(), Some(Trigger::Accept)),
        (
            browser("/").header("user-agent", "GPTBot/1.2"),
            page(),
            Some(Trigger::UserAgent),
        ),
        (
            browser("/").extension(ForceMarkdown),
            page(),
            Some(Trigger::Forced),
        ),
        (browser("/"), forced, Some(Trigger::Forced)),
        (browser("/"), page(), None),
    ] {
        drop(through(&layer, request, response).await);
        assert_eq!(only(&reports).trigger(), trigger);
    }
}

#[test]
fn reasons_have_names_for_metrics() {
    assert_eq!(Reason::NoTransform.as_str(), "no-transform");
    assert_eq!(format!("[{:>8}]", Reason::NoText), "[ no-text]");
}
