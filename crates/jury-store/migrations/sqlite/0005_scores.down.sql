ALTER TABLE run DROP COLUMN claims_wrong;
ALTER TABLE run DROP COLUMN claims_checked;
ALTER TABLE run DROP COLUMN scores_open;
ALTER TABLE run DROP COLUMN scores;
