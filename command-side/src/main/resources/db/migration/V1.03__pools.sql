-- The leaves and the order of frozen pools, in chunks of 4,096 entries. All of it follows from two events of the log,
-- raffle.entered and pool.ordered. Columns whose content cannot be compressed are stored without compression.
CREATE TABLE pool_chunk (
    activity_id bigint NOT NULL,
    chunk       integer NOT NULL CHECK (chunk >= 0),
    leaves      bytea STORAGE EXTERNAL NOT NULL,
    root        bytea NOT NULL,
    ranked      bytea STORAGE EXTERNAL,
    places      bytea STORAGE EXTERNAL,
    draw_key    text,
    CONSTRAINT pool_chunk_key PRIMARY KEY (activity_id, chunk)
);

COMMENT ON COLUMN pool_chunk.leaves IS 'the leaves of the entries, 32 bytes each, by their numbers';
COMMENT ON COLUMN pool_chunk.root IS 'the root of the tree over these leaves';
COMMENT ON COLUMN pool_chunk.ranked IS
    'the numbers of the entries by their places in the draw, 4 bytes each; null: not drawn yet';
COMMENT ON COLUMN pool_chunk.places IS
    'the places in the draw by the numbers of the entries, 4 bytes each; null: not drawn yet';
COMMENT ON COLUMN pool_chunk.draw_key IS 'the key from which this order follows; only the key in pool.ordered counts';
