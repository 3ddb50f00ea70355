package lottery.account;

import lottery.account.Chances.OpenOrder;
import lottery.activity.ActivityProgress;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleOrderId;
import lottery.stock.StockId;
import lottery.stock.StockUnitSource;
import lottery.stock.UnitNumber;
import org.springframework.stereotype.Component;

/** The participations that an activity allows. Each order takes one if the activity limits them. */
@Component
record ActivityParticipationStock(StockUnitSource stock) {

    /**
     * Takes a participation for an order, and returns its number. The number is null if the activity does not limit
     * participations.
     */
    Answer<UnitNumber> take(ActivityProgress activity, RaffleOrderId orderId) {
        return UnitNumber.take(
                stock,
                StockId.ofActivity(activity.activityId()),
                activity.definition().participationsMax(),
                orderId.text(),
                full(activity));
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
        Integer unit = order.unit();
        if (unit != null) {
            stock.giveBack(StockId.ofActivity(activityId), unit, order.orderId().text());
        }
    }
}
