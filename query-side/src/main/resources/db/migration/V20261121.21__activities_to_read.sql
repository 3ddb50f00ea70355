-- Activities are read with their whole definition, which older rows do not have: the table is filled anew from the events.

DELETE FROM view_activity;
DELETE FROM token WHERE processor = 'activities';

ALTER TABLE view_activity ADD COLUMN definition text NOT NULL;

COMMENT ON COLUMN view_activity.definition IS 'as JSON; the columns beside it are what other read models ask for';

-- A list by state is read a page at a time, the highest ids first.
CREATE INDEX view_activity_by_state ON view_activity (state, activity_id DESC);
