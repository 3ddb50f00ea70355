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
import lottery.tree.Tree;
import lottery.tree.TreeStep;

/** One version of a tree, ready to choose by. */
record CrowdRule(TreeId treeId, int version, TreeDefinition definition, Tree tree) {

    /** The user's own id is a matter, too, so that a line can name users. */
    static final String USER = "userId";

    static CrowdRule of(TreeDefined defined) {
        return new CrowdRule(defined.treeId(), defined.version(), defined.definition(), Tree.of(defined.definition()));
    }

    /** The activity that suits a user, whether or not it is open; empty where no line fits. */
    Optional<ActivityChoice> choose(UserId user, Map<String, String> matters) {
        List<TreeStep> path = new ArrayList<>();
        return tree.decide(matter -> matter.equals(USER) ? user.value() : matters.get(matter), path::add)
                .map(result -> new ActivityChoice(ActivityId.of(result), version, path));
    }
}
