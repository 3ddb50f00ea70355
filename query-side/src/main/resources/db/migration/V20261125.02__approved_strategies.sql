-- The version of its strategy that an activity draws by, since it was passed. Activities that were passed before have none.
ALTER TABLE view_activity
    ADD COLUMN strategy_version integer,
    ADD COLUMN strategy_hash    text;
