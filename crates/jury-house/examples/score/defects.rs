//! Defects of design that are put into a page: rules behind its own that reach one element each. The page's source stays
//! as it is. Which elements are reached follows from their place alone, so that a page is always broken in the same way.

use std::fmt::Write as _;

use jury_eye::{Layout, Node, Snapshot};

/// A page with a defect, or with a change that should make no difference.
pub(crate) struct Made {
    pub(crate) family: &'static str,
    pub(crate) grade: &'static str,
    /// `defect` or `same`.
    pub(crate) kind: &'static str,
    pub(crate) html: String,
}

/// How much of a page a defect reaches, and how far.
#[derive(Clone, Copy)]
struct Grade {
    name: &'static str,
    /// The share of elements that it reaches.
    reach: f32,
    /// From 0 to 1.
    force: f32,
}

const GRADES: [Grade; 3] = [
    Grade { name: "mild", reach: 0.3, force: 0.3 },
    Grade { name: "medium", reach: 0.5, force: 0.6 },
    Grade { name: "severe", reach: 0.8, force: 1.0 },
];

type Inject = fn(&Ground<'_>, Grade) -> String;

/// Every family with how it is put in.
const FAMILIES: &[(&str, Inject)] = &[
    ("x-shift", |page, grade| {
        page.each(Which::Blocks, grade, 1, |at| {
            format!("transform:translateX({:.0}px)", odd(at.signed() * (3.0 + 37.0 * grade.force)))
        })
    }),
    ("y-shift", |page, grade| {
        page.each(Which::Blocks, grade, 2, |at| {
            format!("position:relative;top:{:.0}px", odd(at.signed() * (3.0 + 27.0 * grade.force)))
        })
    }),
    ("spacing noise", |page, grade| {
        page.each(Which::Blocks, grade, 3, |at| {
            format!(
                "margin-top:{:.0}px;margin-bottom:{:.0}px",
                4.0 + at.one() * 60.0 * grade.force,
                3.0 + at.two() * 50.0 * grade.force
            )
        })
    }),
    ("off-scale spacing", |page, grade| {
        page.each(Which::Blocks, grade, 4, |at| {
            format!("margin-bottom:{:.0}px;padding-top:{:.0}px", 9.0 + 14.0 * at.one(), 1.0 + 8.0 * at.two())
        })
    }),
    ("crowd", |page, grade| {
        let most = [6.0, 3.0, 0.0][page.index(grade)];
        page.every(Which::Boxes, |_| {
            format!(
                "padding:{most}px;margin-top:{most}px;margin-bottom:{most}px;gap:{most}px;line-height:{}",
                1.25 - 0.2 * grade.force
            )
        })
    }),
    ("scatter", |page, grade| {
        page.every(Which::Blocks, |_| {
            format!(
                "margin-top:{:.0}px;margin-bottom:{:.0}px",
                40.0 + 80.0 * grade.force,
                40.0 + 80.0 * grade.force
            )
        })
    }),
    ("size noise", |page, grade| {
        page.each(Which::Texts, grade, 7, |at| {
            format!("font-size:{:.1}px", at.size * (1.0 + at.signed() * (0.2 + 0.4 * grade.force)))
        })
    }),
    ("flat hierarchy", |page, grade| {
        page.every(Which::Headings, |_| {
            format!("font-size:{:.1}px;font-weight:400", 16.0 * (1.15 - 0.15 * grade.force))
        })
    }),
    ("inverted hierarchy", |page, grade| {
        let mut css = page.every(Which::Main, |_| "font-size:17px".to_owned());
        if grade.force > 0.5 {
            css.push_str(&page.every(Which::Lower, |_| "font-size:40px".to_owned()));
        } else {
            css.push_str(&page.every(Which::Lower, |_| "font-size:28px".to_owned()));
        }
        css
    }),
    ("family salad", |page, grade| {
        const FONTS: [&str; 6] = [
            "Georgia,serif",
            "monospace",
            "cursive",
            "Arial,sans-serif",
            "fantasy",
            "'Times New Roman',serif",
        ];
        page.each(Which::Texts, grade, 10, |at| format!("font-family:{}", FONTS[at.pick(FONTS.len())]))
    }),
    ("all capitals", |page, grade| {
        page.each(Which::Long, grade, 11, |_| "text-transform:uppercase".to_owned())
    }),
    ("all centred", |page, grade| {
        page.each(Which::Long, Grade { reach: 0.4 + 0.6 * grade.force, ..grade }, 12, |_| {
            "text-align:center".to_owned()
        })
    }),
    ("wall of text", |page, _| {
        let mut css = page.every(Which::Texts, |_| {
            "font-size:15px;font-weight:400;margin:0;padding:0;max-width:none;width:auto".to_owned()
        });
        css.push_str(&page.every(Which::Boxes, |_| {
            "display:block;max-width:none;width:auto;padding:0;margin:0;background:none;border:0".to_owned()
        }));
        css
    }),
    ("narrow column", |page, grade| {
        page.every(Which::Long, |_| format!("max-width:{:.0}ch", 24.0 - 12.0 * grade.force))
    }),
    ("leading", |page, grade| {
        let tight = 1.15 - 0.2 * grade.force;
        page.every(Which::Texts, |_| format!("line-height:{tight}"))
    }),
    ("clashing hues", |page, grade| {
        page.each(Which::Filled, Grade { reach: 0.35 + 0.6 * grade.force, ..grade }, 16, |at| {
            format!(
                "background:hsl({:.0} {:.0}% {:.0}%)",
                360.0 * at.one(),
                60.0 + 40.0 * grade.force,
                50.0 + 20.0 * at.two()
            )
        })
    }),
    ("rainbow text", |page, grade| {
        page.each(Which::Texts, grade, 18, |at| format!("color:hsl({:.0} 90% 45%)", 360.0 * at.one()))
    }),
    ("fade", |page, grade| page.every(Which::Texts, |_| format!("opacity:{:.2}", 0.75 - 0.45 * grade.force))),
    ("colour noise", |page, grade| {
        page.each(Which::Filled, grade, 20, |at| {
            format!("background:hsl({:.0} 35% {:.0}%)", 360.0 * at.one(), 70.0 + 20.0 * at.two())
        })
    }),
    ("border salad", |page, grade| {
        page.each(Which::Filled, grade, 22, |at| {
            format!(
                "border:{:.0}px {} hsl({:.0} 60% 50%)",
                1.0 + 6.0 * at.one() * grade.force,
                ["solid", "dashed", "double", "ridge"][at.pick(4)],
                360.0 * at.two()
            )
        })
    }),
    ("padding salad", |page, grade| {
        page.each(Which::Filled, grade, 23, |at| {
            format!("padding:{:.0}px {:.0}px", 40.0 * at.one(), 40.0 * at.two())
        })
    }),
    ("empty hero", |page, grade| {
        page.each(Which::First, Grade { reach: 0.5 + 0.5 * grade.force, ..grade }, 26, |_| {
            "visibility:hidden".to_owned()
        })
    }),
    ("nearly blank", |page, grade| {
        let kept = [10, 5, 1][page.index(grade)];
        page.but(kept)
    }),
    ("overlap", |page, grade| {
        page.each(Which::Blocks, grade, 29, |at| {
            format!("margin-top:-{:.0}px", 10.0 + 50.0 * grade.force * at.one())
        })
    }),
    ("uneven cards", |page, grade| {
        page.each(Which::Filled, grade, 31, |at| {
            format!(
                "width:{:.0}px;min-height:{:.0}px",
                at.width * (1.0 - 0.4 * at.one() * grade.force),
                at.height * (1.0 + 0.4 * at.two() * grade.force)
            )
        })
    }),
    ("lopsided", |page, grade| {
        let share = 55.0 - 20.0 * grade.force;
        page.every(Which::Body, |_| format!("width:{share:.0}%;max-width:none;margin:0"))
    }),
    ("tilted", |page, grade| {
        page.each(Which::Blocks, grade, 37, |at| {
            format!("transform:rotate({:.1}deg)", at.signed() * (2.0 + 10.0 * grade.force))
        })
    }),
    ("strewn", |page, grade| {
        page.each(Which::Texts, Grade { reach: 0.4 + 0.6 * grade.force, ..grade }, 38, |at| {
            format!("position:absolute;left:{:.0}px;top:{:.0}px", 1000.0 * at.one(), 900.0 * at.two())
        })
    }),
    ("unstyled", |page, _| page.every(Which::All, |_| "all:revert".to_owned())),
];

/// Changes that should make no difference.
const SAME: &[(&str, Inject)] = &[
    ("extra gap at the end", |_, _| "body::after{content:\"\";display:block;height:40px}".to_owned()),
    ("zoom 1.1", |page, _| page.every(Which::Root, |_| "zoom:1.1".to_owned())),
    ("square corners", |_, _| "*{border-radius:0!important;box-shadow:none!important}".to_owned()),
];

/// Every defect in a page, in every grade, then what should change nothing.
pub(crate) fn all(html: &str, snapshot: &Snapshot) -> Vec<Made> {
    let page = Ground::of(snapshot);
    let put = |css: &str| format!("{html}\n<style>{css}</style>");
    let mut made = Vec::new();
    for (family, inject) in FAMILIES {
        let mut before = String::new();
        for grade in GRADES {
            let css = inject(&page, grade);
            if css.is_empty() || css == before {
                continue;
            }
            made.push(Made { family, grade: grade.name, kind: "defect", html: put(&css) });
            before = css;
        }
    }
    for (family, inject) in SAME {
        let css = inject(&page, GRADES[0]);
        made.push(Made { family, grade: "", kind: "same", html: put(&css) });
    }
    made
}

/// Which elements a defect is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    /// Blocks in the flow that hold text or other blocks.
    Blocks,
    /// Blocks that paint something, but not a whole section.
    Filled,
    Boxes,
    /// Elements with text of their own.
    Texts,
    /// Those with a lot of it.
    Long,
    Headings,
    Main,
    Lower,
    /// What begins in the first window.
    First,
    Body,
    Root,
    All,
}

