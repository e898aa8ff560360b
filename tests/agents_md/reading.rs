//! What the reader makes of files as people and machines write them, and of files that nobody should write.

use markdown_for_agents::agents_md::{
    AgentsMd, Auth, FindingKind, Mcp, Origin, ParseErrorKind, Reader, Transport,
};

#[track_caller]
fn read(text: &str) -> AgentsMd {
    text.parse().unwrap()
}

#[track_caller]
fn refused(text: &str) -> (ParseErrorKind, Option<usize>, String) {
    let error = text.parse::<AgentsMd>().unwrap_err();
    (error.kind(), error.line(), error.to_string())
}

#[test]
fn an_empty_file_says_nothing() {
    for text in ["", "\n\n", "\u{feff}", "   \r\n", "#\n##\n"] {
        let document = read(text);
        assert_eq!(
            (document.name(), document.description(), document.mcp()),
            (None, None, None)
        );
        assert_eq!(document.can(), [""; 0]);
    }
}

#[test]
fn sections_come_in_any_order_case_and_dress() {
    let document = read(
        "\u{feff}## contact:\r\na@b.example\r\n\r\nCANNOT\r\n------\r\n* Buy\r\n+ Sell\r\n1. Rent\r\n\r\n## CaN ##\r\n-   Look\r\n\r\n\
         Shop\r\n====\r\n\r\nWe sell.\r\n",
    );
    assert_eq!(document.name(), Some("Shop"));
    assert_eq!(document.description(), Some("We sell."));
    assert_eq!(document.can(), ["Look"]);
    assert_eq!(document.cannot(), ["Buy", "Sell", "Rent"]);
    assert_eq!(document.contact(), ["a@b.example"]);
}

#[test]
fn prose_is_an_item_for_each_paragraph() {
    let document = read(
        "## Can\nYou may search\nthe catalog.\n\nYou may read.\n## Cannot\n- Place orders\n  without a human\n  - or twice\n\n  Or at night.\n",
    );
    assert_eq!(
        document.can(),
        ["You may search the catalog.", "You may read."]
    );
    assert_eq!(
        document.cannot(),
        ["Place orders without a human", "or twice", "Or at night."]
    );
}

#[test]
fn code_and_lower_headings_in_a_list_are_items_too() {
    let document = read("## Cannot\n### Never\n- Buy\n```\n/admin\n\n## Can\n```\n***\n");
    assert_eq!(document.cannot(), ["Never", "Buy", "/admin", "## Can"]);
    assert_eq!(document.can(), [""; 0]);
}

#[test]
fn a_section_that_occurs_twice_is_one() {
    let document = read(
        "## Can\n- a\n## Notes\nx\n## can\n- b\n## Notes\ny\n## MCP\nauth: none\n## MCP\ntransport: sse\n",
    );
    assert_eq!(document.can(), ["a", "b"]);
    let notes: Vec<_> = document
        .sections()
        .iter()
        .map(|s| (s.title(), s.body()))
        .collect();
    assert_eq!(notes, [("Notes", "x"), ("Notes", "y")]);
    let mcp = document.mcp().unwrap();
    assert_eq!(
        (mcp.stated_transport(), mcp.stated_auth()),
        (Some(Transport::Sse), Some(Auth::None))
    );
}

#[test]
fn other_sections_are_kept_as_they_are() {
    let body = "Text  \nwith `code`,\n\n### A heading\n\n- a\n    - b\n\n```sh\n# no heading\n```\n<!-- seen -->";
    let document = read(&format!(
        "# A\n\nIntro\n\n{}\n\n## Terms of use\n\n\n{body}\n\n\n",
        "> quote"
    ));
    assert_eq!(document.description(), Some("Intro\n\n> quote"));
    assert_eq!(document.sections().len(), 1);
    assert_eq!(document.sections()[0].title(), "Terms of use");
    assert_eq!(document.sections()[0].body(), body);
}

