//! The panelists of the theater: the five of the protocol, and the seats that a user adds to them.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// A seat on the design jury. The first five are the cast of protocol version 1; a run may add others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Drafts and revises the artifact. Does not score.
    Designer,
    /// Hierarchy, type, contrast, rhythm, space.
    Critic,
    /// Token compliance and voice.
    Brand,
    /// Conformance with WCAG: contrast, names, focus, structure.
    A11y,
    /// Completeness and clarity of the text, and its links.
    Copy,
    /// One that the settings of the run added.
    Seat(AddedSeatName),
}

impl Role {
    /// The fixed cast, in the order of the lanes.
    pub const ALL: [Self; 5] = [Self::Designer, Self::Critic, Self::Brand, Self::A11y, Self::Copy];

    /// The role as the wire writes it.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Designer => "designer",
            Self::Critic => "critic",
            Self::Brand => "brand",
            Self::A11y => "a11y",
            Self::Copy => "copy",
            Self::Seat(name) => name.as_str(),
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A text that names no role of the fixed cast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no such role; the roles are designer, critic, brand, a11y, copy")]
pub struct UnknownRole;

/// One of the fixed cast, in any case. Which seats were added only a run knows.
impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, UnknownRole> {
        Self::ALL.into_iter().find(|role| role.as_str().eq_ignore_ascii_case(text)).ok_or(UnknownRole)
    }
}

impl Serialize for Role {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Logs and settings name roles exactly: one of the fixed cast, or an added seat.
impl<'de> Deserialize<'de> for Role {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        let fixed = Self::ALL.into_iter().find(|role| role.as_str() == text);
        fixed.map_or_else(|| text.parse().map(Self::Seat).map_err(serde::de::Error::custom), Ok)
    }
}

impl PartialSchema for Role {
    fn schema() -> RefOr<Schema> {
        let schema = ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::String)
            .pattern(Some("^[a-z][a-z0-9-]{0,19}$"))
            .examples(Self::ALL.iter().map(Self::as_str))
            .description(Some(
                "A seat on the design jury: designer, critic, brand, a11y, copy, or the name of an added seat.",
            ));
        schema.into()
    }
}

impl ToSchema for Role {}

/// The most bytes of a seat's name.
const LONGEST_NAME: usize = 20;

/// The name of an added seat: a lowercase letter, then lowercase letters, digits and hyphens; not one of the fixed cast.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AddedSeatName {
    /// Zeros follow the name, so that names are ordered like texts.
    bytes: [u8; LONGEST_NAME],
    length: u8,
}

impl AddedSeatName {
    /// A name that is known to be one. What does not fit is cut off.
    pub(crate) const fn known(name: &'static str) -> Self {
        let (text, mut bytes, mut at) = (name.as_bytes(), [0; LONGEST_NAME], 0_u8);
        while (at as usize) < LONGEST_NAME && (at as usize) < text.len() {
            bytes[at as usize] = text[at as usize];
            at += 1;
        }
        Self { bytes, length: at }
    }

    /// The name as it is written.
    pub fn as_str(&self) -> &str {
        // Only ASCII gets in.
        self.bytes
            .get(..usize::from(self.length))
            .and_then(|name| str::from_utf8(name).ok())
            .unwrap_or_default()
    }
}

/// A text that cannot name an added seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a lowercase letter and up to 19 lowercase letters, digits and hyphens, and not designer, critic, brand, a11y or copy"
)]
pub struct BadAddedSeatName;

impl FromStr for AddedSeatName {
    type Err = BadAddedSeatName;

    fn from_str(text: &str) -> Result<Self, BadAddedSeatName> {
        let mut bytes = [0; LONGEST_NAME];
        let room = bytes.get_mut(..text.len()).ok_or(BadAddedSeatName)?;
        room.copy_from_slice(text.as_bytes());
        let known = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let begins = text.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase());
        if !begins || !text.bytes().all(known) || text.ends_with('-') || text.parse::<Role>().is_ok() {
            return Err(BadAddedSeatName);
        }
        Ok(Self { bytes, length: u8::try_from(text.len()).map_err(|_| BadAddedSeatName)? })
    }
}

impl fmt::Display for AddedSeatName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for AddedSeatName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl Serialize for AddedSeatName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for AddedSeatName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<'de, str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl PartialSchema for AddedSeatName {
    fn schema() -> RefOr<Schema> {
        Role::schema()
    }
}

impl ToSchema for AddedSeatName {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_seats_are_checked_and_keep_their_order() {
        for good in ["legal", "perf", "i18n", "a", "seo-2", "abcdefghijklmnopqrst"] {
            assert_eq!(good.parse::<AddedSeatName>().unwrap().as_str(), good);
        }
        for bad in
            ["", "Legal", "2d", "-x", "x-", "a b", "a_b", "é", "critic", "a11y", "abcdefghijklmnopqrstu"]
        {
            assert_eq!(bad.parse::<AddedSeatName>(), Err(BadAddedSeatName), "{bad}");
        }
        let mut names: Vec<AddedSeatName> =
            ["legal", "b", "le", "ba"].map(|name| name.parse().unwrap()).to_vec();
        names.sort_unstable();
        assert_eq!(names.iter().map(AddedSeatName::as_str).collect::<Vec<_>>(), ["b", "ba", "le", "legal"]);
    }

    #[test]
    fn measured_seats_are_seats_by_their_names() {
        for seat in crate::seat::MeasuredSeat::ALL {
            assert_eq!(seat.role(), Role::Seat(seat.name().parse().unwrap()));
        }
    }

    #[test]
    fn roles_are_plain_words_on_the_wire() {
        let seat = Role::Seat("legal".parse().unwrap());
        assert_eq!(serde_json::to_string(&[Role::A11y, seat]).unwrap(), r#"["a11y","legal"]"#);
        assert_eq!(serde_json::from_str::<Vec<Role>>(r#"["a11y","legal"]"#).unwrap(), [Role::A11y, seat]);
        let map = std::collections::BTreeMap::from([(seat, 1)]);
        let text = serde_json::to_string(&map).unwrap();
        assert_eq!(serde_json::from_str::<std::collections::BTreeMap<Role, i32>>(&text).unwrap(), map);
        assert!(serde_json::from_str::<Role>(r#""Boss!""#).is_err());
    }
}
