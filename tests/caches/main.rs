//! nginx and Varnish as shared caches in front of the layer: browsers and agents take turns at the same
//! addresses, and nobody ever gets what was made for the other.
//!
//! Each test runs the real program on loopback ports, and is left out where it is not installed.

#![cfg(unix)]

mod daemon;
#[path = "../support/example.rs"]
mod example;
mod replicas;
mod site;
#[path = "../support/mod.rs"]
mod support;
mod traffic;

use daemon::{Daemon, nginx, varnish};
use site::Site;
use std::net::SocketAddr;
use traffic::Traffic;

/// The configuration of an nginx that caches what these servers answer.
fn nginx_config(directory: &str, listen: SocketAddr, servers: &[SocketAddr]) -> String {
    let servers: String = servers
        .iter()
        .map(|server| format!("server {server};"))
        .collect();
    format!(
        "daemon off; master_process off; pid {directory}/pid; error_log stderr warn;
        events {{}}
        http {{
            access_log off;
            client_body_temp_path {directory}/1; proxy_temp_path {directory}/2;
            fastcgi_temp_path {directory}/3; uwsgi_temp_path {directory}/4;
            scgi_temp_path {directory}/5;
            proxy_cache_path {directory}/cache keys_zone=pages:1m inactive=1h;
            gzip on; gzip_types text/markdown; gzip_proxied any; gzip_vary on;
            upstream site {{ {servers} }}
            server {{
                listen {listen};
                location / {{
                    proxy_pass http://site;
                    proxy_http_version 1.1;
                    proxy_set_header Connection '';
                    proxy_cache pages;
                    proxy_cache_revalidate on;
                    add_header X-Cache $upstream_cache_status always;
                    add_header X-Server $upstream_addr always;
                }}
            }}
        }}"
    )
}

/// The configuration of a Varnish that tells hits from misses, and revalidates what is stale.
fn varnish_config(server: SocketAddr) -> String {
    format!(
        "vcl 4.1;
        backend default {{ .host = \"{}\"; .port = \"{}\"; }}
        sub vcl_backend_response {{
            set beresp.grace = 0s;
            if (beresp.was_304) {{ set beresp.http.X-Cache = \"REVALIDATED\"; }}
            else {{ set beresp.http.X-Cache = \"MISS\"; }}
            if (bereq.url ~ \"^/stale/\") {{
                set beresp.ttl = 1ms;
                set beresp.keep = 1h;
                return (deliver);
            }}
        }}
        sub vcl_deliver {{
            if (obj.hits > 0) {{ set resp.http.X-Cache = \"HIT\"; }}
        }}",
        server.ip(),
        server.port()
    )
}

/// Sends a long row of requests through a cache, and looks at each answer.
async fn check(cache: &Daemon, site: &Site) {
    let mut traffic = Traffic::new(cache.address);
    traffic.run(900).await;
    println!("{}: {traffic}", cache.name);
    println!(
        "{}: the site rendered {} pages and confirmed {}",
        cache.name,
        site.renders(),
        site.confirmations()
    );
    // A cache that never keeps anything would prove nothing.
    assert!(traffic.hits() > 100, "{traffic}");
    assert!(site.confirmations() > 50, "no revalidation took place");
    assert!(
        site.renders() < 100,
        "every page is rendered but once for a variant"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nginx_gives_nobody_what_was_made_for_others() {
    let site = Site::default();
    let server = site.serve_with_layer().await;
    let Some(cache) = nginx(|directory, listen| nginx_config(directory, listen, &[server])) else {
        return;
    };
    check(&cache, &site).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn varnish_gives_nobody_what_was_made_for_others() {
    let site = Site::default();
    let server = site.serve_with_layer().await;
    let Some(cache) = varnish(&varnish_config(server)) else {
        return;
    };
    check(&cache, &site).await;
}
