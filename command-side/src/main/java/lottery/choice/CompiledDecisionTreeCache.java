package lottery.choice;

import java.time.InstantSource;
import java.util.Optional;
import lottery.api.choice.TreeEvent;
import lottery.api.choice.TreeEvent.TreeDefined;
import lottery.api.choice.TreeId;
import lottery.store.FollowedCache;
import lottery.store.axon.EventStreams;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.stereotype.Component;

/** Caches the compiled trees. Each version is compiled once, and a lookup does not wait. */
@Component
@ProcessingGroup("caches")
class CompiledDecisionTreeCache {

    private static final long ASSEMBLED_MAX = 10_000;

    private final EventStore events;
    private final FollowedCache<TreeId, CompiledChoiceTree> assembled;

    CompiledDecisionTreeCache(EventStore events, InstantSource clock) {
        this.events = events;
        this.assembled = new FollowedCache<>(ASSEMBLED_MAX, clock, this::assemble);
    }

    /** Returns the newest version of a tree; empty if the tree does not exist. */
    Optional<CompiledChoiceTree> find(TreeId treeId) {
        return assembled.find(treeId);
    }

    private Optional<CompiledChoiceTree> assemble(TreeId treeId) {
        return EventStreams.<TreeDefined, TreeEvent>fold(events, treeId.text(), (_, event) -> switch (event) {
                    case TreeDefined defined -> defined;
                })
                .map(CompiledChoiceTree::of);
    }

    /**
     * Drops a cached tree. This method is called after this process has changed the tree, so that the change is seen
     * before its event arrives.
     */
    void forget(TreeId treeId) {
        assembled.forget(treeId);
    }

    @EventHandler
    void on(TreeEvent event) {
        forget(event.treeId());
    }
}
