-- Who of the staff has read what about persons (docs/security.md).
CREATE TABLE personal_read (
    number   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at       timestamptz NOT NULL DEFAULT now(),
    actor    text COLLATE "C" NOT NULL,
    role     text COLLATE "C" NOT NULL,
    path     text COLLATE "C" NOT NULL,
    trace_id text COLLATE "C"
);

CREATE INDEX personal_read_by_actor ON personal_read (actor, number);

COMMENT ON COLUMN personal_read.path IS 'what was asked for, with its query';
COMMENT ON TABLE personal_read IS 'append-only: who of the staff has read what about persons';
