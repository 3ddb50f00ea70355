-- Codes that are given to winners. They are worth money: nobody who reads these tables can read one.

CREATE TABLE code_pool (
    activity_id bigint NOT NULL,
    award_id    int NOT NULL,
    hash_key    text NOT NULL, -- sealed; what hashes of this pool's codes are made with, whichever key seals today
    PRIMARY KEY (activity_id, award_id)
);

-- What was decided about an award record, for ever: it has a pool_code, or it was refused.
CREATE TABLE code_answer (
    award_record_id text COLLATE "C" PRIMARY KEY,
    activity_id     bigint NOT NULL,
    award_id        int NOT NULL,
    answered_at     timestamptz NOT NULL
);

CREATE TABLE pool_code (
    code_id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- in the order of upload
    activity_id     bigint NOT NULL,
    award_id        int NOT NULL,
    hash            text COLLATE "C" NOT NULL, -- HMAC-SHA256 in hex
    sealed          text NOT NULL,
    award_record_id text COLLATE "C" UNIQUE, -- whose it is; none: it is free
    given_at        timestamptz,
    UNIQUE (activity_id, award_id, hash),
    FOREIGN KEY (activity_id, award_id) REFERENCES code_pool
);

CREATE INDEX pool_code_free ON pool_code (activity_id, award_id, code_id) WHERE award_record_id IS NULL;
