package lottery.credit;

import java.time.InstantSource;
import org.axonframework.eventsourcing.EventSourcingRepository;
import org.axonframework.eventsourcing.eventstore.EventStore;

/** Credit bookings for tests of other packages. Its users have no credits, so that no business number is looked up. */
public final class PurseInLog {

    private PurseInLog() {}

    @SuppressWarnings("NullAway")
    public static CreditBooker of(EventStore log, InstantSource clock) {
        return new CreditBooker(
                EventSourcingRepository.builder(CreditAccount.class)
                        .eventStore(log)
                        .build(),
                null,
                log,
                clock);
    }
}
