-- The content that each user may read.
CREATE TABLE view_entitlement (
    user_id        text COLLATE "C" NOT NULL,
    content_id     text COLLATE "C" NOT NULL,
    first_position bigint NOT NULL,
    granted_at     timestamptz NOT NULL,
    position       bigint NOT NULL,
    PRIMARY KEY (user_id, content_id)
);

CREATE INDEX view_entitlement_newest ON view_entitlement (user_id, first_position DESC);

COMMENT ON COLUMN view_entitlement.first_position IS 'the event in the log that granted it: newer ones have higher positions';

-- The users who have paid and kept what they bought: see FiguresReader.
CREATE INDEX view_payment_kept ON view_payment (activity_id, user_id) WHERE trades LIKE '% DELIVERED%';
