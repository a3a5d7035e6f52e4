//! As much of XML as the files of a site have: elements that close, five entities, no declarations of one's own.

/// The texts of all elements of a name, when the whole is well formed.
pub(super) fn texts(xml: &str, wanted: &str) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let mut open: Vec<(&str, String)> = Vec::new();
    let mut rest =
        xml.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>")).map_or(xml, |(_, rest)| rest);
    let mut roots = 0;
    while let Some(at) = rest.find('<') {
        let (text, tag) = rest.split_at(at);
        match open.last_mut() {
            Some((_, so_far)) => so_far.push_str(&decoded(text)?),
            None if text.trim().is_empty() => {}
            None => return Err("text outside of the root element".to_owned()),
        }
        let (tag, after) = tag
            .get(1..)
            .and_then(|tag| tag.split_once('>'))
            .ok_or_else(|| "a tag that does not end".to_owned())?;
        rest = after;
        if tag.contains('<') || tag.starts_with(['!', '?']) {
            return Err(format!("not understood: <{}>", super::some(tag)));
        }
        if let Some(name) = tag.strip_prefix('/') {
            let (begun, text) =
                open.pop().ok_or_else(|| format!("</{}> without a beginning", super::some(name)))?;
            if begun != name.trim() {
                return Err(format!("<{begun}> ends as </{}>", super::some(name)));
            }
            if begun == wanted {
                found.push(text);
            }
            continue;
        }
        let name = tag.split([' ', '\n', '/']).next().unwrap_or_default();
        if name.is_empty() {
            return Err("a tag without a name".to_owned());
        }
        roots += usize::from(open.is_empty());
        decoded(tag)?;
        if !tag.ends_with('/') {
            open.push((name, String::new()));
        }
    }
    if let Some((name, _)) = open.last() {
        return Err(format!("<{}> does not end", super::some(name)));
    }
    if roots != 1 || !rest.trim().is_empty() {
        return Err("there is not one root element".to_owned());
    }
    Ok(found)
}

fn decoded(text: &str) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let (entity, after) = after.split_once(';').ok_or_else(|| "an & that begins no entity".to_owned())?;
        out.push(match entity {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" | "#39" => '\'',
            _ => return Err(format!("an unknown entity: &{};", super::some(entity))),
        });
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn well_formed_files_give_their_texts() {
        let xml = "<?xml version=\"1.0\"?>\n<a x=\"&lt;\"><loc>1 &amp; 2</loc><b/><loc>3</loc></a>\n";
        assert_eq!(texts(xml, "loc"), Ok(vec!["1 & 2".to_owned(), "3".to_owned()]));
    }

    #[test]
    fn others_say_what_is_wrong() {
        for bad in [
            "",
            "<a>",
            "<a></b>",
            "</a>",
            "<a/><b/>",
            "<a>&nbsp;</a>",
            "<a>x & y</a>",
            "x<a/>",
            "<!DOCTYPE a><a/>",
        ] {
            assert!(texts(bad, "loc").is_err(), "{bad}");
        }
    }
}
