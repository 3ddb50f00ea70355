-- What was booked for each user, one row for each booking. The newest one says what the user has: the key finds it.

CREATE TABLE view_credit_entry (
    user_id     text COLLATE "C" NOT NULL,
    entry       bigint NOT NULL,
    amount      numeric NOT NULL,
    balance     numeric NOT NULL,
    business_no text NOT NULL,
    reason      text,
    booked_at   timestamptz NOT NULL,
    position    bigint NOT NULL,
    PRIMARY KEY (user_id, entry)
);

COMMENT ON COLUMN view_credit_entry.entry IS 'counts the bookings of the user from 1';
COMMENT ON COLUMN view_credit_entry.amount IS 'negative: credits were spent';
COMMENT ON COLUMN view_credit_entry.balance IS 'after this booking';
COMMENT ON COLUMN view_credit_entry.position IS 'of the booking in the log of all events';
