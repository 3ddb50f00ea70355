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
record StrategyWheelAwards(int version, List<StrategyWheelAward> awards) {

    StrategyWheelAwards {
        awards = List.copyOf(awards);
    }

    static StrategyWheelAwards of(StrategyEvent event) {
        return new StrategyWheelAwards(
                event.version(),
                event.definition().awards().stream()
                        .map(StrategyWheelAward::of)
                        .sorted(StrategyWheelAward.ORDER)
                        .toList());
    }

    static StrategyWheelAwards of(List<StrategyAwardRow> rows) {
        return new StrategyWheelAwards(
                rows.stream().mapToInt(StrategyAwardRow::version).max().orElse(0),
                rows.stream().map(StrategyAwardRow::award).toList());
    }

    /**
     * Returns the list with its version. Each version of the strategy is one event, so that the first one has sequence
     * number 0.
     */
    Versioned<StrategyWheelAwards> versioned() {
        return new Versioned<>(this, version - 1L);
    }

    List<WheelPlace> places(Set<Integer> soldOut, Set<Integer> held) {
        return awards.stream()
                .map(award -> award.place(soldOut.contains(award.awardId()), held.contains(award.awardId())))
                .toList();
    }
}
