-- Appends a group of units of work to the log, in one call. It returns the position before the first event of the group;
-- null: nothing is stored, because the log lacks an event that has to precede the group, or because this version of the
-- application may not write any more. An error stores nothing, either.
--
-- The first statement locks the head's row until the commit. So positions follow the order of commits across all
-- processes, and a rollback frees them. Rows of series and counters are locked after the head, so that two processes
-- cannot deadlock.
--
-- It is a function so that a proxy in front of several servers can send the whole commit to the server of its schema.
CREATE FUNCTION log_append(
    known_position bigint, known_event uuid, known_aggregates text[], known_sequences integer[], own_version integer,
    new_aggregates text[], new_sequences integer[], new_aggregate_types text[], new_ids uuid[], new_micros bigint[],
    new_types text[], new_revisions text[], new_payloads bytea[], new_metadata bytea[],
    claim_scopes text[], claim_keys text[], claim_holders text[], claim_events integer[],
    series_names text[], series_counts integer[], series_closing boolean[],
    number_series text[], number_counts integer[], number_places integer[], number_holders text[], number_events integer[],
    changed_counters text[], changed_amounts bigint[], changed_totals bigint[],
    taken_counters text[], taken_amounts bigint[], taken_totals bigint[],
    notified boolean)
RETURNS bigint
LANGUAGE plpgsql VOLATILE SET search_path FROM CURRENT AS $$
DECLARE
    added CONSTANT integer := cardinality(new_aggregates);
    base bigint;
BEGIN
    UPDATE event_head SET position = position + added
    WHERE log_continues(known_position, known_event, known_aggregates, known_sequences) AND least_version <= own_version
    RETURNING position - added INTO base;
    IF base IS NULL THEN
        RETURN NULL;
    END IF;

    INSERT INTO event (position, aggregate_id, sequence, aggregate_type, event_id, at, type, revision, payload, metadata)
    SELECT base + r.ord, r.aggregate_id, r.sequence, r.aggregate_type, r.event_id,
           timestamptz 'epoch' + r.micros * interval '1 microsecond', r.type, r.revision, r.payload, r.metadata
    FROM unnest(new_aggregates, new_sequences, new_aggregate_types, new_ids, new_micros, new_types, new_revisions,
                new_payloads, new_metadata)
             WITH ORDINALITY AS r (aggregate_id, sequence, aggregate_type, event_id, micros, type, revision, payload,
                                   metadata, ord);

    IF cardinality(claim_keys) > 0 THEN
        INSERT INTO claim (scope, key, holder, position)
        SELECT t.scope, t.key, t.holder, base + t.ord
        FROM unnest(claim_scopes, claim_keys, claim_holders, claim_events) AS t (scope, key, holder, ord);
    END IF;

    -- A closed series gives no number, and the statement then fails because the number is missing.
    IF cardinality(series_names) > 0 THEN
        WITH counted AS (
            INSERT INTO series AS known (name, newest, closed)
            SELECT r.name, r.count, r.closing
            FROM unnest(series_names, series_counts, series_closing) AS r (name, count, closing)
            ON CONFLICT (name) DO UPDATE SET newest = known.newest + excluded.newest, closed = excluded.closed
            WHERE NOT known.closed
            RETURNING known.name, known.newest
        )
        INSERT INTO series_number (series, number, holder, position)
        SELECT t.series, counted.newest - t.count + t.place, t.holder, base + t.ord
        FROM unnest(number_series, number_counts, number_places, number_holders, number_events)
                 AS t (series, count, place, holder, ord)
             LEFT JOIN counted ON counted.name = t.series;
    END IF;

    -- A constraint fails the call if more would be taken than the limit. No counter is both changed and taken. What is
    -- taken by a change comes from a block that was leased to this log, so the counter must exist.
    IF cardinality(changed_counters) > 0 THEN
        UPDATE counter SET taken = counter.taken + r.amount, total = least(counter.total, r.total)
        FROM unnest(changed_counters, changed_amounts, changed_totals) AS r (name, amount, total)
        WHERE counter.name = r.name;
        IF EXISTS (SELECT FROM unnest(changed_counters, changed_amounts) AS r (name, amount)
                   WHERE r.amount > 0 AND NOT EXISTS (SELECT FROM counter WHERE counter.name = r.name)) THEN
            RAISE EXCEPTION 'no block of a counter was leased' USING ERRCODE = 'check_violation', CONSTRAINT = 'counter_limit';
        END IF;
    END IF;
    IF cardinality(taken_counters) > 0 THEN
        INSERT INTO counter AS known (name, taken, total)
        SELECT t.name, t.amount, t.total FROM unnest(taken_counters, taken_amounts, taken_totals) AS t (name, amount, total)
        ON CONFLICT (name) DO UPDATE SET taken = known.taken + excluded.taken, total = excluded.total;
    END IF;

    -- Other schemas of the database share the channel, so the notification names this one.
    IF notified THEN
        PERFORM pg_notify('event_head', current_schema() || ':' || base + added);
    END IF;
    RETURN base;
