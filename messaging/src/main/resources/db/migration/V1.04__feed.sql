-- What the feed has told about the stock of awards. The processor of the feed writes both tables in the transaction of
-- its token.
CREATE TABLE feed_stock (
    activity_id bigint NOT NULL,
    award_id    integer NOT NULL,
    taken       integer NOT NULL,
    PRIMARY KEY (activity_id, award_id)
);

CREATE TABLE feed_stock_step (
    activity_id bigint NOT NULL,
    award_id    integer NOT NULL,
    total       integer NOT NULL,
    percent     integer NOT NULL,
    PRIMARY KEY (activity_id, award_id, total)
);

COMMENT ON COLUMN feed_stock_step.percent IS 'the lowest step that was told: at most this percentage is left';
