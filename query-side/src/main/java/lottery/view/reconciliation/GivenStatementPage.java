package lottery.view.reconciliation;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the statements that were given.
 *
 * @param next where the next page begins; null on the last page
 */
record GivenStatementPage(
        List<GivenStatement> items, @Nullable String next) {

    /**
     * A statement that was given. If its day has a newer one, that one counts.
     *
     * @param zone the zone of the day
     * @param givenBy who has given it; null if callers were not authenticated
     */
    record GivenStatement(
            String provider,
            LocalDate day,
            String zone,
            int lines,
            Instant givenAt,
            @Nullable String givenBy) {}

    GivenStatementPage {
        items = List.copyOf(items);
    }
}
