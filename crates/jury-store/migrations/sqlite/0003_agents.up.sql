-- What is known about agents beside their runs. Times are unix milliseconds.

-- One row per sitting of the conformance briefs with one agent.
CREATE TABLE conformance_cycle (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    agent   TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    runs    INTEGER NOT NULL CHECK (runs >= 0),
    shipped INTEGER NOT NULL CHECK (shipped BETWEEN 0 AND runs),
    clean   INTEGER NOT NULL CHECK (clean BETWEEN 0 AND runs)
) STRICT;

CREATE INDEX idx_conformance_cycle_agent ON conformance_cycle (agent, id);

-- One row per brief of a sitting. The run's own log has the rest.
CREATE TABLE conformance_result (
    cycle     INTEGER NOT NULL REFERENCES conformance_cycle (id) ON DELETE CASCADE,
    brief     TEXT    NOT NULL,
    run       TEXT    NOT NULL,
    class     TEXT    NOT NULL CHECK (class IN ('shipped', 'degraded', 'failed')),
    clean     INTEGER NOT NULL CHECK (clean IN (0, 1)),
    breaches  TEXT    NOT NULL,
    composite REAL,
    took      INTEGER NOT NULL CHECK (took >= 0),
    PRIMARY KEY (cycle, brief)
) STRICT;

-- Agents that are not asked for a while.
CREATE TABLE agent_degraded (
    agent  TEXT    NOT NULL PRIMARY KEY,
    until  INTEGER NOT NULL,
    reason TEXT    NOT NULL
) STRICT;
