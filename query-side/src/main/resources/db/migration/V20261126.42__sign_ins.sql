-- The days on which users have signed in, one row for each month of a user.
CREATE TABLE view_sign_in (
    user_id  text COLLATE "C" NOT NULL,
    month    date NOT NULL,
    days     integer NOT NULL,
    version  bigint NOT NULL,
    position bigint NOT NULL,
    PRIMARY KEY (user_id, month)
)
-- A row changes with every sign-in. Room on its page lets PostgreSQL write the new one beside the old one without
-- touching the index.
WITH (fillfactor = 80);

COMMENT ON COLUMN view_sign_in.month IS 'its first day';
COMMENT ON COLUMN view_sign_in.days IS 'a bitmap: the lowest bit is the first day of the month';
COMMENT ON COLUMN view_sign_in.position IS 'the newest event of the log that this includes';
