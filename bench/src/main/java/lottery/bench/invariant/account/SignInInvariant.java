package lottery.bench.invariant.account;

import java.time.LocalDate;
import java.time.YearMonth;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import lottery.bench.invariant.CheckMoment;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.Invariant;
import lottery.bench.invariant.InvariantVerdict;
import lottery.bench.invariant.ParsedEventPayload;
import lottery.bench.invariant.SameCommitFinder;
import lottery.bench.invariant.SameCommitFinder.EventPlace;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a user signs in at most once a day, and that the days of sign-ins go forward. A streak continues on the
 * next day, also in the next month, and starts again after a missed day. The commit of each sign-in also has its
 * behaviour.
 */
public final class SignInInvariant implements Invariant {

    /** @param inMonth how many days of the month have a sign-in, this day included */
    private record SignInDay(LocalDate day, long streak, long inMonth) {}

    private record SignedBehaviour(String behaviour, EventPlace place) {}

    private final FindingTally tally = new FindingTally();
    private final SameCommitFinder stretches = new SameCommitFinder();
    private final Map<String, SignInDay> latest = new HashMap<>();
    private final Map<String, EventPlace> reported = new HashMap<>();
    private final Map<String, SignedBehaviour> signed = new LinkedHashMap<>();

    @Override
    public void accept(EventTableRow event) {
        EventPlace place = stretches.of(event);
        ParsedEventPayload payload = event.payload();
        switch (event.name()) {
            case "behaviour.reported" -> {
                if (payload.text("behaviour").equals("sign")) {
                    reported.put(payload.text("behaviourId"), place);
                }
            }
            case "calendar.signed-in" -> signedIn(event, place);
            default -> {
                // Other events do not concern sign-ins.
            }
        }
    }

    private void signedIn(EventTableRow event, EventPlace place) {
        tally.checked();
        ParsedEventPayload payload = event.payload();
        String user = payload.text("userId");
        LocalDate day = payload.day("day");
        @Nullable SignInDay before = latest.get(user);
        boolean goesOn = before != null && before.day().plusDays(1).equals(day);
        boolean isSameMonth = before != null && YearMonth.from(before.day()).equals(YearMonth.from(day));
        SignInDay due = new SignInDay(
                day,
                before != null && goesOn ? before.streak() + 1 : 1,
                before != null && isSameMonth ? before.inMonth() + 1 : 1);
        SignInDay said = new SignInDay(day, payload.number("streak"), payload.number("daysThisMonth"));
        if (before != null && !day.isAfter(before.day())) {
            tally.violated(
                    "%s signs in on %s at event %d, after %s".formatted(user, day, event.position(), before.day()));
        } else if (!said.equals(due)) {
            tally.violated("%s signs in on %s at event %d with a streak of %d and %d days, where %d and %d were due"
                    .formatted(
                            user, day, event.position(), said.streak(), said.inMonth(), due.streak(), due.inMonth()));
        }
        latest.put(user, said);
        signed.put(user + " on " + day, new SignedBehaviour(payload.text("behaviourId"), place));
    }

    @Override
    public InvariantVerdict verdict(CheckMoment moment) {
        signed.forEach((who, sign) -> {
            EventPlace report = reported.remove(sign.behaviour());
            if (report == null || !report.isInSameCommitAs(sign.place())) {
                tally.violated("the sign-in of %s at event %d has no behaviour in its commit"
                        .formatted(who, sign.place().position()));
            }
        });
        reported.forEach((behaviour, place) ->
                tally.violated("%s is reported at event %d without a sign-in".formatted(behaviour, place.position())));
        return tally.verdict("sign-ins", "a user signs in once a day, and streaks are counted right");
    }
}
