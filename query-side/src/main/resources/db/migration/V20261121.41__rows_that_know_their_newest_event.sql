-- All plain read models are written a batch at a time: their rows say which event of the log they have seen last, which
-- older rows do not know. The tables are filled anew from the events.

DELETE FROM view_activity;
DELETE FROM view_win_step;
DELETE FROM view_win;
DELETE FROM token WHERE processor IN ('activities', 'wins');
DELETE FROM parked_event WHERE processor IN ('activities', 'wins') AND dropped_because IS NULL;

ALTER TABLE view_activity ADD COLUMN position bigint NOT NULL;
ALTER TABLE view_win ADD COLUMN position bigint NOT NULL;
ALTER TABLE view_win_step ADD COLUMN position bigint NOT NULL;

COMMENT ON COLUMN view_activity.position IS 'the newest event of the log that this includes';
COMMENT ON COLUMN view_win.position IS 'the newest event of the log that this includes';
COMMENT ON COLUMN view_win_step.position IS 'the event of the log that it comes from';
