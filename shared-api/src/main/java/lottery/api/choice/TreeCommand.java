package lottery.api.choice;

import lottery.api.Command;
import lottery.api.tree.TreeDefinition;
import org.jspecify.annotations.Nullable;

/** The commands to a decision tree. */
public sealed interface TreeCommand extends Command<DefinedTreeVersion> {

    TreeId treeId();

    @Override
    default TreeId target() {
        return treeId();
    }

    /**
     * Defines the first version of a tree, or the next one.
     *
     * @param basedOn the version that the definition was made from, so that nobody overwrites another change; null if
     *     it replaces any version
     */
    record DefineTree(TreeId treeId, @Nullable Integer basedOn, TreeDefinition definition) implements TreeCommand {}
}
