-- The read models. All of it can be deleted and built again from the events. No table refers to another by a foreign
-- key, because each table is built by itself, and parks events by itself. `version` is the sequence
-- number of the newest event of the aggregate that a row includes. `position` is the newest event of the log that it
-- includes. An event that is not newer was seen already, so a second delivery changes nothing. Ids compare byte by byte
-- (COLLATE "C"). They are never sorted for people, and the indexes are smaller and faster. A fillfactor below 100
-- leaves room on a page. So PostgreSQL writes the new version of a row beside the old one, and does not touch the
-- indexes.

CREATE TABLE view_activity (
    activity_id      bigint PRIMARY KEY,
    strategy_id      bigint NOT NULL,
    name             text NOT NULL,
    zone             text NOT NULL,
    state            text NOT NULL,
    definition       text NOT NULL,
    strategy_version integer,
    strategy_hash    text,
    rounds           text NOT NULL,
    held_awards      text NOT NULL,
    version          bigint NOT NULL,
    position         bigint NOT NULL
);

-- A list by state is read a page at a time, the highest ids first.
CREATE INDEX view_activity_by_state ON view_activity (state, activity_id DESC);

COMMENT ON COLUMN view_activity.definition IS
    'as JSON; other read models need some of its values, which have columns of their own';
COMMENT ON COLUMN view_activity.strategy_version IS 'of its strategy, by which it draws; null: it was not passed';
COMMENT ON COLUMN view_activity.rounds IS
    'as JSON: commitments, published seeds, and the versions of the strategy in force';
COMMENT ON COLUMN view_activity.held_awards IS
    'the numbers of awards that operators hold, in ascending order, with commas between';

-- The awards of each version of a strategy. The wheel asks for all awards of one strategy, which is how the key begins.
-- There are too few of them for an index by their order.
CREATE TABLE view_award (
    strategy_id        bigint NOT NULL,
    version            integer NOT NULL,
    award_id           integer NOT NULL,
    title              text NOT NULL,
    subtitle           text,
    type               text NOT NULL,
    sort               integer NOT NULL,
    locked_until_draws integer NOT NULL,
    stock              integer,
    max_per_user       integer,
    position           bigint NOT NULL,
    PRIMARY KEY (strategy_id, version, award_id)
);

COMMENT ON COLUMN view_award.version IS 'of the strategy; the wheel shows the newest one';
COMMENT ON COLUMN view_award.stock IS 'how often it can be won in an activity; null: without a limit';
COMMENT ON COLUMN view_award.max_per_user IS 'how often one user can win it in an activity; null: without a limit';

CREATE TABLE view_account (
    activity_id   bigint NOT NULL,
    user_id       text COLLATE "C" NOT NULL,
    total_count   integer NOT NULL,
    total_used    integer NOT NULL,
    month_count   integer NOT NULL,
    month_used    integer NOT NULL,
    day_count     integer NOT NULL,
    day_used      integer NOT NULL,
    spent_on      date,
    open_order_id text COLLATE "C",
    drawn_on      date,
    day_draws     integer NOT NULL,
    opened        boolean NOT NULL,
    limited_wins  text NOT NULL,
    version       bigint NOT NULL,
    position      bigint NOT NULL,
    PRIMARY KEY (activity_id, user_id)
)
-- A row changes with every draw.
WITH (fillfactor = 80);

COMMENT ON COLUMN view_account.spent_on IS
    'the last day on which a chance was spent: month_used and day_used count for that month and that day alone';
COMMENT ON COLUMN view_account.open_order_id IS 'its chance was spent, and it is not drawn yet';
COMMENT ON COLUMN view_account.drawn_on IS
    'the last day on which an order was drawn: day_draws counts for that day alone';
COMMENT ON COLUMN view_account.opened IS 'whether its counts include the free chances of the activity';
COMMENT ON COLUMN view_account.limited_wins IS 'the wins of awards that one user can win only so often';

CREATE TABLE view_win (
    award_record_id text COLLATE "C" PRIMARY KEY,
    activity_id     bigint NOT NULL,
    user_id         text COLLATE "C" NOT NULL,
    award_id        integer NOT NULL,
    title           text NOT NULL,
    type            text NOT NULL,
    sort            integer NOT NULL,
    amount          numeric,
    won_at          timestamptz NOT NULL,
    grant_at        timestamptz,
    instead_of      text COLLATE "C",
    state           text NOT NULL,
    steps           text NOT NULL,
    version         bigint NOT NULL,
    position        bigint NOT NULL
)
-- A row is written at least three times, and grows each time.
WITH (fillfactor = 50);

-- A user's wins are read a page at a time, newest first. The id decides between wins of one moment, so that a page
-- always ends at one certain place.
CREATE INDEX view_win_newest ON view_win (activity_id, user_id, won_at DESC, award_record_id DESC);

COMMENT ON COLUMN view_win.grant_at IS 'null: at once, or when an operator releases it';
COMMENT ON COLUMN view_win.instead_of IS 'the award record that it compensates; null: it was drawn';
COMMENT ON COLUMN view_win.steps IS
    'its states, each with the time at which it began: WON 2026-11-22T04:00:00Z, GRANTED ...';

