package lottery.view.odds;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import lottery.api.activity.ActivityId;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.OddsAudit;
import lottery.api.strategy.OddsAudit.AuditedShare;
import lottery.api.strategy.OddsAudit.AuditedVersion;
import lottery.api.strategy.OddsAudit.ConfidenceInterval;
import lottery.api.strategy.OddsAudit.OddsVerdict;
import lottery.api.strategy.StrategyId;
import lottery.store.log.Logs;
import lottery.view.Query;
import lottery.view.activity.RedisActivityReadModel;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.stereotype.Component;

/** Compares the draws of an activity with the published odds. */
@Component
class OddsAuditReader {

    /**
     * Asks whether the draws of an activity agree with the published odds. The answer is empty if there is no such
     * activity.
     */
    record FindOddsAudit(ActivityId activityId) implements Query<Optional<OddsAudit>> {}

    private static final String CONFIDENCE = "0.999";

    /** The probability that is left out at each end of the interval. Both ends together leave out one in a thousand. */
    private static final double UNLIKELY = 0.0005;

    private static final MathContext DIGITS = new MathContext(6);

    private static final String COUNTS = """
            SELECT strategy_id, version, award_id, compared, won FROM view_odds
            WHERE activity_id = ? ORDER BY strategy_id, version""";

    private final RedisActivityReadModel activities;
    private final JdbcOperations database;
    private final Logs logs;
    private final OddsPickDetectorCache promises;

    OddsAuditReader(
            RedisActivityReadModel activities, JdbcOperations database, Logs logs, OddsPickDetectorCache promises) {
        this.activities = activities;
        this.database = database;
        this.logs = logs;
        this.promises = promises;
    }

    private record ComparedWins(long compared, long won) {

        private static final ComparedWins NONE = new ComparedWins(0, 0);

        ComparedWins plus(ComparedWins more) {
            return new ComparedWins(compared + more.compared, won + more.won);
        }
    }

    private record StrategyVersionKey(long strategyId, int version) implements Comparable<StrategyVersionKey> {

        @Override
        public int compareTo(StrategyVersionKey other) {
            return strategyId == other.strategyId
                    ? Integer.compare(version, other.version)
                    : Long.compare(strategyId, other.strategyId);
        }
    }

    Optional<OddsAudit> answer(FindOddsAudit query) {
        return activities.has(query.activityId()) ? Optional.of(audit(query.activityId())) : Optional.empty();
    }

    private OddsAudit audit(ActivityId activityId) {
        Map<StrategyVersionKey, Map<Integer, ComparedWins>> counts = new TreeMap<>();
        RowCallbackHandler count = row -> counts.computeIfAbsent(
                        new StrategyVersionKey(row.getLong("strategy_id"), row.getInt("version")), _ -> new TreeMap<>())
                .merge(
                        row.getInt("award_id"),
                        new ComparedWins(row.getLong("compared"), row.getLong("won")),
                        ComparedWins::plus);
        logs.all().forEach(log -> log.run(() -> database.query(COUNTS, count, activityId.value())));
        List<AuditedVersion> versions = new ArrayList<>();
        counts.forEach((key, ofVersion) -> promises.find(new StrategyId(key.strategyId()), key.version())
                .ifPresent(promise -> versions.add(version(key, promise, ofVersion))));
        return new OddsAudit(activityId, CONFIDENCE, versions);
    }

    private static AuditedVersion version(
            StrategyVersionKey key, OddsPickDetector promise, Map<Integer, ComparedWins> counts) {
        List<AuditedShare> shares = new ArrayList<>();
        for (AwardDefinition award : promise.awards()) {
            ComparedWins count = counts.getOrDefault(award.awardId(), ComparedWins.NONE);
            shares.add(share(award.awardId(), award.title(), award.rate(), count));
        }
        shares.add(
                share(null, null, promise.nothing(), counts.getOrDefault(OddsPickDetector.NOTHING, ComparedWins.NONE)));
        return new AuditedVersion(
                new StrategyId(key.strategyId()),
                key.version(),
                counts.getOrDefault(OddsProjection.ALL_DRAWS, ComparedWins.NONE).compared(),
                shares.stream().mapToLong(AuditedShare::compared).max().orElse(0),
                shares);
    }

    private static AuditedShare share(
            @Nullable Integer awardId, @Nullable String title, BigDecimal promised, ComparedWins count) {
        if (count.compared() == 0) {
            return new AuditedShare(awardId, title, promised, 0, 0, null, null, OddsVerdict.NOTHING_TO_COMPARE);
        }
        BinomialInterval drawn = new BinomialInterval(count.won(), count.compared());
        ConfidenceInterval interval =
                new ConfidenceInterval(rounded(drawn.low(UNLIKELY)), rounded(drawn.high(UNLIKELY)));
        return new AuditedShare(
                awardId,
                title,
                promised,
                count.compared(),
                count.won(),
                BigDecimal.valueOf(count.won()).divide(BigDecimal.valueOf(count.compared()), DIGITS),
                interval,
                interval.low().compareTo(promised) <= 0 && promised.compareTo(interval.high()) <= 0
                        ? OddsVerdict.AGREES
                        : OddsVerdict.DISAGREES);
    }

    private static BigDecimal rounded(double share) {
        return BigDecimal.valueOf(share).round(DIGITS);
    }
}
