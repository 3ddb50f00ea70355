-- Awards that operators hold. None are held yet.
ALTER TABLE view_activity ADD COLUMN held_awards text NOT NULL DEFAULT '';

COMMENT ON COLUMN view_activity.held_awards IS 'their numbers in ascending order, with commas between';
