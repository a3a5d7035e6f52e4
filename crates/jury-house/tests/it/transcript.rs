//! Reading a transcript back, just well enough for tests.

use jury_house::{Request, sit};

/// One round of a transcript.
#[derive(Debug, Clone, Default)]
pub(crate) struct Round {
    pub(crate) text: String,
    pub(crate) artifact: String,
    pub(crate) must_fix: Vec<String>,
    pub(crate) composite: f64,
    pub(crate) decision: String,
}

/// The transcript of a page with the usual settings.
pub(crate) fn transcript(page: &str) -> String {
    transcript_of(&Request { page: page.to_owned(), ..Request::default() })
}

/// The transcript of a request.
pub(crate) fn transcript_of(request: &Request) -> String {
    let mut out = Vec::new();
    sit(request, &mut out).expect("the page can be reviewed");
    String::from_utf8(out).expect("transcripts are text")
}

/// Its rounds.
pub(crate) fn rounds(transcript: &str) -> Vec<Round> {
    transcript
        .split("<ROUND n=")
        .skip(1)
        .map(|text| {
            let text = text.split("<SHIP").next().unwrap_or(text);
            let attribute = |name: &str| {
                text.rsplit_once("<ROUND_END")
                    .and_then(|(_, end)| end.split_once(&format!("{name}=\"")))
                    .and_then(|(_, rest)| rest.split('"').next())
                    .unwrap_or_default()
                    .to_owned()
            };
            Round {
                artifact: text
                    .split_once("<![CDATA[")
                    .and_then(|(_, rest)| rest.split("]]></ARTIFACT>").next())
                    .unwrap_or_default()
                    .replace("]]]]><![CDATA[>", "]]>"),
                must_fix: text
                    .split("<MUST_FIX>")
                    .skip(1)
                    .filter_map(|rest| rest.split("</MUST_FIX>").next())
                    .map(str::to_owned)
                    .collect(),
                composite: attribute("composite").parse().expect("a composite"),
                decision: attribute("decision"),
                text: text.to_owned(),
            }
        })
        .collect()
}

/// The attribute of a panelist's opening tag.
pub(crate) fn panelist(round: &Round, role: &str, attribute: &str) -> Option<String> {
    let (_, rest) = round.text.split_once(&format!("<PANELIST role=\"{role}\""))?;
    let tag = rest.split('>').next()?;
    let (_, value) = tag.split_once(&format!("{attribute}=\""))?;
    value.split('"').next().map(str::to_owned)
}

/// The note of a dimension.
pub(crate) fn note<'a>(round: &'a Round, role: &str, dimension: &str) -> Option<&'a str> {
    let (_, rest) = round.text.split_once(&format!("<PANELIST role=\"{role}\""))?;
    let body = rest.split("</PANELIST>").next()?;
    let (_, rest) = body.split_once(&format!("<DIM name=\"{dimension}\""))?;
    rest.split_once('>')?.1.split("</DIM>").next()
}

/// The score of a dimension.
pub(crate) fn score(round: &Round, role: &str, dimension: &str) -> Option<f64> {
    let (_, rest) = round.text.split_once(&format!("<PANELIST role=\"{role}\""))?;
    let body = rest.split("</PANELIST>").next()?;
    let (_, rest) = body.split_once(&format!("<DIM name=\"{dimension}\" score=\""))?;
    rest.split('"').next()?.parse().ok()
}
