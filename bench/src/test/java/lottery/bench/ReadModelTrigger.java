package lottery.bench;

/**
 * Lets winners, odds, recharges and figures follow the events of a history. The trigger knows the one strategy of the
 * history, with its usual tree and a fallback, and the one day and zone of its draws.
 */
final class ReadModelTrigger {

    static final String SQL = """
            CREATE FUNCTION follow_event() RETURNS trigger LANGUAGE plpgsql AS $$
            DECLARE
                told jsonb := convert_from(NEW.payload, 'UTF8')::jsonb;
                prize jsonb := told -> 'award';
                award record;
            BEGIN
                INSERT INTO view_figure AS known
                SELECT (told ->> 'activityId')::bigint, coalesce((told ->> 'day')::date, '2026-11-30'),
                    coalesce((prize ->> 'awardId')::integer, 0), (NEW.type = 'raffle.drawn')::integer, 0,
                    coalesce(told ->> 'drawsBeforeToday' = '0', false)::integer,
                    coalesce(told ->> 'drawsBefore' = '0', false)::integer,
                    CASE WHEN prize ->> 'awardId' = '102' AND told ->> 'strategyId' = '7' THEN 12.50 ELSE 0 END,
                    CASE NEW.type WHEN 'account.opened' THEN (told #>> '{bundle,total}')::integer ELSE 0 END,
                    CASE NEW.type WHEN 'account.recharged' THEN (told #>> '{bundle,total}')::integer ELSE 0 END,
                    (NEW.type = 'account.chance-spent')::integer, (NEW.type = 'account.chance-returned')::integer,
                    NEW.position
                WHERE NEW.type IN ('raffle.drawn', 'account.opened', 'account.recharged', 'account.chance-spent',
                                   'account.chance-returned')
                ON CONFLICT (activity_id, day, award_id) DO UPDATE
                SET draws = known.draws + excluded.draws, players = known.players + excluded.players,
                    new_players = known.new_players + excluded.new_players, cost = known.cost + excluded.cost,
                    free = known.free + excluded.free, recharged = known.recharged + excluded.recharged,
                    spent = known.spent + excluded.spent, returned = known.returned + excluded.returned,
                    position = excluded.position;
                INSERT INTO view_recharge AS known
                SELECT told ->> 'rechargeId', (told ->> 'activityId')::bigint, told ->> 'userId', NEW.position,
                    (told ->> 'sku')::bigint, told ->> 'outBusinessNo',
                    CASE NEW.type WHEN 'recharge.ordered' THEN 'WAITING' ELSE 'COMPLETED' END,
                    (told #>> '{bundle,total}')::integer, (told #>> '{bundle,month}')::integer,
                    (told #>> '{bundle,day}')::integer, NEW.at, (told ->> 'payBy')::timestamptz, NEW.position
                WHERE NEW.type IN ('recharge.ordered', 'recharge.completed')
                ON CONFLICT (recharge_id) DO UPDATE SET state = excluded.state, position = excluded.position;
                UPDATE view_recharge SET state = 'CLOSED', position = NEW.position
                WHERE NEW.type = 'recharge.closed' AND recharge_id = told ->> 'rechargeId';
                IF NEW.type = 'raffle.drawn' AND told ->> 'strategyId' = '7' THEN
                    IF told ->> 'outcome' = 'WON' AND prize ->> 'awardId' <> '101' THEN
                        INSERT INTO view_winner VALUES (NEW.position, (told ->> 'activityId')::bigint,
                            left(told ->> 'userId', 1) || '***', (prize ->> 'awardId')::integer, prize ->> 'title',
                            prize ->> 'type', (prize ->> 'amount')::numeric, '2026-11-30T04:00:00.123457Z');
                    END IF;
                    FOR award IN SELECT * FROM (VALUES (-1, 0), (0, 0), (101, 0), (102, 2), (103, 0)) AS a (id, lock)
                                 WHERE lock <= (told ->> 'drawsBeforeToday')::integer
                                   AND NOT told -> 'soldOut' @> to_jsonb(id) LOOP
                        INSERT INTO view_odds AS known VALUES ((told ->> 'activityId')::bigint, 7, 1, award.id, 1,
                            CASE award.id WHEN -1 THEN 0
                                          WHEN 0 THEN (told ->> 'outcome' = 'NOTHING')::integer
                                          ELSE (told ->> 'outcome' = 'WON' AND prize ->> 'awardId' = award.id::text)::integer
                            END, NEW.position)
                        ON CONFLICT (activity_id, strategy_id, version, award_id) DO UPDATE
                        SET compared = known.compared + 1, won = known.won + excluded.won, position = excluded.position;
                    END LOOP;
                END IF;
                RETURN NULL;
            END;
            $$;
            CREATE TRIGGER follow_event AFTER INSERT ON event FOR EACH ROW
            WHEN (current_setting('history.restored', true) IS DISTINCT FROM 'on'
                  AND NEW.type IN ('raffle.drawn', 'recharge.ordered', 'recharge.completed', 'recharge.closed',
                               'account.opened', 'account.recharged', 'account.chance-spent',
                               'account.chance-returned'))
            EXECUTE FUNCTION follow_event()""";

    private ReadModelTrigger() {}
}
