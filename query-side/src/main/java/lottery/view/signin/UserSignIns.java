package lottery.view.signin;

import java.time.LocalDate;
import java.time.YearMonth;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import lottery.api.signin.SignInCalendar;
import lottery.api.signin.SignInEvent;
import lottery.api.signin.SignInEvent.UserSignedIn;

/**
 * All sign-ins of one user.
 *
 * @param months a bitmap for each month with a sign-in; the lowest bit is the first day
 * @param version the sequence number of the newest event that {@code months} includes
 */
record UserSignIns(Map<YearMonth, Integer> months, long version) {

    /** A user before the first event, which has sequence number 0. */
    static final UserSignIns NONE = new UserSignIns(Map.of(), -1);

    private static final int DAYS_MAX = 31;

    UserSignIns {
        months = Map.copyOf(months);
    }

    UserSignIns evolve(SignInEvent event, long sequence) {
        return switch (event) {
            case UserSignedIn signed -> {
                Map<YearMonth, Integer> more = new HashMap<>(months);
                more.merge(
                        YearMonth.from(signed.day()),
                        SignInMonth.bit(signed.day().getDayOfMonth()),
                        (before, day) -> before | day);
                yield new UserSignIns(more, sequence);
            }
        };
    }

    private List<Integer> days(YearMonth month) {
        int bitmap = months.getOrDefault(month, 0);
        return IntStream.rangeClosed(1, DAYS_MAX)
                .filter(day -> (bitmap & SignInMonth.bit(day)) != 0)
                .boxed()
                .toList();
    }

    private boolean isSigned(LocalDate day) {
        return (months.getOrDefault(YearMonth.from(day), 0) & SignInMonth.bit(day.getDayOfMonth())) != 0;
    }

    /** @param byTheClock the current day; if another clock was fast, the user may have signed in on a later day */
    SignInCalendar calendar(YearMonth month, LocalDate byTheClock) {
        LocalDate today = last().filter(byTheClock::isBefore).orElse(byTheClock);
        return new SignInCalendar(byTheClock, month, days(month), streak(month, today));
    }

    private int streak(YearMonth month, LocalDate today) {
        if (today.isAfter(month.atEndOfMonth())) {
            return streakAt(month.atEndOfMonth());
        }
        if (today.isBefore(month.atDay(1))) {
            return 0;
        }
        int streak = streakAt(today);
        return streak > 0 ? streak : streakAt(today.minusDays(1));
    }

    /** Returns the newest day, if there is one. */
    private Optional<LocalDate> last() {
        if (months.isEmpty()) {
            return Optional.empty();
        }
        YearMonth newest = Collections.max(months.keySet());
        return Optional.of(newest.atDay(days(newest).getLast()));
    }

    /** Returns how many days in a row end with a day; 0 if that day was missed. */
    private int streakAt(LocalDate day) {
        int streak = 0;
        while (isSigned(day.minusDays(streak))) {
            streak++;
        }
        return streak;
    }
}
