package lottery.api.signin;

import java.time.LocalDate;
import lottery.api.EventName;
import lottery.api.EventOfUser;
import lottery.api.UserId;
import lottery.api.rebate.BehaviourId;

/** The events of a user's sign-ins. */
public sealed interface SignInEvent extends EventOfUser {

    /**
     * A user has signed in. The behaviour with its rebates is stored in the same commit.
     *
     * @param day the day in the zone of the user
     * @param streak how many days in a row end with this day
     * @param daysThisMonth on how many days of the month the user has signed in so far, including this day
     */
    @EventName("calendar.signed-in")
    record UserSignedIn(UserId userId, LocalDate day, int streak, int daysThisMonth, BehaviourId behaviourId)
            implements SignInEvent {}
}
