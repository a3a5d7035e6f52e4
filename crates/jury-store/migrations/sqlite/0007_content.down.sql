-- An older program knows nothing of the content pipeline and could not read its runs.
DROP INDEX idx_run_content;
DELETE FROM artifacts WHERE run_id IN (SELECT id FROM run WHERE workflow = 'content');
DELETE FROM run WHERE workflow = 'content';
