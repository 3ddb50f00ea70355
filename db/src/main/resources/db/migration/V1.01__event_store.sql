-- The event log, and what is written in the same transactions: claims, series, tokens, sagas, replays, keys of persons.
-- Ids compare byte by byte (COLLATE "C"). They are never sorted for people, and the indexes are smaller and faster.

-- The position of the newest event. A commit locks this row from its first append until its end. So positions follow
-- the order of commits, and a rollback gives them back.
CREATE TABLE event_head (
    one           boolean PRIMARY KEY DEFAULT true CHECK (one),
    position      bigint NOT NULL,
    least_version integer NOT NULL DEFAULT 0
) WITH (fillfactor = 10);

COMMENT ON COLUMN event_head.least_version IS 'of processes that may write; each newer version may raise it at its start';

INSERT INTO event_head (position) VALUES (0);

-- Rows are never changed. Vacuum freezes them once, a million at a time. Otherwise it would come for all of them together
-- when transaction ids run short, and could not be cancelled then.
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
) WITH (
    autovacuum_vacuum_insert_scale_factor = 0,
    autovacuum_vacuum_insert_threshold = 1000000,
    autovacuum_freeze_min_age = 0
);

COMMENT ON COLUMN event.position IS 'without gaps, in the order of commits';
COMMENT ON COLUMN event.type IS 'the stable name of the event, never a class';
COMMENT ON COLUMN event.aggregate_type IS 'null: an event of no aggregate, under its own id';

-- Whether the log has an event at a position. If so, it also has everything before it. Position 0 means that nothing is
-- known. A writer detects by this function and the next one that PostgreSQL has lost events: a backup was restored, or
-- a replica that lagged has taken over. They are functions so that they use an index. A plan that is made for an empty
-- table reads all of it, and is kept while the table grows.
CREATE FUNCTION log_has(known_position bigint, known_event uuid)
RETURNS boolean
LANGUAGE sql STABLE SET enable_seqscan = off
BEGIN ATOMIC
    SELECT known_position = 0
        OR EXISTS (SELECT FROM event WHERE position = known_position AND event_id = known_event);
END;

-- Whether the log has that event, and one in each of these places. There is a subquery for each place instead of a
-- join, because a plan of a join might read all events.
CREATE FUNCTION log_continues(
    known_position bigint, known_event uuid, known_aggregates text[], known_sequences integer[])
RETURNS boolean
LANGUAGE sql STABLE SET enable_seqscan = off
BEGIN ATOMIC
    SELECT (known_position = 0
            OR EXISTS (SELECT FROM event WHERE position = known_position AND event_id = known_event))
        AND NOT EXISTS (
            SELECT FROM unnest(known_aggregates, known_sequences) AS known (aggregate_id, sequence)
            WHERE (SELECT event.sequence FROM event
                   WHERE event.aggregate_id = known.aggregate_id AND event.sequence = known.sequence) IS NULL);
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

-- Facts that can be true only once, written in the commit of the events that say why.
CREATE TABLE claim (
    scope    text COLLATE "C" NOT NULL,
    key      text COLLATE "C" NOT NULL,
    holder   text COLLATE "C" NOT NULL,
    position bigint NOT NULL,
    CONSTRAINT claim_name PRIMARY KEY (scope, key)
) WITH (
    autovacuum_vacuum_insert_scale_factor = 0,
    autovacuum_vacuum_insert_threshold = 1000000,
    autovacuum_freeze_min_age = 0
);

COMMENT ON TABLE claim IS 'append-only: a fact that is true once stays true';
COMMENT ON COLUMN claim.position IS 'of the first event of the commit that claimed it';

-- How much is taken of each limited thing, for example of the units of an award. A commit that takes or gives back locks
-- the row of the counter, after the row of event_head, until the commit ends. So it waits for nobody once more.
CREATE TABLE counter (
    name  text COLLATE "C" PRIMARY KEY,
    taken bigint NOT NULL,
    total bigint NOT NULL,
    CONSTRAINT counter_limit CHECK (taken BETWEEN 0 AND total)
) WITH (
    fillfactor = 10,
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 10000
);

COMMENT ON COLUMN counter.total IS 'the limit that was in force when something was taken last';

