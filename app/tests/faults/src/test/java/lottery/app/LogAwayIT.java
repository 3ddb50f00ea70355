package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import lottery.api.UserId;
import lottery.api.UserShard;
import lottery.app.KeyedDraws.DrawLoad;
import lottery.app.LotteryProcess.Reply;
import lottery.bench.CheckedDatabase;
import lottery.embedded.EmbeddedServers;
import lottery.embedded.EmbeddedSettings;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests a lottery with four logs on two PostgreSQL servers, of which the second one hangs, and later crashes. */
@Tag("turn-3")
@DisplayName("One of two PostgreSQL servers that is away")
class LogAwayIT {

    private static final Path DATA = LotteryProcess.FOLDER.resolve("servers-two");

    private static final int SERVERS = 2;
    private static final int LOGS = 4;
    private static final int DRAWS = 60;
    private static final int CINEMAS = 150;

    /** How long an answer may take while the other server is away. It has to be far below any limit of time. */
    private static final Duration PROMPT = Duration.ofSeconds(3);

    private static final Duration NOTICED_MAX = Duration.ofMinutes(1);
    private static final Duration SOON = Duration.ofMinutes(2);

    private static final String RULES = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Points", "type": "CREDIT", "amount": {"min": "0.01", "max": "8.88"}, "rate": "0.5",
               "sort": 1},
              {"awardId": 2, "title": "Cinema", "type": "TEXT", "rate": "0.5", "sort": 2, "stock": %d}]""".formatted(CINEMAS);

    private static final String CHANCES = """
            "skus": [{"sku": 1, "total": 100000, "month": 100000, "day": 100000}]""";

    private final KeyedDraws draws = new KeyedDraws();
    private final AtomicInteger keys = new AtomicInteger();

    @Test
    @DisplayName("Only its users are told to come again; later nothing is lost, and all units are given")
    void away() throws Exception {
        EmbeddedSettings settings = EmbeddedSettings.forTests(DATA).withDatabases(SERVERS, LOGS);
        try (EmbeddedServers servers = EmbeddedServers.start(settings)) {
            RestorablePostgres second = new RestorablePostgres(
                    DATA.resolve("postgres-2"),
                    Objects.requireNonNull(servers.properties().get("lottery.log.01.url")));
            Map<String, String> environment = Servers.environmentOf(servers);
            try (LotteryProcess lottery = LotteryProcess.open(environment)) {
                TrialActivity activity = TrialActivity.open(lottery, RULES, CHANCES);
                KeyedDraws.recharge(activity);
                try (DrawLoad load = draws.at(activity)) {
                    load.awaitDraws(DRAWS);
                    second.freeze();
                    try {
                        requireOthersServed(activity);
                    } finally {
                        second.goOn();
                    }
                    load.awaitDraws(DRAWS);
                    second.crashDuring(() -> requireOthersServed(activity));
                    load.awaitDraws(DRAWS);
                }
                try (DrawLoad _ = draws.repeatedAt(activity)) {
                    await("answers to all requests").atMost(SOON).until(() -> draws.unanswered() == 0);
                }
                draws.requireNothingWrong();
                assertThat(draws.answers()).containsAllEntriesOf(draws.repeated(activity));
                drawUntilSoldOut(activity);
                StoredFacts.awaitSound(CheckedDatabase.of(new HashMap<>(), environment), SOON);
            }
        }
    }

    /** Requires that the users of the first server are served as ever, and that the others are told to come again. */
    private void requireOthersServed(TrialActivity activity) {
        KeyedDraws.users().stream()
                .filter(LogAwayIT::isOnSecond)
                .forEach(user -> await("a refusal of " + user)
                        .atMost(NOTICED_MAX)
                        .until(() -> isRefusedForNow(draw(activity, user))));
        KeyedDraws.users().stream().filter(user -> !isOnSecond(user)).forEach(user -> {
            requireServed(() -> draw(activity, user));
            requireServed(() -> activity.lottery().get(activity.path("/awards?userId=" + user)));
        });
        requireServed(() -> activity.lottery().get(activity.path("/winners")));
        requireServed(() -> activity.lottery().get(activity.path("/stock")));
    }

    private static boolean isOnSecond(String user) {
        return UserShard.of(new UserId(user)).number() % LOGS % SERVERS == 1;
    }

    private Reply draw(TrialActivity activity, String user) {
        return activity.draw(user, "away-" + keys.incrementAndGet());
    }

    private static boolean isRefusedForNow(Reply reply) {
        return reply.status() == 503 && reply.headers().containsHeader("Retry-After");
    }

    private interface Request {
        Reply send();
    }

    private static void requireServed(Request request) {
        long begun = System.nanoTime();
        Reply reply = request.send();
        assertThat(reply.status()).as(reply.text()).isIn(200, 201);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(PROMPT);
    }

    /** Draws until the last unit is given, which may have been in a block of any log. */
    private void drawUntilSoldOut(TrialActivity activity) {
        await("the last unit").atMost(SOON).until(() -> {
            KeyedDraws.users()
                    .forEach(user -> assertThat(draw(activity, user).status()).isEqualTo(201));
            return activity.stock().getFirst().path("left").asInt() == 0;
        });
    }
}
