package lottery.credit;

import java.util.Optional;
import lottery.api.credit.CreditAccountId;
import lottery.api.credit.CreditEvent.CreditsBooked;
import lottery.store.axon.UniqueKeyClaims;
import lottery.store.commit.UniqueKeyClaim;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.stereotype.Component;

/**
 * Finds the booking of a business number. The number is a claim, written in the commit of the booking and kept for
 * ever. An account need not remember its numbers, however many there are.
 */
@Component
class CreditBookingIndex {

    private final UniqueKeyClaims claims;
    private final EventStore events;

    CreditBookingIndex(UniqueKeyClaims claims, EventStore events) {
        this.claims = claims;
        this.events = events;
    }

    Optional<CreditsBooked> find(CreditAccountId account, String businessNo) {
        return claims.holderOf(account.text(), businessNo).map(entry -> read(account, Long.parseLong(entry)));
    }

    /** Reads the booking. An account has no events but bookings, so that the first booking has sequence number 0. */
    private CreditsBooked read(CreditAccountId account, long entry) {
        return (CreditsBooked)
                events.readEvents(account.text(), entry - 1).next().getPayload();
    }

    /** Claims the business number of the booking, with the commit of this unit of work. */
    void take(CreditsBooked booked) {
        String account = new CreditAccountId(booked.userId()).text();
        claims.take(new UniqueKeyClaim(account, booked.businessNo(), Long.toString(booked.entry())));
    }
}