-- Series of numbers from 1 on, without gaps, in the order of commits. A commit that takes numbers of a series locks its
-- row, after the row of event_head, until the commit ends.
CREATE TABLE series (
    name   text COLLATE "C" PRIMARY KEY,
    newest integer NOT NULL CHECK (newest >= 0),
    closed boolean NOT NULL,
    last   integer,
    CONSTRAINT series_limit CHECK (newest <= last)
) WITH (fillfactor = 10);

COMMENT ON COLUMN series.newest IS 'the newest number that was given; 0: none';
COMMENT ON COLUMN series.closed IS 'true: the series never gives a number again';
COMMENT ON COLUMN series.last IS 'the last number that can be given so far; null: there is no limit';

-- The numbers that were given, each in the commit of the events that say why.
CREATE TABLE series_number (
    series   text COLLATE "C" NOT NULL,
    number   integer NOT NULL CHECK (number > 0),
    holder   text COLLATE "C" NOT NULL,
    position bigint NOT NULL,
    CONSTRAINT series_number_place PRIMARY KEY (series, number),
    CONSTRAINT series_number_holder UNIQUE (holder, series)
) WITH (
    autovacuum_vacuum_insert_scale_factor = 0,
    autovacuum_vacuum_insert_threshold = 1000000,
    autovacuum_freeze_min_age = 0
);

COMMENT ON TABLE series_number IS 'append-only: a number that was given is never given again';
COMMENT ON COLUMN series_number.position IS 'of the first event of the unit of work that took it';

-- The latest snapshot of an aggregate. It can be deleted at any time, because the events contain the same.
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

-- How far each processor is, and for which of its groups of handlers this holds. Rows change all the time: the free
-- space on the page keeps the new versions there.
CREATE TABLE token (
    processor  text COLLATE "C" NOT NULL,
    segment    integer NOT NULL,
    token      jsonb,
    members    text[] COLLATE "C",
    newcomers  text[] COLLATE "C" NOT NULL DEFAULT '{}',
    owner      text COLLATE "C",
    claimed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (processor, segment)
) WITH (fillfactor = 20);

COMMENT ON COLUMN token.token IS
    'the position up to which everything was handled; an object while a replay is under way';
COMMENT ON COLUMN token.members IS
    'the groups of handlers that have handled everything up to the token; null: all of the process that claims it first';
COMMENT ON COLUMN token.newcomers IS 'groups that the owner has too; each is built by a replay, and then is a member';

-- Events that a group of handlers could not handle, and the events that wait behind them. The events stay in the log. A row
-- says which event it is, and why.
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

COMMENT ON COLUMN parked_event.processor IS 'the group of handlers; the other groups of its processor go on';
COMMENT ON COLUMN parked_event.sequence_id IS 'shared by all events that must not overtake each other';
COMMENT ON COLUMN parked_event.dropped_because IS 'the reason for which a person gave it up; null: it waits';
COMMENT ON COLUMN parked_event.dropped_at IS 'when a person gave it up; null: it waits';

-- The first parked event of each sequence. It goes from one sequence to the next in the index, because a sequence may
-- have many events. A plan that is made while the table is empty would read all of it at each step, and is kept while the
-- table fills. The last two settings have the same reason as in saga_find_late. Only one index has this order.
CREATE FUNCTION parked_first(member text)
RETURNS SETOF parked_event
LANGUAGE sql STABLE SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
BEGIN ATOMIC
    WITH RECURSIVE found AS (
        (SELECT * FROM parked_event
         WHERE processor = member AND dropped_because IS NULL
         ORDER BY sequence_id, position LIMIT 1)
        UNION ALL
        SELECT next.* FROM found CROSS JOIN LATERAL (
            SELECT * FROM parked_event
            WHERE processor = member AND dropped_because IS NULL AND sequence_id > found.sequence_id
            ORDER BY sequence_id, position LIMIT 1) AS next)
    SELECT * FROM found;
END;

-- Sagas that have not ended, each under the one association by which it finds its events. Most rows live for less than
-- a second, and there are many dead rows at any time. So pages have free space for updates. Vacuum starts by count,
-- works at full speed, and takes no lock at its end to give back space that is needed again at once.
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

COMMENT ON COLUMN saga.due_at IS 'when the saga acts if no event comes before';
COMMENT ON COLUMN saga.due_since IS 'when it should have acted, if it tried and could not; null: due_at';
COMMENT ON COLUMN saga.version IS 'counts the writes: a writer that has read another version must not write';
COMMENT ON COLUMN saga.failures IS 'how often in a row it failed when it was due';
COMMENT ON COLUMN saga.cause IS 'why it did not act when it was due last';
COMMENT ON COLUMN saga.type IS 'the stable name of the saga, never a class';
COMMENT ON COLUMN saga.state IS 'a JSON document';

