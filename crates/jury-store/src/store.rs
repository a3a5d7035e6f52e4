//! The store: a data directory, opened. Opening, closing, and handing out connections; what is done with
//! them is in the modules beside it.

use std::fs::{self, File};
use std::io;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, PoisonError, Weak};

use jury_core::unit::Pos;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _, Sqlite, SqliteConnection, Transaction};
use tokio::sync::{Mutex, MutexGuard, Semaphore, SemaphorePermit, watch};

use crate::error::{StoreError, io as io_error, sql};
use crate::file::{self, LOCK_PATIENCE, blocking};
use crate::group::Waiting;
use crate::layout::Layout;
use crate::schema;

/// How many readers may read at once. Each is a thread and a page cache, opened when it is first needed.
const READERS: usize = 4;

/// A data directory, opened. Cheap to clone; all clones share one writer and a few readers.
#[derive(Debug, Clone)]
pub struct Store {
    shared: Arc<Shared>,
}

/// What the clones of a store share.
#[derive(Debug)]
pub(crate) struct Shared {
    layout: Layout,
    options: SqliteConnectOptions,
    /// The one writer of this process. Processes queue for SQLite's own lock; tasks queue here.
    writer: Mutex<Option<SqliteConnection>>,
    /// Those who wait for it in order to write together.
    waiting: std::sync::Mutex<Waiting>,
    /// Connections for reading that are idle.
    readers: std::sync::Mutex<Vec<SqliteConnection>>,
    /// One permit per reader.
    seats: Semaphore,
    /// The last position that this process appended.
    head: watch::Sender<Pos>,
}

impl Store {
    /// Opens a data directory, and makes what is missing of it.
    pub async fn open(dir: impl AsRef<Path>) -> Result<Self, StoreError> {
        let layout = Layout::new(dir.as_ref());
        let folders = layout.clone();
        let turn = blocking(layout.dir(), move || {
            make_folder(folders.dir())?;
            make_folder(&folders.artifacts())?;
            make_folder(&folders.owners())?;
            file::lock(&open_lock(&folders))
        })
        .await?;
        let store = Self::new(layout);
        store.prepare().await?;
        drop(turn);
        Ok(store)
    }

    /// Opens a data directory in order to read it. Nothing is made if nothing is there; a directory that
    /// may not be written can be read if nobody is writing it.
    pub async fn open_existing(dir: impl AsRef<Path>) -> Result<Self, StoreError> {
        let layout = Layout::new(dir.as_ref());
        let folders = layout.clone();
        let turn = blocking(layout.dir(), move || {
            for path in [folders.dir(), folders.database()] {
                if !path.try_exists().map_err(io_error(path))? {
                    return Err(StoreError::NoRuns(path.to_owned()));
                }
            }
            // Without a folder for locks, or the right to make one, there is nobody to wait for.
            match file::lock(&open_lock(&folders)) {
                Ok(turn) => Ok(Some(turn)),
                Err(StoreError::ReadOnly(_) | StoreError::Io { .. }) => Ok(None),
                Err(error) => Err(error),
            }
        })
        .await?;
        let store = Self::new(layout.clone());
        let store = match store.prepare().await {
            Err(StoreError::ReadOnly(_)) if !has_unwritten_pages(&layout) => {
                let store = Self::with(layout, |options| options.read_only(true).immutable(true));
                store.prepare().await?;
                store
            }
            result => result.map(|()| store)?,
        };
        drop::<Option<File>>(turn);
        Ok(store)
    }

    /// Opens a data directory that is there with the schema that it has. Nobody else opens it while the file lives.
    pub(crate) async fn open_as_it_is(dir: &Path) -> Result<(Self, File), StoreError> {
        let layout = Layout::new(dir);
        let folders = layout.clone();
        let turn = blocking(layout.dir(), move || {
            for path in [folders.dir(), folders.database()] {
                if !path.try_exists().map_err(io_error(path))? {
                    return Err(StoreError::NoRuns(path.to_owned()));
                }
            }
            make_folder(&folders.owners())?;
            file::lock(&open_lock(&folders))
        })
        .await?;
        Ok((Self::new(layout), turn))
    }

    /// Closes the connections of this store in order, which folds the write-ahead log into the database.
    /// A store that is not closed loses nothing: the next one to open it does that.
    pub async fn close(self) -> Result<(), StoreError> {
        let database = self.layout().database();
        let writer = self.shared.writer.lock().await.take();
        let readers =
            std::mem::take(&mut *self.shared.readers.lock().unwrap_or_else(PoisonError::into_inner));
        for connection in readers.into_iter().chain(writer) {
            connection.close().await.map_err(sql(database))?;
        }
        Ok(())
    }

    /// The path of the data directory.
    pub fn dir(&self) -> &Path {
        self.layout().dir()
    }

    /// Wakes whoever waits for events that this process appends. A wake-up is a hint and no event: read the
    /// log to know what happened, and look now and then for what other processes appended.
    pub fn appended(&self) -> watch::Receiver<Pos> {
        self.shared.head.subscribe()
    }

    /// Tells that the log goes as far as this. Writers may come here in another order than they committed.
    pub(crate) fn announce(&self, pos: Pos) {
        self.shared.head.send_if_modified(|head| {
            let news = pos > *head;
            *head = pos.max(*head);
            news
        });
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.shared.layout
    }

    fn new(layout: Layout) -> Self {
        Self::with(layout, |options| options)
    }

