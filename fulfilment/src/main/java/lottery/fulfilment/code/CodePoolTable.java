package lottery.fulfilment.code;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import lottery.api.award.AwardRecordId;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The pools in PostgreSQL, which alone decides who gets which code. */
@Component
final class CodePoolTable {

    /**
     * The timeout of a statement outside of a decision. Most rows are locked for milliseconds only. But the last codes
     * of a pool may be locked until another transaction ends.
     */
    private static final int WAIT_MAX_SECONDS = 5;

    /**
     * The timeout of all statements of a decision together. These statements have no timeout of their own. In a
     * deadlock, PostgreSQL aborts one transaction sooner, after a second.
     */
    private static final int DECISION_MAX_SECONDS = 3;

    /**
     * How long a decision waits until the previous decision of this process ends. The caller of a decision waits longer
     * than the sum of three times: this wait, the timeout of the decision and the wait for a connection.
     */
    private static final int TURN_WAIT_MAX_SECONDS = 2;

    /**
     * The number up to which free codes are counted. A larger number needs no attention, so counting on would be wasted
     * work.
     */
    private static final int COUNTED_MAX = 10_000;

    private static final String NEW_POOL = """
            INSERT INTO code_pool (activity_id, award_id, hash_key) VALUES (:activity, :award, :key)
            ON CONFLICT DO NOTHING""";

    /**
     * Locks the pool, so that parallel uploads are ordered: all codes of one upload come after all codes of the other.
     */
    private static final String HASH_KEY = """
            SELECT hash_key FROM code_pool WHERE activity_id = :activity AND award_id = :award FOR UPDATE""";

    private static final String UPLOAD = """
            INSERT INTO pool_code (activity_id, award_id, hash, sealed)
            SELECT :activity, :award, hash, sealed
            FROM unnest(:hashes::text[], :sealed::text[]) WITH ORDINALITY AS uploaded (hash, sealed, place)
            ORDER BY place
            ON CONFLICT (activity_id, award_id, hash) DO NOTHING""";

    private static final String ANSWERED = """
            SELECT award_record_id,
                   EXISTS (SELECT FROM pool_code WHERE pool_code.award_record_id = code_answer.award_record_id) AS given
            FROM code_answer WHERE award_record_id = ANY (:records)""";

    /**
     * First stores a row for the answer about each award record, and then takes the codes. If two requests for one
     * record come at the same time, the second one waits at this row, and then finds the answer. Codes that other
     * transactions are taking are skipped.
     */
    private static final String GIVE = """
            WITH asked AS (
                INSERT INTO code_answer (award_record_id, activity_id, award_id, answered_at)
                SELECT record, activity_id, award_id, :now
                FROM code_pool CROSS JOIN unnest(:records::text[]) AS asking (record)
                WHERE activity_id = :activity AND award_id = :award
                ORDER BY record
                ON CONFLICT DO NOTHING
                RETURNING award_record_id
            ), free AS (
                SELECT code_id FROM pool_code
                WHERE activity_id = :activity AND award_id = :award AND award_record_id IS NULL
                ORDER BY code_id LIMIT (SELECT count(*) FROM asked) FOR UPDATE SKIP LOCKED
            ), pair AS (
                SELECT award_record_id, code_id
                FROM (SELECT award_record_id, row_number() OVER () AS place FROM asked) AS winner
                JOIN (SELECT code_id, row_number() OVER (ORDER BY code_id) AS place FROM free) AS code USING (place)
            ), given AS (
                UPDATE pool_code SET award_record_id = pair.award_record_id, given_at = :now
                FROM pair WHERE pool_code.code_id = pair.code_id
                RETURNING pool_code.award_record_id
            )
            SELECT asked.award_record_id, given.award_record_id IS NOT NULL AS given
            FROM asked LEFT JOIN given USING (award_record_id)""";

    /**
     * Takes a free code, and waits if another transaction is taking it. That transaction may fail and leave the code
     * free. Therefore only a caller that has waited knows whether the pool is empty.
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

    private static final String EXISTS =
            "SELECT EXISTS (SELECT FROM code_pool WHERE activity_id = :activity AND award_id = :award)";

    /**
     * The most pools that this process remembers as existing. A pool is never deleted, so what is remembered stays
     * true. If there are too many pools, the process forgets all of them and looks them up again.
     */
    private static final int KNOWN_MAX = 10_000;

    private final Set<CodePoolId> known = ConcurrentHashMap.newKeySet();
    private final JdbcClient database;
    private final TransactionTemplate transaction;
    private final TransactionTemplate decision;
    private final Lock turn = new ReentrantLock(true);
    private final CodeCipher seal;

    CodePoolTable(JdbcClient database, PlatformTransactionManager transactions, CodeCipher seal) {
        this.database = database;
        this.transaction = new TransactionTemplate(transactions);
        this.decision = new TransactionTemplate(transactions);
        this.decision.setTimeout(DECISION_MAX_SECONDS);
        this.seal = seal;
    }

    private record SealedPoolCode(CodePoolId pool, CodeCipher.Sealed code) {}

    /** Adds the codes, and returns how many are new to the pool. */
    int upload(CodePoolId pool, List<String> codes) {
        Integer added = transaction.execute(_ -> {
            on(pool, NEW_POOL).param("key", seal.freshHashKey(pool)).update();
            byte[] hashKey =
                    seal.hashKey(pool, on(pool, HASH_KEY).query(String.class).single());
            List<CodeCipher.Sealed> sealed =
                    codes.stream().map(code -> seal.seal(pool, hashKey, code)).toList();
            return on(pool, UPLOAD)
                    .param(
                            "hashes",
                            sealed.stream().map(CodeCipher.Sealed::hash).toArray(String[]::new))
                    .param(
                            "sealed",
                            sealed.stream().map(CodeCipher.Sealed::sealed).toArray(String[]::new))
                    .update();
        });
        return Objects.requireNonNull(added);
    }

