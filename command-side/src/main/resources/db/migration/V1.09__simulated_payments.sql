-- What the simulated provider of payments remembers. It stands for the books of another company: only that provider
-- reads it, and nothing else of the lottery does. The tables stay empty if the provider is not chosen.
CREATE TABLE simulated_payment (
    number          text PRIMARY KEY,
    amount          numeric NOT NULL CHECK (amount > 0),
    currency        text NOT NULL,
    expires_at      timestamptz NOT NULL,
    closed          boolean NOT NULL DEFAULT false,
    silent_until    timestamptz,
    refuses_refunds boolean NOT NULL DEFAULT false
);

COMMENT ON COLUMN simulated_payment.number IS 'the number of the payment, which the lottery has chosen';
COMMENT ON COLUMN simulated_payment.silent_until IS 'until when the provider answers nothing about the payment';
COMMENT ON COLUMN simulated_payment.refuses_refunds IS 'whether the provider gives nothing back';

CREATE TABLE simulated_trade (
    trade_no  text PRIMARY KEY,
    number    text NOT NULL REFERENCES simulated_payment,
    amount    numeric NOT NULL CHECK (amount > 0),
    currency  text NOT NULL,
    taken_at  timestamptz NOT NULL,
    told      boolean NOT NULL,
    refund_no text
);

CREATE INDEX simulated_trade_payment ON simulated_trade (number);
CREATE INDEX simulated_trade_untold ON simulated_trade (taken_at) WHERE NOT told;

COMMENT ON COLUMN simulated_trade.taken_at IS 'when the money is there; it may be under way until then';
COMMENT ON COLUMN simulated_trade.told IS 'whether the lottery has acknowledged a message, or gets none';
COMMENT ON COLUMN simulated_trade.refund_no IS 'the number under which the money was given back; null: it was not';

CREATE TABLE simulated_provider_key (
    only_row boolean PRIMARY KEY CHECK (only_row),
    key      text NOT NULL
);

COMMENT ON COLUMN simulated_provider_key.key IS 'signs the messages of the simulated provider; it protects no real money';
