package lottery.view.wheel;

import jakarta.persistence.EntityManager;
import lottery.api.strategy.StrategyEvent;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
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

    @EventHandler
    void on(StrategyEvent event) {
        rows.deleteStrategy(event.strategyId().value());
        event.definition()
                .awards()
                .forEach(award -> entities.persist(new AwardRow(event.strategyId(), event.version(), award)));
    }
}
