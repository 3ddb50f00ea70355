package lottery.saga;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.UserId;
import lottery.api.account.AccountCommand.CancelRaffleOrder;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import org.axonframework.commandhandling.CommandHandler;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Replaces the accounts of the command side and their read model, as far as they have open orders. */
class OpenOrders {

    private final JdbcClient database;
    private final List<RaffleOrderId> cancelled = new ArrayList<>();
    private final Set<RaffleOrderId> failing = ConcurrentHashMap.newKeySet();

    OpenOrders(JdbcClient database) {
        this.database = database;
    }

    /** Lets a user have an open order. */
    RaffleOrderId open(ActivityId activityId, int user) {
        AccountId account = new AccountId(activityId, new UserId("user-" + user));
        RaffleOrderId order = RaffleRequestIdentity.of(account, "order").id();
        database.sql("INSERT INTO view_account VALUES (?, ?, ?)")
                .params(activityId.value(), account.userId().value(), order.text())
                .update();
        return order;
    }

    /** Lets the next cancellation of this order fail. */
    void fail(RaffleOrderId order) {
        failing.add(order);
    }

    /** Sets the position up to which the read model shows everything. */
    void show(long position) {
        database.sql("UPDATE token SET token = ?::text::jsonb WHERE processor = 'read-models'")
                .param(Long.toString(position))
                .update();
    }

    synchronized List<RaffleOrderId> cancelled() {
        return List.copyOf(cancelled);
    }

    @CommandHandler
    synchronized Answer<RaffleOrderId> handle(CancelRaffleOrder cancel) {
        RaffleOrderId order = cancel.orderId();
        if (failing.remove(order)) {
            throw new IllegalStateException("the database is away");
        }
        if (cancelled.contains(order)) {
            return Answer.no(new Refused(Refusal.ORDER_CANCELLED, order.text()));
        }
        cancelled.add(order);
        database.sql("UPDATE view_account SET open_order_id = NULL WHERE open_order_id = ?")
                .param(order.text())
                .update();
        return Answer.done(order);
    }
}
