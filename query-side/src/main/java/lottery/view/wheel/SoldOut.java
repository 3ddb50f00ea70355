package lottery.view.wheel;

import static java.util.stream.Collectors.toUnmodifiableSet;

import java.util.List;
import java.util.Set;
import lottery.view.stock.Shelf;

/** The awards of an activity of which nothing is left. */
record SoldOut(Set<Integer> awardIds) {

    SoldOut {
        awardIds = Set.copyOf(awardIds);
    }

    static SoldOut of(List<Shelf> shelves) {
        return new SoldOut(shelves.stream()
                .filter(shelf -> shelf.kind() == Shelf.Kind.AWARD && shelf.isSoldOut())
                .map(shelf -> Math.toIntExact(shelf.number()))
                .collect(toUnmodifiableSet()));
    }
}