-- The following functions read and lock sagas. A plan that is made while the table is empty reads all of it, and is
-- kept while the table fills with dead rows. A function can be told to use an index, whatever the statistics say.
CREATE FUNCTION saga_find(wanted_type text, wanted text[])
RETURNS SETOF saga
LANGUAGE sql STABLE SET enable_seqscan = off
BEGIN ATOMIC
    SELECT * FROM saga WHERE association = ANY (wanted) AND type = wanted_type;
END;

-- Reads sagas for the events of a batch, and locks them until the end of its transaction. So the poll of due sagas,
-- which skips locked rows, does not change a saga while a batch handles an event for it. If the poll has locked a saga
-- first, the batch waits until the poll has committed, and reads the new state.
CREATE FUNCTION saga_lock(wanted_type text, wanted text[])
RETURNS SETOF saga
LANGUAGE sql VOLATILE SET enable_seqscan = off
BEGIN ATOMIC
    SELECT * FROM saga WHERE association = ANY (wanted) AND type = wanted_type
    ORDER BY association FOR UPDATE;
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

-- Locks due sagas. Two processes that look at the same time get different sagas, and neither waits.
CREATE FUNCTION saga_take_due(wanted_type text, moment timestamptz, at_most integer)
RETURNS SETOF saga
LANGUAGE sql VOLATILE SET enable_seqscan = off
BEGIN ATOMIC
    SELECT * FROM saga WHERE type = wanted_type AND due_at <= moment
    ORDER BY due_at LIMIT at_most FOR UPDATE SKIP LOCKED;
END;

-- The kinds of sagas that may become due, also of another version of the application. It looks into the index once for
-- each kind, and once more, however many sagas there are. The last two settings have the same reason as in
-- saga_find_late.
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

-- Sagas that have been due since before a moment, and sagas that fail, in the order of their due times. For each kind,
-- sagas that were tried and sagas that were not come from two indexes, in order. So it reads only the rows that it
-- returns. Without the last two settings, a plan for an empty table might sort all sagas.
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

-- The kinds of sagas that are late or fail, one row for each saga, in no order. They are counted up to a limit.
CREATE FUNCTION saga_some_late(moment timestamptz, at_most integer)
RETURNS SETOF text
LANGUAGE sql STABLE SET enable_seqscan = off
BEGIN ATOMIC
    (SELECT type FROM saga WHERE due_at < moment AND due_since IS NULL LIMIT at_most)
    UNION ALL
    (SELECT type FROM saga WHERE due_since IS NOT NULL AND (due_since < moment OR failures > 0) LIMIT at_most)
    LIMIT at_most;
END;

-- Sagas as a person reads them.
CREATE VIEW saga_readable AS
SELECT type, association, due_at, due_since, failures, version, state::jsonb AS state, saga_id, cause
FROM saga;

-- Replays: read models that are built anew while the old ones are read. A replay belongs to the process that has
-- claimed it, like a token. Its position moves in the transactions that write the new tables.
CREATE TABLE replay (
    processor      text COLLATE "C" PRIMARY KEY,
    position       bigint NOT NULL DEFAULT 0,
    begun_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    owner          text COLLATE "C",
    claimed_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    resumed_at     timestamptz,
    resumed_from   bigint NOT NULL DEFAULT 0,
    failed_because text
) WITH (fillfactor = 20);

COMMENT ON COLUMN replay.position IS 'the new tables contain all events up to this one';
COMMENT ON COLUMN replay.resumed_at IS 'when its owner went on with it at resumed_from; its speed follows from both';
COMMENT ON COLUMN replay.failed_because IS 'why it has stopped, so that the old tables stay; null: it is under way';

-- A replay creates a second table beside a read model and replaces the first one by it. Only the owner of the tables
-- may do so. The role of the application may own nothing. Therefore it calls the following procedures, which run with
-- the rights of the owner. They refuse a table whose rows the caller may not read, insert, update and delete itself.

-- The table with that name in the schema of these procedures, whatever the search path of the session is.
CREATE FUNCTION replay_table(wanted text) RETURNS regclass
LANGUAGE plpgsql STABLE AS $$
DECLARE
    named CONSTANT regclass := to_regclass(format('%I.%I', current_schema(), wanted));
