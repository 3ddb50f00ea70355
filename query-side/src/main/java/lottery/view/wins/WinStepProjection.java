package lottery.view.wins;

import java.time.Instant;
import lottery.api.award.AwardEvent;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardState;
import lottery.store.projection.Projection;
import lottery.view.wins.WinStepProjection.Step;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.SequenceNumber;
import org.axonframework.eventhandling.Timestamp;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/** The history of each win, in the same transactions as the win itself. */
@Component
@ProcessingGroup(WinProjection.GROUP)
class WinStepProjection extends Projection<WinStepKey, Step> {

    record Step(AwardState state, Instant at) {}

    WinStepProjection(JdbcOperations database) {
        super(database, "view_win_step", WinStepKey.class, Step.class);
    }

    @EventHandler
    void on(AwardEvent event, @SequenceNumber long sequence, @Timestamp Instant at) {
        Instant since = event instanceof AwardWon won ? won.wonAt() : at;
        Progress.after(event)
                .ifPresent(state -> change(
                        new WinStepKey(event.awardRecordId().text(), sequence), before -> new Step(state, since)));
    }
}
