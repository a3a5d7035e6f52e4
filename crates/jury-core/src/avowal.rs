//! What reviewers say of their own review, and of whether the work may ship: that they did not look, and that it must not.
//!
//! A score says how good something is. A reviewer who says beside it that nobody looked has given none, and one who says that
//! something must be fixed has asked for it, wherever it stands. The words are read as sentences: who has not done what, and
//! what is not to be done with the work. What is said of the work itself (`the link does not look like one`) is a review.

/// A sentence in small letters, cut into words.
struct Sentence<'t> {
    text: &'t str,
    words: Vec<String>,
    /// A colon stands behind its first words, which name it: `Blocker: …`.
    label: usize,
}

/// What a reviewer does with the work to know it.
const LOOK: &str = "look looked looking see seen saw view viewed viewing read reading open opened opening load loaded loading \
    render rendered inspect inspected inspecting check checked checking examine examined examining review reviewed reviewing test \
    tested testing verify verified verifying assess assessed assessing evaluate evaluated evaluating judge judged judging visit \
    visited access accessed fetch fetched score scored scoring rate rated rating count counted counting run measure measured \
    study studied studying analyse analysed analyze analyzed audit audited confirm confirmed help assist comply do \
    angesehen angeschaut gelesen geprüft geöffnet geladen bewertet nachgesehen ansehen lesen prüfen öffnen laden bewerten \
    lu vu ouvert regardé examiné leído visto abierto revisado mirado";

/// What is done to the work so that somebody can look at it.
const HANDED: &str = "shown provided given attached supplied sent received reviewed examined inspected assessed evaluated rated \
    looked scored judged delivered included loaded rendered opened read checked seen available accessible visible";

/// The work, as who reviews it calls it.
const WORK: &str = "page draft document artifact copy file site website screenshot screenshots source html text review nothing \
    it rest remainder half part others seite entwurf datei";

/// The whole of it.
const WHOLE: &str = "page draft document artifact copy file site website screenshot html all everything anything whole seite entwurf";

/// Who speaks.
const SPEAKER: &str = "i we me us ich wir je nous yo myself";

const NOT: &str = "not never unable cannot without nobody nicht nie ohne pas no";

/// What a fault is called: whoever has not seen one has looked.
const FAULT: &str = "any anything single one fault faults problem problems issue issues defect defects error errors flaw flaws \
    mistake mistakes reason need room more nothing wrong bug bugs gap gaps better improvement improvements";

/// What makes a mark one that nobody gave.
const MADE_UP: &str = "default arbitrary arbitrarily random randomly guess guessed guesses assumed invented placeholder placeholders \
    fabricated fictional fictitious hypothetical dummy mock sample fake made-up erfunden geraten";

/// What is given in a review.
const GIVEN: &str = "score scores mark marks rating ratings review reviews grade grades number numbers figure figures feedback \
    critique verdict note notes comment comments answer answers transcript wertung bewertung";

/// What is handed over, and how that is allowed.
const SHIP: &str = "ship shipped shipping launch launched release released publish published approve approved approving deploy \
    deployed accept accepted pass recommend merge sign live veröffentlichen freigeben";

/// What is done about a fault.
const MEND: &str = "fix fixed repair repaired correct corrected mend mended change changed remove removed replace replaced redo redone rewrite \
    rewritten resolve resolved address addressed behoben korrigiert";

/// What is not fit to be handed over.
const UNFIT: &str =
    "unusable unacceptable unshippable unreadable unready unfit unpublishable unreleasable unbrauchbar";

/// What keeps it from being handed over.
const BLOCKERS: &str = "blocker blockers showstopper showstoppers dealbreaker dealbreakers show-stopper deal-breaker must-fix must-fixes";

/// What is fit, and is said not to be.
const FIT: &str = "ready acceptable shippable good fit usable publishable releasable finished done complete";

/// Whether nobody looked, in the words of who should have: the sentence that says so.
pub fn unlooked(text: &str) -> Option<&str> {
    sentences(text).into_iter().find(Sentence::is_unlooked).map(|sentence| sentence.text)
}

