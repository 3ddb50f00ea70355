package lottery.view.redis;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import lottery.store.axon.OpenLog;
import lottery.store.axon.OpenLogs;
import lottery.store.log.LogDivergenceGuard.LogEntry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.core.Cursor;
import org.springframework.data.redis.core.ScanOptions;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Remembers in Redis which log the values there follow, by an event that this log has. If PostgreSQL was set back and
 * lacks the event, the values are of events that are gone, and later events would be applied on top. So they are
 * deleted.
 */
@Component
class RedisLogAnchor {

    static final String KEY = "lottery:view-log";

    private static final Logger LOG = LoggerFactory.getLogger(RedisLogAnchor.class);

    private static final String VALUES = "lottery:view:*";
    private static final Pattern ANCHOR =
            Pattern.compile("([0-9]{1,18}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})");
    private static final int KEYS_PER_CALL = 500;

    private final StringRedisTemplate redis;
    private final OpenLogs logs;
    private final JdbcClient database;

    /** The logs of which this process has looked whether the values are of them. */
    private final Set<OpenLog> checked = new HashSet<>();

    RedisLogAnchor(StringRedisTemplate redis, OpenLogs logs, JdbcClient database) {
        this.redis = redis;
        this.logs = logs;
        this.database = database;
    }

    /**
     * Names the newest event of the current log that this process knows. It is called before a batch of events changes
     * values. The first call of a process looks whether the values are of this log; the process ends if the log goes
     * back later.
     */
    synchronized void remember() {
        OpenLog current = logs.current();
        String key = RedisFreshness.keyOf(KEY, current.log());
        if (!checked.contains(current)) {
            clearIfLost(key);
            checked.add(current);
        }
        LogEntry newest = current.divergenceGuard().newest();
        redis.opsForValue().set(key, newest.position() + " " + newest.id());
    }

    /** Deletes all values if they are of another log. */
    private void clearIfLost(String key) {
        @Nullable String known = redis.opsForValue().get(key);
        if (known == null || isInLog(known)) {
            return;
        }
        LOG.warn(
                "Redis has values of a log with the event {}, which PostgreSQL does not have. The values are deleted.",
                known);
        try (Cursor<String> keys = redis.scan(
                ScanOptions.scanOptions().match(VALUES).count(KEYS_PER_CALL).build())) {
            List<String> some = new ArrayList<>();
            while (keys.hasNext()) {
                some.add(keys.next());
                if (some.size() == KEYS_PER_CALL || !keys.hasNext()) {
                    redis.unlink(some);
                    some.clear();
                }
            }
        }
        redis.delete(key);
    }

    private boolean isInLog(String known) {
        Matcher anchor = ANCHOR.matcher(known);
        return anchor.matches()
                && database.sql("SELECT log_has(?, ?::uuid)")
                        .params(Long.parseLong(anchor.group(1)), anchor.group(2))
                        .query(Boolean.class)
                        .single();
    }
}
