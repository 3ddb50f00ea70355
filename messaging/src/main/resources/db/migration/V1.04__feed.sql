-- What the feed has told about the stock of awards and about budgets. The processor of the feed writes both tables in
-- the transaction of its token.
CREATE TABLE feed_stock (
    name  text COLLATE "C" PRIMARY KEY,
    taken bigint NOT NULL
);

CREATE TABLE feed_stock_step (
    name    text COLLATE "C" NOT NULL,
    total   bigint NOT NULL,
    percent integer NOT NULL,
    PRIMARY KEY (name, total)
);

COMMENT ON COLUMN feed_stock.name IS 'the name of the counter of the stock';
COMMENT ON COLUMN feed_stock_step.percent IS 'the lowest step that was told: at most this percentage is left';

-- How far groups of consumers have handled their topics, in the same state of the database as the results.
CREATE TABLE handled_offset (
    consumer_group text COLLATE "C",
    partition      integer,
    next_offset    bigint NOT NULL,
    PRIMARY KEY (consumer_group, partition)
);

COMMENT ON COLUMN handled_offset.next_offset IS 'all messages before this offset are handled, and their results are stored';
