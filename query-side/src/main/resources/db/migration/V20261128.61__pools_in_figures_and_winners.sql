-- Entries and the wins of pools count in the figures, and these wins are in the list of winners. Where there are entries
-- already, both are filled anew from the events: end the processes of the build before this one first.
DELETE FROM parked_event WHERE processor IN ('figures', 'winners') AND dropped_because IS NULL
    AND EXISTS (SELECT FROM series WHERE name LIKE 'pool:%');
DELETE FROM token WHERE processor IN ('figures', 'winners') AND EXISTS (SELECT FROM series WHERE name LIKE 'pool:%');
DELETE FROM view_figure WHERE EXISTS (SELECT FROM series WHERE name LIKE 'pool:%');
DELETE FROM view_winner WHERE EXISTS (SELECT FROM series WHERE name LIKE 'pool:%');

ALTER TABLE view_figure ADD COLUMN entries bigint NOT NULL DEFAULT 0;

COMMENT ON COLUMN view_figure.draws IS 'draws that were made at once, and wins of a pool';
COMMENT ON COLUMN view_figure.entries IS 'entries in the pool of the activity';
COMMENT ON COLUMN view_figure.players IS 'draws and entries that were the first of their user on that day';
COMMENT ON COLUMN view_figure.new_players IS 'draws and entries that were the first of their user in the activity';