/// An element that is reached.
struct At {
    hash: u64,
    size: f32,
    width: f32,
    height: f32,
}

impl At {
    fn part(&self, shift: u32) -> f32 {
        f32::from(u16::try_from((self.hash >> shift) & 0xffff).unwrap_or(0)) / 65_535.0
    }

    fn one(&self) -> f32 {
        self.part(0)
    }

    fn two(&self) -> f32 {
        self.part(16)
    }

    /// From -1 to 1, and never near 0.
    fn signed(&self) -> f32 {
        let far = 0.35 + 0.65 * self.one();
        if self.two() < 0.5 { -far } else { far }
    }

    fn pick(&self, of: usize) -> usize {
        usize::try_from(self.hash >> 40).unwrap_or(0) % of
    }
}

/// Never a multiple of 8.
fn odd(shift: f32) -> f32 {
    let whole = shift.round();
    if (whole % 8.0).abs() < 0.5 { whole + 3.0 } else { whole }
}

struct Ground<'a> {
    snapshot: &'a Snapshot,
    paths: Vec<String>,
}

impl<'a> Ground<'a> {
    fn of(snapshot: &'a Snapshot) -> Self {
        let mut children = vec![0_usize; snapshot.nodes.len()];
        let mut paths: Vec<String> = Vec::new();
        for node in &snapshot.nodes {
            let path = match node.parent {
                Some(parent) => {
                    children[parent.index()] += 1;
                    format!("{}>{}:nth-child({})", paths[parent.index()], node.tag, children[parent.index()])
                }
                None => node.tag.clone(),
            };
            paths.push(path);
        }
        Self { snapshot, paths }
    }

