package lottery.view.signin;

import jakarta.persistence.Embeddable;
import java.io.Serializable;
import java.time.LocalDate;
import java.time.YearMonth;
import lottery.api.UserId;

/** @param month the first day of the month */
@Embeddable
record SignInMonthKey(String userId, LocalDate month) implements Serializable {

    static SignInMonthKey of(UserId user, LocalDate day) {
        return new SignInMonthKey(user.value(), YearMonth.from(day).atDay(1));
    }
}
