package lottery.messaging.invoice;

import java.util.Optional;
import lottery.api.award.AwardEvent;
import lottery.api.award.AwardProgress;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.messaging.UnreadableMessage;
import org.axonframework.eventsourcing.eventstore.DomainEventStream;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads the progress of a won award from the event log. */
@Component
public final class AwardHistory {

    private final EventStore events;

    AwardHistory(EventStore events) {
        this.events = events;
    }

    /** Returns the progress; empty if there is no such award. */
    public Optional<AwardProgress> find(AwardRecordId id) {
        @Nullable AwardProgress progress = null;
        DomainEventStream history = events.readEvents(id.text());
        while (history.hasNext()) {
            if (history.next().getPayload() instanceof AwardEvent event) {
                progress = AwardProgress.after(progress, event);
            }
        }
        return Optional.ofNullable(progress);
    }

    /**
     * Returns whether an answer to an invoice would still count. An invoice may arrive long after any system has
     * answered it, and anything handed over for it then is lost.
     *
     * @throws UnreadableMessage if there is no such award
     */
    public boolean isAwaited(AwardRecordId id) {
        return find(id).map(AwardProgress::state)
                .map(AwardState::isAwaited)
                .orElseThrow(() -> new UnreadableMessage("there is no " + id.text()));
    }
}
