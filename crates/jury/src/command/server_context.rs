//! What the daemon tells about where it runs: settings, agents, skills.

use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use jury_core::id::AgentId;
use jury_engine::{ListedSkill, SKILLS, list_skills};
use jury_learning::files::LearningPaths;
use jury_server::{AgentKind, Intake, KnownAgent, KnownSkill, ServerContext, Setting};
use jury_store::Mirror;

use super::agents::seats::{Seat, Seats, local_port};
use super::doctor::find_program;
use super::serve::Current;
use crate::library::Folder;
use crate::settings::Settings;

/// How long a server on this machine has to take a connection.
const MOMENT: Duration = Duration::from_millis(50);

/// Everything about the settings of the moment.
pub(super) fn server_context(
    current: &Current,
    learning: LearningPaths,
    intake: Arc<dyn Intake>,
    mirror: Option<Mirror>,
) -> ServerContext {
    let of = |current: &Current| Arc::clone(&current.read().unwrap_or_else(PoisonError::into_inner));
    let [for_setting, for_agents, for_content] = [(); 3].map(|()| Arc::clone(current));
    ServerContext {
        setting: Arc::new(move || {
            let settings = of(&for_setting);
            Setting { critique: settings.critique.clone(), enabled_given: settings.enabled_given }
        }),
        agents: Arc::new(move || agents(&of(&for_agents))),
        skills: Arc::new(|| skills(Path::new(SKILLS))),
        learning,
        intake,
        library: Arc::new(Folder::new(of(current).ideas.clone(), move || of(&for_content).critique.evidence)),
        mirror,
    }
}

fn agents(settings: &Settings) -> Vec<KnownAgent> {
    let seats = match Seats::load(settings) {
        Ok(seats) => seats,
        Err(refusal) => {
            tracing::error!(error = %refusal.message, "the agents cannot be listed");
            return Vec::new();
        }
    };
    seats
        .all()
        .filter_map(|(id, seat)| {
            // A name in jury.toml that is none cannot be asked for.
            let id: AgentId = id.parse().ok()?;
            let (available, detail) = look(seat, &seats);
            Some(KnownAgent { id, kind: kind(seat), available, detail })
        })
        .collect()
}

fn kind(seat: Seat<'_>) -> AgentKind {
    match seat {
        Seat::House => AgentKind::House,
        Seat::Own(_) => AgentKind::Own,
        Seat::Program(_) => AgentKind::Program,
        Seat::Service(_) => AgentKind::Service,
    }
}

/// Whether somebody is here, as far as can be told without asking, and what to say about it.
fn look<'a>(seat: Seat<'a>, seats: &'a Seats<'a>) -> (bool, String) {
    if let Some(program) = seats.program(seat)
        && find_program(program).is_none()
    {
        return (false, format!("there is no program '{program}' on PATH"));
    }
    if let Some(variable) = seats.key_variable(seat)
        && std::env::var_os(variable).is_none_or(|value| value.is_empty())
    {
        return (false, format!("needs a key in {variable}"));
    }
    match seat {
        Seat::House => (true, "measures and repairs; does not write".to_owned()),
        Seat::Own(own) => {
            let what = [&own.adapter, &own.vendor, &own.model].into_iter().flatten();
            (true, own.command.iter().chain(what).map(String::as_str).collect::<Vec<_>>().join(" "))
        }
        Seat::Program(adapter) => (true, adapter.title.clone()),
        Seat::Service(vendor) => match local_port(&vendor.base_url) {
            Some(port) if !answers(port) => {
                (false, format!("{} does not answer on port {port} of this machine", vendor.name))
            }
            Some(_) | None => (true, format!("{}, {}", vendor.name, vendor.default_model)),
        },
    }
}

fn answers(port: u16) -> bool {
    TcpStream::connect_timeout(&SocketAddr::from((Ipv4Addr::LOCALHOST, port)), MOMENT).is_ok()
}

/// The skills that requests can name.
fn skills(folder: &Path) -> Vec<KnownSkill> {
    list_skills(folder)
        .into_iter()
        .map(|ListedSkill { id, shipped, skill }| match skill {
            Ok(skill) => KnownSkill {
                id,
                shipped,
                description: skill.description,
                policy: skill.policy,
                trouble: None,
            },
            Err(error) => {
                KnownSkill { id, shipped, description: None, policy: None, trouble: Some(error.to_string()) }
            }
        })
        .collect()
}
