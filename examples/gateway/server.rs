//! Accepts connections and serves each of them through the layer.

use super::{proxy::Proxy, upload::RequestBody};
use hyper::{
    Request, Response,
    body::{Body, Incoming},
};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto,
    service::TowerToHyperService,
};
use markdown_for_agents::BoxError;
use std::{convert::Infallible, time::Duration};
use tokio::net::TcpListener;
use tower::{Layer, Service, ServiceExt};

pub(crate) async fn serve<L, S, B>(listener: &TcpListener, layer: &L, proxy: &Proxy) -> Infallible
where
    L: Layer<Proxy, Service = S>,
    S: Service<Request<RequestBody>, Response = Response<B>, Error = Infallible>,
    S: Clone + Send + 'static,
    S::Future: Send + 'static,
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<BoxError>,
{
    let mut server = auto::Builder::new(TokioExecutor::new());
    // The timers end connections that never send a whole head.
    server.http1().timer(TokioTimer::new());
    server.http2().timer(TokioTimer::new());
    loop {
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of file descriptors, for example: wait for some to be closed.
                eprintln!("accept: {error}");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        // What is ready leaves at once. Not to get this costs time, nothing else.
        let _ = stream.set_nodelay(true);
        let server = server.clone();
        let service = layer
            .layer(proxy.for_peer(peer.ip()))
            .map_request(|request: Request<Incoming>| request.map(RequestBody::from));
        let service = TowerToHyperService::new(service);
        tokio::spawn(async move {
            // An error is a client that left, or a body that broke off and took the connection with
            // it: there is nobody to tell.
            let _ = server
                .serve_connection_with_upgrades(TokioIo::new(stream), service)
                .await;
        });
    }
}
