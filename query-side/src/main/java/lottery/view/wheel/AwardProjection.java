package lottery.view.wheel;

import jakarta.persistence.EntityManager;
import lottery.api.strategy.StrategyEvent;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.ResetHandler;
import org.springframework.stereotype.Component;

@Component
@ProcessingGroup("wheel")
class AwardProjection {

    private final AwardRows rows;
    private final EntityManager entities;

    AwardProjection(AwardRows rows, EntityManager entities) {
        this.rows = rows;
        this.entities = entities;
    }

    /** A version that comes again changes nothing. */
    @EventHandler
    void on(StrategyEvent event) {
        if (rows.existsByKeyStrategyIdAndVersionGreaterThanEqual(
                event.strategyId().value(), event.version())) {
            return;
        }
        rows.deleteStrategy(event.strategyId().value());
        event.definition()
                .awards()
                .forEach(award -> entities.persist(new AwardRow(event.strategyId(), event.version(), award)));
    }

    /** Before the events come again. */
    @ResetHandler
    void forget() {
        rows.deleteAll();
    }
}
