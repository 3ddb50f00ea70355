package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests many requests at once for very little stock; {@code -Dtrial.users=10000} makes a crowd of that size. */
@Tag("turn-3")
@DisplayName("A crowd of users")
class CrowdIT {

    private static final int USERS = Integer.getInteger("trial.users", 1_000);
    private static final int CALLERS = 64;

    private static final String COFFEE = """
            "mode": "SINGLE", "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "1", "sort": 1}]""";

    private static final String ONE_CAR = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.5", "sort": 1},
              {"awardId": 2, "title": "Car", "type": "TEXT", "rate": "0.5", "sort": 2, "stock": 1}]""";

    private static final String FIVE_A_DAY = """
            "zone": "%s", "skus": [{"sku": 1, "total": 1000, "month": 1000, "day": 5}]""".formatted(TrialActivity.MIDDAY_ZONE);

    private static LotteryProcess lottery;

    private final Patience patience = new Patience();

    @BeforeAll
    static void open() throws Exception {
        lottery = LotteryProcess.open(Servers.environmentOfTrial());
    }

    @AfterAll
    static void close() {
        lottery.close();
    }

    @Test
    @DisplayName("One user who draws 1,000 times at once with five chances a day draws five times")
    void oneUser() throws Exception {
        TrialActivity activity = TrialActivity.open(lottery, COFFEE, FIVE_A_DAY);
        recharge(activity, "ann");
        List<Reply> replies = Crowd.calls(1_000, 1_000, i -> patience.ask(() -> activity.draw("ann", "draw-" + i)));
        report("one user", replies);
        assertThat(replies).filteredOn(reply -> reply.status() == 201).hasSize(5);
        assertThat(replies)
                .filteredOn(reply -> reply.status() != 201)
                .hasSize(995)
                .allMatch(reply -> reply.code().equals("QUOTA_DAY"));
        assertThat(StoredFacts.draws(activity)).isEqualTo(5);
    }

    @Test
    @DisplayName("One request that comes 50 times at once is one draw, and one answer")
    void oneKey() throws Exception {
        TrialActivity activity = TrialActivity.open(lottery, COFFEE, FIVE_A_DAY);
        recharge(activity, "ann");
        List<Reply> replies = Crowd.calls(50, 50, _ -> patience.ask(() -> activity.draw("ann", "same")));
        report("one key", replies);
        assertThat(replies).hasSize(50).allMatch(reply -> reply.status() == 201 || reply.status() == 200);
        assertThat(replies).filteredOn(reply -> reply.status() == 201).hasSize(1);
        Set<String> texts = replies.stream().map(Reply::text).collect(Collectors.toSet());
        assertThat(texts).hasSize(1);
        assertThat(StoredFacts.draws(activity)).isEqualTo(1);
    }

    @Test
    @DisplayName("Only one of all users who draw for one unit gets it")
    void oneUnit() throws Exception {
        TrialActivity activity = TrialActivity.open(lottery, ONE_CAR, FIVE_A_DAY);
        Crowd.calls(USERS, CALLERS, i -> recharge(activity, "user-" + i));
        List<Reply> replies = Crowd.calls(USERS, CALLERS, i -> patience.ask(() -> activity.draw("user-" + i, "draw")));
        report("one unit", replies);
        assertThat(replies).hasSize(USERS).allMatch(reply -> reply.status() == 201);
        assertThat(replies)
                .filteredOn(reply ->
                        reply.json().path("award").path("title").asString("").equals("Car"))
                .hasSize(1);
        assertThat(StoredFacts.wins(activity, 2)).isEqualTo(1);
        assertThat(StoredFacts.taken(activity, "award:%d/2")).isEqualTo(1);
    }

    private int recharge(TrialActivity activity, String user) {
        Reply reply = patience.ask(() -> activity.recharge(user, "first"));
        assertThat(reply.status()).as(reply.text()).isIn(201, 200);
        return reply.status();
    }

    private void report(String what, List<Reply> replies) {
        System.out.printf("%s: %d answered, and %d times busy before%n", what, replies.size(), patience.busy());
    }
}
