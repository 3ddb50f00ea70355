-- Bookings of credits by hand that need two persons.
CREATE TABLE view_credit_proposal (
    proposal_id      text COLLATE "C" PRIMARY KEY,
    user_id          text COLLATE "C" NOT NULL,
    amount           numeric NOT NULL,
    business_no      text NOT NULL,
    reason           text,
    state            text NOT NULL,
    proposed_by      text,
    proposed_at      timestamptz NOT NULL,
    expires_at       timestamptz NOT NULL,
    decided_by       text,
    declined_because text,
    entry            bigint,
    first_position   bigint NOT NULL,
    position         bigint NOT NULL
);

CREATE INDEX view_credit_proposal_newest ON view_credit_proposal (first_position DESC);
CREATE INDEX view_credit_proposal_in_state ON view_credit_proposal (state, first_position DESC);

COMMENT ON COLUMN view_credit_proposal.state IS 'PROPOSED, BOOKED or DECLINED; nothing happens when one expires';
COMMENT ON COLUMN view_credit_proposal.entry IS 'of the booking in the account of the user';
COMMENT ON COLUMN view_credit_proposal.first_position IS 'its first event in the log: newer proposals have higher ones';
COMMENT ON COLUMN view_credit_proposal.position IS 'the newest event of the log that this includes';
