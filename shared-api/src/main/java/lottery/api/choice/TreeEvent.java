package lottery.api.choice;

import lottery.api.EventName;
import lottery.api.EventOfDecision;
import lottery.api.tree.TreeDefinition;

/** The events of a decision tree. */
public sealed interface TreeEvent extends EventOfDecision {

    TreeId treeId();

    /** A version of a tree was defined. It is in force from this event on. */
    @EventName("tree.defined")
    record TreeDefined(TreeId treeId, int version, TreeDefinition definition) implements TreeEvent {}
}
