package lottery.api.signin;

import java.time.LocalDate;
import lottery.api.rebate.BehaviourId;

/**
 * A sign-in.
 *
 * @param day never before a day that is signed already
 * @param streak how many days in a row end with this day
 * @param daysThisMonth how many days of the month were signed then
 * @param behaviourId the behaviour that was reported for it
 * @param isNew false if the day was already signed
 */
public record SignInResult(LocalDate day, int streak, int daysThisMonth, BehaviourId behaviourId, boolean isNew) {}
