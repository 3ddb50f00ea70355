-- Orders whose chance is spent and that are not drawn yet. The close of their activity ends them.
CREATE TABLE open_order (
    activity_id bigint NOT NULL,
    order_id    text COLLATE "C" NOT NULL,
    user_id     text COLLATE "C" NOT NULL,
    PRIMARY KEY (activity_id, order_id)
);
