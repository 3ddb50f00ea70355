-- The recharges of each account, also those that nobody has paid for, which no event of the account names.
CREATE TABLE view_recharge (
    recharge_id     text COLLATE "C" PRIMARY KEY,
    activity_id     bigint NOT NULL,
    user_id         text COLLATE "C" NOT NULL,
    first_position  bigint NOT NULL,
    sku             bigint NOT NULL,
    out_business_no text NOT NULL,
    state           text NOT NULL,
    total           integer NOT NULL,
    month           integer NOT NULL,
    day             integer NOT NULL,
    ordered_at      timestamptz NOT NULL,
    pay_by          timestamptz,
    position        bigint NOT NULL
)
WITH (fillfactor = 80);

CREATE INDEX view_recharge_newest ON view_recharge (activity_id, user_id, first_position DESC);

COMMENT ON COLUMN view_recharge.first_position IS 'its first event in the log: newer recharges have higher ones';
COMMENT ON COLUMN view_recharge.position IS 'the newest event of the log that this includes';

-- The sums of each day of an activity. Each draw is in one row, that of the award that it won. All sums over awards, days,
-- or both are sums of rows. They gather many users, like view_odds, and are exact because they are written with the token.
CREATE TABLE view_figure (
    activity_id bigint NOT NULL,
    day         date NOT NULL,
    award_id    integer NOT NULL,
    draws       bigint NOT NULL,
    players     bigint NOT NULL,
    new_players bigint NOT NULL,
    cost        numeric NOT NULL,
    free        bigint NOT NULL,
    recharged   bigint NOT NULL,
    spent       bigint NOT NULL,
    returned    bigint NOT NULL,
    position    bigint NOT NULL,
    PRIMARY KEY (activity_id, day, award_id)
)
-- A few rows take all the changes.
WITH (fillfactor = 50);

COMMENT ON COLUMN view_figure.award_id IS '0: draws that won nothing, and the chances of the day';
COMMENT ON COLUMN view_figure.players IS 'draws that were the first of their user on that day';
COMMENT ON COLUMN view_figure.new_players IS 'draws that were the first of their user in the activity';
COMMENT ON COLUMN view_figure.position IS 'the newest event of the log that this includes';
