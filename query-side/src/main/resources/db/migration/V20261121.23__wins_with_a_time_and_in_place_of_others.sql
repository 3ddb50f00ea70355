-- A win may have a time at which it is handed over, and may make good for another one, which older rows do not say: the
-- tables are filled anew from the events.

DELETE FROM view_win_step;
DELETE FROM view_win;
DELETE FROM token WHERE processor = 'wins';

ALTER TABLE view_win
    ADD COLUMN grant_at   timestamptz,
    ADD COLUMN instead_of text COLLATE "C";

COMMENT ON COLUMN view_win.grant_at IS 'empty: at once, or when an operator lets it go';
COMMENT ON COLUMN view_win.instead_of IS 'the award that it makes good for; empty: it was drawn';
