use markdown_for_agents::convert::{Converter, Options};
use std::io::{Read, Write};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let get = |n: &str| args.iter().position(|a| a == n).map(|i| args[i + 1].clone());
    let mut c = Converter::new(if args.iter().any(|a| a == "--verbatim") { Options::verbatim() } else { Options::new() });
    if let Some(u) = get("--url") { c = c.url(&u); }
    let mut v = Vec::new();
    std::io::stdin().read_to_end(&mut v).unwrap();
    let n = get("--chunk").map_or(65536, |n| n.parse().unwrap());
    let mut o = std::io::stdout().lock();
    for p in v.chunks(n) { c.write(p).unwrap(); c.flush(); o.write_all(&c.take()).unwrap(); }
    c.finish().unwrap();
    o.write_all(&c.take()).unwrap();
}
