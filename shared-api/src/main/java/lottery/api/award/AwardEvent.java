package lottery.api.award;

import java.time.Instant;
import java.util.Map;
import lottery.api.EventName;
import lottery.api.OfUser;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.Prize;
import org.jspecify.annotations.Nullable;

/** What happened to a won award. */
public sealed interface AwardEvent extends OfUser {

    AwardRecordId awardRecordId();

    /**
     * An award was won.
     *
     * @param slot which unit of a limited award it is
     * @param config what fulfilment needs, as the strategy had it when the award was drawn
     */
    @EventName("award.won")
    record AwardWon(
            AwardRecordId awardRecordId,
            ActivityId activityId,
            UserId userId,
            Prize award,
            @Nullable Integer slot,
            Map<String, String> config,
            Instant wonAt)
            implements AwardEvent {

        public AwardWon {
            config = Map.copyOf(config);
        }
    }

    @EventName("award.dispatched")
    record AwardDispatched(AwardRecordId awardRecordId, UserId userId) implements AwardEvent {}

    @EventName("award.granted")
    record AwardGranted(AwardRecordId awardRecordId, UserId userId, String reference) implements AwardEvent {}

    @EventName("award.grant-rejected")
    record AwardGrantRejected(AwardRecordId awardRecordId, UserId userId, String reference, String reason)
            implements AwardEvent {}
}
