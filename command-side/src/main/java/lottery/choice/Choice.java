package lottery.choice;

import java.util.List;
import lottery.api.activity.ActivityId;
import lottery.tree.Step;

/**
 * The activity that suits a user, and why.
 *
 * @param version of the tree
 * @param path the lines that were followed, from the root on
 */
record Choice(ActivityId activityId, int version, List<Step> path) {

    Choice {
        path = List.copyOf(path);
    }
}
