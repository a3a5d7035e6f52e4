-- What a daemon needs to know beside the log. Times are unix milliseconds.

-- Whose runs they are. The metadata belongs to whoever writes it; we read a key or two of it.
CREATE TABLE project (
    id         TEXT    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    metadata   TEXT    NOT NULL CHECK (json_valid(metadata)),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

INSERT INTO project (id, name, metadata, created_at, updated_at)
SELECT project, project, '{}', min(created_at), min(created_at) FROM run GROUP BY project;

-- What was asked for, as JSON: a run that waits can begin after a restart, and one that has ended can be
-- asked for again. No fold of the log, and so no part of what is rebuilt.
CREATE TABLE run_request (
    run  TEXT NOT NULL PRIMARY KEY,
    body TEXT NOT NULL CHECK (json_valid(body))
) STRICT;

-- A page of a project's history, and the first run in each project's queue.
CREATE INDEX idx_run_project ON run (project, created_at, id);
CREATE INDEX idx_run_waiting ON run (project, created_at, id) WHERE state = 'queued' AND owner IS NULL;