#[test]
fn what_is_not_shown_gives_no_right() {
    for hidden in [
        "<!--\n## Can\n- Delete accounts\n-->",
        "<!-- ## Can -->",
        "```markdown\n## Can\n- Delete accounts\n```",
        "~~~\n## Can\n- Delete accounts",
        "- ```\n  ## Can\n  - Delete accounts",
        "    ## Can\n    - Delete accounts",
        "<script>\n## Can\n- Delete accounts\n</script>",
        "> ## Can\n> - Delete accounts",
        "<div hidden>\n## Can\n- Delete accounts\n</div>",
        "- <details>\n  ## Can\n  - Delete accounts",
        "\\## Can\n",
    ] {
        let document = read(&format!("# A\n\n{hidden}\n"));
        assert_eq!(document.can(), [""; 0], "{hidden}");
        assert_eq!(document.name(), Some("A"), "{hidden}");
    }
    let document = read("## Can\n- Look\n<!--\n- Delete accounts\n-->\n- Search\n");
    assert_eq!(document.can(), ["Look", "Search"]);
}

#[test]
fn addresses_in_angle_brackets_are_no_tags() {
    let document = read(
        "## Contact\n<agents@a.example>\n<https://a.example/agents>\n- <mailto:b@a.example>\n",
    );
    assert_eq!(
        document.contact(),
        [
            "<agents@a.example>",
            "<https://a.example/agents>",
            "<mailto:b@a.example>"
        ],
    );
}

#[test]
fn keys_of_the_mcp_section_may_be_dressed_up() {
    for section in [
        "endpoint: https://a.example/mcp\ntransport: sse\nauth: api_key",
        "Endpoint:https://a.example/mcp\nTRANSPORT:  SSE\nAuth: API_KEY",
        "- endpoint: <https://a.example/mcp>\n- transport: `sse`\n- auth: api_key",
        "* **Endpoint:** `https://a.example/mcp`\n* **Transport**: sse\n* `auth`: `api_key`",
        "```yaml\nendpoint: https://a.example/mcp\ntransport: sse\nauth: api_key\n```",
    ] {
        let document = read(&format!("## MCP\n{section}\n"));
        let mcp = Mcp::new("https://a.example/mcp")
            .transport(Transport::Sse)
            .auth(Auth::ApiKey);
        assert_eq!(document.mcp(), Some(&mcp), "{section}");
    }
}

#[test]
fn other_lines_of_the_mcp_section_are_notes() {
    let document = read(
        "## MCP\nOur server.\nendpoint: https://a.example/mcp\nauth: api_key (ask us)\nversion: 3\n\n- rate: low\n",
    );
    let mcp = document.mcp().unwrap();
    assert_eq!(
        mcp.notes(),
        ["Our server.", "(ask us)", "version: 3", "rate: low"]
    );
    assert_eq!(mcp.stated_auth(), Some(Auth::ApiKey));
}

#[test]
fn a_wrong_mcp_section_is_an_error_with_its_line() {
    assert_eq!(
        refused("# A\r\n\r\n## MCP\r\nendpoint: https://a.example\r\ntransport: websocket\r\n"),
        (
            ParseErrorKind::UnknownTransport,
            Some(5),
            "line 5: unknown transport \"websocket\": expected streamable-http, sse or stdio"
                .into(),
        ),
    );
    assert_eq!(
        refused("## MCP\nauth: none or oauth2"),
        (
            ParseErrorKind::UnknownAuth,
            Some(2),
            "line 2: unknown auth \"none or oauth2\": expected none, api_key or oauth2".into(),
        ),
    );
    assert_eq!(
        refused("## MCP\nendpoint:\n"),
        (
            ParseErrorKind::MissingValue,
            Some(2),
            "line 2: \"endpoint\" in the MCP section has no value: write \"endpoint: ...\"".into(),
        ),
    );
    assert_eq!(
        refused("## MCP\nauth: none\n## Can\n- x\n## MCP\nauth: none\n"),
        (
            ParseErrorKind::DuplicateKey,
            Some(6),
            "line 6: second \"auth\" in the MCP section: a key may occur once".into(),
        ),
    );
}

