package lottery.api.award;

import java.time.Instant;
import java.util.List;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.Prize;
import org.jspecify.annotations.Nullable;

/**
 * A won award and its progress. The address is left out, because no reader of this answer needs it.
 *
 * @param grantAt when it is handed over, if there is a time for it; null if it is handed over at once, or when an
 *     operator releases it
 * @param insteadOf the award that it is a substitute for; null if it was drawn
 * @param text the text of a granted TEXT award, if it has one; left out in a list of wins
 * @param history the states that the award has had; a release or an address adds no step, because it does not change
 *     the state
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
        @Nullable String text,
        List<WinStep> history) {

    public record WinStep(AwardState state, Instant at) {}

    public Win {
        history = List.copyOf(history);
    }

    public Win with(@Nullable String text) {
        return new Win(awardRecordId, activityId, userId, award, state, wonAt, grantAt, insteadOf, text, history);
    }
}
