package lottery.view.signin;

import java.time.LocalDate;
import java.time.YearMonth;
import lottery.api.signin.FindSignIns;
import lottery.api.signin.SignInCalendar;
import lottery.api.signin.SignInsId;
import org.axonframework.queryhandling.QueryHandler;
import org.springframework.stereotype.Component;

@Component
class SignInQueryHandler {

    private final RedisSignInReadModel signIns;

    SignInQueryHandler(RedisSignInReadModel signIns) {
        this.signIns = signIns;
    }

    @QueryHandler
    SignInCalendar answer(FindSignIns query) {
        UserSignIns state = signIns.find(new SignInsId(query.userId()));
        // If a clock was fast, the user may already have signed in on a later day, and then that day is today.
        LocalDate today =
                state.last().filter(last -> last.isAfter(query.today())).orElse(query.today());
        return new SignInCalendar(
                query.today(), query.month(), state.days(query.month()), streak(state, query.month(), today));
    }

    private static int streak(UserSignIns state, YearMonth month, LocalDate today) {
        if (today.isAfter(month.atEndOfMonth())) {
            return state.streakAt(month.atEndOfMonth());
        }
        if (today.isBefore(month.atDay(1))) {
            return 0;
        }
        int streak = state.streakAt(today);
        return streak > 0 ? streak : state.streakAt(today.minusDays(1));
    }
}
