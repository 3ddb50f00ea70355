-- Secrets, of which each belongs to a place.
CREATE TABLE locker (
    town     text COLLATE "C",
    number   bigint,
    sealed   text NOT NULL,
    key_name text NOT NULL,
    PRIMARY KEY (town, number)
);
