-- Read models that are built anew while the old ones are read. Like a token, a replay belongs to the process that has
-- claimed it; its position moves in the transactions that write the new tables.
CREATE TABLE replay (
    processor      text COLLATE "C" PRIMARY KEY,
    position       bigint NOT NULL DEFAULT 0,
    begun_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    owner          text COLLATE "C",
    claimed_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    resumed_at     timestamptz,
    resumed_from   bigint NOT NULL DEFAULT 0,
    failed_because text
) WITH (fillfactor = 20);

COMMENT ON COLUMN replay.position IS 'everything up to here is in the new tables';
COMMENT ON COLUMN replay.resumed_at IS 'since when its owner is at it, from resumed_from on: that is how fast it is';
COMMENT ON COLUMN replay.failed_because IS 'it has stopped, and the old tables stay; null: it is under way';
