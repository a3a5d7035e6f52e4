//! Which figures of an answer are counts of what was checked, and which are not.

use super::*;

#[test]
fn a_figure_counts_something() {
    for text in [
        "14 of 14 checked",
        "0 found",
        "95 % of them",
        "line coverage (95%)",
        "95% of the steps have an owner",
        "100 % of the 12 links",
        "100% of links resolve",
        "100 % coverage",
        "coverage: 87 %",
        "twenty percent of the steps have no date",
        "4 of 4 steps have an owner",
        "ten out of ten links resolve",
        "10 of 10",
        "12/12 links",
        "links: 12/12",
        "All steps (12/12) have an owner.",
        "top 3 risks have an owner",
        "10 of 10 points have an owner",
        "12 points checked, 0 open",
        "4.5:1",
        "of=7",
        "none of five",
        "zero of five affected",
        "None of the five links is dead.",
        "0 of 12 links",
        "3 of 7 checked",
        "3 out of 7",
        "12/12 checked",
        "all five steps",
        "All 7 requirements have a test.",
        "both sources of 2",
        "zero dead links",
        "checked: 12, affected: 0",
        "links: 12",
        "Checked 12; found 0.",
        "dead-link: 0 of 3 places affected",
        "make test: exit 0, covered 87, wanted at least 80",
        "The plan names 5 risks.",
        "There are 3 steps, and each has an owner.",
        "1 requirement, tested",
        "Version 2 has 5 steps, all of them dated.",
        "1,234 words read",
        "keiner von fünf",
        "Alle 5 Schritte geprüft",
        "3 von 7 geprüft",
        "0 of 0 links",
        "2 of 2 requirements looked at",
        "Checked 3 and 4 links.",
        "2000 lines read",
        "Steps: 7 of 7",
        "a total of 12 links",
        "a list of 5 risks is given",
        "The first is an example. 3 of 3 steps are dated.",
        "both of 2 requirements have a step",
        "fifty of hundred lines",
        "lines: 40",
        "both requirements have a step (2 of 2)",
        "0 of 2 steps are not checked",
    ] {
        assert!(has_figure(text), "{text}");
    }
}

#[test]
fn a_number_that_names_something_is_no_figure() {
    for text in [
        "",
        "none",
        "1",
        "1.",
        "(3)",
        "FR-12 holds",
        "v2",
        "H1",
        "M of N",
        "all good",
        "#3",
        "utf8",
        "none found, all compliant",
        "No issues in version 2",
        "No issues in version 2 of the plan",
        "Version 2.0 is complete",
        "§3 is fine",
        "§ 3 is fine",
        "Section 3 covers it.",
        "Steps are in section 4",
        "see chapter 2, page 17",
        "Checked everything on 2026-01-01",
        "Checked everything on 1 January 2026",
        "Checked on January 1, 2026.",
        "Geprüft am 3. Januar 2026",
        "in 2026 nothing changed",
        "at 10:30 it was fine",
        "on 01.02.2026",
        "Python 3 works",
        "RFC 2119 is followed",
        "HTTP 404",
        "1.2.3",
        "I am 100% sure",
        "one could say so",
        "the 3rd is fine",
        "answers within 300 ms",
        "stays below 2 seconds",
        "24/7",
        "Phase 2 is clear",
        "line 12",
        "Kapitel 3 passt",
        "sections 2, 3 and 4 cover it",
        "The 2026 roadmap is clear.",
        "Steps 1 to 4 follow from it.",
        "Version: 2",
        "10/10",
        "10/10, would pass again",
        "quality: 10/10",
        "5/5 stars",
        "ten out of ten",
        "5 out of 5 stars",
        "10 of 10 points.",
        "100 %",
        "100%",
        "(95%)",
        "100 percent",
        "one hundred percent",
        "100 % complete",
        "it is 100 % compliant",
        "100 % of it",
        "top 5 quality",
        "top 1 %",
        "5 stars",
        "2 thumbs up",
        "I read it 3 times",
        "checked 2 times",
        "50/50",
        "page 3 of 12 was read",
        "part 2 of 3 is fine",
        "round 1 of 3 done",
        "pass 1 of 3",
        "version 2 of 2",
        "draft 3 of 3",
        "step 2 of 3",
        "? of 2 requirements",
        "NaN of 2 requirements",
        "1.5 of 2 requirements",
        "0.5 of 3 steps",
        "most of 12 steps",
        "5 of 2 requirements have a step",
        "if 2 of 2 requirements have a step, it is fine",
        "it would be 5 of 5 then",
        "e.g. 14 of 14 checked, none affected",
        "for example, 3 of 5 steps",
        "perhaps 0 of 90",
        "0 of 90, I did not look",
        "12 of 12, my guess",
        "allegedly 2 of 2 requirements have a step",
        "apparently 2 of 2 requirements have a step",
        "2 of 2 requirements have a step, I think",
        "2 of 2 requirements have a step (not verified)",
        "2 of 2 requirements have a step? I cannot tell",
        "I doubt that 2 of 2 requirements have a step",
        "slide 3 of 7",
        "attempt 1 of 3",
        "score: 2 of 2",
        "95 % of the time I am right",
        "confidence 90 %",
        "90 % likely",
        "90 % sure",
        "zero doubts",
        "1024 characters",
    ] {
        assert!(!has_figure(text), "{text}");
    }
}

