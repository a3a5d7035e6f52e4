ALTER TABLE run DROP COLUMN not_before;
