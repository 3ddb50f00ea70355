package lottery.view.signin;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.DateTimeException;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneId;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.signin.SignInCalendar;
import lottery.api.signin.SignInsId;
import lottery.view.AnswersFromReadModels;
import lottery.view.Query;
import lottery.view.SingleFlight;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows the sign-ins of a user over REST. */
@RestController
@Tag(name = "Sign-ins", description = "The days on which a user has signed in.")
@AnswersFromReadModels("sign-ins")
class SignInsEndpoint {

    /** The pattern of a month from the year 1000 to 9999. PostgreSQL can store all these months. */
    private static final String MONTH = "[1-9][0-9]{3}-(0[1-9]|1[0-2])";

    /**
     * Asks for the days of a month on which a user has signed in.
     *
     * @param today the current day of the user
     */
    private record FindSignIns(UserId userId, YearMonth month, LocalDate today) implements Query<SignInCalendar> {}

    private final SingleFlight questions;
    private final RedisSignInReadModel signIns;
    private final InstantSource clock;
    private final ZoneId usualZone;

    SignInsEndpoint(
            SingleFlight questions,
            RedisSignInReadModel signIns,
            InstantSource clock,
            @Value("${lottery.zone:Asia/Shanghai}") ZoneId usualZone) {
        this.questions = questions;
        this.signIns = signIns;
        this.clock = clock;
        this.usualZone = usualZone;
    }

    @Operation(summary = "Show when a user has signed in", description = """
                    Returns the days of a month on which the user has signed in. The default is this month; `month`
                    selects another one, such as 2026-11. `today` is the current day. `streak` is the number of
                    consecutive days that end today, or yesterday if the user has not signed in today. In a month that
                    is over, it is the number of days that end with its last day. The current day is taken in the time
                    zone of the lottery, or in `zone`.""")
    @GetMapping("/api/v1/users/{userId}/sign-ins")
    SignInCalendar listSignIns(
            @PathVariable UserId userId,
            @RequestParam(required = false) @Nullable String month,
            @RequestParam(required = false) @Nullable String zone) {
        LocalDate today = LocalDate.ofInstant(clock.instant(), zone == null ? usualZone : zoneIn(zone));
        return questions.ask(
                new FindSignIns(userId, month == null ? YearMonth.from(today) : monthIn(month), today),
                query -> signIns.find(new SignInsId(query.userId())).calendar(query.month(), query.today()));
    }

    private static ZoneId zoneIn(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException unknown) {
            throw new RefusedException(Refusal.INVALID, "zone");
        }
    }

    private static YearMonth monthIn(String text) {
        if (!text.matches(MONTH)) {
            throw new RefusedException(Refusal.INVALID, "month");
        }
        return YearMonth.parse(text);
    }
}
