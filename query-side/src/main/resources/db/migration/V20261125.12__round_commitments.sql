-- The commitments of the rounds. Rounds that began before this have a commitment to their seed only.
ALTER TABLE view_activity ADD COLUMN rounds text NOT NULL DEFAULT '[]';

UPDATE view_activity SET rounds = (
    SELECT coalesce(
        jsonb_agg(
            jsonb_strip_nulls(jsonb_build_object(
                'round', started.payload -> 'round',
                'commitment', started.payload -> 'commitment',
                'seed', published.payload -> 'seed'))
            ORDER BY started.sequence),
        '[]')::text
    FROM event_readable AS started
    LEFT JOIN event_readable AS published
        ON published.aggregate_id = started.aggregate_id
        AND published.type = 'activity.seed-published'
        AND published.payload -> 'round' = started.payload -> 'round'
        AND published.sequence <= view_activity.version
    WHERE started.aggregate_id = 'activity:' || view_activity.activity_id
        AND started.type = 'activity.started'
        AND started.sequence <= view_activity.version);

ALTER TABLE view_activity ALTER COLUMN rounds DROP DEFAULT;

COMMENT ON COLUMN view_activity.rounds IS 'as JSON: commitments, published seeds, and the versions of the strategy in force';
