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
    dropped_at      timestamptz,
    PRIMARY KEY (processor, position)
);

CREATE INDEX parked_event_waiting ON parked_event (processor, sequence_id, position) WHERE dropped_because IS NULL;

COMMENT ON COLUMN parked_event.sequence_id IS 'what all events share that must not overtake each other';
COMMENT ON COLUMN parked_event.dropped_because IS 'given up by a person, for this reason; null: it waits';
COMMENT ON COLUMN parked_event.dropped_at IS 'when it was given up; null: it waits, or that was not noted';

-- What is under way, one row for each saga, under the one association by which it finds its events. Most rows live for
-- less than a second, and dead ones are many at any time: there is room on the page for an update, and vacuum comes by
-- count, at full speed, without a lock at the end to give back space that is needed again at once.
CREATE TABLE saga (
    due_at      timestamptz,
    due_since   timestamptz,
    version     integer NOT NULL CHECK (version > 0),
    failures    integer NOT NULL DEFAULT 0,
    association text COLLATE "C" NOT NULL,
    type        text COLLATE "C" NOT NULL,
    saga_id     text COLLATE "C" NOT NULL,
    state       text COLLATE "C" NOT NULL,
    cause       text,
    CONSTRAINT saga_place PRIMARY KEY (association, type)
) WITH (
    fillfactor = 70,
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0,
    autovacuum_analyze_scale_factor = 0,
    autovacuum_analyze_threshold = 10000,
    vacuum_index_cleanup = on,
    vacuum_truncate = off
);

CREATE INDEX saga_due ON saga (type, due_at, association) WHERE due_at IS NOT NULL;
CREATE INDEX saga_tried ON saga (type, due_since, association) WHERE due_since IS NOT NULL;

COMMENT ON COLUMN saga.due_at IS 'when it is looked at again, if nothing happens until then';
COMMENT ON COLUMN saga.due_since IS 'when it should have acted, if it has tried to and could not, for whatever reason; null: due_at';
COMMENT ON COLUMN saga.version IS 'counts what was written: who has read another version must not write';
COMMENT ON COLUMN saga.failures IS 'how often it failed in a row when it was due';
COMMENT ON COLUMN saga.cause IS 'why it did not act when it was due last';
COMMENT ON COLUMN saga.type IS 'the stable name of the saga, never a class';
COMMENT ON COLUMN saga.state IS 'a document, by fields';

-- A plan that is made while the table is empty reads all of it, and is kept while the table fills with dead rows. What
-- looks sagas up is a function for that reason alone: it can be told to use an index, whatever the statistics say.
CREATE FUNCTION saga_find(wanted_type text, wanted text[])
RETURNS SETOF saga
LANGUAGE sql STABLE SET enable_seqscan = off
BEGIN ATOMIC
    SELECT * FROM saga WHERE association = ANY (wanted) AND type = wanted_type;
END;

CREATE FUNCTION saga_end(ended_associations text[], ended_types text[], ended_versions integer[])
RETURNS SETOF saga
LANGUAGE sql VOLATILE SET enable_seqscan = off
BEGIN ATOMIC
    DELETE FROM saga
    USING unnest(ended_associations, ended_types, ended_versions) AS ended (association, type, version)
    WHERE saga.association = ended.association AND saga.type = ended.type AND saga.version = ended.version
    RETURNING saga.*;
END;

-- Locks what is due: two who look at the same time get different sagas, and nobody waits.
CREATE FUNCTION saga_take_due(wanted_type text, moment timestamptz, at_most integer)
RETURNS SETOF saga
LANGUAGE sql VOLATILE SET enable_seqscan = off
BEGIN ATOMIC
    SELECT * FROM saga WHERE type = wanted_type AND due_at <= moment
    ORDER BY due_at LIMIT at_most FOR UPDATE SKIP LOCKED;
END;

-- The kinds of those that may become due, of whichever version of the application: one look at an index for each, and
-- one more, however many sagas there are. Of the last two settings see below.
CREATE FUNCTION saga_kinds()
RETURNS SETOF text
LANGUAGE sql STABLE SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
BEGIN ATOMIC
    WITH RECURSIVE found (kind) AS (
        (SELECT type FROM saga WHERE due_at IS NOT NULL ORDER BY type LIMIT 1)
        UNION ALL
        SELECT (SELECT type FROM saga WHERE due_at IS NOT NULL AND type > found.kind ORDER BY type LIMIT 1)
        FROM found WHERE found.kind IS NOT NULL)
    SELECT kind FROM found WHERE kind IS NOT NULL;
END;

-- Those that have been due since before a moment, and those that fail, the longest due first. Of each kind, what has not
-- been tried yet and what has comes from an index of its own, in order: what is read is what is wanted, however many there
-- are. Without the last two settings, a plan for an empty table might sort all of them.
CREATE FUNCTION saga_find_late(
    wanted_types text[], moment timestamptz, after_since timestamptz, after_association text, after_type text,
    at_most integer)
RETURNS SETOF saga
LANGUAGE sql STABLE SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
BEGIN ATOMIC
    SELECT late.* FROM unnest(wanted_types) AS wanted (kind) CROSS JOIN LATERAL (
        (SELECT * FROM saga
         WHERE type = wanted.kind AND due_at < moment AND due_since IS NULL
           AND (due_at, association) >= (after_since, after_association)
           AND (due_at, association, type) > (after_since, after_association, after_type)
         ORDER BY due_at, association LIMIT at_most)
        UNION ALL
        (SELECT * FROM saga
         WHERE type = wanted.kind AND due_since IS NOT NULL AND (due_since < moment OR failures > 0)
           AND (due_since, association) >= (after_since, after_association)
           AND (due_since, association, type) > (after_since, after_association, after_type)
         ORDER BY due_since, association LIMIT at_most)) AS late
    ORDER BY coalesce(late.due_since, late.due_at), late.association, late.type LIMIT at_most;
END;

-- The kinds of those that are late or fail, in no order: to be counted, up to a limit.
CREATE FUNCTION saga_some_late(moment timestamptz, at_most integer)
RETURNS SETOF text
LANGUAGE sql STABLE SET enable_seqscan = off
BEGIN ATOMIC
    (SELECT type FROM saga WHERE due_at < moment AND due_since IS NULL LIMIT at_most)
    UNION ALL
    (SELECT type FROM saga WHERE due_since IS NOT NULL AND (due_since < moment OR failures > 0) LIMIT at_most)
    LIMIT at_most;
END;

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

-- Sagas as a person reads them.
CREATE VIEW saga_readable AS
SELECT type, association, due_at, due_since, failures, version, state::jsonb AS state, saga_id, cause
FROM saga;
