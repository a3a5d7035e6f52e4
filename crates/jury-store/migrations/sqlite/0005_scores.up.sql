-- What each panelist gave: in the last closed round, and in the one that is open. Objects from role to score. How many
-- claims of the panel were held against a measurement, and how many of them did not stand. All of it is a fold of the
-- log: rows of older runs get it when the rows are rebuilt.
ALTER TABLE run ADD COLUMN scores TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(scores));
ALTER TABLE run ADD COLUMN scores_open TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(scores_open));
ALTER TABLE run ADD COLUMN claims_checked INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN claims_wrong INTEGER NOT NULL DEFAULT 0;
