//! From the file to the tools: an agent reads the file of a site, connects to the MCP server that it names, and uses
//! it.
#![cfg(feature = "agents-md")]

#[path = "../examples/agents_md/shop.rs"]
mod shop;

use markdown_for_agents::agents_md::{AgentsMd, Mcp, Origin, Transport, WELL_KNOWN_PATH};
use rmcp::ServiceExt;
use rmcp::model::{CallToolRequestParams, ClientConfig};
use rmcp::transport::StreamableHttpClientTransport;

/// The site on a port of its own.
async fn serve() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let site = shop::site(&Origin::of(&address).unwrap()).unwrap();
    tokio::spawn(async move { axum::serve(listener, site).await });
    address
}

#[tokio::test]
async fn the_endpoint_of_the_file_answers_and_its_tools_work() {
    // The provider of the test before, or this one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let site = serve().await;

    let response = reqwest::get(format!("{site}{WELL_KNOWN_PATH}"))
        .await
        .unwrap();
    assert_eq!(
        response.headers()["content-type"],
        "text/markdown; charset=utf-8"
    );
    let document: AgentsMd = response.text().await.unwrap().parse().unwrap();
    assert_eq!(
        document.can(),
        ["Search the catalog", "Check the stock of a book"]
    );
    assert_eq!(document.verify(&Origin::of(&site).unwrap()), []);

    let mcp = document.mcp().unwrap();
    assert_eq!(mcp.stated_transport(), Some(Transport::StreamableHttp));
    let endpoint = mcp.endpoint().unwrap();
    let transport = StreamableHttpClientTransport::from_uri(endpoint);
    let client = ClientConfig::default().serve(transport).await.unwrap();

    let mut tools: Vec<_> = client.list_all_tools().await.unwrap();
    tools.sort_by(|a, b| a.name.cmp(&b.name));
    let names: Vec<_> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(names, ["check_stock", "search_catalog"]);

    let arguments = serde_json::json!({ "words": "wells machine" })
        .as_object()
        .cloned()
        .unwrap();
    let call = CallToolRequestParams::new("search_catalog").with_arguments(arguments);
    let result = client.call_tool(call).await.unwrap();
    assert_ne!(result.is_error, Some(true));
    assert_eq!(
        result.content[0].as_text().unwrap().text,
        "The Time Machine, H. G. Wells\n"
    );

    let arguments = serde_json::json!({ "title": "Emma" })
        .as_object()
        .cloned()
        .unwrap();
    let call = CallToolRequestParams::new("check_stock").with_arguments(arguments);
    assert_eq!(client.call_tool(call).await.unwrap().is_error, Some(true));
    client.cancel().await.unwrap();
}

#[tokio::test]
async fn a_page_of_the_site_leads_to_the_file() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let site = serve().await;
    let page = reqwest::get(&site).await.unwrap();
    assert_eq!(
        page.headers()["link"],
        "</.well-known/agents.md>; rel=\"service-desc\"; type=\"text/markdown\"",
    );
    let document = reqwest::get(format!("{site}/agents.md"))
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    let endpoint = format!("{site}/mcp");
    let read = document.parse::<AgentsMd>().unwrap();
    assert_eq!(read.mcp().and_then(Mcp::endpoint), Some(endpoint.as_str()));
}
