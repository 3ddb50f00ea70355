-- The trades of all payments, the statements of providers, and the explanations of differences between them.
CREATE TABLE view_trade (
    provider    text COLLATE "C" NOT NULL,
    trade_no    text COLLATE "C" NOT NULL,
    payment_id  text COLLATE "C" NOT NULL,
    user_id     text COLLATE "C" NOT NULL,
    amount      numeric NOT NULL,
    currency    text NOT NULL,
    taken_at    timestamptz NOT NULL,
    state       text NOT NULL,
    refunded_at timestamptz,
    position    bigint NOT NULL,
    PRIMARY KEY (provider, trade_no)
)
WITH (fillfactor = 80);

CREATE INDEX view_trade_taken ON view_trade (taken_at, provider, trade_no);
CREATE INDEX view_trade_refunded ON view_trade (refunded_at) WHERE refunded_at IS NOT NULL;

COMMENT ON COLUMN view_trade.taken_at IS 'by the clock of the provider';
COMMENT ON COLUMN view_trade.refunded_at IS 'by the clock of the lottery; null: not given back';

CREATE TABLE payment_statement (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    provider text COLLATE "C" NOT NULL,
    day      date NOT NULL,
    zone     text NOT NULL,
    lines    integer NOT NULL,
    given_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    actor    text COLLATE "C"
);

COMMENT ON TABLE payment_statement IS 'append-only: each statement that was given; the newest of a provider and day counts';
COMMENT ON COLUMN payment_statement.actor IS 'null: callers were not authenticated';

CREATE TABLE payment_statement_line (
    provider   text COLLATE "C" NOT NULL,
    trade_no   text COLLATE "C" NOT NULL,
    kind       text COLLATE "C" NOT NULL,
    day        date NOT NULL,
    amount     numeric NOT NULL,
    currency   text NOT NULL,
    payment_no text COLLATE "C",
    PRIMARY KEY (provider, trade_no, kind, day)
);

CREATE INDEX payment_statement_line_day ON payment_statement_line (provider, day);

COMMENT ON TABLE payment_statement_line IS 'the lines of the statements that count';
COMMENT ON COLUMN payment_statement_line.payment_no IS 'the number of the payment at the provider; null: not known';

CREATE TABLE payment_difference (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    provider text COLLATE "C" NOT NULL,
    trade_no text COLLATE "C" NOT NULL,
    kind     text COLLATE "C" NOT NULL,
    day      date NOT NULL,
    UNIQUE (provider, trade_no, kind)
);

COMMENT ON TABLE payment_difference IS 'money that has differed; the amounts are looked up, because they may agree now';
COMMENT ON COLUMN payment_difference.day IS 'the day of the statement that has shown it first';

CREATE TABLE payment_difference_note (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at              timestamptz NOT NULL DEFAULT clock_timestamp(),
    provider        text COLLATE "C" NOT NULL,
    trade_no        text COLLATE "C" NOT NULL,
    kind            text COLLATE "C" NOT NULL,
    amount          numeric,
    currency        text,
    stated_amount   numeric,
    stated_currency text,
    reason          text NOT NULL,
    actor           text COLLATE "C"
);

CREATE INDEX payment_difference_note_about ON payment_difference_note (provider, trade_no, kind, id);

COMMENT ON TABLE payment_difference_note IS 'append-only: explanations of differences, for ever';
COMMENT ON COLUMN payment_difference_note.stated_amount IS 'in the statement when the difference was explained';
COMMENT ON COLUMN payment_difference_note.actor IS 'null: callers were not authenticated';
