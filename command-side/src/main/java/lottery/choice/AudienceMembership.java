package lottery.choice;

import java.util.Map;
import lottery.activity.ActivityCache;
import lottery.activity.ActivityProgress;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.choice.TreeId;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Checks whether a user belongs to the audience of an activity: the activity's decision tree has to lead the user to
 * this activity. The check reads only cached trees, and follows the newest version of the tree.
 */
@Component
public class AudienceMembership {

    private final ActivityCache activities;
    private final CompiledDecisionTreeCache trees;

    AudienceMembership(ActivityCache activities, CompiledDecisionTreeCache trees) {
        this.activities = activities;
        this.trees = trees;
    }

    /**
     * Returns the user, or a refusal if the user does not belong to the audience. If the activity is unknown, every
     * user is admitted here, because the command that follows is refused anyway.
     *
     * @param matters what a trusted caller says about the user
     */
    public Answer<UserId> admit(AccountId account, Map<String, String> matters) {
        TreeId audience = audienceOf(account);
        return audience == null
                ? Answer.done(account.userId())
                : trees.find(audience)
                        .map(tree -> tree.admit(account.userId(), account.activityId(), matters))
                        .orElseGet(() -> Answer.no(new Refused(Refusal.NOT_IN_AUDIENCE, audience.text())));
    }

    private @Nullable TreeId audienceOf(AccountId account) {
        return switch (activities.find(account.activityId())) {
            case Answer.Done<ActivityProgress>(ActivityProgress activity) ->
                activity.definition().audience();
            case Answer.No<ActivityProgress> _ -> null;
        };
    }
}
