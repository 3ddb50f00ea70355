-- What is taken of awards and SKUs that there are only so many of. Who has a unit is a row, so that an event that comes
-- again, late or after it was parked changes nothing twice; how many have one is counted beside it by the database, in
-- the same transaction: a shelf may have a million.

CREATE TABLE view_unit (
    holder      text COLLATE "C" PRIMARY KEY,
    activity_id bigint NOT NULL,
    kind        text COLLATE "C" NOT NULL,
    number      bigint NOT NULL,
    slot        integer NOT NULL,
    position    bigint NOT NULL
);

COMMENT ON COLUMN view_unit.holder IS 'the award record or the recharge that has it';
COMMENT ON COLUMN view_unit.number IS 'of the award or the SKU';
COMMENT ON COLUMN view_unit.position IS 'the newest event of the log that this includes';

-- A shelf's row changes with nearly every batch of events. Room on its page keeps it there.
CREATE TABLE view_stock (
    activity_id bigint NOT NULL,
    kind        text COLLATE "C" NOT NULL,
    number      bigint NOT NULL,
    taken       integer NOT NULL,
    PRIMARY KEY (activity_id, kind, number)
)
WITH (fillfactor = 50);

CREATE FUNCTION view_unit_count() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP IN ('INSERT', 'UPDATE') THEN
        INSERT INTO view_stock AS known (activity_id, kind, number, taken)
        SELECT activity_id, kind, number, count(*) FROM come GROUP BY activity_id, kind, number
        ON CONFLICT (activity_id, kind, number) DO UPDATE SET taken = known.taken + excluded.taken;
    END IF;
    IF TG_OP IN ('DELETE', 'UPDATE') THEN
        UPDATE view_stock AS known SET taken = known.taken - lost.units
        FROM (SELECT activity_id, kind, number, count(*) AS units FROM gone GROUP BY activity_id, kind, number) AS lost
        WHERE known.activity_id = lost.activity_id AND known.kind = lost.kind AND known.number = lost.number;
    END IF;
    IF TG_OP = 'TRUNCATE' THEN
        DELETE FROM view_stock;
    END IF;
    RETURN NULL;
END;
$$;

CREATE TRIGGER view_unit_come AFTER INSERT ON view_unit
    REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION view_unit_count();
CREATE TRIGGER view_unit_changed AFTER UPDATE ON view_unit
    REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION view_unit_count();
CREATE TRIGGER view_unit_gone AFTER DELETE ON view_unit
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION view_unit_count();
CREATE TRIGGER view_unit_emptied AFTER TRUNCATE ON view_unit
    FOR EACH STATEMENT EXECUTE FUNCTION view_unit_count();

-- How many of an award there are is in its strategy, which older rows do not say: the table is filled anew from the events.

DELETE FROM view_award;
DELETE FROM token WHERE processor = 'wheel';

ALTER TABLE view_award ADD COLUMN stock integer;

COMMENT ON COLUMN view_award.stock IS 'how often it can be won in an activity; empty: without a limit';
