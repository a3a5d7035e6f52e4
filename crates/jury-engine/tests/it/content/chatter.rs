//! What models say around a draft is no part of it, and an answer that is nothing else is no draft.

use jury_core::content::ContentStatus;
use jury_core::unit::Round;

use super::*;

/// What is kept of an answer of the author.
async fn kept(answer: &str, form: Form) -> (ContentState, Option<String>) {
    let room = Room::new().await;
    let server =
        serve(vec![panel(&["ann", "bob"]), ScriptedAnswer::text(answer).when(AUTHOR), fine(ANN), fine(BOB)]);
    let mut asked = request();
    asked.recipe.form = form;
    let job = room.job(asked, cast(&server));
    let artifact = job.artifact;
    let (_, state) = room.run(job).await;
    let body = room.store.read_round(artifact, Round(1)).await.unwrap();
    (state, body.map(|bytes| String::from_utf8(bytes).unwrap()))
}

#[tokio::test]
async fn chatter_around_a_draft_is_taken_off_and_said() {
    let draft = "# A title\n\nFirst words of it.\n";
    let fenced = format!("```markdown\n{draft}```");
    let answers = [
        format!("Sure! Here is the article:\n\n{fenced}\n\nLet me know if you want changes!"),
        format!("{fenced}\n\nI kept it short, as the brief asked."),
        format!("Here's your revised draft:\n\n{draft}"),
        format!("Certainly!\n\n{draft}\n\nWould you like me to adjust the tone?"),
        format!("{draft}\n\n---\n\nLet me know if you'd like any changes!"),
        format!(
            "I've written the blog post below, in the voice of the brand.\n\n{draft}\n\nHope this helps!"
        ),
        format!("Great question!\n\nLet me think about the ferry first.\n\n---\n\n{draft}"),
        format!("Alright, the following should work:\n\n{draft}\n\n(Word count: 5)"),
        format!("{draft}\n\nI can make it shorter, or adjust the tone.\n\n[End of draft]"),
    ];
    for answer in answers {
        let (state, body) = kept(&answer, Form::Article).await;
        assert_eq!(body.as_deref(), Some(draft), "{answer}");
        assert_eq!(state.status(), ContentStatus::Approved, "{answer}");
    }
}

#[tokio::test]
async fn a_draft_that_only_looks_like_chatter_is_kept_word_for_word() {
    let drafts = [
        (Form::Post, "Here's what a missed call costs you:\n\nA day on the stand.\n"),
        (Form::Post, "Sure, paper works. Until the tag falls off.\n\nLet me know in the comments.\n"),
        (
            Form::Article,
            "# A title\n\nHere is the page that a rider sees.\n\n```js\nlet a = 1;\n```\n\nThat is all.\n",
        ),
        (
            Form::Article,
            "# Fences\n\nWrite it like this:\n\n```markdown\n# A heading of your own\n\nAnd many more words than stand around it, so that it is long.\n```\n",
        ),
        (Form::Article, "Field notes, number four\n\n# A title\n\nWords: they matter.\n"),
        (Form::Article, "# A title\n\nI can fix a wheel. I could teach you.\n\nLooking forward to spring.\n"),
        (Form::Article, "# Help\n\nIf you'd like a second opinion, ask the next mechanic.\n"),
    ];
    for (form, draft) in drafts {
        let (_, body) = kept(draft, form).await;
        assert_eq!(body.as_deref(), Some(draft));
    }
}

/// What is kept of an answer of an author who has read between which lines the draft is to stand.
async fn kept_between(answer: &str) -> (ContentState, Option<String>) {
    let room = Room::new().await;
    let author = ScriptedAnswer::text(answer).when(AUTHOR).block("DOCUMENT");
    let server = serve(vec![panel(&["ann", "bob"]), author, fine(ANN), fine(BOB)]);
    let job = room.job(request(), cast(&server));
    let artifact = job.artifact;
    let (_, state) = room.run(job).await;
    let body = room.store.read_round(artifact, Round(1)).await.unwrap();
    (state, body.map(|bytes| String::from_utf8(bytes).unwrap()))
}

#[tokio::test]
async fn a_draft_is_what_stands_between_its_two_lines() {
    let draft = "# A title\n\nFirst words of it.\n\nLet me know in the comments. Enjoy!\n";
    let (open, close) = ("<DRAFT %NUMBER%>", "</DRAFT %NUMBER%>");
    let answers = [
        format!("{open}\n{draft}{close}"),
        format!("Aye aye, captain.\n\n{open}\n{draft}{close}\n\nTell your friends about me!"),
        format!("{open}\n```markdown\n{draft}```\n{close}\n"),
        format!("```\n{open}\n{draft}{close}\n```"),
        format!("{open}\nA first try.\n{close}\n\nBetter:\n\n{open}\n{draft}{close}\n- I changed the title."),
    ];
    for answer in answers {
        let (state, body) = kept_between(&answer).await;
        assert_eq!(body.as_deref(), Some(draft), "{answer}");
        assert_eq!(state.status(), ContentStatus::Approved, "{answer} {state:#?}");
    }
}

#[tokio::test]
async fn a_draft_without_its_end_is_none() {
    let answers = [
        "<DRAFT %NUMBER%>\n# A title\n\nFirst words of",
        "# A title\n\nFirst words of it.\n</DRAFT %NUMBER%>",
        "<DRAFT %NUMBER%>\n# A\n\nOne.\n</DRAFT %NUMBER%>\n<DRAFT %NUMBER%>\n# B\n\nTwo",
        "<DRAFT %NUMBER%>\n</DRAFT %NUMBER%>",
    ];
    for answer in answers {
        let (state, body) = kept_between(answer).await;
        assert_eq!(state.status(), ContentStatus::Halted, "{answer}");
        assert_eq!(body, None, "{answer}");
    }
}

#[tokio::test]
async fn an_answer_without_a_draft_is_no_draft() {
    let answers = [
        "Sure! Here is the article:",
        "Sure! Let me know if you want changes!",
        "```markdown\n```",
        "---\n\n***\n",
        "I'm sorry, but I can't help with that.",
        "# \n\n!!!\n",
    ];
    for answer in answers {
        let (state, body) = kept(answer, Form::Article).await;
        assert_eq!(state.status(), ContentStatus::Halted, "{answer}");
        assert_eq!(body, None, "{answer}");
    }
}

#[tokio::test]
async fn a_page_without_a_word_is_no_draft() {
    let room = Room::new().await;
    let empty = json!({ "name": "", "title": "", "description": "", "hero": { "headline": "", "subheadline": "" },
        "sections": [] });
    let server =
        serve(vec![panel(&["ann", "bob"]), ScriptedAnswer::json(empty).when(AUTHOR), fine(ANN), fine(BOB)]);
    let mut asked = request();
    asked.recipe.form = Form::Page;
    let (_, state) = room.run(room.job(asked, cast(&server))).await;
    assert_eq!(state.status(), ContentStatus::Halted, "{state:#?}");
    assert!(state.rounds.is_empty());
}
