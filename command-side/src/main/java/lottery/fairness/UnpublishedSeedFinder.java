package lottery.fairness;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Finds the seeds in the log that are not published yet. An event never changes, so such a seed cannot be encrypted
 * again with another key. The key that encrypted the seed is needed until the seed is published.
 */
public final class UnpublishedSeedFinder {

    private static final String UNPUBLISHED = """
            WITH round AS (
                SELECT aggregate_id, type, position, convert_from(payload, 'UTF8')::jsonb AS told FROM event
                WHERE aggregate_id > 'activity:' AND aggregate_id < 'activity;'
                  AND type IN ('activity.started', 'activity.seed-published'))
            SELECT split_part(told ->> 'sealedSeed', ':', 1) AS key, aggregate_id, told ->> 'round' AS round
            FROM round AS started
            WHERE type = 'activity.started' AND NOT EXISTS (
                SELECT FROM round AS published
                WHERE published.type = 'activity.seed-published' AND published.aggregate_id = started.aggregate_id
                  AND published.told ->> 'round' = started.told ->> 'round')
            ORDER BY position""";

    /**
     * A seed that is not published yet.
     *
     * @param key the name of the key that opens it
     * @param round the name of its round, for people
     */
    public record SecretSeed(String key, String round) {}

    private UnpublishedSeedFinder() {}

    /** Returns the secret seeds of all activities, the oldest first. */
    public static List<SecretSeed> in(JdbcClient database) {
        return database.sql(UNPUBLISHED)
                .query((row, _) -> new SecretSeed(
                        row.getString("key"), row.getString("aggregate_id") + " round " + row.getString("round")))
                .list();
    }
}
