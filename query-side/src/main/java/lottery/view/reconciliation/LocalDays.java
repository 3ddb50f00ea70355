package lottery.view.reconciliation;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import lottery.api.Refusal;
import lottery.api.RefusedException;

/**
 * One or more days in a time zone.
 *
 * @param to the last day, which belongs to them
 */
record LocalDays(LocalDate from, LocalDate to, ZoneId zone) {

    private static final int YEAR_MIN = 1970;
    private static final int YEAR_MAX = 9999;

    /** Returns the days, or refuses them if there are too many, or the zone is unknown. */
    static LocalDays of(LocalDate from, LocalDate to, String zone, int max) {
        requirePossible("from", from);
        requirePossible("to", to);
        long days = ChronoUnit.DAYS.between(from, to) + 1;
        if (days < 1 || days > max) {
            throw new RefusedException(Refusal.INVALID, "to");
        }
        return new LocalDays(from, to, zoneIn(zone));
    }

    /** Returns one day, or refuses it. */
    static LocalDays of(LocalDate day, String zone) {
        requirePossible("day", day);
        return new LocalDays(day, day, zoneIn(zone));
    }

    /** Refuses a day that the database could not store. */
    private static void requirePossible(String name, LocalDate day) {
        if (day.getYear() < YEAR_MIN || day.getYear() > YEAR_MAX) {
            throw new RefusedException(Refusal.INVALID, name);
        }
    }

    private static ZoneId zoneIn(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException unknown) {
            throw new RefusedException(Refusal.INVALID, "zone");
        }
    }

    OffsetDateTime begin() {
        return beginOf(from);
    }

    /** Returns when the days are over, which belongs to the next day. */
    OffsetDateTime end() {
        return beginOf(to.plusDays(1));
    }

    private OffsetDateTime beginOf(LocalDate day) {
        return day.atStartOfDay(zone).toInstant().atOffset(ZoneOffset.UTC);
    }
}
