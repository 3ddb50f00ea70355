package lottery.pool;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.StrategyDefinition;
import lottery.rule.CompiledStrategy;
import org.jspecify.annotations.Nullable;

/** The awards of a strategy, by the places that win them. The first award has the first places, one for each unit. */
public final class PoolAwardPlaces {

    private record AwardRange(long last, AwardDefinition award) {}

    private final List<AwardRange> ranges = new ArrayList<>();

    public PoolAwardPlaces(StrategyDefinition strategy) {
        long last = 0;
        for (AwardDefinition award : strategy.awards()) {
            Integer stock = award.stock();
            if (stock != null) {
                last += stock;
                ranges.add(new AwardRange(last, award));
            }
        }
    }

    /** Returns how many of the entries win. */
    public int winnersAmong(int entries) {
        return ranges.isEmpty() ? 0 : (int) Math.min(entries, ranges.getLast().last());
    }

    /** Returns the award that a place wins. */
    public Optional<AwardDefinition> at(int place) {
        return ranges.stream()
                .filter(range -> place <= range.last())
                .map(AwardRange::award)
                .findFirst();
    }

    /** Returns the award with this id, if places win it. */
    public Optional<AwardDefinition> award(int awardId) {
        return ranges.stream()
                .map(AwardRange::award)
                .filter(award -> award.awardId() == awardId)
                .findFirst();
    }

    /** Returns how much of the award an entry wins; null if that does not vary. */
    public static @Nullable BigDecimal amountOf(AwardDefinition award, PoolShuffleKey key, RaffleOrderId orderId) {
        return award.amount() == null ? null : CompiledStrategy.amount(award.amount(), key.amounts(orderId));
    }
}
