package lottery.account;

import lottery.account.Chances.OpenOrder;
import lottery.activity.ActivityProgress;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.activity.ActivityId;
import lottery.api.activity.StockId;
import lottery.stock.StockUnitSource;
import org.springframework.stereotype.Component;

/** The participations that an activity allows. Each order takes one if the activity limits them. */
@Component
record ActivityParticipationStock(StockUnitSource stock) {

    /** Takes a participation if the activity limits them, and returns whether one was taken. */
    Answer<Boolean> take(ActivityProgress activity) {
        return stock.takeIfLimited(
                StockId.ofActivity(activity.activityId()), activity.definition().participationsMax(), full(activity));
    }

    /** Requires that a participation is left. */
    Answer<ActivityProgress> requireLeft(ActivityProgress activity) {
        Integer max = activity.definition().participationsMax();
        return max != null && stock.isAllTaken(StockId.ofActivity(activity.activityId()), max)
                ? Answer.no(full(activity))
                : Answer.done(activity);
    }

    private static Refused full(ActivityProgress activity) {
        return new Refused(Refusal.ACTIVITY_FULL, activity.activityId().text());
    }

    /** Gives back the participation of an order. */
    void giveBack(OpenOrder order, ActivityId activityId) {
        if (order.participationTaken()) {
            stock.giveBack(StockId.ofActivity(activityId));
        }
    }
}
