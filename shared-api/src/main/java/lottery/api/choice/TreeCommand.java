package lottery.api.choice;

import lottery.api.Command;
import lottery.api.tree.TreeDefinition;
import org.jspecify.annotations.Nullable;

/** What can be asked of a decision tree. */
public sealed interface TreeCommand extends Command<TreeVersion> {

    TreeId treeId();

    @Override
    default TreeId target() {
        return treeId();
    }

    /**
     * The first version of a tree, or the next one.
     *
     * @param basedOn the version that it was made from: nobody overwrites what another has changed meanwhile; null: it
     *     replaces whatever there is
     */
    record DefineTree(TreeId treeId, @Nullable Integer basedOn, TreeDefinition definition) implements TreeCommand {}
}
