package lottery.view.account;

import jakarta.persistence.Embeddable;
import java.io.Serializable;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;

@Embeddable
record AccountKey(long activityId, String userId) implements Serializable {

    static AccountKey of(ActivityId activityId, UserId userId) {
        return new AccountKey(activityId.value(), userId.value());
    }
}
