//! Writing together: whoever wants to write while a transaction goes on waits, and all who wait share the next
//! one. A sync of the disk is what a commit costs, and so many at once cost one.
//!
//! Each still has its own success or failure: one that conflicts is rolled back alone. Nobody hears of success
//! before the transaction that holds it is on the disk.

use std::pin::Pin;
use std::sync::{MutexGuard, PoisonError, Weak, mpsc};

use sqlx::SqliteConnection;
use tokio::sync::oneshot;

use crate::error::{StoreError, io, sql};
use crate::store::{Shared, Store, begin};

/// What is done in a transaction.
pub(crate) type Doing<'c, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'c>>;

/// Those who wait for the next transaction.
#[derive(Default)]
pub(crate) struct Waiting {
    jobs: Vec<Box<dyn Job>>,
    /// Wakes the thread that writes.
    writer: Option<mpsc::Sender<()>>,
    /// The writer is about to carry them out.
    awaited: bool,
}

impl std::fmt::Debug for Waiting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Waiting").field("jobs", &self.jobs.len()).finish_non_exhaustive()
    }
}

/// A piece of work, whatever it gives back.
trait Job: Send {
    /// Does it. Whether it is to be kept.
    fn run<'c>(
        &'c mut self,
        connection: &'c mut SqliteConnection,
    ) -> Pin<Box<dyn Future<Output = bool> + Send + 'c>>;

    /// Says what became of it: what it gave back, unless it came to nothing after all.
    fn settle(self: Box<Self>, failure: Option<&StoreError>);
}

struct Task<T, F> {
    work: Option<F>,
    result: Option<Result<T, StoreError>>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, F> Job for Task<T, F>
where
    T: Send,
    F: for<'c> FnOnce(&'c mut SqliteConnection) -> Doing<'c, T> + Send,
{
    fn run<'c>(
        &'c mut self,
        connection: &'c mut SqliteConnection,
    ) -> Pin<Box<dyn Future<Output = bool> + Send + 'c>> {
        Box::pin(async move {
            if let Some(work) = self.work.take() {
                self.result = Some(work(connection).await);
            }
            matches!(self.result, Some(Ok(_)))
        })
    }

    fn settle(self: Box<Self>, failure: Option<&StoreError>) {
        let result = match (self.result, failure) {
            (Some(Err(error)), _) => Err(error),
            (_, Some(failure)) => Err(failure.again()),
            (Some(Ok(value)), None) => Ok(value),
            // Without a result nobody was told anything: the reply is dropped, and that is an answer too.
            (None, None) => return,
        };
        // Whoever asked may be gone. What was written stays.
        drop(self.reply.send(result));
    }
}

impl Store {
    /// Does this in a transaction, together with whatever else waits. All of it is kept or nothing; when this
    /// returns, it is on the disk. Whoever stops waiting for it does not stop it.
    pub(crate) async fn write<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut SqliteConnection) -> Doing<'c, T> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let job = Box::new(Task { work: Some(work), result: None, reply });
        self.wait_to_write(job).map_err(io(self.layout().database()))?;
        answer.await.unwrap_or_else(|gone| {
            Err(StoreError::Database { path: self.layout().database().to_owned(), source: Box::new(gone) })
        })
    }

    fn waiting_to_write(&self) -> MutexGuard<'_, Waiting> {
        self.waiting_list().lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_to_write(&self, job: Box<dyn Job>) -> std::io::Result<()> {
        let mut waiting = self.waiting_to_write();
        let writer = match waiting.writer.take() {
            Some(writer) => writer,
            None => writer(self.weak())?,
        };
        waiting.jobs.push(job);
        if !std::mem::replace(&mut waiting.awaited, true) {
            // It lives for as long as this sender does.
            writer.send(()).ok();
        }
        waiting.writer = Some(writer);
        Ok(())
    }

    async fn write_what_waits(&self) {
        let writer = self.writer().await;
        let mut jobs = {
            let mut waiting = self.waiting_to_write();
            waiting.awaited = false;
            std::mem::take(&mut waiting.jobs)
        };
        let failure = match writer {
            Ok(mut writer) => {
                let done = together(&mut writer, &mut jobs).await.map_err(sql(self.layout().database()));
                if done.is_ok() {
                    writer.keep();
                }
                done.err()
            }
            Err(error) => Some(error),
        };
        for job in jobs {
            job.settle(failure.as_ref());
        }
    }
}

/// Starts the one who writes for all. It has a thread of its own: a transaction is a dozen ways to the database
/// and back, and on a busy runtime each of them would wait its turn while everybody waits for the commit.
fn writer(store: Weak<Shared>) -> std::io::Result<mpsc::Sender<()>> {
    let (wake, woken) = mpsc::channel();
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    std::thread::Builder::new().name("jury-scribe".to_owned()).spawn(move || {
        while woken.recv().is_ok() {
            let Some(shared) = store.upgrade() else { return };
            runtime.block_on(Store::of(shared).write_what_waits());
        }
    })?;
    Ok(wake)
}

/// Carries out all of these in one transaction. Those that fail leave nothing behind.
async fn together(connection: &mut SqliteConnection, jobs: &mut [Box<dyn Job>]) -> sqlx::Result<()> {
    let mut transaction = begin(connection).await?;
    if let [job] = jobs {
        return if job.run(&mut transaction).await {
            transaction.commit().await
        } else {
            transaction.rollback().await
        };
    }
    for job in jobs {
        sqlx::query("SAVEPOINT job").execute(&mut *transaction).await?;
        if !job.run(&mut transaction).await {
            sqlx::query("ROLLBACK TO job").execute(&mut *transaction).await?;
        }
        sqlx::query("RELEASE job").execute(&mut *transaction).await?;
    }
    transaction.commit().await
}
