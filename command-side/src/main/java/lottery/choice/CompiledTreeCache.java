package lottery.choice;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.time.Duration;
import java.util.Optional;
import lottery.api.choice.TreeEvent;
import lottery.api.choice.TreeEvent.TreeDefined;
import lottery.api.choice.TreeId;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventsourcing.eventstore.DomainEventStream;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The trees that are chosen by, assembled once per version and found without any wait. */
@Component
@ProcessingGroup("campaigns")
class CompiledTreeCache {

    private static final long ASSEMBLED_MAX = 10_000;

    /** Should the news of a change be late, for so long it is decided by the old state at most. */
    private static final Duration AGE_MAX = Duration.ofSeconds(5);

    private final EventStore events;
    private final LoadingCache<TreeId, @Nullable CompiledTree> assembled = Caffeine.newBuilder()
            .maximumSize(ASSEMBLED_MAX)
            .expireAfterWrite(AGE_MAX)
            .build(this::assemble);

    CompiledTreeCache(EventStore events) {
        this.events = events;
    }

    /** The newest version. */
    Optional<CompiledTree> find(TreeId treeId) {
        return Optional.ofNullable(assembled.get(treeId));
    }

    private @Nullable CompiledTree assemble(TreeId treeId) {
        DomainEventStream history = events.readEvents(treeId.text());
        TreeDefined newest = null;
        while (history.hasNext()) {
            newest = switch ((TreeEvent) history.next().getPayload()) {
                case TreeDefined defined -> defined;
            };
        }
        return newest == null ? null : CompiledTree.of(newest);
    }

    /** So that whoever changed a tree here finds it changed here, without waiting for the event to come around. */
    void forget(TreeId treeId) {
        assembled.asMap().remove(treeId);
    }

    @EventHandler
    void on(TreeEvent event) {
        forget(event.treeId());
    }
}
