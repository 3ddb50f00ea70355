-- The steps of a win stand in its own row: what happens to a win changes one row of one table. The table is filled anew
-- from the events.

DROP TABLE view_win_step;
-- Of a replay that was under way; it begins anew, since the table is another one.
DROP TABLE IF EXISTS view_win_step_next;

DELETE FROM view_win;
DELETE FROM token WHERE processor = 'wins';
DELETE FROM parked_event WHERE processor = 'wins' AND dropped_because IS NULL;

-- A row is written three times at least, and grows each time.
ALTER TABLE view_win
    ADD COLUMN steps text NOT NULL,
    SET (fillfactor = 50);

COMMENT ON COLUMN view_win.steps IS 'the states that it has been in, each with when that began: WON 2026-11-22T04:00:00Z, GRANTED ...';
