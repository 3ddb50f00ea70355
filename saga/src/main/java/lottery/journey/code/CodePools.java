package lottery.journey.code;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The pools in PostgreSQL, which alone decides whose a code is. */
@Component
final class CodePools {

    /** Whoever holds a row holds it for milliseconds. */
    private static final int WAIT_MAX_SECONDS = 5;

    /** Counting more would cost more than it tells. */
    private static final int COUNTED_MAX = 10_000;

    private static final String NEW_POOL = """
            INSERT INTO code_pool (activity_id, award_id, hash_key) VALUES (:activity, :award, :key)
            ON CONFLICT DO NOTHING""";

    /** Locked, so that what two upload at once is in some order, all of one behind all of the other. */
    private static final String HASH_KEY = """
            SELECT hash_key FROM code_pool WHERE activity_id = :activity AND award_id = :award FOR UPDATE""";

    private static final String UPLOAD = """
            INSERT INTO pool_code (activity_id, award_id, hash, sealed)
            SELECT :activity, :award, hash, sealed
            FROM unnest(:hashes::text[], :sealed::text[]) WITH ORDINALITY AS uploaded (hash, sealed, place)
            ORDER BY place
            ON CONFLICT (activity_id, award_id, hash) DO NOTHING""";

    private static final String ANSWERED = """
            SELECT EXISTS (SELECT FROM code_answer WHERE award_record_id = :record) AS answered,
                   EXISTS (SELECT FROM pool_code WHERE award_record_id = :record) AS given""";

    /**
     * All that happens to a record happens behind its answer: of two that ask for the same record at once the second
     * one waits here, and then finds the answer. What others are taking at this moment is passed over.
     */
    private static final String GIVE = """
            WITH asked AS (
                INSERT INTO code_answer (award_record_id, activity_id, award_id, answered_at)
                SELECT :record, activity_id, award_id, :now
                FROM code_pool WHERE activity_id = :activity AND award_id = :award
                ON CONFLICT DO NOTHING
                RETURNING award_record_id, activity_id, award_id
            ), given AS (
                UPDATE pool_code SET award_record_id = asked.award_record_id, given_at = :now
                FROM asked CROSS JOIN LATERAL (
                    SELECT code_id FROM pool_code AS free
                    WHERE free.activity_id = asked.activity_id AND free.award_id = asked.award_id
                      AND free.award_record_id IS NULL
                    ORDER BY code_id LIMIT 1 FOR UPDATE OF free SKIP LOCKED) AS next
                WHERE pool_code.code_id = next.code_id
                RETURNING pool_code.code_id
            )
            SELECT EXISTS (SELECT FROM asked) AS asked, EXISTS (SELECT FROM given) AS given""";

    /**
     * Nothing was there but what others were taking, and who takes may fail: only who has waited for them knows that
     * the pool is empty.
     */
    private static final String GIVE_THE_LAST = """
            UPDATE pool_code SET award_record_id = :record, given_at = :now
            WHERE code_id = (
                SELECT code_id FROM pool_code
                WHERE activity_id = :activity AND award_id = :award AND award_record_id IS NULL
                ORDER BY code_id LIMIT 1 FOR UPDATE)""";

    private static final String COUNT = """
            SELECT count(*) AS total, count(*) FILTER (WHERE award_record_id IS NULL) AS free
            FROM pool_code WHERE activity_id = :activity AND award_id = :award""";

    private static final String POOLS = "SELECT activity_id, award_id FROM code_pool ORDER BY 1 DESC, 2 LIMIT :max";

    private static final String FREE = """
            SELECT count(*) FROM (
                SELECT FROM pool_code
                WHERE activity_id = :activity AND award_id = :award AND award_record_id IS NULL
                LIMIT :max) AS free""";

    private final JdbcClient database;
    private final TransactionTemplate transaction;
    private final CodeSeal seal;

    CodePools(JdbcClient database, PlatformTransactionManager transactions, CodeSeal seal) {
        this.database = database;
        this.transaction = new TransactionTemplate(transactions);
        this.seal = seal;
    }

    private record Kept(PoolId pool, CodeSeal.Sealed code) {}

