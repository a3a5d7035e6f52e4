//! The page in front of the page: where a token is set, a browser that does not show it is asked for it. Programs
//! get the error; who reads HTML gets a form that leads to the link with the token.

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{ACCEPT, ACCEPT_LANGUAGE, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use axum::response::{IntoResponse as _, Response};

use crate::error::ApiError;

const PAGE: &str = include_str!("gate.html");

/// Nothing but its own style, and a form that leads here.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// What the page says in one language.
struct Words {
    lang: &'static str,
    title: &'static str,
    text: &'static str,
    label: &'static str,
    go: &'static str,
    wrong: &'static str,
}

/// The languages of the theater. The first is for everybody else.
const WORDS: [Words; 6] = [
    Words {
        lang: "en",
        title: "This daemon asks for its token",
        text: "Whoever started it set one: it is in JURY_TOKEN or in the file given with --token-file. This \
               browser keeps it for 30 days.",
        label: "Token",
        go: "Open",
        wrong: "That is not the token.",
    },
    Words {
        lang: "de",
        title: "Dieser Dienst verlangt sein Token",
        text: "Wer ihn gestartet hat, hat eines gesetzt: Es steht in JURY_TOKEN oder in der mit --token-file \
               angegebenen Datei. Dieser Browser merkt es sich 30 Tage lang.",
        label: "Token",
        go: "Öffnen",
        wrong: "Das ist nicht das Token.",
    },
    Words {
        lang: "ja",
        title: "このデーモンにはトークンが必要です",
        text: "起動した人が設定したトークンは、JURY_TOKEN または --token-file で指定したファイルにあります。\
               このブラウザーは 30 日間保存します。",
        label: "トークン",
        go: "開く",
        wrong: "トークンが違います。",
    },
    Words {
        lang: "ko",
        title: "이 데몬은 토큰이 필요합니다",
        text: "데몬을 시작한 사람이 설정한 토큰은 JURY_TOKEN 또는 --token-file로 지정한 파일에 있습니다. \
               이 브라우저는 토큰을 30일 동안 보관합니다.",
        label: "토큰",
        go: "열기",
        wrong: "토큰이 맞지 않습니다.",
    },
    Words {
        lang: "zh-CN",
        title: "此守护进程需要令牌",
        text: "令牌由启动它的人设置，位于 JURY_TOKEN 或 --token-file 指定的文件中。此浏览器会保存 30 天。",
        label: "令牌",
        go: "打开",
        wrong: "令牌不正确。",
    },
    Words {
        lang: "zh-TW",
        title: "這個常駐程式需要權杖",
        text: "權杖由啟動它的人設定，位於 JURY_TOKEN 或 --token-file 指定的檔案中。這個瀏覽器會保存 30 天。",
        label: "權杖",
        go: "開啟",
        wrong: "權杖不正確。",
    },
];

/// Whether an address is one that people open.
pub(crate) fn leads_to_the_page(path: &str) -> bool {
    path == "/" || path == "/p" || path.starts_with("/p/") || path.starts_with("/s/")
}

/// The answer to a request that did not show the token: the form for a browser that wants a page, otherwise the
/// error as it is.
pub(crate) fn answer(request: &Request, refusal: ApiError) -> Response {
    let path = request.uri().path();
    let is_page = leads_to_the_page(path);
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let accepts = |header: &HeaderName| text(request.headers(), header).contains("text/html");
    let mut response = refusal.into_response();
    if !is_page || !reads || !accepts(&ACCEPT) {
        return response;
    }
    let tried =
        request.uri().query().is_some_and(|query| query.split('&').any(|pair| pair.starts_with("token=")));
    let words = choose(text(request.headers(), &ACCEPT_LANGUAGE));
    *response.body_mut() = Body::from(draw(words, tried));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.remove(axum::http::header::CONTENT_LENGTH);
    response
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// The first language of the list that there is. Browsers put the one that is liked best first.
fn choose(wanted: &str) -> &'static Words {
    let known = |tag: &str| {
        let tag = tag.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let traditional = ["hant", "tw", "hk", "mo"].iter().any(|part| tag.contains(part));
        let lang = match tag.split('-').next()? {
            "zh" if traditional => "zh-TW",
            "zh" => "zh-CN",
            other => other,
        };
        WORDS.iter().find(|words| words.lang == lang)
    };
    let [english, ..] = &WORDS;
    wanted.split(',').find_map(known).unwrap_or(english)
}

fn draw(words: &Words, tried: bool) -> String {
    let wrong = if tried {
        format!("<p class=\"wrong\" id=\"wrong\" role=\"alert\">{}</p>", words.wrong)
    } else {
        String::new()
    };
    let invalid = if tried { " aria-invalid=\"true\" aria-describedby=\"wrong\"" } else { "" };
    PAGE.replace("{lang}", words.lang)
        .replace("{title}", words.title)
        .replace("{text}", words.text)
        .replace("{label}", words.label)
        .replace("{go}", words.go)
        .replace("{invalid}", invalid)
        .replace("{wrong}", &wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_language_that_there_is_is_spoken() {
        for (wanted, lang) in [
            ("", "en"),
            ("fr-FR,fr;q=0.9", "en"),
            ("fr,de-AT;q=0.8", "de"),
            ("zh-Hant-HK", "zh-TW"),
            ("zh-TW,zh;q=0.9", "zh-TW"),
            ("zh", "zh-CN"),
            ("JA", "ja"),
            ("ko-KR,en;q=0.5", "ko"),
        ] {
            assert_eq!(choose(wanted).lang, lang, "{wanted}");
        }
    }

    #[test]
    fn every_place_in_the_page_is_filled() {
        for words in &WORDS {
            for tried in [false, true] {
                let page = draw(words, tried);
                let body = page.split("</style>").nth(1).unwrap();
                assert!(!body.contains(['{', '}']), "{body}");
                assert_eq!(body.contains("role=\"alert\""), tried);
            }
        }
    }
}
