package lottery.api.award;

import java.time.Instant;
import java.util.List;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.Prize;

/** A won award and how far it is. */
public record Win(
        AwardRecordId awardRecordId,
        ActivityId activityId,
        UserId userId,
        Prize award,
        AwardState state,
        Instant wonAt,
        List<Step> history) {

    public record Step(AwardState state, Instant at) {}

    public Win {
        history = List.copyOf(history);
    }
}
