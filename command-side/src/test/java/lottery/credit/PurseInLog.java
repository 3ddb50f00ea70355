package lottery.credit;

import java.time.InstantSource;
import org.axonframework.eventsourcing.EventSourcingRepository;
import org.axonframework.eventsourcing.eventstore.EventStore;

/** A purse for tests of other packages, whose users have no credits: no business number is ever looked up for them. */
public final class PurseInLog {

    private PurseInLog() {}

    @SuppressWarnings("NullAway")
    public static CreditBooking of(EventStore log, InstantSource clock) {
        return new CreditBooking(
                EventSourcingRepository.builder(CreditAccount.class)
                        .eventStore(log)
                        .build(),
                null,
                log,
                clock);
    }
}
