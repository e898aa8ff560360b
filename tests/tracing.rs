//! The events of the feature `tracing`. Alone in its file: a subscriber is seen by all threads.
#![cfg(feature = "tracing")]

mod support;

use bytes::Bytes;
use http_body_util::Full;
use markdown_for_agents::MarkdownForAgentsLayer;
use std::sync::{Arc, Mutex};
use support::{agent, browser, collect, html, through};

const PAGE: &str = "<h1>Hi</h1><p>Body</p>";

fn page() -> http::Response<Full<Bytes>> {
    html().body(PAGE.into()).unwrap()
}

#[tokio::test]
async fn every_decision_is_one_event() {
    use std::fmt::Write;
    use tracing::field::{Field, Visit};

    /// Collects the fields of events.
    #[derive(Default)]
    struct Events(Arc<Mutex<Vec<String>>>);

    impl tracing::Subscriber for Events {
        fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
            metadata.target() == "markdown_for_agents"
        }
        fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
            tracing::span::Id::from_u64(1)
        }
        fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}
        fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}
        fn event(&self, event: &tracing::Event<'_>) {
            struct Line(String);
            impl Visit for Line {
                fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
                    if field.name() != "elapsed" {
                        write!(self.0, "{}={value:?} ", field.name()).unwrap();
                    }
                }
            }
            let mut line = Line(event.metadata().level().to_string() + " ");
            event.record(&mut line);
            self.0.lock().unwrap().push(line.0);
        }
        fn enter(&self, _: &tracing::span::Id) {}
        fn exit(&self, _: &tracing::span::Id) {}
    }

    let events = Events::default();
    let lines = Arc::clone(&events.0);
    let _guard = tracing::subscriber::set_default(events);
    let layer = MarkdownForAgentsLayer::new();
    let sent = collect(through(&layer, agent("/"), page()).await.into_body())
        .await
        .bytes()
        .len();
    drop(through(&layer, browser("/"), page()).await);
    assert_eq!(
        *lines.lock().unwrap(),
        [
            format!(
                "DEBUG decision=Markdown trigger=Some(Accept) status=200 bytes_in={} bytes_out={sent} completion=Complete ",
                PAGE.len()
            ),
            "DEBUG decision=Passthrough(NotPreferred) trigger=None status=200 bytes_in=0 bytes_out=0 completion=Unwatched "
                .to_owned(),
        ]
    );
}
