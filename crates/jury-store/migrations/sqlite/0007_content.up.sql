-- Of an idea and a kind of content, one run goes on at a time: whoever asks again is given the one that does.
CREATE UNIQUE INDEX idx_run_content ON run (title) WHERE workflow = 'content' AND state <> 'ended';
