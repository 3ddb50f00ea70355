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
    returned_counters text[], returned_amounts bigint[], returned_totals bigint[],
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

    -- A constraint fails the call if more would be taken than the limit. No counter is both given back and taken.
    IF cardinality(returned_counters) > 0 THEN
        UPDATE counter SET taken = counter.taken + r.amount, total = least(counter.total, r.total)
        FROM unnest(returned_counters, returned_amounts, returned_totals) AS r (name, amount, total)
        WHERE counter.name = r.name;
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
