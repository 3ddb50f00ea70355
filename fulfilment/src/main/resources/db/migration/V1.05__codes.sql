-- Codes that are given to winners. They are worth money, so these tables contain no readable code.

CREATE TABLE code_pool (
    activity_id bigint NOT NULL,
    award_id    int NOT NULL,
    hash_key    text NOT NULL,
    PRIMARY KEY (activity_id, award_id)
);

COMMENT ON COLUMN code_pool.hash_key IS
    'sealed; makes the hashes of this pool, so they stay when the key that seals changes';

-- The final answer to each award record: it has a pool_code, or it was refused.
CREATE TABLE code_answer (
    award_record_id text COLLATE "C" PRIMARY KEY,
    activity_id     bigint NOT NULL,
    award_id        int NOT NULL,
    answered_at     timestamptz NOT NULL
);

CREATE TABLE pool_code (
    code_id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    activity_id     bigint NOT NULL,
    award_id        int NOT NULL,
    hash            text COLLATE "C" NOT NULL,
    sealed          text NOT NULL,
    award_record_id text COLLATE "C" UNIQUE,
    given_at        timestamptz,
    UNIQUE (activity_id, award_id, hash),
    FOREIGN KEY (activity_id, award_id) REFERENCES code_pool
);

CREATE INDEX pool_code_free ON pool_code (activity_id, award_id, code_id) WHERE award_record_id IS NULL;

COMMENT ON COLUMN pool_code.code_id IS 'in the order of upload';
COMMENT ON COLUMN pool_code.hash IS 'HMAC-SHA256 in hex';
COMMENT ON COLUMN pool_code.award_record_id IS 'the award record that has it; null: it is free';
