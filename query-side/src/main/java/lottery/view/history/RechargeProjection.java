package lottery.view.history;

import java.time.Instant;
import lottery.api.account.RechargeEvent;
import lottery.api.account.RechargeEvent.RechargeClosed;
import lottery.api.account.RechargeEvent.RechargeCompleted;
import lottery.api.account.RechargeEvent.RechargeOrdered;
import lottery.api.account.RechargeResult.RechargeState;
import lottery.api.activity.ChanceBundle;
import lottery.store.projection.Projection;
import lottery.view.history.RechargeProjection.RechargeColumns;
import lottery.view.history.RechargeProjection.RechargeRowKey;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.Timestamp;
import org.axonframework.eventhandling.TrackingToken;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/**
 * Projects each recharge to a row. The events of the account are not enough for this, because they do not contain a
 * recharge that nobody has paid for.
 */
@Component
@ProcessingGroup(RechargeProjection.GROUP)
class RechargeProjection extends Projection<RechargeRowKey, RechargeColumns> {

    static final String GROUP = "recharge-history";
    static final String TABLE = "view_recharge";

    record RechargeRowKey(String rechargeId) {}

    /**
     * The columns of a recharge's row besides its key.
     *
     * @param firstPosition the position of its first event, by which recharges are listed
     */
    record RechargeColumns(
            long activityId,
            String userId,
            long firstPosition,
            long sku,
            String outBusinessNo,
            RechargeState state,
            int total,
            int month,
            int day,
            Instant orderedAt,
            @Nullable Instant payBy) {

        static RechargeColumns after(@Nullable RechargeColumns before, RechargeEvent event, long position, Instant at) {
            return switch (event) {
                case RechargeOrdered ordered ->
                    new RechargeColumns(
                            ordered.activityId().value(),
                            ordered.userId().value(),
                            position,
                            ordered.sku().value(),
                            ordered.outBusinessNo(),
                            RechargeState.WAITING,
                            ordered.bundle(),
                            at,
                            ordered.payBy());
                case RechargeCompleted completed
                when before == null ->
                    new RechargeColumns(
                            completed.activityId().value(),
                            completed.userId().value(),
                            position,
                            completed.sku().value(),
                            completed.outBusinessNo(),
                            RechargeState.COMPLETED,
                            completed.bundle(),
                            at,
                            null);
                case RechargeCompleted completed -> ordered(before, completed).in(RechargeState.COMPLETED);
                case RechargeClosed closed -> ordered(before, closed).in(RechargeState.CLOSED);
            };
        }

        private RechargeColumns(
                long activityId,
                String userId,
                long firstPosition,
                long sku,
                String outBusinessNo,
                RechargeState state,
                ChanceBundle bundle,
                Instant orderedAt,
                @Nullable Instant payBy) {
            this(
                    activityId,
                    userId,
                    firstPosition,
                    sku,
                    outBusinessNo,
                    state,
                    bundle.total(),
                    bundle.month(),
                    bundle.day(),
                    orderedAt,
                    payBy);
        }

        private static RechargeColumns ordered(@Nullable RechargeColumns before, RechargeEvent event) {
            if (before == null) {
                throw new IllegalStateException(event.rechargeId() + " went on before it was ordered");
            }
            return before;
        }

        private RechargeColumns in(RechargeState next) {
            return new RechargeColumns(
                    activityId, userId, firstPosition, sku, outBusinessNo, next, total, month, day, orderedAt, payBy);
        }
    }

    RechargeProjection(JdbcOperations database) {
        super(database, TABLE, RechargeRowKey.class, RechargeColumns.class);
    }

    @EventHandler
    void on(RechargeEvent event, TrackingToken token, @Timestamp Instant at) {
        long position = token.position().orElseThrow();
        change(
                new RechargeRowKey(event.rechargeId().text()),
                before -> RechargeColumns.after(before, event, position, at));
    }
}
