package lottery.credit;

import java.time.InstantSource;
import lottery.store.axon.UniqueKeyClaims;
import org.axonframework.eventsourcing.EventSourcingRepository;
import org.axonframework.eventsourcing.eventstore.EventStore;

/** Credit bookings for tests of other packages. The credits of a user are in the log. */
public final class PurseInLog {

    private PurseInLog() {}

    public static CreditBooker of(EventStore log, UniqueKeyClaims claims, InstantSource clock) {
        return new CreditBooker(
                EventSourcingRepository.builder(CreditAccount.class)
                        .eventStore(log)
                        .build(),
                new CreditBookingIndex(claims, log),
                log,
                clock);
    }
}
