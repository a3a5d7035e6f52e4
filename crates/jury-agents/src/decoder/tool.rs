//! What is kept of a tool that an agent calls: its name, and one line of what it is to do.

use super::json::Json;
use super::trouble::brief;

/// The members of an input that say in one line what is to be done, the more telling first.
const TELLING: [&str; 8] = ["command", "cmd", "commands", "file_path", "filePath", "path", "url", "query"];

/// How much of an input is kept, in characters.
const MOST: usize = 160;

/// How much of a name is kept, in characters.
const MOST_OF_NAME: usize = 60;

/// The name of a tool and its input on one line. The name has no spaces, so it is the first word.
pub(super) fn told(name: &str, input: Option<Json<'_>>) -> String {
    let name: String = name
        .chars()
        .filter(|letter| !letter.is_control())
        .map(|letter| if letter.is_whitespace() { '_' } else { letter })
        .take(MOST_OF_NAME)
        .collect();
    let name = if name.is_empty() { "unnamed" } else { name.as_str() };
    let telling = input.and_then(|input| {
        // Some send their input as a text that holds JSON.
        let text = input.str();
        let inner = text.as_deref().and_then(Json::line).and_then(line);
        inner.or_else(|| text.map(std::borrow::Cow::into_owned)).or_else(|| line(input))
    });
    let said: String = brief(&telling.unwrap_or_default()).chars().take(MOST).collect();
    if said.is_empty() { name.to_owned() } else { format!("{name}: {said}") }
}

/// The member of an input that tells the most; all of it as it is written otherwise.
fn line(input: Json<'_>) -> Option<String> {
    let telling = TELLING.iter().find_map(|member| input.get(member)).unwrap_or(input);
    match telling.str() {
        Some(text) => Some(text.into_owned()),
        None => telling.raw().map(ToOwned::to_owned).filter(|raw| raw != "{}" && raw != "null"),
    }
}
