//! The files of the vendors.

use jury_agents::api::{Constraint, FormatName, Structure, Vendor};

#[test]
fn every_vendor_has_a_file_that_holds() {
    let all = Vendor::all().unwrap();
    let ids: Vec<&str> = all.iter().map(|vendor| vendor.id.as_str()).collect();
    assert_eq!(
        ids,
        [
            "anthropic",
            "openai",
            "openrouter",
            "groq",
            "mistral",
            "deepseek",
            "together",
            "ollama",
            "llama.cpp",
            "lmstudio"
        ]
    );
    for vendor in all {
        let is_local = !vendor.allow_hosts.is_empty();
        assert!(
            vendor.price(&vendor.default_model).is_some(),
            "{}: its default model has a price",
            vendor.id
        );
        assert_eq!(
            vendor.key_variable.is_none(),
            is_local,
            "{}: only a local server needs no key",
            vendor.id
        );
        assert_eq!(vendor.base_url.starts_with("http://127.0.0.1:"), is_local, "{}", vendor.id);
        assert!(is_local || vendor.base_url.starts_with("https://"), "{}", vendor.id);
        assert!(!vendor.base_url.ends_with('/'), "{}", vendor.id);
        let constraint = (vendor.id == "llama.cpp").then_some(Constraint::Gbnf);
        assert_eq!(vendor.constraint, constraint, "{}: only llama.cpp takes a grammar", vendor.id);
        // Forced tools are ignored by llama.cpp, for most models.
        assert!(!is_local || vendor.structure == Structure::JsonSchema, "{}", vendor.id);
    }
}

#[test]
fn a_model_has_the_price_of_its_name_and_no_other() {
    let vendor = Vendor::find("openai").unwrap();
    let input = |model| vendor.price(model).map(|price| price.input);
    assert_eq!(input("gpt-5-2025-08-07"), Some(1.25));
    assert_eq!(input("gpt-5-mini-2025-08-07"), Some(0.25));
    assert_eq!(input("gpt-5-nano"), Some(0.05));
    assert_eq!(input("gpt-5.4-mini"), Some(0.75));
    // A relative is not a version, and may cost ten times as much.
    assert_eq!([input("gpt-5-pro"), input("gpt-5.9"), input("gpt-5-chat-latest"), input("o9")], [None; 4]);
}

#[test]
fn a_file_of_ones_own_is_read_and_a_wrong_one_is_named() {
    let text = "id = \"mine\"\nname = \"Mine\"\nformat = \"openai\"\nbase_url = \"https://models.example.com/v1\"\n\
                default_model = \"m\"\nstructure = \"text\"\n";
    let vendor = Vendor::parse(text).unwrap();
    assert_eq!((vendor.format, vendor.structure), (FormatName::Openai, Structure::Text));
    let error = Vendor::parse(&text.replace("text", "txt")).unwrap_err().to_string();
    assert!(error.starts_with("vendor 'mine': unknown variant `txt`"), "{error}");
    let error = Vendor::find("nobody").unwrap_err().to_string();
    assert!(error.starts_with("no vendor 'nobody'; there are anthropic, openai"), "{error}");
}
