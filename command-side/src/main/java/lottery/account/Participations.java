package lottery.account;

import lottery.account.Chances.OpenOrder;
import lottery.activity.Campaign;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleOrderId;
import lottery.stock.ShelfId;
import lottery.stock.StockUnits;
import org.springframework.stereotype.Component;

/** The participations that an activity allows. Each order takes one, where there are only so many. */
@Component
record Participations(StockUnits stock) {

    /** Takes a participation for an order; one without a number, where an activity allows any number of them. */
    Answer<Slot> take(Campaign campaign, RaffleOrderId orderId) {
        return Slot.take(
                stock,
                ShelfId.ofActivity(campaign.activityId()),
                campaign.definition().participationsMax(),
                orderId.text(),
                new Refused(Refusal.ACTIVITY_FULL, campaign.activityId().text()));
    }

    /** Gives the participation back that an order had. */
    void giveBack(OpenOrder order, ActivityId activityId) {
        Integer slot = order.slot();
        if (slot != null) {
            stock.giveBack(ShelfId.ofActivity(activityId), slot, order.orderId().text());
        }
    }
}
