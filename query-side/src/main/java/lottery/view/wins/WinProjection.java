package lottery.view.wins;

import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.Optional;
import lottery.api.award.AwardEvent;
import lottery.api.award.AwardEvent.AwardWon;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.SequenceNumber;
import org.axonframework.eventhandling.Timestamp;
import org.springframework.stereotype.Component;

@Component
@ProcessingGroup("wins")
class WinProjection {

    private final WinRows rows;
    private final EntityManager entities;

    WinProjection(WinRows rows, EntityManager entities) {
        this.rows = rows;
        this.entities = entities;
    }

    @EventHandler
    void on(AwardEvent event, @SequenceNumber long sequence, @Timestamp Instant at) {
        Optional<WinRow> known = rows.findById(event.awardRecordId().text());
        boolean news = known.map(row -> row.on(event, sequence)).orElseGet(() -> create(event, sequence));
        if (news) {
            Instant since = event instanceof AwardWon won ? won.wonAt() : at;
            Progress.after(event)
                    .ifPresent(
                            state -> entities.persist(new WinStepRow(event.awardRecordId(), sequence, state, since)));
        }
    }

    private boolean create(AwardEvent event, long sequence) {
        if (!(event instanceof AwardWon won)) {
            throw new IllegalStateException(event.awardRecordId() + " went on before it was won");
        }
        entities.persist(new WinRow(won, sequence));
        return true;
    }
}
