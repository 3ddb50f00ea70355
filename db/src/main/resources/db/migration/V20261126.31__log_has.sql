-- By these two, whoever writes finds out that PostgreSQL has gone back: somebody has restored a backup, or a replica that
-- lagged has taken over. They are functions only so that they use an index: a plan for an empty table reads all of it, and is
-- kept while the table grows.

-- Whether the log has an event at a position. If so, it has everything before it as well. Position 0: nothing is known.
CREATE FUNCTION log_has(known_position bigint, known_event uuid)
RETURNS boolean
LANGUAGE sql STABLE SET enable_seqscan = off
BEGIN ATOMIC
    SELECT known_position = 0
        OR EXISTS (SELECT FROM event WHERE position = known_position AND event_id = known_event);
END;

-- Whether the log has that event, and one in each of these places. A subquery for each place is never a join, for which a
-- plan might read all events.
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
