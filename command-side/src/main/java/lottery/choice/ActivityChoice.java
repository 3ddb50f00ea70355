package lottery.choice;

import java.util.List;
import lottery.api.activity.ActivityId;
import lottery.tree.TreeStep;

/**
 * The activity that suits a user, and why.
 *
 * @param version the version of the tree
 * @param path the lines that were followed, from the root on
 */
public record ActivityChoice(ActivityId activityId, int version, List<TreeStep> path) {

    public ActivityChoice {
        path = List.copyOf(path);
    }
}
