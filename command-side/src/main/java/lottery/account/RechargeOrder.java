package lottery.account;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import lottery.api.account.RechargeEvent;
import lottery.api.account.RechargeEvent.RechargeCompleted;
import lottery.api.account.RechargeEvent.RechargeOrdered;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/** One recharge. Its id can be used once: that is why a business number brings its chances once. */
@Aggregate(type = "recharge", commandTargetResolver = "commandTargets", lockFactory = "aggregateLocks")
class RechargeOrder {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    RechargeOrder() {}

    RechargeOrder(RechargeOrdered ordered, RechargeCompleted completed) {
        apply(ordered);
        apply(completed);
    }

    @EventSourcingHandler
    void on(RechargeEvent event) {
        id = event.rechargeId().text();
    }
}
