//! `jury critic`: a document against criteria, pass after pass.

mod answer;
mod asking;
mod check;
mod criteria;
mod deferrals;
mod drive;
mod init;
mod resume;
mod run;
mod show;
mod stop;

pub(super) use answer::name_of_user;
pub(super) use drive::{answer_overdue, cast, resume_here};

use crate::cli::{CriticArgs, CriticCommand, Global};
use crate::output::Output;
use crate::refusal::Refusal;

pub(crate) fn critic(args: CriticArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    match args.command {
        CriticCommand::Run(args) => crate::blocking(run::run(*args, global, output)),
        CriticCommand::Check(args) => check::check(&args, output),
        CriticCommand::Init(args) => init::init(args, output),
        CriticCommand::Criteria(args) => criteria::criteria(&args, output),
        CriticCommand::Show(args) => crate::blocking(show::show(args, global, output)),
        CriticCommand::Resume(args) => crate::blocking(resume::resume(args, global, output)),
        CriticCommand::Stop(args) => crate::blocking(stop::stop(args, global, output)),
        CriticCommand::Deferrals(args) => crate::blocking(deferrals::deferrals(args, global, output)),
    }
}
