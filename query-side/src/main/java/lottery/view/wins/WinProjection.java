package lottery.view.wins;

import java.math.BigDecimal;
import java.time.Instant;
import lottery.api.award.AwardEvent;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardProgress;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.strategy.AwardType;
import lottery.store.projection.Projection;
import lottery.view.wins.WinProjection.WinColumns;
import lottery.view.wins.WinProjection.WinRowKey;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.SequenceNumber;
import org.axonframework.eventhandling.Timestamp;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

@Component
@ProcessingGroup(WinProjection.GROUP)
class WinProjection extends Projection<WinRowKey, WinColumns> {

    static final String GROUP = "wins";
    static final String TABLE = "view_win";

    record WinRowKey(String awardRecordId) {}

    /** The row of a won award, projected from its events. */
    record WinColumns(
            long activityId,
            String userId,
            int awardId,
            String title,
            AwardType type,
            int sort,
            @Nullable BigDecimal amount,
            Instant wonAt,
            @Nullable Instant grantAt,
            @Nullable String insteadOf,
            AwardState state,
            String steps,
            long version) {

        static WinColumns after(@Nullable WinColumns before, AwardEvent event, long sequence, Instant at) {
            if (before == null) {
                throw new IllegalStateException(event.awardRecordId() + " went on before it was won");
            }
            return AwardProgress.stateAfter(event)
                    .map(state -> before.in(state, WinStepsCodec.next(before.steps(), state, at), sequence))
                    .orElseGet(() -> before.in(before.state(), before.steps(), sequence));
        }

        static WinColumns won(AwardWon won, long sequence) {
            AwardRecordId other = won.insteadOf();
            AwardState state = AwardProgress.after(null, won).state();
            String first = WinStepsCodec.first(won.wonAt());
            return new WinColumns(
                    won.activityId().value(),
                    won.userId().value(),
                    won.award().awardId(),
                    won.award().title(),
                    won.award().type(),
                    won.award().sort(),
                    won.award().amount(),
                    won.wonAt(),
                    won.grant().at(),
                    other == null ? null : other.text(),
                    state,
                    state == AwardState.WON ? first : WinStepsCodec.next(first, state, won.wonAt()),
                    sequence);
        }

        private WinColumns in(AwardState arrived, String taken, long sequence) {
            return new WinColumns(
                    activityId,
                    userId,
                    awardId,
                    title,
                    type,
                    sort,
                    amount,
                    wonAt,
                    grantAt,
                    insteadOf,
                    arrived,
                    taken,
                    sequence);
        }
    }

    WinProjection(JdbcOperations database) {
        super(database, TABLE, WinRowKey.class, WinColumns.class);
    }

    @EventHandler
    void on(AwardEvent event, @SequenceNumber long sequence, @Timestamp Instant at) {
        WinRowKey key = new WinRowKey(event.awardRecordId().text());
        if (event instanceof AwardWon won) {
            writeFirst(key, WinColumns.won(won, sequence));
        } else {
            change(key, before -> WinColumns.after(before, event, sequence, at));
        }
    }
}
