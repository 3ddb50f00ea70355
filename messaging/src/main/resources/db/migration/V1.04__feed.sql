-- What the feed has told about the stock of awards. The processor of the feed writes both tables in the transaction of
-- its token.
CREATE TABLE feed_stock (
    activity_id bigint NOT NULL,
    award_id    integer NOT NULL,
    units       bytea NOT NULL,
    PRIMARY KEY (activity_id, award_id)
);

COMMENT ON COLUMN feed_stock.units IS
    'the units that are taken, one bit each, from the lowest bit of the first byte on';

CREATE TABLE feed_stock_step (
    activity_id bigint NOT NULL,
    award_id    integer NOT NULL,
    total       integer NOT NULL,
    percent     integer NOT NULL,
    units_left  integer NOT NULL,
    position    bigint NOT NULL,
    PRIMARY KEY (activity_id, award_id, total, percent)
);

COMMENT ON COLUMN feed_stock_step.position IS
    'the win that has reached the step: if it comes again, the same is told again';
