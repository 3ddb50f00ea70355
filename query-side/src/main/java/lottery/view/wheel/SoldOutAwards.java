package lottery.view.wheel;

import static java.util.stream.Collectors.toUnmodifiableSet;

import java.util.List;
import java.util.Set;
import lottery.view.stock.LimitedStock;

/** The awards of an activity that are sold out. */
record SoldOutAwards(Set<Integer> awardIds) {

    SoldOutAwards {
        awardIds = Set.copyOf(awardIds);
    }

    static SoldOutAwards of(List<LimitedStock> stocks) {
        return new SoldOutAwards(stocks.stream()
                .filter(stock -> stock.kind() == LimitedStock.Kind.AWARD && stock.isSoldOut())
                .map(stock -> Math.toIntExact(stock.number()))
                .collect(toUnmodifiableSet()));
    }
}
