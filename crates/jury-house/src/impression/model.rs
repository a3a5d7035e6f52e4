//! What people made of such figures: a sum of terms, each monotone, each with a sign that was fixed before the fit.
//!
//! The weights are fitted on one half of a public set of rated first windows, by least squares with the signs held and a
//! ridge towards nothing. How well they do on the other half and on a set of votes that had no part in it stands in
//! `docs/accuracy.md`. No figure of those sets is in here but the weights.

use super::bitmap::Figures;

/// Which way a figure has to go for a page to be liked better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Liked {
    More,
    Less,
}

/// A figure between two bounds; outside of them it changes nothing more.
struct Term {
    name: &'static str,
    of: fn(&Figures) -> f64,
    liked: Liked,
    from: f64,
    to: f64,
    /// Points of the rating from one bound to the other.
    weight: f64,
}

const fn term(
    name: &'static str,
    of: fn(&Figures) -> f64,
    liked: Liked,
    (from, to): (f64, f64),
    weight: f64,
) -> Term {
    Term { name, of, liked, from, to, weight }
}

/// The rating of a picture in which nothing pulls either way.
const BASE: f64 = 4.219;

const TERMS: &[Term] = &[
    term("congestion", |seen| seen.congestion, Liked::Less, (0.55, 0.70), 0.227),
    term("congestion", |seen| seen.congestion, Liked::Less, (0.70, 0.85), 0.719),
    term("largest picture", |seen| seen.largest_photo, Liked::More, (0.0, 0.15), 0.239),
    term("pictures", |seen| seen.photo, Liked::More, (0.02, 0.30), 0.069),
    term("depth of colour", |seen| seen.depth, Liked::More, (3.0, 5.0), 0.072),
    term("depth of colour", |seen| seen.depth, Liked::More, (5.0, 9.0), 0.304),
    term("flatness", |seen| seen.flatness, Liked::Less, (0.30, 0.90), 0.306),
    term("softness", |seen| seen.softness, Liked::More, (0.56, 0.76), 0.488),
    term("edges", |seen| seen.edges, Liked::Less, (0.25, 0.33), 0.300),
    term("large shapes", |seen| seen.shapes, Liked::More, (0.50, 0.72), 0.504),
    term("large shapes", |seen| seen.shapes, Liked::More, (0.72, 0.85), 0.141),
    term("letters", |seen| seen.text, Liked::Less, (0.12, 0.25), 0.274),
    term("letters", |seen| seen.text, Liked::Less, (0.25, 0.38), 0.301),
];

/// What a figure does to the rating.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pull {
    pub(crate) name: &'static str,
    pub(crate) value: f64,
    /// Points more or less than in the middle of its bounds.
    pub(crate) points: f64,
}

/// The rating that people would give, on their scale from 1 to 9, and what each figure does to it.
pub(crate) fn rating(figures: &Figures) -> (f64, Vec<Pull>) {
    let mut pulls: Vec<Pull> = Vec::new();
    let mut rating = BASE;
    for term in TERMS {
        let value = (term.of)(figures);
        let way = ((value - term.from) / (term.to - term.from)).clamp(0.0, 1.0);
        let sign = match term.liked {
            Liked::More => 1.0,
            Liked::Less => -1.0,
        };
        rating += sign * term.weight * way;
        let points = sign * term.weight * (way - 0.5);
        match pulls.iter_mut().find(|pull| pull.name == term.name) {
            Some(pull) => pull.points += points,
            None => pulls.push(Pull { name: term.name, value, points }),
        }
    }
    (rating, pulls)
}

impl Figures {
    /// Every figure by its name, for fitting.
    pub(super) fn named(&self) -> Vec<(&'static str, f64)> {
        vec![
            ("congestion", self.congestion),
            ("edges", self.edges),
            ("softness", self.softness),
            ("photo", self.photo),
            ("largest_photo", self.largest_photo),
            ("text", self.text),
            ("depth", self.depth),
            ("flatness", self.flatness),
            ("shapes", self.shapes),
            ("fill", self.fill),
            ("cells", self.cells),
            ("lopsided", self.lopsided),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::impression::Bitmap;

    /// A picture of 320 by 200 pixels, each by its place.
    fn picture(of: impl Fn(u32, u32) -> [u8; 3]) -> Figures {
        let rgba: Vec<u8> = (0..200)
            .flat_map(|y| (0..320).map(move |x| (x, y)))
            .flat_map(|(x, y)| {
                let [red, green, blue] = of(x, y);
                [red, green, blue, 255]
            })
            .collect();
        Bitmap::of(320, &rgba).expect("whole rows").figures()
    }

    const WHITE: [u8; 3] = [255; 3];
    const BLACK: [u8; 3] = [0; 3];

    #[test]
    fn a_crowded_picture_is_rated_lower_than_one_of_few_large_shapes() {
        let crowded = picture(|x, y| if (x / 3 + y / 3).is_multiple_of(2) { BLACK } else { WHITE });
        let calm =
            picture(|x, y| if y < 90 { [30, 60, 90 + u8::try_from(x / 4).unwrap_or(0)] } else { WHITE });
        assert!(crowded.congestion > 0.9 && calm.congestion < 0.1, "{crowded:?} {calm:?}");
        assert!(rating(&crowded).0 + 1.0 < rating(&calm).0);
    }

    #[test]
    fn light_and_dark_are_the_same_when_all_else_is() {
        let lines = |ink: [u8; 3], paper: [u8; 3]| {
            picture(move |x, y| if y % 12 < 2 && x % 50 < 40 { ink } else { paper })
        };
        let (light, dark) = (rating(&lines(BLACK, WHITE)).0, rating(&lines(WHITE, BLACK)).0);
        assert!((light - dark).abs() < 0.05, "{light} {dark}");
    }

    #[test]
    fn what_each_figure_does_adds_up() {
        let figures = picture(|x, y| if x < 100 && y < 100 { BLACK } else { WHITE });
        let (rating, pulls) = rating(&figures);
        let middle: f64 = BASE
            + TERMS
                .iter()
                .map(|term| match term.liked {
                    Liked::More => term.weight / 2.0,
                    Liked::Less => -term.weight / 2.0,
                })
                .sum::<f64>();
        let sum: f64 = pulls.iter().map(|pull| pull.points).sum();
        assert!((rating - middle - sum).abs() < 1e-9);
    }

    #[test]
    fn half_a_picture_is_none() {
        assert_eq!(Bitmap::of(3, &[0; 16]), None);
        assert_eq!(Bitmap::of(0, &[]), None);
        assert_eq!(Bitmap::of(2, &[0; 7]), None);
    }
}
