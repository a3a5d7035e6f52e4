-- Runs that wait for a person, and what the person is asked.
--
-- A CHECK cannot be changed in place, so the table of runs is made anew. Its rows are kept aside meanwhile: artifacts
-- refer to them, and the reference is looked at when the transaction ends.
CREATE TEMP TABLE kept_run AS SELECT * FROM run;
DROP TABLE run;
CREATE TABLE run (
    id             TEXT    NOT NULL PRIMARY KEY,
    workflow       TEXT    NOT NULL,
    project        TEXT    NOT NULL,
    artifact       TEXT    NOT NULL UNIQUE,
    agent          TEXT    NOT NULL,
    title          TEXT    NOT NULL,
    state          TEXT    NOT NULL CHECK (state IN ('queued', 'running', 'waiting', 'ended')),
    status         TEXT,
    score          REAL,
    round          INTEGER,
    rounds         INTEGER NOT NULL,
    head_seq       INTEGER NOT NULL,
    owner          TEXT,
    created_at     INTEGER NOT NULL,
    started_at     INTEGER,
    ended_at       INTEGER,
    scores         TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(scores)),
    scores_open    TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(scores_open)),
    claims_checked INTEGER NOT NULL DEFAULT 0,
    claims_wrong   INTEGER NOT NULL DEFAULT 0,
    CHECK ((state = 'ended') = (status IS NOT NULL))
) STRICT;
INSERT INTO run (id, workflow, project, artifact, agent, title, state, status, score, round, rounds, head_seq, owner,
                 created_at, started_at, ended_at, scores, scores_open, claims_checked, claims_wrong)
SELECT id, workflow, project, artifact, agent, title, state, status, score, round, rounds, head_seq, owner,
       created_at, started_at, ended_at, scores, scores_open, claims_checked, claims_wrong FROM kept_run;
DROP TABLE temp.kept_run;
CREATE INDEX idx_run_created_at ON run (created_at, id);
CREATE INDEX idx_run_open ON run (state) WHERE state <> 'ended';
CREATE INDEX idx_run_project ON run (project, created_at, id);
CREATE INDEX idx_run_waiting ON run (project, created_at, id) WHERE state = 'queued' AND owner IS NULL;

-- What people are asked. The question is a fold of the log; the answer is kept here until whoever takes the run up
-- again puts it there. Times are unix milliseconds.
CREATE TABLE decision (
    id          TEXT    NOT NULL PRIMARY KEY,
    run         TEXT    NOT NULL,
    number      INTEGER NOT NULL,
    round       INTEGER NOT NULL,
    question    TEXT    NOT NULL CHECK (json_valid(question)),
    asked_at    INTEGER NOT NULL,
    answer_by   INTEGER,
    state       TEXT    NOT NULL CHECK (state IN ('open', 'answered', 'closed')),
    answer      TEXT    CHECK (answer IS NULL OR json_valid(answer)),
    answered_by TEXT,
    answered_at INTEGER,
    UNIQUE (run, number),
    CHECK ((answer IS NULL) = (answered_by IS NULL)),
    CHECK (state <> 'answered' OR answer IS NOT NULL)
) STRICT;

CREATE INDEX idx_decision_open ON decision (asked_at, id) WHERE state = 'open';
