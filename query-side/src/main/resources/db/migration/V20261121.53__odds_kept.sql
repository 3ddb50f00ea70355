-- Whether draws come out as was promised: how many could be compared, by award, and how many of them won it. A count
-- gathers what many users do, of whom one may be parked while others go on; so an event counts if it is newer than the
-- row, or if it is one that was parked.

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

-- What was promised.
CREATE TABLE view_strategy (
    strategy_id bigint NOT NULL,
    version     integer NOT NULL,
    definition  text NOT NULL,
    PRIMARY KEY (strategy_id, version)
);
