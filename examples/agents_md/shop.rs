//! The site: a page, an agents.md, and the MCP server that it names.

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use markdown_for_agents::agents_md::{
    AgentsMd, AgentsMdLayer, Auth, BuildError, Mcp, Origin, Transport,
};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{ServerCapabilities, ServerConfig};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ServerHandler, schemars, tool, tool_handler, tool_router};

const ROBOTS_TXT: &str = "User-agent: *\nDisallow: /account\n";

/// Title, author, copies in stock.
type Book = (&'static str, &'static str, u32);

const BOOKS: [Book; 3] = [
    ("The Time Machine", "H. G. Wells", 4),
    ("Frankenstein", "Mary Shelley", 0),
    ("The War of the Worlds", "H. G. Wells", 2),
];

/// The whole site, as it is reached at `origin`.
pub(crate) fn site(origin: &Origin) -> Result<Router, BuildError> {
    let document = AgentsMd::builder(origin.clone())
        .name("Corner Bookshop")
        .description("A small bookshop with a catalog that agents can search.")
        .can(["Search the catalog", "Check the stock of a book"])
        .cannot(["Place orders without a human"])
        .robots_txt(ROBOTS_TXT, "*")
        .mcp(
            Mcp::new(format!("{origin}/mcp"))
                .transport(Transport::StreamableHttp)
                .auth(Auth::None),
        )
        .behavior([
            "At most 1 request a second",
            "Say who you are in the User-Agent header",
        ])
        .contact(["agents@shop.example"])
        .build()?;
    Ok(Router::new()
        .route("/", get(|| async { Html("<h1>Corner Bookshop</h1>") }))
        .route("/robots.txt", get(|| async { ROBOTS_TXT }))
        .nest_service("/mcp", mcp_server(origin))
        .layer(AgentsMdLayer::new(&document).link()))
}

fn mcp_server(origin: &Origin) -> StreamableHttpService<Bookshop, LocalSessionManager> {
    // Only requests to the site's own name: a page elsewhere must not reach it through a name of its own.
    let authority = origin.to_string();
    let authority = authority
        .split_once("://")
        .map_or("", |(_, authority)| authority);
    let config = StreamableHttpServerConfig::default().with_allowed_hosts([authority]);
    StreamableHttpService::new(
        || Ok(Bookshop { books: &BOOKS }),
        LocalSessionManager::default().into(),
        config,
    )
}

#[derive(Debug, Clone)]
struct Bookshop {
    books: &'static [Book],
}

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
struct Query {
    /// Words of a title or an author.
    words: String,
}

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
struct Title {
    /// The exact title of a book.
    title: String,
}

#[tool_router]
impl Bookshop {
    #[tool(description = "Search the catalog by words of the title or the author")]
    fn search_catalog(&self, Parameters(Query { words }): Parameters<Query>) -> String {
        let words = words.to_lowercase();
        let found = self.books.iter().filter(|(title, author, _)| {
            let text = format!("{title} {author}").to_lowercase();
            words.split_whitespace().all(|word| text.contains(word))
        });
        found
            .map(|(title, author, _)| format!("{title}, {author}\n"))
            .collect()
    }

    #[tool(description = "How many copies of a book are in stock")]
    fn check_stock(
        &self,
        Parameters(Title { title }): Parameters<Title>,
    ) -> Result<String, String> {
        match self.books.iter().find(|(known, ..)| *known == title) {
            Some((_, _, copies)) => Ok(copies.to_string()),
            None => Err(format!("no book has the title {title:?}")),
        }
    }
}

#[tool_handler]
impl ServerHandler for Bookshop {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }
}
