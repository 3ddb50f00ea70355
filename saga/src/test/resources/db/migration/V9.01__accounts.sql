-- As much of the read model of accounts as the sagas read. It shows everything.
CREATE TABLE view_account (
    activity_id   bigint NOT NULL,
    user_id       text COLLATE "C" NOT NULL,
    open_order_id text COLLATE "C",
    PRIMARY KEY (activity_id, user_id)
);

INSERT INTO token (processor, segment, token, members) VALUES ('read-models', 0, '9223372036854775807', '{accounts}');