    /** Says how many of the codes are new to the pool. */
    int upload(PoolId pool, List<String> codes) {
        Integer added = transaction.execute(_ -> {
            on(pool, NEW_POOL).param("key", seal.freshHashKey(pool)).update();
            byte[] hashKey =
                    seal.hashKey(pool, on(pool, HASH_KEY).query(String.class).single());
            List<CodeSeal.Sealed> sealed =
                    codes.stream().map(code -> seal.seal(pool, hashKey, code)).toList();
            return on(pool, UPLOAD)
                    .param("hashes", sealed.stream().map(CodeSeal.Sealed::hash).toArray(String[]::new))
                    .param(
                            "sealed",
                            sealed.stream().map(CodeSeal.Sealed::sealed).toArray(String[]::new))
                    .update();
        });
        return Objects.requireNonNull(added);
    }

    /** What was decided about this record before. */
    Optional<Gift> answered(AwardRecordId record) {
        return database.sql(ANSWERED)
                .param("record", record.text())
                .query((row, i) -> row.getBoolean("answered")
                        ? Optional.of(row.getBoolean("given") ? Gift.GIVEN : Gift.REFUSED)
                        : Optional.<Gift>empty())
                .single();
    }

    /** Decides about this record, once: whoever asks again is told the same. */
    Gift give(AwardRecordId record, PoolId pool, Instant now) {
        return Objects.requireNonNull(transaction.execute(_ -> {
            Step step = asking(GIVE, record, pool, now).query(CodePools::step).single();
            return switch (step) {
                case GIVEN -> Gift.GIVEN;
                case NONE_AT_HAND -> asking(GIVE_THE_LAST, record, pool, now).update() == 1 ? Gift.GIVEN : Gift.REFUSED;
                case NOT_ASKED -> answered(record).orElse(Gift.NO_POOL);
            };
        }));
    }

    private enum Step {
        GIVEN,
        NONE_AT_HAND,
        /** The record has its answer, or there is no pool. */
        NOT_ASKED
    }

    private static Step step(ResultSet row, int number) throws SQLException {
        if (!row.getBoolean("asked")) {
            return Step.NOT_ASKED;
        }
        return row.getBoolean("given") ? Step.GIVEN : Step.NONE_AT_HAND;
    }

    /** The code that is this record's. */
    Optional<String> codeOf(AwardRecordId record) {
        return database.sql("SELECT activity_id, award_id, hash, sealed FROM pool_code WHERE award_record_id = :record")
                .param("record", record.text())
                .query((row, i) ->
                        new Kept(poolIn(row), new CodeSeal.Sealed(row.getString("hash"), row.getString("sealed"))))
                .optional()
                .map(kept -> seal.open(kept.pool(), kept.code()));
    }

    PoolCount count(PoolId pool) {
        return on(pool, COUNT)
                .query((row, i) -> {
                    long total = row.getLong("total");
                    long free = row.getLong("free");
                    return new PoolCount(total, free, total - free);
                })
                .single();
    }

    /** Of the newest activities, since they have the greatest numbers as a rule. */
    List<PoolId> pools(int max) {
        return database.sql(POOLS)
                .param("max", max)
                .query((row, i) -> poolIn(row))
                .list();
    }

    /** How many codes are free, or that there are more than anybody has to worry about. */
    long free(PoolId pool) {
        return on(pool, FREE).param("max", COUNTED_MAX).query(Long.class).single();
    }

    private static PoolId poolIn(ResultSet row) throws SQLException {
        return new PoolId(new ActivityId(row.getLong("activity_id")), row.getInt("award_id"));
    }

    private JdbcClient.StatementSpec asking(String sql, AwardRecordId record, PoolId pool, Instant now) {
        return on(pool, sql).param("record", record.text()).param("now", OffsetDateTime.ofInstant(now, ZoneOffset.UTC));
    }

    private JdbcClient.StatementSpec on(PoolId pool, String sql) {
        return database.sql(sql)
                .withQueryTimeout(WAIT_MAX_SECONDS)
                .param("activity", pool.activityId().value())
                .param("award", pool.awardId());
    }
}
