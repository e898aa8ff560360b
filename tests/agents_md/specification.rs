//! The example documents of the specification (agents.md 0.2.0) mean what they say.

use markdown_for_agents::agents_md::{
    AgentsMd, Auth, FindingKind, Mcp, Origin, ParseErrorKind, Transport,
};

/// What a document says, part by part.
#[derive(Debug, Default, PartialEq)]
struct Meaning<'a> {
    name: Option<&'a str>,
    description: Option<&'a str>,
    can: Vec<&'a str>,
    cannot: Vec<&'a str>,
    mcp: Option<(Option<&'a str>, Option<Transport>, Option<Auth>)>,
    behavior: Vec<&'a str>,
    contact: Vec<&'a str>,
    sections: Vec<(&'a str, &'a str)>,
}

fn meaning(document: &AgentsMd) -> Meaning<'_> {
    fn strs(lines: &[String]) -> Vec<&str> {
        lines.iter().map(String::as_str).collect()
    }
    Meaning {
        name: document.name(),
        description: document.description(),
        can: strs(document.can()),
        cannot: strs(document.cannot()),
        mcp: document
            .mcp()
            .map(|mcp| (mcp.endpoint(), mcp.stated_transport(), mcp.stated_auth())),
        behavior: strs(document.behavior()),
        contact: strs(document.contact()),
        sections: document
            .sections()
            .iter()
            .map(|s| (s.title(), s.body()))
            .collect(),
    }
}

/// Reads a document, compares, and reads back what is written.
#[track_caller]
fn means(text: &str, expected: &Meaning<'_>) -> AgentsMd {
    let document: AgentsMd = text.parse().unwrap();
    assert_eq!(meaning(&document), *expected);
    assert_eq!(document.to_string().parse::<AgentsMd>().unwrap(), document);
    document
}

#[track_caller]
fn findings(document: &AgentsMd, origin: &str) -> Vec<FindingKind> {
    let origin = Origin::of(origin).unwrap();
    document
        .verify(&origin)
        .iter()
        .map(|finding| finding.kind())
        .collect()
}

#[test]
fn the_minimal_example_is_written_as_it_was_read() {
    let text = include_str!("documents/bookstore.md");
    let document = means(
        text,
        &Meaning {
            name: Some("Example Site"),
            description: Some("A bookstore since 2010."),
            can: vec!["Search catalog", "Read book details", "Check availability"],
            cannot: vec!["Place orders without human", "Access user accounts"],
            contact: vec!["agents@example.com"],
            ..Meaning::default()
        },
    );
    assert_eq!(document.to_string(), text);
    assert_eq!(findings(&document, "https://example.com"), []);
}

#[test]
fn the_example_with_a_gateway_does_not_state_its_auth() {
    let text = include_str!("documents/bookstore-mcp.md");
    let document = means(
        text,
        &Meaning {
            name: Some("Example Bookstore"),
            description: Some("Online bookstore with 50,000 titles."),
            can: vec![
                "Search and browse catalog",
                "Read reviews and descriptions",
                "Check prices and stock",
                "Place orders (authenticated)",
            ],
            cannot: vec!["Modify user accounts", "Access admin functions"],
            mcp: Some((
                Some("https://example.com/.well-known/mcp"),
                Some(Transport::StreamableHttp),
                None,
            )),
            behavior: vec![
                "Respect 1 request/second",
                "Cache product data 1 hour",
                "Identify in User-Agent header",
            ],
            contact: vec!["agents@example.com"],
            ..Meaning::default()
        },
    );
    assert_eq!(document.to_string(), text);
    assert_eq!(
        findings(&document, "https://example.com"),
        [FindingKind::UnstatedAuth]
    );
    assert_eq!(
        findings(&document, "https://www.example.com"),
        [FindingKind::OtherOrigin, FindingKind::UnstatedAuth],
    );
}

