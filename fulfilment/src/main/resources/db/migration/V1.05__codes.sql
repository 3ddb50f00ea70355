-- Codes that are given to winners. They are worth money, so these tables contain no readable code.

CREATE TABLE code_pool (
    activity_id bigint NOT NULL,
    award_id    int NOT NULL,
    hash_key    text NOT NULL,
    PRIMARY KEY (activity_id, award_id)
);

COMMENT ON COLUMN code_pool.hash_key IS
    'sealed; makes the hashes of this pool, so they stay when the key that seals changes';

-- The codes of a pool, by their places from 1 on. Place n belongs to the award record that has number n of the series
-- 'codes:<activity_id>/<award_id>' in series_number.
CREATE TABLE pool_code (
    activity_id bigint NOT NULL,
    award_id    int NOT NULL,
    place       int NOT NULL,
    hash        text COLLATE "C" NOT NULL UNIQUE,
    sealed      text NOT NULL,
    PRIMARY KEY (activity_id, award_id, place),
    FOREIGN KEY (activity_id, award_id) REFERENCES code_pool
);

COMMENT ON COLUMN pool_code.place IS 'in the order of upload';
COMMENT ON COLUMN pool_code.hash IS 'HMAC-SHA256 in hex, by the key of its pool; so two pools never have the same one';
