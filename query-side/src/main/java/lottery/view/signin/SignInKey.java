package lottery.view.signin;

import jakarta.persistence.Embeddable;
import java.io.Serializable;
import java.time.LocalDate;
import java.time.YearMonth;
import lottery.api.UserId;

/** @param month its first day */
@Embeddable
record SignInKey(String userId, LocalDate month) implements Serializable {

    static SignInKey of(UserId user, LocalDate day) {
        return new SignInKey(user.value(), YearMonth.from(day).atDay(1));
    }
}
