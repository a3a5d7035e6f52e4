-- A run that a rate limit or a budget holds back waits in the queue until this moment, in unix milliseconds.
ALTER TABLE run ADD COLUMN not_before INTEGER;