-- The bookings of credits, one row for each. The newest row of a user has the balance, and the key finds it.
CREATE TABLE view_credit_entry (
    user_id     text COLLATE "C" NOT NULL,
    entry       bigint NOT NULL,
    amount      numeric NOT NULL,
    balance     numeric NOT NULL,
    business_no text NOT NULL,
    reason      text,
    booked_at   timestamptz NOT NULL,
    position    bigint NOT NULL,
    PRIMARY KEY (user_id, entry)
);

COMMENT ON COLUMN view_credit_entry.entry IS 'counts the bookings of the user from 1';
COMMENT ON COLUMN view_credit_entry.amount IS 'negative: credits were spent';
COMMENT ON COLUMN view_credit_entry.balance IS 'after this booking';
COMMENT ON COLUMN view_credit_entry.position IS 'of the booking in the log';

-- The order and the states of actions that need two persons.
CREATE TABLE view_proposal (
    proposal_id   text COLLATE "C" PRIMARY KEY,
    state         text NOT NULL,
    expires_at    timestamptz NOT NULL,
    made_position bigint NOT NULL,
    position      bigint NOT NULL
);

CREATE INDEX view_proposal_newest ON view_proposal (made_position DESC);
CREATE INDEX view_proposal_in_state ON view_proposal (state, made_position DESC);

COMMENT ON COLUMN view_proposal.state IS 'PROPOSED, AGREED or DECLINED; nothing happens when one expires';
COMMENT ON COLUMN view_proposal.made_position IS 'of its proposal in the log: newer ones have higher ones';

-- The days on which users have signed in, one row for each month of a user.
CREATE TABLE view_sign_in (
    user_id  text COLLATE "C" NOT NULL,
    month    date NOT NULL,
    days     integer NOT NULL,
    version  bigint NOT NULL,
    position bigint NOT NULL,
    PRIMARY KEY (user_id, month)
)
-- A row changes with every sign-in.
WITH (fillfactor = 80);

COMMENT ON COLUMN view_sign_in.month IS 'its first day';
COMMENT ON COLUMN view_sign_in.days IS 'a bitmap: the lowest bit is the first day of the month';

-- The recharges of each account, also unpaid ones, which no event of the account names.
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

-- The latest winners of each activity, which everybody may see. Their names are masked before they are written here.
-- The position of the draw is the key. It also tells a subscriber who reconnects what is new.
CREATE TABLE view_winner (
    position    bigint PRIMARY KEY,
    activity_id bigint NOT NULL,
    name        text NOT NULL,
    award_id    integer NOT NULL,
    title       text NOT NULL,
    type        text NOT NULL,
    amount      numeric,
    won_at      timestamptz NOT NULL
);

CREATE INDEX view_winner_newest ON view_winner (activity_id, position DESC);

-- How many draws could be compared with the published odds, by award, and how many of them won it. A count includes
-- events of many users, and one user's events may be parked while others go on. So an event counts if it is newer than
-- the row, or if it was parked.
CREATE TABLE view_odds (
    activity_id bigint NOT NULL,
    strategy_id bigint NOT NULL,
    version     integer NOT NULL,
    award_id    integer NOT NULL,
    compared    bigint NOT NULL,
    won         bigint NOT NULL,
    position    bigint NOT NULL,
    PRIMARY KEY (activity_id, strategy_id, version, award_id)
)
-- A few rows take all the changes.
WITH (fillfactor = 50);

COMMENT ON COLUMN view_odds.award_id IS '0: nothing; -1: all draws, whether or not they can be compared';

-- The sums of each day of an activity. Each draw is in one row, that of the award that it won. All sums over awards,
-- days, or both are sums of rows. They include events of many users, like view_odds. They are exact, because they are
-- written in the transaction of the token.
CREATE TABLE view_figure (
    activity_id bigint NOT NULL,
    day         date NOT NULL,
    award_id    integer NOT NULL,
    draws       bigint NOT NULL,
    entries     bigint NOT NULL,
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
COMMENT ON COLUMN view_figure.draws IS 'draws that were made at once, and wins of a pool';
COMMENT ON COLUMN view_figure.entries IS 'entries in the pool of the activity';
COMMENT ON COLUMN view_figure.players IS 'draws and entries that were the first of their user on that day';
COMMENT ON COLUMN view_figure.new_players IS 'draws and entries that were the first of their user in the activity';

-- The decisions of persons, one row for each event.
CREATE TABLE view_audit (
    subject  text COLLATE "C" NOT NULL,
    sequence bigint NOT NULL,
    type     text COLLATE "C" NOT NULL,
    actor    text COLLATE "C" NOT NULL,
    role     text COLLATE "C",
    trace_id text COLLATE "C",
    at       timestamptz NOT NULL,
    position bigint NOT NULL,
    PRIMARY KEY (subject, sequence)
);

CREATE INDEX view_audit_newest ON view_audit (position DESC);
CREATE INDEX view_audit_by_actor ON view_audit (actor, position DESC);
