package lottery.stock;

import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reads the claims, which decide who has which unit. */
@Component
class StockClaimQueries {

    /** The most claims in one read. A stock may have a million claims, so they are read page by page. */
    private static final int CLAIMS_PER_PAGE = 20_000;

    private record ClaimedUnits(String scope, long units) {}

    private final JdbcClient database;

    StockClaimQueries(JdbcClient database) {
        this.database = database;
    }

    long count(String scope) {
        return database.sql("SELECT count(*) FROM claim WHERE scope = ?")
                .param(scope)
                .query(Long.class)
                .single();
    }

    /** Returns the number of claims by scope. A stock without claims is not in the map. */
    Map<String, Long> counts(Collection<String> scopes) {
        return database
                .sql("SELECT scope, count(*) AS taken FROM claim WHERE scope = ANY (?) GROUP BY scope")
                .param(scopes.toArray(String[]::new))
                .query((row, number) -> new ClaimedUnits(row.getString("scope"), row.getLong("taken")))
                .list()
                .stream()
                .collect(Collectors.toMap(ClaimedUnits::scope, ClaimedUnits::units));
    }

    BitSet units(String scope) {
        BitSet units = new BitSet();
        String last = "";
        List<String> page;
        do {
            page = database.sql("SELECT key FROM claim WHERE scope = ? AND key > ? ORDER BY key LIMIT ?")
                    .params(scope, last, CLAIMS_PER_PAGE)
                    .query((row, number) -> row.getString("key"))
                    .list();
            page.forEach(unit -> units.set(Integer.parseInt(unit)));
            last = page.isEmpty() ? last : page.getLast();
        } while (page.size() == CLAIMS_PER_PAGE);
        return units;
    }

    /** Returns which of the units are claimed. */
    Set<Integer> claimed(String scope, Collection<Integer> units) {
        return new HashSet<>(database.sql("SELECT key::int FROM claim WHERE scope = ? AND key = ANY (?)")
                .params(scope, units.stream().map(String::valueOf).toArray(String[]::new))
                .query(Integer.class)
                .list());
    }
}