    #[expect(clippy::unused_self, reason = "reads better")]
    fn index(&self, grade: Grade) -> usize {
        GRADES.iter().position(|one| one.name == grade.name).unwrap_or(0)
    }

    fn members(&self, which: Which) -> Vec<&'a Node> {
        self.snapshot.nodes.iter().filter(|node| Self::is(which, node)).collect()
    }

    fn is(which: Which, node: &Node) -> bool {
        let Some((style, rect)) = node.style.as_ref().zip(node.rect) else {
            return which == Which::All
                && !matches!(node.tag.as_str(), "head" | "style" | "script" | "title" | "meta" | "link");
        };
        let text = node.text.chars().count();
        let level = match node.tag.as_bytes() {
            [b'h', digit @ b'1'..=b'6'] => Some(digit - b'0'),
            _ => None,
        };
        let inner = !matches!(node.tag.as_str(), "html" | "body" | "head") && node.shown && rect.area() > 0.0;
        let block = inner && style.layout != Layout::Inline && node.tag != "svg";
        match which {
            Which::Blocks => block && rect.height >= 12.0 && rect.height < 500.0 && rect.width < 1_200.0,
            Which::Filled => {
                block
                    && (!style.backdrop.is_none() || style.border.top > 0.0)
                    && rect.height < 700.0
                    && rect.width < 1_150.0
            }
            Which::Boxes => block && text == 0,
            Which::Texts => inner && text > 1,
            Which::Long => block && text > 40,
            Which::Headings => level.is_some() && inner,
            Which::Main => level == Some(1) && inner,
            Which::Lower => level.is_some_and(|level| level > 1) && inner,
            Which::First => inner && rect.y < 800.0 && (text > 0 || node.tag == "img" || node.tag == "svg"),
            Which::Body => node.tag == "body",
            Which::Root => node.tag == "html",
            Which::All => true,
        }
    }

    fn rule(&self, node: &Node, declarations: &str) -> String {
        let important = declarations.replace(';', "!important;");
        format!("{}{{{important}!important}}\n", self.paths[node.id.index()])
    }

    fn at(node: &Node, salt: u64) -> At {
        let mut hash = (u64::from(node.id.0) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ salt.wrapping_mul(0xd6e8_feb8_6659_fd93);
        hash ^= hash >> 32;
        hash = hash.wrapping_mul(0xd6e8_feb8_6659_fd93);
        hash ^= hash >> 29;
        let rect = node.rect;
        At {
            hash,
            size: node.style.as_ref().map_or(16.0, |style| style.font_size),
            width: rect.map_or(0.0, |rect| rect.width),
            height: rect.map_or(0.0, |rect| rect.height),
        }
    }

    /// Reaches a share of them.
    fn each(&self, which: Which, grade: Grade, salt: u64, declare: impl Fn(&At) -> String) -> String {
        let mut css = String::new();
        let reached = self.members(which).into_iter().filter(|node| {
            let chosen = Self::at(node, salt + 1000);
            chosen.one() < grade.reach
        });
        for node in reached {
            let _ = write!(css, "{}", self.rule(node, &declare(&Self::at(node, salt))));
        }
        css
    }

    fn every(&self, which: Which, declare: impl Fn(&At) -> String) -> String {
        self.members(which).into_iter().map(|node| self.rule(node, &declare(&Self::at(node, 0)))).collect()
    }

    /// Hides all text but the first few pieces, and all pictures.
    fn but(&self, kept: usize) -> String {
        let mut texts = 0;
        let mut css = String::new();
        for node in &self.snapshot.nodes {
            let is_picture = matches!(node.tag.as_str(), "img" | "svg" | "canvas" | "video");
            let is_text = Self::is(Which::Texts, node);
            texts += usize::from(is_text);
            if is_picture || is_text && texts > kept {
                css.push_str(&self.rule(node, "display:none"));
            } else if Self::is(Which::Filled, node) {
                css.push_str(&self.rule(node, "background:none;border:0"));
            }
        }
        css
    }
}
