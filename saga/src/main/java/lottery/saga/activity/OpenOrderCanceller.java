package lottery.saga.activity;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import lottery.api.UserId;
import lottery.api.account.AccountCommand.CancelRaffleOrder;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.saga.command.SagaCommands;
import lottery.store.processing.ProcessorPositionAwaiter;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Cancels the open orders of a closed activity, so that their users get the chances back, and others the
 * participations. It finds the orders in the read model of accounts. If that is behind, a later walk finds the rest.
 */
@Component
class OpenOrderCanceller {

    /** About as many commands as {@link SagaCommands} sends before it gives up the rest of a page. */
    private static final int PAGE = 200;

    /** A walk that finds nothing reads all accounts of the activity. */
    private static final Duration STATEMENT_MAX = Duration.ofSeconds(30);

    private static final String ACCOUNTS = "accounts";

    private static final String OPEN = """
            SELECT user_id, open_order_id FROM view_account
            WHERE activity_id = ? AND user_id > ? AND open_order_id IS NOT NULL ORDER BY user_id LIMIT ?""";

    private final JdbcClient database;
    private final EventStore events;
    private final ProcessorPositionAwaiter positions;
    private final RandomGenerator random;

    OpenOrderCanceller(
            JdbcClient database, EventStore events, ProcessorPositionAwaiter positions, RandomGenerator random) {
        this.database = database;
        this.events = events;
        this.positions = positions;
        this.random = random;
    }

    private record OpenOrder(AccountId accountId, RaffleOrderId orderId) {}

    /**
     * Cancels the orders of a page after the commit, and returns what is due next; null: no order is open any more. A
     * command that was lost leaves its order to the next walk.
     */
    @Nullable
    OpenOrderSweep cancel(
            ActivityId activityId, OpenOrderSweep due, Instant now, SagaCommands sagaCommands, CommandGateway gateway) {
        List<OpenOrder> page = find(activityId, due.after());
        for (OpenOrder open : page) {
            RaffleRequestIdentity request = RaffleRequestIdentity.fresh(open.accountId(), now, random);
            sagaCommands.sendAfterCommit(new CancelRaffleOrder(open.accountId(), open.orderId(), request), gateway);
        }
        if (page.size() == PAGE) {
            return due.goOn(page.getLast().accountId().userId().value(), now);
        }
        Long upTo = due.upTo();
        boolean isLast = page.isEmpty() && !due.found() && upTo != null && positions.hasReached(ACCOUNTS, upTo);
        return isLast ? null : due.again(Objects.requireNonNullElseGet(upTo, this::head), now);
    }

    private long head() {
        return events.createHeadToken().position().orElse(0);
    }

    private List<OpenOrder> find(ActivityId activityId, String after) {
        return database.sql(OPEN)
                .withQueryTimeout(Math.toIntExact(STATEMENT_MAX.toSeconds()))
                .params(activityId.value(), after, PAGE)
                .query((row, i) -> new OpenOrder(
                        new AccountId(activityId, new UserId(row.getString("user_id"))),
                        RaffleOrderId.of(row.getString("open_order_id"))))
                .list();
    }
}
