package lottery.fulfilment.code;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import lottery.api.award.CodePoolId;
import lottery.store.axon.NamedNumberSeries;
import lottery.store.commit.SeriesExtent;
import lottery.store.log.Logs;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The pools in PostgreSQL, in the home log. Each code has a place in its pool. It belongs to the award record that has
 * this number in the pool's series. The record takes it in the commit of its grant, or before if it is in another log.
 */
@Component
final class CodePoolTable {

    private static final int WAIT_MAX_SECONDS = 5;
    private static final int KNOWN_MAX = 10_000;

    private static final String NEW_POOL = """
            INSERT INTO code_pool (activity_id, award_id, hash_key) VALUES (:activity, :award, :key)
            ON CONFLICT DO NOTHING""";

    /**
     * Locks the pool, so that parallel uploads are ordered: all codes of one upload come after all codes of the other.
     */
    private static final String HASH_KEY = """
            SELECT hash_key FROM code_pool WHERE activity_id = :activity AND award_id = :award FOR UPDATE""";

    private static final String SIZE = """
            SELECT coalesce(max(place), 0) FROM pool_code WHERE activity_id = :activity AND award_id = :award""";

    private static final String UPLOAD = """
            INSERT INTO pool_code (activity_id, award_id, place, hash, sealed)
            SELECT :activity, :award, :size + row_number() OVER (ORDER BY ordinality), hash, sealed
            FROM unnest(:hashes::text[], :sealed::text[]) WITH ORDINALITY AS uploaded (hash, sealed, ordinality)
            WHERE NOT EXISTS (SELECT FROM pool_code AS known WHERE known.hash = uploaded.hash)""";

    private static final String CODE = """
            SELECT hash, sealed FROM pool_code
            WHERE activity_id = :activity AND award_id = :award AND place = :place""";

    private static final String FREE = """
            SELECT activity_id, award_id, last - newest AS free
            FROM code_pool JOIN series ON name = 'codes:' || activity_id || '/' || award_id
            ORDER BY 1 DESC, 2 LIMIT :max""";

    private final JdbcClient database;
    private final TransactionTemplate transaction;
    private final NamedNumberSeries series;
    private final CodeCipher seal;

    /** Pools that exist. None is ever deleted. */
    private final Cache<CodePoolId, Boolean> known =
            Caffeine.newBuilder().maximumSize(KNOWN_MAX).build();

    CodePoolTable(Logs logs, NamedNumberSeries series, CodeCipher seal) {
        DataSource home = logs.home().pool();
        this.database = JdbcClient.create(home);
        this.transaction = new TransactionTemplate(new JdbcTransactionManager(home));
        this.series = series;
        this.seal = seal;
    }

    private record PoolGrowth(int before, int added) {}

    /**
     * Adds the codes, and returns how many are new to the pool. They can be given when their transaction has committed.
     * If the process ends in between, the next upload makes up for it.
     */
    int upload(CodePoolId pool, List<String> codes) {
        PoolGrowth growth = Objects.requireNonNull(transaction.execute(_ -> {
            on(pool, NEW_POOL).param("key", seal.freshHashKey(pool)).update();
            byte[] hashKey =
                    seal.hashKey(pool, on(pool, HASH_KEY).query(String.class).single());
            List<CodeCipher.Sealed> sealed =
                    codes.stream().map(code -> seal.seal(pool, hashKey, code)).toList();
            int size = on(pool, SIZE).query(Integer.class).single();
            int added = on(pool, UPLOAD)
                    .param("size", size)
                    .param(
                            "hashes",
                            sealed.stream().map(CodeCipher.Sealed::hash).toArray(String[]::new))
                    .param(
                            "sealed",
                            sealed.stream().map(CodeCipher.Sealed::sealed).toArray(String[]::new))
                    .update();
            return new PoolGrowth(size, added);
        }));
        series.raise(pool.text(), growth.before() + growth.added());
        return growth.added();
    }

    boolean exists(CodePoolId pool) {
        if (known.getIfPresent(pool) != null) {
            return true;
        }
        boolean exists = series.extent(pool.text()).isPresent();
        if (exists) {
            known.put(pool, true);
        }
        return exists;
    }

    /** Returns the code of this record. */
    Optional<String> codeOf(AwardRecordId record, CodePoolId pool) {
        return series.numberOf(pool.text(), record.text()).stream()
                .mapToObj(place -> on(pool, CODE)
                        .param("place", place)
                        .query((row, _) -> new CodeCipher.Sealed(row.getString("hash"), row.getString("sealed")))
                        .single())
                .map(code -> seal.open(pool, code))
                .findFirst();
    }

    CodePoolCount count(CodePoolId pool) {
        SeriesExtent extent = series.extent(pool.text()).orElse(new SeriesExtent(0, 0));
        return new CodePoolCount(extent.last(), extent.left(), extent.newest());
    }

    /**
     * Returns how many codes are free in the pools of the newest activities, which usually have the highest numbers.
     */
    Map<CodePoolId, Long> free(int max) {
        Map<CodePoolId, Long> free = new HashMap<>();
        RowCallbackHandler add = row -> free.put(idIn(row), row.getLong("free"));
        database.sql(FREE).withQueryTimeout(WAIT_MAX_SECONDS).param("max", max).query(add);
        return free;
    }

    static CodePoolId idIn(ResultSet row) throws SQLException {
        return new CodePoolId(new ActivityId(row.getLong("activity_id")), row.getInt("award_id"));
    }

    private JdbcClient.StatementSpec on(CodePoolId pool, String sql) {
        return database.sql(sql)
                .withQueryTimeout(WAIT_MAX_SECONDS)
                .param("activity", pool.activityId().value())
                .param("award", pool.awardId());
    }
}
