package lottery.view.reconciliation;

import static java.util.function.Predicate.not;

import java.time.LocalDate;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import lottery.api.payment.Trade;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.stereotype.Component;

/**
 * Reads the differences part by part, the newest first, so that a part of the trades is copied at once. With one log,
 * nothing is copied, and one part has all differences.
 */
@Component
class DifferenceParts {

    private static final int KEYS_MAX = 1_000;

    private static final String OF_ALL = """
            SELECT id, provider, trade_no FROM payment_difference
            WHERE id < :below ORDER BY id DESC LIMIT :max""";

    private static final String OF_DAY = """
            SELECT id, provider, trade_no FROM payment_difference
            WHERE id < :below AND provider = :provider AND day = :day ORDER BY id DESC LIMIT :max""";

    private static final String PART = "(SELECT * FROM payment_difference WHERE id = ANY (:ids::bigint[]))";

    private record DifferenceKey(long id, Trade trade) {}

    /** Some differences, and what SQL needs to look them up. */
    record DifferencePart(List<DifferenceKey> keys, List<String> copies) {

        StatementSpec bind(StatementSpec sql) {
            return sql.param("ids", keys.stream().map(DifferenceKey::id).toArray(Long[]::new))
                    .param("copies", copies.toArray(String[]::new));
        }
    }

    private final JdbcClient database;
    private final MovedMoney moved;

    DifferenceParts(JdbcClient database, MovedMoney moved) {
        this.database = database;
        this.moved = moved;
    }

    /** Returns what SQL reads the differences of a part from. */
    String from() {
        return moved.isCopied() ? PART : "payment_difference";
    }

    /** Returns the parts of the differences below an id. */
    Stream<DifferencePart> below(long id) {
        return parts(id, () -> database.sql(OF_ALL));
    }

    /** Returns the parts of the differences that the statements of a day have shown. */
    Stream<DifferencePart> of(String provider, LocalDate day) {
        return parts(
                Long.MAX_VALUE,
                () -> database.sql(OF_DAY).param("provider", provider).param("day", day));
    }

    private Stream<DifferencePart> parts(long below, Supplier<StatementSpec> sql) {
        return moved.isCopied()
                ? Stream.iterate(
                        part(below, sql),
                        not(part -> part.keys().isEmpty()),
                        part -> part(part.keys().getLast().id(), sql))
                : Stream.of(new DifferencePart(List.of(), List.of()));
    }

    private DifferencePart part(long below, Supplier<StatementSpec> sql) {
        List<DifferenceKey> keys = sql.get()
                .param("below", below)
                .param("max", KEYS_MAX)
                .query((row, _) -> new DifferenceKey(
                        row.getLong("id"), new Trade(row.getString("provider"), row.getString("trade_no"))))
                .list();
        return new DifferencePart(
                keys,
                List.of(moved.copies(keys.stream().map(DifferenceKey::trade).toList())));
    }
}
