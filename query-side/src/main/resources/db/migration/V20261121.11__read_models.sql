-- The read models. Everything here can be deleted and made again from the events, so nothing refers to anything by a
-- foreign key: each table has a processor of its own, and none of them waits for another.
-- `version` is the sequence number of the newest event that a row has seen in its aggregate's stream. An event that is
-- not newer has been seen already: that is what makes a second delivery harmless.
-- Ids compare byte by byte (COLLATE "C"): they are never sorted for people, and the indexes are smaller and faster.

CREATE TABLE view_activity (
    activity_id bigint PRIMARY KEY,
    strategy_id bigint NOT NULL,
    name        text NOT NULL,
    zone        text NOT NULL,
    state       text NOT NULL,
    version     bigint NOT NULL
);

-- The awards of the newest version of each strategy, which is the version here.
-- The wheel asks for all awards of one strategy, which is how the key begins; there are too few of them to index the
-- order as well.
CREATE TABLE view_award (
    strategy_id        bigint NOT NULL,
    award_id           integer NOT NULL,
    title              text NOT NULL,
    subtitle           text,
    type               text NOT NULL,
    sort               integer NOT NULL,
    locked_until_draws integer NOT NULL,
    version            integer NOT NULL,
    PRIMARY KEY (strategy_id, award_id)
);

CREATE TABLE view_account (
    activity_id bigint NOT NULL,
    user_id     text COLLATE "C" NOT NULL,
    total_count integer NOT NULL,
    total_used  integer NOT NULL,
    month_count integer NOT NULL,
    month_used  integer NOT NULL,
    day_count   integer NOT NULL,
    day_used    integer NOT NULL,
    spent_on    date,
    version     bigint NOT NULL,
    position    bigint NOT NULL,
    PRIMARY KEY (activity_id, user_id)
)
-- An account's row changes with every draw. Room on its page lets PostgreSQL write the new one beside the old one
-- without touching the index.
WITH (fillfactor = 80);

COMMENT ON COLUMN view_account.position IS 'the newest event of the log that this includes';
COMMENT ON COLUMN view_account.spent_on IS
    'the last day on which a chance was spent: month_used and day_used count for that month and that day alone';

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
    state           text NOT NULL,
    version         bigint NOT NULL
)
WITH (fillfactor = 80);

-- A user's wins are read a page at a time, newest first. The id decides between wins of one moment, so that a page
-- always ends at one certain place.
CREATE INDEX view_win_newest ON view_win (activity_id, user_id, won_at DESC, award_record_id DESC);

CREATE TABLE view_win_step (
    award_record_id text COLLATE "C" NOT NULL,
    sequence        bigint NOT NULL,
    state           text NOT NULL,
    at              timestamptz NOT NULL,
    PRIMARY KEY (award_record_id, sequence)
);
