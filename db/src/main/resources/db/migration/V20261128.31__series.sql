-- Series of numbers from 1 on, without gaps, in the order of commits. The row of a series is locked by a commit that takes
-- numbers of it, after the row of event_head, until its end.
CREATE TABLE series (
    name   text COLLATE "C" PRIMARY KEY,
    newest integer NOT NULL CHECK (newest >= 0),
    closed boolean NOT NULL
) WITH (fillfactor = 10);

COMMENT ON COLUMN series.newest IS 'the newest number that was given; 0: none';
COMMENT ON COLUMN series.closed IS 'true: it gives no more numbers, for ever';

-- The numbers that were given, each in the commit of the events that say why.
CREATE TABLE series_number (
    series   text COLLATE "C" NOT NULL,
    number   integer NOT NULL CHECK (number > 0),
    holder   text COLLATE "C" NOT NULL,
    position bigint NOT NULL,
    CONSTRAINT series_number_place PRIMARY KEY (series, number),
    CONSTRAINT series_number_holder UNIQUE (holder, series)
);

COMMENT ON TABLE series_number IS 'append-only: a number that was given is never given again';
COMMENT ON COLUMN series_number.position IS 'of the first event of the unit of work that took it';