/// Whether the work must not be handed over as it is: the sentence that says so.
pub fn refusal(text: &str) -> Option<&str> {
    sentences(text).into_iter().find(Sentence::refuses).map(|sentence| sentence.text)
}

/// Why an answer does not count, in the words around it: it is called an example, or taken back.
pub fn disowned(before: &str, behind: &str) -> Option<String> {
    let lead = before.trim_end().trim_end_matches(['`', '*', '_']).trim_end();
    let lead = lead.strip_suffix("json").unwrap_or(lead).trim_end_matches(['`', '\n', ' ']);
    let last = sentences(lead).pop();
    let example = last.filter(|last| {
        lead.ends_with(':')
            && last.words.iter().any(|word| {
                has("example examples e.g illustration sample template beispiel exemple ejemplo", word)
            })
            || last.words.iter().any(|word| has("illustration hypothetical", word))
    });
    if let Some(example) = example {
        return Some(format!("the answer is called an example: {}", example.text));
    }
    let said = unlooked(before).or_else(|| unlooked(behind)).or_else(|| retracts(behind));
    said.map(|said| format!("the words beside the answer take it back: {said}"))
}

/// Whether what stands in front of an answer says that it is none: `Example output:`, `For illustration only, …`, `draft`. That
/// somebody could not look is said there of one thing among others, and the answer may be honest all the same.
pub fn is_announced_as_none(before: &str) -> bool {
    let lead = before.trim_end().trim_end_matches(|c: char| c == '`' || c.is_whitespace());
    let lead = ["xml", "html", "text"]
        .iter()
        .find_map(|fence| lead.strip_suffix(&format!("```{fence}")))
        .unwrap_or(lead)
        .trim_end();
    let all = sentences(lead);
    let Some(last) = all.last() else { return false };
    // A colon and words in brackets may end the sentence before.
    let example = |sentence: &Sentence<'_>| {
        let about = sentence
            .any("example examples illustration sample template mock-up mockup beispiel exemple ejemplo");
        let only = sentence.any("illustration")
            || sentence.words.first().is_some_and(|word| has("example sample template for", word));
        about && only
    };
    let heading = last.words.len() <= 2 && last.any("draft sketch example template sample");
    example(last) && (lead.ends_with(':') || last.any("illustration")) || heading
}

/// `Please disregard the above`, `I will review later`.
fn retracts(text: &str) -> Option<&str> {
    let taken_back = |sentence: &Sentence<'_>| {
        let drops = sentence.any("disregard ignore discard retract withdraw");
        let is_given = sentence.any(GIVEN) || sentence.any("above previous earlier answer");
        let later = sentence
            .places("will ll")
            .any(|at| (at + 1..at + 4).any(|index| has("review look read check", sentence.word(index))))
            && sentence.any("later then afterwards next soon");
        drops && is_given && !sentence.any("not never no") || later && sentence.any(SPEAKER)
    };
    sentences(text).into_iter().find(taken_back).map(|sentence| sentence.text)
}

fn has(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

fn sentences(text: &str) -> Vec<Sentence<'_>> {
    let ends = |c: char| matches!(c, '.' | '!' | '?' | ';' | '\n' | '。');
    let mut found = Vec::new();
    let mut from = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        // `8.6` and `index.html` go on.
        let goes_on = c == '.' && characters.peek().is_some_and(|(_, next)| next.is_alphanumeric());
        if ends(c) && !goes_on {
            found.push(text.get(from..at).unwrap_or_default());
            from = at + c.len_utf8();
        }
    }
    found.push(text.get(from..).unwrap_or_default());
    found.into_iter().map(sentence).filter(|sentence| !sentence.words.is_empty()).collect()
}

fn sentence(text: &str) -> Sentence<'_> {
    let lower = text.to_lowercase().replace(['’', '‘'], "'");
    let mut words = Vec::new();
    let mut label = 0;
    for piece in lower.split(|c: char| {
        c.is_whitespace() || matches!(c, ',' | '(' | ')' | '[' | ']' | '"' | '“' | '”' | '—' | '–' | '/')
    }) {
        let bare = piece.trim_matches(|c: char| !c.is_alphanumeric());
        let (stem, negated) = match bare {
            "cannot" | "can't" | "cant" => ("can", true),
            "won't" => ("will", true),
            "didnt" => ("did", true),
            _ => bare.strip_suffix("n't").map_or((bare, false), |stem| (stem, true)),
        };
        words.extend([stem].into_iter().filter(|word| !word.is_empty()).map(str::to_owned));
        words.extend(negated.then(|| "not".to_owned()));
        if piece.ends_with(':') && label == 0 {
            label = words.len();
        }
    }
    Sentence { text: text.trim(), words, label }
}

