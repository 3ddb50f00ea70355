package lottery.signin;

import java.time.LocalDate;
import java.time.YearMonth;
import java.util.Optional;
import lottery.api.UserId;
import lottery.api.rebate.BehaviourId;
import lottery.api.rebate.RebateRuleDefinition;
import lottery.api.signin.SignInEvent;
import lottery.api.signin.SignInEvent.UserSignedIn;
import lottery.api.signin.SignInResult;
import org.jspecify.annotations.Nullable;

/**
 * The sign-ins of a user, folded from their events. The days of sign-ins only go forward, so the last sign-in has all
 * facts that the next one needs.
 */
record SignInProgress(@Nullable UserSignedIn last) {

    static final SignInProgress NONE = new SignInProgress(null);

    SignInProgress after(SignInEvent event) {
        return switch (event) {
            case UserSignedIn signed -> new SignInProgress(signed);
        };
    }

    /** Returns the last sign-in if it was on this day or on a later one. It can be later if another clock was fast. */
    Optional<SignInResult> known(LocalDate day) {
        return Optional.ofNullable(last)
                .filter(signed -> !signed.day().isBefore(day))
                .map(signed -> new SignInResult(
                        signed.day(), signed.streak(), signed.daysThisMonth(), signed.behaviourId(), false));
    }

    /** Returns a new sign-in on this day, which must be after all known days. It is computed from the last one. */
    UserSignedIn sign(UserId user, LocalDate day) {
        boolean goesOn = last != null && last.day().plusDays(1).equals(day);
        boolean isSameMonth = last != null && YearMonth.from(last.day()).equals(YearMonth.from(day));
        return new UserSignedIn(
                user,
                day,
                last != null && goesOn ? last.streak() + 1 : 1,
                last != null && isSameMonth ? last.daysThisMonth() + 1 : 1,
                BehaviourId.of(user, RebateRuleDefinition.SIGN, businessNo(day)));
    }

    /** Returns the business number of the behaviour of a sign-in. */
    static String businessNo(LocalDate day) {
        return "sign-in:" + day;
    }
}
