DROP INDEX idx_run_waiting;
DROP INDEX idx_run_project;
DROP TABLE run_request;
DROP TABLE project;
