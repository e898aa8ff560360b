//! Programs that a test starts, on ports of their own, and ends.

use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// `nobody` on every Linux.
const NOBODY: u32 = 65534;

/// A running program, which is killed when this is dropped.
pub(crate) struct Daemon {
    pub(crate) name: &'static str,
    pub(crate) address: SocketAddr,
    child: Child,
    /// What it writes goes here, and goes away with it.
    _directory: Option<TempDir>,
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An nginx with the configuration that this function makes of its directory and address; `None`
/// where there is no nginx.
pub(crate) fn nginx(config: impl Fn(&str, SocketAddr) -> String) -> Option<Daemon> {
    let program = find("nginx")?;
    let (directory, path) = directory();
    let address = free_address();
    let file = path.join("nginx.conf");
    std::fs::write(&file, config(path.to_str().unwrap(), address)).unwrap();
    let mut command = Command::new(program);
    command.arg("-p").arg(&path).arg("-c").arg(&file);
    command.args(["-e", "stderr"]);
    Some(start("nginx", command, address, directory))
}

/// A Varnish with this configuration; `None` where there is none.
pub(crate) fn varnish(config: &str) -> Option<Daemon> {
    let program = find("varnishd")?;
    let (directory, path) = directory();
    let address = free_address();
    let file = path.join("site.vcl");
    std::fs::write(&file, config).unwrap();
    let mut command = Command::new(program);
    command.arg("-F").arg("-n").arg(&path).arg("-f").arg(&file);
    command.arg("-a").arg(address.to_string());
    command.args(["-s", "malloc,64m", "-T", "none"]);
    Some(start("varnish", command, address, directory))
}

/// The example gateway in front of this server, as a process of its own.
pub(crate) fn gateway(program: &Path, upstream: SocketAddr, public_url: &str) -> Daemon {
    let mut child = Command::new(program)
        .args(["--listen", "127.0.0.1:0", "--public-url", public_url])
        .args(["--upstream", &format!("http://{upstream}")])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let address = line.trim().strip_prefix("listening on http://").unwrap();
    Daemon {
        name: "gateway",
        address: address.parse().unwrap(),
        child,
        _directory: None,
    }
}

/// Where a program is. Daemons are not in every user's path.
fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .chain(["/usr/sbin".into(), "/usr/local/sbin".into()])
        .map(|directory| directory.join(program))
        .find(|candidate| candidate.is_file());
    if found.is_none() {
        println!("left out: there is no {program} on this machine");
    }
    found
}

/// A directory that a daemon without privileges can use.
fn directory() -> (TempDir, PathBuf) {
    let directory = TempDir::new().unwrap();
    let path = directory.path().to_owned();
    if is_root() {
        chown(&path, Some(NOBODY), Some(NOBODY)).unwrap();
    }
    (directory, path)
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

/// A port that was free a moment ago: daemons cannot tell which one they chose.
fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap()
}

fn start(
    name: &'static str,
    mut command: Command,
    address: SocketAddr,
    directory: TempDir,
) -> Daemon {
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    let child = command.stdin(Stdio::null()).spawn().unwrap();
    let mut daemon = Daemon {
        name,
        address,
        child,
        _directory: Some(directory),
    };
    // Varnish compiles its configuration first.
    for _ in 0..600 {
        if let Some(status) = daemon.child.try_wait().unwrap() {
            panic!("{name} ended with {status}");
        }
        if TcpStream::connect(address).is_ok() {
            return daemon;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("{name} does not listen on {address}");
}
