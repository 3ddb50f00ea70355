package lottery.api.choice;

import lottery.api.Event;
import lottery.api.EventName;
import lottery.api.tree.TreeDefinition;

/** What happened to a decision tree. */
public sealed interface TreeEvent extends Event {

    TreeId treeId();

    /** There is a version, the first or the next one; it holds from here on. */
    @EventName("tree.defined")
    record TreeDefined(TreeId treeId, int version, TreeDefinition definition) implements TreeEvent {}
}
