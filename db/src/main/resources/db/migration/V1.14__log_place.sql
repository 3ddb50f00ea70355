-- In the home log: where logs are that have moved to another database, or are moving there. A log without a row is where the
-- settings say.
CREATE TABLE log_place (
    log    integer PRIMARY KEY CHECK (log > 0),
    url    text,
    target text,
    closed boolean NOT NULL DEFAULT false
);

COMMENT ON COLUMN log_place.url IS 'of the database to which the log has moved last; null: it has never moved';
COMMENT ON COLUMN log_place.target IS 'of the database to which it moves now; null: it does not move';
COMMENT ON COLUMN log_place.closed IS 'true: no process uses the log, because its last changes are being copied';
