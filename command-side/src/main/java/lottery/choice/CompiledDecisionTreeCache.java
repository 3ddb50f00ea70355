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

/** Caches the compiled trees. Each version is compiled once, and a lookup does not wait. */
@Component
@ProcessingGroup("caches")
class CompiledDecisionTreeCache {

    private static final long ASSEMBLED_MAX = 10_000;

    /** The longest time for which an old version is used if the event of a change arrives late. */
    private static final Duration AGE_MAX = Duration.ofSeconds(5);

    private final EventStore events;
    private final LoadingCache<TreeId, @Nullable CompiledChoiceTree> assembled = Caffeine.newBuilder()
            .maximumSize(ASSEMBLED_MAX)
            .expireAfterWrite(AGE_MAX)
            .build(this::assemble);

    CompiledDecisionTreeCache(EventStore events) {
        this.events = events;
    }

    /** Returns the newest version of a tree; empty if the tree does not exist. */
    Optional<CompiledChoiceTree> find(TreeId treeId) {
        return Optional.ofNullable(assembled.get(treeId));
    }

    private @Nullable CompiledChoiceTree assemble(TreeId treeId) {
        DomainEventStream history = events.readEvents(treeId.text());
        TreeDefined newest = null;
        while (history.hasNext()) {
            newest = switch ((TreeEvent) history.next().getPayload()) {
                case TreeDefined defined -> defined;
            };
        }
        return newest == null ? null : CompiledChoiceTree.of(newest);
    }

    /**
     * Drops a cached tree. This method is called after this process has changed the tree, so that the change is seen
     * before its event arrives.
     */
    void forget(TreeId treeId) {
        assembled.asMap().remove(treeId);
    }

    @EventHandler
    void on(TreeEvent event) {
        forget(event.treeId());
    }
}
