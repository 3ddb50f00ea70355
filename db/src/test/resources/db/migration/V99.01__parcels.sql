-- What the tests write next to the store's own tables. Each row says in which transaction it was written.
CREATE TABLE arrival (
    parcel      text NOT NULL,
    place       text NOT NULL,
    transaction xid8 NOT NULL DEFAULT pg_current_xact_id()
);

CREATE TABLE token_move (
    processor   text NOT NULL,
    transaction xid8 NOT NULL
);

CREATE FUNCTION token_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO token_move VALUES (NEW.processor, pg_current_xact_id());
    RETURN NULL;
END $$;

CREATE TRIGGER token_moved AFTER UPDATE OF token ON token
    FOR EACH ROW WHEN (OLD.token IS DISTINCT FROM NEW.token) EXECUTE FUNCTION token_moved();
