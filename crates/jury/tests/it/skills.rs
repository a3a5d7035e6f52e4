//! `--skill`: what a skill says reaches the agent, and its name leads nowhere else.

use crate::harness::{Context, GOOD_PAGE, repository};

/// An agent that keeps what it is asked, and says nothing.
fn listener(cx: &Context) {
    let script = format!("cat > {}", cx.path("asked").display());
    cx.write("jury.toml", format!("[agents.mine]\ncommand = [\"sh\", \"-c\", \"{script}\"]\n"));
}

fn skill(cx: &Context, name: &str, text: &str) {
    std::fs::create_dir_all(cx.path("skills").join(name)).unwrap();
    cx.write(&format!("skills/{name}/SKILL.md"), text);
}

#[test]
fn a_skill_is_told_to_the_agent_before_the_data() {
    let cx = Context::new();
    listener(&cx);
    cx.write("page.html", GOOD_PAGE);
    skill(&cx, "poster", "---\nname: poster\nod:\n  critique:\n    policy: always\n---\nOne big picture.\n");
    cx.show(cx.jury().args(["run", "page.html", "--agent", "mine", "--skill", "poster"]));
    let asked = std::fs::read_to_string(cx.path("asked")).unwrap();
    let places =
        ["<SKILL>\nOne big picture.\n</SKILL>", "<PAGE>", "# The jury"].map(|part| asked.find(part).unwrap());
    assert!(places.is_sorted());
    assert!(!asked.contains("policy: always"), "the front matter is not a part of the prompt");
}

#[test]
fn a_skill_that_opts_out_is_reviewed_by_hand_all_the_same() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    skill(&cx, "export", "---\nod:\n  critique:\n    policy: off\n---\n");
    let shown = cx.show(cx.jury().args(["run", "page.html", "--skill", "export"]));
    assert!(shown.starts_with("exit: 0"), "{shown}");
    let note =
        "note: the skill export opts out of the panel; a run that is asked for by hand has one all the same";
    assert_eq!(shown.matches(note).count(), 1, "{shown}");
}

#[test]
fn skills_that_are_not_there_or_cannot_be_read() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    cx.write("SKILL.md", "not in the folder of skills");
    skill(&cx, "wrong", "---\nod:\n  critique:\n    policy: maybe\n---\n");
    for (name, message) in [
        (
            "nothing",
            "error: --skill: there is no skill 'nothing'; one of your own is a file skills/nothing/SKILL.md, and jury brings \
             along dashboard, ",
        ),
        ("..", "error: --skill: '..' is not a name"),
        ("../skills/wrong", "error: --skill: '../skills/wrong' is not a name"),
        ("", "error: --skill: '' is not a name"),
        (
            "wrong",
            "error: --skill: skills/wrong/SKILL.md line 4: od.critique.policy 'maybe' is none of required (always), \
             opt-in (on-demand), opt-out (off)",
        ),
    ] {
        let shown = cx.show(cx.jury().args(["run", "page.html", "--skill", name]));
        assert!(shown.starts_with("exit: 2"), "{shown}");
        assert!(shown.contains(message), "{shown}");
        assert!(!cx.path(".od").exists(), "nothing was begun");
    }
}

#[test]
fn doctor_says_whether_a_server_would_let_the_panel_sit() {
    let cx = Context::new();
    let line = |cx: &Context, phase: &str, enabled: Option<&str>| {
        let mut doctor = cx.jury();
        doctor.arg("doctor").env("OD_CRITIQUE_ROLLOUT_PHASE", phase);
        if let Some(enabled) = enabled {
            doctor.env("OD_CRITIQUE_ENABLED", enabled);
        }
        let shown = cx.show(&mut doctor);
        shown.lines().find(|line| line.contains("  panel ")).unwrap().to_owned()
    };
    assert!(line(&cx, "M0", None).ends_with("the rollout is at M0: off by default"));
    assert!(line(&cx, "M3", None).ends_with("the rollout is at M3: on by default"));
    assert!(line(&cx, "M3", Some("false")).ends_with("OD_CRITIQUE_ENABLED is set to false"));
    // The file says it too; a variable beats it.
    cx.write("jury.toml", "[critique]\nenabled = true\n");
    assert!(line(&cx, "M0", None).ends_with("OD_CRITIQUE_ENABLED is set to true"));
    assert!(line(&cx, "M0", Some("0")).ends_with("OD_CRITIQUE_ENABLED is set to false"));
}

#[test]
fn a_skill_that_jury_brings_along_is_told_and_one_of_the_folder_replaces_it() {
    let cx = Context::new();
    cx.example("landing.html");
    listener(&cx);
    let asked = || {
        cx.show(cx.jury().args(["run", "landing.html", "--agent", "mine", "--skill", "saas-landing"]));
        std::fs::read_to_string(cx.path("asked")).unwrap()
    };
    let shipped = std::fs::read_to_string(repository().join("skills/saas-landing/SKILL.md")).unwrap();
    let last = shipped.trim_end().lines().last().unwrap();
    assert!(asked().contains(last), "{last}");
    skill(&cx, "saas-landing", "Mine.");
    let asked = asked();
    assert!(asked.contains("<SKILL>\nMine.\n</SKILL>") && !asked.contains(last));
}

/// What a skill asks for is something that the panel lets through.
#[test]
fn the_example_of_every_skill_ships() {
    let cx = Context::new();
    for entry in std::fs::read_dir(repository().join("skills")).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        assert!(folder.join("brief.txt").is_file(), "{name}");
        let page = folder.join("example.html");
        let shown = cx.show(cx.jury().arg("run").arg(&page).args(["--skill", &name]));
        assert!(shown.starts_with("exit: 0"), "{name}: {shown}");
    }
}
