DROP TABLE artifacts;
DROP TABLE run;
DROP TABLE event;