    fn with(layout: Layout, adjust: impl FnOnce(SqliteConnectOptions) -> SqliteConnectOptions) -> Self {
        let options = SqliteConnectOptions::new()
            .filename(layout.database())
            .busy_timeout(LOCK_PATIENCE)
            .foreign_keys(true)
            // With a write-ahead log, NORMAL already survives the death of the process, but a power cut may
            // take back the last commits. An event that was published (an exit code in somebody's pipeline,
            // an SSE id in somebody's browser) must not be taken back, and there are few batches a second,
            // so each pays for its sync.
            .synchronous(SqliteSynchronous::Full)
            // In KiB. The default is four times that, for each of five connections, and fills up over hours.
            .pragma("cache_size", "-512")
            .thread_name(|_| "jury-store".to_owned())
            .disable_statement_logging();
        Self {
            shared: Arc::new(Shared {
                layout,
                options: adjust(options),
                writer: Mutex::new(None),
                waiting: std::sync::Mutex::default(),
                readers: std::sync::Mutex::new(Vec::new()),
                seats: Semaphore::new(READERS),
                head: watch::Sender::new(Pos(0)),
            }),
        }
    }

    /// Brings the database to the newest schema. The caller holds the lock for opening: a change of the
    /// journal mode fails at once if anybody else so much as reads.
    async fn prepare(&self) -> Result<(), StoreError> {
        let database = self.layout().database();
        let holds_anything = fs::metadata(database).is_ok_and(|file| file.len() > 0);
        if holds_anything {
            let mut reader = self.reader().await?;
            let version = schema::version(&mut reader, database).await?;
            reader.keep();
            if version == schema::LATEST {
                return Ok(());
            }
        }
        let options =
            self.shared.options.clone().create_if_missing(true).journal_mode(SqliteJournalMode::Wal);
        let mut connection = SqliteConnection::connect_with(&options).await.map_err(sql(database))?;
        schema::migrate(&mut connection, database, schema::LATEST).await?;
        *self.shared.writer.lock().await = Some(connection);
        Ok(())
    }

    pub(crate) fn of(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    pub(crate) fn weak(&self) -> Weak<Shared> {
        Arc::downgrade(&self.shared)
    }

    pub(crate) fn waiting_list(&self) -> &std::sync::Mutex<Waiting> {
        &self.shared.waiting
    }

    /// The writer, for one transaction.
    pub(crate) async fn writer(&self) -> Result<Writer<'_>, StoreError> {
        let mut slot = self.shared.writer.lock().await;
        let connection = match slot.take() {
            Some(connection) => connection,
            None => self.connect(self.shared.options.clone()).await?,
        };
        Ok(Writer { slot, connection })
    }

    /// A reader, for a few statements.
    pub(crate) async fn reader(&self) -> Result<Reader<'_>, StoreError> {
        let seat = self.shared.seats.acquire().await.map_err(|closed| StoreError::Database {
            path: self.layout().database().to_owned(),
            source: Box::new(closed),
        })?;
        let home = &self.shared.readers;
        let resting = home.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = if let Some(connection) = resting {
            connection
        } else {
            let options = self.shared.options.clone().pragma("query_only", "ON");
            self.connect(options).await?
        };
        Ok(Reader { home, connection, _seat: seat })
    }

    async fn connect(&self, options: SqliteConnectOptions) -> Result<SqliteConnection, StoreError> {
        SqliteConnection::connect_with(&options).await.map_err(sql(self.layout().database()))
    }
}

/// The writing connection, taken out of its place. It goes back only after it did its work
/// ([`Writer::keep`]): one that failed, or whose task was cancelled in the middle, may be anywhere in a
/// transaction, and is closed instead.
#[derive(Debug)]
pub(crate) struct Writer<'a> {
    slot: MutexGuard<'a, Option<SqliteConnection>>,
    connection: SqliteConnection,
}

impl Writer<'_> {
    pub(crate) fn keep(mut self) {
        *self.slot = Some(self.connection);
    }
}

/// A reading connection, taken out of its place; goes back like a [`Writer`].
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    home: &'a std::sync::Mutex<Vec<SqliteConnection>>,
    connection: SqliteConnection,
    _seat: SemaphorePermit<'a>,
}

impl Reader<'_> {
    pub(crate) fn keep(self) {
        self.home.lock().unwrap_or_else(PoisonError::into_inner).push(self.connection);
    }
}

macro_rules! is_a_connection {
    ($name:ident) => {
        impl Deref for $name<'_> {
            type Target = SqliteConnection;

            fn deref(&self) -> &SqliteConnection {
                &self.connection
            }
        }

        impl DerefMut for $name<'_> {
            fn deref_mut(&mut self) -> &mut SqliteConnection {
                &mut self.connection
            }
        }
    };
}

is_a_connection!(Writer);
is_a_connection!(Reader);

/// Begins a transaction that writes. It takes the lock at once: one that began by reading could not wait
/// for it later. Boxed, because otherwise the compiler cannot see that the callers' futures are `Send`.
pub(crate) fn begin(
    connection: &mut SqliteConnection,
) -> Pin<Box<dyn Future<Output = sqlx::Result<Transaction<'_, Sqlite>>> + Send + '_>> {
    Box::pin(connection.begin_with("BEGIN IMMEDIATE"))
}

fn open_lock(layout: &Layout) -> PathBuf {
    layout.owners().join("open.lock")
}

fn make_folder(path: &Path) -> Result<(), StoreError> {
    fs::create_dir_all(path).map_err(|error| {
        if error.kind() == io::ErrorKind::AlreadyExists {
            StoreError::NotADirectory(path.to_owned())
        } else {
            io_error(path)(error)
        }
    })
}

/// Whether there are committed pages beside the database, which only a reader that may write can see.
fn has_unwritten_pages(layout: &Layout) -> bool {
    let mut log = layout.database().as_os_str().to_owned();
    log.push("-wal");
    fs::metadata(log).is_ok_and(|file| file.len() > 0)
}
