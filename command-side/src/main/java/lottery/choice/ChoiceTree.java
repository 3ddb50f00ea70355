package lottery.choice;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import java.util.List;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.SubmissionFlaw;
import lottery.api.choice.DefinedTreeVersion;
import lottery.api.choice.TreeCommand.DefineTree;
import lottery.api.choice.TreeEvent;
import lottery.api.choice.TreeEvent.TreeDefined;
import lottery.api.tree.TreeDefinition;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.CreationPolicy;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/** A tree that leads users to activities. It has versions, and the newest version is in force. */
@Aggregate(type = "tree", commandTargetResolver = "commandTargets", lockFactory = "aggregateLocks")
class ChoiceTree {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    private int version;
    private @Nullable TreeDefinition definition;

    ChoiceTree() {}

    /** Throws a refusal, because the tree may not exist and a refusal must not create it. */
    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Answer<DefinedTreeVersion> handle(DefineTree define, ActivityExistenceLookup activities) {
        // A request with the definition that is in force is a repeated request. So it changes nothing, even if it names
        // another base version.
        if (define.definition().equals(definition)) {
            return Answer.done(new DefinedTreeVersion(version, false));
        }
        TreeDefined defined = next(define, activities).orThrow();
        apply(defined);
        return Answer.done(new DefinedTreeVersion(defined.version(), true));
    }

    private Answer<TreeDefined> next(DefineTree define, ActivityExistenceLookup activities) {
        String tree = define.treeId().text();
        Integer basedOn = define.basedOn();
        if (basedOn != null && basedOn != version) {
            return Answer.no(new Refused(Refusal.VERSION_STALE, "%s (%d)".formatted(tree, version)));
        }
        List<SubmissionFlaw> findings = ActivityChoiceTreeValidator.findings(define.definition(), activities);
        return findings.isEmpty()
                ? Answer.done(new TreeDefined(define.treeId(), version + 1, define.definition()))
                : Answer.no(new Refused(Refusal.TREE_INVALID, tree, findings));
    }

    @EventSourcingHandler
    void on(TreeEvent event) {
        switch (event) {
            case TreeDefined defined -> {
                id = defined.treeId().text();
                version = defined.version();
                definition = defined.definition();
            }
        }
    }
}
