//! What a page carries in its own addresses. Layout is not made for addresses of megabytes, so the long ones are cut,
//! and pictures are kept aside.

/// Pictures longer than this are kept aside; the page keeps their beginning, and a number to find them by.
const LONGEST_PICTURE: usize = 1024;
const BEGINNING: usize = 128;

/// Bytes of any other content, beyond which it is dropped. Half a font is none.
const LONGEST_BYTES: usize = 32 * 1024;

/// Style sheets are read whole, up to here.
const LONGEST_STYLE: usize = 64 * 1024;

/// Stands before the number of a picture, where an address has a fragment.
const NUMBER: &str = "#jury-picture-";

/// A page without its long addresses.
pub(crate) struct Carried {
    pub(crate) page: String,
    /// The whole addresses of the pictures that were cut, by their numbers.
    pub(crate) pictures: Vec<String>,
}

/// Cuts content that stands in addresses down to what is of use.
pub(crate) fn cut(html: &str) -> Carried {
    let mut page = String::with_capacity(html.len().min(1024 * 1024));
    let mut pictures = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find("data:") {
        let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        page.push_str(before);
        // An address ends at a quote, a bracket or white space; one that has none of them in sight is content.
        let end = after.find(['"', '\'', ')', '>', ' ', '\n']).unwrap_or(after.len());
        let (address, tail) = after.split_at_checked(end).unwrap_or((after, ""));
        let picture = address.starts_with("data:image/");
        let longest = match () {
            () if picture => LONGEST_PICTURE,
            () if address.starts_with("data:text/css") => LONGEST_STYLE,
            () => LONGEST_BYTES,
        };
        if address.len() <= longest {
            page.push_str(address);
        } else if let Some((beginning, _)) = address.split_at_checked(BEGINNING).filter(|_| picture) {
            page.push_str(beginning);
            page.push_str(NUMBER);
            page.push_str(&pictures.len().to_string());
            pictures.push(address.to_owned());
        } else {
            page.push_str("data:,");
        }
        rest = tail;
    }
    page.push_str(rest);
    Carried { page, pictures }
}

/// The whole of an address, if it is one that was cut.
pub(crate) fn whole<'a>(pictures: &'a [String], address: &'a str) -> &'a str {
    let found = address.rsplit_once(NUMBER).and_then(|(beginning, number)| {
        let whole = pictures.get(number.parse::<usize>().ok()?)?;
        whole.starts_with(beginning).then_some(whole)
    });
    found.map_or(address, String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_that_was_cut_is_found_again() {
        let long = format!("data:image/png;base64,{}", "A".repeat(5_000));
        let Carried { page, pictures } = cut(&format!("<img src='{long}'><img src='data:image/gif,x'>"));
        let address = page.split('\'').nth(1).expect("the first picture has an address");
        assert!(address.len() < 200, "{address}");
        assert_eq!(whole(&pictures, address), long);
        assert!(page.ends_with("<img src='data:image/gif,x'>"));
        for other in ["data:image/png,x#jury-picture-0", "data:image/gif,x#jury-picture-7", "x.png"] {
            assert_eq!(whole(&pictures, other), other);
        }
    }
}
