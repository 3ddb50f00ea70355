package lottery.stock;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import lottery.api.activity.ActivityId;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.StrategyDefinition;

/** Allocates units of limited stock in tests with one thread: the lowest free number comes first. */
public final class StockInMemory implements StockUnitSource {

    private final Map<StockId, Map<Integer, String>> holders = new HashMap<>();
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
        return total != null && isSoldOut(StockId.ofAward(activityId, award.awardId()), total);
    }

    @Override
    public boolean isSoldOut(StockId stockId, int total) {
        return !isBehind && isAllTaken(stockId, total);
    }

    @Override
    public boolean isAllTaken(StockId stockId, int total) {
        return holders(stockId).size() >= total;
    }

    @Override
    public OptionalInt take(StockId stockId, int total, String holder) {
        OptionalInt free = IntStream.rangeClosed(1, total)
                .filter(unit -> !holders(stockId).containsKey(unit))
                .findFirst();
        free.ifPresent(unit -> holders(stockId).put(unit, holder));
        return free;
    }

    @Override
    public void giveBack(StockId stockId, int unit, String holder) {
        if (!holders(stockId).remove(unit, holder)) {
            throw new IllegalStateException("%s has no unit %d of %s".formatted(holder, unit, stockId));
        }
    }

    /** Returns the holders by the numbers of their units. */
    public Map<Integer, String> holders(StockId stockId) {
        return holders.computeIfAbsent(stockId, _ -> new TreeMap<>());
    }

    @Override
    public void load(StockId stockId, int total) {
        // It is in memory already.
    }
}