impl Sentence<'_> {
    fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", String::as_str)
    }

    fn any(&self, list: &str) -> bool {
        self.words.iter().any(|word| has(list, word))
    }

    /// Where one of these words stands.
    fn places(&self, list: &'static str) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().filter(move |(_, word)| has(list, word)).map(|(at, _)| at)
    }

    fn is_unlooked(&self) -> bool {
        !self.is_limit()
            && (self.nobody_looks() || self.was_not_handed() || self.is_made_up() || self.is_skipped())
    }

    /// `Not judged: beauty, voice`: parts that a review leaves out, and not the work.
    fn is_limit(&self) -> bool {
        let behind = self.words.get(self.label..).unwrap_or_default();
        let in_label = self.places(NOT).any(|at| at < self.label);
        in_label && !behind.is_empty() && !behind.iter().any(|word| has(WHOLE, word))
    }

    /// `I did not open it`, `could not read the page`, `without looking`, `skimmed`.
    fn nobody_looks(&self) -> bool {
        self.places(NOT).any(|at| {
            let not = self.word(at);
            let behind = (at + 1..at + 5).take_while(|index| *index < self.words.len());
            let mut looks = behind.filter(|index| has(LOOK, self.word(*index)));
            let Some(look) = looks.next() else { return false };
            // `no` and `pas` are of a speaker, `nobody` and `without` need none.
            let clause = self.words.get(at.saturating_sub(5)..at).unwrap_or_default();
            let speaks = clause.iter().any(|word| has(SPEAKER, word));
            // `Did not read it`, `never opened`: who leaves the subject out speaks of himself.
            let opens = clause.iter().all(|word| {
                has("did do have has had was were could can will am but and so honestly sorry however also still konnte habe", word)
            });
            // `rated without looking`, and not `clear without opening a menu`.
            let is_plain = match not {
                "nobody" => self.word(look) != "do",
                "without" => at == 0 || clause.iter().any(|word| has(GIVEN, word) || has(LOOK, word)),
                _ => false,
            };
            let is_foreign = matches!(not, "no" | "pas" | "nicht");
            let says = if is_foreign {
                speaks || not == "nicht" && opens && self.is_of_the_work(look)
            } else {
                is_plain || speaks || opens && self.is_of_the_work(look)
            };
            let seen = self.words.get(look + 1..).unwrap_or_default();
            let found_none = has("see seen saw", self.word(look)) && seen.iter().take(5).any(|word| has(FAULT, word));
            let helps = has("help do", self.word(look)) && !seen.iter().any(|word| has("review request that this", word));
            says && !found_none && !helps && !self.is_about_users(look)
        })
    }

    /// Whether what follows a verb is the work, or nothing, and no part of it: `cannot read the caption` is a remark.
    fn is_of_the_work(&self, look: usize) -> bool {
        let of_reviewers = "review reviewed reviewing assess assessed evaluate evaluated judge judged score scored rate rated examine \
                            examined inspect inspected bewertet geprüft";
        let behind: Vec<&str> = self.words.iter().skip(look + 1).map(String::as_str).collect();
        let object = behind.iter().find(|word| {
            !has("the this that at on into through of any whole entire your its die den das", word)
        });
        self.word(look) != "do"
            && (has(of_reviewers, self.word(look)) || object.is_none_or(|object| has(WORK, object)))
    }

    /// `users can read it without opening a menu`: somebody else does it, or does not.
    fn is_about_users(&self, at: usize) -> bool {
        let before = self.words.get(..at).unwrap_or_default();
        before.iter().any(|word| {
            has("user users reader readers visitor visitors people anyone one you customer customers", word)
        })
    }

    /// `The page was not shown to me`, `the rest was not read`.
    fn was_not_handed(&self) -> bool {
        self.places("not never nicht").any(|at| {
            let handed = (at + 1..at + 4).any(|index| has(HANDED, self.word(index)));
            let was = self.words.get(at.saturating_sub(2)..at).unwrap_or_default();
            let was = was.iter().any(|word| has("was were been could wurde wurden", word));
            let before = self.words.get(..at).unwrap_or_default();
            handed && was && before.iter().any(|word| has(WORK, word))
        }) || self.starts(&[&["no"], &["review", "page", "draft", "access", "screenshot", "document"]])
            && self.words.iter().skip(2).all(|word| {
                has("possible was made done given provided shown available to the page performed", word)
            })
            || self.starts(&[
                &["not"],
                &[
                    "reviewed",
                    "checked",
                    "assessed",
                    "evaluated",
                    "read",
                    "opened",
                    "tested",
                    "verified",
                    "seen",
                    "rated",
                    "scored",
                ],
            ])
    }

    /// `Score given by default`, `I made the review up`, `not a real review`.
    fn is_made_up(&self) -> bool {
        let made_up = self.any(MADE_UP)
            && self.words.iter().any(|word| {
                has(
                    "score scores rating ratings review reviews transcript verdict grade bewertung wertung",
                    word,
                )
            });
        let up =
            self.places("made make making").any(|at| (at + 1..at + 5).any(|index| self.word(index) == "up"));
        let unreal = self.any("not") && self.any("real actual genuine") && self.any(GIVEN);
        let i = self.places("i we").any(|at| {
            has(
                "guess guessed assume assumed presume presumed suppose supposed imagine imagined invented",
                self.word(at + 1),
            )
        });
        made_up && !self.any("no not") || up && (self.any(SPEAKER) || self.any(GIVEN)) || unreal || i
    }

    /// `Skipped for time`.
    fn is_skipped(&self) -> bool {
        let first = self.word(0);
        has("skipped skipping skip übersprungen unreviewed unchecked omitted unread untested", first)
            && !matches!(self.word(1), "link" | "links" | "heading" | "headings" | "to" | "level" | "levels")
            || self.places("i we").any(|at| has("skipped skimmed", self.word(at + 1)))
    }

    fn starts(&self, wanted: &[&[&str]]) -> bool {
        wanted.iter().enumerate().all(|(at, words)| words.contains(&self.word(at)))
    }

    /// Whether the sentence says that nothing of what it names is there: `no blocker`, `nothing must be fixed`.
    fn is_denied(&self, at: usize) -> bool {
        let before = self.words.get(at.saturating_sub(4)..at).unwrap_or_default();
        let mut after = self.words.iter().skip(at + 1).take(2);
        before.iter().any(|word| {
            has("no not nothing none never zero 0 without neither nor free kein keine nichts", word)
        }) || after.any(|word| has("none nothing 0 zero no", word))
            || self.word(at).starts_with("non")
    }

    fn refuses(&self) -> bool {
        self.must_be_mended() || self.must_not_ship() || self.is_unfit()
    }

    /// `Must be fixed`, `has to be repaired before it ships`, `Blocker:`.
    fn must_be_mended(&self) -> bool {
        let must = self.places("must has have needs need requires muss müssen").any(|at| {
            let mended = (at + 1..at + 4).find(|index| has(MEND, self.word(*index)));
            let must = self.word(at);
            let strong = must == "must" || mended.is_some_and(|mended| mended > at + 1);
            let is_fix = mended.is_some_and(|mended| has("fix fixed repair repaired correct corrected mend mended resolve resolved address addressed behoben korrigiert", self.word(mended)));
            mended.is_some() && strong && (is_fix || self.is_before_it_ships()) && !self.is_denied(at) && !has("users user people readers visitors you", self.word(at.wrapping_sub(1)))
        });
        must || self.places(BLOCKERS).any(|at| !self.is_denied(at))
            || self.places("must").any(|at| self.word(at + 1) == "fix" && !self.is_denied(at))
    }

    fn is_before_it_ships(&self) -> bool {
        self.places("before until").any(|at| {
            (at + 1..at + 5).any(|index| {
                has(SHIP, self.word(index)) || has("ships goes going production", self.word(index))
            })
        })
    }

    /// `Do not ship`, `I would not approve this`, `I reject it`, `No-go`.
    fn must_not_ship(&self) -> bool {
        let not = self.places("not never nicht").any(|at| {
            let ships = (at + 1..at + 4).find(|index| has(SHIP, self.word(*index)));
            let speaks = self.words.get(at.saturating_sub(4)..at).unwrap_or_default();
            let speaks = speaks.is_empty()
                || speaks
                    .iter()
                    .any(|word| has("do would can could should must may will shall i we it page is", word));
            let only = has("only hesitate just", self.word(at + 1));
            ships.is_some_and(|ships| {
                !only && speaks && !has("enough highly", self.word(ships + 1)) && !self.is_about_users(at)
            })
        });
        let reject = self
            .places("reject rejected rejecting veto vetoed")
            .any(|at| !self.is_denied(at) && (at == 0 || self.any(SPEAKER) || self.label > at));
        let decides = self.label > 0
            && has("verdict decision result recommendation", self.word(self.label - 1))
            && has("fail failed reject no block hold", self.word(self.label));
        let no_go = self.words.first().is_some_and(|word| word == "no-go");
        not || reject || decides || no_go
    }

    /// `The page is unusable`, `not ready`, `Broken.`, `Nothing here works.`
    fn is_unfit(&self) -> bool {
        let not_fit = self.places("not never nicht").any(|at| {
            let fit = (at + 1..at + 4).find(|index| has(FIT, self.word(*index)));
            fit.is_some_and(|fit| match self.word(fit) {
                "good" => self.word(fit + 1) == "enough",
                "fit" => has("for to", self.word(fit + 1)),
                "done" | "complete" | "finished" | "usable" | "acceptable" | "ready" => {
                    let before = self.words.get(..at).unwrap_or_default();
                    before.is_empty()
                        || before.iter().all(|word| {
                            has("this the it page draft is are i we am was copy site document", word)
                        })
                }
                _ => true,
            })
        });
        // A word alone is a note to a dimension.
        let unfit = self.words.len() > 1 && self.places(UNFIT).any(|at| !self.is_denied(at));
        let broken = self.places("broken kaputt").any(|at| {
            let subject = self.words.get(..at).unwrap_or_default();
            self.words.len() == 1
                || !self.is_denied(at)
                    && at + 1 == self.words.len()
                    && subject.iter().any(|word| has("page site layout everything it this seite", word))
        });
        let works = self.places("works work").any(|at| {
            self.words.get(..at).unwrap_or_default().iter().any(|word| word == "nothing")
                && at + 1 == self.words.len()
        });
        not_fit || unfit || broken || works
    }
}

