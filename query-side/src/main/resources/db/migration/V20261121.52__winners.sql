-- The latest winners of each activity, for everybody to see: who they are was masked before it came here. Each is the
-- position of its draw, which is also what a listener who comes back has seen up to.

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

-- What a version of a strategy gives to those who would win nothing else: no news, also where a draw picks it.
CREATE TABLE view_consolation (
    strategy_id bigint NOT NULL,
    version     integer NOT NULL,
    award_id    integer NOT NULL,
    PRIMARY KEY (strategy_id, version)
);
