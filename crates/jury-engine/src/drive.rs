//! The one loop that drives every run: what happened goes into the machine of the run's workflow, its events go into the
//! log, and its effects are carried out.
//!
//! The order is always the same: append, then show, then act. A crash can lose an effect, never a fact. Between the machine
//! and the log is a bounded mailbox; an effect begins when everything before it is on disk.

use std::time::Duration;

use jiff::Timestamp;
use jury_core::machine::{Outbox, Output};
use jury_core::unit::Millis;
use jury_core::workflow::WorkflowEvent;
use jury_store::StoreError;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use crate::log::{Log, LogClosed, LogMessage, Mailbox, RunClock, mailbox};
use crate::trace::{self, Spans};

/// A run that can be driven: the machine of its workflow, and everything that carries out its effects.
pub(crate) trait Play: Send {
    /// The events of the workflow.
    type Event: WorkflowEvent;
    /// What can happen to the run.
    type Input: Send;
    /// What its machine wants done.
    type Effect: Send;

    /// Lets the machine decide what an input means.
    fn handle(&mut self, input: Self::Input, now: Millis, out: &mut Outbox<Self::Event, Self::Effect>);

    /// The input for a person who wants the run to stop.
    fn interrupt() -> Self::Input;

    /// The input for a deadline that may have passed.
    fn deadline_passed() -> Self::Input;

    /// When the machine wants to be told that time has passed.
    fn deadline(&self) -> Option<Millis>;

    /// Whether there is nothing to do: the run has ended, or waits.
    fn is_idle(&self) -> bool;

    /// Posts the events of a step, in order and after the bodies that they refer to, and returns its effects.
    fn post(
        &mut self,
        mailbox: &Mailbox,
        now: Millis,
        out: Outbox<Self::Event, Self::Effect>,
    ) -> impl Future<Output = Result<Vec<Self::Effect>, Halt>> + Send {
        post_events(mailbox, now, out)
    }

    /// Begins an effect, once the events of its step are in the log.
    fn begin(
        &mut self,
        effect: Self::Effect,
        interrupt: &CancellationToken,
    ) -> impl Future<Output = Result<Begun<Self::Input>, StoreError>> + Send;

    /// Waits for the next thing to happen. Losing the future loses nothing.
    fn next(&mut self) -> impl Future<Output = Result<Vec<Self::Input>, StoreError>> + Send;

    /// Ends whatever is being done, and waits until nothing of it is left.
    fn end(&mut self) -> impl Future<Output = ()> + Send;
}

/// What became of an effect that was begun.
#[derive(Debug)]
pub(crate) enum Begun<Input> {
    /// It is being carried out; [`Play::next`] brings its result.
    Later,
    /// It is done, with this result.
    Now(Input),
    /// It cannot be done now: the run is put back into the queue.
    PutBack,
}

/// Why the loop ends before the run does.
#[derive(Debug)]
pub(crate) enum Halt {
    /// The log takes nothing any more, and says why itself.
    Closed,
    /// Something else could not be kept.
    Store(StoreError),
}

impl From<LogClosed> for Halt {
    fn from(_: LogClosed) -> Self {
        Self::Closed
    }
}

