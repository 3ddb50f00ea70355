package lottery.view.signin;

import java.time.LocalDate;
import java.time.YearMonth;
import lottery.api.UserId;

/** @param month the first day of the month */
record SignInMonthKey(String userId, LocalDate month) {

    static SignInMonthKey of(UserId user, LocalDate day) {
        return new SignInMonthKey(user.value(), YearMonth.from(day).atDay(1));
    }
}
