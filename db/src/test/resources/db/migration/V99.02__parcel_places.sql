-- A read model of a batch-wise projection, and a way to kill its transaction in the middle: the second and the
-- fourth write of rows or token lose their connection. A sequence counts them, because it goes on whatever is rolled back.
CREATE TABLE parcel_place (
    parcel     text COLLATE "C" PRIMARY KEY,
    place      text NOT NULL,
    moves      integer NOT NULL,
    kind       text,
    fragile    boolean,
    first_seen timestamptz NOT NULL,
    position   bigint NOT NULL
);

CREATE TABLE parcel_town (
    place text COLLATE "C" PRIMARY KEY,
    moves integer NOT NULL
);

CREATE SEQUENCE kills START 1000000;

CREATE FUNCTION kill_some() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF nextval('kills') IN (2, 4) THEN
        PERFORM pg_terminate_backend(pg_backend_pid());
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER killed_after_rows AFTER INSERT OR UPDATE ON parcel_place
    FOR EACH STATEMENT EXECUTE FUNCTION kill_some();

CREATE TRIGGER killed_after_token AFTER UPDATE OF token ON token
    FOR EACH ROW WHEN (NEW.processor = 'places') EXECUTE FUNCTION kill_some();

-- Tests set it, which an application has no right to.
GRANT ALL ON SEQUENCE kills TO PUBLIC;
