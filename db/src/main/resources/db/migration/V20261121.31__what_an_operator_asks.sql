-- What an operator asks about what does not go on: why, since when, and what was given up.

ALTER TABLE saga ADD COLUMN cause text;
COMMENT ON COLUMN saga.cause IS 'why it failed when it was due last';

CREATE INDEX saga_failing ON saga (due_at, type, association) WHERE failures > 0;

-- A function returns the columns that its table had when it was made.
CREATE OR REPLACE FUNCTION saga_find(wanted_type text, wanted text[])
RETURNS SETOF saga
LANGUAGE sql STABLE SET enable_seqscan = off
BEGIN ATOMIC
    SELECT * FROM saga WHERE association = ANY (wanted) AND type = wanted_type;
END;

CREATE OR REPLACE FUNCTION saga_end(ended_associations text[], ended_types text[], ended_versions integer[])
RETURNS SETOF saga
LANGUAGE sql VOLATILE SET enable_seqscan = off
BEGIN ATOMIC
    DELETE FROM saga
    USING unnest(ended_associations, ended_types, ended_versions) AS ended (association, type, version)
    WHERE saga.association = ended.association AND saga.type = ended.type AND saga.version = ended.version
    RETURNING saga.*;
END;

CREATE OR REPLACE FUNCTION saga_take_due(wanted_types text[], moment timestamptz, at_most integer)
RETURNS SETOF saga
LANGUAGE sql VOLATILE SET enable_seqscan = off
BEGIN ATOMIC
    SELECT * FROM saga WHERE due_at <= moment AND type = ANY (wanted_types)
    ORDER BY due_at LIMIT at_most FOR UPDATE SKIP LOCKED;
END;

-- Those that have been due since before a moment, and those that fail, the longest due first; each half from its own index.
CREATE FUNCTION saga_find_late(
    wanted_type text, moment timestamptz, after_due timestamptz, after_type text, after_association text, at_most integer)
RETURNS SETOF saga
LANGUAGE sql STABLE SET enable_seqscan = off
BEGIN ATOMIC
    (SELECT * FROM saga
     WHERE due_at < moment AND failures = 0 AND (wanted_type IS NULL OR type = wanted_type)
       AND (due_at, type, association) > (after_due, after_type, after_association)
     ORDER BY due_at, type, association LIMIT at_most)
    UNION ALL
    (SELECT * FROM saga
     WHERE due_at IS NOT NULL AND failures > 0 AND (wanted_type IS NULL OR type = wanted_type)
       AND (due_at, type, association) > (after_due, after_type, after_association)
     ORDER BY due_at, type, association LIMIT at_most)
    ORDER BY due_at, type, association LIMIT at_most;
END;

CREATE OR REPLACE VIEW saga_readable AS
SELECT type, association, due_at, failures, version, state::jsonb AS state, saga_id, cause
FROM saga;

ALTER TABLE parked_event ADD COLUMN dropped_at timestamptz;
COMMENT ON COLUMN parked_event.dropped_at IS 'when it was given up; null: it waits, or that was not noted';

CREATE INDEX parked_event_waiting ON parked_event (processor, sequence_id, position) WHERE dropped_because IS NULL;
