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

/** Units of limited stock for tests of one thread: the lowest free number comes first. */
public final class StockInMemory implements StockUnits {

    private final Map<StockId, Map<Integer, String>> holders = new HashMap<>();

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
    public boolean isSoldOut(StockId shelf, int total) {
        return holders(shelf).size() >= total;
    }

    @Override
    public OptionalInt take(StockId shelf, int total, String holder) {
        OptionalInt free = IntStream.rangeClosed(1, total)
                .filter(unit -> !holders(shelf).containsKey(unit))
                .findFirst();
        free.ifPresent(unit -> holders(shelf).put(unit, holder));
        return free;
    }

    @Override
    public void giveBack(StockId shelf, int unit, String holder) {
        if (!holders(shelf).remove(unit, holder)) {
            throw new IllegalStateException("%s has no unit %d of %s".formatted(holder, unit, shelf));
        }
    }

    /** The holders by the numbers of their units. */
    public Map<Integer, String> holders(StockId shelf) {
        return holders.computeIfAbsent(shelf, _ -> new TreeMap<>());
    }
}
