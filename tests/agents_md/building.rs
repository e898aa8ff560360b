//! What the builder refuses, and what it says about it.

use markdown_for_agents::agents_md::{
    AgentsMd, AgentsMdBuilder, Auth, BuildErrorKind, FindingKind, Mcp, Origin, Transport,
};

fn site(origin: &str) -> AgentsMdBuilder {
    AgentsMd::builder(Origin::of(origin).unwrap())
}

fn builder() -> AgentsMdBuilder {
    site("https://a.example")
}

#[track_caller]
fn refused(builder: AgentsMdBuilder, kind: BuildErrorKind, message: &str) {
    let error = builder.build().unwrap_err();
    assert_eq!((error.kind(), error.to_string().as_str()), (kind, message));
}

#[test]
fn all_parts_are_written_in_the_order_of_the_format() {
    let document = builder()
        .section("Terms", "Be kind.\n\n### More\n\n- x")
        .contact(["agents@a.example", "https://a.example/agents"])
        .behavior(["At most 1 request a second"])
        .mcp(
            Mcp::new("https://a.example/mcp")
                .transport(Transport::StreamableHttp)
                .auth(Auth::ApiKey)
                .note("Keys: https://a.example/keys"),
        )
        .robots_txt("User-agent: *\nDisallow: /admin\n", "*")
        .cannot(["Buy"])
        .can(["Look"])
        .llms_txt("/llms.txt")
        .description("A shop.\n\nSince 2010.")
        .name("Shop")
        .build()
        .unwrap();
    assert_eq!(
        document.to_string(),
        "# Shop\n\nA shop.\n\nSince 2010.\n\n## Can\n- Look\n- Read /llms.txt for a summary of the content\n\n\
         ## Cannot\n- Access /admin (see robots.txt)\n- Buy\n\n\
         ## MCP\nendpoint: https://a.example/mcp\ntransport: streamable-http\nauth: api_key\n- Keys: https://a.example/keys\n\n\
         ## Behavior\n- At most 1 request a second\n\n\
         ## Contact\nagents@a.example\nhttps://a.example/agents\n\n\
         ## Terms\n\nBe kind.\n\n### More\n\n- x\n",
    );
    assert_eq!(builder().build().unwrap().to_string(), "");
}

#[test]
fn an_endpoint_that_agents_must_not_trust_is_refused() {
    let mcp = |endpoint: &str| Mcp::new(endpoint);
    refused(
        builder().mcp(mcp("https://b.example/mcp")),
        BuildErrorKind::Endpoint(FindingKind::OtherOrigin),
        "MCP endpoint https://b.example/mcp is on another origin than the file: serve it from the same scheme, host and port, \
         or call allow_other_origin if agents that refuse it are no loss",
    );
    refused(
        site("http://a.example").mcp(mcp("http://a.example/mcp")),
        BuildErrorKind::Endpoint(FindingKind::PlainHttp),
        "MCP endpoint http://a.example/mcp is plain http: serve it over https, \
         or call allow_plain_http if agents that refuse it are no loss",
    );
    refused(
        builder().mcp(mcp("shop-tools").transport(Transport::Stdio)),
        BuildErrorKind::Endpoint(FindingKind::LocalCommand),
        "MCP server shop-tools is a local command (stdio), and no site may name one: serve it over streamable-http, \
         or call allow_stdio if agents that refuse it are no loss",
    );
    refused(
        builder().mcp(mcp("/mcp")),
        BuildErrorKind::Endpoint(FindingKind::InvalidEndpoint),
        "MCP endpoint /mcp is not an absolute https URL: write it with scheme and host",
    );
    refused(
        builder().mcp(mcp("https://me@a.example/mcp")),
        BuildErrorKind::Endpoint(FindingKind::Credentials),
        "MCP endpoint https://me@a.example/mcp has a user name or password in it: take it out",
    );
    refused(
        builder().mcp(Mcp::default()),
        BuildErrorKind::Endpoint(FindingKind::MissingEndpoint),
        "the MCP section names no endpoint: add a line \"endpoint: https://...\"",
    );
}

