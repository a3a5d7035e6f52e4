//! The spool between a writer that never waits and a reader that may.

use jury_agents::spool::{Read, spool};

async fn read_all(reader: &mut jury_agents::spool::SpoolReader) -> (Vec<u8>, Read) {
    let mut all = Vec::new();
    loop {
        match reader.read().await.unwrap() {
            Read::Bytes(length) => all.extend_from_slice(reader.bytes(length)),
            end @ (Read::Overflow | Read::Closed) => return (all, end),
        }
    }
}

#[tokio::test]
async fn what_is_written_is_read_whatever_the_pace() {
    let dir = tempfile::tempdir().unwrap();
    let (writer, mut reader) = spool(dir.path(), 1 << 20).unwrap();
    let text: Vec<u8> = (0..200_000_u32).map(|n| u8::try_from(n % 251).unwrap()).collect();
    let expected = text.clone();
    let thread = std::thread::spawn(move || {
        for piece in text.chunks(997) {
            writer.write(piece);
        }
        writer.close();
    });
    let (all, end) = read_all(&mut reader).await;
    thread.join().unwrap();
    assert!(matches!(end, Read::Closed));
    assert!(all == expected);
}

#[tokio::test]
async fn what_does_not_fit_is_said_after_what_did() {
    let dir = tempfile::tempdir().unwrap();
    let (writer, mut reader) = spool(dir.path(), 10).unwrap();
    writer.write(b"12345678");
    writer.write(b"90abc");
    writer.write(b"more");
    writer.close();
    let (all, end) = read_all(&mut reader).await;
    assert_eq!(all, b"1234567890");
    assert!(matches!(end, Read::Overflow));
}

#[tokio::test]
async fn a_spool_leaves_no_file_behind() {
    let dir = tempfile::tempdir().unwrap();
    let (writer, _reader) = spool(dir.path(), 10).unwrap();
    writer.write(b"x");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn a_folder_that_is_not_there_is_an_error() {
    assert!(spool(std::path::Path::new("/nonexistent/folder"), 10).is_err());
}
