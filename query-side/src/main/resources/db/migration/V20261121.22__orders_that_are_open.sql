-- An order can be drawn later than its chance was spent: draws are counted by themselves from here on.

DELETE FROM view_account;
DELETE FROM token WHERE processor = 'accounts';

ALTER TABLE view_account
    ADD COLUMN open_order_id text COLLATE "C",
    ADD COLUMN drawn_on      date,
    ADD COLUMN day_draws     integer NOT NULL;

COMMENT ON COLUMN view_account.open_order_id IS 'a chance was spent for it, and it is not drawn yet';
COMMENT ON COLUMN view_account.drawn_on IS 'the last day on which an order was drawn: day_draws counts for that day alone';
