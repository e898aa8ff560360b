//! Reading what was written gives the same value.

use markdown_for_agents::agents_md::{AgentsMd, Auth, Mcp, Origin, Reader, Transport};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// Pieces that mean something at the start of a line, and some that do not.
const PIECES: [&str; 48] = [
    "# ",
    "## ",
    "### ",
    "#",
    " #",
    "- ",
    "* ",
    "+ ",
    "-",
    "--",
    "---",
    "===",
    "=",
    "***",
    "___",
    "1. ",
    "2) ",
    "10",
    "> ",
    "```",
    "~~~",
    "`",
    "~~~~",
    "<!--",
    "-->",
    "<pre>",
    "</pre>",
    "<script>",
    "\\",
    "\\#",
    ":",
    "endpoint: ",
    "auth: none",
    "**transport:** ",
    "sse",
    "(",
    ")",
    "Can",
    "Cannot",
    "MCP:",
    "\u{feff}",
    "\u{a0}",
    " ",
    "    ",
    "\t",
    "a",
    "é",
    "\u{2028}",
];

fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![8 => select(&PIECES[..]).prop_map(str::to_owned), 1 => "\\PC{0,3}"];
    vec(piece, 0..7).prop_map(|pieces| pieces.concat())
}

fn lines() -> impl Strategy<Value = String> {
    let ending = prop_oneof![8 => Just("\n"), 2 => Just("\n\n"), 1 => Just("\r\n"), 1 => Just("\r"), 1 => Just("\0\n")];
    vec((soup(), ending), 0..12).prop_map(|lines| {
        lines
            .into_iter()
            .map(|(line, ending)| line + ending)
            .collect()
    })
}

fn mcp() -> impl Strategy<Value = Mcp> {
    let transports = select(&[Transport::StreamableHttp, Transport::Sse, Transport::Stdio][..]);
    let auths = select(&[Auth::None, Auth::ApiKey, Auth::OAuth2][..]);
    let endpoint = prop_oneof![Just("https://a.example/mcp".to_owned()), soup()];
    (
        endpoint,
        option::of(transports),
        option::of(auths),
        vec(soup(), 0..3),
    )
        .prop_map(|(endpoint, transport, auth, notes)| {
            let mcp = notes.into_iter().fold(Mcp::new(endpoint), Mcp::note);
            let mcp = transport.into_iter().fold(mcp, Mcp::transport);
            auth.into_iter().fold(mcp, Mcp::auth)
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_was_built_reads_back(
        name in option::of(soup()),
        description in option::of(lines()),
        can in vec(soup(), 0..4),
        cannot in vec(soup(), 0..4),
        mcp in option::of(mcp()),
        behavior in vec(soup(), 0..4),
        contact in vec(soup(), 0..4),
        sections in vec((soup(), lines()), 0..3),
    ) {
        // One wrong text refuses the whole: the texts that are refused alone are left out.
        let site = || AgentsMd::builder(Origin::of("https://a.example").unwrap()).allow_other_origin().allow_plain_http().allow_stdio();
        let good = |item: &String| site().can([item]).build().is_ok();
        let keep = |items: Vec<String>| items.into_iter().filter(good).collect::<Vec<_>>();
        let mut builder = site().can(keep(can)).cannot(keep(cannot)).behavior(keep(behavior)).contact(keep(contact));
        if let Some(name) = name.filter(|name| site().name(name).build().is_ok()) {
            builder = builder.name(name);
        }
        if let Some(text) = description.filter(|text| site().description(text).build().is_ok()) {
            builder = builder.description(text);
        }
        if let Some(mcp) = mcp.filter(|mcp| site().mcp(mcp.clone()).build().is_ok()) {
            builder = builder.mcp(mcp);
        }
        for (title, body) in sections {
            let body = body.trim_end_matches(['\n', '\r', '\0']);
            if site().section(&title, body).build().is_ok() {
                builder = builder.section(title, body);
            }
        }
        let built = builder.build().unwrap();
        let written = built.to_string();
        prop_assert_eq!(&written.parse::<AgentsMd>().unwrap(), &built, "{}", written);
    }

    #[test]
    fn what_was_read_reads_back(text in lines(), heading in select(&["", "# A\n", "## Can\n", "## Cannot\n", "## MCP\n", "## Contact\n", "## B\n"][..])) {
        if let Ok(read) = format!("{heading}{text}").parse::<AgentsMd>() {
            let written = read.to_string();
            prop_assert_eq!(&written.parse::<AgentsMd>().unwrap(), &read, "{}", written);
        }
    }

    #[test]
    fn whole_documents_read_back(parts in vec((select(&["# A", "A\n===", "## Can", "CANNOT:\n---", "## MCP", "# Behavior", "## Contact ##", "## B", "#", "### C"][..]), lines()), 0..6)) {
        let text: String = parts.into_iter().map(|(heading, lines)| format!("{heading}\n{lines}\n")).collect();
        if let Ok(read) = text.parse::<AgentsMd>() {
            let written = read.to_string();
            prop_assert_eq!(&written.parse::<AgentsMd>().unwrap(), &read, "{}", written);
        }
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in vec(any::<u8>(), 0..200)) {
        let _ = Reader::new().read(&bytes);
    }
}

/// More in a long run: `PROPTEST_CASES=100000`.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(512)
}

#[test]
fn a_note_that_looks_like_a_key_is_escaped_and_comes_back() {
    let notes = [
        "**auth:** none",
        "`endpoint`: x",
        "```transport: sse",
        "_auth_:",
    ];
    let mcp = notes
        .into_iter()
        .fold(Mcp::new("https://a.example/mcp"), Mcp::note);
    let site = AgentsMd::builder(Origin::of("https://a.example").unwrap());
    let document = site.mcp(mcp).build().unwrap();

    let read: AgentsMd = document.to_string().parse().unwrap();
    assert_eq!(read.mcp().unwrap().notes(), notes);
    assert_eq!(read, document);
}

#[test]
fn texts_that_look_like_blocks_are_escaped_and_come_back() {
    let texts = [
        "# a", "- a", "* a", "1. a", ": a", "---", "===", "```", "<!-- a", "> a", "\\# a", "a #",
        "## Can",
    ];
    let document = AgentsMd::builder(Origin::of("https://a.example").unwrap())
        .name("# C#")
        .can(texts)
        .contact(texts)
        .mcp(
            texts
                .into_iter()
                .fold(Mcp::new("https://a.example/mcp"), Mcp::note),
        )
        .build()
        .unwrap();

    assert_eq!(document.to_string().parse::<AgentsMd>().unwrap(), document);
    assert_eq!(document.can(), texts);
    assert_eq!(document.contact(), texts);
}
