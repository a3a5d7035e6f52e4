//! Answering what a page asks for while it is laid out: what it carries in itself, and what lies beside it. There is
//! no network and no disk here, so nothing else can be had.

use std::sync::{Arc, Mutex, PoisonError};

use blitz_dom::BaseDocument;
use blitz_dom::net::{Resource, ResourceLoadResponse};
use blitz_dom::util::ImageType;
use blitz_traits::net::{Bytes, NetHandler, NetProvider, Request, Url};

use crate::base64;
use crate::carried;
use crate::pictures::Pictures;
use crate::prepare;
use crate::references::{Addresses, Media, css_without_broken_imports, percent_decoded};

/// How many answers a page gets, and how many bytes in all. A page that asks for more is laid out without it.
const MOST_ANSWERS: usize = 500;
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// Marks the address of a style sheet whose media have been seen to.
const WITHOUT_MEDIA: &str = "without-media";

/// Gives a document what it may have.
pub(crate) struct Resources {
    addresses: Addresses,
    /// The addresses of the page that hold pictures too long to leave them in place.
    carried: Vec<String>,
    given: Mutex<Given>,
}

#[derive(Default)]
struct Given {
    answers: usize,
    bytes: usize,
    /// Pictures that were asked for and have no place yet.
    asked: Vec<(String, Vec<u8>)>,
}

impl Resources {
    pub(crate) fn new(addresses: Addresses, carried: Vec<String>) -> Arc<Self> {
        Arc::new(Self { addresses, carried, given: Mutex::default() })
    }

    /// Gives pictures their natural size. Their colours are for those who look at them.
    pub(crate) fn place_pictures(&self, document: &mut BaseDocument, pictures: &mut Pictures) {
        let asked = std::mem::take(&mut self.given().asked);
        for (url, file) in asked {
            let Some((width, height, room)) = pictures.add(file) else { continue };
            document.load_resource(ResourceLoadResponse {
                request_id: usize::MAX,
                node_id: None,
                resolved_url: Some(url),
                result: Ok(Resource::Image(ImageType::Image, width, height, room)),
            });
        }
    }

    /// The address of the page itself.
    pub(crate) fn base(&self) -> &str {
        self.addresses.base()
    }

    fn given(&self) -> std::sync::MutexGuard<'_, Given> {
        self.given.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What lies at an address, if the page may still have it.
    fn answer(&self, url: &Url) -> Option<Vec<u8>> {
        let bytes = if url.scheme() == "data" {
            data(carried::whole(&self.carried, url.as_str()))?
        } else {
            self.addresses.file(url)?.to_vec()
        };
        let mut given = self.given();
        given.answers += 1;
        given.bytes = given.bytes.saturating_add(bytes.len());
        (given.answers <= MOST_ANSWERS && given.bytes <= MOST_BYTES).then_some(bytes)
    }
}

impl NetProvider for Resources {
    fn fetch(&self, _document: usize, request: Request, handler: Box<dyn NetHandler>) {
        let url = request.url;
        // The engine waits for style sheets: each must be answered, with nothing if need be.
        let Some(bytes) = self.answer(&url) else {
            handler.bytes(url.into(), Bytes::new());
            return;
        };
        if Pictures::is_one(&bytes) {
            let mut given = self.given();
            if !given.asked.iter().any(|(asked, _)| asked == url.as_str()) {
                given.asked.push((url.into(), bytes));
            }
            return;
        }
        let answer = match self.addresses.media(&url) {
            Media::Nothing => Vec::new(),
            Media::Only(media) if url.query() != Some(WITHOUT_MEDIA) && media != "all" => {
                let mut inner = url.clone();
                inner.set_query(Some(WITHOUT_MEDIA));
                format!("@import url(\"{inner}\") {media};").into_bytes()
            }
            Media::All | Media::Only(_) => match String::from_utf8(bytes) {
                Ok(text) => {
                    let text = prepare::keep_text_fill(&prepare::style_sheet(&text));
                    css_without_broken_imports(text).into_bytes()
                }
                Err(error) => error.into_bytes(),
            },
        };
        handler.bytes(url.into(), Bytes::from(answer));
    }
}

/// What an address that holds its own content holds.
fn data(address: &str) -> Option<Vec<u8>> {
    let (head, body) = address.strip_prefix("data:")?.split_once(',')?;
    let body = percent_decoded(body.split('#').next().unwrap_or_default());
    if head.trim_end().to_ascii_lowercase().ends_with(";base64") { base64::decode(&body) } else { Some(body) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_addresses_hold_their_content() {
        assert_eq!(data("data:text/css,p%7Bcolor:red%7D").as_deref(), Some(&b"p{color:red}"[..]));
        assert_eq!(data("data:text/plain;base64,SGVsbG8=").as_deref(), Some(&b"Hello"[..]));
        assert_eq!(data("data:;base64,SGVsbG8").as_deref(), Some(&b"Hello"[..]));
        assert_eq!(data("data:;base64,!"), None);
        assert_eq!(data("https://x.test/"), None);
    }
}
