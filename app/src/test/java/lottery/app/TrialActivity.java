package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import lottery.app.LotteryProcess.Reply;
import org.awaitility.core.ConditionTimeoutException;
import tools.jackson.databind.JsonNode;

/**
 * An activity that a test opens for itself, with a strategy of the same number, as one process shows it.
 *
 * @param lottery the process that is asked
 * @param since the head of the log before the activity was defined; what has happened to it comes later
 */
record TrialActivity(LotteryProcess lottery, long id, long since) {

    private static final AtomicLong IDS = new AtomicLong(900_000);

    /** A zone in which no day ends for hours, so that what a user has done today stays the same. */
    static final String MIDDAY_ZONE = middayZone();

    /** A preparation that has had more seconds than that is not repeated. */
    private static final int PREPARATION_SECONDS_MAX = 60;

    /**
     * Opens an activity.
     *
     * @param rules the definition of the strategy without its id and its braces
     * @param chances the SKUs of the activity and its limits
     */
    static TrialActivity open(LotteryProcess lottery, String rules, String chances) {
        return open(lottery, rules, "2120-01-01T00:00:00+08:00", chances);
    }

    static TrialActivity open(LotteryProcess lottery, String rules, String endsAt, String chances) {
        TrialActivity activity =
                new TrialActivity(lottery, IDS.incrementAndGet(), StoredFacts.positionBeforeNewActivity());
        activity.define("/api/v1/strategies", "{\"strategyId\": %d, %s}".formatted(activity.id, rules));
        activity.define("/api/v1/activities", """
                {"activityId": %d, "name": "Fair", "beginsAt": "2020-01-01T00:00:00+08:00", "endsAt": "%s",
                 "strategyId": %d, %s}
                """.formatted(activity.id, endsAt, activity.id, chances));
        activity.transit("submit", "activity.submitted");
        activity.transit("pass", "activity.passed");
        Reply started = new Patience().ask(() -> activity.transition("start"));
        // The saga of the activity may have been faster: it is time to start.
        assertThat(started.status() == 200 || started.code().equals("ACTIVITY_STATE"))
                .as(started.text())
                .isTrue();
        return activity;
    }

    /** Passes an activity that begins later, and that nobody starts by hand. */
    static TrialActivity announce(LotteryProcess lottery, Instant beginsAt) {
        TrialActivity activity =
                new TrialActivity(lottery, IDS.incrementAndGet(), StoredFacts.positionBeforeNewActivity());
        activity.define("/api/v1/strategies", """
                {"strategyId": %d, "mode": "SINGLE", "awards": [
                  {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "1", "sort": 1}]}""".formatted(activity.id));
        activity.define("/api/v1/activities", """
                {"activityId": %d, "name": "Later", "beginsAt": "%s", "endsAt": "2120-01-01T00:00:00+08:00",
                 "strategyId": %d, "skus": [{"sku": 1, "total": 1, "month": 1, "day": 1}]}
                """.formatted(activity.id, beginsAt, activity.id));
        activity.transit("submit", "activity.submitted");
        activity.transit("pass", "activity.passed");
        return activity;
    }

    private static String middayZone() {
        int hour = ZonedDateTime.now(ZoneOffset.UTC).getHour();
        return ZoneOffset.ofHours(12 - hour).getId();
    }

    String state() {
        return lottery.get(path("")).json().path("state").asString();
    }

    /**
     * Prepares something that has to be ready before a time that comes soon. A slow machine may miss it: then the
     * preparation is made anew, with more time.
     *
     * @param seconds how much time the first preparation has
     */
    static <T> T before(int seconds, Function<Instant, T> preparation) {
        for (int time = seconds; ; time *= 4) {
            Instant end = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(time);
            try {
                return preparation.apply(end);
            } catch (AssertionError | ConditionTimeoutException failed) {
                if (Instant.now().isBefore(end) || time > PREPARATION_SECONDS_MAX) {
                    throw failed;
                }
            }
        }
    }

    private void define(String path, String definition) {
        Patience.created(() -> lottery.post(path, definition));
    }

    private void transit(String action, String event) {
        Patience.changed(() -> transition(action), () -> StoredFacts.events(event, this) == 1);
    }

    private Reply transition(String action) {
        return lottery.post(path("/transitions"), "{\"action\": \"%s\"}".formatted(action));
    }

    /** Returns the same activity, as another process shows it. */
    TrialActivity at(LotteryProcess other) {
        return new TrialActivity(other, id, since);
    }

    String path(String below) {
        return "/api/v1/activities/" + id + below;
    }

    String account(String user) {
        return path("/accounts/" + user);
    }

    /** Recharges, and requires that this succeeds. */
    void recharge(String user) {
        Patience.created(() -> recharge(user, "first"));
    }

    Reply recharge(String user, String number) {
        return lottery.post(
                account(user) + "/recharges", "{\"sku\": 1, \"outBusinessNo\": \"%s-%d\"}".formatted(number, id));
    }

    Reply partake(String user) {
        return lottery.post(account(user) + "/raffle-orders", "");
    }

    Reply draw(String user, String key) {
        return lottery.post(account(user) + "/draws", "", "Idempotency-Key", key);
    }

    /** Asks for a draw that may wait. */
    Reply queue(String user, String key) {
        return lottery.post(account(user) + "/draws", "", "Idempotency-Key", key, "Prefer", "respond-async");
    }

    Reply drawOrder(String order) {
        return lottery.post("/api/v1/raffle-orders/" + order + "/draw", "");
    }

    Reply cancel(String order) {
        return lottery.post("/api/v1/raffle-orders/" + order + "/cancellation", "");
    }

    List<JsonNode> stock() {
        return lottery.get(path("/stock")).json().path("stocks").valueStream().toList();
    }
}