END;
$$;

-- Blocks of counters. A counter is kept in the home log. Another log takes from a block of it, which is leased to this log:
-- its own row of the counter has the block as its limit. A block is a row in both logs with the same number, written by
-- the transaction that changes the counter there. So a crash between the two loses nothing: the second is made up for.
CREATE TABLE counter_block (
    log        integer NOT NULL,
    number     integer NOT NULL,
    returned   boolean NOT NULL,
    counter    text COLLATE "C" NOT NULL,
    amount     bigint NOT NULL CHECK (amount > 0),
    written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (log, returned, number)
);

CREATE INDEX counter_block_counter ON counter_block (counter);

COMMENT ON TABLE counter_block IS 'append-only: what was leased to a log, and what that log has given back';
COMMENT ON COLUMN counter_block.log IS 'the log that takes from the block';
COMMENT ON COLUMN counter_block.number IS 'from 1 on, without gaps, for each log and direction';
COMMENT ON COLUMN counter_block.returned IS 'false: from the home log to the other log; true: back';

-- Lets the blocks of one log and direction be written one after the other, so that the other side sees their numbers
-- without gaps. It is locked before the row of a counter, for which commits wait.
CREATE FUNCTION counter_block_lock(of_log integer, back boolean)
RETURNS void
LANGUAGE sql VOLATILE SET search_path FROM CURRENT
BEGIN ATOMIC
    SELECT pg_advisory_xact_lock(hashtextextended('counter_block ' || current_schema() || ' ' || back, of_log));
END;

-- Writes a block on the side that it comes from. The caller has locked its log and direction.
CREATE FUNCTION counter_block_write(of_log integer, back boolean, of_counter text, of_amount bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO counter_block (log, number, returned, counter, amount)
    SELECT of_log, coalesce(max(number), 0) + 1, back, of_counter, of_amount
    FROM counter_block WHERE log = of_log AND returned = back;
END;
$$;

-- In the home log: leases a block of a counter, at least this much, and a share of what is left. It returns the size of
-- the block; 0: too little is left.
CREATE FUNCTION counter_block_lease(for_log integer, of_counter text, at_least bigint, shares integer, allowed bigint)
RETURNS bigint
LANGUAGE plpgsql VOLATILE SET search_path FROM CURRENT AS $$
DECLARE
    spare bigint;
    block bigint;
BEGIN
    PERFORM counter_block_lock(for_log, false);
    INSERT INTO counter (name, taken, total) VALUES (of_counter, 0, greatest(allowed, 0)) ON CONFLICT (name) DO NOTHING;
    SELECT allowed - taken INTO spare FROM counter WHERE name = of_counter FOR UPDATE;
    IF spare < at_least THEN
        RETURN 0;
    END IF;
    block := greatest(at_least, spare / shares);
    UPDATE counter SET taken = taken + block, total = allowed WHERE name = of_counter;
    PERFORM counter_block_write(for_log, false, of_counter, block);
    RETURN block;
END;
$$;

-- In another log: gives back what is not taken of a counter's blocks. It returns how much.
CREATE FUNCTION counter_block_return(own_log integer, of_counter text)
RETURNS bigint
LANGUAGE plpgsql VOLATILE SET search_path FROM CURRENT AS $$
DECLARE
    spare bigint;
BEGIN
    PERFORM counter_block_lock(own_log, true);
    SELECT total - taken INTO spare FROM counter WHERE name = of_counter FOR UPDATE;
    IF spare IS NULL OR spare = 0 THEN
        RETURN 0;
    END IF;
    UPDATE counter SET total = taken WHERE name = of_counter;
    PERFORM counter_block_write(own_log, true, of_counter, spare);
    RETURN spare;
END;
$$;

-- Takes over a block that the other side has written; does nothing if that was done before.
CREATE FUNCTION counter_block_receive(of_log integer, back boolean, of_number integer, of_counter text, of_amount bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO counter_block (log, number, returned, counter, amount)
    VALUES (of_log, of_number, back, of_counter, of_amount) ON CONFLICT (log, returned, number) DO NOTHING;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF back THEN
        UPDATE counter SET taken = taken - of_amount WHERE name = of_counter;
    ELSE
        INSERT INTO counter AS known (name, taken, total) VALUES (of_counter, 0, of_amount)
        ON CONFLICT (name) DO UPDATE SET total = known.total + excluded.total;
    END IF;
END;
$$;

-- In the home log: in which log each shard is. Without a row, all shards are in the home log.
CREATE TABLE shard_map (
    one     boolean PRIMARY KEY DEFAULT true CHECK (one),
    version integer NOT NULL,
    logs    integer[] NOT NULL
);

COMMENT ON COLUMN shard_map.logs IS 'the number of the log of each shard, from shard 0 on';
