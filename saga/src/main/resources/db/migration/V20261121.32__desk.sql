-- What waits for a person, and what a person has decided about it.

-- Awards that wait for an operator: to be released, or to be made good for.
CREATE TABLE desk_grant (
    award_record_id text COLLATE "C" PRIMARY KEY,
    waits_for       text COLLATE "C" NOT NULL CHECK (waits_for IN ('RELEASE', 'PERSON')),
    since           timestamptz NOT NULL,
    user_id         text COLLATE "C" NOT NULL,
    activity_id     bigint NOT NULL,
    award_id        integer NOT NULL,
    title           text NOT NULL,
    type            text COLLATE "C" NOT NULL,
    cause           text NOT NULL
);

CREATE INDEX desk_grant_waiting ON desk_grant (waits_for, since, award_record_id);

COMMENT ON COLUMN desk_grant.cause IS 'why, for people; each reason that came later is behind the one before';

-- Letters that were put aside, by their place on the topic for those. Written once each, and decided about once.
CREATE TABLE dead_letter (
    id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    found_topic      text COLLATE "C" NOT NULL,
    found_partition  integer NOT NULL,
    found_offset     bigint NOT NULL,
    died_at          timestamptz NOT NULL,
    topic            text COLLATE "C" NOT NULL,
    source_partition integer,
    source_offset    bigint,
    key              bytea,
    key_text         text NOT NULL,
    type             text NOT NULL,
    cause            text NOT NULL,
    headers          text NOT NULL,
    content          bytea,
    content_kept     boolean NOT NULL,
    size_bytes       integer NOT NULL,
    preview          text NOT NULL,
    state            text COLLATE "C" NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'RETRIED', 'DROPPED')),
    decided_at       timestamptz,
    reason           text,
    CONSTRAINT dead_letter_place UNIQUE (found_topic, found_partition, found_offset, died_at)
);

CREATE INDEX dead_letter_listed ON dead_letter (state, topic, id);

COMMENT ON COLUMN dead_letter.died_at IS 'of the place, too: a topic that is made again counts from 0 again';
COMMENT ON COLUMN dead_letter.headers IS 'those that it came with: [[name, value in Base64 or null], …]';
COMMENT ON COLUMN dead_letter.content_kept IS 'false: it is large, and still on its topic, if it is there';

-- What operators did. Nobody logs in here, so it is not known who.
CREATE TABLE desk_decision (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    action  text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    reason  text
);

CREATE INDEX desk_decision_about ON desk_decision (subject, action);
