//! Sites: from a page that was approved and a look to files, and the proof that the files say what the page says.
//!
//! [`design_brand`] makes the look, [`assemble_site_files`] the files, [`validate_code`] reads them again with a parser
//! of its own and trusts nothing that the assembler meant to do. All three are functions of what they are given: the same
//! page and brand make the same bytes.

mod assemble;
mod brand;
mod design;
mod dom;
mod escape;
mod markdown;
mod post;
mod single;
mod style;
mod validate;
mod words;

pub use assemble::{
    BUILD_FILE, Build, BuiltFile, GENERATOR, Post, SiteFiles, SiteSettings, assemble_site_files, post_folders,
};
pub use brand::{Note, check, check_against, contrasts, design_brand};
pub use post::pieces_of;
pub use single::single_file;
pub use validate::{SiteFlaw, Validation, sitemap_urls, validate_code};
pub use words::Words;
