//! The settings of the judge: what is given is taken, what cannot be used is named.

use jury_core::judge::settings::{JudgeCall, JudgeMode, JudgeSettings, VARIABLES};
use jury_core::settings::{Layer, SettingSource};
use jury_core::unit::Millis;

fn layer(source: SettingSource, pairs: &[(&'static str, &str)]) -> Layer {
    Layer { source, values: pairs.iter().map(|(name, value)| (*name, (*value).to_owned())).collect() }
}

fn given(pairs: &[(&'static str, &str)]) -> JudgeSettings {
    JudgeSettings::resolve(&[layer(SettingSource::Environment, pairs)]).unwrap()
}

#[test]
fn nothing_given_is_what_the_seed_says() {
    let settings = given(&[]);
    assert_eq!(settings, JudgeSettings::default());
    assert!(!settings.enabled && settings.history && !settings.force);
    assert_eq!((settings.model(), settings.mode), ("opus", None));
    assert!((settings.sample_rate - 1.0).abs() < f64::EPSILON, "every completed run");
    assert_eq!((settings.allowance.per_hour, settings.allowance.dollars_per_day), (20, None));
    assert_eq!(
        (settings.timeout, settings.max_diff_lines, settings.diff_tokens),
        (Millis(60_000), 1200, 8000)
    );
    // An empty variable is how a script unsets one.
    let empty: Vec<(&'static str, &str)> = VARIABLES.iter().map(|variable| (variable.name, " ")).collect();
    assert_eq!(given(&empty), settings);
}

#[test]
fn every_variable_takes_its_default_and_refuses_nonsense() {
    for variable in VARIABLES {
        let mut settings = JudgeSettings::default();
        if !variable.default.is_empty() {
            assert_eq!((variable.apply)(&mut settings, variable.default), Ok(()), "{}", variable.name);
            assert_eq!(settings, JudgeSettings::default(), "{}", variable.name);
        }
        let long = "x".repeat(5000);
        assert_eq!((variable.apply)(&mut settings, &long), Err(()), "{}", variable.name);
        let is_text = [
            "JUDGE_MODEL",
            "JUDGE_COMMAND",
            "JUDGE_SCRIPT",
            "JUDGE_AGENT",
            "JUDGE_REPO_ROOT",
            "JUDGE_PASS_ENV",
        ]
        .contains(&variable.name);
        for nonsense in ["nonsense!", "-1", "NaN", "inf", "1e999", "99999999999999999999", "0x10", "1,5"] {
            let refused = (variable.apply)(&mut settings, nonsense).is_err();
            assert!(refused || is_text, "{}={nonsense}", variable.name);
        }
    }
}

#[test]
fn what_cannot_be_used_is_named_on_one_line() {
    let refused = |source, name, value: &str| {
        JudgeSettings::resolve(&[layer(source, &[(name, value)])]).unwrap_err().to_string()
    };
    assert_eq!(
        refused(SettingSource::Environment, "JUDGE_SAMPLE_RATE", "2"),
        "JUDGE_SAMPLE_RATE is '2': it must be a number from 0 to 1"
    );
    assert_eq!(
        refused(SettingSource::Flag, "JUDGE_REPEATS", "0"),
        "--repeat is '0': it must be a whole number from 1 to 9"
    );
    assert_eq!(
        refused(SettingSource::File, "JUDGE_MODE", "opus"),
        "judge.mode in jury.toml is 'opus': it must be heuristic, command or model"
    );
    let long = refused(SettingSource::Environment, "JUDGE_ENABLED", &"y\n".repeat(500));
    assert!(!long.contains('\n') && long.len() < 200, "{long}");
}

#[test]
fn flags_beat_variables_beat_the_file() {
    let layers = [
        layer(SettingSource::Flag, &[("JUDGE_AGENT", "a, b"), ("JUDGE_MODE", "")]),
        layer(
            SettingSource::Environment,
            &[("JUDGE_AGENT", "c"), ("JUDGE_MODE", "command"), ("JUDGE_ENABLED", "1")],
        ),
        layer(SettingSource::File, &[("JUDGE_MODE", "heuristic"), ("JUDGE_DAILY_BUDGET", "2.5")]),
    ];
    let settings = JudgeSettings::resolve(&layers).unwrap();
    let agents: Vec<&str> = settings.agents.iter().map(jury_core::id::AgentId::as_str).collect();
    assert_eq!((agents, settings.mode, settings.enabled), (vec!["a", "b"], Some(JudgeMode::Command), true));
    assert_eq!(settings.allowance.dollars_per_day, Some(2.5));
    let bad = JudgeSettings::resolve(&[layer(SettingSource::Flag, &[("JUDGE_AGENT", "a,,b")])]);
    assert!(bad.is_err());
}

#[test]
fn who_judges_when_nobody_says() {
    let plain = |pairs: &[(&'static str, &str)]| given(pairs).mode_of(JudgeCall::Plain);
    assert_eq!(plain(&[]), JudgeMode::Heuristic);
    assert_eq!(plain(&[("JUDGE_AGENT", "claude")]), JudgeMode::Model);
    assert_eq!(plain(&[("JUDGE_MODEL", "sonnet")]), JudgeMode::Model, "who names a model wants it asked");
    assert_eq!(plain(&[("JUDGE_MODEL", "sonnet"), ("JUDGE_MODE", "heuristic")]), JudgeMode::Heuristic);
}

#[test]
fn what_the_call_names_beats_the_mode_that_was_set_beforehand() {
    let heuristic = given(&[("JUDGE_MODE", "heuristic")]);
    for (mode, model, agents, expected) in [
        (None, None, &[][..], JudgeMode::Heuristic),
        (None, Some("sonnet"), &[][..], JudgeMode::Model),
        (None, None, &["claude"][..], JudgeMode::Model),
        (Some("heuristic"), Some("sonnet"), &["claude"][..], JudgeMode::Heuristic),
    ] {
        assert_eq!(heuristic.mode_of(JudgeCall::with(mode, model, agents)), expected, "{mode:?} {model:?}");
    }
}
