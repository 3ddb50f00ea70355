package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import lottery.app.LotteryProcess.Reply;
import lottery.bench.CheckedDatabase;
import lottery.embedded.EmbeddedServers;
import lottery.embedded.EmbeddedSettings;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Tests that this version goes on with the database of each release. */
@DisplayName("The database of a release")
class ReleasedDatabaseIT {

    private static final Path DATA = LotteryProcess.FOLDER.resolve("servers-released");
    private static final String APPLICATION = "lottery_app";
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration AT_REST_MAX = Duration.ofMinutes(2);

    @ParameterizedTest(name = "version {0}: all is read, verified, built again, and goes on")
    @ValueSource(strings = "1.0.0")
    void goesOn(String version) throws Exception {
        try (EmbeddedServers servers = EmbeddedServers.start(EmbeddedSettings.forTests(DATA))) {
            String url = Objects.requireNonNull(servers.properties().get("lottery.postgres.url"));
            Map<String, String> environment = Servers.environmentOf(servers);
            try (InputStream file = Objects.requireNonNull(
                    ReleasedDatabaseIT.class.getResourceAsStream("/database-%s.zip".formatted(version)))) {
                Properties keys = DatabaseFixture.load(file, url, "lottery", "lottery", APPLICATION);
                keys.stringPropertyNames().forEach(kind -> {
                    String prefix = "LOTTERY_%s_".formatted(kind.toUpperCase(Locale.ROOT));
                    environment.remove(prefix + "KEYS_LOCAL");
                    environment.put(prefix + "KEYS_K1", keys.getProperty(kind));
                    environment.put(prefix + "CURRENT_KEY", "k1");
                });
            }
            CheckedDatabase database = new CheckedDatabase(url, APPLICATION, APPLICATION);
            try (LotteryProcess lottery = LotteryProcess.open(environment)) {
                StoredFacts.awaitSound(database, AT_REST_MAX);
                requireDrawsAgree(lottery);
                rebuild(lottery);
                StoredFacts.awaitSound(database, AT_REST_MAX);
                draw(lottery);
                StoredFacts.awaitSound(database, AT_REST_MAX);
            }
        }
    }

    private static void requireDrawsAgree(LotteryProcess lottery) {
        List<JsonNode> activities = items(lottery, "/api/v1/activities?limit=100");
        long agreed = 0;
        for (JsonNode activity : activities) {
            Reply verified = lottery.post(
                    "/api/v1/activities/%d/verifications"
                            .formatted(activity.path("activityId").asLong()),
                    "");
            assertThat(verified.status()).as(verified.text()).isEqualTo(200);
            assertThat(verified.json().path("differing")).as(verified.text()).isEmpty();
            agreed += verified.json().path("agreed").asLong();
        }
        assertThat(agreed).as("draws that are verified").isPositive();
    }

    /** A user who is new draws in an activity that is open. */
    private static void draw(LotteryProcess lottery) {
        long activity = items(lottery, "/api/v1/activities?state=DOING&limit=100").stream()
                .filter(each -> each.path("name").asString().equals("Fair"))
                .mapToLong(each -> each.path("activityId").asLong())
                .min()
                .orElseThrow();
        String account = "/api/v1/activities/%d/accounts/late".formatted(activity);
        Patience.created(() -> lottery.post(account + "/recharges", "{\"sku\": 1, \"outBusinessNo\": \"late\"}"));
        Patience.created(() -> lottery.post(account + "/draws", "", "Idempotency-Key", "late"));
    }

    /** Builds each read model anew from the events. */
    private static void rebuild(LotteryProcess lottery) {
        List<JsonNode> replayable = items(lottery, "/api/v1/ops/projections").stream()
                .filter(each -> each.path("replayable").asBoolean())
                .toList();
        assertThat(replayable).isNotEmpty();
        for (JsonNode projection : replayable) {
            Reply begun = new Patience()
                    .ask(() -> lottery.post(
                            "/api/v1/ops/projections/%s/replay"
                                    .formatted(projection.path("name").asString()),
                            ""));
            assertThat(begun.status()).as(begun.text()).isEqualTo(202);
        }
        await("all read models are built again")
                .atMost(SOON)
                .until(() -> items(lottery, "/api/v1/ops/projections").stream().noneMatch(each -> each.has("replay")));
    }

    private static List<JsonNode> items(LotteryProcess lottery, String path) {
        Reply reply = new Patience().ask(() -> lottery.get(path));
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.json().path("items").valueStream().toList();
    }
}