    boolean exists(CodePoolId pool) {
        if (known.contains(pool)) {
            return true;
        }
        boolean exists = on(pool, EXISTS).query(Boolean.class).single();
        if (exists) {
            if (known.size() >= KNOWN_MAX) {
                known.clear();
            }
            known.add(pool);
        }
        return exists;
    }

    /** Returns the earlier decisions about these records. A record without a decision is not in the map. */
    Map<AwardRecordId, CodeAwardOutcome> answered(Collection<AwardRecordId> records) {
        Map<AwardRecordId, CodeAwardOutcome> answered = new HashMap<>();
        database.sql(ANSWERED)
                .withQueryTimeout(WAIT_MAX_SECONDS)
                .param("records", texts(records))
                .query(row -> {
                    answered.put(
                            AwardRecordId.of(row.getString("award_record_id")),
                            row.getBoolean("given") ? CodeAwardOutcome.GIVEN : CodeAwardOutcome.REFUSED);
                });
        return answered;
    }

    /**
     * Decides about these records together, or about none of them. A repeated request gets the same decisions. All
     * processes lock records in the same order, so that they do not block each other. Two processes that take the last
     * codes of a pool may still block each other, and then one decision fails. Within a process, decisions run one
     * after the other.
     */
    Map<AwardRecordId, CodeAwardOutcome> give(Map<AwardRecordId, CodePoolId> asked, Instant now) {
        SortedMap<CodePoolId, List<AwardRecordId>> byPool = asked.entrySet().stream()
                .collect(groupingBy(
                        Map.Entry::getValue,
                        () -> new TreeMap<>(Comparator.comparing(CodePoolId::text)),
                        mapping(Map.Entry::getKey, toList())));
        awaitTurn();
        try {
            return Objects.requireNonNull(decision.execute(_ -> {
                Map<AwardRecordId, CodeAwardOutcome> gifts = new HashMap<>();
                byPool.forEach((pool, records) -> gifts.putAll(give(records, pool, now)));
                return gifts;
            }));
        } finally {
            turn.unlock();
        }
    }

    private void awaitTurn() {
        try {
            if (!turn.tryLock(TURN_WAIT_MAX_SECONDS, TimeUnit.SECONDS)) {
                throw new CannotAcquireLockException("other codes are given out, which takes too long");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotAcquireLockException("interrupted before codes were given out", e);
        }
    }

    private Map<AwardRecordId, CodeAwardOutcome> give(List<AwardRecordId> records, CodePoolId pool, Instant now) {
        Map<AwardRecordId, CodeAwardOutcome> gifts = new HashMap<>();
        List<AwardRecordId> nothingAtHand = new ArrayList<>();
        deciding(GIVE, pool, now).param("records", texts(records)).query(row -> {
            AwardRecordId record = AwardRecordId.of(row.getString("award_record_id"));
            if (row.getBoolean("given")) {
                gifts.put(record, CodeAwardOutcome.GIVEN);
            } else {
                nothingAtHand.add(record);
            }
        });
        for (AwardRecordId record : nothingAtHand) {
            boolean given = deciding(GIVE_THE_LAST, pool, now)
                            .param("record", record.text())
                            .update()
                    == 1;
            gifts.put(record, given ? CodeAwardOutcome.GIVEN : CodeAwardOutcome.REFUSED);
        }
        List<AwardRecordId> notAsked =
                records.stream().filter(record -> !gifts.containsKey(record)).toList();
        if (!notAsked.isEmpty()) {
            // These records have their answers already, or no pool exists.
            Map<AwardRecordId, CodeAwardOutcome> before = answered(notAsked);
            notAsked.forEach(record -> gifts.put(record, before.getOrDefault(record, CodeAwardOutcome.NO_POOL)));
        }
        return gifts;
    }

    /** Returns the code of this record. */
    Optional<String> codeOf(AwardRecordId record) {
        return database.sql("SELECT activity_id, award_id, hash, sealed FROM pool_code WHERE award_record_id = :record")
                .param("record", record.text())
                .query((row, i) -> new SealedPoolCode(
                        CodePoolId.in(row), new CodeCipher.Sealed(row.getString("hash"), row.getString("sealed"))))
                .optional()
                .map(kept -> seal.open(kept.pool(), kept.code()));
    }

    CodePoolCount count(CodePoolId pool) {
        return on(pool, COUNT)
                .query((row, i) -> {
                    long total = row.getLong("total");
                    long free = row.getLong("free");
                    return new CodePoolCount(total, free, total - free);
                })
                .single();
    }

    /** Returns the pools of the newest activities, which usually have the highest numbers. */
    List<CodePoolId> pools(int max) {
        return database.sql(POOLS)
                .param("max", max)
                .query((row, i) -> CodePoolId.in(row))
                .list();
    }

    /** Returns how many codes are free. It counts only up to a number that needs no attention. */
    long free(CodePoolId pool) {
        return on(pool, FREE).param("max", COUNTED_MAX).query(Long.class).single();
    }

    private static String[] texts(Collection<AwardRecordId> records) {
        return records.stream().map(AwardRecordId::text).toArray(String[]::new);
    }

    private JdbcClient.StatementSpec deciding(String sql, CodePoolId pool, Instant now) {
        return on(pool, sql).param("now", OffsetDateTime.ofInstant(now, ZoneOffset.UTC));
    }

    private JdbcClient.StatementSpec on(CodePoolId pool, String sql) {
        return database.sql(sql)
                .withQueryTimeout(WAIT_MAX_SECONDS)
                .param("activity", pool.activityId().value())
                .param("award", pool.awardId());
    }
}
