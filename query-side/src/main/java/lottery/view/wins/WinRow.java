package lottery.view.wins;

import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.math.BigDecimal;
import java.time.Instant;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.award.Win;
import lottery.api.raffle.Prize;
import lottery.api.strategy.AwardType;
import org.jspecify.annotations.Nullable;

/** The row of a win; {@link WinProjection} writes it. */
@Entity
@Table(name = "view_win")
class WinRow {

    @Id
    private String awardRecordId;

    private long activityId;
    private String userId;
    private int awardId;
    private String title;

    @Enumerated(EnumType.STRING)
    private AwardType type;

    private int sort;
    private @Nullable BigDecimal amount;
    private Instant wonAt;
    private @Nullable Instant grantAt;
    private @Nullable String insteadOf;

    @Enumerated(EnumType.STRING)
    private AwardState state;

    private String steps;

    /** Hibernate needs this constructor. */
    @SuppressWarnings("NullAway.Init") // Hibernate fills the fields itself.
    protected WinRow() {}

    String awardRecordId() {
        return awardRecordId;
    }

    WinCursor cursor() {
        return new WinCursor(wonAt, AwardRecordId.of(awardRecordId));
    }

    Win toWin() {
        return new Win(
                AwardRecordId.of(awardRecordId),
                new ActivityId(activityId),
                new UserId(userId),
                new Prize(awardId, title, type, sort, amount),
                state,
                wonAt,
                grantAt,
                insteadOf == null ? null : AwardRecordId.of(insteadOf),
                null,
                WinStepsCodec.in(steps));
    }
}
