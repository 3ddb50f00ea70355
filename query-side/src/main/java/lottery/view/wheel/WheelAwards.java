package lottery.view.wheel;

import java.util.List;
import java.util.Set;
import lottery.api.strategy.StrategyEvent;
import lottery.view.redis.Versioned;

/**
 * The awards of a version of a strategy, in the order of the wheel.
 *
 * @param version the version of the strategy; 0 if there is none yet
 */
record WheelAwards(int version, List<ListedAward> awards) {

    WheelAwards {
        awards = List.copyOf(awards);
    }

    static WheelAwards of(StrategyEvent event) {
        return new WheelAwards(
                event.version(),
                event.definition().awards().stream()
                        .map(ListedAward::of)
                        .sorted(ListedAward.ORDER)
                        .toList());
    }

    static WheelAwards of(List<AwardRow> rows) {
        return new WheelAwards(
                rows.stream().mapToInt(AwardRow::version).max().orElse(0),
                rows.stream().map(AwardRow::award).toList());
    }

    /** Returns the list with its version. Each version is one event, so that the first one has sequence number 0. */
    Versioned<WheelAwards> versioned() {
        return new Versioned<>(this, version - 1L);
    }

    List<WheelPlace> places(Set<Integer> soldOut, Set<Integer> held) {
        return awards.stream()
                .map(award -> award.place(soldOut.contains(award.awardId()), held.contains(award.awardId())))
                .toList();
    }
}