impl From<StoreError> for Halt {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Drives a run until it has ended or waits. When this returns its events are in the log, and nothing of it is left running.
pub(crate) async fn drive<P: Play>(
    log: &mut Log<'_>,
    play: &mut P,
    first: Vec<P::Input>,
    interrupt: &CancellationToken,
) -> Result<(), StoreError> {
    let spans = Spans::of::<P::Event>();
    let span = spans.run(log.run);
    let (mailbox, letters) = mailbox();
    let clock = log.clock;
    let playing = async move {
        let played = turn(&mailbox, clock, play, first, interrupt).await;
        // Nothing more comes: what is left is written while the rest is being ended.
        drop(mailbox);
        play.end().await;
        played
    };
    let both = async { tokio::join!(log.keep(letters, spans), playing) };
    // On the heap: whoever waits for a run, and there are many layers of them, need not carry all of it.
    let (kept, played) = Box::pin(both.instrument(span.clone())).await;
    kept?;
    if let Err(Halt::Store(error)) = played {
        return Err(error);
    }
    if !span.is_disabled()
        && let Some(row) = log.store.run(log.run).await?
    {
        trace::ended(&span, &row);
    }
    Ok(())
}

async fn turn<P: Play>(
    mailbox: &Mailbox,
    clock: RunClock,
    play: &mut P,
    mut inputs: Vec<P::Input>,
    interrupt: &CancellationToken,
) -> Result<(), Halt> {
    // Told once: what is being done may take its time to end.
    let mut told = false;
    loop {
        let now = clock.now();
        let mut out = Outbox::new();
        for input in inputs.drain(..) {
            play.handle(input, now, &mut out);
        }
        let effects = play.post(mailbox, now, out).await?;
        if !effects.is_empty() {
            mailbox.barrier().await?;
        }
        for effect in effects {
            match play.begin(effect, interrupt).await? {
                Begun::Later => {}
                Begun::Now(input) => inputs.push(input),
                Begun::PutBack => return Ok(()),
            }
        }
        if play.is_idle() {
            return Ok(());
        }
        if inputs.is_empty() {
            let deadline = play.deadline().map(|at| clock.moment(at));
            inputs = tokio::select! {
                biased;
                () = mailbox.closed() => return Err(Halt::Closed),
                () = interrupt.cancelled(), if !told => {
                    told = true;
                    vec![P::interrupt()]
                }
                () = until(deadline), if deadline.is_some() => vec![P::deadline_passed()],
                happened = play.next() => happened?,
            };
        }
    }
}

/// Posts events, in order, and returns the effects among them.
pub(crate) async fn post_events<E: WorkflowEvent, Effect>(
    mailbox: &Mailbox,
    now: Millis,
    out: Outbox<E, Effect>,
) -> Result<Vec<Effect>, Halt> {
    let mut effects = Vec::new();
    for output in out {
        match output {
            Output::Event(event) => mailbox.post(LogMessage::Event(now, Box::new(event.into()))).await?,
            Output::Effect(effect) => effects.push(effect),
        }
    }
    Ok(effects)
}

/// What is being done for a run, each in a task of its own.
#[derive(Debug)]
pub(crate) struct Tasks<T> {
    spans: Spans,
    set: JoinSet<T>,
    stop: CancellationToken,
}

impl<T: Send + 'static> Tasks<T> {
    pub(crate) fn of<E: WorkflowEvent>() -> Self {
        Self { spans: Spans::of::<E>(), set: JoinSet::new(), stop: CancellationToken::new() }
    }

    /// What tells a task to end before it is done.
    pub(crate) fn stop(&self) -> CancellationToken {
        self.stop.clone()
    }

    pub(crate) fn spawn(&mut self, what: &'static str, task: impl Future<Output = T> + Send + 'static) {
        self.set.spawn(task.instrument(self.spans.effect(what)));
    }

    /// Waits for the next result; why there is none, if a task broke or there is none left.
    pub(crate) async fn next(&mut self) -> Result<T, String> {
        match self.set.join_next().await {
            Some(Ok(done)) => Ok(done),
            Some(Err(broken)) => Err(format!("the program broke: {broken}")),
            // Nothing is being done and the machine still waits: it cannot be, but it must not hang.
            None => Err("nothing is left to do, and there is no verdict".to_owned()),
        }
    }

    /// Ends what is being done, and waits until nothing of it is left. Its results are not wanted any more.
    pub(crate) async fn end(&mut self) {
        self.stop.cancel();
        while self.set.join_next().await.is_some() {}
        self.stop = CancellationToken::new();
    }
}

/// The instant of a moment that has passed.
pub(crate) fn instant(moment: Timestamp) -> Instant {
    let passed = Timestamp::now().as_millisecond().saturating_sub(moment.as_millisecond());
    let passed = Duration::from_millis(u64::try_from(passed).unwrap_or(0));
    Instant::now().checked_sub(passed).unwrap_or_else(Instant::now)
}

pub(crate) async fn until(moment: Option<Instant>) {
    if let Some(moment) = moment {
        sleep_until(moment).await;
    }
}
