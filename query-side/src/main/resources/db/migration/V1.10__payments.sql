-- The order and the states of payments. Their other facts are read from the log.
CREATE TABLE view_payment (
    payment_id     text COLLATE "C" PRIMARY KEY,
    activity_id    bigint NOT NULL,
    user_id        text COLLATE "C" NOT NULL,
    first_position bigint NOT NULL,
    state          text NOT NULL,
    closed         boolean NOT NULL,
    trades         text NOT NULL,
    position       bigint NOT NULL
)
WITH (fillfactor = 80);

CREATE INDEX view_payment_newest ON view_payment (activity_id, user_id, first_position DESC);
CREATE INDEX view_payment_of_all ON view_payment (first_position DESC);
CREATE INDEX view_payment_in_state ON view_payment (state, first_position DESC);

COMMENT ON COLUMN view_payment.first_position IS 'its first event in the log: newer payments have higher ones';
COMMENT ON COLUMN view_payment.closed IS 'whether no provider takes money any more';
COMMENT ON COLUMN view_payment.trades IS 'one line for each trade: provider, slash, number, blank, state';
