package lottery.api.strategy;

import java.util.List;
import lottery.api.UserId;

/** Users who win the same award in every draw. */
public record Blacklist(List<UserId> users, int awardId) {

    public Blacklist {
        users = List.copyOf(users);
    }
}
