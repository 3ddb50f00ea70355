package lottery.view.wheel;

import jakarta.persistence.EntityManager;
import lottery.api.strategy.StrategyEvent;
import lottery.api.strategy.StrategyEvent.StrategyDefined;
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
        switch (event) {
            case StrategyDefined defined -> define(defined);
        }
    }

    /** A strategy is defined once: awards that are there already come from the same event. */
    private void define(StrategyDefined defined) {
        if (rows.existsByKeyStrategyId(defined.strategyId().value())) {
            return;
        }
        defined.definition().awards().forEach(award -> entities.persist(new AwardRow(defined.strategyId(), award)));
    }
}
