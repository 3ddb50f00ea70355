package lottery.api.award;

import java.time.Instant;
import java.util.List;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.Prize;
import org.jspecify.annotations.Nullable;

/**
 * A won award and how far it is. Where it is sent to is nobody's business who only reads.
 *
 * @param grantAt when it is handed over, if there is a time for it; none: at once, or when an operator lets it go
 * @param insteadOf what it makes good for; none: it was drawn
 * @param history the states that it has been in; a release or an address is no step, since it stays where it was
 */
public record Win(
        AwardRecordId awardRecordId,
        ActivityId activityId,
        UserId userId,
        Prize award,
        AwardState state,
        Instant wonAt,
        @Nullable Instant grantAt,
        @Nullable AwardRecordId insteadOf,
        List<WinStep> history) {

    public record WinStep(AwardState state, Instant at) {}

    public Win {
        history = List.copyOf(history);
    }
}
