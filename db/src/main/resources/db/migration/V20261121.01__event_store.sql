-- The log of all events, tokens and sagas. Ids compare byte by byte (COLLATE "C"): they are never sorted for people, and
-- the indexes are smaller and faster for it.

-- The position of the newest event. Whoever appends locks this row until the commit: positions are given in the order of
-- commits, and a rollback gives them back.
CREATE TABLE event_head (
    one      boolean PRIMARY KEY DEFAULT true CHECK (one),
    position bigint NOT NULL
) WITH (fillfactor = 10);

INSERT INTO event_head (position) VALUES (0);

CREATE TABLE event (
    position       bigint NOT NULL,
    event_id       uuid NOT NULL,
    at             timestamptz NOT NULL,
    sequence       integer NOT NULL CHECK (sequence >= 0),
    aggregate_id   text COLLATE "C" NOT NULL,
    aggregate_type text COLLATE "C",
    type           text COLLATE "C" NOT NULL,
    revision       text COLLATE "C",
    payload        bytea NOT NULL,
    metadata       bytea NOT NULL,
    CONSTRAINT event_position PRIMARY KEY (position),
    CONSTRAINT event_place UNIQUE (aggregate_id, sequence)
);

COMMENT ON COLUMN event.position IS 'without a hole, in the order of commits';
COMMENT ON COLUMN event.type IS 'the stable name of the event, never a class';
COMMENT ON COLUMN event.aggregate_type IS 'null: an event of no aggregate, under its own id';

-- Facts that are true once, written in the same commit as the events that say why.
CREATE TABLE claim (
    scope    text COLLATE "C" NOT NULL,
    key      text COLLATE "C" NOT NULL,
    holder   text COLLATE "C" NOT NULL,
    position bigint NOT NULL,
    CONSTRAINT claim_name PRIMARY KEY (scope, key)
);

COMMENT ON COLUMN claim.position IS 'of the first event of the commit that claimed it';

-- The latest snapshot of an aggregate. It can be dropped at any time: the events say the same.
CREATE TABLE snapshot (
    aggregate_id   text COLLATE "C" PRIMARY KEY,
    sequence       integer NOT NULL,
    aggregate_type text COLLATE "C",
    event_id       uuid NOT NULL,
    at             timestamptz NOT NULL,
    type           text COLLATE "C" NOT NULL,
    revision       text COLLATE "C",
    payload        bytea NOT NULL,
    metadata       bytea NOT NULL
);

-- How far each processor is. It is updated all the time: room on the page keeps the updates there.
CREATE TABLE token (
    processor  text COLLATE "C" NOT NULL,
    segment    integer NOT NULL,
    token      jsonb,
    owner      text COLLATE "C",
    claimed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (processor, segment)
) WITH (fillfactor = 20);

COMMENT ON COLUMN token.token IS 'the position up to which everything was handled; an object while a replay is under way';

-- Events that a processor could not handle, and what waits behind them. They stay in the log; this says which, and why.
CREATE TABLE parked_event (
    processor       text COLLATE "C" NOT NULL,
    position        bigint NOT NULL,
    sequence_id     text COLLATE "C" NOT NULL,
    cause           text NOT NULL,
    attempts        integer NOT NULL DEFAULT 1,
    parked_at       timestamptz NOT NULL DEFAULT now(),
    retry_at        timestamptz NOT NULL,
    dropped_because text,
    PRIMARY KEY (processor, position)
);

COMMENT ON COLUMN parked_event.sequence_id IS 'what all events share that must not overtake each other';
COMMENT ON COLUMN parked_event.dropped_because IS 'given up by a person, for this reason; null: it waits';

CREATE TABLE sagaentry (
    sagaid         text COLLATE "C" PRIMARY KEY,
    revision       text COLLATE "C",
    sagatype       text COLLATE "C",
    serializedsaga bytea
);

CREATE TABLE associationvalueentry (
    id               bigserial PRIMARY KEY,
    associationkey   text COLLATE "C",
    associationvalue text COLLATE "C",
    sagaid           text COLLATE "C",
    sagatype         text COLLATE "C"
);

CREATE INDEX ON associationvalueentry (sagatype, associationkey, associationvalue);
CREATE INDEX ON associationvalueentry (sagaid, sagatype);

-- Events as a person reads them.
CREATE VIEW event_readable AS
SELECT position,
       aggregate_id,
       sequence,
       type,
       revision,
       at,
       convert_from(payload, 'UTF8')::jsonb  AS payload,
       convert_from(metadata, 'UTF8')::jsonb AS metadata,
       event_id
FROM event;