#[cfg(test)]
mod tests {
    use super::{disowned, is_announced_as_none, refusal, unlooked};

    #[test]
    fn an_answer_that_is_called_an_example_or_taken_back_is_none() {
        for (before, behind) in [
            ("For example: ", ""),
            ("Example output (not a real review):\n```xml\n", ""),
            ("I'm sorry, I can't review this page. For illustration only, it could look like this:\n", ""),
            ("", " But I did not look."),
            ("", "\nCorrection: I made the review up, please disregard the transcript above."),
            ("", "\nI will review later."),
        ] {
            assert!(disowned(before, behind).is_some(), "{before} … {behind}");
        }
        for (before, behind) in [
            ("", ""),
            ("Here is my review:\n\n", ""),
            ("## Review\n\n```\n", "\n```\n"),
            ("Reading the page…\n\n", "\nFinal answer above."),
            ("Sure!\n", "\nLet me know if you want another round."),
            ("The examples on the page are good. My review:\n", ""),
        ] {
            assert_eq!(disowned(before, behind), None, "{before} … {behind}");
        }
    }

    #[test]
    fn an_answer_may_be_announced_as_none() {
        for before in [
            "Example output (not a real review):\n```xml\n",
            "I'm sorry, I can't review this page. For illustration only, a transcript could look like this:\n\n",
            "For example:\n",
            " draft ",
        ] {
            assert!(is_announced_as_none(before), "{before}");
        }
        for before in [
            "",
            "## Jury review\n\nHere is the panel transcript for your page.\n\n",
            "Sure!\n```html\n",
            "Reading the page…\n\n",
            "I could not open the screenshot, so I read the source. Here is the run:\n\n```xml\n",
            "The page is an example of a calm design. My review:\n",
            "I keep the example of the prompt in mind.\n",
        ] {
            assert!(!is_announced_as_none(before), "{before}");
        }
    }