#[test]
fn a_way_to_fail_is_ruled_out_by_an_amount_as_well() {
    for text in [
        "it takes 30 days",
        "below 1 %",
        "the largest of 90 files had 2 MB",
        "4GB are enough",
        "0 of 1000 years",
    ] {
        assert!(has_amount(text), "{text}");
    }
    for text in ["it never happens", "version 2 rules it out", "see §4", "100 % unlikely", "10/10"] {
        assert!(!has_amount(text), "{text}");
    }
}

#[test]
fn a_part_of_nothing_is_a_figure_of_nothing() {
    assert!(is_of_nothing("0 of 0 places affected"));
    assert!(is_of_nothing("none of zero links"));
    assert!(!is_of_nothing("0 of 0 links in 40 lines"));
    assert!(!is_of_nothing("0 of 3 links"));
    assert!(!is_of_nothing("nothing to see"));
}

#[test]
fn a_figure_for_a_pass_says_that_it_holds() {
    let question = "Is every requirement taken up by a step?";
    for text in [
        "0 of 2 requirements have a step",
        "none of the 2 requirements has a step",
        "0/2 requirements have a step",
        "2 of 2 requirements are missing",
        "2 of 2 requirements have no step",
        "2/2 requirements lack a step",
        "all 2 requirements are without a step",
        "2 of 2 requirements do not have a step",
        "2 of 2 requirements never get a step",
        "2 of 2 requirements haven’t got a step",
        "2 of 2 requirements have zero steps",
        "0 % of the requirements have a step",
        "100 % of the requirements are uncovered",
        "12 of 40 requirements have a step",
        "1 of 2 requirements have a step",
        "not 2 of 2 requirements have a step",
        "2 of 2 requirements contradict each other",
        "2 of 2 requirements are ambiguous",
        "2 of 2 requirements need a step",
        "2 of 2 requirements were dropped",
        "0 of 2 requirements checked",
        "none of the 2 requirements was checked",
        "I checked 0 of 2 requirements, none affected",
        "2 of 2 requirements were not looked at",
        "3 steps checked, 2 missing",
        "0 of 2 requirements are covered",
    ] {
        assert!(says_the_opposite(text, question), "{text}");
    }
    for text in [
        "2 of 2 requirements have a step",
        "0 of 2 requirements are missing",
        "0 of 2 requirements have no step",
        "none of the 2 requirements is without a step",
        "all 2 requirements have a step, 0 of 3 steps is orphaned",
        "0 of 3 steps are open",
        "none of five places affected",
        "2 of 2 requirements have no open points",
        "2 of 2 requirements are not missing",
        "0 of 12 links",
        "3 of 7 checked",
        "none of five has a defect",
        "2 of 2 error cases have a step",
        "3 of 3 steps say what happens when they fail",
        "2 of 2 broken rows are handled",
        "2 of 2 errors are handled",
        "0 of 12 checked links are dead",
        "12 places checked, none affected",
        "checked: 2, missing: 0",
        "Checked 2 of 2 requirements, none affected.",
        "13 of 14 requirements have a step",
        "2 of 2 requirements have a step and not one is without",
        "3 problems are named, 3 of 3 are solved",
        "95 % of the requirements have a step",
        "2 requirements, 0 missing",
        "12 of 12 tests passed, 2 skipped",
        "every one of 2 requirements has a step",
        "not one of 2 requirements is without a step",
        "None of 3 dead links is left, 2 of 2 requirements have a step",
    ] {
        assert!(!says_the_opposite(text, question), "{text}");
    }
    assert!(!says_the_opposite("0 of 5 steps have a marker", "Is there no step with a marker?"));
}

#[test]
fn a_reason_that_nobody_looked_rules_nothing_out() {
    assert!(looked_at_none("0 of 90 files were looked at"));
    assert!(looked_at_none("none of 90 files was checked"));
    for text in [
        "0 of 90 files passed the limit",
        "0 of 90 nights had two",
        "90 of 90 files were checked",
        "0 of 90 checked files were larger",
    ] {
        assert!(!looked_at_none(text), "{text}");
    }
}
