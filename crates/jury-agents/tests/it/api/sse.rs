//! Streams of events, cut at every byte.

use jury_agents::api::sse::{SseDecoder, TooLong};

const STREAM: &str = "\u{feff}: a comment\r\nevent: one\r\ndata: {\"a\":\"☃\"}\r\n\r\ndata:no space\ndata:  two\nid: 7\n\n\
                      event: empty\n\nretry: 5\rdata\r\revent: last\ndata: x\n\n\n\ndata: unfinished\n";

fn events(pieces: &[&[u8]]) -> Vec<(String, String)> {
    let mut decoder = SseDecoder::new(1000);
    let mut events = Vec::new();
    for piece in pieces {
        decoder
            .feed(piece, &mut |event| {
                events.push((event.name.to_owned(), String::from_utf8(event.data.to_vec()).unwrap()));
            })
            .unwrap();
    }
    events
}

#[test]
fn events_are_the_same_however_the_stream_is_cut() {
    let bytes = STREAM.as_bytes();
    let whole = events(&[bytes]);
    let expected = [("one", "{\"a\":\"☃\"}"), ("", "no space\n two"), ("", ""), ("last", "x")];
    assert_eq!(whole, expected.map(|(name, data)| (name.to_owned(), data.to_owned())));
    assert_eq!(events(&bytes.chunks(1).collect::<Vec<_>>()), whole);
    for first in 0..=bytes.len() {
        for second in first..=bytes.len() {
            let pieces = [&bytes[..first], &bytes[first..second], &bytes[second..]];
            assert_eq!(events(&pieces), whole, "cut at {first} and {second}");
        }
    }
}

#[test]
fn an_event_without_end_is_refused() {
    let mut decoder = SseDecoder::new(100);
    let fed: Vec<_> = (0..30).map(|_| decoder.feed(b"data: x\n", &mut |_| {})).collect();
    assert_eq!(fed.first(), Some(&Ok(())));
    let mut decoder = SseDecoder::new(100);
    assert_eq!(decoder.feed(&[b'x'; 101], &mut |_| {}), Err(TooLong(100)));
    let mut decoder = SseDecoder::new(100);
    let long = "data: xxxxxxxxxxxxxxxx\n".repeat(7);
    assert_eq!(decoder.feed(long.as_bytes(), &mut |_| {}), Err(TooLong(100)));
}
