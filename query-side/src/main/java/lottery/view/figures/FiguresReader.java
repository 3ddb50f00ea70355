package lottery.view.figures;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import lottery.api.activity.ActivityId;
import lottery.api.activity.Budget;
import lottery.api.activity.Figures;
import lottery.api.activity.Figures.AwardWins;
import lottery.api.activity.Figures.DayFigures;
import lottery.api.activity.Figures.FigureSums;
import lottery.store.log.Logs;
import lottery.view.Query;
import lottery.view.activity.ActivityFacts;
import lottery.view.activity.RedisActivityReadModel;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Sums up the figures of an activity. */
@Component
class FiguresReader {

    /**
     * Asks for the figures of an activity by day. The answer is empty if there is no such activity. If only one day is
     * given, the answer has 30 days that begin or end with it. If no day is given, it has the 30 days up to today.
     *
     * @param from the first day, in the zone of the activity
     * @param to the last day
     */
    record FindFigures(
            ActivityId activityId,
            @Nullable LocalDate from,
            @Nullable LocalDate to) implements Query<Optional<Figures>> {}

    private static final int DAYS_USUAL = 30;

    /**
     * Reads all figures that a log has of an activity, from one snapshot. Each requested day has its own rows. All
     * other days are summed up in the rows whose day is null.
     */
    private static final String SUMS = """
            SELECT CASE WHEN day BETWEEN :from AND :to THEN day END AS shown, award_id,
                   sum(draws) AS draws, sum(entries) AS entries, sum(players) AS players,
                   sum(new_players) AS new_players, sum(cost) AS cost, sum(free) AS free, sum(recharged) AS recharged,
                   sum(spent) AS spent, sum(returned) AS returned
            FROM view_figure WHERE activity_id = :activityId GROUP BY shown, award_id""";

    private final RedisActivityReadModel activities;
    private final BudgetUseReader budgets;
    private final VisitorCounter visitors;
    private final JdbcClient database;
    private final Logs logs;
    private final InstantSource clock;

    FiguresReader(
            RedisActivityReadModel activities,
            BudgetUseReader budgets,
            VisitorCounter visitors,
            JdbcClient database,
            Logs logs,
            InstantSource clock) {
        this.activities = activities;
        this.budgets = budgets;
        this.visitors = visitors;
        this.database = database;
        this.logs = logs;
        this.clock = clock;
    }

    /** The sums of an award on a day. */
    private record AwardRow(@Nullable LocalDate day, int awardId, FigureCounts counts) {}

    Optional<Figures> answer(FindFigures query) {
        return activities.find(query.activityId()).map(activity -> answer(query, activity));
    }

    private Figures answer(FindFigures query, ActivityFacts activity) {
        LocalDate from = query.from();
        LocalDate to = query.to();
        LocalDate today = activity.dayAt(clock.instant());
        Budget budget = activity.budget();
        if (to == null) {
            to = from == null ? today : from.plusDays(DAYS_USUAL - 1);
        }
        if (from == null) {
            from = to.minusDays(DAYS_USUAL - 1);
        }
        List<AwardRow> rows = rows(query.activityId(), from, to);
        SortedMap<LocalDate, List<AwardRow>> days = new TreeMap<>();
        for (AwardRow row : rows) {
            LocalDate day = row.day();
            if (day != null) {
                days.computeIfAbsent(day, _ -> new ArrayList<>()).add(row);
            }
        }
        return new Figures(
                query.activityId(),
                activity.zone(),
                from,
                to,
                sums(rows, true),
                visitors.count(query.activityId()).stream().boxed().findFirst().orElse(null),
                payers(query.activityId()),
                budget == null ? null : budgets.read(query.activityId(), budget, today),
                days.entrySet().stream()
                        .map(day -> new DayFigures(day.getKey(), sums(day.getValue(), false)))
                        .toList());
    }

    private long payers(ActivityId activityId) {
        // A user is in one log, so nobody is counted twice.
        return logs
                .readAll(() -> database.sql("""
                        SELECT count(DISTINCT user_id) FROM view_payment
                        WHERE activity_id = :activityId AND trades LIKE '% DELIVERED%'""")
                        .param("activityId", activityId.value())
                        .query((row, _) -> row.getLong(1))
                        .list())
                .stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private List<AwardRow> rows(ActivityId activityId, LocalDate from, LocalDate to) {
        return logs.readAll(() -> database.sql(SUMS)
                .param("from", from)
                .param("to", to)
                .param("activityId", activityId.value())
                .query((row, _) ->
                        new AwardRow(row.getObject("shown", LocalDate.class), row.getInt("award_id"), counts(row)))
                .list());
    }

    private static FigureCounts counts(ResultSet row) throws SQLException {
        return new FigureCounts(
                row.getLong("draws"),
                row.getLong("entries"),
                row.getLong("players"),
                row.getLong("new_players"),
                row.getBigDecimal("cost"),
                row.getLong("free"),
                row.getLong("recharged"),
                row.getLong("spent"),
                row.getLong("returned"));
    }

    /**
     * Returns the sums of some rows.
     *
     * @param isTotal whether a user with draws on several days counts once, instead of once for each day
     */
    private static FigureSums sums(List<AwardRow> rows, boolean isTotal) {
        SortedMap<Integer, FigureCounts> awards = new TreeMap<>();
        rows.forEach(row -> awards.merge(row.awardId(), row.counts(), FigureCounts::plus));
        FigureCounts all = awards.values().stream().reduce(FigureCounts.NONE, FigureCounts::plus);
        awards.remove(FigureKey.NOTHING);
        return new FigureSums(
                isTotal ? all.newPlayers() : all.players(),
                all.draws(),
                all.entries(),
                awards.entrySet().stream()
                        .map(award -> new AwardWins(
                                award.getKey(),
                                award.getValue().draws(),
                                plain(award.getValue().cost())))
                        .toList(),
                plain(all.cost()),
                all.free(),
                all.recharged(),
                all.spent(),
                all.returned());
    }

    /** Returns the number without zeros at its end. */
    private static BigDecimal plain(BigDecimal cost) {
        BigDecimal stripped = cost.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }
}
