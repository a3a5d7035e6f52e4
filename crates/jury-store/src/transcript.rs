//! Transcripts: the log of a run that has ended, as a file that outlives the database. Plain up to a size,
//! compressed above it; which one it is shows in its name.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use jury_core::id::RunId;
use jury_core::record::Record;
use jury_core::run::RunState;
use jury_core::unit::Seq;

use crate::error::{Conflict, StoreError, io as io_error, sql};
use crate::file::{self, Draft, blocking};
use crate::layout::{Layout, PLAIN_TRANSCRIPT_MAX, TranscriptForm};
use crate::read::{self, PAGE};
use crate::row::RunRow;
use crate::store::Store;

impl Store {
    /// Writes the transcript of a run that has ended, whole or not at all, and notes its name in the
    /// artifact's row. Doing it again gives the same file.
    pub async fn export(&self, run: RunId) -> Result<PathBuf, StoreError> {
        let row = self.run(run).await?.ok_or_else(|| StoreError::NoSuchRun(run.to_string()))?;
        if row.state != RunState::Ended {
            return Err(StoreError::conflict(run, Conflict::NotEnded));
        }
        let (path, form) = self.write_transcript(&row).await?;
        let database = self.layout().database().to_owned();
        self.write(move |connection| {
            Box::pin(async move {
                sqlx::query("UPDATE artifacts SET critique_transcript_path = ?2 WHERE id = ?1")
                    .bind(row.artifact.to_string())
                    .bind(form.file_name())
                    .execute(connection)
                    .await
                    .map(drop)
                    .map_err(sql(&database))
            })
        })
        .await?;
        Ok(path)
    }

    async fn write_transcript(&self, row: &RunRow) -> Result<(PathBuf, TranscriptForm), StoreError> {
        let folder = self.layout().artifact(row.artifact);
        let mut pen = Pen::Plain(Vec::new());
        let mut after = Seq(0);
        loop {
            let mut reader = self.reader().await?;
            let database = self.layout().database();
            let events = read::page(&mut reader, database, row.run, after, PAGE).await?;
            reader.keep();
            let Some((_, last)) = events.last() else {
                break;
            };
            after = last.seq;
            let place = folder.clone();
            pen = blocking(&folder, move || pen.write(&place, &events)).await?;
        }
        let layout = self.layout().clone();
        let artifact = row.artifact;
        blocking(&folder, move || {
            let form = pen.form();
            let place = layout.transcript(artifact, form);
            pen.finish(&place)?;
            file::remove(&layout.transcript(artifact, form.other()))?;
            Ok((place, form))
        })
        .await
    }

    /// The records of a run: from its transcript, or from the log as long as there is none.
    pub async fn transcript(&self, run: RunId) -> Result<Vec<Record>, StoreError> {
        let row = self.run(run).await?.ok_or_else(|| StoreError::NoSuchRun(run.to_string()))?;
        let form = self
            .artifact(row.artifact)
            .await?
            .and_then(|artifact| artifact.transcript_path)
            .and_then(|name| TranscriptForm::of_name(&name));
        if let Some(form) = form {
            let layout: &Layout = self.layout();
            let place = layout.transcript(row.artifact, form);
            // The log is the truth; a file that somebody removed is not missed.
            if let Some(records) = blocking(&place.clone(), move || read_file(&place, form)).await? {
                return Ok(records);
            }
        }
        self.records(run).await
    }
}

/// Reads a transcript by its path, without a store. A name that ends in `.gz` is compressed.
pub async fn read_transcript(path: impl AsRef<Path>) -> Result<Vec<Record>, StoreError> {
    let path = path.as_ref().to_owned();
    let form = match path.extension() {
        Some(extension) if extension == "gz" => TranscriptForm::Gzip,
        _ => TranscriptForm::Plain,
    };
    let place = path.clone();
    blocking(&place, move || {
        read_file(&path, form)?.ok_or_else(|| io_error(&path)(io::ErrorKind::NotFound.into()))
    })
    .await
}

fn read_file(path: &Path, form: TranscriptForm) -> Result<Option<Vec<Record>>, StoreError> {
    let file = match File::open(path) {
        Ok(file) => BufReader::new(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(io_error(path)(error)),
    };
    match form {
        TranscriptForm::Plain => read_lines(path, file),
        TranscriptForm::Gzip => read_lines(path, BufReader::new(GzDecoder::new(file))),
    }
    .map(Some)
}

fn read_lines(path: &Path, lines: impl BufRead) -> Result<Vec<Record>, StoreError> {
    let damaged = |line: usize, what: &dyn std::fmt::Display| StoreError::NotATranscript {
        path: path.to_owned(),
        what: format!("line {}: {what}", line + 1),
    };
    lines
        .lines()
        .enumerate()
        .map(|(number, line)| {
            let line = line.map_err(|error| damaged(number, &error))?;
            Record::from_line(&line).map_err(|error| damaged(number, &error))
        })
        .collect()
}

/// A transcript being written. It is kept in memory until it is too long to be plain, and then goes to a
/// file as it comes.
enum Pen {
    Plain(Vec<u8>),
    Gzip(Draft, GzEncoder<BufWriter<File>>),
}

impl Pen {
    fn form(&self) -> TranscriptForm {
        match self {
            Self::Plain(_) => TranscriptForm::Plain,
            Self::Gzip(..) => TranscriptForm::Gzip,
        }
    }

    fn write<P>(mut self, folder: &Path, events: &[(P, Record)]) -> Result<Self, StoreError> {
        for (_, record) in events {
            let mut line = record.to_line().map_err(io::Error::from).map_err(io_error(folder))?;
            line.push('\n');
            self = self.write_line(folder, line.as_bytes())?;
        }
        Ok(self)
    }

    fn write_line(mut self, folder: &Path, line: &[u8]) -> Result<Self, StoreError> {
        match &mut self {
            Self::Plain(text) if text.len() + line.len() <= PLAIN_TRANSCRIPT_MAX => {
                text.extend_from_slice(line);
            }
            Self::Plain(text) => {
                let (draft, file) = Draft::begin(folder)?;
                let mut gzip = GzEncoder::new(BufWriter::new(file), Compression::default());
                gzip.write_all(text).and_then(|()| gzip.write_all(line)).map_err(io_error(folder))?;
                self = Self::Gzip(draft, gzip);
            }
            Self::Gzip(_, gzip) => gzip.write_all(line).map_err(io_error(folder))?,
        }
        Ok(self)
    }

    fn finish(self, path: &Path) -> Result<(), StoreError> {
        match self {
            Self::Plain(text) => file::write_whole(path, &text),
            Self::Gzip(draft, gzip) => {
                let file = gzip
                    .finish()
                    .and_then(|buffer| buffer.into_inner().map_err(io::Error::from))
                    .map_err(io_error(path))?;
                draft.commit(&file, path)
            }
        }
    }
}
