-- Who has decided, and in which request.
ALTER TABLE desk_decision
    ADD COLUMN actor    text COLLATE "C",
    ADD COLUMN trace_id text COLLATE "C";

COMMENT ON COLUMN desk_decision.actor IS 'null: nobody was asked who he is';
