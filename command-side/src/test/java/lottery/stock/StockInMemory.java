package lottery.stock;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import lottery.api.activity.ActivityId;
import lottery.api.activity.StockId;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.StrategyDefinition;

/** Counts the units of limited stock in tests with one thread. */
public final class StockInMemory implements StockUnitSource {

    private final Map<StockId, Long> taken = new HashMap<>();
    private boolean isBehind;

    /** Makes this process believe that no stock is sold out, as if it had not heard yet what others have taken. */
    public void fallBehind() {
        isBehind = true;
    }

    @Override
    public Set<Integer> soldOut(ActivityId activityId, StrategyDefinition definition) {
        return definition.awards().stream()
                .filter(award -> isSoldOut(activityId, award))
                .map(AwardDefinition::awardId)
                .collect(Collectors.toSet());
    }

    private boolean isSoldOut(ActivityId activityId, AwardDefinition award) {
        Integer total = award.stock();
        return total != null && isShort(StockId.ofAward(activityId, award.awardId()), 1, total);
    }

    @Override
    public boolean isShort(StockId stockId, long units, long total) {
        return !isBehind && taken(stockId) + units > total;
    }

    @Override
    public boolean isAllTaken(StockId stockId, int total) {
        return taken(stockId) >= total;
    }

    @Override
    public boolean take(StockId stockId, long units, long least, long total) {
        if (taken(stockId) + least > total) {
            return false;
        }
        taken.merge(stockId, units, Long::sum);
        return true;
    }

    @Override
    public void giveBack(StockId stockId, long units) {
        if (taken(stockId) < units) {
            throw new IllegalStateException("not so many units of %s are taken".formatted(stockId));
        }
        taken.merge(stockId, -units, Long::sum);
    }

    /** Returns how many units are taken. */
    public long taken(StockId stockId) {
        return taken.getOrDefault(stockId, 0L);
    }
}
