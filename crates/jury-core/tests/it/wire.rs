//! Lines as they stand in logs and transcripts, of events and fields that the runs of other tests do not write down.

use jury_core::record::Record;
use serde_json::Value;

/// What stands before the event in every line.
const HEAD: &str = r#"{"seq":7,"at":42,"runId":"0198c0de-0000-7000-8000-000000000002","#;

const LINES: &[&str] = &[
    r#""event":"critic.agent","kind":"retry","status":429,"detail":"asked too often"}"#,
    r#""event":"critic.verdict","pass":1,"criterion":"LINKS","verdict":"FAIL","basis":"measured","answer":"2 of 9 are dead","overruled":"PASS"}"#,
    r#""event":"critic.fixed","pass":1,"document":{"sha256":"88f8e72647fda6eedd96d8678131dd1b6320185127612942a7c7e184c516f626","bytes":8,"mime":"text/markdown"},"applied":["LINKS"],"summary":"Two links lead somewhere again."}"#,
    r#""event":"critic.fix_failed","pass":1,"attempt":2,"detail":"exit 3","retried":false}"#,
    r#""event":"critic.answered","question":1,"answer":{"option":2},"by":"mara"}"#,
    r#""event":"critic.stopped","passes":2,"fixes":1,"escalations":0,"open":1,"reason":"fix_failed","detail":"the fix failed again"}"#,
    r#""event":"judge.agent","kind":"error","detail":"the service is not there"}"#,
    r#""event":"judge.seat_judged","seat":1,"dimensions":{"correctness":0.8,"scope_adherence":0.9,"code_quality":0.7,"completeness":0.8},"verdict":"pass","issues":[],"summary":"It does what was asked.","confidence":"high","cost":{"input_tokens":900,"output_tokens":80,"duration_ms":1200},"claimed":{"correctness":0.9,"scope_adherence":0.9,"code_quality":0.7,"completeness":0.8}}"#,
    r#""event":"judge.settled","answer":{"option":1},"verdict":"partial","by":"mara"}"#,
    r#""event":"judge.redispatch","bead":"bd-7","reason":"the score is 0.31"}"#,
    r#""event":"judge.interrupted","recoveryReason":"daemon_restart"}"#,
    r#""event":"content.pushed","commit":"a94a8fe5","changed":3,"remote":"origin"}"#,
    r#""event":"content.deployed","site":"bakery","release":"r2","url":"http://127.0.0.1:4000/","previous":"r1"}"#,
];

#[test]
fn a_line_of_a_log_is_read_and_written_back_as_it_was() {
    for line in LINES {
        let line = format!("{HEAD}{line}");
        let record = Record::from_line(&line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let written: Value = serde_json::from_str(&record.to_line().unwrap()).unwrap();
        assert_eq!(written, serde_json::from_str::<Value>(&line).unwrap(), "{line}");
    }
}
