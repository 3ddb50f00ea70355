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
import lottery.view.wins.WinProjection.Key;
import lottery.view.wins.WinProjection.State;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.SequenceNumber;
import org.axonframework.eventhandling.Timestamp;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

@Component
@ProcessingGroup(WinProjection.GROUP)
class WinProjection extends Projection<Key, State> {

    static final String GROUP = "wins";

    record Key(String awardRecordId) {}

    /** The row of a won award, projected from its events. */
    record State(
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

        static State after(@Nullable State before, AwardEvent event, long sequence, Instant at) {
            if (before == null) {
                throw new IllegalStateException(event.awardRecordId() + " went on before it was won");
            }
            return AwardProgress.stateAfter(event)
                    .map(state -> before.in(state, WinStepsCodec.next(before.steps(), state, at), sequence))
                    .orElseGet(() -> before.in(before.state(), before.steps(), sequence));
        }

        static State won(AwardWon won, long sequence) {
            AwardRecordId other = won.insteadOf();
            AwardState state = AwardProgress.after(null, won).state();
            String first = WinStepsCodec.first(won.wonAt());
            return new State(
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

        private State in(AwardState arrived, String taken, long sequence) {
            return new State(
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
        super(database, "view_win", Key.class, State.class);
    }

    @EventHandler
    void on(AwardEvent event, @SequenceNumber long sequence, @Timestamp Instant at) {
        Key key = new Key(event.awardRecordId().text());
        if (event instanceof AwardWon won) {
            writeFirst(key, State.won(won, sequence));
        } else {
            change(key, before -> State.after(before, event, sequence, at));
        }
    }
}
