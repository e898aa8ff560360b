//! Header fields that a gateway takes off, puts on or rewrites.

use hyper::{
    Version,
    header::{
        CONNECTION, COOKIE, FORWARDED, HeaderMap, HeaderName, HeaderValue, PROXY_AUTHENTICATE,
        PROXY_AUTHORIZATION, TE, TRANSFER_ENCODING, UPGRADE, VIA,
    },
};
use std::net::IpAddr;

const KEEP_ALIVE: HeaderName = HeaderName::from_static("keep-alive");
const PROXY_CONNECTION: HeaderName = HeaderName::from_static("proxy-connection");
const HTTP2_SETTINGS: HeaderName = HeaderName::from_static("http2-settings");
const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const X_FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");
const X_FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// Removes what concerns one connection only: the fields that `Connection` names, and those that do
/// without being named (RFC 9110 §7.6.1, §11.7). `TE: trailers` stays, because trailers go through.
pub(crate) fn remove_hop_by_hop(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = tokens(headers, &CONNECTION)
        .filter_map(|token| token.parse().ok())
        .collect();
    let trailers = tokens(headers, &TE).any(|token| token.eq_ignore_ascii_case("trailers"));
    for name in &named {
        headers.remove(name);
    }
    for name in [
        CONNECTION,
        KEEP_ALIVE,
        PROXY_CONNECTION,
        PROXY_AUTHENTICATE,
        PROXY_AUTHORIZATION,
        HTTP2_SETTINGS,
        TE,
        TRANSFER_ENCODING,
        UPGRADE,
    ] {
        headers.remove(name);
    }
    if trailers {
        headers.insert(TE, HeaderValue::from_static("trailers"));
    }
}

/// The protocol that a message asks, or agrees, to go on with (RFC 9110 §7.8). Never HTTP/2: a
/// tunnel of it would carry requests past the gateway.
pub(crate) fn upgrade_protocol(headers: &HeaderMap) -> Option<HeaderValue> {
    let upgrade = tokens(headers, &CONNECTION).any(|token| token.eq_ignore_ascii_case("upgrade"));
    let http2 = tokens(headers, &UPGRADE).any(|token| token.eq_ignore_ascii_case("h2c"));
    headers.get(UPGRADE).filter(|_| upgrade && !http2).cloned()
}

/// Puts the fields of [`upgrade_protocol`] on a message again.
pub(crate) fn set_upgrade(headers: &mut HeaderMap, protocol: HeaderValue) {
    headers.insert(CONNECTION, HeaderValue::from_static("upgrade"));
    headers.insert(UPGRADE, protocol);
}

/// Whether the `X-Forwarded` fields of a request come from a proxy of the operator's.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Forwarded {
    Trusted,
    /// Anyone can send them: they are replaced.
    Untrusted,
}

/// Tells the upstream who asked, for which host, in which scheme.
pub(crate) fn set_forwarded(
    headers: &mut HeaderMap,
    received: Forwarded,
    peer: IpAddr,
    host: Option<&HeaderValue>,
    scheme: &'static str,
) {
    if received == Forwarded::Untrusted {
        for name in [
            FORWARDED,
            X_FORWARDED_FOR,
            X_FORWARDED_HOST,
            X_FORWARDED_PROTO,
        ] {
            headers.remove(name);
        }
    }
    // An address is always a valid value.
    if let Ok(peer) = HeaderValue::try_from(peer.to_canonical().to_string()) {
        headers.append(X_FORWARDED_FOR, peer);
    }
    if let Some(host) = host {
        headers
            .entry(X_FORWARDED_HOST)
            .or_insert_with(|| host.clone());
    }
    headers
        .entry(X_FORWARDED_PROTO)
        .or_insert(HeaderValue::from_static(scheme));
}

/// Adds this gateway to the trace of a request (RFC 9110 §7.6.3).
pub(crate) fn add_via(headers: &mut HeaderMap, version: Version) {
    headers.append(
        VIA,
        HeaderValue::from_static(match version {
            Version::HTTP_2 => "2 gateway",
            Version::HTTP_10 => "1.0 gateway",
            _ => "1.1 gateway",
        }),
    );
}

/// HTTP/2 may cut Cookie into several fields; HTTP/1.1 knows one only (RFC 9113 §8.2.3).
pub(crate) fn join_cookies(headers: &mut HeaderMap) {
    let crumbs: Vec<&[u8]> = headers
        .get_all(COOKIE)
        .iter()
        .map(HeaderValue::as_bytes)
        .collect();
    if crumbs.len() > 1
        && let Ok(cookie) = HeaderValue::from_bytes(&crumbs.join(&b"; "[..]))
    {
        headers.insert(COOKIE, cookie);
    }
}

fn tokens<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> impl Iterator<Item = &'a str> + use<'a> {
    headers
        .get_all(name)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
}
