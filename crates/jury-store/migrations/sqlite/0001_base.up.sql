-- The log. Everything else in this database is computed from it.
CREATE TABLE event (
    pos  INTEGER PRIMARY KEY AUTOINCREMENT,
    run  TEXT    NOT NULL,
    seq  INTEGER NOT NULL CHECK (seq > 0),
    at   INTEGER NOT NULL CHECK (at >= 0),
    kind TEXT    NOT NULL,
    body TEXT    NOT NULL,
    UNIQUE (run, seq)
) STRICT;

CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event
BEGIN
    SELECT RAISE(ABORT, 'the event log is append-only');
END;

CREATE TRIGGER event_is_never_removed BEFORE DELETE ON event
BEGIN
    SELECT RAISE(ABORT, 'the event log is append-only');
END;

-- A projection of the log, and the queue. Only `owner`, `created_at` and `started_at` are not in the log.
-- Times are unix milliseconds.
CREATE TABLE run (
    id         TEXT    NOT NULL PRIMARY KEY,
    workflow   TEXT    NOT NULL,
    project    TEXT    NOT NULL,
    artifact   TEXT    NOT NULL UNIQUE,
    agent      TEXT    NOT NULL,
    title      TEXT    NOT NULL,
    state      TEXT    NOT NULL CHECK (state IN ('queued', 'running', 'ended')),
    status     TEXT,
    score      REAL,
    round      INTEGER,
    rounds     INTEGER NOT NULL,
    head_seq   INTEGER NOT NULL,
    owner      TEXT,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at   INTEGER,
    CHECK ((state = 'ended') = (status IS NOT NULL))
) STRICT;

CREATE INDEX idx_run_created_at ON run (created_at, id);
CREATE INDEX idx_run_open ON run (state) WHERE state <> 'ended';

CREATE TABLE artifacts (
    id         TEXT    NOT NULL PRIMARY KEY,
    project_id TEXT    NOT NULL,
    run_id     TEXT    REFERENCES run (id) DEFERRABLE INITIALLY DEFERRED,
    title      TEXT    NOT NULL,
    created_at INTEGER NOT NULL
);

CREATE INDEX idx_artifacts_run_id ON artifacts (run_id);
