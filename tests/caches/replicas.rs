//! Two gateways, each a process of its own, in front of one site.

use crate::daemon::{Daemon, gateway, nginx};
use crate::example::program;
use crate::nginx_config;
use crate::site::{ORIGIN, PAGES, Site, html};
use crate::support::{self, markdown_of};
use crate::traffic::{Answer, send};
use markdown_for_agents::convert::Options;
use std::collections::BTreeSet;
use std::net::SocketAddr;

fn replicas(site: SocketAddr) -> [Daemon; 2] {
    let program = program("gateway");
    [(); 2].map(|()| gateway(&program, site, ORIGIN))
}

/// The head without what tells the time.
fn fields(answer: &Answer) -> Vec<String> {
    let mut fields = support::fields(&answer.headers);
    fields.retain(|field| !field.starts_with("date:"));
    fields
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replicas_answer_alike_and_know_the_tags_of_each_other() {
    let site = Site::default();
    let [one, two] = replicas(site.serve().await);
    for page in PAGES {
        let url = format!("{ORIGIN}{page}");
        let expected = markdown_of(Options::new(), Some(&url), html(page));
        let answer = send(one.address, support::agent(page)).await;
        let same = send(two.address, support::agent(page)).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.body, expected);
        assert_eq!((fields(&answer), &answer.body), (fields(&same), &same.body));
        let renders = site.renders();
        for (given, asked) in [(&answer, &two), (&same, &one)] {
            let tag = given.field("etag");
            let request = support::agent(page).header("if-none-match", tag);
            let confirmed = send(asked.address, request).await;
            assert_eq!(confirmed.status, 304, "{page}");
            assert_eq!(confirmed.field("etag"), tag);
        }
        assert_eq!(site.renders(), renders, "a 304 costs no render");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cache_revalidates_with_one_replica_what_it_got_from_the_other() {
    let site = Site::default();
    let replicas = replicas(site.serve().await);
    let servers = replicas.each_ref().map(|replica| replica.address);
    let Some(cache) = nginx(|directory, listen| nginx_config(directory, listen, &servers)) else {
        return;
    };
    let (mut asked, mut outcomes) = (BTreeSet::new(), Vec::new());
    for page in PAGES {
        let path = format!("/stale{page}");
        for request in [support::agent, support::browser] {
            let first = send(cache.address, request(&path)).await;
            assert_eq!(first.field("x-cache"), "MISS");
            let renders = site.renders();
            for _ in 0..6 {
                let answer = send(cache.address, request(&path)).await;
                assert_eq!(answer.status, 200);
                assert_eq!(answer.field("etag"), first.field("etag"));
                assert_eq!(answer.body, first.body, "{path}");
                asked.insert(answer.field("x-server").to_owned());
                outcomes.push(answer.field("x-cache").to_owned());
            }
            assert_eq!(site.renders(), renders, "{path} was rendered again");
        }
    }
    assert_eq!(asked.len(), 2, "one replica did all the work");
    assert!(
        outcomes.iter().all(|outcome| outcome == "REVALIDATED"),
        "{outcomes:?}"
    );
    println!(
        "replicas: {} of {} revalidated",
        outcomes.len(),
        outcomes.len()
    );
}
