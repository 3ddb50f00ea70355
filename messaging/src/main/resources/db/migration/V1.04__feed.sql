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
