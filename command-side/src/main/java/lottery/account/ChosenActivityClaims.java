package lottery.account;

import java.util.Optional;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.UserId;
import lottery.api.account.AccountCommand.Draw;
import lottery.api.account.AccountCommand.DrawChosen;
import lottery.api.activity.ActivityId;
import lottery.store.axon.UniqueKeyClaims;
import lottery.store.commit.UniqueKeyClaim;
import org.springframework.stereotype.Component;

/**
 * Finds the activity that was chosen for a user's idempotency key. The choice is a claim, written in the commit of the
 * first draw under the key and kept for ever. So a repeated request never draws in another activity, even if the
 * decision tree would now choose another one.
 */
@Component
class ChosenActivityClaims {

    private static final String SCOPE = "choices:";

    private final UniqueKeyClaims claims;

    ChosenActivityClaims(UniqueKeyClaims claims) {
        this.claims = claims;
    }

    Optional<ActivityId> find(UserId user, String key) {
        return claims.holderOf(SCOPE + user.value(), key)
                .map(activity -> ActivityId.of(activity.substring(ActivityId.PREFIX.length())));
    }

    /**
     * Returns the draw, or a refusal if another activity was chosen for its key. The choice is claimed with the commit
     * of this unit of work.
     */
    Answer<Draw> take(DrawChosen chosen) {
        Optional<ActivityId> earlier = find(chosen.userId(), chosen.key());
        if (earlier.isEmpty()) {
            claims.take(new UniqueKeyClaim(
                    SCOPE + chosen.userId().value(),
                    chosen.key(),
                    chosen.activityId().text()));
            return Answer.done(chosen.draw());
        }
        return earlier.get().equals(chosen.activityId())
                ? Answer.done(chosen.draw())
                : Answer.no(new Refused(Refusal.KEY_REUSED, chosen.accountId().text()));
    }
}
