-- What the feed has told about the stock of awards. The processor of the feed writes it in the transaction of its token.
CREATE TABLE feed_stock (
    activity_id bigint NOT NULL,
    award_id    integer NOT NULL,
    units       bytea NOT NULL,
    PRIMARY KEY (activity_id, award_id)
);

COMMENT ON COLUMN feed_stock.units IS 'the units that are taken, one bit each, from the lowest bit of the first byte on';

CREATE TABLE feed_stock_step (
    activity_id bigint NOT NULL,
    award_id    integer NOT NULL,
    total       integer NOT NULL,
    percent     integer NOT NULL,
    units_left  integer NOT NULL,
    position    bigint NOT NULL,
    PRIMARY KEY (activity_id, award_id, total, percent)
);

COMMENT ON COLUMN feed_stock_step.position IS 'the win that has reached the step: if it comes again, the same is told again';

-- A feed that has told events already goes on from the units that were taken by then.
WITH unit AS (
    SELECT split_part(substr(scope, 7), '/', 1)::bigint AS activity_id,
           split_part(scope, '/', 2)::integer AS award_id,
           key::integer AS number
    FROM claim
    WHERE scope LIKE 'stock:%'
        AND position <= (SELECT (token #>> '{}')::bigint FROM token WHERE processor = 'feed' AND segment = 0)
), byte AS (
    SELECT activity_id, award_id, number / 8 AS place, bit_or(1 << (number % 8)) AS bits
    FROM unit
    GROUP BY activity_id, award_id, place
), stock AS (
    SELECT activity_id, award_id, max(place) AS last_place
    FROM byte
    GROUP BY activity_id, award_id
)
INSERT INTO feed_stock (activity_id, award_id, units)
SELECT stock.activity_id, stock.award_id,
       string_agg(decode(lpad(to_hex(coalesce(byte.bits, 0)), 2, '0'), 'hex'), ''::bytea ORDER BY each.place)
FROM stock
CROSS JOIN LATERAL generate_series(0, stock.last_place) AS each (place)
LEFT JOIN byte ON byte.activity_id = stock.activity_id AND byte.award_id = stock.award_id AND byte.place = each.place
GROUP BY stock.activity_id, stock.award_id;
