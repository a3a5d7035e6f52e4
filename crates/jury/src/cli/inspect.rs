//! The arguments of `jury inspect`.

use std::path::PathBuf;

use clap::Args;
use jury_house::Viewport;

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// The page; `-` reads it from stdin
    #[arg(value_name = "PAGE")]
    pub(crate) page: PathBuf,
    /// A window to lay the page out in, in CSS pixels; may be given several times [default: 1280x800]
    #[arg(long = "viewport", value_name = "WxH", value_parser = viewport)]
    pub(crate) viewports: Vec<Viewport>,
    /// As one JSON document
    #[arg(long)]
    pub(crate) json: bool,
    /// The root of the site: where addresses that begin with `/` are
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
}

/// A window such as `375x812`.
fn viewport(text: &str) -> Result<Viewport, String> {
    let side = |text: &str| text.parse::<u32>().ok().filter(|side| (50..=10_000).contains(side));
    text.split_once(['x', 'X'])
        .and_then(|(width, height)| Some(Viewport { width: side(width)?, height: side(height)? }))
        .ok_or_else(|| "a window is two numbers from 50 to 10000, such as 375x812".to_owned())
}
