package lottery.view.wheel;

import static java.util.stream.Collectors.toUnmodifiableSet;

import java.util.List;
import java.util.Set;
import lottery.view.stock.StockUsage;

/** The awards of an activity that are sold out. */
record SoldOutAwardIds(Set<Integer> awardIds) {

    SoldOutAwardIds {
        awardIds = Set.copyOf(awardIds);
    }

    static SoldOutAwardIds of(List<StockUsage> stocks) {
        return new SoldOutAwardIds(stocks.stream()
                .filter(stock -> stock.kind() == StockUsage.LimitedKind.AWARD && stock.isSoldOut())
                .map(stock -> Math.toIntExact(stock.number()))
                .collect(toUnmodifiableSet()));
    }
}
