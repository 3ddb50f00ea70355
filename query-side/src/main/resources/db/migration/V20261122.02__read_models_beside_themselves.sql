-- All read models that are tables can be built anew beside themselves: each row, or each count, is made of the events that
-- it names alone. What a strategy has promised to a draw is read from the log, and awards stay under the version that
-- has brought them.

DROP TABLE view_strategy;
DROP TABLE view_consolation;

ALTER TABLE view_award
    DROP CONSTRAINT view_award_pkey,
    ADD PRIMARY KEY (strategy_id, version, award_id),
    ADD COLUMN position bigint NOT NULL DEFAULT 0;

ALTER TABLE view_award ALTER COLUMN position DROP DEFAULT;

COMMENT ON COLUMN view_award.version IS 'of the strategy: the newest one is shown';
COMMENT ON COLUMN view_award.position IS 'the newest event of the log that this includes';
