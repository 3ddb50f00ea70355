package lottery.api.signin;

import java.time.LocalDate;
import lottery.api.rebate.BehaviourId;

/**
 * A sign-in.
 *
 * @param day the day of the sign-in, which is never before an earlier sign-in of the user
 * @param streak how many days in a row end with this day
 * @param daysThisMonth on how many days of the month the user had signed in by then
 * @param behaviourId the behaviour that was reported for it
 * @param isNew whether this is a new sign-in; false if the user had already signed in on this day
 */
public record SignInResult(LocalDate day, int streak, int daysThisMonth, BehaviourId behaviourId, boolean isNew) {}
