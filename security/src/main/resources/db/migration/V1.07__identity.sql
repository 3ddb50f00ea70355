-- The accounts of people and systems, if the lottery itself authenticates its callers (docs/security.md).
CREATE TABLE identity_account (
    name            text COLLATE "C" PRIMARY KEY,
    password_hash   text COLLATE "C",
    phone           text COLLATE "C" UNIQUE,
    roles           text[] NOT NULL,
    is_locked       boolean NOT NULL DEFAULT false,
    session_version integer NOT NULL DEFAULT 1,
    failures        integer NOT NULL DEFAULT 0,
    next_try_at     timestamptz,
    created_at      timestamptz NOT NULL DEFAULT now()
);

COMMENT ON COLUMN identity_account.password_hash IS 'null: logs in by phone alone';
COMMENT ON COLUMN identity_account.session_version IS 'sessions of another version have ended';
COMMENT ON COLUMN identity_account.failures IS 'failed logins after the last successful one';

CREATE TABLE identity_phone_code (
    phone    text COLLATE "C" PRIMARY KEY,
    code     text COLLATE "C",
    sent_at  timestamptz NOT NULL,
    tries    integer NOT NULL DEFAULT 0,
    day      date NOT NULL,
    sends    integer NOT NULL DEFAULT 1,
    failures integer NOT NULL DEFAULT 0
);

COMMENT ON COLUMN identity_phone_code.code IS 'null: it was used, or could not be sent';
COMMENT ON COLUMN identity_phone_code.tries IS 'of this code; sends and failures count for the day';

-- Changes of accounts of the staff that wait until another administrator agrees.
CREATE TABLE identity_draft (
    id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    at            timestamptz NOT NULL DEFAULT now(),
    name          text COLLATE "C" NOT NULL,
    roles         text[] NOT NULL,
    password_hash text COLLATE "C",
    phone         text COLLATE "C",
    change        text COLLATE "C" NOT NULL
);

-- How many codes all phones together have got.
CREATE TABLE identity_phone_total (
    one       boolean PRIMARY KEY DEFAULT true CHECK (one),
    day       date NOT NULL,
    of_day    integer NOT NULL DEFAULT 1,
    minute    timestamptz NOT NULL,
    of_minute integer NOT NULL DEFAULT 1
);

CREATE TABLE identity_change (
    number   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at       timestamptz NOT NULL DEFAULT now(),
    account  text COLLATE "C" NOT NULL,
    change   text COLLATE "C" NOT NULL,
    roles    text[] NOT NULL,
    reason   text,
    actor    text COLLATE "C",
    trace_id text COLLATE "C"
);

COMMENT ON COLUMN identity_change.actor IS 'null: the lottery itself, at its start';
COMMENT ON TABLE identity_change IS 'append-only: who has changed which account';

-- Which member of the staff has read which personal data (docs/security.md).
CREATE TABLE personal_read (
    number   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at       timestamptz NOT NULL DEFAULT now(),
    actor    text COLLATE "C" NOT NULL,
    role     text COLLATE "C" NOT NULL,
    path     text COLLATE "C" NOT NULL,
    trace_id text COLLATE "C"
);

CREATE INDEX personal_read_by_actor ON personal_read (actor, number);

COMMENT ON COLUMN personal_read.path IS 'the path that was requested, with its query';
COMMENT ON TABLE personal_read IS 'append-only: who of the staff has read what about persons';