#[test]
fn a_message_neither_repeats_a_long_value_nor_lets_control_characters_through() {
    let (_, _, message) = refused(&format!(
        "## MCP\nauth: \u{1b}[31m{}\n",
        "x".repeat(1_000_000)
    ));
    assert!(message.len() < 200, "{message}");
    assert!(!message.contains('\u{1b}'), "{message}");
}

#[test]
fn input_is_bounded_and_utf8() {
    let reader = Reader::new().max_size(8);
    assert_eq!(reader.read(b"# 345678").unwrap().name(), Some("345678"));
    let error = reader.read(b"# 3456789").unwrap_err();
    assert_eq!(
        (error.kind(), error.line()),
        (ParseErrorKind::TooLarge, None)
    );
    assert_eq!(error.to_string(), "input is longer than 8 bytes");

    let limit = Reader::DEFAULT_MAX_SIZE;
    assert!(" ".repeat(limit).parse::<AgentsMd>().is_ok());
    assert_eq!(refused(&" ".repeat(limit + 1)).0, ParseErrorKind::TooLarge);

    let error = Reader::new().read(b"# A\n\n\xff").unwrap_err();
    assert_eq!(
        (error.kind(), error.line()),
        (ParseErrorKind::NotUtf8, Some(3))
    );
    assert_eq!(
        error.to_string(),
        "line 3: not UTF-8: the file must be UTF-8 text"
    );
}

#[test]
fn nul_is_replaced_and_other_odd_characters_are_kept() {
    let document = read("# A\0B\n## Can\n- \u{202e}x\u{1b}y\n");
    assert_eq!(document.name(), Some("A\u{fffd}B"));
    assert_eq!(document.can(), ["\u{202e}x\u{1b}y"]);
}

#[test]
fn an_agent_is_told_what_not_to_trust() {
    use FindingKind::{
        Credentials, InsecureOrigin, InvalidEndpoint, LocalCommand, MissingEndpoint, OtherOrigin,
        PlainHttp, UnstatedAuth,
    };
    let here = "https://a.example";
    for (section, origin, expected) in [
        ("endpoint: https://a.example/mcp\nauth: none", here, vec![]),
        (
            "endpoint: https://A.example:443/mcp\nauth: none",
            here,
            vec![],
        ),
        ("endpoint: https://a.example/mcp", here, vec![UnstatedAuth]),
        ("auth: none", here, vec![MissingEndpoint]),
        ("Coming soon.", here, vec![MissingEndpoint, UnstatedAuth]),
        ("endpoint: /mcp\nauth: none", here, vec![InvalidEndpoint]),
        (
            "endpoint: javascript:alert(1)\nauth: none",
            here,
            vec![InvalidEndpoint],
        ),
        (
            "endpoint: https:\\\\a.example\nauth: none",
            here,
            vec![InvalidEndpoint],
        ),
        (
            "endpoint: https://a.example/mcp # ours\nauth: none",
            here,
            vec![InvalidEndpoint],
        ),
        (
            "endpoint: wss://a.example/mcp\nauth: none",
            here,
            vec![InvalidEndpoint],
        ),
        (
            "endpoint: https://mcp.a.example/\nauth: none",
            here,
            vec![OtherOrigin],
        ),
        (
            "endpoint: https://a.example:8443/\nauth: none",
            here,
            vec![OtherOrigin],
        ),
        (
            "endpoint: https://a.example.evil.example/\nauth: none",
            here,
            vec![OtherOrigin],
        ),
        (
            "endpoint: https://a.example@evil.example/\nauth: none",
            here,
            vec![OtherOrigin, Credentials],
        ),
        (
            "endpoint: https://u:p@a.example/\nauth: none",
            here,
            vec![Credentials],
        ),
        (
            "endpoint: http://a.example/mcp\nauth: none",
            here,
            vec![OtherOrigin, PlainHttp],
        ),
        (
            "endpoint: http://localhost/mcp\nauth: none",
            here,
            vec![OtherOrigin],
        ),
        (
            "endpoint: rm -rf ~\ntransport: stdio\nauth: none",
            here,
            vec![LocalCommand],
        ),
        (
            "transport: stdio\nendpoint: https://a.example\nauth: none",
            here,
            vec![LocalCommand],
        ),
        (
            "endpoint: shop-tools\ntransport: stdio\nauth: none",
            "http://localhost:3000",
            vec![],
        ),
        (
            "endpoint: http://127.0.0.1:3000/mcp\nauth: none",
            "http://127.0.0.1:3000/agents.md",
            vec![],
        ),
        (
            "endpoint: http://127.0.0.1:3001/mcp\nauth: none",
            "http://127.0.0.1:3000",
            vec![OtherOrigin],
        ),
        (
            "endpoint: http://a.example/mcp\nauth: none",
            "http://a.example",
            vec![InsecureOrigin, PlainHttp],
        ),
    ] {
        let document = read(&format!("## MCP\n{section}\n"));
        let findings = document.verify(&Origin::of(origin).unwrap());
        let kinds: Vec<_> = findings.iter().map(|finding| finding.kind()).collect();
        assert_eq!(kinds, expected, "{section}");
    }
    assert_eq!(read("# A").verify(&Origin::of(here).unwrap()), []);
}

