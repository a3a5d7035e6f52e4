DROP TABLE decision;
CREATE TEMP TABLE kept_run AS SELECT * FROM run;
DROP TABLE run;
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
ALTER TABLE run ADD COLUMN scores TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(scores));
ALTER TABLE run ADD COLUMN scores_open TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(scores_open));
ALTER TABLE run ADD COLUMN claims_checked INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN claims_wrong INTEGER NOT NULL DEFAULT 0;
-- An older program knows nobody who waits: for it such a run goes on and has lost its process.
INSERT INTO run (id, workflow, project, artifact, agent, title, state, status, score, round, rounds, head_seq, owner,
                 created_at, started_at, ended_at, scores, scores_open, claims_checked, claims_wrong)
SELECT id, workflow, project, artifact, agent, title, iif(state = 'waiting', 'running', state), status, score, round,
       rounds, head_seq, owner, created_at, started_at, ended_at, scores, scores_open, claims_checked, claims_wrong
FROM kept_run WHERE workflow = 'theater';
DELETE FROM artifacts WHERE run_id IN (SELECT id FROM kept_run WHERE workflow <> 'theater');
DROP TABLE temp.kept_run;
CREATE INDEX idx_run_created_at ON run (created_at, id);
CREATE INDEX idx_run_open ON run (state) WHERE state <> 'ended';
CREATE INDEX idx_run_project ON run (project, created_at, id);
CREATE INDEX idx_run_waiting ON run (project, created_at, id) WHERE state = 'queued' AND owner IS NULL;
