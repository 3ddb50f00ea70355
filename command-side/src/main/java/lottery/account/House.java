package lottery.account;

import java.time.Instant;
import java.time.InstantSource;
import lottery.account.Chances.OpenOrder;
import lottery.activity.Campaign;
import lottery.activity.Campaigns;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleOrderId;
import lottery.raffle.Drawing;
import lottery.raffle.Orders;
import lottery.stock.ShelfId;
import lottery.stock.StockUnits;
import org.springframework.stereotype.Component;

/** What an account needs beside itself to let its user play. */
@Component
record House(Campaigns campaigns, Drawing drawing, StockUnits stock, Orders orders, InstantSource clock) {

    /** In, if the campaign is open. */
    Answer<Visit> enter(AccountId accountId) {
        Instant now = clock.instant();
        return campaigns
                .find(accountId.activityId())
                .then(campaign -> campaign.openAt(now))
                .then(campaign -> Answer.done(new Visit(accountId, campaign, now)));
    }

    /** One of the participations that an activity allows; none where it allows any number. */
    Answer<Slot> participation(Campaign campaign, RaffleOrderId orderId) {
        return Slot.take(
                stock,
                ShelfId.ofActivity(campaign.activityId()),
                campaign.definition().participationsMax(),
                orderId.text(),
                new Refused(Refusal.ACTIVITY_FULL, campaign.activityId().text()));
    }

    /** The participation that an order had is free again. */
    void leave(OpenOrder open, ActivityId activityId) {
        Integer slot = open.slot();
        if (slot != null) {
            stock.giveBack(
                    ShelfId.ofActivity(activityId), slot, open.orderId().text());
        }
    }

    /** Why an order is not the one that is open. */
    <T> Answer<T> notOpen(RaffleOrderId orderId) {
        Refusal why = orders.find(orderId)
                .map(order -> switch (order.state()) {
                    case USED -> Refusal.ORDER_USED;
                    case CANCELLED -> Refusal.ORDER_CANCELLED;
                    // Open, but not by what is known here: somebody has just been faster elsewhere.
                    case CREATED -> Refusal.BUSY;
                })
                .orElse(Refusal.NOT_FOUND);
        return Answer.no(new Refused(why, orderId.text()));
    }
}
