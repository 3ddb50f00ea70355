package lottery.saga.activity;

import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import lottery.api.account.AccountCommand.CancelRaffleOrder;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.saga.activity.OpenOrderReader.OpenOrder;
import lottery.saga.command.SagaCommands;
import lottery.store.axon.EventStreams;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Cancels the open orders of a closed activity, so that their users get the chances back, and others the
 * participations. A walk begins when the read model shows all that happened before. An order whose event is parked
 * stays open.
 */
@Component
class OpenOrderCanceller {

    private static final Logger LOG = LoggerFactory.getLogger(OpenOrderCanceller.class);

    /** {@link SagaCommands} sends them within a second or two, and has places left for other sagas. */
    private static final int PAGE = 100;

    /** With their pauses, these walks take six minutes. An order whose last event was dropped is found each time. */
    private static final int WALKS_MAX = 10;

    private final OpenOrderReader orders;
    private final EventStore events;
    private final RandomGenerator random;

    OpenOrderCanceller(OpenOrderReader orders, EventStore events, RandomGenerator random) {
        this.orders = orders;
        this.events = events;
        this.random = random;
    }

    /**
     * Cancels the orders of a page after the commit, and returns what is due next; null: nothing. A command that is
     * lost leaves its order to the next walk.
     */
    @Nullable
    OpenOrderSweep cancel(
            ActivityId activityId, OpenOrderSweep due, Instant now, SagaCommands sagaCommands, CommandGateway gateway) {
        Long upTo = due.upTo();
        if (upTo == null || (due.isAtBegin() && !orders.shows(upTo))) {
            return due.waiting(upTo == null ? head() : upTo, now);
        }
        if (!isClosed(activityId)) {
            return null; // It was started again, and its next close begins anew.
        }
        List<OpenOrder> page = orders.find(activityId, due.after(), PAGE);
        for (OpenOrder open : page) {
            RaffleRequestIdentity request = RaffleRequestIdentity.fresh(open.accountId(), now, random);
            sagaCommands.sendAfterCommit(new CancelRaffleOrder(open.accountId(), open.orderId(), request), gateway);
        }
        if (page.size() == PAGE) {
            return due.goOn(page.getLast().accountId().userId().value(), now);
        } else if (page.isEmpty() && !due.found()) {
            return null;
        } else if (due.walks() == WALKS_MAX) {
            LOG.warn(
                    "Orders of {} may stay open. The last of {} walks has still found: {}",
                    activityId,
                    due.walks(),
                    page);
            return null;
        }
        return due.again(head(), now);
    }

    /** Reads the log, because the saga may not know yet that the activity was started again. */
    private boolean isClosed(ActivityId activityId) {
        return EventStreams.select(events, activityId.text(), ActivityEvent.class)
                .filter(event -> event instanceof ActivityClosed || event instanceof ActivityStarted)
                .reduce((_, last) -> last)
                .filter(ActivityClosed.class::isInstance)
                .isPresent();
    }

    private long head() {
        return events.createHeadToken().position().orElse(0);
    }
}