    #[test]
    fn who_did_not_look_says_so() {
        for text in [
            "I did not look.",
            "Skipped for time.",
            "No review possible: the page was not shown to me.",
            "Score given by default.",
            "I couldn’t open the file, so this is a guess.",
            "Looks fine. I have not read the draft",
            "Rated without looking at it.",
            "Unable to load the page.",
            "The artifact could not be rendered.",
            "Could not access the draft.",
            "I made the review up.",
            "I was not able to view the page.",
            "Not reviewed.",
            "I assume it is fine.",
            "I never opened it.",
            "2 of 2 are fine, the rest was not read",
            "Ich habe die Seite nicht angesehen.",
            "Je n'ai pas lu la page.",
            "I'm sorry, I can't review this page.",
            "This is not a real review.",
        ] {
            assert!(unlooked(text).is_some(), "{text}");
        }
        for text in [
            "I could not find a single fault.",
            "I did not see any problems.",
            "I see no fault.",
            "The link does not look like a link.",
            "Users cannot see the price.",
            "The heading cannot be read on a phone.",
            "Nothing was left out.",
            "Clear without opening a menu.",
            "The image is not loaded lazily.",
            "A reader never has to open a second page.",
            "Nothing to take out.",
            "The placeholder of the field is too pale.",
            "Headings do not skip a level.",
            "Every sentence has one thought.",
            "I would not change a word.",
            "You can read it without looking anything up.",
            "The default language is named.",
            "No jargon, no filler.",
            "One tap, no account: one can do it without help.",
            "I cannot help but smile at the last line.",
            "Skip link comes first.",
            "Cannot read the caption at 375 px.",
            "I can't tell the link from the text: 1.4:1.",
            "Unable to reach the menu by keyboard.",
            "Could not be clearer: one headline, one button.",
            "Was not readable before; 7.2:1 now.",
            "None of the five buttons has a focus ring.",
            "Not applicable to print, and the focus ring is there.",
        ] {
            assert_eq!(unlooked(text), None, "{text}");
        }
    }

