//! Pages written for this project, and what happens when one known defect is put into each.
//!
//! The tests ask whether every defect is noticed by the check it belongs to, called as bad as it is, felt in that panelist's
//! score, and blamed on nobody else. The example `mutations` counts the same over all pages.

pub(crate) mod defects;
pub(crate) mod edit;
pub(crate) mod judge;

/// The pages. Nothing is wrong with them: neither the house nor axe-core has anything serious to say.
pub(crate) const PAGES: &[(&str, &str)] = &[
    ("article", include_str!("../pages/article.html")),
    ("dashboard", include_str!("../pages/dashboard.html")),
    ("deck", include_str!("../pages/deck.html")),
    ("docs", include_str!("../pages/docs.html")),
    ("form", include_str!("../pages/form.html")),
    ("gallery", include_str!("../pages/gallery.html")),
    ("hofladen", include_str!("../pages/hofladen.html")),
    ("landing", include_str!("../pages/landing.html")),
    ("night", include_str!("../pages/night.html")),
    ("pricing", include_str!("../pages/pricing.html")),
    ("tea", include_str!("../pages/tea.html")),
];
