package lottery.api.award;

import java.time.Instant;
import java.util.List;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.Prize;
import org.jspecify.annotations.Nullable;

/**
 * A won award and how far it is. It has no address, which is no business of its readers.
 *
 * @param grantAt when it is handed over, if there is a time for it; none: at once, or when an operator releases it
 * @param insteadOf the award that it is a substitute for; none: it was drawn
 * @param text what a granted TEXT award says, if it says anything; a list of wins leaves it out
 * @param history the states that it has had; a release or an address is no step, since its state stays the same
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
