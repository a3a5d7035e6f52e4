//! Everybody who can be asked by name: the house, the agents of jury.toml, agent programs, services.

use std::sync::Arc;

use jury_agents::adapter::{Adapter, Adapters};
use jury_agents::api::Vendor;
use jury_core::id::AgentId;

use crate::agent::load_adapters;
use crate::refusal::Refusal;
use crate::settings::{AgentSettings, Settings};

/// The adapter that stands for commands of jury.toml, and is no agent by itself.
const COMMAND: &str = "command";

/// Every agent and service that is known.
pub(in crate::command) struct Seats<'a> {
    settings: &'a Settings,
    adapters: Arc<Adapters>,
    vendors: Vec<Vendor>,
}

/// What an agent is.
#[derive(Debug, Clone, Copy)]
pub(in crate::command) enum Seat<'a> {
    /// The built-in panel, which measures and does not write.
    House,
    /// An agent of jury.toml.
    Own(&'a AgentSettings),
    /// A program on this machine.
    Program(&'a Adapter),
    /// The API of a model.
    Service(&'a Vendor),
}

impl<'a> Seats<'a> {
    pub(in crate::command) fn load(settings: &'a Settings) -> Result<Self, Refusal> {
        let vendors = Vendor::all().map_err(|error| Refusal::inconclusive(error.to_string()))?;
        Ok(Self { settings, adapters: load_adapters()?, vendors })
    }

    /// Everybody, in the order in which names are looked up.
    pub(in crate::command) fn all(&'a self) -> impl Iterator<Item = (&'a str, Seat<'a>)> {
        let house = std::iter::once(("house", Seat::House));
        let own = self.settings.agents.iter().map(|(id, agent)| (id.as_str(), Seat::Own(agent)));
        let taken = |id: &str| id == "house" || self.settings.agents.contains_key(id);
        let programs = self
            .adapters
            .iter()
            .filter(move |adapter| adapter.id != COMMAND && !taken(&adapter.id))
            .map(|adapter| (adapter.id.as_str(), Seat::Program(adapter)));
        let services = self
            .vendors
            .iter()
            .filter(move |vendor| !taken(&vendor.id))
            .map(|vendor| (vendor.id.as_str(), Seat::Service(vendor)));
        house.chain(own).chain(programs).chain(services)
    }

    pub(in crate::command) fn find(&'a self, agent: &AgentId) -> Result<Seat<'a>, Refusal> {
        self.all().find(|(id, _)| *id == agent.as_str()).map(|(_, seat)| seat).ok_or_else(|| {
            let known: Vec<&str> = self.all().map(|(id, _)| id).collect();
            Refusal::usage(format!("there is no agent '{agent}'; there are: {}", known.join(", ")))
        })
    }

    /// The program behind an agent, where there is one.
    pub(in crate::command) fn program(&'a self, seat: Seat<'a>) -> Option<&'a str> {
        match seat {
            Seat::House | Seat::Service(_) => None,
            Seat::Own(own) => own.command.first().map(String::as_str).or_else(|| {
                let adapter = self.adapters.get(own.adapter.as_deref()?).ok()?;
                Some(adapter.detect.command.as_str())
            }),
            Seat::Program(adapter) => Some(&adapter.detect.command),
        }
    }

    /// The variable that holds the key of a service, where one is needed.
    pub(in crate::command) fn key_variable(&'a self, seat: Seat<'a>) -> Option<&'a str> {
        match seat {
            Seat::House | Seat::Program(_) => None,
            Seat::Own(own) if own.key_file.is_some() => None,
            Seat::Own(own) => own.key_variable.as_deref().or_else(|| {
                let vendor = own.vendor.as_deref()?;
                self.vendors.iter().find(|known| known.id == vendor)?.key_variable.as_deref()
            }),
            Seat::Service(vendor) => vendor.key_variable.as_deref(),
        }
    }
}

/// What to know about a program that cannot be kept from tools as it is.
pub(in crate::command) fn lock_note(adapter: &Adapter) -> Option<&'static str> {
    match (adapter.unlocked(false), adapter.unlocked(true)) {
        (None, _) => None,
        (Some(_), None) => {
            Some("locked with a base_url only; otherwise it needs allow_tools = true in jury.toml")
        }
        (Some(_), Some(_)) => Some("cannot be kept from tools; it needs allow_tools = true in jury.toml"),
    }
}

/// The port of a service that is on this machine.
pub(in crate::command) fn local_port(base_url: &str) -> Option<u16> {
    let (_, place) = base_url.split_once("://")?;
    let (host, port) = place.split('/').next()?.rsplit_once(':')?;
    port.parse().ok().filter(|_| matches!(host, "localhost" | "127.0.0.1"))
}