/// What a hostile file repeats, with what stands before and behind it.
const HOSTILE: [(&str, &str, &str); 17] = [
    ("# ", "x", ""),
    ("- ", "x", ""),
    ("## MCP\nauth: none\n", "x", ": y"),
    ("## Can\n", "- a\n", ""),
    ("## Can\n", "- ", "x"),
    ("## Can\n", "* - ", "x"),
    ("## Can\n", "- a\n\n", ""),
    ("## Can\n- a\n", "b\n", ""),
    ("", "## Can\n- a\n", ""),
    ("", "#\nx\n\n", ""),
    ("", "x\n", "---\n"),
    ("", "x\n===\n", ""),
    ("", "- ```\n", ""),
    ("<!--", "\n## Can", ""),
    ("", "<pre></", ""),
    ("## MCP\n", "`", ": x"),
    ("\u{feff}", "\u{feff}\0\r", ""),
];

#[test]
fn a_hostile_file_is_read_without_harm() {
    let reader = Reader::new().max_size(usize::MAX);
    for (before, repeated, behind) in HOSTILE {
        let text = format!("{before}{}{behind}", repeated.repeat(50_000));
        if let Ok(document) = reader.read(text.as_bytes()) {
            let written = document.to_string();
            assert_eq!(
                reader.read(written.as_bytes()).as_ref(),
                Ok(&document),
                "{repeated:?}"
            );
        }
    }
}

#[test]
fn a_million_of_anything_is_no_danger() {
    let reader = Reader::new().max_size(usize::MAX);
    let bullets = format!("## Can\n{}", "- a\n".repeat(1_000_000));
    assert_eq!(
        reader.read(bullets.as_bytes()).unwrap().can().len(),
        1_000_000
    );

    let nested = format!("## Can\n{}x\n", "- ".repeat(1_000_000));
    assert_eq!(reader.read(nested.as_bytes()).unwrap().can(), ["x"]);

    let line = "x".repeat(1_000_000);
    let document = reader
        .read(format!("# {line}\n{line}\n## Can\n- {line}").as_bytes())
        .unwrap();
    assert_eq!(document.name(), Some(line.as_str()));
    assert_eq!(document.description(), Some(line.as_str()));
    assert_eq!(document.can(), [line]);
}
