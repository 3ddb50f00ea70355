-- The keys that seal what the log keeps about persons. A deleted row makes all of it unreadable, and the log stays as it is.
CREATE TABLE person_key (
    user_id    text COLLATE "C" PRIMARY KEY,
    key_id     text COLLATE "C" NOT NULL,
    sealed_key text COLLATE "C" NOT NULL,
    master_key text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

COMMENT ON COLUMN person_key.key_id IS 'random, and never used again: sealed texts name it';
COMMENT ON COLUMN person_key.master_key IS 'the name of the configured key under which this one is sealed';
