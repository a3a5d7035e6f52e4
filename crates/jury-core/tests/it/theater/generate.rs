//! Random runs: transcripts with everything that agents do, cut anywhere, and the world around them.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// One thing that happens to a run.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// The agent says something.
    Say(Vec<u8>),
    /// Time passes.
    Wait(u64),
    /// A line of a script for the stage.
    Line(&'static str),
}

/// A run from its start on. Some end early, most by the end of the agent's output.
pub(crate) fn run() -> impl Strategy<Value = Vec<Step>> {
    let transcript = vec(attempt(), 1..3).prop_map(|attempts| attempts.concat());
    (transcript, vec(any::<prop::sample::Index>(), 0..12), vec((any::<prop::sample::Index>(), world()), 0..3))
        .prop_map(|(transcript, cuts, world)| {
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(transcript.len() + 1)).collect();
            cuts.extend([0, transcript.len()]);
            cuts.sort_unstable();
            let mut steps: Vec<Step> = cuts
                .windows(2)
                .map(|cut| Step::Say(transcript.as_bytes()[cut[0]..cut[1]].to_vec()))
                .collect();
            for (place, step) in world {
                let place = place.index(steps.len() + 1);
                steps.splice(place..place, step);
            }
            steps
        })
}

/// What happens beside what the agent says.
fn world() -> impl Strategy<Value = Vec<Step>> {
    prop_oneof![
        2 => (0_u64..120_000).prop_map(|wait| vec![Step::Wait(wait)]),
        4 => (0_u64..300_000).prop_map(|wait| vec![Step::Wait(wait), Step::Line("deadline")]),
        6 => select(vec![
            "start", "interrupt", "exit 0", "exit 1", "killed 9", "gone", "unstarted", "broken", "linted",
            "linted todo", "legacy <p>made</p>", "legacy -", "failed", "note", "fault oversize_block", "fault malformed_block", "fault adapter_unsupported",
        ]).prop_map(|line| vec![Step::Line(line)]),
    ]
}

/// An answer, whole or not. Two of them in a row are a restart, or a second run.
fn attempt() -> impl Strategy<Value = String> {
    let opening = select(vec![
        r#"<CRITIQUE_RUN version="1" maxRounds="3" threshold="8.0" scale="10">"#,
        r#"<CRITIQUE_RUN version="1">"#,
        r#"Sure! <CRITIQUE_RUN version="1" maxRounds="9" threshold="1" scale="100">"#,
    ]);
    let ships = prop_oneof![
        1 => Just(String::new()),
        4 => (1_u32..4, body(), noise()).prop_map(|(round, body, noise)| {
            format!("<SHIP round=\"{round}\" composite=\"8.6\">{body}<SUMMARY>done</SUMMARY></SHIP>{noise}")
        }),
    ];
    let ending =
        prop_oneof![6 => Just("</CRITIQUE_RUN>"), 1 => Just(""), 1 => Just("<PANELIST role=\"critic\">")];
    (opening, vec(round(), 0..5), ships, ending).prop_map(|(opening, rounds, ship, ending)| {
        let rounds: String = rounds
            .iter()
            .zip(1..)
            .map(|(round, number)| round.replace("NUMBER", &format!("{number}")))
            .collect();
        format!("{opening}{rounds}{ship}{ending}")
    })
}

fn round() -> impl Strategy<Value = String> {
    let designer = (body(), asked(), 0_usize..400).prop_map(|(body, asked, notes)| {
        format!("<PANELIST role=\"designer\"><NOTES>{}</NOTES>{body}{asked}</PANELIST>", "n".repeat(notes))
    });
    let designer = prop_oneof![12 => designer, 1 => Just(String::new())];
    let good = Just(
        ["critic", "brand", "a11y", "copy"]
            .map(|role| format!("<PANELIST role=\"{role}\" score=\"9\"><NOTES>Seen.</NOTES></PANELIST>"))
            .concat(),
    );
    let some = vec((panelist(), noise()), 0..6)
        .prop_map(|panel| panel.into_iter().map(|(panelist, noise)| panelist + noise).collect::<String>());
    let whole =
        (score(), score(), score(), score(), asked()).prop_map(|(critic, brand, a11y, copy, asked)| {
            format!(
                "<PANELIST role='critic'{critic}>{asked}</PANELIST><PANELIST role='brand'{brand}><NOTES>Seen.</NOTES></PANELIST>\
             <PANELIST role='a11y'{a11y}>{asked}</PANELIST><PANELIST role='copy'{copy}><DIM name='voice' score='8'/></PANELIST>"
            )
        });
    let ending = prop_oneof![
        12 => select(vec!["continue", "ship", "maybe"]).prop_map(|decision| {
            format!("<ROUND_END n=\"NUMBER\" composite=\"8.6\" must_fix=\"0\" decision=\"{decision}\"/></ROUND>")
        }),
        2 => Just("</ROUND>".to_owned()),
        1 => (1_u32..3).prop_map(|round| format!("<SHIP round=\"{round}\"/></ROUND>")),
    ];
    let panel = prop_oneof![2 => good, 1 => some, 3 => whole];
    (designer, panel, ending)
        .prop_map(|(designer, panel, ending)| format!("<ROUND n=\"NUMBER\">{designer}{panel}{ending}"))
}

fn panelist() -> impl Strategy<Value = String> {
    let role = select(vec!["designer", "critic", "Brand", "a11y", "copy", "intern"]);
    (role, score(), asked(), 0_u32..3).prop_map(|(role, score, asked, dims)| {
        let dims = (0..dims)
            .map(|dim| format!("<DIM name=\"d{dim}\" score=\"7{dim}\">so</DIM>"))
            .collect::<Vec<_>>()
            .concat();
        format!("<PANELIST role=\"{role}\"{score}>{dims}{asked}</PANELIST>")
    })
}

fn score() -> impl Strategy<Value = String> {
    prop_oneof![
        12 => (70_u32..=100).prop_map(|tenths| format!(" score=\"{}.{}\"", tenths / 10, tenths % 10)),
        4 => select(vec!["", " score=\"0\"", " score=\"n/a\"", " score=\"50\"", " score=\"-1\"", " score=\"8.05\""])
            .prop_map(str::to_owned),
    ]
}

fn asked() -> impl Strategy<Value = String> {
    let texts = select(vec!["Darken the button to 4.5:1.", "Use the brand blue.", "Say less."]);
    prop_oneof![
        4 => Just("<NOTES>Seen.</NOTES>".to_owned()),
        1 => Just(String::new()),
        1 => vec(texts, 1..3).prop_map(|texts| {
            texts.iter().map(|text| format!("<MUST_FIX>{text}</MUST_FIX>")).collect::<Vec<_>>().concat()
        }),
    ]
}

/// An artifact, most of the time. Equal ones come up again.
fn body() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => (0_u32..4).prop_map(|page| format!("<ARTIFACT mime=\"text/html\"><![CDATA[<p>{page}</PANELIST>]]></ARTIFACT>")),
        1 => Just(String::new()),
        1 => Just("<ARTIFACT><p>one</p></ARTIFACT><ARTIFACT>two</ARTIFACT>".to_owned()),
    ]
}

fn noise() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        8 => Just(""),
        2 => select(vec!["\n", " 3 < 4 ", "<!-- so -->", "<thinking>hm</thinking>", "</DIM>", "\u{1b}[1m"]),
    ]
}
