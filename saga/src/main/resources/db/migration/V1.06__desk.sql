-- Work that waits for an operator, and the decisions of operators about it.

-- Awards that wait to be released or compensated.
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

COMMENT ON COLUMN desk_grant.waits_for IS 'RELEASE: to be released; PERSON: to be compensated';
COMMENT ON COLUMN desk_grant.cause IS 'why, for people; a later reason is added behind the earlier ones';

-- Refused rebates that an operator tries again or gives up.
CREATE TABLE desk_rebate (
    behaviour_id text COLLATE "C" NOT NULL,
    rule_id      bigint NOT NULL,
    place        integer NOT NULL,
    since        timestamptz NOT NULL,
    user_id      text COLLATE "C" NOT NULL,
    behaviour    text COLLATE "C" NOT NULL,
    activity_id  bigint,
    sku          bigint,
    amount       numeric,
    reason       text COLLATE "C" NOT NULL,
    PRIMARY KEY (behaviour_id, rule_id, place)
);

CREATE INDEX desk_rebate_waiting ON desk_rebate (since, behaviour_id, rule_id, place);

COMMENT ON COLUMN desk_rebate.place IS 'of the rebate in its rule, from 0';
COMMENT ON COLUMN desk_rebate.sku IS 'null: it gives the amount of credits';
COMMENT ON COLUMN desk_rebate.reason IS 'the code of the newest refusal';

-- Dead letters, each with its place on its dead-letter topic. A row is written once and decided once.
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

COMMENT ON COLUMN dead_letter.died_at IS 'part of the place, because a topic that is created anew counts from 0 again';
COMMENT ON COLUMN dead_letter.headers IS 'of the original message: [[name, value in Base64 or null], …]';
COMMENT ON COLUMN dead_letter.content_kept IS 'false: the content is large, and only on its topic';

-- The decisions of operators.
CREATE TABLE desk_decision (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    action   text COLLATE "C" NOT NULL,
    subject  text COLLATE "C" NOT NULL,
    reason   text,
    actor    text COLLATE "C",
    trace_id text COLLATE "C"
);

CREATE INDEX desk_decision_about ON desk_decision (subject, action);

COMMENT ON COLUMN desk_decision.actor IS 'null: callers were not authenticated';