#[test]
fn an_opt_out_lets_through_what_it_names_and_nothing_else() {
    let elsewhere = || builder().mcp(Mcp::new("http://b.example/mcp"));
    let kind = |builder: AgentsMdBuilder| builder.build().unwrap_err().kind();
    assert_eq!(
        kind(elsewhere().allow_other_origin()),
        BuildErrorKind::Endpoint(FindingKind::PlainHttp)
    );
    assert_eq!(
        kind(elsewhere().allow_plain_http().allow_stdio()),
        BuildErrorKind::Endpoint(FindingKind::OtherOrigin)
    );
    assert!(
        elsewhere()
            .allow_plain_http()
            .allow_other_origin()
            .build()
            .is_ok()
    );
    assert!(
        builder()
            .mcp(Mcp::new("shop-tools --stdio").transport(Transport::Stdio))
            .allow_stdio()
            .build()
            .is_ok()
    );
    assert!(
        site("http://[::1]:3000")
            .mcp(Mcp::new("http://[::1]:3000/mcp"))
            .build()
            .is_ok(),
        "loopback needs no opt-out",
    );
}

#[test]
fn a_text_that_would_not_read_back_is_refused() {
    use BuildErrorKind::{
        ControlCharacter, Empty, Heading, OpenBlock, ReservedKey, ReservedTitle, SurroundingBlanks,
        SurroundingMarks,
    };
    let mcp = Mcp::new("https://a.example/mcp");
    for (builder, kind, message) in [
        (builder().name(""), Empty, "name is empty: leave it out"),
        (
            builder().name("A\nB"),
            ControlCharacter,
            "name has a line break or control character in it: take it out",
        ),
        (
            builder().name("mcp"),
            ReservedTitle,
            "name is the heading of a section that the format knows: choose another",
        ),
        (
            builder().description(" \n"),
            SurroundingBlanks,
            "description has blanks around it: trim it",
        ),
        (
            builder().description("\nA"),
            SurroundingBlanks,
            "description has blanks around it: trim it",
        ),
        (
            builder().description(""),
            Empty,
            "description is empty: leave it out",
        ),
        (
            builder().description("A\n\n## B"),
            Heading,
            "description, line 3 is a heading of level 1 or 2, which begins another part: use level 3",
        ),
        (
            builder().description("A\n===\nB"),
            Heading,
            "description, line 1 is a heading of level 1 or 2, which begins another part: use level 3",
        ),
        (
            builder().description("A\r\nB"),
            ControlCharacter,
            "description has a line break or control character in it: take it out",
        ),
        (
            builder().description("A\n\0"),
            ControlCharacter,
            "description, line 2 has a line break or control character in it: take it out",
        ),
        (
            builder().description("```\n# A"),
            OpenBlock,
            "description has an open code fence or comment: end it",
        ),
        (
            builder().can(["a", " b"]),
            SurroundingBlanks,
            "Can 2 has blanks around it: trim it",
        ),
        (
            builder().cannot(["\u{a0}"]),
            Empty,
            "Cannot 1 is empty: leave it out",
        ),
        (
            builder().behavior(["a\u{85}b"]),
            ControlCharacter,
            "Behavior 1 has a line break or control character in it: take it out",
        ),
        (
            builder().contact(["a\rb"]),
            ControlCharacter,
            "Contact 1 has a line break or control character in it: take it out",
        ),
        (
            builder().section("A", "").section("Can:", ""),
            ReservedTitle,
            "title of section 2 is the heading of a section that the format knows: choose another",
        ),
        (
            builder().section("A", "<!--"),
            OpenBlock,
            "body of section 1 has an open code fence or comment: end it",
        ),
        (
            builder().mcp(mcp.note("Auth: none")),
            ReservedKey,
            "MCP note 1 reads as a key of the MCP section: word it differently",
        ),
        (
            builder().mcp(Mcp::new("<https://a.example/mcp>")),
            SurroundingMarks,
            "MCP endpoint is in backticks or angle brackets: take them off",
        ),
        (
            builder().mcp(Mcp::new("")),
            Empty,
            "MCP endpoint is empty: leave it out",
        ),
        (
            builder().llms_txt("https://b.example/llms.txt"),
            BuildErrorKind::LlmsTxt,
            "llms.txt address is not on the site: give a path like /llms.txt or a URL of the same origin",
        ),
        (
            builder().llms_txt("//b.example"),
            BuildErrorKind::LlmsTxt,
            "llms.txt address is not on the site: give a path like /llms.txt or a URL of the same origin",
        ),
        (
            builder().can(vec!["x".repeat(1024); 256]),
            BuildErrorKind::TooLarge,
            "document is longer than readers take: make it shorter",
        ),
    ] {
        refused(builder, kind, message);
    }
}
