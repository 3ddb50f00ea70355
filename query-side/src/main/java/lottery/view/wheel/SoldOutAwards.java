package lottery.view.wheel;

import static java.util.stream.Collectors.toUnmodifiableSet;

import java.util.List;
import java.util.Set;
import lottery.view.stock.LimitedStock;

/** The awards of an activity of which nothing is left. */
record SoldOutAwards(Set<Integer> awardIds) {

    SoldOutAwards {
        awardIds = Set.copyOf(awardIds);
    }

    static SoldOutAwards of(List<LimitedStock> shelves) {
        return new SoldOutAwards(shelves.stream()
                .filter(shelf -> shelf.kind() == LimitedStock.Kind.AWARD && shelf.isSoldOut())
                .map(shelf -> Math.toIntExact(shelf.number()))
                .collect(toUnmodifiableSet()));
    }
}