    #[test]
    fn what_must_not_be_handed_over_is_said() {
        for text in [
            "This must be fixed before it ships: the contrast is too low.",
            "Blocker: the link leads nowhere.",
            "I would not ship this.",
            "Do not ship.",
            "Don’t publish it yet.",
            "The page is unusable and I reject it.",
            "MUST FIX: the heading is missing.",
            "**Must-fix:** give it a name.",
            "Broken. Nothing here works.",
            "Not ready for launch until the price is right.",
            "It is not ready.",
            "The form has to be fixed.",
            "The contrast needs to be fixed.",
            "I cannot recommend this page.",
            "This is unacceptable.",
            "Verdict: fail",
            "The whole page is broken.",
            "Hold it: must be corrected.",
        ] {
            assert!(refusal(text).is_some(), "{text}");
        }
        for text in [
            "No must-fix. I would ship it.",
            "Nice to have: a map. Nothing must be fixed.",
            "No blockers.",
            "Must-fix: none",
            "There is nothing that must be fixed.",
            "I would not hesitate to ship it.",
            "I could not find a single fault.",
            "The words that can be pressed say where they lead.",
            "It could not be clearer.",
            "Nothing is broken.",
            "The heading leads and the link closes the page.",
            "Zero must-fixes left.",
            "The line is broken up well.",
            "It does not pretend to be finished.",
            "No work is wasted.",
            "Readers do not pass over the price.",
            "The page does not rely on colour alone.",
            "It must not be changed.",
            "Users must change nothing.",
            "The fixed header does not cover the heading.",
            "A little tight above the link, but fine.",
        ] {
            assert_eq!(refusal(text), None, "{text}");
        }
    }
}
