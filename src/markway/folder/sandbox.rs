//! The file system as the file service may see it: nothing outside the root, nothing hidden.

use cap_std::fs::Dir;
use std::future::Future;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::SystemTime;
use tokio::io::{AsyncRead, AsyncSeek, ReadBuf};
use tower_http::services::fs::{Backend, File, Metadata};

/// The root of a folder, through which all of it is read.
///
/// Every path is resolved by the operating system relative to the open directory and never leaves
/// it, by `..` or by symbolic links, also not while somebody moves directories around.
#[derive(Debug, Clone)]
pub(super) struct Sandbox {
    root: Arc<Dir>,
}

impl Sandbox {
    pub(super) fn open(root: &Path) -> io::Result<Self> {
        let root = Dir::open_ambient_dir(root, cap_std::ambient_authority())?;
        Ok(Self {
            root: Arc::new(root),
        })
    }

    /// The directory at `path`, which blocks.
    pub(super) fn directory(&self, path: &Path) -> io::Result<Dir> {
        let path = visible(path)?;
        self.root.open_dir(path).map_err(outside_is_nowhere)
    }

    fn file(&self, path: &Path) -> io::Result<cap_std::fs::File> {
        open_file(&self.root, visible(path)?)
    }

    fn describe(&self, path: &Path) -> io::Result<Description> {
        let metadata = self
            .root
            .metadata(visible(path)?)
            .map_err(outside_is_nowhere)?;
        Ok(Description::of(&metadata))
    }
}

/// Opens a regular file below `directory`. To open a pipe or a device could block for ever.
pub(super) fn open_file(directory: &Dir, path: &Path) -> io::Result<cap_std::fs::File> {
    if !directory
        .metadata(path)
        .map_err(outside_is_nowhere)?
        .is_file()
    {
        return Err(io::ErrorKind::NotFound.into());
    }
    directory.open(path).map_err(outside_is_nowhere)
}

/// `path` if none of its parts is hidden.
fn visible(path: &Path) -> io::Result<&Path> {
    let hidden = path.components().any(|component| match component {
        Component::Normal(name) => is_hidden(name.as_encoded_bytes()),
        // The file service puts one before every path.
        Component::CurDir => false,
        Component::ParentDir | Component::RootDir | Component::Prefix(_) => true,
    });
    match (hidden, path.as_os_str().is_empty()) {
        (true, _) => Err(io::ErrorKind::NotFound.into()),
        (false, true) => Ok(Path::new(".")),
        (false, false) => Ok(path),
    }
}

pub(super) fn is_hidden(name: &[u8]) -> bool {
    name.starts_with(b".")
}

/// What leads out of the root does not exist for us. Only a refusal of the operating system itself
/// is one, and that has its number.
fn outside_is_nowhere(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::PermissionDenied if error.raw_os_error().is_none() => {
            io::ErrorKind::NotFound.into()
        }
        _ => error,
    }
}

type Boxed<'a, T> = Pin<Box<dyn Future<Output = io::Result<T>> + Send + 'a>>;

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(io::Error::other)?
}

impl Backend for Sandbox {
    type File = OpenFile;
    type Metadata = Description;
    type OpenFuture = Boxed<'static, OpenFile>;
    type MetadataFuture = Boxed<'static, Description>;

    fn open(&self, path: PathBuf) -> Self::OpenFuture {
        let sandbox = self.clone();
        Box::pin(blocking(move || {
            let file = sandbox.file(&path)?;
            let description = Description::of(&file.metadata()?);
            Ok(OpenFile {
                file: tokio::fs::File::from_std(file.into_std()),
                description,
            })
        }))
    }

    fn metadata(&self, path: PathBuf) -> Self::MetadataFuture {
        let sandbox = self.clone();
        Box::pin(blocking(move || sandbox.describe(&path)))
    }
}

/// A file and what was known about it when it was opened.
#[derive(Debug)]
pub(super) struct OpenFile {
    file: tokio::fs::File,
    description: Description,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Description {
    is_dir: bool,
    length: u64,
    modified: Option<SystemTime>,
}

impl Description {
    fn of(metadata: &cap_std::fs::Metadata) -> Self {
        let modified = metadata
            .modified()
            .ok()
            .map(cap_std::time::SystemTime::into_std);
        Self {
            is_dir: metadata.is_dir(),
            length: metadata.len(),
            modified,
        }
    }
}

impl Metadata for Description {
    fn is_dir(&self) -> bool {
        self.is_dir
    }

    fn modified(&self) -> io::Result<SystemTime> {
        self.modified
            .ok_or_else(|| io::ErrorKind::Unsupported.into())
    }

    fn len(&self) -> u64 {
        self.length
    }
}

impl File for OpenFile {
    type Metadata = Description;
    type MetadataFuture<'a> = std::future::Ready<io::Result<Description>>;

    fn metadata(&self) -> Self::MetadataFuture<'_> {
        std::future::ready(Ok(self.description))
    }
}

impl AsyncRead for OpenFile {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.file).poll_read(cx, buf)
    }
}

impl AsyncSeek for OpenFile {
    fn start_seek(mut self: Pin<&mut Self>, position: io::SeekFrom) -> io::Result<()> {
        Pin::new(&mut self.file).start_seek(position)
    }

    fn poll_complete(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<u64>> {
        Pin::new(&mut self.file).poll_complete(cx)
    }
}
