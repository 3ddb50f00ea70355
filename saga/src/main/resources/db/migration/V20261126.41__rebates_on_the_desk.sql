-- Refused rebates that a person should look at: to be tried again, or to be given up.
CREATE TABLE desk_rebate (
    behaviour_id text COLLATE "C" NOT NULL,
    rule_id      bigint NOT NULL,
    place        integer NOT NULL,
    since        timestamptz NOT NULL,
    user_id      text COLLATE "C" NOT NULL,
    behaviour    text COLLATE "C" NOT NULL,
    activity_id  bigint,
    sku          bigint,
    amount       numeric,
    reason       text COLLATE "C" NOT NULL,
    PRIMARY KEY (behaviour_id, rule_id, place)
);

CREATE INDEX desk_rebate_waiting ON desk_rebate (since, behaviour_id, rule_id, place);

COMMENT ON COLUMN desk_rebate.place IS 'of the rebate in its rule, from 0';
COMMENT ON COLUMN desk_rebate.sku IS 'null: it gives the amount of credits';
COMMENT ON COLUMN desk_rebate.reason IS 'the code of the newest refusal';
