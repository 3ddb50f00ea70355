package lottery.store.vault;

import static java.util.stream.Collectors.joining;

import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Seals the secrets of a column again with the current key, so that no row needs an older key.
 *
 * <p>It goes through the table by its primary key, a page in each transaction. If the process ends in between, some
 * pages are complete, and the next call seals the rest. If another process changes or deletes a row meanwhile, the
 * change of that process stays.
 */
public final class SealedColumnResealer {

    private static final int PAGE_ROWS = 500;

    private static final int ATTEMPTS_MAX = 10;

    private final String table;
    private final List<String> primaryKey;
    private final String column;
    private final RowMapper<String> nameOf;
    private final SecretCipher cipher;
    private final SecureRandom random;
    private final String update;

    /**
     * Describes a column.
     *
     * @param keyNameColumn the column with the name of the key that has sealed the row. It is null if the table has no
     *     such column; the sealed secret itself names its key anyway
     * @param nameOf returns the name that the secret of a row is sealed for; the secret can be opened only with this
     *     name
     */
    public SealedColumnResealer(
            String table,
            List<String> primaryKey,
            String column,
            @Nullable String keyNameColumn,
            RowMapper<String> nameOf,
            SecretCipher cipher,
            SecureRandom random) {
        this.table = table;
        this.primaryKey = List.copyOf(primaryKey);
        this.column = column;
        this.nameOf = nameOf;
        this.cipher = cipher;
        this.random = random;
        String keyName = keyNameColumn == null ? "" : ", %s = '%s'".formatted(keyNameColumn, cipher.currentKey());
        this.update = "UPDATE %s SET %s = ?%s WHERE %s AND %2$s = ?"
                .formatted(
                        table,
                        column,
                        keyName,
                        primaryKey.stream().map(part -> part + " = ?").collect(joining(" AND ")));
    }

    /** A row with the values of its primary key. */
    private record SealedRow(List<Object> key, String sealed, String name) {}

    /**
     * How many secrets there are for each key.
     *
     * @param opened the secrets that a key opens, by the label of the key
     * @param unopened the secrets that no key opens, by the name of the key in the secret. This process does not have
     *     that key, or the secret was changed. A secret that names no key counts under the empty text
     */
    public record KeyCounts(SortedMap<String, Long> opened, SortedMap<String, Long> unopened) {}

    /** Returns the name for operators, made of the names of the table and the column. */
    public String name() {
        return table + "." + column;
    }

    /** Returns the current key with its settings, for example {@code k1 (LOTTERY_CODES)}. */
    public String currentLabel() {
        return cipher.currentLabel();
    }

    /**
     * Seals with the current key each secret that another key has sealed. A secret that no key opens stays as it is.
     *
     * @param progress receives, after each page, how many secrets were sealed again so far
     */
    public void reseal(JdbcOperations database, PlatformTransactionManager transactions, LongConsumer progress) {
        TransactionTemplate transaction = new TransactionTemplate(transactions);
        AtomicLong resealed = new AtomicLong();
        eachPage(database, page -> {
            List<Object[]> changes = new ArrayList<>();
            for (SealedRow row : page) {
                SecretCipher.OpenedSecret opened = opened(row);
                if (opened != null && !opened.label().equals(currentLabel())) {
                    changes.add(change(row, opened.secret()));
                }
            }
            progress.accept(resealed.addAndGet(store(database, transaction, changes)));
        });
    }

    private SecretCipher.@Nullable OpenedSecret opened(SealedRow row) {
        try {
            return cipher.opened(row.sealed(), row.name());
        } catch (SecretUnavailableException lost) {
            return null;
        }
    }

    /**
     * Stores a page and returns how many rows it has changed. A row counts only if it still is as it was read. Other
     * transactions may lock rows in another order. After a deadlock the page is stored again.
     */
    private long store(JdbcOperations database, TransactionTemplate transaction, List<Object[]> changes) {
        for (int attempt = 1; ; attempt++) {
            try {
                return Objects.requireNonNull(transaction.execute(_ -> (long)
                        Arrays.stream(database.batchUpdate(update, changes)).sum()));
            } catch (PessimisticLockingFailureException busy) {
                if (attempt == ATTEMPTS_MAX) {
                    throw busy;
                }
            }
        }
    }

    /** Counts the secrets by their keys. */
    public KeyCounts countByKey(JdbcOperations database) {
        KeyCounts counts = new KeyCounts(new TreeMap<>(), new TreeMap<>());
        eachPage(
                database,
                page -> page.forEach(row -> {
                    SecretCipher.OpenedSecret opened = opened(row);
                    if (opened == null) {
                        counts.unopened().merge(SecretCipher.keyNamedBy(row.sealed()), 1L, Long::sum);
                    } else {
                        counts.opened().merge(opened.label(), 1L, Long::sum);
                    }
                }));
        return counts;
    }

    private Object[] change(SealedRow row, byte[] secret) {
        List<Object> values = new ArrayList<>();
        values.add(cipher.seal(secret, row.name(), random));
        values.addAll(row.key());
        values.add(row.sealed());
        return values.toArray();
    }

    private void eachPage(JdbcOperations database, Consumer<List<SealedRow>> taker) {
        List<SealedRow> page = database.query(page(""), this::row);
        while (!page.isEmpty()) {
            taker.accept(page);
            String parameters = primaryKey.stream().map(_ -> "?").collect(joining(", "));
            String after = "WHERE (%s) > (%s) ".formatted(String.join(", ", primaryKey), parameters);
            page = database.query(page(after), this::row, page.getLast().key().toArray());
        }
    }

    private String page(String after) {
        return "SELECT * FROM %s %sORDER BY %s LIMIT %d"
                .formatted(table, after, String.join(", ", primaryKey), PAGE_ROWS);
    }

    private SealedRow row(ResultSet row, int number) throws SQLException {
        List<Object> key = new ArrayList<>();
        for (String part : primaryKey) {
            key.add(row.getObject(part));
        }
        String name = nameOf.mapRow(row, number);
        if (name == null) {
            throw new IllegalStateException("each secret of " + name() + " belongs to something");
        }
        return new SealedRow(key, row.getString(column), name);
    }
}
