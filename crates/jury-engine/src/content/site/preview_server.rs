//! Shows what is current of a site on this machine, for as long as it is looked at: where no daemon serves it, what was
//! published can still be fetched and compared.

use std::io;
use std::path::PathBuf;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

use super::{SiteError, disk};

/// The longest head of a request.
const LONGEST_HEAD_BYTES: u64 = 8 * 1024;

/// A site on a port of this machine.
#[derive(Debug)]
pub(super) struct PreviewServer {
    listener: TcpListener,
    folder: PathBuf,
    path: String,
    address: String,
}

impl PreviewServer {
    /// A window onto this folder, under this path.
    pub(super) async fn open(folder: PathBuf, path: &str) -> Result<Self, SiteError> {
        let failed = disk::failed(&folder);
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.map_err(&failed)?;
        let address = format!("http://{}{path}", listener.local_addr().map_err(&failed)?);
        Ok(Self { listener, folder, path: path.to_owned(), address })
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Shows it, one reader after the other, until nobody waits for this any more.
    pub(super) async fn show(&self) -> SiteError {
        loop {
            match self.listener.accept().await {
                // Who breaks off gets nothing; the next one is served.
                Ok((stream, _)) => drop(self.answer(stream).await),
                Err(error) => return disk::failed(&self.folder)(error),
            }
        }
    }

    async fn answer(&self, mut stream: TcpStream) -> io::Result<()> {
        let (reader, mut writer) = stream.split();
        let mut lines = BufReader::new(reader.take(LONGEST_HEAD_BYTES)).lines();
        let first = lines.next_line().await?.unwrap_or_default();
        while lines.next_line().await?.is_some_and(|line| !line.is_empty()) {}
        let body = match self.file(&first) {
            Some(path) => tokio::fs::read(path).await.ok(),
            None => None,
        };
        let status = if body.is_some() { "200 OK" } else { "404 Not Found" };
        let body = body.unwrap_or_default();
        let head =
            format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
        writer.write_all(head.as_bytes()).await?;
        writer.write_all(&body).await?;
        writer.shutdown().await
    }

    /// The file that a request is for; none when its address is not made of plain names.
    fn file(&self, first: &str) -> Option<PathBuf> {
        let path = first.strip_prefix("GET ")?.split(' ').next()?.strip_prefix(&self.path)?;
        let path = if path.is_empty() || path.ends_with('/') {
            format!("{path}index.html")
        } else {
            path.to_owned()
        };
        let plain = |part: &str| {
            !part.is_empty()
                && !part.starts_with('.')
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'))
        };
        path.split('/').all(plain).then(|| self.folder.join(path))
    }
}
