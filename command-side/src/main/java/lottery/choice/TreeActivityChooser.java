package lottery.choice;

import java.util.Map;
import lottery.activity.ActivityCache;
import lottery.activity.DrawableActivity;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.choice.TreeId;
import org.springframework.stereotype.Component;

/**
 * Chooses the activity that suits a user, by a decision tree. If that activity is not open now, the choice is refused,
 * because the tree names no other activity.
 */
@Component
public class TreeActivityChooser {

    private final CompiledDecisionTreeCache trees;
    private final ActivityCache activities;

    TreeActivityChooser(CompiledDecisionTreeCache trees, ActivityCache activities) {
        this.trees = trees;
        this.activities = activities;
    }

    public Answer<ActivityChoice> choose(TreeId treeId, UserId user, Map<String, String> matters) {
        return trees.find(treeId)
                .map(tree -> tree.choose(user, matters)
                        .filter(choice -> isOpen(choice.activityId()))
                        .map(Answer::done)
                        .orElseGet(() -> Answer.no(new Refused(Refusal.NO_ACTIVITY, treeId.text()))))
                .orElseGet(() -> Answer.no(new Refused(Refusal.NOT_FOUND, treeId.text())));
    }

    private boolean isOpen(ActivityId activityId) {
        return switch (activities.findOpen(activityId)) {
            case Answer.Done<DrawableActivity> _ -> true;
            case Answer.No<DrawableActivity> _ -> false;
        };
    }
}