BEGIN
    IF named IS NULL THEN
        RAISE EXCEPTION 'there is no table %', wanted USING ERRCODE = 'undefined_table';
    END IF;
    IF NOT (has_table_privilege(session_user, named, 'SELECT') AND has_table_privilege(session_user, named, 'INSERT')
            AND has_table_privilege(session_user, named, 'UPDATE') AND has_table_privilege(session_user, named, 'DELETE')) THEN
        RAISE EXCEPTION 'permission denied to replace table %', wanted USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN named;
END;
$$;

-- The indexes of a table. The shape of an index is its definition without the names of the index and the table.
CREATE FUNCTION replay_indexes(wanted regclass) RETURNS TABLE (name text, shape text)
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT relname::text,
           regexp_replace(pg_get_indexdef(indexrelid), '^.*? USING ', '') || CASE WHEN indisunique THEN ' unique' ELSE '' END
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = wanted;
END;

CREATE PROCEDURE replay_drop_table(wanted text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM replay_table(wanted);
    IF to_regclass(format('%I.%I', current_schema(), wanted || '_next')) IS NOT NULL THEN
        EXECUTE format('DROP TABLE %s', replay_table(wanted || '_next'));
    END IF;
END;
$$;

-- Creates the second table, empty, with the storage parameters and the grants of the first one.
CREATE PROCEDURE replay_create_table(wanted text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    original CONSTANT regclass := replay_table(wanted);
    second CONSTANT text := format('%I.%I', current_schema(), wanted || '_next');
    options CONSTANT text := (SELECT array_to_string(reloptions, ', ') FROM pg_class WHERE oid = original);
    granted record;
BEGIN
    CALL replay_drop_table(wanted);
    EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL)', second, original);
    IF options <> '' THEN
        EXECUTE format('ALTER TABLE %s SET (%s)', second, options);
    END IF;
    FOR granted IN
        SELECT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END AS role,
               string_agg(privilege_type, ', ') AS privileges
        FROM pg_class, aclexplode(relacl)
        WHERE pg_class.oid = original AND grantee <> relowner
        GROUP BY grantee
    LOOP
        EXECUTE format('GRANT %s ON TABLE %s TO %s', granted.privileges, second, granted.role);
    END LOOP;
END;
$$;

CREATE PROCEDURE replay_analyze_table(wanted text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM replay_table(wanted);
    EXECUTE format('ANALYZE %s', replay_table(wanted || '_next'));
END;
$$;

-- Replaces the first table by the second one, which gets the names of its indexes, and its triggers.
CREATE PROCEDURE replay_switch_table(wanted text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    original CONSTANT regclass := replay_table(wanted);
    second CONSTANT regclass := replay_table(wanted || '_next');
    known CONSTANT jsonb := (SELECT jsonb_object_agg(shape, name) FROM replay_indexes(original));
    triggers CONSTANT text[] := ARRAY(
        SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = original AND NOT tgisinternal);
    index record;
    definition text;
BEGIN
    EXECUTE format('DROP TABLE %s', original);
    EXECUTE format('ALTER TABLE %s RENAME TO %I', second, wanted);
    FOR index IN SELECT name, known ->> shape AS former FROM replay_indexes(second) LOOP
        IF index.former IS NOT NULL THEN
            EXECUTE format('ALTER INDEX %I.%I RENAME TO %I', current_schema(), index.name, index.former);
        END IF;
    END LOOP;
    FOREACH definition IN ARRAY triggers LOOP
        EXECUTE definition;
    END LOOP;
END;
$$;

-- An owner that is not the role of the application grants this right to that role.
REVOKE EXECUTE ON PROCEDURE replay_drop_table, replay_create_table, replay_analyze_table, replay_switch_table FROM PUBLIC;

-- The keys that seal personal data in the log. If a row is deleted, nobody can read the data of that person any more,
-- and the log does not change.
CREATE TABLE person_key (
    user_id    text COLLATE "C" PRIMARY KEY,
    key_id     text COLLATE "C" NOT NULL,
    sealed_key text COLLATE "C" NOT NULL,
    master_key text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

COMMENT ON COLUMN person_key.key_id IS 'random, and never used again: sealed texts name it';
COMMENT ON COLUMN person_key.master_key IS 'the name of the configured key that seals this one';