#[test]
fn the_public_api_has_tools_without_authentication() {
    let text = include_str!("documents/weather.md");
    let document = means(
        text,
        &Meaning {
            name: Some("Weather API"),
            description: Some("Free weather data for AI agents."),
            can: vec![
                "Get current conditions",
                "Get forecasts (up to 7 days)",
                "Get weather alerts",
            ],
            mcp: Some((
                Some("https://weather.example/mcp"),
                Some(Transport::StreamableHttp),
                Some(Auth::None),
            )),
            behavior: vec!["60 requests/minute", "Cache forecasts 30 minutes"],
            contact: vec!["api@weather.example"],
            ..Meaning::default()
        },
    );
    assert_eq!(document.to_string(), text);
    assert_eq!(findings(&document, "https://weather.example"), []);
}

#[test]
fn the_shop_wants_oauth() {
    let text = include_str!("documents/shop.md");
    let document = means(
        text,
        &Meaning {
            name: Some("TechMart"),
            description: Some("Electronics retailer."),
            can: vec![
                "Search products",
                "Compare specifications",
                "Check prices and stock",
                "Add to cart (authenticated)",
                "Checkout (authenticated)",
            ],
            cannot: vec![
                "Access order history without user consent",
                "Modify account settings",
            ],
            mcp: Some((
                Some("https://techmart.example/.well-known/mcp"),
                Some(Transport::StreamableHttp),
                Some(Auth::OAuth2),
            )),
            behavior: vec![
                "1 request/second for browsing",
                "Identify as AI agent in requests",
            ],
            contact: vec!["partners@techmart.example"],
            ..Meaning::default()
        },
    );
    assert_eq!(document.to_string(), text);
    assert_eq!(findings(&document, "https://techmart.example/"), []);
}

#[test]
fn the_blog_has_no_server() {
    let text = include_str!("documents/blog.md");
    let document = means(
        text,
        &Meaning {
            name: Some("My Tech Blog"),
            description: Some("Articles about software development."),
            can: vec![
                "Read all public articles",
                "Search by topic",
                "Access RSS feed at /feed.xml",
            ],
            cannot: vec!["Post comments (requires human)", "Access draft posts"],
            contact: vec!["hello@myblog.example"],
            ..Meaning::default()
        },
    );
    assert_eq!(document.to_string(), text);
    assert_eq!(findings(&document, "https://myblog.example"), []);
}

#[test]
fn a_single_section_is_a_document() {
    let text = include_str!("documents/robots.md");
    let document = means(
        text,
        &Meaning {
            cannot: vec!["Access /admin (see robots.txt)", "Access /private"],
            ..Meaning::default()
        },
    );
    assert_eq!(document.to_string(), text);
}

#[test]
fn the_template_of_the_section_is_no_document_until_it_is_filled_in() {
    let template = "## MCP\nendpoint: <url>\ntransport: streamable-http | sse | stdio\n";
    let error = template.parse::<AgentsMd>().unwrap_err();
    assert_eq!(
        (error.kind(), error.line()),
        (ParseErrorKind::UnknownTransport, Some(3))
    );
}

#[test]
fn every_name_of_the_format_is_known() {
    for (transport, value) in [
        ("streamable-http", Transport::StreamableHttp),
        ("sse", Transport::Sse),
        ("stdio", Transport::Stdio),
    ] {
        let text = format!("## MCP\ntransport: {transport}\n");
        let document = text.parse::<AgentsMd>().unwrap();
        assert_eq!(document.mcp().and_then(Mcp::stated_transport), Some(value));
        assert_eq!(document.to_string(), text);
    }
    for (auth, value) in [
        ("none", Auth::None),
        ("api_key", Auth::ApiKey),
        ("oauth2", Auth::OAuth2),
    ] {
        let text = format!("## MCP\nauth: {auth}\n");
        let document = text.parse::<AgentsMd>().unwrap();
        assert_eq!(document.mcp().and_then(Mcp::stated_auth), Some(value));
        assert_eq!(document.to_string(), text);
    }
}
