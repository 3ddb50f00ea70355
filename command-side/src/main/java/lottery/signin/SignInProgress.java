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

/** The sign-ins of a user, folded from their events. Days go forward only, so that the last one says all. */
record SignInProgress(@Nullable UserSignedIn last) {

    static final SignInProgress NONE = new SignInProgress(null);

    SignInProgress after(SignInEvent event) {
        return switch (event) {
            case UserSignedIn signed -> new SignInProgress(signed);
        };
    }

    /** Returns the last sign-in, if it was on this day or, by a faster clock, after it. */
    Optional<SignInResult> known(LocalDate day) {
        return Optional.ofNullable(last)
                .filter(signed -> !signed.day().isBefore(day))
                .map(signed -> new SignInResult(
                        signed.day(), signed.streak(), signed.daysThisMonth(), signed.behaviourId(), false));
    }

    /** Returns the sign-in of a day after all that are known. */
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
