package lottery.view.wheel;

import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.StrategyEvent;
import lottery.store.projection.Projection;
import lottery.view.wheel.StrategyAwardProjection.StrategyAwardColumns;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/**
 * Projects the awards of each version of a strategy. All versions are kept, because an activity shows the version that
 * was approved for it.
 */
@Component
@ProcessingGroup("wheel")
class StrategyAwardProjection extends Projection<StrategyAwardKey, StrategyAwardColumns> {

    /** The columns of an award's row besides its key. */
    record StrategyAwardColumns(
            String title,
            @Nullable String subtitle,
            AwardType type,
            int sort,
            int lockedUntilDraws,
            @Nullable Integer stock,
            @Nullable Integer maxPerUser) {

        static StrategyAwardColumns of(AwardDefinition award) {
            return new StrategyAwardColumns(
                    award.title(),
                    award.subtitle(),
                    award.type(),
                    award.sort(),
                    award.lockedUntilDraws(),
                    award.stock(),
                    award.maxPerUser());
        }
    }

    StrategyAwardProjection(JdbcOperations database) {
        super(database, "view_award", StrategyAwardKey.class, StrategyAwardColumns.class);
    }

    @EventHandler
    void on(StrategyEvent event) {
        event.definition().awards().forEach(award -> {
            StrategyAwardColumns row = StrategyAwardColumns.of(award);
            change(new StrategyAwardKey(event.strategyId().value(), event.version(), award.awardId()), _ -> row);
        });
    }
}
