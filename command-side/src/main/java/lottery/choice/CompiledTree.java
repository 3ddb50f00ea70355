package lottery.choice;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.choice.TreeEvent.TreeDefined;
import lottery.api.choice.TreeId;
import lottery.api.tree.TreeDefinition;
import lottery.tree.TreeStep;
import lottery.tree.TreeWalker;

/** One version of a tree, compiled so that it can choose. */
record CompiledTree(TreeId treeId, int version, TreeDefinition definition, TreeWalker tree) {

    /** The user's own id is a matter too, so that a line can name users. */
    static final String USER = "userId";

    static CompiledTree of(TreeDefined defined) {
        return new CompiledTree(
                defined.treeId(), defined.version(), defined.definition(), TreeWalker.of(defined.definition()));
    }

    /** Returns the activity that suits a user, open or not; empty if no line fits. */
    Optional<ActivityChoice> choose(UserId user, Map<String, String> matters) {
        List<TreeStep> path = new ArrayList<>();
        return tree.decide(matter -> matter.equals(USER) ? user.value() : matters.get(matter), path::add)
                .map(result -> new ActivityChoice(ActivityId.of(result), version, path));
    }
}
