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
