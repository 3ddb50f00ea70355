package lottery.view.wins;

import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Table;
import java.time.Instant;
import lottery.api.award.AwardEvent;
import lottery.api.award.AwardState;
import lottery.api.award.Win;

@Entity
@Table(name = "view_win_step")
class WinStepRow {

    @EmbeddedId
    private WinStepKey key;

    @Enumerated(EnumType.STRING)
    private AwardState state;

    private Instant at;

    /** For Hibernate. */
    @SuppressWarnings("NullAway.Init") // Hibernate fills the fields itself.
    protected WinStepRow() {}

    WinStepRow(AwardEvent event, long sequence, Instant at) {
        this.key = new WinStepKey(event.awardRecordId().text(), sequence);
        this.state = Progress.of(event);
        this.at = at;
    }

    String awardRecordId() {
        return key.awardRecordId();
    }

    long sequence() {
        return key.sequence();
    }

    Win.Step toStep() {
        return new Win.Step(state, at);
    }
}
