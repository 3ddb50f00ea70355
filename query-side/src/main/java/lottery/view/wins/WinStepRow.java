package lottery.view.wins;

import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Table;
import java.time.Instant;
import lottery.api.award.AwardState;
import lottery.api.award.Win;

/** A step as it is read; {@link WinStepProjection} writes it. */
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
